"""Character encodings: readers get every text as UTF-8, whatever the encoding of its file.

A byte order mark identifies UTF-8, UTF-16 and UTF-32. A text without one, and without a named
encoding, is read as UTF-8; stray broken bytes pass unchanged. Text that is clearly in another
encoding is refused: its letters would silently keep their case.
"""

from __future__ import annotations

import codecs
import re
import sys
from collections import defaultdict
from functools import lru_cache

from truecase.errors import ReadError

#: The longer marks first: that of UTF-32 begins with that of UTF-16.
BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# One of them without its NULs; further bytes like it may be letters.
_MARK = re.compile(rb"\A(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)")
#: All formats but gettext PO, with its comments, show in the beginning of a file.
HEAD_BYTES = 1 << 16
_NATIVE = "le" if sys.byteorder == "little" else "be"

# Broken bytes are stray if they are at most _FEW, or one in _RARE bytes of text, or at most _SHARE
# of the bytes beyond ASCII.
_FEW = 4
_RARE = 1 << 16
_SHARE = 0.1

# After so many bytes, counts are halved, since a text may change its encoding.
_MEMORY = 1 << 22

# The least number of NULs on every other byte that cannot be an accident.
_MIN_NULS = 4

# Candidates for a text that is not UTF-8; of two that read alike, the more usual one first.
_CANDIDATES = (
    "cp1252 cp1250 cp1251 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258 iso8859_2 iso8859_5 iso8859_7"
    " iso8859_9 iso8859_15 koi8_r koi8_u mac_roman cp437 cp850 cp852 cp866 shift_jis cp932 euc_jp"
    " iso2022_jp gb18030 big5 euc_kr cp949 utf_16_le utf_16_be utf_32_le utf_32_be"
).split()
_SAMPLE = 1 << 16


def check_encoding(name: str) -> str:
    """Return Python's name of an encoding such as ``utf-16``; ReadError if it has none."""
    try:
        codec = codecs.lookup(name).name
        "".encode(codec)  # refuses codecs between bytes and bytes
        codecs.getincrementaldecoder(codec)
        codecs.getincrementalencoder(codec)
    except (LookupError, ValueError):
        raise ReadError(
            f"there is no character encoding {name!r}: expected a name such as utf-8, utf-16, "
            "latin-1, cp1252 or shift_jis"
        ) from None
    return "utf-8" if codec == "utf-8-sig" else codec


def head_of(data: bytes) -> bytes:
    """The beginning of a file without NULs and byte order mark, which shows its format."""
    return _MARK.sub(b"", data[:HEAD_BYTES].replace(b"\0", b""))


class FileEncoding:
    """The encoding found in a file: Python's name and the byte order mark, maybe empty."""

    def __init__(self) -> None:
        self.codec = "utf-8"
        self.mark = b""


class TextDecoder:
    """Converts a file's bytes to UTF-8, piece by piece.

    Parameters
    ----------
    file : str
        Name for messages.
    encoding : str, optional
        By default as the byte order mark says; without one, UTF-8 that is checked. ``utf-8`` is not
        checked.
    found : FileEncoding, optional
        Filled in with the first piece. With it, the text must encode to the same bytes again.
    """

    def __init__(
        self, file: str, encoding: str | None = None, found: FileEncoding | None = None
    ) -> None:
        self._file = file
        self._wanted = None if encoding is None else check_encoding(encoding)
        self._found = found
        self._head = b""
        self._codec = ""
        self._watch: _Watch | None = None
        self._decoder: codecs.IncrementalDecoder | None = None
        self._encoder: codecs.IncrementalEncoder | None = None
        self._unwritten = b""
        self._n_lines = 0

    def decode(self, data: bytes) -> bytes:
        """Convert the next bytes; return the complete characters as UTF-8."""
        if not self._codec:
            data = self._head + data
            # More bytes could complete a byte order mark, or a longer one.
            if any(len(mark) > len(data) and mark.startswith(data) for mark, _ in BYTE_ORDER_MARKS):
                self._head = data
                return b""
            data = self._begin(data)
        return self._convert(data, False)

    def finish(self) -> bytes:
        """Return the rest of the text.

        ReadError if the text ends within a character, or too many bytes are not UTF-8.
        """
        data = b""
        if not self._codec:
            data = self._begin(self._head)
        return self._convert(data, True)

    def _begin(self, data: bytes) -> bytes:
        """Determine the encoding; returns the bytes after the byte order mark."""
        mark, codec = next(
            ((mark, codec) for mark, codec in BYTE_ORDER_MARKS if data.startswith(mark)), (b"", "")
        )
        wanted = self._wanted
        if wanted in ("utf-16", "utf-32"):
            wanted = _byte_order(data, wanted) if not codec.startswith(wanted) else codec
        if wanted is not None and mark and wanted != codec:
            raise ReadError(
                f"{self._file}: begins with the byte order mark of {codec}, but is to be read as "
                f"{self._wanted}"
            )
        self._codec = wanted or codec or "utf-8"
        if self._found is not None:
            self._found.codec, self._found.mark = self._codec, mark
        if self._codec != "utf-8":
            self._decoder = codecs.getincrementaldecoder(self._codec)()
            if self._found is not None:
                self._encoder = codecs.getincrementalencoder(self._codec)()
        elif self._wanted is None:
            self._watch = _Watch(self._file)
        return data[len(mark) :]

    def _convert(self, data: bytes, is_last: bool) -> bytes:
        if self._watch is not None:
            self._watch.add(data, is_last)
        if self._decoder is None:
            return data
        held = self._decoder.getstate()[0]
        try:
            text = self._decoder.decode(data, is_last)
        except UnicodeError as error:
            raise self._broken(held + data, error) from None
        try:
            utf8 = text.encode("utf-8")
        except UnicodeError:
            raise ReadError(
                f"{self._file}: line {self._n_lines + 1}: half of a character, not {self._codec}"
            ) from None
        if self._encoder is not None:
            self._check_written(self._encoder, data, text, is_last)
        self._n_lines += utf8.count(b"\n")
        return utf8

    def _check_written(
        self, encoder: codecs.IncrementalEncoder, data: bytes, text: str, is_last: bool
    ) -> None:
        """Refuse text whose bytes differ from those that the encoder writes."""
        try:
            written = encoder.encode(text, is_last)
        except UnicodeError:
            written = b""
            self._unwritten += b"?" * is_last
        self._unwritten += data
        if not self._unwritten.startswith(written) or (
            is_last and len(self._unwritten) > len(written)
        ):
            raise ReadError(
                f"{self._file}: near line {self._n_lines + 1}: cannot be kept byte for byte in "
                f"{self._codec}; convert it to UTF-8"
            )
        self._unwritten = self._unwritten[len(written) :]

    def _broken(self, data: bytes, error: UnicodeError) -> ReadError:
        """Make the error for bytes that are invalid in the encoding; it names the line."""
        start = getattr(error, "start", 0)
        before = codecs.getincrementaldecoder(self._codec)("replace").decode(data[:start])
        line = self._n_lines + before.count("\n") + 1
        shown = data[start : max(getattr(error, "end", 0), start + 1)][:4].hex(" ")
        what = f"the bytes {shown} are" if " " in shown else f"the byte {shown} is"
        return ReadError(f"{self._file}: line {line}: {what} not {self._codec}")


def _byte_order(data: bytes, codec: str) -> str:
    """Byte order of UTF-16 or UTF-32 without a mark: by its NULs, else this machine's."""
    width = 4 if codec == "utf-32" else 2
    first, last = data[::width].count(0), data[width - 1 :: width].count(0)
    order = _NATIVE if first == last else "be" if first > last else "le"
    return f"{codec}-{order}"


class _Watch:
    """Checks that a text is UTF-8 except for stray bytes."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._n_lines = 0
        self._n_bytes = 0
        self._position = 0
        self._tail = b""
        self._n_beyond_ascii = 0
        self._n_broken = 0
        self._has_quotes = False
        self._first_line = 0
        self._first_piece = b""
        self._nuls = [0, 0, 0, 0]  # by position in four bytes

    def add(self, data: bytes, is_last: bool = False) -> None:
        """Count bytes beyond ASCII; raises `ReadError` if the text is in another encoding."""
        if b"\0" in data:
            self._count_nuls(data)
        if self._tail or not data.isascii():
            self._count(data, is_last)
        self._position += len(data)
        self._n_lines += data.count(b"\n")
        self._n_bytes += len(data)
        if self._n_bytes > _MEMORY:
            self._n_bytes //= 2
            self._n_beyond_ascii //= 2
            self._n_broken //= 2
            self._nuls = [n // 2 for n in self._nuls]

    def _count(self, data: bytes, is_last: bool) -> None:
        data = self._tail + data
        try:
            text, n_read = codecs.utf_8_decode(data, "strict", is_last)
            n_broken = 0
        except UnicodeDecodeError as error:
            text, n_read = codecs.utf_8_decode(data, "surrogateescape", is_last)
            n_broken = len(re.findall("[\udc80-\udcff]", text))
            self._has_quotes = self._has_quotes or _has_quotes(data)
            if not self._n_broken:
                self._first_line = self._n_lines + data.count(b"\n", 0, error.start) + 1
                self._first_piece = data[error.start :]
        self._tail = data[n_read:]
        # Each escape stands for one byte; the rest are further bytes of good characters.
        self._n_beyond_ascii += n_read - len(text)
        self._n_broken += n_broken
        n_bytes = self._n_bytes + len(data)
        if (
            n_broken
            and (self._n_broken > _FEW or self._has_quotes)
            and self._n_broken * _RARE > n_bytes
            and self._n_broken > _SHARE * (self._n_broken + self._n_beyond_ascii)
        ):
            raise self._guess(self._first_piece + data)

    def _count_nuls(self, data: bytes) -> None:
        for place in range(4):
            self._nuls[place] += data[(place - self._position) % 4 :: 4].count(0)
        first, second, third, last = self._nuls
        even, odd = first + third, second + last
        most, least = max(even, odd), min(even, odd)
        n_bytes = self._n_bytes + len(data)
        line = self._n_lines + 1
        are_half = 2 * (most + least) > n_bytes and most >= _MIN_NULS and 3 * least >= most
        if are_half and 4 * min(first, last) < max(first, last):
            raise self._wide(line, f"utf-32-{'le' if first < last else 'be'}")
        if most < _MIN_NULS or 20 * least > most:
            return
        is_little = odd == most
        # Letters beyond Latin have no NUL, but spaces and line ends have one.
        n_marks = data.count(b" ") + data.count(b"\n")
        pairs = (b" \0", b"\n\0") if is_little else (b"\0 ", b"\0\n")
        n_pairs = sum(map(data.count, pairs))
        if 4 * most >= n_bytes or (n_marks and 10 * n_pairs >= 7 * n_marks):
            raise self._wide(line, "utf-16-le" if is_little else "utf-16-be")

    def _guess(self, sample: bytes) -> ReadError:
        try:
            likely = likely_encoding(sample)
        except ImportError:
            return self._error(
                self._first_line,
                "NAME",
                ", and without the package charset-normalizer nothing is known of what it is",
            )
        if self._has_quotes and not (likely or "").startswith("cp125"):
            likely = "cp1252"
        if likely is None:
            return self._error(self._first_line, "its NAME", "")
        return self._error(self._first_line, likely, f" but most likely {likely} (a guess)")

    def _error(self, line: int, name: str, what: str) -> ReadError:
        return ReadError(
            f"{self._file}: line {line}: this is not UTF-8{what}; convert it, or give --encoding "
            f"{name} (--encoding utf-8 leaves broken bytes as they are)"
        )

    def _wide(self, line: int, codec: str) -> ReadError:
        return self._error(line, codec, f" but most likely {codec}")


def _has_quotes(data: bytes) -> bool:
    """Whether a quotation mark of cp1252 or a similar set is next to a letter.

    After a broken byte it would be the rest of a UTF-8 character.
    """
    marks = rb"(?<![\x80-\xff])[\x91\x93](?=[A-Za-z])|(?<=[A-Za-z.,!?])[\x92\x94](?![\x80-\xff])"
    return re.search(marks, data) is not None


def likely_encoding(data: bytes) -> str | None:
    """Guess the encoding of a text that is not UTF-8; None without a good guess.

    Raises ImportError without the package charset-normalizer.
    """
    from charset_normalizer import from_bytes

    # Lines in ASCII hold no evidence.
    lines = [line for line in data[: 4 * _SAMPLE].splitlines(keepends=True) if not line.isascii()]
    found = from_bytes(b"".join(lines)[:_SAMPLE], cp_isolation=_CANDIDATES)
    # A match is named after one of the encodings in which the text reads alike.
    ranked = (
        (round(match.chaos, 2), -round(match.coherence, 2), _CANDIDATES.index(name), name)
        for match in found
        for name in match.could_be_from_charset
        if name in _CANDIDATES
    )
    best = min(ranked, default=None)
    return None if best is None else best[-1]


class TextEncoder:
    """Writes UTF-8 in the encoding of the file that it was read from, recorded in `found`.

    Only the case of letters may have changed. A letter whose new case the encoding lacks (Ÿ in
    Latin-1, ı of I) keeps its old case.
    """

    def __init__(self, found: FileEncoding) -> None:
        self._found = found
        self._has_begun = False
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._encoder: codecs.IncrementalEncoder | None = None

    def encode(self, data: bytes | memoryview, is_last: bool = False) -> bytes | memoryview:
        """Return the next bytes of the file."""
        mark = b""
        if not self._has_begun:
            self._has_begun = True
            mark = self._found.mark
            if self._found.codec != "utf-8":
                self._encoder = codecs.getincrementalencoder(self._found.codec)()
        if self._encoder is None:
            return mark + data if mark else data
        text = self._decoder.decode(data, is_last)
        before = self._encoder.getstate()
        try:
            return mark + self._encoder.encode(text, is_last)
        except UnicodeEncodeError:
            self._encoder.setstate(before)
            return mark + self._encoder.encode(_as_it_was(text, self._found.codec), is_last)


def _as_it_was(text: str, codec: str) -> str:
    """Replace each letter that a codec lacks by its other case."""
    siblings = _same_but_for_case()
    known: dict[int, str] = {}
    for letter in set(text):
        if not can_encode(letter, codec):
            known[ord(letter)] = next(
                (other for other in siblings.get(letter, ()) if can_encode(other, codec)), letter
            )
    return text.translate(known)


def can_encode(text: str, codec: str) -> bool:
    """Whether a codec has all characters of a text."""
    try:
        text.encode(codec)
    except UnicodeError:
        return False
    return True


@lru_cache(maxsize=1)
def _same_but_for_case() -> dict[str, list[str]]:
    """For each letter, the letters that a change of case turns into it."""
    siblings: defaultdict[str, list[str]] = defaultdict(list)
    # No letter from U+20000 on has case.
    for letter in map(chr, [*range(0xD800), *range(0xE000, 0x20000)]):
        for other in {letter.lower(), letter.upper(), letter.title()} - {letter}:
            if len(other) == 1:
                siblings[other].append(letter)
    for letter, other in ("iİ", "ıI", "Iı", "İi"):
        siblings[other].append(letter)
    return siblings
