"""Offsets and ids that lead outside an array are refused, not followed.

In a process of its own: what follows them may crash.
"""

import subprocess
import sys

import pytest
from patience import seconds

CASES = {
    "alternatives that do not rise": """
scorer, words = small()
start = np.array([0, 1 << 40, -(1 << 40), 1, 2], np.int64)
losses(scorer, words, start, np.zeros(2, np.uint32))
""",
    "alternatives of no word": """
scorer, words = small()
losses(scorer, words, np.array([0, 1, 2, 2, 2], np.int64), np.full(2, 1 << 31, np.uint32))
""",
    "forms": """
from truecase.kernels._lexicon import summarise_forms
summarise_forms(np.zeros(64, np.uint8), np.array([0, 1 << 40, 3], np.int64), False)
""",
    "suffixes": """
from truecase.kernels._components import hash_suffixes
offsets = np.array([0, 1 << 31, 3], np.int64)
hash_suffixes(np.zeros(64, np.uint8), offsets, np.zeros(1, np.int64), False)
""",
    "words of an ARPA file": """
from truecase.ngram._words import format_lines
words = np.ones((2, 1), np.uint32)
number = np.zeros(2, np.float32)
offsets = np.array([0, 1 << 40, 3], np.int64)
format_lines(words, number, number, np.zeros(9, np.uint8), offsets, 0, np.zeros(999, np.uint8))
""",
    "rows of an ARPA file": """
from truecase.ngram._words import format_lines
words = np.ones((2, 1), np.uint32)
number = np.zeros(2, np.float32)
offsets = np.array([0, 1, 3], np.int64)
out = np.zeros(999, np.uint8)
format_lines(words, number, number, np.zeros(9, np.uint8), offsets, -(1 << 40), out)
""",
    "places in an ARPA file": """
from truecase.ngram._words import ArpaWords
rows, number = np.zeros((9, 1), np.uint32), np.zeros(9, np.float32)
ArpaWords().parse_lines(b"-1 a\\n", -(1 << 40), True, rows, number, number[:0], 0)
""",
}

PROGRAM = """
import numpy as np
from truecase.ngram._kneser_ney import CasingLosses
from truecase.kernels._ngrams import NgramScorer

def small():
    forms = np.arange(1, 5, dtype=np.uint64)
    number = np.zeros(4, np.float32)
    return NgramScorer(forms, number, number, []), np.ones((3, 1), np.uint32)

def losses(scorer, words, start, alternatives):
    number = np.zeros(4, np.float32)
    CasingLosses(scorer, start, alternatives, number).of(words, np.ones(3, np.uint32), number[:3])

try:
    %s
except ValueError as error:
    print("refused:", error)
"""


@pytest.mark.parametrize("name", CASES)
def test_are_refused(name):
    body = CASES[name].strip().replace("\n", "\n    ")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM % body],
        capture_output=True, text=True, timeout=seconds(120), check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("refused: ")
