"""What holds for any source and any alignment: only case changes, and nothing depends on blocks."""

import functools
import random

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from reference.casing import fold
from small_bitext import bitext
from small_model import random_block, training_text

from truecase import Truecaser
from truecase.alignment.lines import Phrases
from truecase.errors import AlignmentError
from truecase.kernels._segment import count_words

LINES = bitext(300, seed=31)


def folded(block):
    return "".join(map(fold, block.decode("utf-8", "surrogateescape")))


@functools.cache
def random_phrases(block, seed):
    """Links of each word to any, existing or not, and lines of which nothing is known."""
    draw = random.Random(seed)
    lines = []
    for n_words in count_words(block).tolist():
        if draw.random() < 0.2:
            lines.append(int(n_words))
            continue
        lines.append(
            [
                [draw.choice((0, 1, 2, 5, 9, 40, 2**31 - 1)) for _ in range(draw.randint(0, 3))]
                for _ in range(n_words)
            ]
        )
    return Phrases.from_lines(lines)


@functools.cache
def beside(block, seed):
    """As many lines of anything."""
    n_lines = block.count(b"\n") + (not block.endswith(b"\n"))
    lines = random_block(2 * len(block) + 1000, seed).split(b"\n")
    return b"\n".join((lines * (1 + n_lines // len(lines)))[:n_lines]) + b"\n"


@pytest.fixture(scope="module", params=["ngram", "crf", "crf-neural", "bilingual", "neural"])
def model(request, model_file, crf_model_file, neural_model_file):
    files = {"ngram": model_file, "crf": crf_model_file, "crf-neural": neural_model_file}
    if request.param in files:
        return Truecaser.load(files[request.param])
    return request.getfixturevalue("dense" if request.param == "bilingual" else "neural")


@pytest.mark.parametrize("input_case", ["ignore", "keep", "auto"])
@pytest.mark.parametrize("seed", range(2))
def test_only_case_changes_and_threads_change_nothing(model, seed, input_case):
    block = random_block(150_000, seed)
    source, phrases = beside(block, seed + 50), random_phrases(block, seed)
    for known in (phrases, None):
        one = model.case_block(block, input_case=input_case, source=source, phrases=known)
        assert one.count(b"\n") == block.count(b"\n")
        assert folded(one) == folded(block)
        for threads in (2, 5):
            again = model.case_block(
                block, threads, input_case=input_case, source=source, phrases=known
            )
            assert again == one


def test_a_block_may_be_cut_anywhere(model):
    block = LINES.target.lower() + random_block(20_000, 3).rstrip(b"\n") + b"\n"
    n_lines = block.count(b"\n")
    source = LINES.source + beside(block[len(LINES.target) :], 8)
    phrases = Phrases.concatenate([LINES.phrases, random_phrases(block[len(LINES.target) :], 4)])
    sources = [line + b"\n" for line in source.split(b"\n")[:-1]]
    targets = [line + b"\n" for line in block.split(b"\n")[:-1]]
    whole = model.case_block(block, source=source, phrases=phrases)
    for size in (1, 7, 100):
        parts = [
            model.case_block(
                b"".join(targets[i : i + size]),
                source=b"".join(sources[i : i + size]),
                phrases=phrases.select(i, min(i + size, n_lines)),
            )
            for i in range(0, n_lines, size)
        ]
        assert b"".join(parts) == whole


@examples(100)
@given(
    source=st.binary(max_size=60).map(lambda data: data.replace(b"\n", b" ")),
    target=st.binary(max_size=40).map(lambda data: data.replace(b"\n", b"\0")),
    links=st.lists(st.lists(st.integers(0, 9), max_size=3), min_size=40, max_size=40),
)
def test_any_bytes_on_either_side(model_file, dense, source, target, links):
    for model in (Truecaser.load(model_file), dense):
        n_words = int(count_words(target + b"\n")[0])
        for phrases in (None, Phrases.from_lines([links[:n_words]])):
            out = model.case_block(target + b"\n", source=source + b"\n", phrases=phrases)
            assert folded(out) == folded(target + b"\n")


@pytest.mark.parametrize("source", [b"\0\0 \0A\0\n", b"\xff\xfe\xc3 OK\n", b"\n", b" \t \r\n"])
def test_nuls_invalid_bytes_and_nothing_in_the_source(model, source):
    for phrases in (None, Phrases.from_lines([[[0], [1], [0, 1]]])):
        out = model.case_block(b"click ok mary\n", source=source, phrases=phrases)
        assert out.lower() == b"click ok mary\n"


def test_empty_lines_on_either_side(model):
    out = model.case_block(b"\nmary\n\n", source=b"MARIE\n\nX\n")
    assert out.lower() == b"\nmary\n\n"
    assert model.case_block(b"", source=b"") == b""
    # A last line of the source that is empty may lack its end, if that of the text does.
    assert model.case_block(b"mary\nmary", source=b"MARIE\n").lower() == b"mary\nmary"


@pytest.mark.parametrize("style", ["upper", "title"])
def test_styles(dense, style):
    out = dense("so the bill .", style=style, source="Alors le Bill .")
    assert out == {"upper": "SO THE BILL .", "title": "So the Bill ."}[style]


def test_a_line_longer_than_a_piece_keeps_its_alignment(dense):
    pairs = [("facture", "bill"), ("Bill", "Bill")]
    draw = random.Random(2)
    chosen = [draw.choice(pairs) for _ in range(30_000)]
    target = " ".join(t for _, t in chosen).encode()
    assert len(target) > 1 << 17
    order = list(range(len(chosen)))
    draw.shuffle(order)
    place = {word: k for k, word in enumerate(order)}
    source = " ".join(chosen[word][0] for word in order).encode()
    phrases = Phrases.from_lines([[[place[i]] for i in range(len(chosen))]])
    out = dense.case_block(
        target.lower() + b"\nso\n",
        source=source + b"\nAlors\n",
        phrases=Phrases.concatenate([phrases, Phrases.from_lines([[[0]]])]),
    )
    found, wanted = out.split(b"\n")[0].split(), target.split()
    assert out.endswith(b"\nSo\n")
    wrong = sum(a != b for a, b in zip(found[1:], wanted[1:], strict=True))
    assert wrong == 0
    # One word too few, noticed at the end of the last piece.
    short = phrases.select(0, 1)
    for words in (b"bill", b""):
        other = target.lower().rsplit(b" ", 1)[0] if not words else target.lower() + b" bill"
        with pytest.raises(ValueError, match="line 1 of the block has not as many words"):
            dense.case_block(other, source=source, phrases=short)


def test_without_a_source_nothing_is_paid(model):
    """Models that have no weights of their own decode as they did before."""
    block = training_text(50, seed=3).lower().encode()
    alone = model.case_block(block)
    model.case_block(block, source=block.upper())
    assert model.case_block(block) == alone
    bare = Truecaser(model.model.replace(source=None, tables=None))
    assert bare.case_block(block) == alone


def test_numbers_of_lines_are_checked(model):
    for threads in (1, 3):
        for target, source in ((b"a\nb\n", b"A\n\nC\n"), (b"a\nb\nc\n", b"A\n"), (b"a\n", b"A\nB")):
            with pytest.raises(ValueError, match=r"\d lines, .*\d"):
                model.case_block(target, threads, source=source)
    large = b"mary is here\n" * 10_000
    with pytest.raises(ValueError, match="10000 lines, but 9000 of their source"):
        model.case_block(large, 3, source=b"A\n" * 9000)
    with pytest.raises(ValueError):
        model.batch(["a", "b"], source=["A"] * 3)
    with pytest.raises(ValueError, match="phrases need the source"):
        model.case_block(b"a\n", phrases=Phrases.from_lines([[[0]]]))
    with pytest.raises(ValueError, match="needs its source"):
        model("a", alignment="0-0")


def test_numbers_of_words_are_checked(model):
    for words in ([], [[0]], [[0], [0], [0]]):
        with pytest.raises(ValueError, match="line 2 of the block has not as many words"):
            model.case_block(b"\na b\n", source=b"\nA B\n", phrases=Phrases.from_lines([[], words]))
    with pytest.raises(ValueError):
        model.case_block(b"a\nb\n", source=b"A\nB\n", phrases=Phrases.from_lines([[[0]]]))


@pytest.mark.parametrize(
    ("alignment", "message"),
    [
        ("0-2", "2"),
        ("2-0", "2"),
        ("-1-0", "-1"),
        ("0", "0"),
        ("a-b", "a-b"),
        ("99999999999-0", "9"),
    ],
)
def test_broken_alignments_are_refused(model, alignment, message):
    with pytest.raises(AlignmentError, match="line 1.*" + message):
        model("a b", source="A B", alignment=alignment)
    with pytest.raises(AlignmentError, match="line 2"):
        model.batch(["a b", "a b"], source=["A B", "A B"], alignment=["", alignment])


class Arrays:
    """Like `Phrases`, but not checked by it."""

    def __init__(self, line_offsets, offsets, source_words, unaligned):
        self.line_offsets = np.array(line_offsets, np.int64)
        self.offsets = np.array(offsets, np.int64)
        self.source_words = np.array(source_words, np.int32)
        self.unaligned = np.array(unaligned, np.uint8)


@pytest.mark.parametrize(
    "arrays",
    [
        Arrays([0, -1], [], [], [0]),
        Arrays([0, -1], [0], [], [0]),
        Arrays([0, 2], [0, 1, 2**40], [0, 0], [0]),
        Arrays([0, 2], [0, 2, 1], [0], [0]),
        Arrays([1, 2], [0, 0, 0], [], [0]),
        Arrays([0, 2], [1, 1, 1], [0], [0]),
        Arrays([0, 2], [0, 1, 1], [0], []),
        Arrays([0], [0], [], []),
        Arrays([0, 2**62], [0], [], [0]),
    ],
)
def test_arrays_that_do_not_fit_are_refused(model, arrays):
    with pytest.raises(ValueError, match="alignment's"):
        model.case_block(b"a b\n", source=b"A B\n", phrases=arrays)


def test_links_that_lead_nowhere_are_passed_over(model):
    # `Phrases` refuses the first two; the kernels do not rely on it.
    for links in ([-1, 0, 2**31 - 1], [-(2**31), -5, 1], [5, 1, 5, 0, 0]):
        arrays = Arrays([0, 2], [0, 3, len(links)], links, [0])
        arrays.offsets[1] = min(3, len(links))
        out = model.case_block(b"a b\n", source=b"A B\n", phrases=arrays)
        assert out.lower() == b"a b\n"


def test_wrong_types_are_refused(model):
    good = Arrays([0, 1], [0, 1], [0], [0])
    for name in ("line_offsets", "offsets", "source_words", "unaligned"):
        wrong = Arrays([0, 1], [0, 1], [0], [0])
        setattr(wrong, name, getattr(good, name).astype(np.float32))
        with pytest.raises(ValueError, match=f"{name} are not"):
            model.case_block(b"a\n", source=b"A\n", phrases=wrong)
    with pytest.raises(TypeError):
        model.case_block(b"a\n", source="A\n")


@pytest.mark.parametrize("buffer", [bytes, bytearray, memoryview])
def test_buffers_of_every_kind(dense, buffer):
    block = LINES.target.lower()
    wanted = dense.case_block(block, source=LINES.source, phrases=LINES.phrases)
    for threads in (1, 3):
        found = dense.case_block(
            buffer(block * 5), threads, source=buffer(LINES.source * 5),
            phrases=Phrases.concatenate([LINES.phrases] * 5),
        )  # fmt: skip
        assert found == wanted * 5


def test_a_batch_is_its_lines_one_by_one(dense):
    targets = LINES.target.decode().lower().splitlines()
    sources = LINES.source.decode().splitlines()
    alignment = [
        " ".join(f"{s}-{t}" for t, words in enumerate(line) for s in words)
        for line in LINES.phrases.to_lines()
    ]
    batch = dense.batch(targets, source=sources, alignment=alignment)
    assert batch == [
        dense(t, source=s, alignment=a) for t, s, a in zip(targets, sources, alignment, strict=True)
    ]
    block = dense.case_block(LINES.target.lower(), source=LINES.source, phrases=LINES.phrases)
    assert "\n".join(batch) + "\n" == block.decode()


def test_models_that_do_not_look_at_the_source_say_so(model_file, tmp_path):
    unigram = Truecaser.load(model_file, decode_with="unigram")
    with pytest.raises(ValueError, match="look at no source"):
        unigram("a", source="A")


def test_a_key_in_lower_case_is_no_source(dense):
    for text, key in (("save the file", "btn_save\r"), ("the open file", "menu.open_file")):
        assert dense(text, source=key) == dense(text, source="")
        assert dense(text, source=key, alignment="0-0") == dense(text, source="")
