"""Translation tables of a bitext: counted, smoothed, packed."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from truecase.alignment.lines import AlignedLines
from truecase.alignment.naive_aligner import naive_phrases
from truecase.base.model_file import Arrays
from truecase.base.spool import Bools, Float32s, Float64s, Int32s, Int64s, UInt8s, UInt64s
from truecase.errors import DiscountWarning
from truecase.kernels._components import SMALLEST, hash_entries
from truecase.kernels._maps import pack
from truecase.kernels._segment import count_words
from truecase.kernels.quantise import quantise
from truecase.kernels.text import TAGS
from truecase.ngram.kneser_ney import DISCOUNT_FALLBACK, Discounts, closed_form_discounts
from truecase.training._translation_counts import PairCounter
from truecase.training.recipe import SourceRecipe, TextRecipe

# Counting


@dataclass
class PairCounts:
    """How often each source was linked with each target.

    `source` and `target` are identities, uint64. For each pair, `pair_source` and `pair_target`,
    int32, are places in these, ascending, and `count`, int64, is the number of its links.
    """

    source: UInt64s
    target: UInt64s
    pair_source: Int32s
    pair_target: Int32s
    count: Int64s


@dataclass
class TranslationCounts:
    """Counts of a bitext.

    `cased` counts pairs of surface forms, `lower` those of their lowercase keys, `tags` those of
    tags, int64, shape (5, 5), the source's first. `target_key`, int32, gives each target form the
    place of its key among the targets of `lower`. `n_words` target words had a source word.
    """

    cased: PairCounts
    lower: PairCounts
    tags: Int64s
    target_key: Int32s
    n_words: int


def count_translations(
    blocks: Iterable[AlignedLines],
    segmentation: str = "raw",
    source_turkic: bool = False,
    target_turkic: bool = False,
) -> TranslationCounts:
    """Count the links of a word-aligned bitext.

    Each token of a target word is paired with the tokens of the linked source words: words with
    words and marks with marks where a source word has both. Words without a link and unaligned
    lines are skipped. Memory grows with the number of different pairs.

    Parameters
    ----------
    blocks : iterable of AlignedLines
        Those without an alignment are skipped. The result does not depend on the cuts.
    segmentation : {"raw", "space"}
        The segmentation of the target language's model.
    source_turkic, target_turkic : bool
        Casing of Turkish and Azeri.

    Raises
    ------
    ValueError
        Lines and links of a block do not fit; the message names the line.
    """
    counter = PairCounter(segmentation == "raw", source_turkic, target_turkic)
    for lines in blocks:
        if lines.phrases is not None:
            counter.add(lines.target, lines.source, lines.phrases)
    pair, count = counter.pairs()
    (source_form, source_key, source_tag), (target_form, target_key, target_tag) = counter.forms()
    source = (pair >> np.uint64(32)).astype(np.int32)
    target = (pair & np.uint64(0xFFFFFFFF)).astype(np.int32)
    del pair
    cased = PairCounts(source_form, target_form, source, target, count.astype(np.int64))
    source_keys, source_place = np.unique(source_key, return_inverse=True)
    target_keys, target_place = np.unique(target_key, return_inverse=True)
    joined = source_place[source] * len(target_keys) + target_place[target]
    lower_pair, lower_place = np.unique(joined, return_inverse=True)
    del joined
    lower = PairCounts(
        source_keys,
        target_keys,
        (lower_pair // max(len(target_keys), 1)).astype(np.int32),
        (lower_pair % max(len(target_keys), 1)).astype(np.int32),
        _summed(lower_place, cased.count, len(lower_pair)),
    )
    n = len(TAGS)
    both = source_tag[source].astype(np.int64) * n + target_tag[target]
    tags = _summed(both, cased.count, n * n).reshape(n, n)
    return TranslationCounts(cased, lower, tags, target_place.astype(np.int32), counter.n_words)


def _summed(place: Int64s, count: Int64s, n: int) -> Int64s:
    # bincount adds in double precision, which is exact for sums below 2**53.
    return np.bincount(place, weights=count, minlength=n).astype(np.int64)


# Kneser-Ney smoothing

# With a discount of 0, a frequent source would leave nothing to unseen targets.
SMALLEST_DISCOUNT = 0.01


@dataclass
class PairProbabilities:
    """p(target | source), of the pairs seen and of all others; float64.

    `counts` has the sources, targets and pairs. The `probability` of each pair is interpolated; the
    `backoff` of a source, γ(F), times the `continuation` of a target, p'(E), is that of an unseen
    pair; `unknown` is p' of a target never seen.
    """

    counts: PairCounts
    probability: Float64s
    backoff: Float64s
    continuation: Float64s
    unknown: float
    discounts: Discounts


@dataclass
class SmoothedTables:
    """The tables of equations 7 and 8 before pruning.

    `cased` is p(E | F), `lower` is p(e | f), `tag` is p(τ(E) | τ(F)), float64, shape (5, 5), with
    the source's tags as rows; `target_key` is that of `TranslationCounts`.
    """

    cased: PairProbabilities
    lower: PairProbabilities
    tag: Float64s
    target_key: Int32s


def smooth(counts: TranslationCounts) -> SmoothedTables:
    """Kneser-Ney probabilities of a bitext of any size, even an empty one.

    Warns
    -----
    DiscountWarning
        The bitext is too small or regular to estimate discounts; fixed ones replace them.
    """
    cased = smooth_pairs(counts.cased, "surface forms")
    lower = smooth_pairs(counts.lower, "lowercase forms")
    return SmoothedTables(cased, lower, smooth_tags(counts.tags), counts.target_key)


def smooth_pairs(
    counts: PairCounts, name: str | None = None, with_unknown: bool = True
) -> PairProbabilities:
    """Kneser-Ney probabilities of one table.

    `name` names the pairs in the warning about counts that give no discounts; without a name there
    is no warning. `with_unknown`: targets exist that the counts lack.
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
    continuation: Float64s = (adjusted - taken) / total + unknown

    source_total = np.bincount(counts.pair_source, weights=c, minlength=n_sources)
    taken = np.minimum(_by_count(discounts, counts.count), c)
    backoff: Float64s = np.ones(n_sources)
    of_source = np.bincount(counts.pair_source, weights=taken, minlength=n_sources)
    np.divide(of_source, source_total, out=backoff, where=source_total > 0)
    probability = (c - taken) / source_total[counts.pair_source]
    probability += backoff[counts.pair_source] * continuation[counts.pair_target]
    return PairProbabilities(counts, probability, backoff, continuation, unknown, discounts)


def smooth_tags(tags: Int64s) -> Float64s:
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


def _discounts(counts: Int64s) -> tuple[Discounts, bool]:
    """Discounts by the counts of counts, and whether fixed ones replaced them."""
    discounts = closed_form_discounts([int(np.count_nonzero(counts == k)) for k in (1, 2, 3, 4)])
    if discounts is None:
        return DISCOUNT_FALLBACK, True
    d1, d2, d3 = (max(discount, SMALLEST_DISCOUNT) for discount in discounts)
    return (d1, d2, d3), False


def _by_count(discounts: Discounts, counts: Int64s) -> Float64s:
    table: Float64s = np.array([0.0, *discounts])
    return table[np.minimum(counts, 3)]


# Packing


# Share of the bytes for the table of lowercase forms. Entries of no larger gain, in nats over the
# training text, are left out.
_LOWER_SHARE = 0.2
_MIN_GAIN = 0.0

# Bits of a quantised value, and of the fingerprint that tells entries of one slot apart; the share
# of the slots that are filled.
_CODE_BITS, _FINGERPRINT_BITS, _LOAD = 6, 16, 0.9


@dataclass
class Entries:
    """Candidates for the entries of one table, with their gain in nats, float64.

    `relevant` marks pairs whose target has more than one candidate.
    """

    probabilities: PairProbabilities
    relevant: Bools
    pair_gain: Float64s
    target_gain: Float64s

    def thresholds(self) -> Float64s:
        """The gains of all entries that may be kept."""
        return np.concatenate([self.pair_gain[self.relevant], self.target_gain])


def pack_tables(tables: SmoothedTables, max_bytes: int) -> tuple[Arrays, dict[str, Any]]:
    """Prune, quantise and pack tables; return arrays and settings of `TranslationTables`.

    Words of one form are left out: there is nothing to decide.
    """
    kept_key = np.bincount(tables.target_key, minlength=len(tables.lower.counts.target)) > 1
    entries = {
        "cased": cased_entries(tables.cased, tables.target_key, kept_key),
        "lower": lower_entries(tables.lower, kept_key),
    }
    budgets = _budgets(entries, max_bytes)
    tag = np.clip(tables.tag, SMALLEST, 1.0).astype(np.float32)
    arrays: Arrays = {"tag": tag.ravel()}
    settings: dict[str, Any] = {}
    for name, table in entries.items():
        slots, values, settings[name] = _pack_table(table, budgets[name])
        arrays[f"{name}.slots"] = slots
        arrays[f"{name}.value"] = values
    return arrays, settings


def cased_entries(probabilities: PairProbabilities, target_key: Int32s, kept_key: Bools) -> Entries:
    """Entries of p(E | F) and their gain for the case of a key."""
    counts = probabilities.counts
    n_keys = len(kept_key)
    key = target_key[counts.pair_target]
    _, group = np.unique(counts.pair_source.astype(np.int64) * n_keys + key, return_inverse=True)
    n_groups = int(group.max(initial=-1)) + 1
    share = probabilities.continuation[counts.pair_target]
    # Forms of the key that were never linked with this source get their backoff.
    key_share = np.bincount(target_key, weights=probabilities.continuation, minlength=n_keys)
    backoff = probabilities.backoff[counts.pair_source]
    in_group = np.bincount(group, weights=probabilities.probability, minlength=n_groups)
    seen_share = np.bincount(group, weights=share, minlength=n_groups)
    whole = in_group[group] + backoff * np.maximum(key_share[key] - seen_share[group], 0.0)
    ratio = np.log(probabilities.probability / whole) - np.log(share / key_share[key])
    size = np.maximum(np.bincount(group, minlength=n_groups), 1)
    pair_gain: Float64s = (
        np.bincount(group, weights=counts.count * ratio, minlength=n_groups) / size
    )

    # Without their entries, all forms of a key would be equally likely.
    adjusted = np.bincount(counts.pair_target, minlength=len(counts.target)).astype(np.float64)
    forms = np.bincount(target_key, minlength=n_keys)
    ratio = np.log(probabilities.continuation / key_share[target_key] * forms[target_key])
    key_gain = np.bincount(target_key, weights=adjusted * ratio, minlength=n_keys)
    target_gain: Float64s = np.where(forms > 1, key_gain / np.maximum(forms, 1), 0.0)[target_key]
    target_gain = np.where(kept_key[target_key], target_gain, -np.inf)
    return Entries(probabilities, kept_key[key], pair_gain[group], target_gain)


def lower_entries(probabilities: PairProbabilities, kept_key: Bools) -> Entries:
    """Entries of p(e | f) and their gain for the translation."""
    counts = probabilities.counts
    without = (
        probabilities.backoff[counts.pair_source] * probabilities.continuation[counts.pair_target]
    )
    adjusted = np.bincount(counts.pair_target, minlength=len(counts.target)).astype(np.float64)
    target_gain: Float64s = adjusted * np.log(probabilities.continuation / probabilities.unknown)
    pair_gain: Float64s = np.log(probabilities.probability / without) * counts.count
    target_gain = np.where(kept_key, target_gain, -np.inf)
    return Entries(probabilities, kept_key[counts.pair_target], pair_gain, target_gain)


def _budgets(entries: dict[str, Entries], max_bytes: int) -> dict[str, int]:
    """Numbers of entries that each table may have; each gets the room that the other leaves."""
    bits = _CODE_BITS + _FINGERPRINT_BITS
    books = 2 * 4 * (1 << _CODE_BITS) + 256
    room = max(int((max_bytes - books) * 8 * _LOAD / bits), 0)
    # Sources come last, since they depend on the chosen pairs.
    wanted = {
        name: int(np.count_nonzero(table.thresholds() > _MIN_GAIN))
        + len(table.probabilities.counts.source)
        for name, table in entries.items()
    }
    lower = min(int(room * _LOWER_SHARE), wanted["lower"])
    cased = min(room - lower, wanted["cased"])
    return {"cased": cased, "lower": min(room - cased, wanted["lower"])}


def _pack_table(entries: Entries, budget: int) -> tuple[UInt8s, Float32s, dict[str, Any]]:
    probabilities = entries.probabilities
    counts = probabilities.counts
    kept, kept_target = _choose(entries, budget)
    backoff = backoffs_for(probabilities, kept | ~entries.relevant)
    # Error of the unseen translations without the entry, times their number.
    total = np.bincount(counts.pair_source, weights=counts.count, minlength=len(counts.source))
    source_gain = -total * probabilities.backoff * np.log(backoff)
    room = max(budget - int(np.count_nonzero(kept)) - int(np.count_nonzero(kept_target)), 0)
    kept_source = (source_gain > _MIN_GAIN) & _best(source_gain, room)
    source, target = counts.source, counts.target
    pairs = hash_entries(source[counts.pair_source[kept]], target[counts.pair_target[kept]])
    words = hash_entries(None, target[kept_target]), hash_entries(source[kept_source], None)
    hashes = np.concatenate([pairs, *words])
    of_words = probabilities.continuation[kept_target], backoff[kept_source]
    values = np.concatenate([probabilities.probability[kept], *of_words])
    codes, book = quantise(np.log(np.clip(values, SMALLEST, 1.0)), _CODE_BITS, 1)
    mask = (1 << _CODE_BITS) - 1
    slots, n_slots, max_probes = pack(
        hashes, codes.astype(np.uint64), _FINGERPRINT_BITS, _CODE_BITS, mask, _LOAD
    )
    settings = {
        "n_pairs": int(np.count_nonzero(kept)),
        "n_targets": int(np.count_nonzero(kept_target)),
        "n_sources": int(np.count_nonzero(kept_source)),
        "n_slots": n_slots,
        "fingerprint_bits": _FINGERPRINT_BITS,
        "code_bits": _CODE_BITS,
        "max_probes": max_probes,
        "unknown": max(float(probabilities.unknown), SMALLEST),
    }
    # Processors differ in the last bit of 32-bit exponentials; a double has bits to spare. Codes
    # without an entry have exp(0) = 1.
    shares = np.exp(book.astype(np.float64))
    return slots, np.clip(shares, SMALLEST, 1.0).astype(np.float32), settings


def _choose(entries: Entries, budget: int) -> tuple[Bools, Bools]:
    """Choose pairs and targets by gain; sources get the rest of the budget."""
    kept = entries.relevant & (entries.pair_gain > _MIN_GAIN)
    kept_target = entries.target_gain > _MIN_GAIN
    gains = np.concatenate([np.where(kept, entries.pair_gain, -np.inf), entries.target_gain])
    best = _best(gains, budget)
    return kept & best[: len(kept)], kept_target & best[len(kept) :]


def _best(gains: Float64s, n: int) -> Bools:
    """The n entries of the largest gain; the first ones of equals."""
    chosen = np.zeros(len(gains), bool)
    chosen[np.argsort(-gains, kind="stable")[:n]] = True
    return chosen


def backoffs_for(probabilities: PairProbabilities, stored: Bools) -> Float64s:
    """The backoffs of sources if the table has only the pairs in the mask `stored`."""
    counts = probabilities.counts
    n = len(counts.source)
    source = counts.pair_source[stored]
    p = np.bincount(source, weights=probabilities.probability[stored], minlength=n)
    share = np.bincount(
        source, weights=probabilities.continuation[counts.pair_target[stored]], minlength=n
    )
    left = (1.0 - p) / np.maximum(1.0 - share, SMALLEST)
    # It is never less than the backoff before, except that rounding may take away the last of it.
    return np.minimum(np.maximum(np.where(p > 0, left, 1.0), probabilities.backoff), 1.0)


# All of it


def translation_tables(
    bitext: Iterable[AlignedLines], text: TextRecipe, source: SourceRecipe
) -> tuple[Arrays, dict[str, Any]]:
    """Count, smooth and pack translation tables of a bitext; `text` is for its target side."""
    turkic = source.casing == "turkic", text.casing == "turkic"
    counts = count_translations(bitext, text.segmentation, *turkic)
    return pack_tables(smooth(counts), source.translation.table_size)


def with_naive_phrases(lines: AlignedLines) -> AlignedLines:
    """The same lines with phrases that the naive phrase aligner makes of their word links."""
    if lines.phrases is None:
        return lines
    phrases = naive_phrases(lines.phrases, count_words(lines.source))
    return AlignedLines(lines.target, lines.source, phrases)
