"""Folders for temporary files: gone at the end, or with the next one after a kill."""

import os
import subprocess
import sys
import tempfile

import pytest

from truecase.base.atomic import scratch_folder

# Stands for a run that is killed in the middle; a line tells when it is there.
HOLDER = """
import sys, tempfile
tempfile.tempdir = sys.argv[1]
from truecase.base.atomic import scratch_folder
with scratch_folder() as folder:
    open(folder + "/file", "w").close()
    print(folder, flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@pytest.fixture
def holder(place):
    """Another process that has such a folder."""
    command = [sys.executable, "-c", HOLDER, str(place)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline().decode().strip().startswith(str(place))
        yield process
        process.kill()


@pytest.mark.parametrize("error", [None, KeyboardInterrupt])
def test_it_is_gone_at_the_end(place, error):
    def use():
        with scratch_folder() as folder:
            assert os.listdir(place) == [os.path.basename(folder)]
            (place / folder / "file").write_bytes(b"data")
            os.mkdir(os.path.join(folder, "inner"))
            if error is not None:
                raise error

    if error is None:
        use()
    else:
        with pytest.raises(error):
            use()
    assert os.listdir(place) == []


@pytest.mark.skipif(sys.platform == "win32", reason="there after a day")
def test_what_a_killed_process_has_left_is_deleted(place, holder):
    holder.kill()
    holder.wait()
    for other in ("truecase-0123", "truecase-0123456789abcdef-mine", "other-0123456789abcdef"):
        (place / other).mkdir()
    (place / "elsewhere").mkdir()
    (place / "truecase-0123456789abcdef").symlink_to("elsewhere")
    before = set(os.listdir(place))
    with scratch_folder():
        pass
    gone = before - set(os.listdir(place))
    assert len(before) == 6 and len(gone) == 1 and gone.pop() != "truecase-0123456789abcdef"


def test_what_another_process_uses_stays(place, holder):
    with scratch_folder():
        assert len(os.listdir(place)) == 2
    assert len(os.listdir(place)) == 1
    holder.communicate()
    assert os.listdir(place) == []
