"""Translation probabilities: Kneser-Ney smoothing of what was linked with what.

Wang, Knight & Marcu (2006), equations 7 and 8, "estimated from a word-aligned bilingual
corpus" with "Kneser-Ney smoothing" (6.1). A pair (F, E) is treated as a bigram of history F
(Chen & Goodman 1998, interpolated, modified):

    p(E | F)  = max(c(F, E) - D(c(F, E)), 0) / c(F) + γ(F) p'(E)
    p'(E)     = max(n(E) - D'(n(E)), 0) / Σ n + γ' / |V|

where n(E) is the number of different F that E is linked with, D one of three discounts by
the count, γ whatever the discounts leave, and V the targets and one unknown. So every pair has
a probability, p(. | F) sums to 1, and for an F never seen it is p'.
"""

import warnings
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from truecase.errors import DiscountWarning
from truecase.ngram.kneser_ney import DISCOUNT_FALLBACK, Discounts, closed_form_discounts
from truecase.source.translation_counts import PairCounts, TranslationCounts
from truecase.text.casing import TAGS

# With a discount of 0 a frequent source would leave nothing to unseen targets.
SMALLEST_DISCOUNT = 0.01

_Floats = npt.NDArray[np.float64]


@dataclass
class PairProbabilities:
    """p(target | source), of the pairs seen and of all others.

    Attributes
    ----------
    counts : PairCounts
        Sources, targets and pairs that the other attributes are of.
    probability : float64 ndarray, shape (n_pairs,)
        Of the pairs, interpolated.
    backoff : float64 ndarray, shape (n_sources,)
        γ(F): with the continuation probability, that of an unseen pair.
    continuation : float64 ndarray, shape (n_targets,)
        p'(E).
    unknown : float
        p' of a target never seen.
    discounts, continuation_discounts : tuple of 3 floats
    """

    counts: PairCounts
    probability: _Floats
    backoff: _Floats
    continuation: _Floats
    unknown: float
    discounts: Discounts
    continuation_discounts: Discounts


@dataclass
class SmoothedTables:
    """The tables of equations 7 and 8, before anything is pruned.

    Attributes
    ----------
    cased : PairProbabilities
        p(E | F).
    lower : PairProbabilities
        p(e | f).
    tag : float64 ndarray, shape (5, 5)
        p(τ(E) | τ(F)); rows are the source's tags.
    target_key : int32 ndarray
        Of each target form, the place of its key among the targets of `lower`.
    """

    cased: PairProbabilities
    lower: PairProbabilities
    tag: _Floats
    target_key: npt.NDArray[np.int32]


def smooth(counts: TranslationCounts) -> SmoothedTables:
    """Kneser-Ney probabilities of the counts of a bitext.

    Parameters
    ----------
    counts : TranslationCounts
        Of a bitext of any size, even none.

    Returns
    -------
    SmoothedTables

    Warns
    -----
    DiscountWarning
        The bitext is too small or regular to tell discounts; fixed ones are used.
    """
    return SmoothedTables(
        smooth_pairs(counts.cased, "surface forms"),
        smooth_pairs(counts.lower, "lowercase forms"),
        smooth_tags(counts.tags),
        counts.target_key,
    )


def smooth_pairs(
    counts: PairCounts, name: str | None = None, with_unknown: bool = True
) -> PairProbabilities:
    """Kneser-Ney probabilities of one table.

    Parameters
    ----------
    counts : PairCounts
    name : str, optional
        What the pairs are of, for the warning that their counts give no discounts; without
        it there is none.
    with_unknown : bool
        Whether there are other targets than those given.
    """
    n_sources, n_targets = len(counts.source), len(counts.target)
    c = counts.count.astype(np.float64)
    adjusted = np.bincount(counts.pair_target, minlength=n_targets).astype(np.int64)
    discounts, replaced = _discounts(counts.count)
    lower_discounts, lower_replaced = _discounts(adjusted)
    if name is not None and (replaced or lower_replaced):
        warnings.warn(
            f"Kneser-Ney discounts of translations of {name} cannot be computed from so small or "
            f"so regular a bitext; using {' '.join(f'{d:g}' for d in DISCOUNT_FALLBACK)} instead",
            DiscountWarning,
            stacklevel=3,
        )
    n_members = n_targets + with_unknown
    total = max(float(adjusted.sum()), 1.0)
    taken = np.minimum(_by_count(lower_discounts, adjusted), adjusted.astype(np.float64))
    left = float(taken.sum()) / total if len(counts.count) else 1.0
    unknown = left / max(n_members, 1)
    continuation: _Floats = (adjusted - taken) / total + unknown

    source_total = np.bincount(counts.pair_source, weights=c, minlength=n_sources)
    taken = np.minimum(_by_count(discounts, counts.count), c)
    backoff: _Floats = np.ones(n_sources)
    np.divide(
        np.bincount(counts.pair_source, weights=taken, minlength=n_sources),
        source_total,
        out=backoff,
        where=source_total > 0,
    )
    probability = (c - taken) / source_total[counts.pair_source]
    probability += backoff[counts.pair_source] * continuation[counts.pair_target]
    return PairProbabilities(
        counts, probability, backoff, continuation, unknown, discounts, lower_discounts
    )


def smooth_tags(tags: npt.NDArray[np.int64]) -> _Floats:
    """p(target tag | source tag) for all tags, from counts with the source's tag first."""
    n = len(TAGS)
    source, target = np.nonzero(tags)
    ids = np.arange(n, dtype=np.uint64)
    pairs = PairCounts(
        ids, ids, source.astype(np.int32), target.astype(np.int32), tags[source, target]
    )
    smoothed = smooth_pairs(pairs, with_unknown=False)
    table = np.outer(smoothed.backoff, smoothed.continuation)
    table[source, target] = smoothed.probability
    return table


def _discounts(counts: npt.NDArray[np.int64]) -> tuple[Discounts, bool]:
    """Discounts by the counts of counts, and whether they had to be replaced by fixed ones."""
    discounts = closed_form_discounts([int(np.count_nonzero(counts == k)) for k in (1, 2, 3, 4)])
    if discounts is None:
        return DISCOUNT_FALLBACK, True
    d1, d2, d3 = (max(discount, SMALLEST_DISCOUNT) for discount in discounts)
    return (d1, d2, d3), False


def _by_count(discounts: Discounts, counts: npt.NDArray[np.int64]) -> _Floats:
    table: _Floats = np.array([0.0, *discounts])
    return table[np.minimum(counts, 3)]
