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
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from truecase.base._vectors import give_back_memory
from truecase.base.spool import Spool
from truecase.base.threads import ordered_map
from truecase.errors import DiscountWarning, EmptyCorpusError
from truecase.ngram import _kneser_ney as kernel
from truecase.ngram.counting import MemoryPlan, NgramSource, OrderCounts, StreamNgrams, count_orders
from truecase.ngram.model import MAX_ORDER, NgramModel
from truecase.ngram.vocabulary import BOS, EOS, UNK, IdStream

Discounts = tuple[float, float, float]
Progress = Callable[[str], None]

DISCOUNT_FALLBACK: Discounts = (0.5, 1.0, 1.5)


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
        Bytes that the estimation may use besides the model returned; the rest goes to temporary
        files. The model is the same, bit for bit.
    discount_fallback : 3 floats
        Discounts for orders whose counts of counts are degenerate, as in small corpora.
    threads : int, optional
        By default two. The result does not depend on it.
    """

    order: int = 3
    prune: Sequence[int] = ()
    memory: int | None = None
    discount_fallback: Discounts = DISCOUNT_FALLBACK
    threads: int | None = None


DEFAULTS = KneserNeyOptions()


class Smoothing(NamedTuple):
    """How one order is smoothed: `discounts` for adjusted counts of 1, 2, and 3 or more.

    N-grams that occur at most `threshold` times in the corpus are pruned.
    """

    threshold: int
    discounts: Discounts


_NOTHING: npt.NDArray[Any] = np.empty(0)


def closed_form_discounts(
    counts_of_counts: Sequence[int] | npt.NDArray[np.int64],
) -> Discounts | None:
    """Discounts for adjusted counts of 1, 2, and 3 or more; Chen & Goodman, equation 26.

    `counts_of_counts` are the numbers of n-grams with an adjusted count of 1, 2, 3 and 4. None if
    one of the first three is 0, or a discount is negative or above its count.
    """
    n1, n2, n3, n4 = (int(n) for n in counts_of_counts)
    if 0 in (n1, n2, n3):
        return None
    y = n1 / (n1 + 2 * n2)
    discounts = (1 - 2 * y * n2 / n1, 2 - 3 * y * n3 / n2, 3 - 4 * y * n4 / n3)
    if any(not 0 <= discount <= count for count, discount in enumerate(discounts, 1)):
        return None
    return discounts


@dataclass
class EstimatedOrder:
    """The n-grams of one order with their linear probabilities, before pruning."""

    order: int
    keys: Spool
    raw: Spool
    probability: Spool
    backoff: Spool | None = None


@dataclass
class Block:
    """Consecutive n-grams of one order, as they are in the model."""

    words: npt.NDArray[np.uint32]
    log10_prob: npt.NDArray[np.float32]
    log10_backoff: npt.NDArray[np.float32] | None
    count: npt.NDArray[np.uint32]


class Part(NamedTuple):
    """Columns of consecutive n-grams of one order; empty for order 1."""

    order: int
    keys: npt.NDArray[np.uint64] = _NOTHING
    probability: npt.NDArray[np.float32] = _NOTHING
    raw: npt.NDArray[np.uint32] = _NOTHING
    backoff: npt.NDArray[np.float32] | None = None


@dataclass
class KneserNey:
    """An estimated model, in memory or in temporary files, to be read order by order."""

    order: int
    bits: int
    thresholds: tuple[int, ...]
    discounts: list[Discounts]
    unigram_probability: npt.NDArray[np.float32]
    unigram_backoff: npt.NDArray[np.float32]
    unigram_count: npt.NDArray[np.uint32]
    plan: MemoryPlan
    orders: list[EstimatedOrder] = field(default_factory=list)
    n_ngrams: list[int] = field(default_factory=list)

    def _kept_unigrams(self) -> npt.NDArray[np.uint32]:
        kept = self.unigram_count > self.thresholds[0]
        kept[[UNK, BOS, EOS]] = True
        return np.flatnonzero(kept).astype(np.uint32)

    def blocks(self, order: int) -> Iterator[Block]:
        """Yield the n-grams of one order that pruning leaves, in lexicographic order."""
        return ordered_map(self.finish, self.parts(order), self.plan.threads)

    def parts(self, order: int) -> Iterator[Part]:
        """Yield all n-grams of one order, in parts for `finish`."""
        if order == 1:
            yield Part(1)
            return
        estimated = self.orders[order - 2]
        n = self.plan.piece_records
        backoffs = estimated.backoff.reader() if estimated.backoff is not None else None
        columns = zip(
            estimated.keys.chunks(n),
            estimated.probability.chunks(n),
            estimated.raw.chunks(n),
            strict=True,
        )
        for keys, probability, raw in columns:
            backoff = backoffs.take(n) if backoffs is not None else None
            yield Part(order, keys, probability, raw, backoff)

    def finish(self, part: Part) -> Block:
        """Prune a part and convert it to log10."""
        order, keys, probability, raw, backoff = part
        if order == 1:
            ids = self._kept_unigrams()
            backoff = self.unigram_backoff[ids] if self.order > 1 else None
            probability, raw = self.unigram_probability[ids], self.unigram_count[ids]
            words = ids[:, None]
        else:
            threshold = self.thresholds[order - 1]
            if threshold:
                kept = raw > threshold
                width = self.orders[order - 2].keys.width
                keys = keys.reshape(-1, width)[kept].ravel()
                probability, raw = probability[kept], raw[kept]
                backoff = backoff[kept] if backoff is not None else None
            words = kernel.unpack(keys, order, self.bits)
        return Block(
            words,
            kernel.log10_clipped(probability, True),
            kernel.log10_clipped(backoff, False) if backoff is not None else None,
            raw,
        )

    def to_model(self) -> NgramModel:
        """Return the model as arrays in memory; frees the estimate order by order."""
        model = NgramModel([], [], [], [], discounts=list(self.discounts))
        assert model.count is not None
        for order in range(1, self.order + 1):
            give_back_memory()
            n = self.n_ngrams[order - 1]
            words = np.empty((n, order), np.uint32)
            log10_prob = np.empty(n, np.float32)
            log10_backoff = np.empty(n if order < self.order else 0, np.float32)
            count = np.empty(n, np.uint32)
            start = 0
            for block in self.blocks(order):
                part = slice(start, start + len(block.words))
                words[part], log10_prob[part], count[part] = (
                    block.words, block.log10_prob, block.count,
                )  # fmt: skip
                if block.log10_backoff is not None:
                    log10_backoff[part] = block.log10_backoff
                start = part.stop
            assert start == n
            if order > 1:
                self._close(order)
            model.words.append(words)
            model.log10_prob.append(log10_prob)
            model.count.append(count)
            if order < self.order:
                model.log10_backoff.append(log10_backoff)
        return model

    def _close(self, order: int) -> None:
        estimated = self.orders[order - 2]
        for spool in (estimated.keys, estimated.raw, estimated.probability, estimated.backoff):
            if spool is not None:
                spool.close()

    def close(self) -> None:
        """Free memory and temporary files."""
        for order in range(2, self.order + 1):
            self._close(order)


def check_thresholds(prune: Sequence[int], order: int) -> tuple[int, ...]:
    """Return one count threshold per order; the last one given is for all higher orders.

    ValueError if there are more than orders, one is negative, or they fall: then an n-gram could
    stay without its suffix.
    """
    thresholds = tuple(int(threshold) for threshold in prune) or (0,)
    if len(thresholds) > order:
        raise ValueError(f"{len(thresholds)} pruning thresholds for a model of order {order}")
    if thresholds[0] < 0 or any(a > b for a, b in zip(thresholds, thresholds[1:], strict=False)):
        raise ValueError(
            f"pruning thresholds {' '.join(map(str, thresholds))}: "
            "they must not be negative nor fall from one order to the next"
        )
    return thresholds + thresholds[-1:] * (order - len(thresholds))


def default_threads() -> int:
    """Two threads, or one on one processor; more do not read columns faster."""
    return min(2, os.cpu_count() or 1)


def estimate_kneser_ney(
    source: NgramSource,
    vocabulary_size: int,
    options: KneserNeyOptions = DEFAULTS,
    progress: Progress | None = None,
) -> KneserNey:
    """Estimate a model that is read order by order; otherwise as `estimate`."""
    order = options.order
    if not 1 <= order <= MAX_ORDER:
        raise ValueError(f"order {order}: expected 1 … {MAX_ORDER}")
    thresholds = check_thresholds(options.prune, order)
    if not source.has_words():
        raise EmptyCorpusError("the corpus has no words: there is nothing to estimate a model from")
    report = progress or (lambda stage: None)
    # Per word of the vocabulary: two counts, a probability, a backoff, one count in 64 bits.
    threads = options.threads or default_threads()
    plan = MemoryPlan.for_memory(options.memory, 24 * vocabulary_size, threads)
    unigram_adjusted, unigram_raw, counts, of_counts = count_orders(
        source, vocabulary_size, order, plan, report
    )
    discounts = choose_discounts(of_counts, options.discount_fallback)

    report("Kneser-Ney: unigrams")
    bits = counts[0].bits if counts else 0
    unigram = unigram_probabilities(unigram_adjusted, unigram_raw, thresholds[0], discounts[0])
    result = KneserNey(
        order=order,
        bits=bits,
        thresholds=thresholds,
        discounts=discounts,
        unigram_probability=unigram,
        unigram_backoff=np.ones(vocabulary_size, dtype=np.float32),
        unigram_count=unigram_raw,
        plan=plan,
    )
    result.n_ngrams.append(len(result._kept_unigrams()))
    for order_counts in counts:
        k = order_counts.order
        report(f"Kneser-Ney: {k}-grams")
        give_back_memory()
        lower = lower_probabilities(order_counts, result, plan)
        smoothing = Smoothing(thresholds[k - 1], discounts[k - 1])
        estimated, backoffs = normalise_order(order_counts, lower, smoothing, plan)
        lower.close()
        if k == 2:
            _set_unigram_backoffs(result.unigram_backoff, order_counts, backoffs, plan)
        else:
            below = result.orders[-1]
            below.backoff = Spool(np.float32, on_disk=plan.on_disk)
            reader = backoffs.reader()
            for keys in below.keys.chunks(plan.chunk_records):
                n_continued, _ = kernel.count_kinds(keys, k - 1, bits)
                values = reader.take(n_continued)
                below.backoff.append(kernel.join_backoffs(keys, k - 1, bits, values))
        backoffs.close()
        result.orders.append(estimated)
        n_kept = len(estimated.raw)
        if thresholds[k - 1]:
            n_kept = sum(
                int(np.count_nonzero(raw > thresholds[k - 1]))
                for raw in estimated.raw.chunks(plan.chunk_records)
            )
        result.n_ngrams.append(n_kept)
    return result


def estimate(
    corpus: IdStream | NgramSource,
    vocabulary_size: int,
    options: KneserNeyOptions = DEFAULTS,
    progress: Progress | None = None,
) -> NgramModel:
    """Estimate an interpolated modified Kneser-Ney model from a corpus.

    Parameters
    ----------
    corpus : IdStream or NgramSource
        Word ids from 3 on.
    vocabulary_size : int
        Number of word ids, the three special ones included.
    options : KneserNeyOptions
    progress : callable, optional
        Called with the name of each stage when it begins.

    Returns
    -------
    NgramModel

    Raises
    ------
    EmptyCorpusError
        The corpus has no words.

    Warns
    -----
    DiscountWarning
        The fallback discounts were used; the message names the orders and discounts.
    """
    source = StreamNgrams(corpus) if isinstance(corpus, IdStream) else corpus
    return estimate_kneser_ney(source, vocabulary_size, options, progress).to_model()


def choose_discounts(
    counts_of_counts: Sequence[npt.NDArray[np.int64]], fallback: Discounts
) -> list[Discounts]:
    """Return the discounts of every order; warn of those that the fallback replaces."""
    if len(fallback) != 3 or any(not 0 <= d <= count for count, d in enumerate(fallback, 1)):
        raise ValueError(f"fallback discounts {fallback}: expected D1 <= 1, D2 <= 2, D3 <= 3")
    closed = [closed_form_discounts(of_order) for of_order in counts_of_counts]
    replaced = [str(order) for order, discounts in enumerate(closed, 1) if discounts is None]
    if replaced:
        warnings.warn(
            f"Kneser-Ney discounts of order {', '.join(replaced)} cannot be computed from so small "
            f"or so regular a corpus; using {' '.join(f'{d:g}' for d in fallback)} instead",
            DiscountWarning,
            stacklevel=4,
        )
    return [fallback if discounts is None else discounts for discounts in closed]


def unigram_probabilities(
    adjusted: npt.NDArray[np.uint32],
    raw: npt.NDArray[np.uint32],
    threshold: int,
    discounts: Discounts,
) -> npt.NDArray[np.float32]:
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
    result: npt.NDArray[np.float32] = probability.astype(np.float32)
    return result


def _look_up_suffixes(
    table: kernel.LowerOrder, order: int, bits: int, keys: npt.NDArray[np.uint64]
) -> npt.NDArray[np.float32]:
    return table.probabilities(kernel.last_words(keys, order, order - 1, bits))


def lower_probabilities(counts: OrderCounts, result: KneserNey, plan: MemoryPlan) -> Spool:
    """Probability of each n-gram without its first word."""
    order, bits = counts.order, counts.bits
    out = Spool(np.float32, on_disk=plan.on_disk)
    if order == 2:
        for keys in counts.keys.chunks(plan.chunk_records):
            out.append(kernel.probabilities_of_last_word(keys, bits, result.unigram_probability))
        return out
    below = result.orders[-1]
    n_below = len(below.probability)
    n_in_table = plan.lookup_records(below.keys.width, n_below)
    if n_below <= n_in_table:
        table = kernel.LowerOrder(below.keys.array(), below.probability.array(), order - 1, bits)

        look_up = partial(_look_up_suffixes, table, order, bits)
        pieces = counts.keys.chunks(plan.piece_records)
        for piece in ordered_map(look_up, pieces, plan.threads):
            out.append(piece)
        return out

    # Suffixes are sorted into ranges of the lower order, looked up in the table of their range, and
    # the answers are brought back into the order of the suffixes.
    starts = range(0, n_below, n_in_table)
    first_keys = np.concatenate([below.keys.read(start, 1) for start in starts])
    range_numbers = Spool(np.uint8, on_disk=True)
    dealt = [Spool(np.uint64, below.keys.width, on_disk=True) for _ in starts]
    for keys in counts.keys.chunks(plan.piece_records):
        suffixes = kernel.last_words(keys, order, order - 1, bits)
        numbers, sizes, suffixes = kernel.deal_out(suffixes, order - 1, bits, first_keys)
        range_numbers.append(numbers)
        end = 0
        for spool, size in zip(dealt, sizes.tolist(), strict=True):
            begin, end = end, end + size * below.keys.width
            spool.append(suffixes[begin:end])
    answers = []
    for start, spool in zip(starts, dealt, strict=True):
        table = kernel.LowerOrder(
            below.keys.read(start, n_in_table),
            below.probability.read(start, n_in_table),
            order - 1,
            bits,
        )
        answer = Spool(np.float32, on_disk=True)
        pieces = spool.chunks(plan.piece_records)
        for piece in ordered_map(table.probabilities, pieces, plan.threads):
            answer.append(piece)
        spool.close()
        del table
        answers.append(answer)
    readers = [answer.reader() for answer in answers]
    for numbers in range_numbers.chunks(plan.chunk_records):
        sizes = np.bincount(numbers, minlength=len(readers)).tolist()
        values = [reader.take(size) for reader, size in zip(readers, sizes, strict=True)]
        out.append(kernel.collect(numbers, np.concatenate(values)))
    for spool in (range_numbers, *answers):
        spool.close()
    return out


def normalise_order(
    counts: OrderCounts, lower: Spool, smoothing: Smoothing, plan: MemoryPlan
) -> tuple[EstimatedOrder, Spool]:
    """Return the probabilities of one order, and the backoffs of its contexts in order."""
    probability = Spool(np.float32, on_disk=plan.on_disk)
    backoffs = Spool(np.float32, on_disk=plan.on_disk)
    columns = (counts.keys, counts.adjusted, counts.raw, lower)
    for keys, adjusted, raw, lower_chunk in counts.context_chunks(columns, plan.chunk_records):
        p, b = kernel.normalise(
            keys, adjusted, raw, lower_chunk, counts.order, counts.bits, smoothing
        )
        probability.append(p)
        backoffs.append(b)
    if counts.adjusted is not counts.raw:
        counts.adjusted.close()
    return EstimatedOrder(counts.order, counts.keys, counts.raw, probability), backoffs


def _set_unigram_backoffs(
    unigram_backoff: npt.NDArray[np.float32], counts: OrderCounts, backoffs: Spool, plan: MemoryPlan
) -> None:
    values = backoffs.reader()
    for (keys,) in counts.context_chunks((counts.keys,), plan.chunk_records):
        words = kernel.context_words(keys, counts.bits)
        unigram_backoff[words] = values.take(len(words))
