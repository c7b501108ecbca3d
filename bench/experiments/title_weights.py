"""Learn what tells whether a word of a title keeps its capitals; writes truecase/titles/weights.py.

    python bench/experiments/title_weights.py acl-titles.fixed.txt.xz wikipedia.txt.xz WEIGHTS.py

The first file has titles with the marks of people, as `titles.py` describes it; only their first
half is used, without titles in which everything is marked. The second has sentences, which are put
into Title Case: most of those titles are about one field, and have few names of people and places.
Logistic regression; the thresholds are those with the best mean F1 over both, by cross-validation.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
from scipy.optimize import minimize
from titles import as_it_stands, first_letters, in_capitals, read_titles, titled_sentences

from truecase.titles.features import FEATURES, features_of
from truecase.titles.known_words import KnownWords
from truecase.titles.latex import plain
from truecase.titles.parts import says_nothing
from truecase.titles.sentence_case import read_parts
from truecase.truecaser import Truecaser

PENALTY = 1.0  # inverse variance of the Gaussian prior of weights
FOLDS = 5
THRESHOLDS = np.arange(0.2, 0.71, 0.05)

HEAD = '''\
"""Weights of what tells whether a word of a title has capitals of its own.

Learned on English titles with the embedded model, and written, by

    python bench/experiments/title_weights.py acl-titles.fixed.txt.xz wikipedia.txt.xz WEIGHTS.py
"""
'''
ABOUT = {
    "WITH_CASE": "For words with the first letter raised, in titles whose case says something.",
    "WITHOUT_CASE": "For all words of titles whose case says nothing.",
}


def material(titles, truecaser, change, use_case, skipped=0):
    """Of each part that weights judge: features, whether it is marked, the number of its title."""
    plains = [plain(change(title.text)) for title in titles]
    read = read_parts(truecaser, plains)
    known = KnownWords(truecaser).look_up(part.small for parts in read for part in parts)
    chosen = [n for n, parts in enumerate(read) if parts and says_nothing(parts, known) != use_case]
    ends = [plains[n].text[read[n][-1].end :] for n in chosen]
    rows = features_of([read[n] for n in chosen], ends, known, use_case=use_case)
    judged, marked, numbers = [], [], []
    for n in chosen:
        for i, part in enumerate(read[n]):
            begin, end = plains[n].begins[part.start], plains[n].ends[part.end - 1]
            judged.append(i >= skipped and (part.tag == "IU" or not use_case))
            marked.append(bool(titles[n].marked & set(range(begin, end))))
            numbers.append(n)
    return rows[judged], np.array(marked, float)[judged], np.array(numbers)[judged]


def fit(rows, marked):
    def loss(weights):
        scores = rows @ weights
        gap = 1 / (1 + np.exp(-scores)) - marked
        free = np.r_[0.0, weights[1:]]  # the constant has no prior
        value = np.logaddexp(0, scores).sum() - marked @ scores + PENALTY / 2 * free @ free
        return value, rows.T @ gap + PENALTY * free

    start = np.zeros(rows.shape[1])
    return minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 1000}).x


def f1_of(found, marked):
    return 2 * (found * marked).sum() / (found.sum() + marked.sum())


def learn(name, of_titles, of_sentences):
    """Weights, and the threshold."""
    rows, marked, numbers = (
        np.concatenate(columns) for columns in zip(*of_titles, *of_sentences, strict=True)
    )
    is_title = np.arange(len(rows)) < sum(len(part[0]) for part in of_titles)
    probability = np.zeros(len(rows))
    for k in range(FOLDS):
        held_out = numbers % FOLDS == k
        scores = rows[held_out] @ fit(rows[~held_out], marked[~held_out])
        probability[held_out] = 1 / (1 + np.exp(-scores))
    print(f"{name}\nthreshold  F1 of parts of titles, of sentences")
    means = []
    for threshold in THRESHOLDS:
        found = probability > threshold
        both = [f1_of(found[those], marked[those]) for those in (is_title, ~is_title)]
        means.append(sum(both) / 2)
        print(f"{threshold:9.2f}  {100 * both[0]:.2f} {100 * both[1]:.2f}")
    return fit(rows, marked), THRESHOLDS[int(np.argmax(means))]


def written(name, weights, threshold):
    return [
        f"#: {ABOUT[name]}",
        f"{name} = {{",
        *[f'    "{feature}": {w:.4f},' for feature, w in zip(FEATURES, weights, strict=True)],
        "}",
        "",
        "#: From this probability on they keep their capitals.",
        f"{name}_THRESHOLD = {threshold:.2f}",
        "",
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("titles", type=Path)
    parser.add_argument("sentences", type=Path)
    parser.add_argument("weights", type=Path)
    parser.add_argument("--n", type=int, default=1000, help="how many sentences; default: 1000")
    options = parser.parse_args()
    truecaser = Truecaser.load()
    titles = [t for t in read_titles(options.titles, "dev") if not t.is_wholly_marked]
    sentences = titled_sentences(options.sentences, "dev", options.n)
    out = [HEAD]
    for name, use_case, changes in (
        ("WITH_CASE", True, [as_it_stands]),
        ("WITHOUT_CASE", False, [in_capitals, first_letters]),
    ):
        of_titles = [material(titles, truecaser, change, use_case) for change in changes]
        of_sentences = [material(sentences, truecaser, change, use_case, 1) for change in changes]
        out += written(name, *learn(name, of_titles, of_sentences))
    options.weights.write_text("\n".join(out), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
