"""Reads text files and standard input as blocks of whole lines, decompressed and in UTF-8.

Compressed data is recognised by its first bytes (`truecase.base.compression`); other data is text
(`truecase.base.encoding`). A name that promises compressed data is an error if the file has none,
so that a damaged archive is never taken for text.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from itertools import chain, islice
from typing import Any, BinaryIO

from truecase.base.compression import SUFFIXES, Format, format_of, is_damage, promised_format
from truecase.base.encoding import FileEncoding, TextDecoder
from truecase.base.progress import Progress
from truecase.errors import ReadError
from truecase.options import StrPath

STDIN = "-"
BLOCK_SIZE = 1 << 20
# More would fill the memory; kernels take fewer than 2 GiB.
_LONGEST_LINE = 1 << 30

# Bytes that one read asks for, and about what a step of a decompressor returns.
_CHUNK_SIZE = 1 << 18

# The least bytes that a decompressor gets, and the first ones.
_MIN_STEP = 64

# How many blocks the reader thread may be ahead of its consumer.
_BLOCKS_AHEAD = 4


# A second reader would find it at its end, and take it for an empty text.
_stdin_was_read = False

_MAGIC_LENGTH = 10
_MAGIC_FIRST_BYTES = b"\x1f\xfdB\x28" + bytes(range(0x50, 0x60))
_MAGIC_SECOND_BYTES = b"\x8b7Z\xb5\x2a"

# How files begin that are no text, and what to do with them.
_NO_TEXT = (
    (b"PK\3\4", "an archive, as office documents are: truecase file cases DOCX; or save text"),
    (b"\xd0\xcf\x11\xe0", "a document of Word 97 or its kin: save it as DOCX, for truecase file"),
    (b"%PDF", "a PDF: extract its text"),
    (b"{\\rtf", "RTF: save it as DOCX, for truecase file"),
    ((b"PAR1\x15", b"ARROW1"), "a table: truecase table cases it"),
    (b"\0\0\1\xba", "pictures of subtitles: read them by OCR"),
    (b"bplist00", "a binary property list: plutil -convert json makes JSON of it"),
    (b"<\xb8d\x18", "compiled by Qt: lconvert makes a file of translations of it"),
    (b"\xde\x12\4\x95", "a compiled catalogue: msgunfmt makes PO of it"),
)


def check_is_text(data: bytes, name: str) -> None:
    """Raise ReadError for the beginning of a file that is known to be no text."""
    what = next((what for sign, what in _NO_TEXT if data.startswith(sign)), None)
    if what is not None:
        raise ReadError(f"{name}: line 1: is {what}")


def display_name(path: StrPath) -> str:
    """Name of an input in messages."""
    return "standard input" if os.fspath(path) == STDIN else os.fspath(path)


def _open_raw(path: StrPath) -> Any:
    """Open a file or standard input for reading bytes, unbuffered if possible."""
    if os.fspath(path) != STDIN:
        return open(path, "rb", buffering=0)
    if sys.stdin is None:
        raise ReadError("standard input: closed")
    try:
        descriptor = sys.stdin.fileno()
    except (OSError, ValueError, AttributeError):
        # Tests and notebooks replace it by an object without a descriptor.
        return getattr(sys.stdin, "buffer", sys.stdin)
    global _stdin_was_read
    if _stdin_was_read and not os.isatty(descriptor):
        raise ReadError("standard input can be read only once: save it to a file first")
    _stdin_was_read = True
    try:
        return io.FileIO(descriptor, "rb", closefd=False)
    except OSError as error:
        raise type(error)(error.errno, error.strerror, display_name(path)) from None


class _Source:
    """Reads one input piece by piece, decompressed and, with a `decoder`, as UTF-8.

    Each piece is returned as soon as it can be read, so that a terminal is answered at once.
    """

    def __init__(
        self, path: StrPath, progress: Progress | None = None, decoder: TextDecoder | None = None
    ) -> None:
        self.name = display_name(path)
        self._decoder = decoder
        self._raw = _open_raw(path)
        self._progress = progress
        self._path = os.fspath(path)
        self._format: Format | None = None
        self._new_stream: Callable[[], Any] | None = None
        self._stream: Any = None
        self._step = _MIN_STEP
        self._held = b""
        self._n_bytes_read = 0
        # A terminal can be read on after its end, and would have to be ended again.
        self._has_ended = False
        # Lines are counted for messages, so only where errors can occur.
        self._n_lines_given = 0
        try:
            self._detect()
        except BaseException:
            self.close()
            raise

    def _detect(self) -> None:
        # Read on only while the bytes could still begin an archive: a terminal's first line must
        # not wait for the second.
        while len(self._held) < _MAGIC_LENGTH:
            if self._held and self._held[0] not in _MAGIC_FIRST_BYTES:
                break
            if len(self._held) > 1 and self._held[1] not in _MAGIC_SECOND_BYTES:
                break
            data = self._read_raw()
            if not data:
                break
            self._held += data
        if self._held and (self._held[0] in _MAGIC_FIRST_BYTES or self._path.endswith(SUFFIXES)):
            self._detect_compression()
        if self._decoder is not None and self._format is None:
            check_is_text(self._held, self.name)

    def _detect_compression(self) -> None:
        self._format = format_of(self._held)
        if self._format is not None:
            self._new_stream = self._format.decompressor(self.name)
        elif promised := promised_format(self._path):
            raise ReadError(
                f"{self.name}: not {promised.name} data, although the name ends in "
                f"{promised.suffix}"
            )

    def _read_raw(self) -> bytes:
        if self._has_ended:
            return b""
        is_unbuffered = isinstance(self._raw, io.RawIOBase) or not hasattr(self._raw, "read1")
        try:
            data = self._raw.read(_CHUNK_SIZE) if is_unbuffered else self._raw.read1()
            while data is None:
                # A terminal or pipe that somebody switched to non-blocking mode.
                import select

                select.select([self._raw], [], [])
                data = self._raw.read(_CHUNK_SIZE)
        except OSError as error:
            if error.filename is None and error.errno is not None:
                raise type(error)(error.errno, error.strerror, self.name) from None
            raise
        self._has_ended = not data
        self._n_bytes_read += len(data)
        if self._progress is not None:
            self._progress.add_bytes(len(data))
        return bytes(data)

    def read_some(self) -> bytes:
        """Return the next piece, of any length; empty at the end."""
        if self._decoder is None:
            return self._read_bytes()
        while data := self._read_bytes():
            if text := self._decoder.decode(data):
                return text
        # Once: standard input may be read on after its end.
        decoder, self._decoder = self._decoder, None
        return decoder.finish()

    def _read_bytes(self) -> bytes:
        if self._format is None:
            if self._held:
                data, self._held = self._held, b""
                return data
            return self._read_raw()
        data = self._decompress_some()
        self._n_lines_given += data.count(b"\n")
        return data

    def _decompress_some(self) -> bytes:
        assert self._format is not None
        while True:
            if not self._held:
                self._held = self._read_raw()
                if not self._held:
                    if self._stream is not None:
                        raise self._error("the data ends too early")
                    return b""
            if self._stream is None:
                if self._format.padding and not self._held.strip(self._format.padding):
                    self._held = b""
                    continue
                assert self._new_stream is not None
                self._stream = self._new_stream()
            # Steps adapt to the compression rate, so that a line repeated a million times needs no
            # more memory than any other text.
            piece = self._held[: self._step]
            self._held = self._held[self._step :]
            try:
                data: bytes = self._stream.decompress(piece)
            except Exception as error:
                if not is_damage(error):
                    raise
                raise self._error(str(error)) from None
            if self._stream.eof:
                self._held = self._stream.unused_data + self._held
                self._stream = None
            if len(data) < _CHUNK_SIZE // 4:
                self._step = min(self._step * 2, _CHUNK_SIZE)
            elif len(data) > _CHUNK_SIZE:
                self._step = max(self._step // 4, _MIN_STEP)
            if data:
                return data

    def _error(self, what: str) -> ReadError:
        assert self._format is not None
        return ReadError(
            f"{self.name}: line {self._n_lines_given + 1}: broken {self._format.name} data "
            f"near byte {self._n_bytes_read - len(self._held)}: {what}"
        )

    def close(self) -> None:
        """Close the file; standard input stays open."""
        if self._path != STDIN or isinstance(self._raw, io.FileIO):
            self._raw.close()


class _SourceReader(io.RawIOBase):
    """A source as the raw layer of a file object."""

    def __init__(self, source: _Source) -> None:
        self._source = source
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        if not self._rest:
            self._rest = memoryview(self._source.read_some())
        n = min(len(buffer), len(self._rest))
        buffer[:n] = self._rest[:n]
        self._rest = self._rest[n:]
        return n

    def close(self) -> None:
        if not self.closed:
            self._source.close()
        super().close()


def open_text(path: StrPath, encoding: str | None = None) -> BinaryIO:
    """Open a text, or ``-`` for standard input, for reading it decompressed and as UTF-8.

    Parameters
    ----------
    path : path
    encoding : str, optional
        As for `truecase.base.encoding.TextDecoder`.

    Returns
    -------
    file object
        Buffered, binary.

    Raises
    ------
    OSError
        The file cannot be opened.
    ReadError
        The compressed data is damaged, its format needs a package that is not installed, or the
        text is in another encoding; may also be raised while reading.
    """
    decoder = TextDecoder(display_name(path), encoding)
    return io.BufferedReader(_SourceReader(_Source(path, decoder=decoder)), _CHUNK_SIZE)


def open_bytes(path: StrPath) -> BinaryIO:
    """Open any file for reading its decompressed bytes."""
    return io.BufferedReader(_SourceReader(_Source(path)), _CHUNK_SIZE)


def read_whole(path: StrPath) -> bytes:
    """Read all of a file's decompressed bytes."""
    with open_bytes(path) as file:
        # The buffer grows in place; reading to the end would join pieces, and hold all of it twice.
        buffer = io.BytesIO()
        while data := file.read(BLOCK_SIZE):
            if buffer.tell() > 4 * _LONGEST_LINE:
                raise ReadError(f"{display_name(path)}: 4 GiB or more are too much at once")
            buffer.write(data)
    return buffer.getvalue()


def read_blocks(
    paths: Sequence[StrPath],
    block_size: int = BLOCK_SIZE,
    *,
    ahead: bool = True,
    eager: bool = False,
    progress: Progress | None = None,
    encoding: str | None = None,
    found: FileEncoding | None = None,
) -> Iterator[bytes]:
    """Read texts one after the other as blocks of whole lines.

    Parameters
    ----------
    paths : sequence of paths
        Files, or ``-`` for standard input.
    block_size : int
        About the bytes of a block; a longer line makes its block longer.
    ahead : bool
        Read in a thread ahead of the consumer, if there are several blocks.
    eager : bool
        Yield complete lines as soon as they are read, however few.
    progress : Progress, optional
        Counts the bytes read.
    encoding : str, optional
        As for `open_text`.
    found : FileEncoding, optional
        Filled in with the encoding of the last text before its first block.

    Yields
    ------
    bytes
        Non-empty UTF-8 without a byte order mark that ends in a line feed; the very last block ends
        as the last file does. A file's open last line is closed if another file follows.

    Raises
    ------
    OSError, ReadError
        As `open_text`.
    """
    blocks = _marked_blocks(paths, block_size, eager, progress, encoding, found)
    first = [] if eager or not ahead else list(islice(blocks, 1))
    if not ahead or (first and first[0][1]):
        yield from (block for block, _ in chain(first, blocks))
        return
    from truecase.base.pool import run_ahead

    # The first block is yielded while the thread reads on: the writer of the text may not read the
    # result before much of it is written.
    yield from (block for block, _ in run_ahead(chain(first, blocks), _BLOCKS_AHEAD))


def read_pieces(
    path: StrPath,
    *,
    progress: Progress | None = None,
    encoding: str | None = None,
    found: FileEncoding | None = None,
) -> Iterator[bytes]:
    """Read a text as UTF-8 in pieces that end anywhere, each as soon as it can be read.

    So a text without line ends takes constant memory. Otherwise as `read_blocks`.
    """
    n_bytes = 0  # that have neither a blank nor a line feed
    decoder = TextDecoder(display_name(path), encoding, found)
    with closing(_Source(path, progress, decoder)) as source:
        while data := source.read_some():
            n_bytes = 0 if b" " in data or b"\n" in data else n_bytes + len(data)
            if n_bytes > _LONGEST_LINE:
                raise ReadError(f"{source.name}: a word has 1 GiB or more: is it text?")
            yield data


def _marked_blocks(
    paths: Sequence[StrPath],
    block_size: int,
    eager: bool,
    progress: Progress | None,
    encoding: str | None,
    found: FileEncoding | None,
) -> Iterator[tuple[bytes, bool]]:
    """Yield blocks, each with whether it is known to be the last one."""
    whole: list[bytes] = []  # pieces that together end in a line feed
    rest: list[bytes] = []  # pieces of the line after them
    n_bytes = 0
    for path in paths:
        decoder = TextDecoder(display_name(path), encoding, found)
        # A line that a file left open is closed only if something follows.
        is_open = bool(rest)
        with closing(_Source(path, progress, decoder)) as source:
            while data := source.read_some():
                if is_open:
                    whole += rest
                    whole.append(b"\n")
                    rest = []
                    n_bytes += 1
                    is_open = False
                n_bytes += len(data)
                end = data.rfind(b"\n") + 1
                if not end:
                    rest.append(data)
                    if n_bytes > _LONGEST_LINE:
                        raise ReadError(f"{source.name}: a line has 1 GiB or more: is it text?")
                else:
                    whole += rest
                    whole.append(data[:end])
                    rest = [data[end:]] if end < len(data) else []
                if whole and (eager or n_bytes >= block_size):
                    yield b"".join(whole), False
                    whole = []
                    n_bytes = sum(map(len, rest))
    if whole or rest:
        yield b"".join(whole + rest), True
