"""What sparse features see of the source sentence, and the pieces that weights learn from."""

import pytest
from parts import compiled
from recipes import estimated
from reference.sparse import spread
from truecase_testing import hash_of, look_at_sparse

from truecase.alignment.lines import AlignedLines
from truecase.alignment.link_formats import parse_pharaoh
from truecase.kernels._segment import count_words
from truecase.kernels.templates import FIELDS
from truecase.training.material import BitextBlocks

TEXT = b"click the Button\nClick THE button\npress OK now\nPress ok Now\n" * 20

LINE = b"press the ok button"
SOURCE = "Appuyez sur l’ bouton OK .".encode()
LINKS = b"0-0 3-3 4-2\n"

# As `case_code` has them: outside, a tag, a mark, a mark that ends sentences.
OUTSIDE, LOWER, INITIAL, UPPER, MARK, END = 0, 1, 2, 3, 9, 10


@pytest.fixture(scope="module")
def model():
    return estimated(
        TEXT, "bilingual-sparse", segmentation="space", min_count=1, min_share=0.0,
        sparse_size=60_000,
    )  # fmt: skip


@pytest.fixture(scope="module")
def look(model):
    """A function that gives the fields of each word by name; None for one without a choice."""

    def run(line=LINE, source=None, links=None):
        phrases = None
        if links is not None:
            phrases = parse_pharaoh(links, count_words(source), count_words(line))
        return [
            dict(zip(FIELDS, word["fields"][1:], strict=True)) if "fields" in word else None
            for word in look_at_sparse(compiled(model), line, source, phrases)
        ]

    return run


def value(name, number):
    return spread(1 + FIELDS.index(name), number)


def expect(fields, **numbers):
    for name, number in numbers.items():
        assert fields[name] == value(name, number), name


def test_without_a_source_nothing_is_seen_of_it(look):
    first, *others = look()
    of_source = FIELDS[FIELDS.index("source") :]
    values = [first[name] for name in of_source]
    # Alike for all words, but different from each other: they choose rows of the hidden layer.
    assert len(set(values)) == len(of_source)
    for fields in others:
        assert [fields[name] for name in of_source] == values


def test_neighbours_of_the_source_word(look):
    press, the, ok, button = look(source=SOURCE, links=LINKS)
    expect(
        press,
        source_previous=1,
        source_next=hash_of(b"sur"),
        source_context=1 + OUTSIDE + 16 * LOWER,
    )
    expect(the, source_previous=0, source_next=0, source_context=0, source_form=0)
    expect(
        ok,
        source_word=hash_of(b"ok"),
        source_previous=hash_of(b"bouton"),
        source_next=hash_of(b"."),
        source_context=1 + LOWER + 16 * END,
    )
    expect(button, source_previous=hash_of("l’".encode()), source_next=hash_of(b"ok"))


def test_the_same_word_anywhere(look):
    # The second word is not aligned with the one that is the same.
    fields = look(b"press ok now", b"Now appuyez OK", b"1-1 0-2\n")
    expect(fields[0], source_anywhere=OUTSIDE, source_same=0)
    expect(fields[1], source_anywhere=UPPER, source_same=0)
    expect(fields[2], source_anywhere=INITIAL + 8)


def test_first_and_last_words(look):
    for fields in look(source=SOURCE, links=LINKS):
        expect(
            fields,
            opening=hash_of(b"press"),
            closing=hash_of(b"button"),
            source_opening=hash_of(b"appuyez"),
            source_closing=hash_of(b"ok"),
        )


@pytest.mark.parametrize(
    ("source", "marks"),
    [("a' b c", 1), ('" a b', 2), ("« a »", 4), ("l’ a b", 8), ("“ a '", 17), ("“", 16)],
)
def test_typography_of_the_source(look, source, marks):
    tokens = source.split()
    last = {"»": 11, '"': 11, "'": 11, "“": 9}.get(tokens[-1], LOWER)
    length = 16 * (len(tokens) >= 3)
    fields = look(source=source.encode())[0]
    seen = [
        number
        for number in range(64 * 32)
        if fields["source_marks"] == value("source_marks", number)
    ]
    assert [number // 64 for number in seen] == [marks]
    assert [number % 64 // 16 * 16 for number in seen] == [length]
    assert seen[0] % 16 in (last, MARK)


def test_form_of_the_source_word(look):
    def form(source):
        return look(b"press ok now", source, b"0-1\n")[1]["source_form"]

    assert len({form(b"OK"), form(b"ok"), form(b"Ok"), form(b"bon")}) == 4


def test_a_line_without_end_is_looked_at_near_the_word_only(look):
    far = b"x " * 600 + b"OK"
    expect(look(b"press ok now", far, b"0-0\n")[1], source_anywhere=0)
    expect(look(b"press ok now", b"OK " + far, b"1-0\n")[1], source_anywhere=UPPER)


def test_pieces_of_blocks_are_each_there_once():
    lines = [b"line %d is here\n" % n for n in range(4000)]
    text = b"".join(lines)
    links = parse_pharaoh(b"0-0\n" * len(lines), count_words(text), count_words(text))
    blocks = BitextBlocks([AlignedLines(text, text.upper(), links)])
    try:
        assert blocks.n_pieces >= len(blocks) > 10
        pieces = list(blocks.shuffled(3))
        assert len(pieces) == blocks.n_pieces
        for index, piece in pieces:
            piece.check()
            assert piece.target in blocks[index].target
            assert piece.source == piece.target.upper()
        together = b"".join(piece.target for _, piece in pieces)
        assert sorted(together.splitlines(True)) == sorted(lines)
        assert b"".join(blocks.text()) == text
        assert [i for i, _ in pieces] == [i for i, _ in blocks.shuffled(3)]
    finally:
        blocks.close()
