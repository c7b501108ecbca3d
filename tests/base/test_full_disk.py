"""No room for a temporary file: the message names the folder, and how to take another."""

import sys
import tempfile

import numpy as np
import pytest

from truecase.alignment.lines import AlignedLines
from truecase.base.spool import Spool
from truecase.training.material import BitextBlocks, TextBlocks

if sys.platform != "linux":
    pytest.skip("there is no /dev/full", allow_module_level=True)


@pytest.fixture(autouse=True)
def full_disk(monkeypatch):
    def open_full(buffering=-1):
        return open("/dev/full", "r+b", buffering=buffering)

    monkeypatch.setattr(tempfile, "TemporaryFile", open_full)


def fill_spool():
    Spool(np.uint32, on_disk=True).append(np.zeros(10, np.uint32))


def fill_text():
    TextBlocks([b"a line\n"])


def fill_bitext():
    BitextBlocks([AlignedLines(b"a line\n", b"une ligne\n", None)])


@pytest.mark.parametrize("fill", [fill_spool, fill_text, fill_bitext])
def test_is_told_with_what_to_do(fill):
    with pytest.raises(OSError, match=r"No space left on device; .*TMPDIR") as caught:
        fill()
    assert caught.value.filename == f"temporary file in {tempfile.gettempdir()}"
