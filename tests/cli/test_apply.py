"""`truecase apply` on streams: bytes, order, promptness, and how it ends."""

import contextlib
import os
import signal
import subprocess
import sys
import time

import pytest

from truecase.cli import main

COMMAND = [sys.executable, "-m", "truecase"]
posix = pytest.mark.skipif(os.name != "posix", reason="signals and pipes of POSIX")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"", b""),
        (b"\n", b"\n"),
        (b"THE anna", b"the Anna"),
        (b"THE anna\n", b"the Anna\n"),
        (b"THE\r\nANNA\r\n\r\n", b"the\r\nAnna\r\n\r\n"),
        (b"\0THE\0 anna\0\n", b"\0the\0 Anna\0\n"),
        (b"anna \xff\xfe anna\n\xc3", b"Anna \xff\xfe Anna\n\xc3"),
        (b" \t anna\t\tanna  \n", b" \t Anna\t\tAnna  \n"),
    ],
)
def test_bytes(truecase, model, text, expected):
    for more in ((), ("-j", 4), ("--line-buffered",), ("--no-line-buffered",)):
        done = truecase("-m", model, *more, text=text)
        assert done.stderr == b""
        # Whether a NUL separates words is another matter.
        assert done.stdout.lower() == expected.lower()
        if b"\0" not in text:
            assert done.stdout == expected
        assert done.returncode == 0


def test_default_command_is_apply(truecase, model):
    text = b"THE anna\n"
    assert truecase("apply", "-m", model, text=text).stdout == b"the Anna\n"
    assert truecase("-m", model, text=text).stdout == b"the Anna\n"


def test_input_case(truecase, model):
    done = truecase("-m", model, "--input-case", "keep", text=b"The Harbour FOO\n")
    assert done.stdout == b"the Harbour FOO\n"


def test_files(truecase, model, tmp_path):
    source, target = tmp_path / "in.txt", tmp_path / "out.txt"
    source.write_bytes(b"THE anna\n")
    target.write_bytes(b"old")
    assert truecase("-m", model, "-i", source, "-o", target).returncode == 0
    assert target.read_bytes() == b"the Anna\n"
    assert truecase("-m", model, "-i", source, "-o", source).returncode == 0
    assert source.read_bytes() == b"the Anna\n"
    assert sorted(os.listdir(tmp_path)) == ["here", "in.txt", "model.en", "out.txt"]


def test_order_is_kept_by_threads(truecase, model, tmp_path):
    source = tmp_path / "in.txt"
    source.write_bytes(b"".join(b"THE line %d of ANNA\n" % i for i in range(300_000)))
    expected = source.read_bytes().lower().replace(b"anna", b"Anna")
    for threads in (1, 2, 4):
        done = truecase("-m", model, "-i", source, "-j", threads)
        assert done.returncode == 0
        assert done.stdout == expected


def test_line_longer_than_a_block(truecase, model):
    text = b"ANNA " * 500_000 + b"\nTHE\n"
    assert truecase("-m", model, text=text).stdout == b"Anna " * 500_000 + b"\nthe\n"


def start(*arguments, **options):
    return subprocess.Popen(
        [*COMMAND, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **options,
    )


@pytest.mark.parametrize("threads", [1, 4])
def test_first_line_comes_before_the_input_ends(model, threads):
    with start("-m", model, "--line-buffered", "-j", threads) as process:
        for _ in range(3):
            process.stdin.write(b"THE ANNA\n")
            process.stdin.flush()
            assert process.stdout.readline() == b"the Anna\n"
        process.stdin.close()
        assert process.stdout.read() == b""
        assert process.wait(60) == 0


def test_output_comes_before_the_input_ends_in_blocks_too(model):
    line = b"THE ANNA\n"
    with start("-m", model, "--no-line-buffered") as process:
        process.stdin.write(line * 80_000)
        process.stdin.flush()
        assert process.stdout.readline() == b"the Anna\n"
        process.kill()


@posix
def test_terminal_is_answered_line_by_line(model):
    import pty

    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [*COMMAND, "-m", model], stdin=subprocess.PIPE, stdout=theirs, stderr=subprocess.PIPE
    ) as process:
        process.stdin.write(b"THE ANNA\n")
        process.stdin.flush()
        assert os.read(ours, 100).replace(b"\r", b"") == b"the Anna\n"
        process.stdin.close()
        assert process.wait(60) == 0
        assert process.stderr.read() == b""
    os.close(ours)
    os.close(theirs)


@posix
@pytest.mark.parametrize("threads", [1, 4])
def test_closed_pipe_ends_quietly(model, threads, tmp_path):
    source = tmp_path / "in.txt"
    source.write_bytes(b"THE ANNA\n" * 500_000)
    with start("-m", model, "-i", source, "-j", threads) as process:
        assert process.stdout.readline() == b"the Anna\n"
        process.stdout.close()
        assert process.wait(60) == 0
        assert process.stderr.read() == b""


@posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("threads", [1, 4])
def test_interruption_leaves_no_file(model, threads, number, tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    target = folder / "out.txt"
    arguments = ["-m", model, "-o", target, "-j", threads, "--line-buffered"]

    def listen():
        # A shell that runs the tests in the background has told its children to ignore Ctrl-C.
        signal.signal(number, signal.SIG_DFL)

    with start(*arguments, cwd=tmp_path, preexec_fn=listen) as process:
        process.stdin.write(b"THE ANNA\n")
        process.stdin.flush()
        deadline = time.monotonic() + 60
        while not os.listdir(folder):
            assert time.monotonic() < deadline
            time.sleep(0.01)
        # A signal between the interpreter's last look for one and the system call that waits
        # for input is noticed when that call ends, or with the next signal.
        while process.poll() is None:
            assert time.monotonic() < deadline
            process.send_signal(number)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(5)
        assert process.returncode == 128 + number
        assert process.stderr.read() == b""
    assert os.listdir(folder) == []


@posix
def test_output_to_a_named_pipe(truecase, model, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with start("-m", model, "-o", pipe) as process:
        process.stdin.write(b"THE\n")
        process.stdin.close()
        assert pipe.read_bytes() == b"the\n"
        assert process.wait(60) == 0


@posix
def test_output_to_dev_stdout(truecase, model):
    for target in ("-", "/dev/stdout", "/dev/fd/1"):
        done = truecase("-m", model, "-o", target, text=b"THE\n")
        assert (done.stdout, done.stderr) == (b"the\n", b"")


class FirstLetters:
    """A model that capitalises every line."""

    def __init__(self):
        self.metadata = {}

    def case_block(self, block, threads=1, input_case="ignore"):
        assert threads == 1
        assert input_case == "auto"
        return b"\n".join(line.capitalize() for line in block.split(b"\n"))

    def training_count(self, word):
        return len(word)


def test_any_model(monkeypatch, tmp_path):
    monkeypatch.setattr("truecase.cli.model.load_model", lambda *_, **__: FirstLetters())
    source, target = tmp_path / "in.txt", tmp_path / "out.txt"
    source.write_bytes(b"one\ntwo")
    assert main(["--input-case", "auto", "-i", str(source), "-o", str(target)]) == 0
    assert target.read_bytes() == b"One\nTwo"


class Failing(FirstLetters):
    def case_block(self, block, threads=1, input_case="ignore"):
        raise MemoryError


def test_trouble_in_a_thread(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr("truecase.cli.model.load_model", lambda *_, **__: Failing())
    source, target = tmp_path / "in.txt", tmp_path / "out.txt"
    source.write_bytes(b"one\n")
    for threads in ("1", "3"):
        assert main(["-i", str(source), "-o", str(target), "-j", threads]) == 1
        assert capsys.readouterr().err == "truecase: out of memory\n"
        assert not target.exists()
