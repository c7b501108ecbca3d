"""Learn what tells whether a word of a title keeps its capitals.

    python bench/experiments/title_weights.py acl-titles.fixed.txt.xz wikipedia.txt.xz titles.json

Writes the file that the package has in truecase/data; weights.md there describes it.

The first file has titles with the marks of people, as `titles.py` describes it; only their first
half is used, without titles in which everything is marked. The second has sentences, which are put
into Title Case: most of those titles are about one field, and have few names of people and places.
Logistic regression over the features of truecase/truecaser/sentence_case.py and over terms: words,
and with a neighbour, of so many of the marked titles as MIN_TITLES says. The thresholds are those
with the best mean F1 over both, by cross-validation over titles, terms and all.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

import numpy as np
from frame import run_script, save
from scipy import sparse
from scipy.optimize import minimize
from titles import as_it_stands, first_letters, in_capitals, read_titles, titled_sentences

from truecase.truecaser import Truecaser
from truecase.truecaser.sentence_case import (
    LEARNED,
    KnownWords,
    features_of,
    read_parts,
    says_nothing,
    terms_of,
)
from truecase.truecaser.title_markup import plain

# A new feature gets a weight in data/titles.json first.
FEATURES = tuple(LEARNED["with_case"]["features"])

# Inverse variance of the Gaussian prior of weights.
PENALTY = 1.0
TERM_PENALTY = 1.0
FOLDS = 5
MIN_TITLES = 3
SMALLEST = 0.25  # weight of a term that is kept
THRESHOLDS = np.arange(0.2, 0.71, 0.05)


def material(titles, truecaser, change, use_case, skipped=0):
    """Of each part that weights judge: features, whether it is marked, its title, its terms."""
    plains = [plain(change(title.text)) for title in titles]
    read = read_parts(truecaser, plains)
    known = KnownWords(truecaser).look_up(part.small for parts in read for part in parts)
    chosen = [n for n, parts in enumerate(read) if parts and says_nothing(parts, known) != use_case]
    ends = [plains[n].text[read[n][-1].end :] for n in chosen]
    features = features_of([read[n] for n in chosen], ends, known, use_case=use_case)
    rows = np.stack([features[name] for name in FEATURES], axis=1)
    judged, marked, numbers, terms = [], [], [], []
    for n in chosen:
        terms += terms_of(read[n])
        for i, part in enumerate(read[n]):
            begin, end = plains[n].begins[part.start], plains[n].ends[part.end - 1]
            judged.append(i >= skipped and (part.tag == "IU" or not use_case))
            marked.append(bool(titles[n].marked & set(range(begin, end))))
            numbers.append(n)
    names = np.empty(len(terms), object)
    names[:] = terms
    return rows[judged], np.array(marked, float)[judged], np.array(numbers)[judged], names[judged]


def vocabulary(terms, marked, numbers):
    """The terms that are in enough titles and mostly marked, or mostly not; columns and bounds.

    A term that is mostly marked may only speak for capitals, another only against them: else the
    few titles in which a common word is marked (A Survey) weigh more than the many where it is not.
    """
    titles, n_marked = {}, Counter()
    for names, is_marked, number in zip(terms, marked, numbers, strict=True):
        for name in names:
            titles.setdefault(name, Counter())[number] += 1
            n_marked[name] += is_marked
    columns, bounds = {}, []
    for name, of_term in sorted(titles.items()):
        share = n_marked[name] / of_term.total()
        if len(of_term) >= MIN_TITLES and not 1 / 3 < share < 2 / 3:
            columns[name] = len(columns)
            bounds.append((0, None) if share > 1 / 2 else (None, 0))
    return columns, bounds


def with_terms(rows, terms, columns):
    """The features with a column for each term."""
    at = [(i, columns[name]) for i, names in enumerate(terms) for name in names if name in columns]
    which = np.array(at, dtype=np.int64).reshape(-1, 2).T
    shape = (len(rows), len(columns))
    return sparse.hstack(
        [sparse.csr_matrix(rows), sparse.csr_matrix((np.ones(len(at)), which), shape)]
    ).tocsr()


def fit(rows, marked, bounds):
    """Weights; `bounds` are those of the terms, whose columns are the last ones."""
    n_features = rows.shape[1] - len(bounds)
    # the constant has no prior
    penalty = np.r_[0.0, np.full(n_features - 1, PENALTY), np.full(len(bounds), TERM_PENALTY)]
    bounds = [(None, None)] * n_features + bounds

    def loss(weights):
        scores = rows @ weights
        gap = 1 / (1 + np.exp(-scores)) - marked
        value = np.logaddexp(0, scores).sum() - marked @ scores + penalty @ weights**2 / 2
        return value, rows.T @ gap + penalty * weights

    start = np.zeros(rows.shape[1])
    options = {"maxiter": 500}
    return minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options).x


def f1_of(found, marked):
    return 2 * (found * marked).sum() / (found.sum() + marked.sum())


def learn(name, of_titles, of_sentences):
    """Weights of features, weights of terms, and the threshold."""
    rows, marked, numbers, terms = (
        np.concatenate(columns) for columns in zip(*of_titles, *of_sentences, strict=True)
    )
    is_title = np.arange(len(rows)) < sum(len(part[0]) for part in of_titles)
    probability = np.zeros(len(rows))
    for k in range(FOLDS):
        held_out = numbers % FOLDS == k
        those = is_title & ~held_out
        columns, bounds = vocabulary(terms[those], marked[those], numbers[those])
        features = with_terms(rows, terms, columns)
        scores = features[held_out] @ fit(features[~held_out], marked[~held_out], bounds)
        probability[held_out] = 1 / (1 + np.exp(-scores))
    print(f"{name}\nthreshold  F1 of parts of titles, of sentences")
    means = []
    for threshold in THRESHOLDS:
        found = probability > threshold
        both = [f1_of(found[those], marked[those]) for those in (is_title, ~is_title)]
        means.append(sum(both) / 2)
        print(f"{threshold:9.2f}  {100 * both[0]:.2f} {100 * both[1]:.2f}", flush=True)
    columns, bounds = vocabulary(terms[is_title], marked[is_title], numbers[is_title])
    weights = fit(with_terms(rows, terms, columns), marked, bounds)
    kept = {
        name: weights[len(FEATURES) + i]
        for name, i in columns.items()
        if abs(weights[len(FEATURES) + i]) >= SMALLEST
    }
    return weights[: len(FEATURES)], kept, THRESHOLDS[int(np.argmax(means))]


def forms_of(titles, truecaser):
    """Words that are mostly written with other capitals than the first, in enough titles.

    Of a word that the model has seen often (Sinai) they must be as many as a tenth of that.
    """
    plains = [plain(title.text) for title in titles]
    counts = {}
    for title, parts in zip(titles, read_parts(truecaser, plains), strict=True):
        for part in {part.given: part for part in parts}.values():
            own = part.tag in ("AU", "MX") and len(part.given) > 1
            form = part.given if own and set(range(part.start, part.end)) & title.marked else ""
            counts.setdefault(part.small, Counter())[form] += 1
    most = {small: count.most_common(1)[0] for small, count in sorted(counts.items())}
    return {
        small: form
        for small, (form, n) in most.items()
        if form
        and n >= max(MIN_TITLES, truecaser.training_count(small) / 10)
        and 2 * n > counts[small].total()
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("titles", type=Path)
    parser.add_argument("sentences", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--n", type=int, default=1000, help="how many sentences; default: 1000")
    options = parser.parse_args()
    truecaser = Truecaser.load().without_calibration()
    titles = [t for t in read_titles(options.titles, "dev") if not t.is_wholly_marked]
    sentences = titled_sentences(options.sentences, "dev", options.n)
    learned = {}
    for name, use_case, changes in (
        ("with_case", True, [as_it_stands]),
        ("without_case", False, [in_capitals, first_letters]),
    ):
        of_titles = [material(titles, truecaser, change, use_case) for change in changes]
        of_sentences = [material(sentences, truecaser, change, use_case, 1) for change in changes]
        weights, terms, threshold = learn(name, of_titles, of_sentences)
        learned[name] = {
            "threshold": round(float(threshold), 2),
            "features": {f: round(float(w), 4) for f, w in zip(FEATURES, weights, strict=True)},
            "terms": {term: round(float(weight), 2) for term, weight in terms.items()},
        }
    learned["forms"] = forms_of(titles, truecaser)
    save(options.output, learned)


if __name__ == "__main__":
    run_script(main)
