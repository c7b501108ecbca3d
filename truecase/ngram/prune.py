"""Pruning of the n-grams that change no casing decision, or few.

Between words with one candidate each, the language model adds the same to every path, so an n-gram
of only such words is never needed. The loss of any other n-gram is the casing log-likelihood that
the training text loses without it (`CasingLosses`). Backoffs are computed anew, so that the pruned
model's distributions still sum to one (Stolcke 1998 does so for entropy pruning).
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from truecase.base.spool import Bools, Float32s, Float64s, Int32s, Int64s, UInt32s, UInt64s
from truecase.base.threads import ordered_map
from truecase.kernels._ngrams import NgramScorer
from truecase.kernels.quantise import even_codebook
from truecase.ngram._kneser_ney import CasingLosses, NgramNumbers, pack
from truecase.ngram.counting import id_bits
from truecase.ngram.table import SlotWidths, as_read, pack_order

_CHUNK = 1 << 18

# Chunks that are worked on at a time; results do not depend on it.
_THREADS = 2


@dataclass
class Order:
    """The n-grams of one order, sorted lexicographically, of a model that is being pruned.

    Attributes
    ----------
    words : uint32 ndarray, shape (n, k)
    log_prob, log_backoff : float32 ndarray, shape (n,)
        Natural log; backoffs are 0 in the highest order.
    count : uint32 ndarray, shape (n,)
    context, suffix : int32 ndarray, shape (n,)
        Indices, in the order below, of the n-gram without its last and without its first word; -1
        if absent or k is 2.
    loss : float32 ndarray, shape (n,)
        In nats; 0 if the n-gram can change no decision.
    """

    words: UInt32s
    log_prob: Float32s
    log_backoff: Float32s
    count: UInt32s
    context: Int32s
    suffix: Int32s
    loss: Float32s

    def contexts(self, part: slice) -> Int64s:
        """Indices of the contexts of some n-grams in the order below; of bigrams, word ids."""
        if self.words.shape[1] == 2:
            return self.words[part, 0].astype(np.int64)
        return self.context[part].astype(np.int64)


def find_shorter(words: UInt32s, below: UInt32s, threads: int = 1) -> tuple[Int32s, Int32s]:
    """Find, for each n-gram, the rows of `below` without its last word and without its first word.

    Parameters
    ----------
    words : uint32 ndarray, shape (n, k)
        k >= 2.
    below : uint32 ndarray, shape (m, k - 1)
        Each n-gram once.
    threads : int
        The result does not depend on it.

    Returns
    -------
    context, suffix : int32 ndarray, shape (n,)
        -1 where the shorter n-gram is absent.

    Raises
    ------
    MemoryError
        `below` has 2**31 n-grams or more.
    """
    m, width = below.shape
    if m >= 1 << 31:
        raise MemoryError(f"{m} {width}-grams are too many for one table")
    bits = id_bits(1 + int(max(words.max(initial=0), below.max(initial=0))))
    table = NgramNumbers(pack(below, bits), np.arange(m, dtype=np.uint32), width, bits)

    def find(begin: int) -> list[UInt32s]:
        part = words[begin : begin + _CHUNK]
        return [table.of(pack(shorter, bits)) for shorter in (part[:, :-1], part[:, 1:])]

    found = np.empty((2, len(words)), np.uint32)
    starts = range(0, len(words), _CHUNK)
    for begin, both in zip(starts, ordered_map(find, starts, threads), strict=True):
        found[:, begin : begin + _CHUNK] = both
    context, suffix = found.view(np.int32)
    return context, suffix


def full_scorer(
    orders: list[Order], form: UInt64s, log_prob: Float32s, log_backoff: Float32s
) -> NgramScorer:
    """Make a scorer of all n-grams, in tables wide enough to be exact for this purpose."""
    tables, widths = [], SlotWidths(16, 16, 24, 0.7)
    for k, order in enumerate(orders, 2):
        prob, backoff = as_read(order.log_prob), None
        if k <= len(orders):
            backoff = as_read(order.log_backoff)
        tables.append(pack_order(order.words, prob, backoff, form, widths, even_codebook, False))
    return NgramScorer(form, log_prob, log_backoff, tables)


def mark_deciding(orders: list[Order], alternatives_start: Int64s) -> None:
    """Set the loss of n-grams that can change no decision to 0, and that of all others to 1."""
    has_alternatives = np.diff(alternatives_start) > 0
    for order in orders:
        order.loss = np.empty(len(order.words), np.float32)
        for begin in range(0, len(order.words), _CHUNK):
            part = slice(begin, begin + _CHUNK)
            order.loss[part] = has_alternatives[order.words[part]].any(axis=1)


def measure_losses(
    orders: list[Order],
    scorer: NgramScorer,
    alternatives_start: Int64s,
    alternatives: UInt32s,
    node_score: Float32s,
    report: Callable[[float], None] = lambda share: None,
) -> None:
    """Fill in `Order.loss` of every order; `report` gets the share of the n-grams that is done."""
    losses = CasingLosses(scorer, alternatives_start, alternatives, node_score)
    done, total = 0, sum(len(order.words) for order in orders)
    for k, order in enumerate(orders, 2):
        order.loss = np.zeros(len(order.words), np.float32)
        below = orders[k - 3].log_backoff if k > 2 else np.asarray(scorer.unigram_backoff)

        def run(begin: int, order: Order = order, below: Float32s = below) -> int:
            part = slice(begin, begin + _CHUNK)
            words, contexts = order.words[part], order.contexts(part)
            # An absent context has none.
            backoffs = np.where(contexts >= 0, below[contexts], np.float32(0))
            order.loss[part] = losses.of(words, order.count[part], backoffs)
            return len(words)

        for n in ordered_map(run, range(0, len(order.words), _CHUNK), _THREADS):
            done += n
            report(done / total)


def _probabilities(
    order: Order, keep: Bools, scorer: NgramScorer, begin: int
) -> tuple[Int64s, Bools, Float64s, Float64s]:
    """For a chunk of n-grams: contexts, whether they stay, p(w | context), p(w | shorter context).

    The probabilities are only of those that stay.
    """
    part = slice(begin, begin + _CHUNK)
    stays = keep[part] | (order.loss[part] == 0)
    shorter = scorer.last_word(order.words[part][stays], 1)
    probability = np.exp(order.log_prob[part][stays].astype(np.float64))
    return order.contexts(part), stays, probability, np.exp(shorter.astype(np.float64))


def needed_losses(orders: list[Order]) -> list[Float32s]:
    """The largest loss of each n-gram and of the longer ones that need it.

    A longer n-gram needs its context for the backoff, and its suffix because another history of the
    same word may back off to it.
    """
    needed = [order.loss for order in orders]
    for k in range(len(orders) - 1, 0, -1):
        needed[k - 1] = needed[k - 1].copy()
        for shorter in (orders[k].context, orders[k].suffix):
            there = shorter >= 0
            np.maximum.at(needed[k - 1], shorter[there], needed[k][there])
    return needed


def renormalise(
    orders: list[Order], keep: list[Bools], form: UInt64s, log_prob: Float32s, log_backoff: Float32s
) -> tuple[list[Order], Float32s]:
    """Drop n-grams, and choose the backoffs so that the distributions sum to one again.

    n-grams that can change no decision (loss 0) count as kept in those sums: for them the model
    stays as it was. `orders` is emptied as soon as its n-grams are no longer needed.

    Returns the kept n-grams, without their contexts, and the new unigram backoffs (natural log).
    """
    pruned: list[Order] = []
    unigram_backoff = log_backoff.copy()
    backoffs: list[Float32s] = [order.log_backoff.copy() for order in orders[:-1]]
    backoffs += [order.log_backoff for order in orders[-1:]]
    for k in range(2, 2 + len(orders)):
        order = orders.pop(0)
        # The orders below are final; they give p(w | shorter history).
        scorer = full_scorer(pruned, form, log_prob, unigram_backoff)
        target = unigram_backoff if k == 2 else backoffs[k - 3]
        # Dropping n-grams of a shorter order changes the sums of longer histories, too.
        shorter_changed = any(not mask.all() for mask in keep[: k - 2])
        kept_mass = np.zeros(len(target))
        shorter_mass = np.zeros(len(target))
        touched = np.zeros(len(target), np.bool_)
        read = partial(_probabilities, order, keep[k - 2], scorer)
        starts = range(0, len(order.words), _CHUNK)
        for contexts, stays, probability, shorter in ordered_map(read, starts, _THREADS):
            known = contexts[stays] >= 0
            np.add.at(kept_mass, contexts[stays][known], probability[known])
            np.add.at(shorter_mass, contexts[stays][known], shorter[known])
            touched[contexts[(contexts >= 0) & (shorter_changed | ~stays)]] = True
        for begin in range(0, len(target), _CHUNK):
            part = slice(begin, begin + _CHUNK)
            top = np.maximum(1.0 - kept_mass[part], 1e-6)
            bottom = np.maximum(1.0 - shorter_mass[part], 1e-6)
            np.copyto(target[part], np.log(top / bottom), "same_kind", where=touched[part])
        del kept_mass, shorter_mass, touched
        if k > 2:
            # The order below was stored before its backoffs were known.
            pruned[-1].log_backoff = backoffs[k - 3][keep[k - 3]]
        mask = keep[k - 2]
        del scorer, read
        order.context = order.suffix = np.zeros(0, np.int32)
        order.log_backoff = backoffs[k - 2]
        for column in ("words", "log_prob", "log_backoff", "count", "loss"):
            setattr(order, column, getattr(order, column)[mask])
        pruned.append(order)
    return pruned, unigram_backoff
