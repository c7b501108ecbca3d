"""Word alignment of a bitext: tokens to words, both directions, what the library is given."""

import random
import types
from typing import ClassVar

import numpy as np
import pytest

from truecase.bilingual import word_aligner
from truecase.bilingual.parallel import ParallelBlock
from truecase.bilingual.word_aligner import AlignerMissing, AlignerOptions, align_bitext

DICTIONARY = {
    "la": "the", "maison": "house", "est": "is", "petite": "small", "grande": "big",
    "et": "and", "porte": "door", "vieille": "old", "voit": "sees", "ville": "town",
}  # fmt: skip


class Matrix:
    def __init__(self, links):
        self.links = links

    def to_list(self):
        return self.links


class Model:
    """Stands in for the library: links each target word with the source word that it translates."""

    seen: ClassVar[list] = []
    max_tokens = 6

    def __init__(self):
        self.pairs = []
        self.scheduled_iterations = 2
        self.n_sweeps = 0

    def set_iterations(self, *sweeps):
        self.scheduled_iterations = sum(sweeps)

    def add_sentence_pair(self, source, target, count):
        self.pairs.append((list(source), list(target)))
        self.seen.append((list(source), list(target)))

    def start_training(self):
        assert self.deterministic and self.emit_training_alignments

    def train(self):
        self.n_sweeps += 1

    def end_training(self):
        assert self.n_sweeps == self.scheduled_iterations

    def clear(self):
        self.pairs = []

    def get_training_alignment(self, number):
        source, target = self.pairs[number]
        if max(len(source), len(target)) > self.max_tokens:
            return -99999.0, Matrix([])
        known = [
            {DICTIONARY.get(word), word} | {k for k, v in DICTIONARY.items() if v == word}
            for word in source
        ]
        return -1.0, Matrix(
            [next((i for i, words in enumerate(known, 1) if word in words), 0) for word in target]
        )


@pytest.fixture
def library(monkeypatch):
    Model.seen = []
    module = types.SimpleNamespace(EflomalAlignmentModel=Model)
    monkeypatch.setattr(word_aligner, "import_aligner", lambda: module)
    return Model


def blocks(source, target):
    return [ParallelBlock(1, source, target)]


def test_links_are_those_of_words(library):
    links = align_bitext(blocks(b"La maison, petite.\n\nEt", b"The small ( house ).\n\nand"))
    # the brackets are words, or parts of words, of their own; the period belongs to two words
    assert links.to_lines() == [[[0], [2], [], [1], [2]], [], [[0]]]


def test_what_the_library_is_given(library):
    source = "É\xa0B\x85 L'eau\n".encode() + b"\xff a\n"
    align_bitext(blocks(source, b"x\ny\n"), AlignerOptions(source_language="fr"))
    forward = [pair[0] for pair in library.seen[:2]]
    assert forward == [["é", "b", "l'", "eau"], ["\udcff", "a"]]
    assert [pair[1] for pair in library.seen[2:]] == forward


def test_space_between_tokens_only(library):
    align_bitext(blocks("A\xa0B .\n".encode(), b"X,\x0b y\n"), AlignerOptions(segmentation="space"))
    assert library.seen[0] == (["a_b", "."], ["x,_", "y"])


def test_lines_without_links(library):
    long = b"la " * 10 + b"\n"
    links = align_bitext(blocks(b"\nla\n" + long + b"la", b"the\n\n" + long + b"the"))
    assert links.to_lines() == [[[]], [], [[]] * 10, [[0]]]
    assert not links.whole.any()


def test_nothing_to_align(library):
    assert align_bitext([]).to_lines() == []
    assert align_bitext(blocks(b"\n\n", b"\na\n")).to_lines() == [[], [[]]]
    assert align_bitext(blocks(b"a\n\n", b"\n\n")).to_lines() == [[], []]


def test_several_blocks_are_one_text(library):
    one = align_bitext(blocks(b"la porte\net la\n", b"door the\nthe and\n"))
    assert one.to_lines() == [[[1], [0]], [[1], [0]]]
    parts = [ParallelBlock(1, b"la porte\n", b"door the\n"), ParallelBlock(2, b"et la", b"the and")]
    assert align_bitext(parts).to_lines() == one.to_lines()


def test_reports(library):
    told = []
    align_bitext(blocks(b"la", b"the"), AlignerOptions(sweeps=(1, 1, 1)), told.append)
    assert told == [
        "reading",
        *(f"aligning forwards, {i} of 3" for i in (1, 2, 3)),
        *(f"aligning backwards, {i} of 3" for i in (1, 2, 3)),
        "joining both directions",
    ]


def test_without_the_library(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "thot.alignment", None)
    with pytest.raises(AlignerMissing, match=r"pip install 'truecase\[align\]'"):
        align_bitext([])


def bitext(n_lines, seed=5):
    """Lines of the dictionary's words, with their translations in another order."""
    generator = random.Random(seed)
    source, target, links = [], [], []
    for _ in range(n_lines):
        words = generator.sample(sorted(DICTIONARY), generator.randint(2, 6))
        order = list(range(len(words)))
        if len(words) > 2:
            i = generator.randrange(len(words) - 1)
            order[i], order[i + 1] = order[i + 1], order[i]
        source.append(" ".join(words).capitalize() + ".")
        target.append(" ".join(DICTIONARY[words[i]] for i in order).upper() + ".")
        links.append([[i] for i in order])
    return "\n".join(source).encode(), "\n".join(target).encode(), links


def test_the_library_itself():
    pytest.importorskip("thot.alignment")
    source, target, links = bitext(300)
    options = AlignerOptions(sweeps=(4, 4, 8))
    found = align_bitext(blocks(source, target), options)
    pairs = [
        (s, t) == (want, t)
        for line, wanted in zip(found.to_lines(), links, strict=True)
        for t, (word, (want,)) in enumerate(zip(line, wanted, strict=True))
        for s in (word or [-1])[:1]
    ]
    assert np.mean(pairs) > 0.9
    assert align_bitext(blocks(source, target), options).to_lines() == found.to_lines()
