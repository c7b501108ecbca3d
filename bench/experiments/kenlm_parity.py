"""Compare our Kneser-Ney models with those of KenLM's lmplz, n-gram by n-gram.

    python bench/experiments/kenlm_parity.py GOLDEN_DIRECTORY
    python bench/experiments/kenlm_parity.py --corpus corpus.txt --arpa lmplz.arpa [--prune 0 1]

GOLDEN_DIRECTORY holds corpora `NAME.txt[.xz]` and lmplz's models of them, named
`NAME.oORDER[.pruneDIGITS].arpa[.xz]`, where the digits are the thresholds of `--prune`.
Prints, for every order, the greatest difference of a log10 probability and of a log10
backoff, and how many n-grams only one side has. Exits with 1 if a difference is above the
tolerance.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from pathlib import Path

import numpy as np

from truecase.ngram.arpa import read_arpa
from truecase.ngram.estimate import read_corpus
from truecase.ngram.kneser_ney import estimate
from truecase.ngram.model import NgramModel
from truecase.ngram.vocabulary import Vocabulary


def golden_models(folder: Path) -> list[tuple[Path, Path, list[int]]]:
    """Corpus, model and thresholds of each golden model."""
    found = []
    for arpa in sorted(folder.glob("*.arpa*")):
        match = re.fullmatch(r"(.+)\.o\d(?:\.prune(\d+))?\.arpa(\.\w+)?", arpa.name)
        if match is None:
            continue
        corpora = sorted(folder.glob(f"{match[1]}.txt*"))
        if corpora:
            found.append((corpora[0], arpa, [int(digit) for digit in match[2] or ""]))
    return found


def with_our_ids(theirs: NgramModel, vocabulary: Vocabulary, ours: Vocabulary) -> list[np.ndarray]:
    """The words of a model as ids of another vocabulary."""
    ids = {surface: word_id for word_id, surface in enumerate(ours)}
    renamed = np.array([ids.get(surface, len(ids)) for surface in vocabulary], dtype=np.uint32)
    return [renamed[words] for words in theirs.words]


def compare(corpus: Path, arpa: Path, prune: list[int]) -> float:
    """Print the differences; the greatest is returned, infinity if n-grams are missing."""
    theirs_vocabulary, theirs = read_arpa(arpa)
    start = time.perf_counter()
    interner = read_corpus([corpus])
    ours = estimate(interner.stream, len(interner), theirs.order, prune)
    seconds = time.perf_counter() - start
    n_words = interner.stream.n_words
    options = f" --prune {' '.join(map(str, prune))}" if prune else ""
    print(f"{arpa.name}: -o {theirs.order}{options}, {n_words:,} words in {seconds:.2f} s")
    their_words = with_our_ids(theirs, theirs_vocabulary, interner.vocabulary())
    worst = 0.0
    print("  order   n-grams  max |Δ log10 p|  max |Δ log10 b|  only ours  only lmplz's")
    for k in range(1, theirs.order + 1):
        order = np.lexsort(their_words[k - 1].T[::-1])
        words = their_words[k - 1][order]
        n_missing = n_extra = 0
        rows, their_rows = np.arange(len(ours.words[k - 1])), order
        if not np.array_equal(words, ours.words[k - 1]):
            a = {tuple(row): i for i, row in enumerate(ours.words[k - 1].tolist())}
            b = {tuple(row): int(i) for row, i in zip(words.tolist(), order, strict=True)}
            common = sorted(a.keys() & b.keys())
            n_missing, n_extra = len(b) - len(common), len(a) - len(common)
            rows = np.array([a[ngram] for ngram in common], dtype=np.int64)
            their_rows = np.array([b[ngram] for ngram in common], dtype=np.int64)
        differences = [
            np.abs(mine[k - 1][rows] - other[k - 1][their_rows]).max(initial=0)
            for mine, other in (
                (ours.log10_prob, theirs.log10_prob),
                *([(ours.log10_backoff, theirs.log10_backoff)] if k < theirs.order else []),
            )
        ]
        backoff = f"{differences[1]:.1e}" if k < theirs.order else "-"
        print(
            f"  {k:5} {len(rows):9,}  {differences[0]:15.1e}  {backoff:>15}"
            f"  {n_extra:9,}  {n_missing:12,}"
        )
        worst = max(worst, *differences, float("inf") if n_missing or n_extra else 0)
    return float(worst)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("golden", nargs="?", type=Path)
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--arpa", type=Path)
    parser.add_argument("--prune", type=int, nargs="*", default=[])
    parser.add_argument("--tolerance", type=float, default=1e-4)
    arguments = parser.parse_args()
    models = golden_models(arguments.golden) if arguments.golden else []
    if arguments.corpus and arguments.arpa:
        models.append((arguments.corpus, arguments.arpa, arguments.prune))
    if not models:
        parser.error("no models: give a directory, or --corpus and --arpa")
    worst = max(compare(*model) for model in models)
    print(f"greatest difference: {worst:.1e} (tolerance {arguments.tolerance:g})")
    return int(worst > arguments.tolerance)


if __name__ == "__main__":
    sys.exit(main())
