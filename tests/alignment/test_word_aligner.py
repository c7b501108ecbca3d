"""Word alignment of a bitext: tokens to words, both directions, what the library is given."""

import random
import sys
import types
from typing import ClassVar

import pytest

from truecase.alignment import word_aligner
from truecase.alignment.lines import AlignedLines
from truecase.alignment.word_aligner import AlignerOptions, align_bitext, import_library
from truecase.errors import AlignerError

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


class Eflomal:
    """The other library: takes lines, writes links of both directions to files."""

    def __init__(self, n_iterations=None):
        self.n_iterations = n_iterations

    def align(self, source, target, links_filename_fwd, links_filename_rev):
        source, target = [line.split() for line in source], [line.split() for line in target]
        with open(links_filename_fwd, "w") as forward, open(links_filename_rev, "w") as reverse:
            for pair in zip(source, target, strict=True):
                forward.write(links_by_dictionary(*pair, False) + "\n")
                reverse.write(links_by_dictionary(*pair[::-1], True) + "\n")


def links_by_dictionary(source, target, reverse):
    model = Model()
    model.pairs = [(source, target)]
    found = model.get_training_alignment(0)[1].to_list()
    pairs = [(i - 1, j) for j, i in enumerate(found) if i]
    return " ".join(f"{j}-{i}" if reverse else f"{i}-{j}" for i, j in pairs)


@pytest.fixture(params=["eflomal", "sil-thot"])
def library(request, monkeypatch):
    Model.seen = []
    module = types.SimpleNamespace(EflomalAlignmentModel=Model, Aligner=Eflomal)
    monkeypatch.setattr(word_aligner, "import_library", lambda names: (request.param, module))
    return request.param


@pytest.fixture
def thot(monkeypatch):
    Model.seen = []
    module = types.SimpleNamespace(EflomalAlignmentModel=Model)
    monkeypatch.setattr(word_aligner, "import_library", lambda names: ("sil-thot", module))
    return Model


def blocks(source, target):
    return [AlignedLines(target, source)]


def test_links_are_those_of_words(library):
    links = align_bitext(blocks(b"La maison, petite.\n\nEt", b"The small ( house ).\n\nand"))
    # the brackets are words, or parts of words, of their own; the period belongs to two words
    assert links.to_lines() == [[[0], [2], [], [1], [2]], [], [[0]]]


def test_what_the_library_is_given(thot):
    source = "É\xa0B\x85 L'eau\n".encode() + b"\xff a\n"
    align_bitext(blocks(source, b"x\ny\n"), AlignerOptions(source_language="fr"))
    forward = [pair[0] for pair in thot.seen[:2]]
    assert forward == [["é", "b", "l'", "eau"], ["\udcff", "a"]]
    assert [pair[1] for pair in thot.seen[2:]] == forward


@pytest.mark.parametrize(("seed", "given"), [(None, 1), (0, 0), (1, 1), (7, 7)])
def test_the_seed_that_the_library_is_given(thot, monkeypatch, seed, given):
    seeds = []
    monkeypatch.setattr(thot, "seed", property(None, lambda self, seed: seeds.append(seed)), False)
    align_bitext(blocks(b"x a\n", b"y b\n"), AlignerOptions(seed=seed))
    assert seeds == [given, given]


def test_space_between_tokens_only(thot):
    align_bitext(blocks("A\xa0B .\n".encode(), b"X,\x0b y\n"), AlignerOptions(segmentation="space"))
    assert thot.seen[0] == (["a_b", "."], ["x,_", "y"])


def test_lines_without_links(library):
    long = b"la " * 10 + b"\n"
    links = align_bitext(blocks(b"\nla\n" + long + b"la", b"the\n\n" + long + b"the"))
    assert links.to_lines() == [[[]], [], [[]] * 10, [[0]]]
    assert not links.unaligned.any()


def test_nothing_to_align(library):
    assert align_bitext([]).to_lines() == []
    assert align_bitext(blocks(b"\n\n", b"\na\n")).to_lines() == [[], [[]]]
    assert align_bitext(blocks(b"a\n\n", b"\n\n")).to_lines() == [[], []]


UNSPACED = "我们昨天在北京的一家饭店里吃了饭,然后去看电影。\n今天早上下雨所以我没有去公园散步。\n"
SPACED = "我们 昨天 在 北京 吃 了 饭 , 然后 去 看 电影 。\n今天 早上 下雨 我 没有 去 散步 。\n"
ENGLISH = b"we ate in beijing , then saw a film .\nit rained , so i did not walk .\n"


@pytest.mark.parametrize("side", ["source", "target"])
@pytest.mark.parametrize("text", [UNSPACED, "เมื่อวานนี้ฉันไปเดินเล่นที่สวนสาธารณะ\n" * 2])
def test_words_that_do_not_stand_between_spaces(library, side, text):
    sides = {"source": ENGLISH, "target": ENGLISH, side: text.encode()}
    message = f"the {side} has no spaces between its words.*segment it first.*jieba"
    with pytest.raises(AlignerError, match=message):
        align_bitext([AlignedLines(sides["target"], sides["source"])])


def test_segmented_text_of_such_a_script(library):
    # One name or mishap among many words is no text without spaces.
    text = (SPACED * 20 + "布哈林诺夫斯基亚历山德罗维奇先生\n").encode()
    links = align_bitext([AlignedLines(ENGLISH * 20 + b"he\n", text)])
    assert links.n_lines == 41


def test_several_blocks_are_one_text(library):
    one = align_bitext(blocks(b"la porte\net la\n", b"door the\nthe and\n"))
    assert one.to_lines() == [[[1], [0]], [[1], [0]]]
    parts = [AlignedLines(b"door the\n", b"la porte\n"), AlignedLines(b"the and", b"et la")]
    assert align_bitext(parts).to_lines() == one.to_lines()


def test_reports(thot):
    told = []

    def report(label, share=None):
        told.append((label, share))

    align_bitext(blocks(b"la", b"the"), AlignerOptions(sweeps=(1, 1, 1)), report)
    assert told == [
        ("reading", None),
        *(("aligning forwards", i / 3) for i in range(3)),
        *(("aligning backwards", i / 3) for i in range(3)),
        ("joining both directions", None),
    ]


def test_which_library_is_taken(monkeypatch):
    for module in ("eflomal", "thot.alignment"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(AlignerError, match=r"eflomal or sil-thot: pip install eflomal"):
        align_bitext([])
    with pytest.raises(AlignerError, match="needs sil-thot: pip install sil-thot"):
        align_bitext([], AlignerOptions(seed=3))
    monkeypatch.setitem(sys.modules, "thot.alignment", types.SimpleNamespace())
    assert import_library()[0] == "sil-thot"
    monkeypatch.setitem(sys.modules, "eflomal", types.SimpleNamespace())
    assert import_library()[0] == "eflomal"
    assert import_library(AlignerOptions(seed=3).libraries)[0] == "sil-thot"


@pytest.mark.parametrize("written", [None, "", "0-0\n0-0\n", "7-7\n", "?\n"])
def test_a_library_that_fails(monkeypatch, written):
    class Failing(Eflomal):
        def align(self, source, target, links_filename_fwd, links_filename_rev):
            for path in (links_filename_fwd, links_filename_rev):
                if written is not None:
                    with open(path, "w") as file:
                        file.write(written)

    module = types.SimpleNamespace(Aligner=Failing)
    monkeypatch.setattr(word_aligner, "import_library", lambda names: ("eflomal", module))
    with pytest.raises(AlignerError, match="eflomal has failed"):
        align_bitext(blocks(b"a", b"b"))


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


@pytest.mark.parametrize("name", ["eflomal", "sil-thot"])
def test_the_library_itself(name, monkeypatch):
    pytest.importorskip({"eflomal": "eflomal", "sil-thot": "thot.alignment"}[name])
    monkeypatch.setattr(word_aligner, "import_library", lambda names: import_library([name]))
    source, target, links = bitext(300)
    options = AlignerOptions(sweeps=(4, 4, 8), seed=2)
    found = align_bitext(blocks(source, target), options)
    right = sum(
        source_word in word
        for line, wanted in zip(found.to_lines(), links, strict=True)
        for word, (source_word,) in zip(line, wanted, strict=True)
    )
    assert right > 0.9 * found.n_words
    if name == "sil-thot":
        assert align_bitext(blocks(source, target), options).to_lines() == found.to_lines()
    assert align_bitext(blocks(b"\n\na b", b"\nc\n\n"), options).to_lines() == [[], [[]], []]
