"""Interpolated modified Kneser-Ney smoothing (Chen & Goodman 1998), as in KenLM's lmplz.

Every line is padded with ``order - 1`` times ``<s>`` in front and one ``</s>`` behind. The n-grams
of the highest order are counted by sorting. The *adjusted count* of an n-gram is its count in the
corpus if it has the highest order or begins with ``<s>``; otherwise the number of different words
before it. So the n-grams of order k that do not begin with ``<s>`` are the distinct suffixes of
those of order k + 1; the others come from the padded n-grams of the highest order. Counts in the
corpus, which pruning needs, are sums over the continuations of an n-gram; only n-grams that end in
``</s>`` have no continuation and are counted separately.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from truecase.base._component import give_back_memory
from truecase.base.spool import Float32s, Int64s, Spool, UInt32s, UInt64s
from truecase.base.threads import ordered_map
from truecase.errors import DiscountWarning
from truecase.ngram import _kneser_ney as kernel
from truecase.ngram.counting import (
    MemoryPlan,
    NgramSource,
    OrderColumns,
    count_orders,
    end_lines,
    side_by_side,
)
from truecase.ngram.table import MAX_ORDER, Block, NgramModel, Result
from truecase.ngram.vocabulary import BOS, EOS, UNK

Discounts = tuple[float, float, float]
#: Called with the name of each stage when it begins.
Report = Callable[[str], None]

#: Discounts for orders whose counts of counts are degenerate, as in small corpora.
DISCOUNT_FALLBACK: Discounts = (0.5, 1.0, 1.5)

# log is several times faster than log10.
_PER_LN = 0.43429448190325182765

# More do not read columns faster; the result does not depend on it.
_THREADS = min(2, os.cpu_count() or 1)


@dataclass(frozen=True)
class KneserNeyOptions:
    """How a model is estimated.

    Attributes
    ----------
    order : int
        1 … 5.
    prune : sequence of ints
        N-grams of order k that occur at most ``prune[k - 1]`` times are left out; the last value
        is for all higher orders too. Must not fall. Special words stay.
    memory : int, optional
        Bytes that the estimation may use in addition to the returned model; the rest goes to
        temporary files. The model is the same, bit for bit.

    Raises
    ------
    ValueError
        The order is out of range; or there are more thresholds than orders, one is negative, or
        they fall: then an n-gram could stay without its suffix.
    """

    order: int = 3
    prune: Sequence[int] = ()
    memory: int | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.order <= MAX_ORDER:
            raise ValueError(f"order {self.order}: expected 1 … {MAX_ORDER}")
        if len(self.prune) > self.order:
            raise ValueError(
                f"{len(self.prune)} pruning thresholds for a model of order {self.order}"
            )
        if any(before > after for before, after in pairwise((0, *self.prune))):
            raise ValueError(
                f"pruning thresholds {' '.join(map(str, self.prune))}: "
                "they must not be negative nor fall from one order to the next"
            )

    @property
    def thresholds(self) -> tuple[int, ...]:
        """One count threshold per order."""
        given = tuple(self.prune) or (0,)
        return given + given[-1:] * (self.order - len(given))


DEFAULTS = KneserNeyOptions()


def closed_form_discounts(counts_of_counts: Sequence[int] | Int64s) -> Discounts | None:
    """Discounts for adjusted counts of 1, 2, and 3 or more; Chen & Goodman, equation 26.

    `counts_of_counts` are the numbers of n-grams with an adjusted count of 1, 2, 3 and 4. None if
    one of the first three is 0, or a discount is negative.
    """
    n1, n2, n3, n4 = (int(n) for n in counts_of_counts)
    if 0 in (n1, n2, n3):
        return None
    total = n1 + 2 * n2
    # In whole numbers, as a discount of 0 may be rounded to less.
    if 3 * n1 * n3 > 2 * n2 * total or 4 * n1 * n4 > 3 * n3 * total:
        return None
    y = n1 / total
    return 1 - 2 * y * n2 / n1, max(0.0, 2 - 3 * y * n3 / n2), max(0.0, 3 - 4 * y * n4 / n3)


@dataclass
class KneserNey:
    """An estimated model, in memory or in temporary files, to be read order by order."""

    order: int
    thresholds: tuple[int, ...]
    discounts: list[Discounts]
    unigram_probability: Float32s
    unigram_backoff: Float32s
    unigram_count: UInt32s
    plan: MemoryPlan
    orders: list[OrderColumns] = field(default_factory=list)
    n_ngrams: list[int] = field(default_factory=list)

    def kept_unigrams(self) -> UInt32s:
        """The words that pruning leaves."""
        kept = self.unigram_count > self.thresholds[0]
        kept[[UNK, BOS, EOS]] = True
        return np.flatnonzero(kept).astype(np.uint32)

    def blocks(self, order: int, use: Callable[[Block], Result]) -> Iterator[Result]:
        """Yield ``use(block)`` for the n-grams that pruning leaves, in lexicographic order.

        `use` is called in several threads.
        """
        if order == 1:
            ids = self.kept_unigrams()
            backoff = self.unigram_backoff[ids] if self.order > 1 else None
            count = self.unigram_count[ids]
            yield use(_block(ids[:, None], self.unigram_probability[ids], backoff, count))
            return
        columns = self.orders[order - 2]
        spools = [columns.keys, columns.probability, columns.raw]
        if columns.backoff is not None:
            spools.append(columns.backoff)
        threshold = self.thresholds[order - 1]

        def finish(part: tuple[npt.NDArray[Any], ...]) -> Result:
            keys, probability, raw, *backoff = part
            if threshold:
                kept = raw > threshold
                keys = keys.reshape(-1, columns.keys.width)[kept].ravel()
                probability, raw = probability[kept], raw[kept]
                backoff = [values[kept] for values in backoff]
            words = kernel.unpack(keys, order, columns.bits)
            return use(_block(words, probability, backoff[0] if backoff else None, raw))

        parts = side_by_side(self.plan.piece_records, *spools)
        yield from ordered_map(finish, parts, self.plan.threads)

    def to_model(self) -> NgramModel:
        """Return the model as arrays in memory; frees the estimate order by order."""
        model = NgramModel([], [], [], [])
        assert model.count is not None
        for order, n in enumerate(self.n_ngrams, 1):
            give_back_memory()
            words = np.empty((n, order), np.uint32)
            log10_prob = np.empty(n, np.float32)
            log10_backoff = np.empty(n if order < self.order else 0, np.float32)
            count = np.empty(n, np.uint32)
            start = 0
            for block in self.blocks(order, lambda block: block):
                part = slice(start, start + len(block.words))
                assert block.counts is not None
                words[part], log10_prob[part] = block.words, block.log10_prob
                count[part] = block.counts
                if block.log10_backoff is not None:
                    log10_backoff[part] = block.log10_backoff
                start = part.stop
            assert start == n
            if order > 1:
                self.orders[order - 2].close()
            model.words.append(words)
            model.log10_prob.append(log10_prob)
            model.count.append(count)
            if order < self.order:
                model.log10_backoff.append(log10_backoff)
        return model


def _block(
    words: UInt32s, probability: Float32s, backoff: Float32s | None, count: UInt32s
) -> Block:
    log10_backoff = None if backoff is None else _log10(backoff, np.inf)
    return Block(words, _log10(probability, 0.0), log10_backoff, count)


def _log10(values: Float32s, most: float) -> Float32s:
    """log10 between -99, which stands for 0, and `most`."""
    with np.errstate(divide="ignore"):
        # In 64 bits, which are the same on all machines when they are rounded to 32.
        logs = np.log(values.astype(np.float64)) * _PER_LN
    return np.clip(logs.astype(np.float32), np.float32(-99), np.float32(most))


def estimate_kneser_ney(
    source: NgramSource,
    vocabulary_size: int,
    options: KneserNeyOptions = DEFAULTS,
    report: Report = lambda stage: None,
) -> KneserNey:
    """Estimate an interpolated modified Kneser-Ney model, which is read order by order.

    Parameters
    ----------
    source : NgramSource
        Word ids from 3 on.
    vocabulary_size : int
        Number of word ids, the three special ones included.
    options : KneserNeyOptions
    report : Report, optional

    Raises
    ------
    EmptyCorpusError
        The corpus has no words.

    Warns
    -----
    DiscountWarning
        The fallback discounts were used; the message names the orders and discounts.
    """
    order, thresholds = options.order, options.thresholds
    # Per word of the vocabulary: two counts, a probability, a backoff, one count in 64 bits.
    plan = MemoryPlan.for_memory(options.memory, 24 * vocabulary_size, _THREADS)
    unigram_adjusted, unigram_raw, orders, of_counts = count_orders(
        source, vocabulary_size, order, plan, report
    )
    discounts = choose_discounts(of_counts)

    report("Kneser-Ney: unigrams")
    probability = unigram_probabilities(unigram_adjusted, unigram_raw, thresholds[0], discounts[0])
    backoff = np.ones(vocabulary_size, dtype=np.float32)
    result = KneserNey(order, thresholds, discounts, probability, backoff, unigram_raw, plan)
    result.n_ngrams.append(len(result.kept_unigrams()))
    for columns in orders:
        k, bits, threshold = columns.order, columns.bits, thresholds[columns.order - 1]
        report(f"Kneser-Ney: {k}-grams")
        give_back_memory()
        lower = lower_probabilities(columns, result, plan)
        backoffs = normalise_order(columns, lower, (threshold, discounts[k - 1]), plan)
        lower.close()
        if k == 2:
            begins = np.zeros(vocabulary_size, np.bool_)
            for keys in columns.keys.chunks(plan.piece_records):
                begins[keys >> np.uint64(bits)] = True
            result.unigram_backoff[begins] = backoffs.array()
        else:
            below = result.orders[-1]
            below.backoff = plan.spool(np.float32)
            reader = backoffs.reader()
            for keys in below.keys.chunks(plan.piece_records):
                continues = ~end_lines(keys, below.keys.width, bits)
                values = np.ones(len(continues), np.float32)
                values[continues] = reader.take(int(np.count_nonzero(continues)))
                below.backoff.append(values)
        backoffs.close()
        result.orders.append(columns)
        n_kept = len(columns.raw)
        if threshold:
            chunks = columns.raw.chunks(plan.chunk_records)
            n_kept = sum(int(np.count_nonzero(raw > threshold)) for raw in chunks)
        result.n_ngrams.append(n_kept)
    return result


def choose_discounts(counts_of_counts: Sequence[Int64s]) -> list[Discounts]:
    """Return the discounts of every order; warn of those that the fallback replaces."""
    closed = [closed_form_discounts(of_order) for of_order in counts_of_counts]
    replaced = [str(order) for order, discounts in enumerate(closed, 1) if discounts is None]
    if replaced:
        instead = " ".join(f"{discount:g}" for discount in DISCOUNT_FALLBACK)
        warnings.warn(
            f"Kneser-Ney discounts of order {', '.join(replaced)} cannot be computed from so small "
            f"or so regular a corpus; using {instead} instead",
            DiscountWarning,
            stacklevel=3,
        )
    return [DISCOUNT_FALLBACK if discounts is None else discounts for discounts in closed]


def unigram_probabilities(
    adjusted: UInt32s, raw: UInt32s, threshold: int, discounts: Discounts
) -> Float32s:
    """Unigrams, interpolated with 1/|V|; V has <unk> but neither <s> nor pruned words."""
    counts = adjusted.astype(np.float64)
    pruned = raw <= threshold
    pruned[[UNK, BOS, EOS]] = False
    v = len(counts) - 1 - int(np.count_nonzero(pruned))
    total = counts.sum()
    by_count = np.array([0.0, *discounts])[np.minimum(adjusted, 3)]
    interpolation = (by_count[~pruned].sum() + counts[pruned].sum()) / total
    probability = (counts - by_count) / total + interpolation / v
    # <s> is never predicted; as certain, it costs nothing when it is scored.
    probability[BOS] = 1
    result: Float32s = probability.astype(np.float32)
    return result


def lower_probabilities(counts: OrderColumns, result: KneserNey, plan: MemoryPlan) -> Spool:
    """Probability of each n-gram without its first word."""
    order, bits = counts.order, counts.bits
    out = plan.spool(np.float32)
    if order == 2:
        mask = np.uint64((1 << bits) - 1)
        pieces = counts.keys.chunks(plan.piece_records)
        out.extend(result.unigram_probability[keys & mask] for keys in pieces)
        return out
    below = result.orders[-1]
    n_below, width = len(below.probability), below.keys.width
    n_in_table = plan.lookup_records(width, n_below)

    def probabilities(table: kernel.NgramNumbers, keys: UInt64s) -> Float32s:
        numbers = table.of(keys)
        assert not (numbers == kernel.NOT_THERE).any()
        return numbers.view(np.float32)

    if n_below <= n_in_table:
        numbers = below.probability.array().view(np.uint32)
        whole = kernel.NgramNumbers(below.keys.array(), numbers, order - 1, bits)

        def look_up(keys: UInt64s) -> Float32s:
            return probabilities(whole, kernel.last_words(keys, order, order - 1, bits))

        pieces = counts.keys.chunks(plan.piece_records)
        out.extend(ordered_map(look_up, pieces, plan.threads))
        return out

    # Suffixes are sorted into ranges of the lower order, looked up in the table of their range, and
    # the answers are brought back into the order of the suffixes.
    starts = range(0, n_below, n_in_table)
    first_keys = _comparable(np.concatenate([below.keys.read(start, 1) for start in starts]), width)
    range_numbers = Spool(np.uint8, on_disk=True)
    dealt = [Spool(np.uint64, width, on_disk=True) for _ in starts]
    for keys in counts.keys.chunks(plan.piece_records):
        suffixes = kernel.last_words(keys, order, order - 1, bits)
        places = np.searchsorted(first_keys, _comparable(suffixes, width), side="right") - 1
        range_numbers.append(places.astype(np.uint8))
        by_range = suffixes.reshape(-1, width)[np.argsort(places, kind="stable")]
        ends = np.cumsum(np.bincount(places, minlength=len(dealt)))
        for spool, part in zip(dealt, np.split(by_range, ends[:-1]), strict=True):
            spool.append(part.ravel())
    answers = []
    for start, spool in zip(starts, dealt, strict=True):
        keys, values = below.keys.read(start, n_in_table), below.probability.read(start, n_in_table)
        table = kernel.NgramNumbers(keys, values.view(np.uint32), order - 1, bits)
        del keys, values
        answer = Spool(np.float32, on_disk=True)
        pieces = spool.chunks(plan.piece_records)
        answer.extend(ordered_map(partial(probabilities, table), pieces, plan.threads))
        spool.close()
        del table
        answers.append(answer)
    readers = [answer.reader() for answer in answers]
    for of_suffixes in range_numbers.chunks(plan.chunk_records):
        sizes = np.bincount(of_suffixes, minlength=len(readers)).tolist()
        values = np.concatenate(
            [reader.take(size) for reader, size in zip(readers, sizes, strict=True)]
        )
        in_order = np.empty_like(values)
        in_order[np.argsort(of_suffixes, kind="stable")] = values
        out.append(in_order)
    for spool in (range_numbers, *answers):
        spool.close()
    return out


def _comparable(keys: UInt64s, width: int) -> npt.NDArray[np.bytes_]:
    """Keys as strings of bytes, which are in the same order."""
    of_bytes: npt.NDArray[np.bytes_] = keys.astype(">u8").view(f"S{8 * width}")
    return of_bytes


def normalise_order(
    columns: OrderColumns, lower: Spool, smoothing: tuple[int, Discounts], plan: MemoryPlan
) -> Spool:
    """Fill in the probabilities of one order; return the backoffs of its contexts in order."""
    columns.probability = plan.spool(np.float32)
    backoffs = plan.spool(np.float32)
    spools = (columns.keys, columns.adjusted, columns.raw, lower)
    for keys, adjusted, raw, below in columns.context_chunks(spools, plan.chunk_records):
        probability, backoff = kernel.normalise(
            keys, adjusted, raw, below, columns.order, columns.bits, smoothing
        )
        columns.probability.append(probability)
        backoffs.append(backoff)
    if columns.adjusted is not columns.raw:
        columns.adjusted.close()
    return backoffs
