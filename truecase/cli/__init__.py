"""The command ``truecase``: one module per subcommand, loaded when it is called."""

from __future__ import annotations

import argparse
import contextlib
import importlib
import signal
import sys
import warnings
from collections.abc import Sequence
from types import FrameType
from typing import TYPE_CHECKING, Any, NoReturn, TextIO

from truecase.cli.help_format import HelpFormatter

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

# Name, and one line for the overview. The module of the same name has DESCRIPTION, EPILOG,
# `add_arguments(parser)` and `run(arguments)`.
COMMANDS = {
    "apply": "restore the case of a text (the default command)",
    "punctuate": "put marks and case into words that have neither, such as recognised speech",
    "train": "train a model from plain text",
    "count": "count a part of a text that is too much for one run",
    "merge": "add up the counts of parts",
    "adapt": "fit a model to a domain with a little of its text",
    "refine": "let a model look at whole sentences where it is in doubt",
    "train-marks": "let a model learn which marks stand between words",
    "calibrate": "make a model right as often as it says it is",
    "evaluate": "compare a model's case with a reference",
    "explain": "show why a text is cased as it is",
    "learning-curve": "measure accuracy by size of the training text",
    "normalize": "lowercase first words of sentences that are lowercase elsewhere",
    "align": "align the words of a text with those of its translation",
    "bridge": "case before and after a machine translation system",
    "file": "case subtitles, translations and other files in place",
    "table": "case columns of Parquet, Arrow, JSON lines, CSV and TSV",
    "review": "a page to look at the least certain words on, and its corrections put in",
    "sentence-case": "put titles of works into sentence case, names kept",
    "marks": "shift end marks in front of sentences and back, or take marks off",
    "capitalize": "capitalise the first word of every sentence",
    "moses": "what the scripts of Moses' truecaser do, with their options",
    "opennmt": "case features and markup as OpenNMT's Tokenizer writes them, in and out",
    "info": "show what is in a model",
    "arpa": "estimate, import or export n-gram models in ARPA format",
    "completion": "print a script that completes commands and options in a shell",
}

EXIT_TROUBLE = 1
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130
EXIT_TERMINATED = 143

_OVERVIEW_EXAMPLES = """
examples:
  echo "the washington post is in washington , d.c." | truecase
  truecase -i in.txt -o out.txt -j 8
  truecase train corpus.txt.gz --dev dev.txt -o my.truecase
  truecase evaluate -m my.truecase test.txt

truecase COMMAND --help explains a command.
"""


def _overview() -> str:
    width = max(map(len, COMMANDS))
    lines = [f"  {name:{width}}  {summary}" for name, summary in COMMANDS.items()]
    return "commands:\n" + "\n".join(lines) + "\n" + _OVERVIEW_EXAMPLES


class _StoreOnce(argparse.Action):
    """Stores an option's value, of which there can be one: the first of two would be lost."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        given: set[str] = namespace.__dict__.setdefault("_given", set())
        if option_string is not None and self.dest in given:
            raise argparse.ArgumentError(self, "given twice")
        given.add(self.dest)
        setattr(namespace, self.dest, values)


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line, and which tells when help cannot be written."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.register("action", None, _StoreOnce)
        self.register("action", "store", _StoreOnce)

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        from truecase.cli.streams import naming_errors

        if file is not None and file is sys.stdout:
            with naming_errors("standard output"):
                file.write(message)
        elif sys.stderr is not None:
            sys.stderr.write(message)

    def error(self, message: str) -> NoReturn:
        self.exit(EXIT_USAGE, f"{self.prog}: {message} (see {self.prog} --help)\n")


class _VersionAction(argparse.Action):
    """Looks the version up only when it is asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *unused: object) -> NoReturn:
        from truecase._installation import __version__

        parser._print_message(f"truecase {__version__}\n", sys.stdout)
        parser.exit()


def command_module(command: str) -> Any:
    """The module of one of `COMMANDS`."""
    return importlib.import_module(f"truecase.cli.{command.replace('-', '_')}")


def build_parser(command: str, is_default: bool = False) -> argparse.ArgumentParser:
    """The parser of one subcommand.

    Parameters
    ----------
    command : str
        One of `COMMANDS`.
    is_default : bool
        The command was not named: its help is the overview of all.
    """
    module = command_module(command)
    parser = _Parser(
        prog="truecase" if is_default else f"truecase {command}",
        description=module.DESCRIPTION,
        epilog=_overview() if is_default else module.EPILOG,
        formatter_class=HelpFormatter,
        allow_abbrev=False,
    )
    if is_default:
        parser.add_argument(
            "--version", action=_VersionAction, nargs=0, help="show the version and exit"
        )
    module.add_arguments(parser)
    parser.set_defaults(run=module.run)
    return parser


def _parse(argv: Sequence[str]) -> argparse.Namespace:
    if argv and argv[0] in COMMANDS:
        return build_parser(argv[0]).parse_args(argv[1:])
    parser = build_parser("apply", is_default=True)
    if argv and not argv[0].startswith("-"):
        parser.error(
            f"unknown command {argv[0]!r}: expected one of {', '.join(COMMANDS)}; "
            "a file to be cased is given with -i"
        )
    return parser.parse_args(argv)


# What is told in one line, whoever raises it.
_TOLD = (OSError, ValueError, MemoryError, ImportError, SystemError)


def _describe(error: BaseException) -> str:
    """One line about what went wrong."""
    message = " ".join(str(error).split()) or type(error).__name__
    if isinstance(error, OSError) and error.strerror:
        what = error.strerror
        return f"{error.filename}: {what}" if error.filename is not None else what
    if isinstance(error, MemoryError):
        return "out of memory"
    if isinstance(error, SystemError) or not isinstance(error, _TOLD):
        # What the interpreter, or another library, makes of one that found no memory.
        return f"a library failed, most likely for lack of memory: {message}"
    if isinstance(error, ImportError) and not isinstance(error, ModuleNotFoundError):
        # Libraries tell at length what may have happened; the system has told them what it was.
        while isinstance(error.__cause__ or error.__context__, ImportError):
            error = error.__cause__ or error.__context__  # type: ignore[assignment]
        why = "for lack of memory, or because it is damaged"
        return f"a library cannot be loaded, {why}: {' '.join(str(error).split())}"
    return message


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Warnings of the package are for users: what it is, not where in the code."""
    _complain(f"warning: {message}")


def _complain(message: str) -> None:
    if sys.stderr is not None:
        print(f"truecase: {message}", file=sys.stderr)


# Being told to end must not leave a temporary file either.
_ENDINGS = (signal.SIGINT, signal.SIGTERM)


def _listen(stack: contextlib.ExitStack, came: list[int]) -> None:
    """End in order after a signal, as long as the stack stands; which one came is noted."""

    def end(number: int, frame: FrameType | None) -> NoReturn:
        # Whoever has no patience while all is cleared up ends it at once by another one.
        for one in _ENDINGS:
            signal.signal(one, signal.SIG_DFL)
        came.append(number)
        if number == signal.SIGINT:
            raise KeyboardInterrupt
        raise SystemExit(EXIT_TERMINATED)

    for number in _ENDINGS:
        previous = signal.getsignal(number)
        # A shell tells what it starts in the background to ignore Ctrl-C; and a program that calls
        # the command may listen itself.
        if previous in (signal.SIG_DFL, signal.default_int_handler):
            with contextlib.suppress(ValueError):  # not in the main thread
                signal.signal(number, end)
                stack.callback(signal.signal, number, previous)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    argv : sequence of str, optional
        Arguments without the program's name; those of the process by default.

    Returns
    -------
    int
        Exit code: 0, 1 for trouble with input or model, 2 for wrong usage, 130 after Ctrl-C, 143
        after SIGTERM.
    """
    came: list[int] = []
    try:
        with contextlib.ExitStack() as stack:
            _listen(stack, came)
            return _run(sys.argv[1:] if argv is None else argv, came)
    except KeyboardInterrupt:
        _abandon_stdout()
        return EXIT_INTERRUPTED
    except Exception:
        # A library that was being imported may have made another error of the signal.
        if not came:
            raise
        _abandon_stdout()
        return EXIT_INTERRUPTED if came[0] == signal.SIGINT else EXIT_TERMINATED


def _abandon_stdout() -> None:
    from truecase.cli.streams import abandon_stdout

    abandon_stdout()


def _run(argv: Sequence[str], came: list[int]) -> int:
    from truecase.cli.streams import abandon_stdout, flush_stdout
    from truecase.errors import OutputError, UsageError

    try:
        try:
            arguments = _parse(argv)
            with warnings.catch_warnings():
                warnings.showwarning = _show_warning
                code = int(arguments.run(arguments))
        except SystemExit as exit_request:
            code = exit_request.code if isinstance(exit_request.code, int) else 0
        flush_stdout()
    except BrokenPipeError:
        # Whoever read our output has enough of it.
        abandon_stdout()
        return 0
    except Exception as error:
        if came or not (isinstance(error, _TOLD) or _is_of_a_library(error)):
            raise
        if isinstance(error, OutputError):
            abandon_stdout()
        _complain(_describe(error))
        return EXIT_USAGE if isinstance(error, UsageError) else EXIT_TROUBLE
    return code


def _is_of_a_library(error: BaseException) -> bool:
    """Whether another package stumbled while it was imported, as it does for lack of memory."""
    trace = error.__traceback__
    while trace is not None:
        frame = trace.tb_frame
        package = str(frame.f_globals.get("__name__", "")).partition(".")[0]
        if frame.f_code.co_name == "<module>" and package not in ("truecase", "__main__"):
            return True
        trace = trace.tb_next
    return False
