"""The command ``truecase``: one module for each command, loaded when it is called."""

from __future__ import annotations

import contextlib
import signal
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from truecase.cli.commands import Command

    Steps = Callable[[], Mapping[str, Command]]

EXIT_TROUBLE = 1
EXIT_USAGE = 2

# Errors of any module that are shown as one line.
_SHOWN = (OSError, ValueError, MemoryError, ImportError, SystemError, Warning)

# After these signals, too, the command deletes its temporary files.
_ENDINGS = (signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM))


def main(
    argv: Sequence[str] | None = None, steps: Steps | None = None, program: str = "truecase"
) -> int:
    """Run the command line, and return its exit code.

    The code is 0, 1 for trouble with input or model, 2 for wrong usage, 130 after Ctrl-C, 143
    after SIGTERM, 129 after a terminal was closed.

    Parameters
    ----------
    argv : sequence of str, optional
        Arguments without the program's name; by default those of the process.
    steps : callable, optional
        Makes the steps of another program.
    program : str
        The name of that program.
    """
    came: list[int] = []
    try:
        with contextlib.ExitStack() as stack:
            _listen(stack, came)
            return _run(sys.argv[1:] if argv is None else argv, came, steps, program)
    except BaseException as error:
        # A library that was being imported may have replaced the error of the signal.
        if not (isinstance(error, KeyboardInterrupt) or (came and isinstance(error, Exception))):
            raise
        from truecase.cli.streams import abandon_stdout

        abandon_stdout()
        return 128 + (came[0] if came else signal.SIGINT)


def _run(argv: Sequence[str], came: list[int], steps: Steps | None, program: str) -> int:
    from truecase.cli import commands
    from truecase.cli.streams import abandon_stdout, flush_stdout
    from truecase.errors import OutputError, UsageError

    code = 0
    try:
        try:
            if steps is None:
                command, arguments = commands.read_arguments(argv)
            else:
                command, arguments = commands.read_step(steps(), program, argv)
            with warnings.catch_warnings():
                # without its place in the code
                warnings.showwarning = lambda message, *_, **__: _complain(f"warning: {message}")
                assert command.run is not None
                command.run(arguments)
        except SystemExit as exit_request:
            code = exit_request.code if isinstance(exit_request.code, int) else 0
        flush_stdout()
    except BrokenPipeError:
        # The reader of our output has enough of it.
        abandon_stdout()
        return 0
    except Exception as error:
        if came or not (isinstance(error, _SHOWN) or _is_of_a_library(error)):
            raise
        if isinstance(error, OutputError):
            abandon_stdout()
        _complain(_describe(error))
        return EXIT_USAGE if isinstance(error, UsageError) else EXIT_TROUBLE
    return code


def _listen(stack: contextlib.ExitStack, came: list[int]) -> None:
    """End in order after a signal, as long as the stack stands; `came` lists the signals."""

    def end(number: int, frame: FrameType | None) -> NoReturn:
        # A second signal ends the command at once, even while it clears up.
        for one in _ENDINGS:
            signal.signal(one, signal.SIG_DFL)
        came.append(number)
        if number == signal.SIGINT:
            raise KeyboardInterrupt
        raise SystemExit(128 + number)

    for number in _ENDINGS:
        previous = signal.getsignal(number)
        # A shell makes its background jobs ignore Ctrl-C, and a program that calls the command may
        # listen itself.
        if previous in (signal.SIG_DFL, signal.default_int_handler):
            with contextlib.suppress(ValueError):  # not in the main thread
                signal.signal(number, end)
                stack.callback(signal.signal, number, previous)


def _describe(error: BaseException) -> str:
    """Describe an error in one line."""
    message = " ".join(str(error).split()) or type(error).__name__
    if isinstance(error, OSError) and error.strerror:
        what = error.strerror
        return f"{error.filename}: {what}" if error.filename is not None else what
    if isinstance(error, MemoryError):
        return "out of memory"
    if isinstance(error, SystemError) or not isinstance(error, _SHOWN):
        # Other libraries, and the interpreter, raise these where they find no memory.
        return f"a library failed, most likely for lack of memory: {message}"
    if isinstance(error, ImportError) and not isinstance(error, ModuleNotFoundError):
        # Libraries list possible causes at length; the first error names the cause.
        while isinstance(error.__cause__ or error.__context__, ImportError):
            error = error.__cause__ or error.__context__  # type: ignore[assignment]
        why = "for lack of memory, or because it is damaged"
        return f"a library cannot be loaded, {why}: {' '.join(str(error).split())}"
    return message


def _complain(message: str) -> None:
    from truecase.cli.streams import complain

    complain("truecase: " + message.replace("\n", "\\n") + "\n")


def _is_of_a_library(error: BaseException) -> bool:
    """Whether a module of another package raised it while it was imported."""
    trace = error.__traceback__
    while trace is not None:
        frame = trace.tb_frame
        package = str(frame.f_globals.get("__name__", "")).partition(".")[0]
        if frame.f_code.co_name == "<module>" and package not in ("truecase", "__main__"):
            return True
        trace = trace.tb_next
    return False
