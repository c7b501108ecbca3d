import errno
import os
import stat
import subprocess
import sys

import pytest

from truecase.base.atomic import atomic_write


def test_writes(tmp_path):
    path = tmp_path / "out"
    with atomic_write(path) as file:
        file.write(b"new")
        assert not path.exists()
    assert path.read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["out"]


def test_a_name_that_is_empty(tmp_path, monkeypatch):
    """It is not the current folder, beside which a temporary file would be made."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FileNotFoundError), atomic_write(""):
        pass


@pytest.mark.parametrize("name", ["a" * 255, "é" * 127, "😀" * 63])
def test_the_longest_names(tmp_path, name):
    (tmp_path / name).write_bytes(b"old")
    with atomic_write(tmp_path / name) as file:
        file.write(b"new")
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [(name, b"new")]


def test_text_mode(tmp_path):
    with atomic_write(tmp_path / "out", "w", encoding="utf-8", newline="\n") as file:
        file.write("ä\n")
    assert (tmp_path / "out").read_bytes() == "ä\n".encode()


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_an_exception_leaves_what_was_there(tmp_path, error):
    path = tmp_path / "out"
    path.write_bytes(b"old")

    def fail():
        with atomic_write(path) as file:
            file.write(b"new")
            raise error

    with pytest.raises(error):
        fail()
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["out"]


def test_the_message_names_the_file(tmp_path):
    with pytest.raises(FileNotFoundError) as caught, atomic_write(tmp_path / "no" / "out"):
        pass
    assert caught.value.filename == str(tmp_path / "no" / "out")


def test_other_modes_are_refused(tmp_path):
    with pytest.raises(ValueError, match="mode 'a'"), atomic_write(tmp_path / "out", "a"):
        pass


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions")
def test_permissions(tmp_path):
    path = tmp_path / "out"
    mask = os.umask(0o027)
    try:
        with atomic_write(path) as file:
            file.write(b"1")
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
        path.chmod(0o604)
        with atomic_write(path) as file:
            file.write(b"2")
        assert stat.S_IMODE(path.stat().st_mode) == 0o604
    finally:
        os.umask(mask)


@pytest.mark.skipif(sys.platform == "win32", reason="symbolic links")
def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "target").write_bytes(b"old")
    (tmp_path / "link").symlink_to("target")
    with atomic_write(tmp_path / "link") as file:
        file.write(b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_bytes() == b"new"


def test_a_device_is_written_to():
    with atomic_write(os.devnull) as file:
        file.write(b"gone")
    assert os.path.exists(os.devnull)


def test_an_error_beside_a_device_passes():
    with pytest.raises(FileNotFoundError, match="gone"), atomic_write(os.devnull):
        raise FileNotFoundError("gone")


@pytest.mark.skipif(sys.platform == "win32", reason="no /dev/stdout")
@pytest.mark.parametrize("path", ["/dev/stdout", "/dev/stderr", "/dev/fd/1"])
def test_an_open_file_is_written_on(tmp_path, path):
    out = tmp_path / "out"
    out.write_bytes(b"before\n")
    program = f"from truecase.base.atomic import atomic_write as new\nwith new({path!r}) as file:\n"
    command = [sys.executable, "-c", f"{program}    file.write(b'new\\n')"]
    with open(out, "ab") as file:
        subprocess.run(command, stdout=file, stderr=file, check=True)
        file.write(b"behind\n")
    assert out.read_bytes() == b"before\nnew\nbehind\n"


# Stands for a run that is killed in the middle; a line tells when it is there.
WRITER = """
import sys
from truecase.base.atomic import atomic_write
with atomic_write(sys.argv[1]) as file:
    file.write(b"half")
    file.flush()
    print("writing", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def writer(tmp_path):
    """Another process that is writing to a file."""
    command = [sys.executable, "-c", WRITER, str(tmp_path / "out")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"writing\n"
        yield process
        process.kill()


def write(path, data=b"new"):
    with atomic_write(path) as file:
        file.write(data)


@pytest.mark.skipif(sys.platform == "win32", reason="there after a day")
def test_what_a_killed_process_has_left_is_deleted(tmp_path, writer):
    writer.kill()
    writer.wait()
    others = [".out.0123.part", "..0123456789abcdef.part", ".out2.0123456789abcdef.part", "out"]
    for name in others:
        (tmp_path / name).write_bytes(b"")
    assert len(os.listdir(tmp_path)) == 5
    write(tmp_path / "out")
    assert sorted(os.listdir(tmp_path)) == sorted(others)


def test_what_another_process_is_writing_stays(tmp_path, writer):
    write(tmp_path / "out")
    assert (tmp_path / "out").read_bytes() == b"new"
    assert len(os.listdir(tmp_path)) == 2
    writer.communicate()
    assert (tmp_path / "out").read_bytes() == b"half"
    assert os.listdir(tmp_path) == ["out"]


def test_the_mask_of_the_process_is_never_set(tmp_path, monkeypatch):
    # Between two calls of umask, another thread would write files that all may change.
    monkeypatch.delattr(os, "umask")
    write(tmp_path / "out")
    write(tmp_path / "out")


def test_a_full_disk_is_told_by_the_name_of_the_file(tmp_path):
    with pytest.raises(OSError) as caught, atomic_write(tmp_path / "out"):
        raise OSError(errno.ENOSPC, "No space left on device")
    assert caught.value.filename == str(tmp_path / "out")
    assert os.listdir(tmp_path) == []
