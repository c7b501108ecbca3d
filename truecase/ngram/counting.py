"""N-gram counts: the highest order from a text or earlier counts, the other orders from these."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from truecase.base._component import give_back_memory
from truecase.base.spool import Bools, Int64s, Spool, UInt32s, UInt64s
from truecase.base.threads import ordered_map
from truecase.errors import EmptyCorpusError
from truecase.ngram import _kneser_ney as kernel
from truecase.ngram._count import NgramBlock
from truecase.ngram.vocabulary import BOS, EOS, IdStream

#: N-grams that are sorted at a time.
AT_ONCE = 1 << 22

_MOST_RANGES = 12
_CHUNK_RECORDS = 1 << 16

#: Distinct n-grams of one order in lexicographic order, and their counts, in pieces.
CountedPieces = Iterator[tuple[UInt64s, UInt32s]]


def counted_by_range(
    order: int,
    bits: int,
    most: Int64s,
    add: Callable[[NgramBlock, int, int], None],
    threads: int,
    at_once: int = AT_ONCE,
) -> CountedPieces:
    """Yield the distinct n-grams in lexicographic order with their counts, in pieces.

    Parameters
    ----------
    order, bits : int
        Words of an n-gram, bits of a word id.
    most : int64 ndarray, shape (n_words,)
        Upper bound of the number of n-grams that begin with each word.
    add : callable
        ``add(block, first, last)`` adds the n-grams whose first word is in a range to a block.
    threads, at_once : int
        Ranges counted at a time, and the least bound of the n-grams of a range. The n-grams do not
        depend on them.
    """
    ranges = _ranges(most, max(at_once, int(most.sum()) // _MOST_RANGES))
    # Whole chunks are added at a time while the block has room left.
    capacity = _CHUNK_RECORDS + max(
        (int(most[first : last + 1].sum()) for first, last in ranges), default=0
    )
    here = threading.local()

    def count(words: tuple[int, int]) -> tuple[UInt64s, UInt32s]:
        # Reused: the system would have to clear new memory.
        block = getattr(here, "block", None)
        if block is None:
            block = here.block = NgramBlock(order, bits, capacity)
        add(block, *words)
        return block.flush()

    return ordered_map(count, ranges, threads)


def _ranges(most: Int64s, n_ngrams: int) -> list[tuple[int, int]]:
    """Ranges of words that at most `n_ngrams` n-grams begin with; or ranges of one word."""
    before = np.concatenate([[0], np.cumsum(most)])
    ranges, first = [], 0
    while first < len(most):
        end = int(np.searchsorted(before, before[first] + n_ngrams, side="right")) - 1
        end = max(end, first + 1)
        ranges.append((first, end - 1))
        first = end
    return ranges


# More records than any column has.
EVERYTHING = 1 << 40

# With less, seeking in many short runs and ranges takes all the time.
LEAST_LIMIT = 1 << 20


@dataclass(frozen=True)
class MemoryPlan:
    """How much is held in memory at a time.

    Without a limit, columns are arrays and passes work on whole columns. With a limit, columns are
    temporary files, n-grams are sorted in blocks that are merged from disk, and the probabilities
    of a lower order are looked up range by range. Results do not depend on the plan.

    Attributes
    ----------
    limit : int or None
        Bytes in memory at a time, without arrays that have an item per word of the vocabulary and
        without the n-grams of one context.
    threads : int
        Pieces of columns that are worked on at a time.
    """

    limit: int | None = None
    threads: int = 1

    @classmethod
    def for_memory(cls, memory: int | None, reserved: int, threads: int) -> MemoryPlan:
        """The plan that keeps to `memory` bytes, some of them `reserved` for other things."""
        if memory is None:
            return cls(None, threads)
        return cls(max(memory - reserved, LEAST_LIMIT), threads)

    @property
    def on_disk(self) -> bool:
        """Whether columns are temporary files."""
        return self.limit is not None

    def spool(self, dtype: npt.DTypeLike, width: int = 1) -> Spool:
        """Make an empty column."""
        return Spool(dtype, width, self.on_disk)

    @property
    def chunk_records(self) -> int:
        """Number of records that a pass over sorted columns works on at a time."""
        if self.limit is None:
            return EVERYTHING
        # A pass has up to ten columns, each twice while chunks are cut, and chunks in threads.
        return min(max(self.limit >> 10, 1 << 12), 1 << 18)

    @property
    def piece_records(self) -> int:
        """Number of records that one thread works on at a time."""
        return min(self.chunk_records, 1 << 18)

    def sort_capacity(self, width: int, needed: int) -> int:
        """Number of n-grams to sort at a time, at most `needed`."""
        most = (1 << 32) - 1
        if self.limit is not None:
            # The keys, a scratch copy, and the counts.
            most = min(most, self.limit * 3 // 4 // (16 * width + 4))
        return max(1, min(needed, most))

    def merge_records(self, width: int, n_runs: int) -> int:
        """Number of records of each run that are in memory during a merge."""
        if self.limit is None:
            return 1 << 18
        return min(max(self.limit // 2 // ((8 * width + 4) * (n_runs + 1)), 64), 1 << 18)

    def lookup_records(self, width: int, needed: int) -> int:
        """Number of n-grams of a lower order in one look-up table."""
        if self.limit is None:
            return needed
        # A table that is 5/8 full, and the columns it is made from; at most 255 tables.
        per_record = 38 if width == 1 else 72
        return max(self.limit * 3 // 4 // per_record, -(-needed // 255))


def side_by_side(n_records: int, *columns: Spool) -> Iterator[Any]:
    """Yield the same records of several columns, a tuple of arrays, `n_records` at a time."""
    return zip(*(column.chunks(n_records) for column in columns), strict=True)


@dataclass
class OrderColumns:
    """The distinct n-grams of one order, in lexicographic order, in columns of one record each.

    `keys` are packed words, `adjusted` the adjusted counts, and `raw` the counts in the corpus,
    which in the highest order are the same. The estimate adds linear probabilities, before pruning,
    and below the highest order backoffs.
    """

    order: int
    bits: int
    keys: Spool
    adjusted: Spool
    raw: Spool
    probability: Spool = field(init=False)
    backoff: Spool | None = None

    def close(self) -> None:
        """Free memory and temporary files."""
        for column in (self.keys, self.raw, self.probability, self.backoff):
            if column is not None:
                column.close()

    def context_chunks(
        self, columns: Sequence[Spool], n_records: int
    ) -> Iterator[list[npt.NDArray[Any]]]:
        """Yield consecutive parts of some columns, the keys first, that hold whole contexts."""
        readers = [column.reader() for column in columns]
        width = columns[0].width
        left = len(columns[0])
        carried: list[npt.NDArray[Any]] | None = None
        while left:
            chunk = [reader.take(n_records) for reader in readers]
            left -= len(chunk[0]) // width
            if carried is not None:
                chunk = [np.concatenate(pair) for pair in zip(carried, chunk, strict=True)]
                carried = None
            if left:
                last = _key_at(chunk[0], width, len(chunk[0]) // width - 1)
                cut = _lower_bound(chunk[0], width, last >> self.bits << self.bits)
                carried = [chunk[0][cut * width :], *(column[cut:] for column in chunk[1:])]
                chunk = [chunk[0][: cut * width], *(column[:cut] for column in chunk[1:])]
                if not cut:
                    continue
            yield chunk


def _key_at(keys: UInt64s, width: int, record: int) -> int:
    key = keys[record * width : (record + 1) * width].tolist()
    return int(key[0]) if width == 1 else int(key[0] << 64 | key[1])


def _lower_bound(keys: UInt64s, width: int, key: int) -> int:
    """Index of the first record that is not less than `key`."""
    records = range(len(keys) // width)
    return bisect_left(records, key, key=lambda record: _key_at(keys, width, record))


def id_bits(vocabulary_size: int) -> int:
    """Number of bits that every word id fits in."""
    return max(2, (vocabulary_size - 1).bit_length())


def key_width(order: int, bits: int) -> int:
    """uint64 per packed n-gram."""
    return 1 if order * bits <= 64 else 2


class RunCounter:
    """Counts n-grams of one order that come in any order: sorts blocks, then merges the runs.

    There are at most `needed` n-grams; `counted` is as for `NgramBlock`.
    """

    def __init__(
        self, order: int, bits: int, needed: int, plan: MemoryPlan, counted: bool = False
    ) -> None:
        self.width = key_width(order, bits)
        self.about = order, bits
        self.plan = plan
        capacity = plan.sort_capacity(self.width + counted, needed)
        self.block: NgramBlock | None = NgramBlock(order, bits, capacity, counted)
        self.keys = plan.spool(np.uint64, self.width)
        self.counts = plan.spool(np.uint32)
        # Run i is the records run_ends[i] … run_ends[i + 1] - 1 of both.
        self.run_ends = [0]

    def add(self, n: int, add_to: Callable[..., int], *records: Any) -> None:
        """Add `n` records; `add_to`, a method of `NgramBlock`, returns the first not yet added."""
        start = 0
        while start < n:
            assert self.block is not None
            start = add_to(self.block, start, *records)
            if len(self.block) == self.block.capacity:
                self.flush()

    def flush(self) -> None:
        """Make a sorted run of the block's n-grams."""
        assert self.block is not None
        if len(self.block):
            keys, counts = self.block.flush(copy=not self.plan.on_disk)
            self.keys.append(keys)
            self.counts.append(counts)
            self.run_ends.append(len(self.counts))

    def counted(self) -> CountedPieces:
        """Yield the distinct n-grams in lexicographic order with their counts, in pieces."""
        self.flush()
        self.block = None
        n_runs = len(self.run_ends) - 1
        if n_runs == 1:
            yield from side_by_side(self.plan.chunk_records, self.keys, self.counts)
        elif n_runs:
            n = self.plan.merge_records(self.width, n_runs)
            sources = [self._source(i, n) for i in range(n_runs)]
            yield from merged(sources, *self.about, self.plan)
        self.keys.close()
        self.counts.close()

    def _source(self, run: int, n: int) -> Callable[[], Any]:
        keys = self.keys.reader(self.run_ends[run], self.run_ends[run + 1])
        counts = self.counts.reader(self.run_ends[run], self.run_ends[run + 1])
        return lambda: (keys.take(n), counts.take(n))


def merged(
    sources: Iterable[Callable[[], Any]], order: int, bits: int, plan: MemoryPlan
) -> CountedPieces:
    """Yield one sorted run of several; a source returns the next part of its run, empty at its end.

    A piece has all n-grams up to the least one that ends its share of the block in a run.
    """
    width = key_width(order, bits)
    runs: list[Any] = [[source, *source(), 0] for source in sources]
    # Small enough for a processor's cache.
    capacity = max(min(plan.chunk_records, 1 << 16), len(runs))
    block = NgramBlock(order, bits, capacity, counted=True)
    while runs := [run for run in runs if len(run[2])]:
        share = capacity // len(runs)
        last = min(
            _key_at(keys, width, min(start + share, len(counts)) - 1)
            for _, keys, counts, start in runs
        )
        for run in runs:
            source, keys, counts, start = run
            run[3] = block.add_counted(start, keys, counts, divmod(last, 1 << 64))
            if run[3] == len(counts):
                run[1:] = *source(), 0
        yield block.flush()


class NgramSource(Protocol):
    """A text or earlier counts, from which n-grams are counted."""

    def counted(self, vocabulary_size: int, order: int, plan: MemoryPlan) -> CountedPieces:
        """Yield the n-grams of one order; word ids are below `vocabulary_size`. Call it once.

        Each line is padded with ``order - 1`` times ``<s>`` in front and ends with ``</s>``.
        """


@dataclass
class RenumberedNgrams:
    """N-grams that were counted before, under other word ids.

    Attributes
    ----------
    pieces : CountedPieces
        The n-grams under their old ids.
    n_ngrams : int
        Number of these n-grams.
    order, bits : int
        Of these n-grams.
    new_id : uint32 ndarray
        New id of each word id.
    """

    pieces: CountedPieces
    n_ngrams: int
    order: int
    bits: int
    new_id: UInt32s

    def counted(self, vocabulary_size: int, order: int, plan: MemoryPlan) -> CountedPieces:
        """As `NgramSource.counted`; the order is at most that of the n-grams."""
        counter = RunCounter(order, id_bits(vocabulary_size), self.n_ngrams, plan, counted=True)
        about = (self.order, self.bits, self.new_id)
        for keys, counts in self.pieces:
            counter.add(len(counts), NgramBlock.add_renumbered, keys, counts, *about)
        return counter.counted()


def count_orders(
    source: NgramSource,
    vocabulary_size: int,
    order: int,
    plan: MemoryPlan,
    report: Callable[[str], None],
) -> tuple[UInt32s, UInt32s, list[OrderColumns], list[Int64s]]:
    """Count the n-grams of all orders; EmptyCorpusError if the source has no words.

    Returns
    -------
    unigram_adjusted, unigram_raw : uint32 arrays, shape (vocabulary_size,)
        Adjusted counts, and counts in the corpus.
    orders : list of OrderColumns
        Of orders 2 and up.
    counts_of_counts : list of int64 arrays, shape (4,)
        For every order, the number of n-grams with an adjusted count of 1, 2, 3 and 4.
    """
    bits = id_bits(vocabulary_size)
    if order * bits > 128:
        raise OverflowError(f"{order}-grams of {vocabulary_size} different words cannot be counted")
    report("counting words" if order == 1 else f"counting {order}-grams")
    of_words = np.zeros(vocabulary_size, dtype=np.int64)
    pieces = _tallied(source.counted(vocabulary_size, order, plan), order, bits, of_words)
    orders: list[OrderColumns] = []
    initial: list[tuple[Spool, Spool]] = []
    greatest = 0
    if order == 1:
        for _ in pieces:
            pass
    else:
        highest, initial, greatest = count_highest(pieces, order, bits, plan)
        orders = [highest]
    if not of_words[EOS + 1 :].any():
        raise EmptyCorpusError("the corpus has no words: there is nothing to estimate a model from")
    # A line begins as often as one ends.
    of_words[BOS] = of_words[EOS]
    if int(of_words.max()) >= 1 << 32:
        raise OverflowError("a word occurs 2**32 times or more")
    unigram_raw = of_words.astype(np.uint32)
    for k in range(order - 1, 1, -1):
        report(f"counting {k}-grams")
        give_back_memory()
        orders.insert(0, count_lower(orders[0], initial.pop(), plan))
    of_words[BOS] = 0
    if orders:
        of_words[:] = 0
        for keys in orders[0].keys.chunks(plan.chunk_records):
            kernel.count_words(keys, 2, bits, 0, of_words)
    unigram_adjusted = of_words.astype(np.uint32)
    of_counts = [_counts_of_counts(unigram_adjusted)]
    for columns in orders:
        chunks = columns.adjusted.chunks(plan.chunk_records)
        of_counts.append(sum(map(_counts_of_counts, chunks), np.zeros(4, np.int64)))
    _count_the_last_as_lmplz(of_counts, orders, unigram_adjusted, unigram_raw, greatest, plan)
    return unigram_adjusted, unigram_raw, orders, of_counts


def _tallied(pieces: CountedPieces, order: int, bits: int, of_words: Int64s) -> CountedPieces:
    """Yield the pieces, and add each word's n-grams to `of_words`: it ends one per occurrence."""
    for keys, counts in pieces:
        kernel.count_words(keys, order, bits, 0, of_words, counts)
        yield keys, counts


def _counts_of_counts(adjusted: UInt32s) -> Int64s:
    return np.array([np.count_nonzero(adjusted == count) for count in (1, 2, 3, 4)])


def count_highest(
    pieces: CountedPieces, order: int, bits: int, plan: MemoryPlan
) -> tuple[OrderColumns, list[tuple[Spool, Spool]], int]:
    """Counts of the highest order.

    Returns
    -------
    highest : OrderColumns
    initial : list of (keys, counts)
        For the orders 2 … ``order - 1``: n-grams that begin with <s>.
    greatest : int
        The padded n-gram that is greatest in order of its words from the last to the first.
    """
    width = key_width(order, bits)
    keys_out, counts_out = plan.spool(np.uint64, width), plan.spool(np.uint32)
    initial = [
        (plan.spool(np.uint64, key_width(k, bits)), plan.spool(np.uint32)) for k in range(2, order)
    ]
    greatest = 0

    def last_word_first(key: int) -> list[int]:
        return [key >> bits * i & (1 << bits) - 1 for i in range(order)]

    for keys, counts in pieces:
        greatest = max(greatest, _greatest_reversed(keys, order, bits), key=last_word_first)
        start = 0
        for k in range(2, order):
            # The least n-gram with fewer <s> in front; those with more come before it.
            words = [BOS] * (order - k) + [EOS]
            least = sum(word << bits * (order - 1 - i) for i, word in enumerate(words))
            end = _lower_bound(keys, width, least)
            if end > start:
                part = keys[start * width : end * width]
                initial[k - 2][0].append(kernel.last_words(part, order, k, bits))
                initial[k - 2][1].append(counts[start:end].copy())
                start = end
        # A slice keeps the whole array alive, so a small one is copied.
        keys, counts = keys[start * width :], counts[start:]
        keys_out.append(keys.copy() if start > len(counts) else keys)
        counts_out.append(counts.copy() if start > len(counts) else counts)
    return OrderColumns(order, bits, keys_out, counts_out, counts_out), initial, greatest


def _greatest_reversed(keys: UInt64s, order: int, bits: int) -> int:
    """The n-gram that is greatest when words are compared from the last to the first."""
    words = kernel.unpack(keys, order, bits)
    left = np.arange(len(words))
    for column in words.T[::-1]:
        left = left[column[left] == column[left].max(initial=0)]
    return _key_at(keys, key_width(order, bits), int(left[0])) if len(left) else 0


def _suffixes(above: OrderColumns, plan: MemoryPlan) -> CountedPieces:
    """Yield the distinct suffixes of the n-grams above, with the number of n-grams of each."""
    order, bits = above.order - 1, above.bits
    if plan.on_disk:
        counter = RunCounter(order, bits, len(above.adjusted), plan)
        for keys in above.keys.chunks(plan.chunk_records):
            counter.add(len(keys) // above.keys.width, NgramBlock.add_suffixes, keys)
        return counter.counted()
    keys = above.keys.array()
    most = np.zeros(1 << bits, np.int64)
    kernel.count_words(keys, above.order, bits, above.order - 2, most)

    def add(block: NgramBlock, first: int, last: int) -> None:
        start, n = 0, len(keys) // above.keys.width
        while start < n:
            start = block.add_suffixes(start, keys, first, last)

    return counted_by_range(order, bits, most, add, plan.threads)


def count_lower(
    above: OrderColumns, initial: tuple[Spool, Spool], plan: MemoryPlan
) -> OrderColumns:
    """Counts of the order below `above`."""
    order, bits, n = above.order - 1, above.bits, plan.piece_records
    keys_out, adjusted_out = initial
    for keys, counts in _suffixes(above, plan):
        keys_out.append(keys)
        adjusted_out.append(counts)

    continued, ends, raw_out = (plan.spool(np.uint32) for _ in range(3))
    for keys, raw in above.context_chunks((above.keys, above.raw), n):
        continued.append(_context_sums(keys, raw, above.keys.width, bits))
    ends.extend(counts for _, counts in _line_ends(above, plan))
    continued_reader, ends_reader = continued.reader(), ends.reader()
    for keys, adjusted in side_by_side(n, keys_out, adjusted_out):
        end = end_lines(keys, keys_out.width, bits)
        begin = kernel.unpack(keys, order, bits)[:, 0] == BOS
        raw = np.empty_like(adjusted)
        raw[~end] = continued_reader.take(int(np.count_nonzero(~end)))
        raw[end & ~begin] = ends_reader.take(int(np.count_nonzero(end & ~begin)))
        raw[begin] = adjusted[begin]
        raw_out.append(raw)
    continued.close()
    ends.close()
    return OrderColumns(order, bits, keys_out, adjusted_out, raw_out)


def end_lines(keys: UInt64s, width: int, bits: int) -> Bools:
    """Whether each n-gram ends in </s>."""
    ends: Bools = keys[width - 1 :: width] & np.uint64((1 << bits) - 1) == EOS
    return ends


def _context_sums(keys: UInt64s, counts: UInt32s, width: int, bits: int) -> UInt32s:
    """Sum of the counts of each context's n-grams, at least one."""
    rows = keys.reshape(-1, width)
    changed = rows[1:] ^ rows[:-1]
    changed[:, -1] >>= np.uint64(bits)  # without the last word
    begins = np.concatenate([[0], 1 + np.flatnonzero(changed.any(axis=1))])
    sums = np.add.reduceat(counts, begins, dtype=np.uint64)
    if int(sums.max()) >= 1 << 32:
        raise OverflowError("an n-gram occurs 2**32 times or more")
    return sums.astype(np.uint32)


def _line_ends(above: OrderColumns, plan: MemoryPlan) -> CountedPieces:
    """Yield the suffixes of the n-grams above that end a line, but for those from <s> on."""
    order, bits, width = above.order, above.bits, above.keys.width
    n = plan.piece_records
    needed = sum(int(end_lines(keys, width, bits).sum()) for keys in above.keys.chunks(n))
    counter = RunCounter(order - 1, bits, needed, plan, counted=True)
    for keys, counts in side_by_side(n, above.keys, above.raw):
        chosen = end_lines(keys, width, bits)
        chosen &= kernel.unpack(keys, order, bits)[:, 1] != BOS
        ends = kernel.last_words(keys.reshape(-1, width)[chosen].ravel(), order, order - 1, bits)
        chosen_counts = counts[chosen]
        counter.add(len(chosen_counts), NgramBlock.add_counted, ends, chosen_counts)
    return counter.counted()


def _count_the_last_as_lmplz(
    of_counts: list[Int64s],
    orders: list[OrderColumns],
    unigram_adjusted: UInt32s,
    unigram_raw: UInt32s,
    greatest: int,
    plan: MemoryPlan,
) -> None:
    """Count the suffixes of the greatest n-gram by their count in the corpus.

    In lmplz the suffixes of the very last n-gram, in order of the words from the last to the first,
    enter the counts of counts with that count instead of their adjusted one. The discounts of a
    corpus of a few lines show it, so we do the same.
    """
    for k in range(1, len(orders) + 1):
        bits = orders[0].bits
        suffix = greatest & ((1 << (k * bits)) - 1)
        if suffix >> ((k - 1) * bits) == BOS:
            break
        if k == 1:
            adjusted, raw = unigram_adjusted[suffix], unigram_raw[suffix]
        else:
            columns = orders[k - 2]
            adjusted = raw = np.uint32(0)
            for keys, adjusted_chunk, raw_chunk in side_by_side(
                plan.chunk_records, columns.keys, columns.adjusted, columns.raw
            ):
                at = _lower_bound(keys, columns.keys.width, suffix)
                if at < len(raw_chunk):
                    adjusted, raw = adjusted_chunk[at], raw_chunk[at]
                    break
        if 1 <= adjusted <= 4:
            of_counts[k - 1][int(adjusted) - 1] -= 1
        if 1 <= raw <= 4:
            of_counts[k - 1][int(raw) - 1] += 1


@dataclass
class StreamNgrams:
    """The n-grams of an `IdStream`, which is closed after reading.

    `at_once` is as for `counted_by_range`.
    """

    stream: IdStream
    at_once: int = AT_ONCE

    def counted(self, vocabulary_size: int, order: int, plan: MemoryPlan) -> CountedPieces:
        """As `NgramSource.counted`."""
        if not plan.on_disk:
            return self._counted_by_range(vocabulary_size, order, plan)
        counter = RunCounter(order, id_bits(vocabulary_size), len(self.stream), plan)
        for ids in self.stream.chunks():
            counter.add(len(ids), NgramBlock.add_ids, ids, vocabulary_size)
        self.stream.close()
        return counter.counted()

    def _counted_by_range(
        self, vocabulary_size: int, order: int, plan: MemoryPlan
    ) -> CountedPieces:
        most = self._most_by_first_word(vocabulary_size, order)

        def add(block: NgramBlock, first: int, last: int) -> None:
            for ids in self.stream.chunks():
                start = 0
                while start < len(ids):
                    start = block.add_ids(start, ids, vocabulary_size, first, last)

        bits = id_bits(vocabulary_size)
        yield from counted_by_range(order, bits, most, add, plan.threads, self.at_once)
        self.stream.close()

    def _most_by_first_word(self, vocabulary_size: int, order: int) -> Int64s:
        """Upper bound of the number of n-grams that begin with each word."""
        most = np.zeros(vocabulary_size, np.int64)
        for ids in self.stream.chunks():
            if len(ids) and int(ids.max()) >= vocabulary_size:
                raise ValueError(
                    f"word id {ids.max()} in the stream: expected 2 … {vocabulary_size - 1}"
                )
            most += np.bincount(ids, minlength=vocabulary_size)
        most[BOS] = (order - 1) * (self.stream.n_lines + 1)
        return most
