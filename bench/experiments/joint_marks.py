"""Marks and case of a stream of words, decided one after the other and together: F1 of both.

    python bench/experiments/joint_marks.py MODEL TEXT... [--lines N] [--least P]

TEXT has cased, punctuated lines of a sentence each; their words without marks, in lower case, are
one stream (see `punctuation.py`). Sentences may end in each gap where the marks' posterior of that
is P or more. Every sentence that is so possible is cased, and then, with the same posteriors:

- marks, then case: the likeliest mark of each gap, then the likeliest case, as `punctuate` does;
- case by the posteriors of marks: each word as all sentences that it may stand in have it, each
  weighed by its probability;
- jointly: the sentences and the case that are likeliest together, by Viterbi over sentences.
"""

import argparse
import itertools
import math
from pathlib import Path

import numpy as np
from punctuation import case_f1, f1, probabilities, read_sentences, row

from truecase import Truecaser

# A sentence may be this long, and have so many gaps within where another could have ended.
LONGEST, MOST_GAPS = 80, 6
_PER_BLOCK = 2000

Forms = list[dict[str, float]]


def forms_of(model: Truecaser, texts: list[str]) -> list[Forms]:
    """Of each text, how probable the forms of each of its words are."""
    found: list[Forms] = []
    for first in range(0, len(texts), _PER_BLOCK):
        block = "\n".join(texts[first : first + _PER_BLOCK])
        lines = block.split("\n")
        for line, tokens in zip(lines, model.posteriors(block), strict=True):
            forms: Forms = []
            end = -1
            for token in tokens:
                starts = token.start > end or not forms
                shares = {one.text: one.posterior for one in token.candidates[:3]}
                end = token.end
                if starts:
                    forms.append(shares)
                    continue
                forms[-1] = {
                    one + other: p * q
                    for (one, p), (other, q) in itertools.product(forms[-1].items(), shares.items())
                    if p * q > 1e-4
                }
            assert len(forms) == len(line.split())
            found.append(forms)
    return found


def sentences_between(ends: np.ndarray, p_end: np.ndarray) -> list[tuple[int, int]]:
    """Pairs of places in `ends`: behind the one, a sentence may begin that ends with the other."""
    pairs = []
    for b in range(1, len(ends)):
        inside = 1.0
        for a in range(b - 1, max(-1, b - 2 - MOST_GAPS), -1):
            if b - a > 1:
                inside *= 1 - p_end[ends[a + 1]]
            if inside < 1e-4 or (ends[b] - ends[a] > LONGEST and b - a > 1):
                break
            pairs.append((a, b))
    return pairs


def measure(model: Truecaser, path: Path, n_lines: int, least: float) -> None:
    _, words, wanted = read_sentences(path, n_lines)
    shares = probabilities(model, words).astype(float)
    p_end = shares[:, 2] + shares[:, 3]
    p_end[-1] = 1.0
    low = [word.lower() for word in words]
    # What stands behind each word within a sentence, and at its end.
    inner = np.where(shares[:, 1] > shares[:, 0], 1, 0)
    last = np.where(shares[:, 3] > shares[:, 2], 3, 2)
    ends = np.concatenate([[-1], np.flatnonzero(p_end >= least)])
    pairs = sentences_between(ends, p_end)
    signs = ("", ",", ".", "?")

    def text_of(before: int, end: int) -> str:
        places = range(before + 1, end + 1)
        labels = [*(inner[i] for i in places[:-1]), last[end]]
        return " ".join(low[i] + signs[n] for i, n in zip(places, labels, strict=True))

    forms = forms_of(model, [text_of(ends[a], ends[b]) for a, b in pairs])
    log_pair = []
    for a, b in pairs:
        within = np.log1p(-np.minimum(p_end[ends[a + 1 : b]], 1 - 1e-9)).sum()
        log_pair.append(float(np.log(p_end[ends[b]]) + within))
    surest = [sum(math.log(max(max(one.values()), 1e-9)) for one in of_text) for of_text in forms]

    def report(name: str, cased: list[str], found: np.ndarray) -> None:
        none = np.zeros(4, np.int64)
        bare = " ".join(one.rstrip(",.?") if one.rstrip(",.?") else one for one in cased)
        row(name, [*f1(found, wanted, none), case_f1(bare, " ".join(words))], len(words))

    def spoken(chosen: list[int], of_texts: list[Forms]) -> tuple[list[str], np.ndarray]:
        """Words and labels where sentences end with these words."""
        found = inner.copy()
        found[chosen] = last[chosen]
        return [max(one, key=one.__getitem__) for of_text in of_texts for one in of_text], found

    print(f"{path.name}: {len(words):,} words, {len(pairs):,} possible sentences")
    # The same as `punctuate`, and what it would be with other shares of sentence ends.
    for threshold in (0.3, 0.4, None, 0.6, 0.7):
        is_end = p_end >= threshold if threshold else shares.argmax(1) >= 2
        is_end[-1] = True
        chosen = np.flatnonzero(is_end).tolist()
        cut = [text_of(a, b) for a, b in itertools.pairwise([-1, *chosen])]
        name = "marks, then case" if threshold is None else f"  ends from {threshold}"
        report(name, *spoken(chosen, forms_of(model, cut)))
    for name, weights in (
        ("marks by sentences", log_pair),
        ("jointly", [a + b for a, b in zip(log_pair, surest, strict=True)]),
    ):
        path = viterbi(pairs, len(ends), weights)
        report(name, *spoken([ends[pairs[n][1]] for n in path], [forms[n] for n in path]))
    share = posteriors(pairs, len(ends), log_pair)
    total: Forms = [{} for _ in words]
    for n, (a, _) in enumerate(pairs):
        if share[n] < 1e-6:
            continue
        for i, one in enumerate(forms[n], ends[a] + 1):
            for form, p in one.items():
                form = form.rstrip(",.?") or form
                total[i][form] = total[i].get(form, 0.0) + share[n] * p
    found = shares.argmax(1)
    report("case by posteriors of marks", [max(one, key=one.__getitem__) for one in total], found)


def viterbi(pairs: list[tuple[int, int]], n: int, weights: list[float]) -> list[int]:
    best = np.full(n, -np.inf)
    best[0] = 0
    came = np.full(n, -1)
    for number, (a, b) in enumerate(pairs):
        if best[a] + weights[number] > best[b]:
            best[b], came[b] = best[a] + weights[number], number
    path, place = [], n - 1
    while place > 0:
        path.append(int(came[place]))
        place = pairs[path[-1]][0]
    return path[::-1]


def posteriors(pairs: list[tuple[int, int]], n: int, weights: list[float]) -> np.ndarray:
    forward, backward = np.full(n, -np.inf), np.full(n, -np.inf)
    forward[0] = backward[-1] = 0
    for number, (a, b) in enumerate(pairs):
        forward[b] = np.logaddexp(forward[b], forward[a] + weights[number])
    for number in range(len(pairs) - 1, -1, -1):
        a, b = pairs[number]
        backward[a] = np.logaddexp(backward[a], backward[b] + weights[number])
    return np.array(
        [
            math.exp(min(0.0, forward[a] + weights[number] + backward[b] - forward[-1]))
            for number, (a, b) in enumerate(pairs)
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", metavar="MODEL")
    parser.add_argument("text", type=Path, nargs="+")
    parser.add_argument("--lines", type=int, default=3000)
    parser.add_argument("--least", type=float, default=0.05)
    given = parser.parse_args()
    model = Truecaser.load(given.model)
    names = ("words", "comma", "full stop", "question", "all", "case")
    print(f"{'':34} {names[0]:>9} " + " ".join(f"{name:>9}" for name in names[1:]))
    for path in given.text:
        measure(model, path, given.lines, given.least)


if __name__ == "__main__":
    main()
