"""Which n-grams a truecaser needs: those that can change a casing decision, and how much they do.

In a stretch of words that have one candidate each, the language model adds the same to
every path, so an n-gram all of whose words are such words is never looked up. Of the rest,
each is worth the casing log-likelihood of the training text that would be lost without it
(`truecase.ngram._score.NgramScorer.casing_losses`). Backoffs are computed anew, so that
the pruned model's distributions still sum to one (Stolcke 1998 does so for entropy pruning).
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from truecase.ngram._score import NgramScorer
from truecase.ngram.table import LN10, pack_order
from truecase.packed.quantise import even_codebook
from truecase.runtime.threads import ordered_map

_CHUNK = 1 << 18

Floats = npt.NDArray[np.float32]
Bools = npt.NDArray[np.bool_]


@dataclass
class Order:
    """The n-grams of one order, as they are while a model is being pruned.

    Attributes
    ----------
    words : uint32 ndarray, shape (n, k)
        Sorted lexicographically.
    log_prob, log_backoff : float32 ndarray, shape (n,)
        Natural log; backoffs are 0 in the highest order.
    count : int64 ndarray, shape (n,)
    context, suffix : int64 ndarray, shape (n,)
        Places of the first and of the last k - 1 words in the order below; -1 if absent or
        k is 2.
    loss : float32 ndarray, shape (n,)
        Worth of the n-gram in nats; 0 if it can change no decision.
    """

    words: npt.NDArray[np.uint32]
    log_prob: Floats
    log_backoff: Floats
    count: npt.NDArray[np.int64]
    context: npt.NDArray[np.int64]
    suffix: npt.NDArray[np.int64]
    loss: Floats


def full_scorer(
    orders: list[Order], form: npt.NDArray[np.uint64], log_prob: Floats, log_backoff: Floats
) -> NgramScorer:
    """A scorer over the n-grams as they are, in tables wide enough to be exact for this purpose."""
    tables = []
    for k, order in enumerate(orders, 2):
        tables.append(
            pack_order(
                order.words,
                order.log_prob / LN10,
                order.log_backoff / LN10 if k <= len(orders) else None,
                form,
                probability_bits=16,
                backoff_bits=16,
                fingerprint_bits=24,
                load=0.7,
                codebook=even_codebook,
            )
        )
    return NgramScorer(form, log_prob, log_backoff, tables)


def measure_losses(
    orders: list[Order],
    scorer: NgramScorer,
    alternatives_start: npt.NDArray[np.int64],
    alternatives: npt.NDArray[np.uint32],
    node_score: Floats,
    threads: int = 2,
    progress: Callable[[int], None] | None = None,
) -> None:
    """Fill `Order.loss` of every order."""
    for k, order in enumerate(orders, 2):
        order.loss = np.zeros(len(order.words), np.float32)
        backed_off = scorer.last_word(order.words, 1)
        below = orders[k - 3].log_backoff if k > 2 else None
        if below is not None:
            backed_off += np.where(order.context >= 0, below[order.context], 0)
        else:
            backed_off += scorer_backoff(scorer, order.words[:, 0])

        def run(begin: int, order: Order = order, backed_off: Floats = backed_off) -> None:
            end = min(begin + _CHUNK, len(order.words))
            order.loss[begin:end] = scorer.casing_losses(
                order.words, order.count, backed_off, alternatives_start, alternatives,
                node_score, begin, end,
            )  # fmt: skip
            if progress is not None:
                progress(end - begin)

        for _ in ordered_map(run, range(0, len(order.words), _CHUNK), threads):
            pass


def scorer_backoff(scorer: NgramScorer, words: npt.NDArray[np.uint32]) -> Floats:
    """Unigram backoffs of word ids, natural log."""
    backoffs: Floats = np.asarray(scorer.unigram_backoff)
    return backoffs[words]


def select(orders: list[Order], threshold: float) -> list[Bools]:
    """n-grams whose loss is above `threshold`, and the shorter ones that they need.

    A context is needed for its backoff; a suffix because another history of the same word
    may back off to it.
    """
    keep: list[Bools] = [order.loss > threshold for order in orders]
    for k in range(len(orders) - 1, 0, -1):
        for shorter in (orders[k].context, orders[k].suffix):
            places = shorter[keep[k]]
            keep[k - 1][places[places >= 0]] = True
    return keep


def renormalise(
    orders: list[Order],
    keep: list[Bools],
    form: npt.NDArray[np.uint64],
    log_prob: Floats,
    log_backoff: Floats,
) -> tuple[list[Order], Floats]:
    """The kept n-grams with backoffs that make their distributions sum to one again.

    n-grams that can change no decision (loss 0) still count as kept in those sums: for them
    the model stays as it was.

    Returns
    -------
    orders : list of Order
        Only the kept n-grams; their contexts are not filled in.
    log_backoff : float32 ndarray, shape (n_words,)
        The new unigram backoffs, natural log.
    """
    pruned: list[Order] = []
    unigram_backoff = log_backoff.copy()
    backoffs: list[Floats] = [order.log_backoff.copy() for order in orders]
    for k, order in enumerate(orders, 2):
        # The orders below are final by now; p(w | shorter history) is taken from them.
        scorer = full_scorer(pruned, form, log_prob, unigram_backoff)
        shorter = scorer.last_word(order.words, 1)
        stays = keep[k - 2] | (order.loss == 0)
        context = order.words[:, 0].astype(np.int64) if k == 2 else order.context
        target = unigram_backoff if k == 2 else backoffs[k - 3]
        usable = stays & (context >= 0)
        kept_mass = np.bincount(
            context[usable], np.exp(order.log_prob[usable].astype(np.float64)), len(target)
        )
        shorter_mass = np.bincount(
            context[usable], np.exp(shorter[usable].astype(np.float64)), len(target)
        )
        # Dropping n-grams of a shorter order moves the sums of longer histories as well.
        shorter_changed = any(not mask.all() for mask in keep[: k - 2])
        touched = np.zeros(len(target), np.bool_)
        touched[context[(context >= 0) & (shorter_changed | ~stays)]] = True
        top = np.maximum(1.0 - kept_mass, 1e-6)
        bottom = np.maximum(1.0 - shorter_mass, 1e-6)
        target[touched] = np.log(top / bottom)[touched]
        if k > 2:
            # The order below was stored before its backoffs were known.
            pruned[-1].log_backoff = backoffs[k - 3][keep[k - 3]]
        mask = keep[k - 2]
        pruned.append(
            Order(
                order.words[mask],
                order.log_prob[mask],
                backoffs[k - 2][mask],
                order.count[mask],
                np.zeros(0, np.int64),
                np.zeros(0, np.int64),
                order.loss[mask],
            )
        )
    return pruned, unigram_backoff
