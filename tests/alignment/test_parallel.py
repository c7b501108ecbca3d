"""Files read side by side: the same lines in each block, and files that do not fit."""

import gzip
import io
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from truecase.alignment.lines import SkippedLines
from truecase.alignment.parallel import Reading, read_aligned, read_parallel, read_side_by_side
from truecase.base.progress import Progress
from truecase.errors import AlignmentError, ReadError


@pytest.fixture
def write(tmp_path):
    def write_file(name, data):
        path = tmp_path / name
        path.write_bytes(data)
        return path

    return write_file


def lines_of(text):
    return text.split(b"\n")[: text.count(b"\n") + (not text.endswith(b"\n") and text != b"")]


@pytest.fixture
def small_reads(monkeypatch):
    """Files arrive a few bytes at a time."""
    monkeypatch.setattr("truecase.base.read._CHUNK_SIZE", 4)


TEXTS = st.integers(0, 9).flatmap(
    lambda n: st.tuples(
        *[st.lists(st.sampled_from([b"", b"x", b"a b c"]), min_size=n, max_size=n)] * 3,
        *[st.booleans()] * 3,
    )
)


def joined(lines, is_open):
    text = b"".join(line + b"\n" for line in lines)
    return text[:-1] if is_open and lines and lines[-1] else text


def side_by_side(paths, reading):
    source, target, *alignment = paths
    return read_side_by_side(
        target, [(source, None), *((path, None) for path in alignment)], reading
    )


@given(TEXTS, st.integers(1, 12), st.booleans())
def test_blocks_have_the_same_lines(tmp_path_factory, texts, block_size, eager):
    folder = tmp_path_factory.mktemp("texts")
    paths = []
    for name, lines, is_open in zip("sta", texts[:3], texts[3:], strict=True):
        path = folder / name
        path.write_bytes(joined(lines, is_open))
        paths.append(path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("truecase.base.read._CHUNK_SIZE", 3)
        blocks = list(side_by_side(paths, Reading(block_size, eager)))
    first = 1
    for first_line, target, (source, alignment) in blocks:
        assert first_line == first
        n = len(lines_of(target))
        assert n == len(lines_of(source)) == len(lines_of(alignment)) > 0
        first += n
    sides = zip(*((source, target, links) for _, target, (source, links) in blocks), strict=True)
    for path, side in zip(paths, [*sides] or [()] * 3, strict=True):
        assert b"".join(side) == path.read_bytes()


def test_without_alignment(write):
    source, target = write("s", b"a\nb\n"), write("t", b"c\nd")
    (block,) = read_parallel(source, target)
    assert (block.source, block.target, block.phrases) == (b"a\nb\n", b"c\nd", None)


def test_compressed_files_and_long_lines(write):
    long = b"x " * 200_000
    source = write("s.gz", gzip.compress((long + b"\n") * 5))
    target = write("t", b"y\n" * 5)
    blocks = list(read_parallel(source, target, Reading(3)))
    assert b"".join(block.source for block in blocks) == (long + b"\n") * 5


@pytest.mark.parametrize("eager", [False, True])
def test_target_from_standard_input(write, monkeypatch, eager):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"1\n2\n3\n")))
    source = write("s", b"a\nb\nc\n")
    blocks = list(read_parallel(source, "-", Reading(eager=eager)))
    assert b"".join(block.source for block in blocks) == b"a\nb\nc\n"


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ((b"a\n", b"1\n2\n", None), "s: ends after line 1, but .*t has more lines"),
        ((b"a", b"1\n2\n", None), "s: ends after line 1, but .*t has more lines"),
        ((b"", b"1\n", None), "s: ends after line 0, but .*t has more lines"),
        ((b"a\nb\nc", b"1\n2\n", None), "t: ends after line 2, but .*s has more lines"),
        ((b"a\n\n", b"1\n", None), "t: ends after line 1, but .*s has more lines"),
        ((b"a\n", b"", None), "t: ends after line 0, but .*s has more lines"),
        ((b"a\nb\n", b"1\n2\n", b"0-0\n"), "a: ends after line 1, but .*t has more lines"),
        ((b"a\n", b"1\n", b"0-0\n\n"), "t: ends after line 1, but .*a has more lines"),
    ],
)
@pytest.mark.parametrize("block_size", [1, 1000])
def test_different_numbers_of_lines(small_reads, write, texts, message, block_size):
    paths = [write(name, text) for name, text in zip("sta", texts, strict=True) if text is not None]
    with pytest.raises(ReadError, match=message):
        list(side_by_side(paths, Reading(block_size)))


def test_missing_file(write, tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere"):
        list(read_parallel(tmp_path / "nowhere", write("t", b"1\n")))


def test_blocks_can_be_left(small_reads, write):
    source, target = write("s", b"a\n" * 9), write("t", b"1\n" * 9)
    blocks = read_parallel(source, target, Reading(1))
    assert next(blocks).target.startswith(b"1\n")
    blocks.close()


def test_progress_counts_the_target(write):
    source, target = write("s", b"a\nb\n"), write("t", b"1\n2\n")
    with Progress() as progress:
        list(read_parallel(source, target, Reading(progress=progress)))
    assert progress.n_bytes == 4


def test_aligned(write):
    paths = write("s", b"a b\nc\n"), write("t", b"1 2\n3\n"), write("a", b"1-0 0-1\n\n")
    (lines,) = read_aligned(*paths)
    assert lines.target == b"1 2\n3\n"
    assert lines.phrases.to_lines() == [[[1], [0]], [[]]]
    (lines,) = read_aligned(*paths[:2])
    assert lines.phrases.to_lines() == [2, 1]


def test_bad_alignment_names_file_and_line_of_the_file(small_reads, write):
    paths = (
        write("s", b"a b\n" * 3),
        write("t", b"1 2\n" * 3),
        write("links", b"0-0\n1-1\n0-0 2-1\n"),
    )
    blocks = read_aligned(*paths, Reading(1))
    next(blocks)
    with pytest.raises(AlignmentError, match="links: line 3: link '2-1': the source line has only"):
        list(blocks)
    skipped = SkippedLines()
    lines = [
        part.phrases.to_lines()[0] for part in read_aligned(*paths, Reading(1), skipped=skipped)
    ]
    assert lines == [[[0], []], [[], [1]], 2]
    assert skipped.n_skipped == 1
