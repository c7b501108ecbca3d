"""The entry point of the command ``truecase`` and of ``python -m truecase``."""

import sys

# To type checkers it is true. The module `typing` takes longer to import than all else here.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from sys import UnraisableHookArgs


def main() -> int:
    """Run the command line in a process of its own; return the exit code.

    Ctrl-C ends the process at once and silently while modules are imported and while the
    interpreter ends; in between, `truecase.cli` cleans up.
    """
    # Built in, so it loads at once; `signal` makes enumerations of it, which takes time.
    import _signal  # type: ignore[import-not-found,unused-ignore]

    # A shell makes background processes ignore Ctrl-C; that stays.
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
    """Obey a signal whose exception was lost, for example while an object was being freed."""
    import signal

    for kind, number in ((KeyboardInterrupt, signal.SIGINT), (SystemExit, signal.SIGTERM)):
        if issubclass(unraisable.exc_type, kind):
            # Temporary files stay until the next run.
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)
    sys.__unraisablehook__(unraisable)


if __name__ == "__main__":
    sys.exit(main())
