"""Reading texts: formats, blocks of whole lines, broken archives."""

import bz2
import contextlib
import gzip
import io
import lzma
import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from truecase.base.read import STDIN, open_text, read_blocks, read_whole
from truecase.errors import ReadError

zstandard = pytest.importorskip("zstandard")

TEXT = b"".join(b"line %d of a small text\n" % i for i in range(5000))

COMPRESS = {
    "gz": gzip.compress,
    "xz": lzma.compress,
    "bz2": bz2.compress,
    "zst": lambda data: zstandard.ZstdCompressor(write_checksum=True).compress(data),
}


@pytest.fixture(params=sorted(COMPRESS))
def suffix(request):
    return request.param


def test_plain(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(TEXT)
    assert open_text(path).read() == TEXT
    assert b"".join(read_blocks([path])) == TEXT


def test_compressed_whatever_the_name(tmp_path, suffix):
    for name in (f"a.{suffix}", "a.txt"):
        path = tmp_path / name
        path.write_bytes(COMPRESS[suffix](TEXT))
        with open_text(path) as file:
            assert file.read() == TEXT
        assert b"".join(read_blocks([path], 1000)) == TEXT


def test_several_streams_in_one_file(tmp_path, suffix):
    path = tmp_path / f"a.{suffix}"
    path.write_bytes(COMPRESS[suffix](TEXT) + COMPRESS[suffix](b"") + COMPRESS[suffix](b"more"))
    assert open_text(path).read() == TEXT + b"more"


def test_padding_after_gzip(tmp_path):
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(TEXT) + bytes(600_000))
    assert open_text(path).read() == TEXT


def test_every_truncation_is_an_error(tmp_path, suffix):
    data = COMPRESS[suffix](b"one line\nanother line\n")
    path = tmp_path / f"a.{suffix}"
    for length in range(1, len(data)):
        path.write_bytes(data[:length])
        with pytest.raises(ReadError, match=str(path)):
            open_text(path).read()


def test_truncated_archive_names_line(tmp_path):
    path = tmp_path / "corpus.gz"
    incompressible = b"".join(os.urandom(60).hex().encode() + b"\n" for _ in range(9000))
    path.write_bytes(gzip.compress(incompressible)[:-100_000])
    with pytest.raises(ReadError, match=r"corpus\.gz: line \d{3,}: .*gzip.*ends too early"):
        list(read_blocks([path]))


def test_flipped_bytes_never_pass(tmp_path, suffix):
    data = COMPRESS[suffix](TEXT)
    path = tmp_path / f"a.{suffix}"
    for position in range(12, len(data), max(1, len(data) // 50)):
        broken = bytearray(data)
        broken[position] ^= 0x55
        path.write_bytes(broken)
        read = None
        with contextlib.suppress(ReadError):
            read = open_text(path).read()
        assert read in (None, TEXT)


def test_garbage_after_an_archive(tmp_path, suffix):
    path = tmp_path / f"a.{suffix}"
    path.write_bytes(COMPRESS[suffix](TEXT) + b"garbage, which is no archive")
    with pytest.raises(ReadError):
        open_text(path).read()


def test_name_promises_what_is_not_there(tmp_path, suffix):
    path = tmp_path / f"a.{suffix}"
    path.write_bytes(b"plain text\n")
    with pytest.raises(ReadError, match="although the name ends in"):
        open_text(path)


def test_empty_file(tmp_path, suffix):
    path = tmp_path / f"a.{suffix}"
    path.write_bytes(b"")
    assert list(read_blocks([path])) == []


def test_text_that_begins_like_an_archive(tmp_path):
    path = tmp_path / "a.txt"
    for text in (b"BZh9 is a name\n", b"(\n", b"B", b"BZh", b"\x1f", b"Z*", b"\xfd7", b"P*M"):
        path.write_bytes(text)
        assert open_text(path).read() == text


def test_missing_file_and_directory(tmp_path):
    with pytest.raises(FileNotFoundError):
        list(read_blocks([tmp_path / "none"]))
    with pytest.raises(IsADirectoryError if os.name == "posix" else OSError):
        list(read_blocks([tmp_path]))


def test_blocks_are_whole_lines(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(TEXT)
    blocks = list(read_blocks([path], 1000, ahead=False))
    assert b"".join(blocks) == TEXT
    assert all(block.endswith(b"\n") for block in blocks)


def test_line_longer_than_a_block(tmp_path):
    path = tmp_path / "a.txt"
    text = b"short\n" + b"x" * 3_000_000 + b"\nshort again\n" + b"y" * 600_000
    path.write_bytes(text)
    blocks = list(read_blocks([path], 1000, ahead=False))
    assert b"".join(blocks) == text
    assert all(block.endswith(b"\n") for block in blocks[:-1])


def test_files_without_line_end_are_closed(tmp_path):
    contents = [b"one", b"", b"two\n", b"three", b""]
    paths = []
    for i, content in enumerate(contents):
        paths.append(tmp_path / str(i))
        paths[-1].write_bytes(content)
    assert b"".join(read_blocks(paths, ahead=False)) == b"one\ntwo\nthree"


@given(
    st.lists(st.lists(st.sampled_from([b"", b"a", b"\n", b"bc\n", b"\r\n", b"\0"])), max_size=4),
    st.integers(1, 12),
    st.booleans(),
)
def test_blocks_join_to_the_text(tmp_path_factory, pieces, block_size, eager):
    folder = tmp_path_factory.mktemp("blocks")
    contents = [b"".join(parts) for parts in pieces]
    paths = []
    for i, content in enumerate(contents):
        paths.append(folder / str(i))
        paths[-1].write_bytes(content)
    expected = b""
    for content in contents:
        if content and expected and not expected.endswith(b"\n"):
            expected += b"\n"
        expected += content
    blocks = list(read_blocks(paths, block_size, ahead=False, eager=eager))
    assert b"".join(blocks) == expected
    assert all(blocks)
    assert all(block.endswith(b"\n") for block in blocks[:-1])


def test_highly_compressed_text_comes_in_pieces(tmp_path, suffix):
    path = tmp_path / f"a.{suffix}"
    line = b"the same line again and again\n"
    path.write_bytes(COMPRESS[suffix](line * 300_000))
    n_bytes = 0
    for block in read_blocks([path], ahead=False):
        assert len(block) < 5 << 20
        n_bytes += len(block)
    assert n_bytes == len(line) * 300_000


def test_standard_input_object(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(TEXT))))
    assert b"".join(read_blocks(["-"])) == TEXT
    assert not sys.stdin.closed


def test_standard_input_is_given_at_once():
    script = (
        "import sys\n"
        "from truecase.base.read import read_blocks\n"
        "for block in read_blocks(['-'], eager=True):\n"
        "    sys.stdout.write(repr(block) + '\\n')\n"
        "    sys.stdout.flush()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        for line in (b"B\n", b"first line\n", b"second\n"):
            process.stdin.write(line)
            process.stdin.flush()
            assert process.stdout.readline() == repr(line).encode() + b"\n"
        process.stdin.close()
        assert process.wait(30) == 0


def test_zstandard_missing(tmp_path, monkeypatch):
    path = tmp_path / "a.zst"
    path.write_bytes(COMPRESS["zst"](TEXT))
    monkeypatch.setitem(sys.modules, "zstandard", None)
    monkeypatch.setitem(sys.modules, "compression", None)
    with pytest.raises(ReadError, match=r"pip install zstandard"):
        open_text(path)


class Terminal(io.RawIOBase):
    """Standard input that somebody types, who ends it with Ctrl-D once."""

    def __init__(self, *pieces):
        self.pieces = [*pieces, b""]

    def readable(self):
        return True

    def read(self, size=-1):
        assert self.pieces, "it would wait for more"
        return self.pieces.pop(0)


@pytest.mark.parametrize("typed", [[], [b"she met mary\n"], [b"she met mary\n", b"in cork"]])
def test_a_terminal_is_ended_once(monkeypatch, typed):
    for read in (read_whole, lambda path: b"".join(read_blocks([path], ahead=False))):
        monkeypatch.setattr("sys.stdin", Terminal(*typed))
        assert read(STDIN) == b"".join(typed)
