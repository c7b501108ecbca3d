import os
import stat
import sys

import pytest

from truecase.files.atomic import atomic_write


def test_writes(tmp_path):
    path = tmp_path / "out"
    with atomic_write(path) as file:
        file.write(b"new")
        assert not path.exists()
    assert path.read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["out"]


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
