"""Alignments over subwords, hard and soft, folded into links of words."""

import random

import pytest

from truecase import CaseBridge
from truecase.alignment.lines import BadLines, SkippedLines
from truecase.alignment.link_formats import (
    SystemAlignment,
    format_pharaoh,
    subwords_of_lines,
    words_of_subwords,
)
from truecase.errors import AlignmentError


@pytest.mark.parametrize(
    "form, subwords, text, words",
    [
        ("sentencepiece", "▁The ▁car pet .", "The carpet.", [0, 1, 1, 1]),
        ("sentencepiece", "▁ The ▁ca rp et", " the  CARPET", [0, 0, 1, 1, 1]),
        ("sentencepiece", "The ▁<unk>", "The ☃", [0, 1]),
        ("sentencepiece", "▁of▁the ▁x", "of the x", [0, 2]),
        ("bpe", "The car@@ pet .", "The carpet .", [0, 1, 1, 2]),
        ("bpe", "The car@@ pet .", "The carpet.", [0, 1, 1, 1]),
        ("bpe", "un@@ k@@ x ?", "☃ ?", [0, 0, 0, 1]),
        ("wordpiece", "the car ##pet , it", "The carpet, it", [0, 1, 1, 1, 2]),
        ("wordpiece", "[UNK] ##x it", "☃ it", [0, 0, 1]),
        ("wordpiece", "stra ##sse", "Straße", [0, 0]),
        ("bpe", "", "", []),
        ("sentencepiece", "▁Σας ▁a", "ΣΑΣ A", [0, 1]),
    ],
)
def test_words_of_subwords(form, subwords, text, words):
    assert words_of_subwords(subwords, text, form) == words


@pytest.mark.parametrize(
    "form, subwords, text",
    [
        ("bpe", "a b", "x"),
        ("sentencepiece", "▁a ▁b", ""),
        ("wordpiece", "", "x"),
        ("bpe", "a@@ b", "c d"),
    ],
)
def test_subwords_of_another_line(form, subwords, text):
    assert words_of_subwords(subwords, text, form) is None


def test_subwords_of_another_long_line():
    # Nothing asserts a time here; were it quadratic, the test would not end.
    n = 1_000_000
    subwords = b"ein@@ " * n + b"ein Wort\nein ein\n"
    found = subwords_of_lines(subwords, b"ein" * (n + 1) + b"\nWort\n", "bpe")
    assert [message.rpartition(": ")[2] for message in found.problems.values()] == [
        "where subword 1000001 (from 0) is 'Wort', the text has nothing",
        "where subword 0 (from 0) is 'ein', the text has 'wort'",
    ]
    assert found.per_line.tolist() == [0, 0]


def split(words, form, generator):
    """Words in random pieces, and the word of each."""
    pieces, numbers = [], []
    for number, word in enumerate(words):
        cuts = sorted(
            generator.sample(range(1, len(word)), generator.randint(0, min(2, len(word) - 1)))
        )
        parts = [word[a:b] for a, b in zip([0, *cuts], [*cuts, len(word)], strict=True)]
        if form == "sentencepiece":
            parts[0] = "▁" + parts[0]
        elif form == "bpe":
            parts[:-1] = [part + "@@" for part in parts[:-1]]
        else:
            parts[1:] = ["##" + part for part in parts[1:]]
        pieces += parts
        numbers += [number] * len(parts)
    return pieces, numbers


@pytest.mark.parametrize("form", ["sentencepiece", "bpe", "wordpiece"])
def test_links_are_folded_as_word_by_word(form):
    generator = random.Random(7)
    vocabulary = ["a", "the", "carpet", "Haus", "été", "x-ray", "ΣΑΣ", "…"]
    blocks = [[], [], [], [], []]
    expected = []
    for _ in range(60):
        source, target = (generator.choices(vocabulary, k=generator.randint(1, 6)) for _ in "ab")
        source_pieces, source_words = split(source, form, generator)
        target_pieces, target_words = split(target, form, generator)
        links = {
            (generator.randrange(len(source_pieces)), generator.randrange(len(target_pieces)))
            for _ in range(5)
        }
        expected.append(
            [
                sorted({source_words[i] for i, j in links if target_words[j] == word})
                for word in range(len(target))
            ]
        )
        lines = (
            " ".join(f"{i}-{j}" for i, j in links), " ".join(source), " ".join(target),
            " ".join(source_pieces), " ".join(target_pieces),
        )  # fmt: skip
        for block, line in zip(blocks, lines, strict=True):
            block.append(f"{line}\n".encode())
    links, source, target, *parts = (b"".join(block) for block in blocks)
    found = SystemAlignment(form).links(links, source, target, parts)
    assert found.to_lines() == expected


SOURCE, TARGET = b"PUT THE iPhone ON\n", b"Mettez l'iPhone sur\n"
PIECES = ("▁put ▁the ▁i Phone ▁on\n".encode(), "▁Mettez ▁l ' iPhone ▁sur\n".encode())


def links(alignment, **options):
    is_soft = b"," in alignment
    return SystemAlignment("sentencepiece", is_soft, **options).links(
        alignment, SOURCE, TARGET, PIECES
    )


def test_a_threshold_is_a_probability():
    with pytest.raises(AlignmentError, match=r"threshold 3\.0: expected 0 to 1"):
        links(written(MATRIX, False), threshold=3.0)


def test_all_blocks_have_as_many_lines():
    for parts in ((b"a\n", b"b\n"), (b"a\na\n", b"b\n")):
        with pytest.raises(ValueError, match="line"):
            SystemAlignment("bpe", is_soft=True).links(b"1\n1\n", b"a\n", b"b\n", parts)


def test_hard_links_give_the_case_back():
    found = links(b"0-0 1-1 1-2 2-3 3-3 4-4\n")
    assert format_pharaoh(found) == b"0-0 1-1 2-1 3-2\n"
    after = CaseBridge().after_block(TARGET, b"upper -1 -2\n", SOURCE, found)
    assert after == b"METTEZ l'iPhone SUR\n"
    assert links(b"0-0:0.4 4-4:0.9", threshold=0.5).to_lines() == [[[], [], [3]]]


MATRIX = [
    [0.9, 0.1, 0, 0, 0],
    [0.1, 0.8, 0.1, 0, 0],
    [0.2, 0.4, 0.2, 0.2, 0],
    [0, 0, 0.5, 0.5, 0],
    [0, 0, 0.25, 0, 0.75],
]


def written(matrix, as_json):
    if as_json:
        return str(matrix).encode() + b"\n"
    return " ".join(",".join(map(str, row)) for row in matrix).encode() + b"\n"


@pytest.mark.parametrize("as_json", [False, True])
def test_soft_alignments(as_json):
    # word 1 is subwords 1 to 3: "the" 0.4 on average, "iPhone" 0.5, "put" 0.1
    assert links(written(MATRIX, as_json)).to_lines() == [[[0], [1, 2], [3]]]
    assert links(written(MATRIX, as_json), threshold=0.45).to_lines() == [[[0], [2], [3]]]
    assert links(written(MATRIX, as_json), threshold=0.2).to_lines() == [[[0], [1, 2], [2, 3]]]
    with_end = [*([*row[:-1], row[-1] / 2, row[-1] / 2] for row in MATRIX), [0, 0, 0, 0, 0, 1]]
    assert links(written(with_end, as_json), threshold=0.3).to_lines() == [[[0], [1, 2], [3]]]


@pytest.mark.parametrize(
    "alignment, message",
    [
        (b"0-0 5-0\n", r"alignment: line 1: link '5-0': the source line has only 5"),
        (b"0-5\n", "link '0-5': the target line has only 5"),
        (written(MATRIX[:3], False), "there are 3 rows, but 5 target subwords"),
        (
            written([row[:3] for row in MATRIX], False),
            "row 0 .* has 3 weights, .* 5 source subwords",
        ),
        (written([*MATRIX[:4], [0, 0, 0.2, 0, 0.2]], True), r"row 4 \(from 0\) sums up to 0.4"),
        (written([*MATRIX[:4], [-1, 1, 1, 0, 0]], True), "row 4 .* sums up to 1"),
        (written([*MATRIX[:4], [float("nan")] * 5], False), "row 4 .* sums up to nan"),
        (b"0.9,x\n", "expected rows of attention"),
        (b"[[0.9, null]]\n", "expected rows of attention"),
        (b"[0.9, 0.1]\n", "expected rows of attention"),
        (b"[" * 100_000 + b",\n", "expected rows of attention"),
        (b"[[0.9, 1" + b"0" * 400 + b"]]\n", "expected rows of attention"),
    ],
)
def test_what_is_wrong_is_said(alignment, message):
    with pytest.raises(AlignmentError, match=message):
        links(alignment)
    skipped = SkippedLines()
    system = SystemAlignment("sentencepiece", b"," in alignment)
    found = system.links(alignment, SOURCE, TARGET, PIECES, BadLines(skipped=skipped))
    assert found.to_lines() == [3] and skipped.n_skipped == 1


def test_lines_are_counted_from_where_the_block_begins():
    names, bad = ("in.spm", "out.spm"), BadLines("a", 7)
    with pytest.raises(AlignmentError, match=r"^out\.spm: line 8: the subwords are not of this"):
        SystemAlignment("bpe", names=names).links(
            b"\n\n", b"a\nb\n", b"x\ny\n", (b"a\nb\n", b"x\ny z\n"), bad
        )
    with pytest.raises(AlignmentError, match=r"^a: line 8: "):
        SystemAlignment("bpe", names=names).links(
            b"\n0-1\n", b"a\nb\n", b"x\ny\n", (b"a\nb\n", b"x\ny\n"), bad
        )
