"""Titles to sentence case: which words keep their capitals, against what people marked.

    python bench/experiments/titles.py acl-titles.fixed.txt.xz --sentences wikipedia.txt.xz

The file has a title a line, <fixed-case> round the letters that keep their case, as in the XML of
the ACL Anthology. The lines are cut in two by their SHA-256: the first half (--half dev) is what
`title_weights.py` learns from, the second (--half test) is for reporting. A word is what stands
between white space; it is protected if it has a mark over a capital. In a few titles all words with
a capital are marked, names or not, and there are at least four; figures are given with these and
without.

Each title is read as it stands, in capitals, and with the first letter of every word raised and no
other. --errors lists the words that are wrong in titles as they stand. --sentences has sentences,
which are put into Title Case.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from frame import read_lines, run_script

from truecase.rules.styles import Styler
from truecase.truecaser import Truecaser
from truecase.truecaser.sentence_case import SentenceCaser

MARK = re.compile("<(/?)fixed-case>")
WORD = re.compile(r"\S+")


class Title(NamedTuple):
    text: str
    marked: frozenset[int]  # characters with a capital that are marked
    is_wholly_marked: bool


def is_in_half(line, half):
    return (hashlib.sha256(line.encode()).digest()[0] < 128) == (half == "dev")


def read_titles(path, half):
    return [read_title(line) for line in read_lines(path) if is_in_half(line, half)]


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


def titled_sentences(path, half, n):
    """Sentences put into Title Case; marked are the capitals that they had, but for the first."""
    lines = [line.strip().rstrip(".") for line in read_lines(path) if 4 <= line.count(" ") <= 14]
    lines = [line for line in lines if is_in_half(line, half)]
    lines = sorted(lines, key=lambda line: hashlib.sha256(line.encode()).digest())[:n]
    titled = Styler().apply("title", b"", "\n".join(lines).encode()).decode().split("\n")
    titles = []
    for line, title in zip(lines, titled, strict=True):
        first = WORD.match(line).end()
        marked = {i for i, c in enumerate(line) if c != c.lower() and i >= first}
        titles.append(Title(title, frozenset(marked), False))
    return titles


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


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--half", choices=("dev", "test"), default="test")
    parser.add_argument("--sentences", type=Path, metavar="FILE", help="put into Title Case, too")
    parser.add_argument("--errors", action="store_true")
    parser.add_argument("--model", metavar="MODEL")
    options = parser.parse_args()
    caser = SentenceCaser(Truecaser.load(options.model))
    report(read_titles(options.file, options.half), caser, options.errors)
    if options.sentences:
        titles = titled_sentences(options.sentences, "test", 2000)
        score = Score()
        for title, one in zip(titles, caser.titles([t.text for t in titles]), strict=True):
            # Of the first word nobody knows whether its capital is its own.
            found = protected_words(one.text, one.protected)
            score.add(gold_of(title)[1:], found[1:])
        print(f"{len(titles):,} sentences in Title Case, but for first words")
        print(f"  {'sentence_case':32} {score}")


if __name__ == "__main__":
    run_script(main)
