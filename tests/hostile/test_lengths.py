"""What has more in it than it said it has, as if another thread had put it there meanwhile."""

import subprocess
import sys

import pytest
from patience import seconds

BEGIN = """
import numpy as np

class Table(dict):
    def __len__(self):
        return 1

class Row(list):
    asked = 0
    def __len__(self):
        self.asked += 1
        return 1 if self.asked == 1 else super().__len__()

def wrong(do):
    try:
        do()
    except ValueError:
        print("refused")
"""

PROGRAMS = {
    "signs that come while openings are read": """
from truecase.kernels._punctuation_network import read_words
signs = {".": 1}
def openings():
    signs.update((chr(0x4e00 + i), 1) for i in range(5000))
    yield from ()
wrong(lambda: read_words(b"a. b", signs, False, openings()))
""",
    "names of tags": """
from truecase.formats._contents import TagScanner
names = Table((b"%d" % i, 1) for i in range(5000))
wrong(lambda: TagScanner(b"<a/>", names, (), 9))
""",
    "tables of n-grams": """
from truecase.kernels._ngrams import NgramScorer
from truecase.ngram.table import SlotWidths, pack_order
forms = np.arange(1, 5, dtype=np.uint64)
number = np.zeros(4, np.float32)
words = np.array([[0, 1]], np.uint32)
table = pack_order(words, np.array([-1.0]), None, forms, SlotWidths(8, 8, 24, 0.7))
wrong(lambda: NgramScorer(forms, number, number, Row([table] * 300)))
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_more_than_was_said(name):
    # In a process of its own: memory that is overwritten may end it.
    done = subprocess.run(
        [sys.executable, "-c", BEGIN + PROGRAMS[name]],
        capture_output=True, text=True, timeout=seconds(120), check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "refused\n"), done.stderr
