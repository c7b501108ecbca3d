"""The command ``truecase``, and ``python -m truecase``, begin and end here."""

import sys

# To type checkers it is true. The module `typing` takes longer to import than all else here.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from sys import UnraisableHookArgs


def main() -> int:
    """Run the command line in a process that does nothing else.

    Ctrl-C ends it at once, without a word, until `truecase.cli` can clear up, and again when that
    is through: neither the imports before nor the interpreter's end have a traceback to show.

    Returns
    -------
    int
        Exit code.
    """
    # Built in, so that nothing happens before; `signal` makes enumerations of it, which takes time.
    import _signal  # type: ignore[import-not-found,unused-ignore]

    # Not where a shell has told it to ignore Ctrl-C, being in the background.
    if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
    sys.unraisablehook = _end_where_nothing_can_be_raised
    try:
        from truecase.cli import main as run

        return run()
    except MemoryError:
        if sys.stderr is not None:
            sys.stderr.write("truecase: out of memory\n")
        return 1


def _end_where_nothing_can_be_raised(unraisable: "UnraisableHookArgs") -> None:
    """A signal that came while an object was being freed, say, is not to be lost."""
    import signal

    for kind, number in ((KeyboardInterrupt, signal.SIGINT), (SystemExit, signal.SIGTERM)):
        if issubclass(unraisable.exc_type, kind):
            # Temporary files stay until the next run.
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)
    sys.__unraisablehook__(unraisable)


if __name__ == "__main__":
    sys.exit(main())
