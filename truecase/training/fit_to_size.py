"""How small a model gets: the n-grams that matter least for casing go first."""

import dataclasses
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from truecase.errors import TrainingError
from truecase.features._suffix import N_BYTES as SUFFIX_TABLE_BYTES
from truecase.lexicon.lexicon import N_MARKS, TAG_MX
from truecase.ngram.prune import (
    Floats,
    full_scorer,
    mark_deciding,
    measure_losses,
    needed_losses,
    renormalise,
    select,
)
from truecase.runtime._give_back import give_back_memory
from truecase.training.language_model import (
    LEXICON_FINGERPRINT_BITS,
    LEXICON_LOAD,
    Scored,
    other_candidates,
)
from truecase.training.recipe import Recipe

#: Called with the name of a step and what share of it is done, None if that is not known.
Report = Callable[[str, float | None], None]


def prune_to_fit(scored: Scored, recipe: Recipe, max_size: int | None, report: Report) -> Scored:
    """Drop the n-grams that matter least, down to `decision_loss` or `max_size`.

    Those of `scored` are given up on the way.

    Parameters
    ----------
    scored : Scored
    recipe : Recipe
        With a language model.
    max_size : int or None
        Bytes of the model file, without those of learned features.
    report : callable
    """
    if not scored.orders:
        return scored
    form = scored.form
    start, others = other_candidates(scored.forms, scored.kept)
    node_score = np.zeros(len(form), np.float32)
    node_score[len(scored.forms.key) : -1] = scored.class_score
    give_back_memory()
    assert recipe.lm is not None
    threshold = recipe.lm.decision_loss
    mark_deciding(scored.orders, start)
    needed = needed_losses(scored.orders)
    # All of them in the model, or as many as fit: their losses make no difference then.
    fixed = 0 if max_size is None else _fixed_bytes(scored, recipe, max_size)
    is_too_large = max_size is not None and _bytes(fixed, needed, recipe, 0.0) > max_size
    if threshold > 0 or is_too_large:
        del needed
        for order in scored.orders:
            order.loss = np.zeros(0, np.float32)
        _measure(scored, form, start, others, node_score, report)
        needed = needed_losses(scored.orders)
    if is_too_large:
        assert max_size is not None
        threshold = max(threshold, _threshold_for(max_size, fixed, needed, recipe))
    keep = select(needed, threshold)
    del needed
    for order in scored.orders:
        order.suffix = np.zeros(0, np.int32)
    orders, log_backoff = renormalise(
        scored.orders, keep, form, scored.log_prob, scored.log_backoff, release=True
    )
    return dataclasses.replace(scored, log_backoff=log_backoff, orders=orders)


def _measure(
    scored: Scored,
    form: npt.NDArray[np.uint64],
    start: npt.NDArray[np.int64],
    others: npt.NDArray[np.uint32],
    node_score: Floats,
    report: Report,
) -> None:
    give_back_memory()
    scorer = full_scorer(scored.orders, form, scored.log_prob, scored.log_backoff)
    total = sum(len(order.words) for order in scored.orders)
    done = 0

    def progress(n: int) -> None:
        nonlocal done
        done += n
        report("choosing n-grams", done / total)

    measure_losses(scored.orders, scorer, start, others, node_score, progress=progress)
    del scorer
    give_back_memory()


def _threshold_for(max_size: int, fixed: int, needed: list[Floats], recipe: Recipe) -> float:
    """The smallest loss threshold above 0 whose model stays below `max_size` bytes.

    `needed` are the losses as `needed_losses` has them.
    """
    low, high = 1e-6, 1.0 + float(max(losses.max(initial=0.0) for losses in needed))
    while high / low > 1.002:
        middle = (low * high) ** 0.5
        if _bytes(fixed, needed, recipe, middle) > max_size:
            low = middle
        else:
            high = middle
    return high


def _bytes(fixed: int, needed: list[Floats], recipe: Recipe, threshold: float) -> float:
    """Bytes of a model with the n-grams above a threshold, and those that they need."""
    assert recipe.lm is not None
    packing = recipe.lm.packing
    total = float(fixed)
    for k, keep in enumerate(select(needed, threshold), 2):
        is_highest = k == 1 + len(needed)
        bits = packing.fingerprint_bits + packing.probability_bits
        bits += 0 if is_highest else packing.backoff_bits
        total += (np.count_nonzero(keep) / packing.load + 1) * bits / 8
    return total


def _fixed_bytes(scored: Scored, recipe: Recipe, max_size: int) -> int:
    """Bytes of a model file without its n-grams, an upper bound.

    Raises
    ------
    TrainingError
        If they alone are more than `max_size`.
    """
    assert recipe.lm is not None
    packing = recipe.lm.packing
    kept = scored.kept.copy()
    kept[:N_MARKS] = False
    n_keys = len(np.unique(scored.forms.key[kept]))
    n_records = int(kept.sum() + 2 * (kept & (scored.forms.tag == TAG_MX)).sum())
    slot_bits = LEXICON_FINGERPRINT_BITS + max(1, n_records.bit_length())
    books = sum(
        4 * (2**packing.probability_bits + 2**packing.backoff_bits) + 64 for _ in scored.orders
    )
    slots = (n_keys / LEXICON_LOAD + 1) * slot_bits / 8
    extra = 0
    if recipe.dense is not None:
        extra = 8 * n_records + SUFFIX_TABLE_BYTES + 8192
    fixed = int(slots + 4 * n_records + books + extra + 2 * 1024 + 4096)
    if fixed > max_size:
        raise TrainingError(
            f"a model of {max_size:,} bytes is too small: its lexicon alone takes "
            f"{fixed:,}; allow more (--max-size), or leave more forms out (--min-count)"
        )
    return fixed
