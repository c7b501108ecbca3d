"""How small a model gets: the n-grams that matter least for casing go first."""

import dataclasses
from collections.abc import Callable

import numpy as np

from truecase.crf._suffix import N_BYTES as SUFFIX_TABLE_BYTES
from truecase.lexicon.lexicon import N_MARKS, TAG_MX
from truecase.ngram.prune import full_scorer, measure_losses, renormalise, select
from truecase.training.build import (
    LEXICON_FINGERPRINT_BITS,
    LEXICON_LOAD,
    Scored,
    other_candidates,
)
from truecase.training.options import TrainingError, TrainingOptions

#: Called with the name of a step and what share of it is done.
Report = Callable[[str, float], None]


def prune_to_fit(scored: Scored, options: TrainingOptions, report: Report) -> Scored:
    """Drop the n-grams that matter least, down to `decision_loss` or `max_size`."""
    if not scored.orders:
        return scored
    form = scored.form
    start, others = other_candidates(scored.forms, scored.kept)
    node_score = np.zeros(len(form), np.float32)
    node_score[len(scored.forms.key) : -1] = scored.class_score
    scorer = full_scorer(scored.orders, form, scored.log_prob, scored.log_backoff)
    total = sum(len(order.words) for order in scored.orders)
    done = 0

    def progress(n: int) -> None:
        nonlocal done
        done += n
        report("choosing n-grams", done / total)

    measure_losses(scored.orders, scorer, start, others, node_score, progress=progress)
    del scorer
    threshold = options.decision_loss
    if options.max_size is not None:
        threshold = max(threshold, threshold_for(scored, options))
    keep = select(scored.orders, threshold)
    orders, log_backoff = renormalise(
        scored.orders, keep, form, scored.log_prob, scored.log_backoff
    )
    return dataclasses.replace(scored, log_backoff=log_backoff, orders=orders)


def threshold_for(scored: Scored, options: TrainingOptions) -> float:
    """The smallest loss threshold whose model stays below ``options.max_size`` bytes.

    Raises
    ------
    TrainingError
        If the lexicon alone is larger.
    """
    assert options.max_size is not None
    lexicon = _fixed_bytes(scored, options)
    if lexicon > options.max_size:
        raise TrainingError(
            f"a model of {options.max_size:,} bytes is too small: its lexicon alone takes "
            f"{lexicon:,}; raise --max-size or --min-count"
        )
    slot_bits = options.fingerprint_bits + options.probability_bits

    def size(threshold: float) -> float:
        total = float(lexicon)
        for k, keep in enumerate(select(scored.orders, threshold), 2):
            is_highest = k == 1 + len(scored.orders)
            bits = slot_bits + (0 if is_highest else options.backoff_bits)
            total += (keep.sum() / options.load + 1) * bits / 8
        return total

    if size(0.0) <= options.max_size:
        return 0.0
    low, high = 1e-6, 1.0 + float(max(order.loss.max(initial=0.0) for order in scored.orders))
    while high / low > 1.002:
        middle = (low * high) ** 0.5
        if size(middle) > options.max_size:
            low = middle
        else:
            high = middle
    return high


def _fixed_bytes(scored: Scored, options: TrainingOptions) -> int:
    """Bytes of a model file without its n-grams, an upper bound."""
    kept = scored.kept.copy()
    kept[:N_MARKS] = False
    n_keys = len(np.unique(scored.forms.key[kept]))
    n_records = int(kept.sum() + 2 * (kept & (scored.forms.tag == TAG_MX)).sum())
    slot_bits = LEXICON_FINGERPRINT_BITS + max(1, n_records.bit_length())
    books = sum(
        4 * (2**options.probability_bits + 2**options.backoff_bits) + 64 for _ in scored.orders
    )
    slots = (n_keys / LEXICON_LOAD + 1) * slot_bits / 8
    extra = 0
    if options.has_columns:
        extra = 8 * n_records + SUFFIX_TABLE_BYTES + 8192
    return int(slots + 4 * n_records + books + extra + 2 * 1024 + 4096)
