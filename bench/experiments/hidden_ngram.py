"""Marks put between words by n-grams alone, as SRILM's `hidden-ngram` does: the baseline.

    python bench/experiments/hidden_ngram.py tokens TEXT... > tokens.txt
    truecase arpa estimate tokens.txt --order 3 --segmentation space -o hidden.arpa
    python bench/experiments/hidden_ngram.py decode hidden.arpa --words dev2012.tsv.xz ...
        [--text cased.txt --lines N] [--offset NATS]

`tokens` writes text in lower case, its marks as words of their own, in lines of 500 words, as the
n-grams know no ends of sentences but the marks. `decode` finds, by Viterbi over the last words and
marks, the likeliest marks (Stolcke & Shriberg 1996), and prints F1 as `punctuation.py` does.
`--offset` is added to the score of no mark at each gap; `--tune` looks for the best on the first
file of words.
"""

import argparse
import math
import re
import sys
from pathlib import Path

import numpy as np
from frame import read_lines, run_script
from punctuation import f1, read_labelled, read_sentences, row

MARKS = ("", ",", ".", "?")
_ALIKE = {"!": ".", ";": ".", "…": ".", ":": ",", ",": ",", ".": ".", "?": "?"}
_WORD = re.compile(r"^[^\w]*(.*?)([^\w]*)$", re.DOTALL)
_PER_LINE = 500


def tokens(paths: list[Path]) -> None:
    """Write the words of texts and their marks."""
    line: list[str] = []
    for path in paths:
        for text in read_lines(path):
            for chunk in text.split():
                match = _WORD.match(chunk)
                assert match is not None
                word, behind = match[1], match[2]
                if word:
                    line.append(re.sub(r"\d", "0", word.lower().replace("’", "'")))
                marks = [_ALIKE[sign] for sign in behind if sign in _ALIKE]
                if marks and line and line[-1] not in MARKS:
                    line.append(max(marks, key=MARKS.index))
            if len(line) >= _PER_LINE:
                print(*line)
                line = []
    print(*line)


class Ngrams:
    """N-grams of an ARPA file, in natural logarithms."""

    def __init__(self, path: Path) -> None:
        self.probability: dict[tuple[str, ...], float] = {}
        self.backoff: dict[tuple[str, ...], float] = {}
        self.order = 1
        for text in read_lines(path):
            parts = text.split("\t")
            if len(parts) < 2:
                continue
            gram = tuple(map(sys.intern, parts[1].split(" ")))
            self.order = max(self.order, len(gram))
            self.probability[gram] = float(parts[0]) * math.log(10)
            if len(parts) > 2:
                self.backoff[gram] = float(parts[2]) * math.log(10)
        self.unknown = self.probability.get(("<unk>",), -20.0)

    def score(self, history: tuple[str, ...], word: str) -> float:
        """Of a word behind others."""
        total = 0.0
        history = history[-(self.order - 1) :] if self.order > 1 else ()
        while True:
            found = self.probability.get((*history, word))
            if found is not None:
                return total + found
            if not history:
                return total + self.unknown
            total += self.backoff.get(history, 0.0)
            history = history[1:]


def decode(ngrams: Ngrams, words: list[str], offset: float) -> np.ndarray:
    """The likeliest label behind each word."""
    keep = ngrams.order - 1
    states: dict[tuple[str, ...], tuple[float, object]] = {(): (0.0, None)}
    for word in words:
        word = re.sub(r"\d", "0", word.lower())
        heard: dict[tuple[str, ...], tuple[float, object]] = {}
        for history, (total, path) in states.items():
            of_word = total + ngrams.score(history, word)
            behind = (*history, word)[-keep:]
            for label, mark in enumerate(MARKS):
                value = of_word + (ngrams.score(behind, mark) if mark else offset)
                state = (*behind, mark)[-keep:] if mark else behind
                if state not in heard or heard[state][0] < value:
                    heard[state] = (value, (label, path))
        states = heard
    path = max(states.values(), key=lambda one: one[0])[1]
    labels = []
    while path is not None:
        label, path = path  # type: ignore[misc]
        labels.append(label)
    return np.array(labels[::-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    actions = parser.add_subparsers(dest="action", required=True)
    one = actions.add_parser("tokens")
    one.add_argument("texts", type=Path, nargs="+")
    other = actions.add_parser("decode")
    other.add_argument("arpa", type=Path)
    other.add_argument("--words", type=Path, action="append", default=[])
    other.add_argument("--text", type=Path, nargs="+", default=[])
    other.add_argument("--lines", type=int, default=sys.maxsize)
    other.add_argument("--offset", type=float, default=0.0)
    other.add_argument("--tune", action="store_true")
    given = parser.parse_args()
    if given.action == "tokens":
        tokens(given.texts)
        return
    if given.tune and not given.words:
        parser.error("--tune: on which words? --words is missing")
    ngrams = Ngrams(given.arpa)
    offset = given.offset
    if given.tune:
        words, wanted, missed = read_labelled(given.words[0])
        n = 50_000
        offset = max(
            np.arange(-3, 1.1, 0.5),
            key=lambda nats: f1(decode(ngrams, words[:n], nats), wanted[:n], missed * 0)[-1],
        )
        print(f"best on the first {n:,} words of {given.words[0].name}: --offset={offset}")
    print(f"{'':34} {'words':>9} {'comma':>9} {'full stop':>9} {'question':>9} {'all':>9}")
    for path in given.words:
        words, wanted, missed = read_labelled(path)
        row(path.name, f1(decode(ngrams, words, offset), wanted, missed), len(words))
    for path in given.text:
        _, words, wanted = read_sentences(path, given.lines)
        row(path.name, f1(decode(ngrams, words, offset), wanted, np.zeros(4, int)), len(words))


if __name__ == "__main__":
    run_script(main)
