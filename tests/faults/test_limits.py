"""Commands that get too little memory, or too little room: one line, exit code 1, the old file."""

import errno
import sys

import pytest
from small_model import training_text

import truecase.base.atomic as atomic
from truecase.cli import main

if sys.platform != "linux":
    pytest.skip("limits are those of Linux", allow_module_level=True)

import os
import resource
import subprocess
import sysconfig

MIB = 1 << 20
#: Address space in which the interpreter starts, and loads no library. Without a GIL it wants more.
LEAST = (60 if sysconfig.get_config_var("Py_GIL_DISABLED") else 40) * MIB
OLD = b"what was there before\n"

pytestmark = pytest.mark.skipif(
    "asan" in os.environ.get("LD_PRELOAD", ""), reason="the sanitizer needs address space itself"
)


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text(training_text(150), encoding="utf-8")
    return path


@pytest.fixture
def out(tmp_path):
    path = tmp_path / "here" / "out"
    path.parent.mkdir()
    path.write_bytes(OLD)
    return path


def limited(which, size, *arguments):
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "truecase", *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=120,
        check=False,
        preexec_fn=lambda: resource.setrlimit(which, (size, size)),
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
    )


def is_refused(done, out):
    """Whether a command has told of its trouble in one line and left everything as it was."""
    said = done.stderr.decode()
    assert done.returncode == 1 and said.count("\n") == 1 and "Traceback" not in said, said
    assert out.read_bytes() == OLD
    assert os.listdir(out.parent) == [out.name]
    return said


@pytest.mark.parametrize("size", [LEAST, 100 * MIB])
def test_too_little_memory_for_libraries(text, out, size):
    """NumPy cannot be loaded, or has no room to work in."""
    said = is_refused(limited(resource.RLIMIT_AS, size, "train", text, "-o", out), out)
    assert "memory" in said.lower()  # or OpenBLAS tells, which ends the process itself


@pytest.mark.parametrize(
    "error, said",
    [
        (
            ImportError("libx.so: failed to map segment from shared object"),
            "a library cannot be loaded, for lack of memory, or because it is damaged: "
            "libx.so: failed to map segment from shared object",
        ),
        (
            SystemError("error return without exception set"),
            "a library failed, most likely for lack of memory: error return without exception set",
        ),
    ],
)
def test_a_library_that_is_there_is_not_said_to_be_missing(
    text, out, monkeypatch, capsys, error, said
):
    """SciPy cannot be loaded for lack of memory: nobody is to install it once more."""
    import builtins

    import_ = builtins.__import__

    def failing(name, *arguments, **options):
        if name.startswith("scipy"):
            raise error
        return import_(name, *arguments, **options)

    monkeypatch.setattr(builtins, "__import__", failing)
    arguments = ["train", str(text), "--preset", "crf", "--dev", str(text), "-o", str(out)]
    assert main(arguments) == 1
    assert capsys.readouterr().err.splitlines()[-1] == f"truecase: {said}"
    assert out.read_bytes() == OLD


def test_a_library_that_stumbles_over_another_that_could_not_be_loaded(text, out, tmp_path):
    """NumPy asks for what `datetime` has only when its compiled part has found room."""
    module = tmp_path / "libraries" / "scipy" / "optimize.py"
    module.parent.mkdir(parents=True)
    (module.parent / "__init__.py").touch()
    module.write_text("import datetime\ndatetime.not_there\n")
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "truecase", "train", "-q", "--preset", "crf"]
        + [str(text), "-o", str(out)],
        capture_output=True,
        timeout=120,
        check=False,
        env={**os.environ, "PYTHONPATH": str(module.parents[1])},
    )
    said = is_refused(done, out)
    assert said.startswith("truecase: a library failed, most likely for lack of memory: module")


def test_an_error_of_the_package_is_shown_whole(monkeypatch):
    """It is no one else's, and who reports it needs to know where it was."""
    monkeypatch.setattr("truecase.cli.commands.read_arguments", lambda argv: {}[0])
    with pytest.raises(KeyError):
        main([])


@pytest.mark.parametrize("share", [0, 0.3, 0.99])
@pytest.mark.parametrize("name", ["out", "out.gz"])
def test_a_file_that_becomes_too_long(text, out, share, name):
    out = out.rename(out.parent / name)
    done = main(["text", "capitalize", "-i", str(text), "-o", str(out), "-q"])
    assert done == 0
    size = int(share * out.stat().st_size)
    out.write_bytes(OLD)
    arguments = ["text", "capitalize", "-i", text, "-o", out]
    said = is_refused(limited(resource.RLIMIT_FSIZE, size, *arguments), out)
    assert f"{out}: File too large" in said


class Full:
    """A file on a disk that is full after some writes."""

    def __init__(self, file, room):
        self._file = file
        self._room = room

    def __getattr__(self, name):
        return getattr(self._file, name)

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self._file.close()

    def write(self, data):
        self._room[0] -= 1
        if self._room[0] < 0:
            raise self._room[1]
        return self._file.write(data)


ENDS = [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt(), MemoryError()]


def writers(text, folder, out):
    """Commands that write a file, in more than one kind of way."""
    model, words = folder / "m.truecase", folder / "words"
    assert main(["train", str(text), "-o", str(model), "-q"]) == 0
    assert main(["train", "count", str(text), "-o", str(words), "-q"]) == 0
    (folder / "names").write_text("FooBar\n")
    (folder / "t.jsonl").write_text('{"text": "the post of lyon"}\n' * 50)
    commands = {
        "train": ["train", text],
        "count": ["train", "count", text],
        "count n-grams": ["train", "count", text, "--words", words],
        "merge": ["train", "merge", words],
        "adapt": ["train", "adapt", model, "--names", folder / "names"],
        "apply": ["-i", text, "-m", model],
        "table": ["table", folder / "t.jsonl", "-m", model, "--column", "text"],
        "normalize": ["text", "normalize", "--train", text, "-i", text],
    }
    return {name: [*map(str, one), "-o", str(out), "-q"] for name, one in commands.items()}


@pytest.mark.filterwarnings("ignore")
def test_each_write_of_a_temporary_file_may_fail(text, out, tmp_path, monkeypatch, capsys):
    out = out.rename(out.parent / "o.jsonl")
    commands = writers(text, tmp_path, out)
    opened = os.fdopen
    for name, arguments in commands.items():
        for end in ENDS:
            for n_writes in (0, 1, 2, 4, 9, 10_000):
                room = [n_writes, end]
                with monkeypatch.context() as patch:
                    patch.setattr(
                        atomic.os, "fdopen", lambda *a, room=room, **o: Full(opened(*a, **o), room)
                    )
                    out.write_bytes(OLD)
                    kept = open(out, "rb")  # noqa: SIM115 - closed below
                    code = main(arguments)
                said = capsys.readouterr().err
                # Never written in place: who has it open or mapped keeps what there was.
                assert kept.read() == OLD, name
                kept.close()
                assert os.listdir(out.parent) == [out.name], name
                if code == 0:
                    assert n_writes and out.read_bytes() != OLD, name
                    break
                assert out.read_bytes() == OLD, name
                expected = (130, 0) if isinstance(end, KeyboardInterrupt) else (1, 1)
                assert (code, said.count("\n")) == expected, (name, said)
            else:
                pytest.fail(f"{name}: more writes than were expected")
