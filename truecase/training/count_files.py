"""Files of counts, which merge: words and their numbers, then n-grams.

They are ZIP archives: they say what they hold, and each part has a checksum. In n-grams, the first
word of a sentence has its own id, ``n_words`` above the usual one: training decides later whether
to believe its capital.
"""

from __future__ import annotations

import contextlib
import dataclasses
import errno
import hashlib
import itertools
import json
import os
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from typing import IO, TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from truecase.base.atomic import atomic_write
from truecase.base.compression import check_is_plain
from truecase.base.model_file import __version__, check_is_file, little_endian
from truecase.base.spool import Int64s, UInt32s, UInt64s
from truecase.errors import CountsError, TruecaseError
from truecase.kernels.text import casing_of, is_turkic
from truecase.ngram import lexicon
from truecase.ngram.counting import CountedPieces, id_bits, key_width
from truecase.ngram.table import MAX_ORDER
from truecase.ngram.vocabulary import FIRST_WORD, SPECIAL_SURFACES, Vocabulary, canonical_order
from truecase.training._ngram_code import decode, encode

if TYPE_CHECKING:
    from typing_extensions import Self

FORMAT = "truecase counts"
FORMAT_VERSION = 1

_NUMBERS = ("n_lines", "n_words", "n_junk", "order", "n_ngrams")

Kind = Literal["words", "n-grams"]


# Descriptions


@dataclass(frozen=True)
class About:
    """The origin and kind of counts.

    Attributes
    ----------
    kind : {"words", "n-grams"}
    segmentation, language, clean
        See `truecase.training.count_text.HowToCount`.
    n_lines, n_junk : int
        Lines that were counted, and lines left out.
    n_words : int
        Different words; for n-grams, in all parts of the text.
    order, n_ngrams : int
        For n-grams: their length, and the number of different ones. Else 0.
    words : str
        For n-grams: `WordCounts.fingerprint` of their words.
    package : str
        Version of the package that counted: another may cut words or sentences differently.
    """

    kind: Kind
    segmentation: str
    language: str
    clean: bool
    n_lines: int
    n_words: int
    n_junk: int = 0
    order: int = 0
    n_ngrams: int = 0
    words: str = ""
    package: str = __version__

    def to_json(self) -> bytes:
        """Encode this for a file."""
        fields = {"format": FORMAT, "version": FORMAT_VERSION, **dataclasses.asdict(self)}
        return json.dumps(fields, indent=1).encode() + b"\n"

    @classmethod
    def from_json(cls, text: bytes, name: str) -> About:
        """Decode it from the file `name`; CountsError if it is broken or of another version."""
        try:
            fields = json.loads(text)
            about = _fields_of(fields)
            found = cls(**about) if fields["version"] == FORMAT_VERSION else None
        except (ValueError, TypeError, KeyError, RecursionError):
            raise CountsError(f"{name}: damaged: its description cannot be read") from None
        if found is None:
            raise CountsError(
                f"{name}: counts of format {fields['version']}, but truecase {__version__} knows "
                f"format {FORMAT_VERSION}: count the text again"
            )
        if found.package != __version__:
            raise CountsError(
                f"{name}: counted by truecase {found.package}, but this is truecase {__version__}, "
                "which may split words in another way: count the text again"
            )
        return found


def _fields_of(fields: Any) -> dict[str, Any]:
    """The fields of `About`, each with its type."""
    if fields["format"] != FORMAT or not isinstance(fields["version"], int):
        raise ValueError("another format")
    about = {name: value for name, value in fields.items() if name not in ("format", "version")}
    types: dict[str, type] = {"clean": bool, **dict.fromkeys(_NUMBERS, int)}
    for name, value in about.items():
        if type(value) is not types.get(name, str):
            raise TypeError(name)
        if isinstance(value, int) and value < 0:
            raise ValueError(name)
    if about["kind"] not in ("words", "n-grams") or about["segmentation"] not in ("raw", "space"):
        raise ValueError("kind")
    if about["kind"] == "n-grams" and not 1 <= about["order"] <= MAX_ORDER:
        raise ValueError("order")
    casing_of(about["language"])
    return about


# What differs between two files that do not add up: one's value, the other's name and its value.
_DIFFERENCES = {
    "kind": "counts of {}, but {} has counts of {}",
    "segmentation": "its segmentation is {}, but {} {}",
    "language": "its language is {}, but {} {}",
    "clean": "its text was {}, but {} {}",
    "order": "{}-grams, but {} has {}-grams",
    "words": "counted with other words than {1}: count all parts with --words of one and the same "
    "merged file",
}
_SHOWN: dict[str, dict[Any, str]] = {
    "language": {"": "not told"},
    "clean": {True: "cleaned", False: "not cleaned"},
}


def check_alike(first: About, first_name: str, other: About, other_name: str) -> None:
    """Raise CountsError if two files do not add up; the message names both and the difference."""
    for name, message in _DIFFERENCES.items():
        one, two = getattr(first, name), getattr(other, name)
        if one != two:
            shown = _SHOWN.get(name, {})
            message = message.format(shown.get(two, two), first_name, shown.get(one, one))
            raise CountsError(f"{other_name}: {message}")


ABOUT = "about.json"

# Archives

# Equal counts give equal bytes, whenever they are written.
_NO_DATE = (1980, 1, 1, 0, 0, 0)
_LEVEL = 1

_START = b"PK"

# `About` takes a dozen short lines.
_MOST_ABOUT = 1 << 16

# The errors that zipfile raises for a broken archive.
_OF_VALUES = (EOFError, NotImplementedError, OverflowError, ValueError)
_DAMAGE = (zipfile.BadZipFile, zlib.error, struct.error, *_OF_VALUES)


@contextlib.contextmanager
def create(path: str | os.PathLike[str]) -> Iterator[zipfile.ZipFile]:
    """Open a file of counts for writing; it appears whole or not at all."""
    check_is_plain(path)
    with atomic_write(path) as file, zipfile.ZipFile(file, "w") as archive:
        yield archive


def write_member(archive: zipfile.ZipFile, member: str, data: bytes) -> None:
    """Write a whole member, compressed."""
    archive.writestr(zipfile.ZipInfo(member, _NO_DATE), data, zipfile.ZIP_DEFLATED, _LEVEL)


def is_counts(path: str | os.PathLike[str]) -> bool:
    """Whether a file begins like a file of counts."""
    with open(path, "rb") as file:
        return file.read(len(_START)) == _START


class CountsReader:
    """Reads a file of counts.

    `path` is a file, or a BytesIO with the content of one; it is no stream, since the table of
    contents is at the end. Raises OSError if the file cannot be opened, CountsError if it is not
    a file of counts, damaged, cut short, or of another version.
    """

    def __init__(self, path: str | os.PathLike[str] | BytesIO) -> None:
        if isinstance(path, BytesIO):
            self.name, is_one = "counts", path.getvalue().startswith(_START)
        else:
            check_is_file(path)
            self.name, is_one = os.fspath(path), is_counts(path)
        if not is_one:
            raise CountsError(
                f"{self.name}: no file of counts; make one with `truecase train count`"
            )
        try:
            self._archive = zipfile.ZipFile(path)
        except _DAMAGE:
            raise CountsError(f"{self.name}: cut short or damaged: its end is missing") from None
        try:
            self.about = About.from_json(self.read(ABOUT, _MOST_ABOUT), self.name)
            self._check()
        except BaseException:
            self.close()
            raise

    def _check(self) -> None:
        """Refuse counts that the class does not read."""

    def read(self, member: str, most: int | None = None) -> bytes:
        """Read a whole member; CountsError if it is damaged or longer than `most` bytes."""
        with self.open(member) as file, self.naming_damage():
            # A byte more than that, so that zipfile sees the end and compares the checksum.
            data = file.read(-1 if most is None else most + 1)
        if most is not None and len(data) > most:
            raise _other_length(self.name, member)
        return data

    @contextlib.contextmanager
    def open(self, member: str) -> Iterator[IO[bytes]]:
        """Open a member for reading piece by piece; its end checks that all of it is as written."""
        try:
            file = self._archive.open(member)
        except OSError as error:
            # A place that no file has; any other error is not damage.
            if error.errno != errno.EINVAL:
                raise
            raise CountsError(f"{self.name}: damaged: no place for its part {member}") from None
        except (KeyError, RuntimeError, *_DAMAGE):
            if member == ABOUT:
                raise CountsError(f"{self.name}: no file of counts, but another archive") from None
            raise CountsError(f"{self.name}: damaged: its part {member} is missing") from None
        with file:
            yield file

    @contextlib.contextmanager
    def naming_damage(self) -> Iterator[None]:
        """Replace the errors of reading a damaged file by one that names the file."""
        try:
            yield
        except TruecaseError:
            raise
        except ValueError as error:
            raise CountsError(f"{self.name}: damaged: {error}") from None
        except _DAMAGE:
            raise CountsError(f"{self.name}: damaged: a checksum does not fit") from None

    def verify(self) -> None:
        """Compare all checksums; CountsError if one differs."""
        with self.naming_damage():
            damaged = self._archive.testzip()
        if damaged is not None:
            raise CountsError(f"{self.name}: damaged: the checksum of {damaged} does not fit")

    def close(self) -> None:
        """Close the file."""
        self._archive.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def little(values: npt.NDArray[Any]) -> bytes:
    """Numbers in the byte order of files."""
    return little_endian(values).tobytes()


def numbers(file: CountsReader, member: str, dtype: Any, n: int | None = None) -> npt.NDArray[Any]:
    """Read a member that holds `n` numbers, or any number of them."""
    kind = np.dtype(dtype).newbyteorder("<")
    size = None if n is None else n * kind.itemsize
    data = file.read(member, size)
    if len(data) % kind.itemsize or (size is not None and len(data) != size):
        raise _other_length(file.name, member)
    return np.frombuffer(data, kind).astype(dtype)


def _other_length(name: str, member: str) -> CountsError:
    return CountsError(f"{name}: damaged: its part {member} has another length")


_LINE_END = 10


# Words

#: No text has so many words; counts up to this limit can be added without checking each sum.
MOST = 1 << 53


@dataclass
class WordCounts:
    """The words of a text in the order of their bytes, with their counts.

    `vocabulary` begins with the three special words; `count`, int64, shape (n_words,), has the
    occurrences of each word, and for ``</s>`` the number of lines.
    """

    about: About
    vocabulary: Vocabulary
    count: Int64s
    stops: lexicon.StopTally

    @classmethod
    def sorted(
        cls, about: About, vocabulary: Vocabulary, count: Int64s, stops: lexicon.StopTally
    ) -> WordCounts:
        """Sort the counts of words that are in any order."""
        ids = vocabulary.byte_order()
        order = np.concatenate([np.arange(FIRST_WORD, dtype=np.uint32), ids])
        new_id = np.zeros(len(order), np.uint32)
        new_id[order] = np.arange(len(order), dtype=np.uint32)
        tally = lexicon.StopTally(len(order))
        tally.add_tally(stops, new_id)
        return cls(about, vocabulary.take(ids), count[order], tally)

    @cached_property
    def ids(self) -> UInt32s:
        """Places of the words, in the order of training's ids."""
        ids = canonical_order(self.vocabulary, self.count)
        return np.concatenate([np.arange(FIRST_WORD, dtype=np.uint32), ids])

    def training_vocabulary(self) -> Vocabulary:
        """The words in the order of training's ids."""
        return self.vocabulary.take(self.ids[FIRST_WORD:])

    def forms(self) -> lexicon.Forms:
        """Forms in the order of training's ids, without their counts as first words."""
        forms = lexicon.describe_vocabulary(
            self.vocabulary.blob, self.vocabulary.offsets, is_turkic(self.about.language)
        )
        forms.count += self.count
        lexicon.mark_abbreviations(forms, self.stops)
        return forms.take(self.ids)

    def fingerprint(self) -> str:
        """A hash of these counts, in hexadecimal."""
        digest = hashlib.sha256()
        words = (self.vocabulary.blob, self.vocabulary.offsets, self.count)
        for part in (*words, self.stops.counts, *self.stops.pairs()):
            digest.update(little(part))
        return digest.hexdigest()[:32]

    def about_ngrams(self, order: int, n_lines: int, n_junk: int) -> About:
        """The description of n-grams that were counted with these words."""
        words = self.fingerprint()
        return dataclasses.replace(
            self.about, kind="n-grams", order=order, n_lines=n_lines, n_junk=n_junk, words=words
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a file of counts, whole or not at all; equal counts give equal bytes."""
        with create(path) as file:
            self.write(file)
            write_member(file, ABOUT, self.about.to_json())

    def write(self, file: zipfile.ZipFile) -> None:
        """Write the words as members of a file."""
        blob, offsets = self.vocabulary.blob, self.vocabulary.offsets
        start = int(offsets[FIRST_WORD])
        ends = offsets[FIRST_WORD + 1 :] - start
        # A line end follows each word; no word contains one.
        lines = np.insert(blob[start:], ends, _LINE_END) if len(ends) else blob[start:]
        write_member(file, "words.txt", lines.tobytes())
        write_member(file, "words.counts", little(self.count))
        write_member(file, "stops.counts", little(self.stops.counts))
        pairs, counts = self.stops.pairs()
        write_member(file, "stops.pairs", little(pairs))
        write_member(file, "stops.pair_counts", little(counts))

    @classmethod
    def read(cls, file: CountsReader) -> WordCounts:
        """Read the words of a file; CountsError if they are damaged."""
        lines = np.frombuffer(file.read("words.txt"), np.uint8)
        ends = np.flatnonzero(lines == _LINE_END)
        if len(lines) and (not len(ends) or ends[-1] != len(lines) - 1):
            raise CountsError(f"{file.name}: damaged: its last word has no end")
        specials = np.frombuffer(b"".join(SPECIAL_SURFACES), np.uint8)
        lengths = np.diff(ends, prepend=-1) - 1
        offsets = np.zeros(FIRST_WORD + len(ends) + 1, np.int64)
        offsets[1:] = np.cumsum([*map(len, SPECIAL_SURFACES), *lengths])
        vocabulary = Vocabulary(np.concatenate([specials, lines[lines != _LINE_END]]), offsets)
        n_words = len(vocabulary)
        in_order = np.arange(FIRST_WORD, n_words, dtype=np.uint32)
        if bool((lengths < 1).any()) or not np.array_equal(vocabulary.byte_order(), in_order):
            raise CountsError(f"{file.name}: damaged: its words are not in their order")
        if n_words - FIRST_WORD != file.about.n_words:
            raise CountsError(f"{file.name}: damaged: it has another number of words")
        count = numbers(file, "words.counts", np.int64, n_words)
        stops = lexicon.StopTally(n_words)
        stops.counts[:] = numbers(file, "stops.counts", np.int64, 2 * n_words).reshape(2, -1)
        pair_counts = numbers(file, "stops.pair_counts", np.int64)
        pairs = numbers(file, "stops.pairs", np.uint64, len(pair_counts))
        if max(int(side.max(initial=0)) for side in lexicon.unpack_pairs(pairs)) >= n_words:
            raise CountsError(f"{file.name}: damaged: a number of a word is too large")
        for counts in (count, stops.counts, pair_counts):
            if int(counts.min(initial=0)) < 0:
                raise CountsError(f"{file.name}: damaged: a count is negative")
            if int(counts.max(initial=0)) > MOST:
                raise CountsError(f"{file.name}: damaged: a count is larger than any text")
        stops.add_pairs(pairs, pair_counts)
        return cls(file.about, vocabulary, count, stops)

    @classmethod
    def load(cls, path: str | os.PathLike[str] | BytesIO) -> WordCounts:
        """Read a file of words.

        Raises OSError if it cannot be opened, CountsError if it is damaged or not a file of words.
        """
        with CountsReader(path) as file:
            if file.about.kind != "words":
                raise CountsError(
                    f"{file.name}: counts of {file.about.kind}; expected words, as "
                    "`truecase train count` without --words makes them"
                )
            return cls.read(file)


# N-grams

# Records of one block of n-grams in the file; bytes that stand before a block.
_BLOCK = 1 << 16
_HEADER = struct.Struct("<II")
_MOST_BYTES = 24 * _BLOCK

MEMBER = "n-grams"


def ngram_bits(n_words: int) -> int:
    """Bits of a word's id in n-grams, where first words of sentences have their own ids."""
    return id_bits(2 * n_words)


def write_ngrams(
    path: str | os.PathLike[str],
    about: About,
    words: WordCounts,
    initial: Int64s,
    pieces: CountedPieces,
) -> About:
    """Write a file of n-grams, whole or not at all; equal counts give equal bytes.

    Parameters
    ----------
    path : path
    about : About
        The result is this with the number of n-grams filled in.
    words : WordCounts
    initial : int64 ndarray, shape (n_words,)
        Occurrences of each word, in the order of its bytes, as first word of a sentence.
    pieces : iterable of (keys, counts)
        In ascending order.
    """
    with create(path) as file:
        words.write(file)
        write_member(file, "first.counts", little(initial))
        with file.open(zipfile.ZipInfo(MEMBER, _NO_DATE), "w", force_zip64=True) as out:
            width = key_width(about.order, ngram_bits(len(initial)))
            previous, n_ngrams = (0, 0), 0
            for keys, counts in _blocks(pieces, width):
                coded = encode(keys, width, counts, previous)
                out.write(_HEADER.pack(len(counts), len(coded)))
                out.write(coded.data)
                previous = _last(keys, width)
                n_ngrams += len(counts)
        about = dataclasses.replace(about, n_ngrams=n_ngrams)
        write_member(file, ABOUT, about.to_json())
    return about


def _blocks(pieces: CountedPieces, width: int) -> CountedPieces:
    """Cut n-grams into blocks of one size, so that files do not depend on the pieces."""
    waiting: list[tuple[UInt64s, UInt32s]] = []
    n_waiting = 0
    for piece in itertools.chain(pieces, [None]):
        if piece is not None:
            waiting.append(piece)
            n_waiting += len(piece[1])
        if n_waiting >= _BLOCK or piece is None:
            keys = np.concatenate([keys for keys, _ in waiting] or [np.zeros(0, np.uint64)])
            counts = np.concatenate([counts for _, counts in waiting] or [np.zeros(0, np.uint32)])
            cut = len(counts) if piece is None else len(counts) // _BLOCK * _BLOCK
            for start in range(0, cut, _BLOCK):
                end = min(start + _BLOCK, cut)
                yield keys[start * width : end * width], counts[start:end]
            waiting, n_waiting = [(keys[cut * width :], counts[cut:])], len(counts) - cut


def _last(keys: UInt64s, width: int) -> tuple[int, int]:
    return (int(keys[-2]) if width == 2 else 0, int(keys[-1]))


class NgramCounts(CountsReader):
    """A file of n-grams, open for reading; `n_bytes` are those of its n-grams.

    Raises OSError if it cannot be opened, CountsError if it is damaged or not a file of n-grams.
    """

    def _check(self) -> None:
        if self.about.kind != "n-grams":
            raise CountsError(
                f"{self.name}: counts of words alone; count the text once more with --words "
                f"{self.name}, which gives those of n-grams"
            )
        with self.open(MEMBER):
            self.n_bytes = self._archive.getinfo(MEMBER).file_size
        # Memory is taken for as many as it says; each has two bytes or more.
        if 2 * self.about.n_ngrams > self.n_bytes:
            raise CountsError(
                f"{self.name}: damaged: its description has {self.about.n_ngrams:,} n-grams, more "
                f"than its {self.n_bytes:,} bytes of n-grams can hold"
            )

    def words(self) -> WordCounts:
        """The words of the n-grams."""
        return WordCounts.read(self)

    def initial(self, words: WordCounts) -> Int64s:
        """Occurrences of each word, in the order of its bytes, as first word of a sentence."""
        initial = numbers(self, "first.counts", np.int64, len(words.vocabulary))
        if bool((initial < 0).any()) or bool((initial > words.count).any()):
            raise CountsError(f"{self.name}: damaged: a word is first more often than it occurs")
        return initial

    def pieces(
        self, n_words: int, add_bytes: Callable[[int], None] = lambda n: None
    ) -> CountedPieces:
        """The n-grams with their counts in ascending order; `add_bytes` gets their bytes.

        Raises CountsError if they are damaged, at the end at the latest.
        """
        n_bits = self.about.order * ngram_bits(n_words)
        if n_bits > 128:
            raise CountsError(f"{self.name}: damaged: it has too many words for its n-grams")
        width = key_width(self.about.order, ngram_bits(n_words))
        previous, n_ngrams = (0, 0), 0
        with self.open(MEMBER) as file, self.naming_damage():
            while header := file.read(_HEADER.size):
                if len(header) < _HEADER.size:
                    raise ValueError("its n-grams end too early")
                n, n_bytes = _HEADER.unpack(header)
                if not 1 <= n <= _BLOCK or not n_bytes <= _MOST_BYTES:
                    raise ValueError("a block of n-grams has an impossible size")
                keys, counts = decode(file.read(n_bytes), n, width, previous)
                previous = _last(keys, width)
                # The last one is the greatest.
                if (previous[0] << 64 | previous[1]) >> n_bits:
                    raise ValueError("an n-gram is beyond all words")
                n_ngrams += n
                add_bytes(_HEADER.size + n_bytes)
                yield keys, counts
            if n_ngrams != self.about.n_ngrams:
                raise ValueError(
                    f"it has {n_ngrams} n-grams, but its description {self.about.n_ngrams}"
                )
