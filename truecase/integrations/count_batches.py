"""Count pyarrow's record batches as rows that an engine adds up, and make files of their sums."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from truecase.errors import ColumnError, TrainingError
from truecase.ngram._words import Interner
from truecase.ngram.counting import CountedPieces, MemoryPlan, key_width
from truecase.ngram.lexicon import StopTally, pack_pairs, unpack_pairs
from truecase.ngram.vocabulary import EOS, FIRST_WORD, SPECIAL_SURFACES, Vocabulary
from truecase.training._ngram_code import decode, encode
from truecase.training.count_files import About, WordCounts, ngram_bits
from truecase.training.count_text import HowToCount, NgramCounter, count_words
from truecase.truecaser._column import InputColumn, lines_of_rows

if TYPE_CHECKING:
    import pyarrow as pa


# Rows of a batch of counts.
_ROWS = 1 << 16

# The kind of a key of `CountNgrams`, its first byte.
_TOTALS, _FIRST, _NGRAM = b"\0", b"\1", b"\2"
_LINES, _JUNK = b"\0", b"\1"
_KEY_BYTES = 16


def lines_of(batches: Iterable[pa.RecordBatch], column: str) -> Iterator[bytes]:
    """Yield blocks of lines, one line for each row of a column that is not null.

    Raises
    ------
    ColumnError
        The column does not hold text.
    """
    for batch in batches:
        texts = InputColumn(batch.column(column), f"column {column}")
        if texts.type.index_type or texts.type.name == "null":
            raise ColumnError(f"{texts.name}: expected text, found {texts.type}")
        for chunk in texts:
            if lines := lines_of_rows(chunk, 0, chunk.length):
                yield lines


@dataclass(frozen=True)
class CountWords:
    """Counts the words of a column: rows of ``word``, ``after``, ``n``, ``stops``, ``ends``.

    A row of a word has its count, how often it stands before a mark that ends sentences, and how
    often it ends a line with such a mark. A row with ``after`` counts how often that word follows
    such a mark behind the word. A row without a word counts lines, and lines left out.
    """

    how: HowToCount
    column: str

    SCHEMA = "word binary, after binary, n long, stops long, ends long"

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Count a part of the column."""
        import pyarrow as pa

        counted = count_words(lines_of(batches, self.column), self.how, on_disk=True)
        words = pa.array(_surfaces(counted.vocabulary), pa.binary())
        none = pa.nulls(len(words), pa.binary())
        yield _batch(words, none, counted.count[FIRST_WORD:], *counted.stops.counts[:, FIRST_WORD:])
        pairs, counts = counted.stops.pairs()
        nothing = np.zeros(len(pairs), np.int64)
        yield _batch(
            *(words.take(pa.array(side - FIRST_WORD)) for side in unpack_pairs(pairs)),
            counts,
            nothing,
            nothing,
        )
        of_lines = [np.array([n]) for n in (counted.about.n_lines, counted.about.n_junk, 0)]
        yield _batch(pa.nulls(1, pa.binary()), pa.nulls(1, pa.binary()), *of_lines)

    def summed(self, table: pa.Table) -> WordCounts:
        """Make counts of rows that were added up by ``word`` and ``after``."""
        import pyarrow.compute as pc

        no_word, no_after = (pc.is_null(table[name]) for name in ("word", "after"))
        totals = table.filter(no_word)
        words = table.filter(pc.and_(pc.invert(no_word), no_after))
        pairs = table.filter(pc.invert(no_after))
        vocabulary = _vocabulary(words["word"])
        interner = Interner(vocabulary=vocabulary)
        stops = StopTally(len(vocabulary))
        stops.counts[0, FIRST_WORD:] = words["stops"].to_numpy()
        stops.counts[1, FIRST_WORD:] = words["ends"].to_numpy()
        before, after = (
            interner.add_words(_vocabulary(pairs[name]))[FIRST_WORD:] for name in ("word", "after")
        )
        stops.add_pairs(pack_pairs(before, after), pairs["n"].to_numpy())
        n_lines, n_junk = (int(pc.sum(totals[name]).as_py() or 0) for name in ("n", "stops"))
        count = np.zeros(len(vocabulary), np.int64)
        count[FIRST_WORD:] = words["n"].to_numpy()
        count[EOS] = n_lines
        n_words = len(vocabulary) - FIRST_WORD
        if not n_words:
            raise TrainingError("the column has no words")
        about = About("words", **vars(self.how), n_lines=n_lines, n_words=n_words, n_junk=n_junk)
        return WordCounts.sorted(about, vocabulary, count, stops)


def _batch(words: Any, after: Any, *numbers: npt.NDArray[np.int64]) -> pa.RecordBatch:
    import pyarrow as pa

    columns = [words, after, *(pa.array(np.ascontiguousarray(column)) for column in numbers)]
    return pa.RecordBatch.from_arrays(columns, ["word", "after", "n", "stops", "ends"])


def _surfaces(vocabulary: Vocabulary) -> Any:
    """Words as pyarrow's binary, without the special ones."""
    import pyarrow as pa

    offsets = vocabulary.offsets[FIRST_WORD:]
    array = pa.Array.from_buffers(
        pa.large_binary(),
        len(offsets) - 1,
        [None, pa.py_buffer(np.ascontiguousarray(offsets)), pa.py_buffer(vocabulary.blob)],
    )
    return array.cast(pa.binary())


def _vocabulary(words: Any) -> Vocabulary:
    """Vocabulary of a column of words, in their order."""
    return Vocabulary.from_surfaces([*SPECIAL_SURFACES, *words.to_pylist()])


@dataclass(frozen=True)
class CountNgrams:
    """Counts the n-grams of a column: rows of ``key`` and ``n``.

    A key's first byte is its kind: a total, the number of a word that begins a sentence, or a
    packed n-gram. Numbers with the highest byte first follow, so that n-grams sort as bytes do.
    The words are passed separately, as the bytes of their file.
    """

    order: int
    column: str
    memory: int

    SCHEMA = "key binary, n long"

    def __call__(self, batches: Iterable[pa.RecordBatch], words: bytes) -> Iterator[pa.RecordBatch]:
        """Count a part of the column."""
        counter = NgramCounter(words_of(words), self.order, MemoryPlan(self.memory))
        counter.add(lines_of(batches, self.column), f"column {self.column}")
        lines = np.array([counter.n_lines, counter.n_junk], np.int64)
        totals = np.frombuffer(_LINES + _JUNK, np.uint8).reshape(2, 1)
        yield _key_batch(_TOTALS, totals, lines)
        initial = counter.initial
        first = np.flatnonzero(initial)
        keys = first.astype(">u4").view(np.uint8).reshape(-1, 4)
        yield _key_batch(_FIRST, keys, initial[first])
        for ngrams, counts in counter.counted():
            width = len(ngrams) // len(counts)
            for start in range(0, len(counts), _ROWS):
                some = counts[start : start + _ROWS]
                wide = np.zeros((len(some), 2), ">u8")
                wide[:, 2 - width :] = ngrams.reshape(-1, width)[start : start + len(some)]
                bytes_of = wide.view(np.uint8).reshape(-1, _KEY_BYTES)
                yield _key_batch(_NGRAM, bytes_of, some.astype(np.int64))


def _key_batch(
    kind: bytes, keys: npt.NDArray[np.uint8], counts: npt.NDArray[np.int64]
) -> pa.RecordBatch:
    """Keys of one kind, a row of `keys` each, with their counts."""
    import pyarrow as pa

    data = np.insert(keys, 0, kind[0], axis=1)
    array = pa.Array.from_buffers(pa.binary(data.shape[1]), len(data), [None, pa.py_buffer(data)])
    return pa.RecordBatch.from_arrays([array.cast(pa.binary()), pa.array(counts)], ["key", "n"])


def packed_rows(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Sorted rows of `CountNgrams`, many in one: ``kind``, ``keys``, and ``n``.

    Of n-grams, the keys and counts are as files of counts have them, and ``n`` is how many there
    are; a driver has little room for more. Of the rest, ``n`` has their numbers.
    """
    import pyarrow as pa

    for batch in batches:
        # Spark may be set to send offsets of 64 bits.
        keys, counts = batch.column("key").cast(pa.binary()), batch.column("n").to_numpy()
        if not len(counts):
            continue
        _, offsets, data = keys.buffers()
        starts = np.frombuffer(offsets, np.int32)[keys.offset : keys.offset + len(keys) + 1]
        blob = np.frombuffer(data, np.uint8)
        tags = blob[starts[:-1]]
        # Rows are sorted, so that those of a kind are adjacent.
        cuts = [0, *(np.flatnonzero(np.diff(tags)) + 1).tolist(), len(counts)]
        rows = [
            _packed(bytes(tags[a : a + 1]), blob[starts[a] : starts[b]], counts[a:b])
            for a, b in zip(cuts, cuts[1:], strict=False)
        ]
        yield pa.RecordBatch.from_arrays(
            [pa.array([row[i] for row in rows], pa.binary()) for i in range(3)],
            ["kind", "keys", "n"],
        )


def _packed(
    kind: bytes, keys: npt.NDArray[np.uint8], counts: npt.NDArray[np.int64]
) -> tuple[bytes, bytes, bytes]:
    rows = keys.reshape(len(counts), -1)[:, 1:]
    if kind != _NGRAM:
        return kind, rows.tobytes(), counts.astype("<i8").tobytes()
    if int(counts.max()) >= 1 << 32:
        raise TrainingError("an n-gram occurs 2**32 times or more")
    halves = np.ascontiguousarray(rows).view(">u8").astype(np.uint64).ravel()
    coded = encode(halves, 2, counts.astype(np.uint32), (0, 0))
    return kind, coded.tobytes(), str(len(counts)).encode()


class SummedNgrams:
    """Reads the rows of `packed_rows`, added up and in order, for a file of counts.

    Parameters
    ----------
    rows : iterable of (kind, keys, n)
        Of `packed_rows`.
    words : WordCounts
    order : int

    Attributes
    ----------
    about : About
    initial : int64 ndarray, shape (n_words,)
        How often each word, in the order of its bytes, is the first of a sentence.
    """

    def __init__(
        self, rows: Iterable[tuple[bytes, bytes, bytes]], words: WordCounts, order: int
    ) -> None:
        rows = iter(rows)
        self._ngrams: Iterable[tuple[bytes, bytes, bytes]] = ()
        n_words = len(words.vocabulary)
        self._width = key_width(order, ngram_bits(n_words))
        self.initial = np.zeros(n_words, np.int64)
        totals = {_LINES: 0, _JUNK: 0}
        for kind, keys, numbers in rows:
            if kind == _NGRAM:
                self._ngrams = itertools.chain([(kind, keys, numbers)], rows)
                break
            counts = np.frombuffer(numbers, "<i8")
            if kind == _TOTALS:
                for key, count in zip(keys, counts.tolist(), strict=True):
                    totals[bytes([key])] += count
            else:
                self.initial[np.frombuffer(keys, ">u4")] = counts
        self.about = words.about_ngrams(order, totals[_LINES], totals[_JUNK])

    def pieces(self) -> CountedPieces:
        """Yield the n-grams with their counts; call it once."""
        for _, coded, n in self._ngrams:
            keys, counts = decode(np.frombuffer(coded, np.uint8), int(n), 2, (0, 0))
            yield keys.reshape(-1, 2)[:, 2 - self._width :].ravel(), counts


@lru_cache(maxsize=1)
def words_of(data: bytes) -> WordCounts:
    """Read the words of a file's bytes; a process does it once, for its first task."""
    return WordCounts.load(BytesIO(data))
