"""Titles to sentence case: which words keep their capitals, against what people marked.

    python bench/experiments/titles.py acl-titles.fixed.txt.xz
    python bench/experiments/titles.py acl-titles.fixed.txt.xz --learn truecase/titles/weights.py

The file has a title a line, <fixed-case> round the letters that keep their case, as in the XML of
the ACL Anthology. The lines are cut in two by their SHA-256: what is learned and chosen is so on the
first half (--half dev), the second is for reporting (--half test). A word is what stands between
white space; it is protected if it has a mark over a capital. In a few titles all words with a
capital are marked, names or not, at least four of them; figures are given with and without these,
and nothing is learned from them.

Each title is read as it stands, in capitals, and with the first letter of every word raised and no
other. --errors lists the words that are wrong in titles as they stand.
"""

from __future__ import annotations

import argparse
import hashlib
import lzma
import re
import sys
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize

from truecase.titles.features import FEATURES, features_of
from truecase.titles.known_words import KnownWords
from truecase.titles.latex import plain
from truecase.titles.parts import says_nothing
from truecase.titles.sentence_case import SentenceCaser, read_parts
from truecase.truecaser import Truecaser

MARK = re.compile("<(/?)fixed-case>")
WORD = re.compile(r"\S+")
PENALTY = 1.0  # half of the inverse variance of a weight's Gaussian prior
FOLDS = 5
THRESHOLDS = np.arange(0.2, 0.71, 0.05)


class Title(NamedTuple):
    text: str
    marked: frozenset[int]  # characters with a capital that are marked
    is_wholly_marked: bool


def read_titles(path, half):
    lines = lzma.open(path, "rt", encoding="utf-8") if path.suffix == ".xz" else path.open()
    titles = []
    with lines:
        for line in lines:
            line = line.rstrip("\n")
            if (hashlib.sha256(line.encode()).digest()[0] < 128) == (half == "dev"):
                titles.append(read_title(line))
    return titles


def read_title(line):
    text, marked, is_inside = "", set(), False
    for piece in MARK.split(line)[::2]:
        if is_inside:
            marked |= {len(text) + i for i, c in enumerate(piece) if c != c.lower()}
        text += piece
        is_inside = not is_inside
    raised = [m.span() for m in WORD.finditer(text) if m[0] != m[0].lower()]
    wholly = len(raised) >= 4 and all(marked & set(range(*span)) for span in raised)
    return Title(text, frozenset(marked), wholly)


def as_it_stands(text):
    return text


def in_capitals(text):
    return "".join(c.upper() if len(c.upper()) == 1 else c for c in text)


def first_letters(text):
    return re.sub(r"[^\W\d_]+", lambda m: m[0][0].upper() + m[0][1:].lower(), text)


FORMS = {"as it stands": as_it_stands, "in capitals": in_capitals, "first letters": first_letters}


def protected_words(title, spans):
    """Which words of a title have one of the spans in them."""
    return [any(a < m.end() and b > m.start() for a, b in spans) for m in WORD.finditer(title)]


def first_word_only(title):
    """(a) The rule of sentence case: the first word."""
    return [i == 0 for i, _ in enumerate(WORD.finditer(title))]


def inner_capitals(title):
    """(b) The rule that keeps words with a capital after the first letter of a part."""
    return [
        any(re.search(r"\w[^\W\d_]*[A-ZÀ-ÖØ-Þ]", part) for part in re.split("[-/]", m[0]))
        for m in WORD.finditer(title)
    ]


class Score:
    """Words protected by people, by a system, by both; and of those the words in the right form."""

    def __init__(self):
        self.gold = self.found = self.both = self.right = 0

    def add(self, gold, found, same_form=None):
        for i, (g, f) in enumerate(zip(gold, found, strict=True)):
            self.gold += g
            self.found += f
            self.both += g and f
            self.right += g and f and (same_form is None or same_form[i])

    def __str__(self):
        precision, recall = self.both / max(self.found, 1), self.both / max(self.gold, 1)
        f1 = 2 * self.both / max(self.gold + self.found, 1)
        form = self.right / max(self.both, 1)
        return f"{100 * precision:9.1f} {100 * recall:7.1f} {100 * f1:6.1f} {100 * form:9.1f}"


def gold_of(title):
    return [bool(title.marked & set(range(*m.span()))) for m in WORD.finditer(title.text)]


def report(titles, caser, errors):
    print(f"{'':34} precision  recall     F1  form right")
    clean = [title for title in titles if not title.is_wholly_marked]
    for name, some in (("all titles", titles), ("not wholly marked", clean)):
        print(f"{name}: {len(some):,}, {sum(map(sum, map(gold_of, some))):,} protected words")
        for rule in (first_word_only, inner_capitals):
            score = Score()
            for title in some:
                score.add(gold_of(title), rule(title.text))
            print(f"  {rule.__name__:32} {score}")
        for form, change in FORMS.items():
            given = [change(title.text) for title in some]
            began = time.perf_counter()
            cased = caser.titles(given)
            seconds = time.perf_counter() - began
            score = Score()
            for title, one in zip(some, cased, strict=True):
                pairs = zip(WORD.finditer(title.text), WORD.finditer(one.text), strict=True)
                # A first letter may have its capital from the place of the word.
                same = [a[0] == b[0] for a, b in pairs]
                score.add(gold_of(title), protected_words(one.text, one.protected), same)
            print(f"  {'sentence_case, ' + form:32} {score} {len(some) / seconds:9,.0f} titles/s")
    if errors:
        list_errors(clean, caser)


def list_errors(titles, caser):
    missed, extra = Counter(), Counter()
    for title, one in zip(titles, caser.titles([t.text for t in titles]), strict=True):
        found = protected_words(one.text, one.protected)
        for m, g, f in zip(WORD.finditer(title.text), gold_of(title), found, strict=True):
            if g != f:
                (missed if g else extra)[m[0]] += 1
    for name, counts in (("missed", missed), ("extra", extra)):
        print(f"\n{name}: {counts.total()}, {len(counts)} forms")
        print("  " + ", ".join(f"{word} {n}" for word, n in counts.most_common(150)))


def material(titles, truecaser, change):
    """Of each part that is to be judged by weights: features, is it marked, number of its title."""
    plains = [plain(change(title.text)) for title in titles]
    rows, marked, number = {}, {}, {}
    read = read_parts(truecaser, plains)
    known = KnownWords(truecaser).look_up(part.small for parts in read for part in parts)
    for n, (title, bare, parts) in enumerate(zip(titles, plains, read, strict=True)):
        if not parts:
            continue
        use_case = not says_nothing(parts, known)
        features = features_of(parts, bare.text[parts[-1].end :], known, use_case=use_case)
        for part, row in zip(parts, features, strict=True):
            if use_case and part.tag != "IU":
                continue
            span = range(bare.begins[part.start], bare.ends[part.end - 1])
            rows.setdefault(use_case, []).append(row)
            marked.setdefault(use_case, []).append(bool(title.marked & set(span)))
            number.setdefault(use_case, []).append(n)
    return {
        use_case: (np.array(rows[use_case]), np.array(marked[use_case], float), number[use_case])
        for use_case in rows
    }


def fit(rows, marked):
    def loss(weights):
        scores = rows @ weights
        gap = 1 / (1 + np.exp(-scores)) - marked
        # The constant is left free.
        free = np.r_[0.0, weights[1:]]
        value = np.logaddexp(0, scores).sum() - marked @ scores + PENALTY / 2 * free @ free
        return value, rows.T @ gap + PENALTY * free

    start = np.zeros(rows.shape[1])
    return minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 1000}).x


def learn(titles, truecaser, path, command):
    """Weights from the titles that are not wholly marked, and the threshold by cross-validation."""
    titles = [title for title in titles if not title.is_wholly_marked]
    as_given = material(titles, truecaser, as_it_stands)[True]
    without = [material(titles, truecaser, change)[False] for change in (in_capitals, first_letters)]
    no_case = tuple(np.concatenate([np.array(part[i]) for part in without]) for i in range(3))
    weights, thresholds = {}, {}
    for name, (rows, marked, number) in (("WITH_CASE", as_given), ("WITHOUT_CASE", no_case)):
        fold = np.array(number) % FOLDS
        held_out = np.zeros(len(marked))
        for k in range(FOLDS):
            held_out[fold == k] = rows[fold == k] @ fit(rows[fold != k], marked[fold != k])
        held_out = 1 / (1 + np.exp(-held_out))
        f1 = [
            2 * ((held_out > t) * marked).sum() / ((held_out > t).sum() + marked.sum())
            for t in THRESHOLDS
        ]
        print(name, "F1 of parts by threshold:", " ".join(f"{t:.2f} {f:.4f}" for t, f in zip(THRESHOLDS, f1)))
        thresholds[name] = THRESHOLDS[int(np.argmax(f1))]
        weights[name] = fit(rows, marked)
    write_weights(path, weights, thresholds, command)


def write_weights(path, weights, thresholds, command):
    out = [
        '"""Weights of what tells whether a word of a title has capitals of its own.',
        "",
        "Learned on English titles with the embedded model; written by",
        "",
        f"    {command}",
        '"""',
        "",
    ]
    about = {
        "WITH_CASE": "For words with the first letter raised, in titles whose case says something.",
        "WITHOUT_CASE": "For all words of titles whose case says nothing.",
    }
    for name, vector in weights.items():
        out += [f"#: {about[name]}", f"{name} = {{"]
        out += [f'    "{f}": {w:.4f},' for f, w in zip(FEATURES, vector, strict=True)]
        out += ["}", "", f"#: From this probability on a word keeps them: the best F1, by {name}."]
        out += [f"{name}_THRESHOLD = {thresholds[name]:.2f}", ""]
    path.write_text("\n".join(out), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--half", choices=("dev", "test"), default="test")
    parser.add_argument("--learn", type=Path, metavar="WEIGHTS", help="write weights, from dev")
    parser.add_argument("--errors", action="store_true")
    parser.add_argument("--model", metavar="MODEL")
    options = parser.parse_args()
    truecaser = Truecaser.load(options.model)
    if options.learn:
        command = "python bench/experiments/titles.py acl-titles.fixed.txt.xz --learn WEIGHTS"
        learn(read_titles(options.file, "dev"), truecaser, options.learn, command)
        return
    report(read_titles(options.file, options.half), SentenceCaser(truecaser), options.errors)


if __name__ == "__main__":
    sys.exit(main())
