"""Ctrl-C, SIGTERM and SIGHUP while the command starts or ends: no traceback, usual exit code."""

import os
import signal
import subprocess
import sys
import textwrap

import pytest

if os.name != "posix":
    pytest.skip("signals", allow_module_level=True)

ENDINGS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]

# Sends itself a signal when a module is about to be imported, or when the command has ended.
AT = """
    import os, signal, sys
    signal.signal(signal.SIGINT, signal.default_int_handler)
    number = int(sys.argv.pop(1))
    place = sys.argv.pop(1)
    class Finder:
        def find_spec(self, name, path=None, target=None):
            if name == place:
                os.kill(os.getpid(), number)
    sys.meta_path.insert(0, Finder())
    import truecase.__main__
    code = truecase.__main__.main()
    if place == "end":
        class Last:
            def __del__(self, kill=os.kill, me=os.getpid()):
                kill(me, number)
        sys.last = Last()
    sys.exit(code)
"""

PLACES = [
    "truecase.cli",
    "argparse",
    "truecase.cli.flags",
    "truecase.cli.apply",
    "truecase.cli.model",
    "truecase.truecaser",
    "truecase._core",
    "truecase.cli.transform",
]


def run(number, place, *arguments):
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(AT), str(int(number)), place, *arguments],
        input=b"a line\n",
        capture_output=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("number", ENDINGS)
@pytest.mark.parametrize("place", PLACES)
def test_at_an_import(place, number):
    done = run(number, place)
    assert done.returncode in (128 + number, -number)
    assert done.stdout == done.stderr == b""


@pytest.mark.parametrize("number", ENDINGS)
def test_when_all_is_done(number):
    done = run(number, "end")
    assert done.stderr == b""
    assert done.stdout == b"A line\n"


# The interrupt is raised where Python can only tell that it has ignored it.
IGNORED = """
    import os, signal, sys
    signal.signal(signal.SIGINT, signal.default_int_handler)
    import truecase.__main__, truecase.cli
    class Freed:
        def __del__(self):
            os.kill(os.getpid(), int(sys.argv[1]))
            for _ in range(10): pass
    def command(argv, came, steps, program):
        Freed()
        print("went on")
        return 0
    truecase.cli._run = command
    sys.exit(truecase.__main__.main())
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_where_nothing_can_be_raised(number):
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(IGNORED), str(int(number))],
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == -number
    assert done.stdout == done.stderr == b""


TWICE = """
    import os, signal, sys
    signal.signal(signal.SIGINT, signal.default_int_handler)
    import truecase.__main__, truecase.cli
    def command(argv, came, steps, program):
        try:
            os.kill(os.getpid(), signal.SIGINT)
            for _ in range(10): pass
        finally:
            print("clearing up", flush=True)
            os.kill(os.getpid(), signal.SIGINT)
            print("too late", flush=True)
    truecase.cli._run = command
    sys.exit(truecase.__main__.main())
"""


def test_a_second_time_it_ends_at_once():
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(TWICE)], capture_output=True, timeout=60, check=False
    )
    assert done.returncode == -signal.SIGINT
    assert done.stdout == b"clearing up\n"
    assert done.stderr == b""


def test_a_program_that_listens_itself_keeps_its_handlers():
    code = """
        import signal
        from truecase.cli import main
        def mine(number, frame): pass
        seen = []
        signal.signal(signal.SIGTERM, mine)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        import truecase.cli
        def command(argv, came, steps, program):
            seen.extend(map(signal.getsignal, (signal.SIGTERM, signal.SIGINT)))
            return 0
        truecase.cli._run = command
        assert main([]) == 0 and seen == [mine, signal.SIG_IGN]
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        main([])
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        assert seen[2] is seen[3] and seen[2] not in (signal.SIG_DFL, signal.SIG_IGN)
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], timeout=60, check=True)


# Compiled modules make an ImportError of whatever comes while they import others.
SWALLOWED = """
    import os, signal, sys
    signal.signal(signal.SIGINT, signal.default_int_handler)
    import truecase.__main__, truecase.cli
    class Swallowing:
        def find_spec(self, name, path=None, target=None):
            if name == "truecase.truecaser":
                try:
                    os.kill(os.getpid(), number)
                    for _ in range(10): pass
                except BaseException:
                    raise {error}("a library failed to import") from None
    sys.meta_path.insert(0, Swallowing())
    number = int(sys.argv.pop())
    sys.exit(truecase.__main__.main())
"""


@pytest.mark.parametrize("error", ["ImportError", "AttributeError"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_where_a_library_makes_another_error_of_it(number, error):
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(SWALLOWED).format(error=error), str(int(number))],
        input=b"a line\n",
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 128 + number
    assert done.stdout == done.stderr == b""
