"""From translation probabilities to the packed tables of a model file.

What is left out, in this order:

1. pairs whose target has one candidate only: they are never looked up;
2. pairs that say least about what they are for, measured in nats over the training text. A
   group of surface pairs, those of a source with all forms of one key, is worth what it says
   about the *case* of the key beyond what the continuation probabilities say; a lowercase
   pair, what it says about the translation beyond its backoff (Stolcke 1998);
3. continuation probabilities that say as little; and, where a size is given, backoffs: they
   matter only where a phrase has several words, and there the pairs that are kept decide.

A source's backoff grows by what is no longer said of its targets, so that p(. | F) still sums
to 1 as long as backoffs are kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from truecase.packed._slots import pack
from truecase.packed.quantise import quantise
from truecase.source._translation_table import (
    SMALLEST,
    hash_pairs,
    hash_sources,
    hash_targets,
)
from truecase.source.translation_tables import PairProbabilities, SmoothedTables

_Floats = npt.NDArray[np.float64]
_Mask = npt.NDArray[np.bool_]
_Keys = npt.NDArray[np.uint64]
Arrays = dict[str, npt.NDArray[np.generic]]


@dataclass
class TableOptions:
    """How translation tables are stored.

    Attributes
    ----------
    max_bytes : int, optional
        Of both tables. Without it, entries of positive gain are kept.
    lower_share : float
        The lowercase table's part of `max_bytes`.
    min_gain : float
        Nats over the training text that an entry must be worth to be kept.
    code_bits, fingerprint_bits : int
        Width of a quantised value; width of what tells entries of one place apart.
    load : float
        Share of the slots that are filled.
    """

    max_bytes: int | None = None
    lower_share: float = 0.2
    min_gain: float = 0.0
    code_bits: int = 6
    fingerprint_bits: int = 16
    load: float = 0.9


@dataclass
class Entries:
    """What there is to store of one table, and what each entry is worth in nats.

    Attributes
    ----------
    probabilities : PairProbabilities
    relevant : bool ndarray, shape (n_pairs,)
        Whether the pair's target has more than one candidate.
    pair_gain : float64 ndarray, shape (n_pairs,)
    target_gain : float64 ndarray, shape (n_targets,)
    """

    probabilities: PairProbabilities
    relevant: _Mask
    pair_gain: _Floats
    target_gain: _Floats

    def thresholds(self) -> _Floats:
        """The gains of all entries that may be kept."""
        return np.concatenate([self.pair_gain[self.relevant], self.target_gain])


def pack_tables(
    tables: SmoothedTables,
    options: TableOptions | None = None,
    keep_keys: _Keys | None = None,
    drop_keys: _Keys | None = None,
) -> tuple[Arrays, dict[str, Any]]:
    """Prune, quantise and pack translation tables.

    Parameters
    ----------
    tables : SmoothedTables
    options : TableOptions, optional
    keep_keys : uint64 ndarray, optional
        Lowercase keys of the target words that have more than one candidate; by default all.
    drop_keys : uint64 ndarray, optional
        Those of the words that have one candidate.

    Returns
    -------
    arrays : dict
        ``translation.cased.slots`` and ``.value``, ``translation.lower.slots`` and ``.value``,
        ``translation.tag``.
    settings : dict
        Both are those of `TranslationTables`.
    """
    options = options or TableOptions()
    lower = tables.lower
    kept_key = np.ones(len(lower.counts.target), bool)
    if keep_keys is not None:
        kept_key &= np.isin(lower.counts.target, keep_keys)
    if drop_keys is not None:
        kept_key &= ~np.isin(lower.counts.target, drop_keys)
    entries = {
        "cased": cased_entries(tables.cased, tables.target_key, kept_key),
        "lower": lower_entries(lower, kept_key),
    }
    budgets = _budgets(entries, options)
    tag = np.clip(tables.tag, SMALLEST, 1.0).astype(np.float32)
    arrays: Arrays = {"tag": tag.ravel()}
    settings: dict[str, Any] = {}
    for name, table in entries.items():
        slots, values, settings[name] = _pack_table(table, budgets[name], options)
        arrays[f"{name}.slots"] = slots
        arrays[f"{name}.value"] = values
    return arrays, settings


def cased_entries(
    probabilities: PairProbabilities, target_key: npt.NDArray[np.int32], kept_key: _Mask
) -> Entries:
    """Entries of p(E | F), worth what they say about the case of a key."""
    counts = probabilities.counts
    n_keys = len(kept_key)
    key = target_key[counts.pair_target]
    _, group = np.unique(counts.pair_source.astype(np.int64) * n_keys + key, return_inverse=True)
    n_groups = int(group.max(initial=-1)) + 1
    share = probabilities.continuation[counts.pair_target]
    # Forms of the key that were never linked with this source count by their backoff.
    key_share = np.bincount(target_key, weights=probabilities.continuation, minlength=n_keys)
    backoff = probabilities.backoff[counts.pair_source]
    in_group = np.bincount(group, weights=probabilities.probability, minlength=n_groups)
    seen_share = np.bincount(group, weights=share, minlength=n_groups)
    whole = in_group[group] + backoff * np.maximum(key_share[key] - seen_share[group], 0.0)
    ratio = np.log(probabilities.probability / whole) - np.log(share / key_share[key])
    size = np.maximum(np.bincount(group, minlength=n_groups), 1)
    pair_gain: _Floats = np.bincount(group, weights=counts.count * ratio, minlength=n_groups) / size

    # Without their entries, all forms of a key would be as likely.
    adjusted = np.bincount(counts.pair_target, minlength=len(counts.target)).astype(np.float64)
    forms = np.bincount(target_key, minlength=n_keys)
    ratio = np.log(probabilities.continuation / key_share[target_key] * forms[target_key])
    key_gain = np.bincount(target_key, weights=adjusted * ratio, minlength=n_keys)
    target_gain: _Floats = np.where(forms > 1, key_gain / np.maximum(forms, 1), 0.0)[target_key]
    return Entries(
        probabilities,
        kept_key[key],
        pair_gain[group],
        np.where(kept_key[target_key], target_gain, -np.inf),
    )


def lower_entries(probabilities: PairProbabilities, kept_key: _Mask) -> Entries:
    """Entries of p(e | f), worth what they say about the translation."""
    counts = probabilities.counts
    without = (
        probabilities.backoff[counts.pair_source] * probabilities.continuation[counts.pair_target]
    )
    adjusted = np.bincount(counts.pair_target, minlength=len(counts.target)).astype(np.float64)
    target_gain: _Floats = adjusted * np.log(probabilities.continuation / probabilities.unknown)
    pair_gain: _Floats = np.log(probabilities.probability / without) * counts.count
    return Entries(
        probabilities,
        kept_key[counts.pair_target],
        pair_gain,
        np.where(kept_key, target_gain, -np.inf),
    )


def _budgets(entries: dict[str, Entries], options: TableOptions) -> dict[str, int | None]:
    """Entries that each table may have; what one does not need is the other's."""
    if options.max_bytes is None:
        return dict.fromkeys(entries)
    bits = options.code_bits + options.fingerprint_bits
    books = 2 * 4 * (1 << options.code_bits) + 256
    room = max(int((options.max_bytes - books) * 8 * options.load / bits), 0)
    # Sources come last: they are only known when the pairs have been chosen.
    wanted = {
        name: int(np.count_nonzero(table.thresholds() > options.min_gain))
        + len(table.probabilities.counts.source)
        for name, table in entries.items()
    }
    lower = min(int(room * options.lower_share), wanted["lower"])
    cased = min(room - lower, wanted["cased"])
    return {"cased": cased, "lower": min(room - cased, wanted["lower"])}


def _pack_table(
    entries: Entries, budget: int | None, options: TableOptions
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32], dict[str, Any]]:
    probabilities = entries.probabilities
    counts = probabilities.counts
    kept, kept_target = _choose(entries, budget, options.min_gain)
    backoff = backoffs_beside(probabilities, kept | ~entries.relevant)
    source_gain = _source_gain(probabilities, backoff, kept)
    kept_source = source_gain > options.min_gain
    if budget is not None:
        room = max(budget - int(np.count_nonzero(kept)) - int(np.count_nonzero(kept_target)), 0)
        kept_source &= _best(source_gain, room)
    source, target = counts.source, counts.target
    hashes = np.concatenate(
        [
            hash_pairs(source[counts.pair_source[kept]], target[counts.pair_target[kept]]),
            hash_targets(target[kept_target]),
            hash_sources(source[kept_source]),
        ]
    )
    values = np.concatenate(
        [
            probabilities.probability[kept],
            probabilities.continuation[kept_target],
            backoff[kept_source],
        ]
    )
    codes, book = quantise(np.log(np.clip(values, SMALLEST, 1.0)), options.code_bits, 1)
    slots, n_slots, max_probes = pack(
        hashes,
        codes.astype(np.uint64),
        options.fingerprint_bits,
        options.code_bits,
        (1 << options.code_bits) - 1,
        options.load,
    )
    settings = {
        "n_pairs": int(np.count_nonzero(kept)),
        "n_targets": int(np.count_nonzero(kept_target)),
        "n_sources": int(np.count_nonzero(kept_source)),
        "n_slots": n_slots,
        "fingerprint_bits": options.fingerprint_bits,
        "code_bits": options.code_bits,
        "max_probes": max_probes,
        "unknown": max(float(probabilities.unknown), SMALLEST),
    }
    # Processors differ in the last bit of 32-bit exponentials, whose double has bits to spare.
    # exp(0) = 1 for the codes that no entry has.
    shares = np.exp(book.astype(np.float64))
    return slots, np.clip(shares, SMALLEST, 1.0).astype(np.float32), settings


def _choose(entries: Entries, budget: int | None, min_gain: float) -> tuple[_Mask, _Mask]:
    """Pairs and targets worth their place; sources get what room is left of a budget."""
    kept = entries.relevant & (entries.pair_gain > min_gain)
    kept_target = entries.target_gain > min_gain
    if budget is not None:
        gains = np.concatenate([np.where(kept, entries.pair_gain, -np.inf), entries.target_gain])
        best = _best(gains, budget)
        kept &= best[: len(kept)]
        kept_target &= best[len(kept) :]
    return kept, kept_target


def _best(gains: _Floats, n: int) -> _Mask:
    """The n entries of the largest gain; of equal ones the first."""
    chosen = np.zeros(len(gains), bool)
    chosen[np.argsort(-gains, kind="stable")[:n]] = True
    return chosen


def backoffs_beside(probabilities: PairProbabilities, said: _Mask) -> _Floats:
    """What sources leave to other targets, if only the pairs in the mask `said` are stored."""
    counts = probabilities.counts
    n = len(counts.source)
    source = counts.pair_source[said]
    p = np.bincount(source, weights=probabilities.probability[said], minlength=n)
    share = np.bincount(
        source, weights=probabilities.continuation[counts.pair_target[said]], minlength=n
    )
    left = (1.0 - p) / np.maximum(1.0 - share, SMALLEST)
    # It is never less than the backoff before; but rounding may take away the last of it.
    return np.minimum(np.maximum(np.where(p > 0, left, 1.0), probabilities.backoff), 1.0)


def _source_gain(probabilities: PairProbabilities, backoff: _Floats, kept: _Mask) -> _Floats:
    """How far off unseen translations would be without the entry, times how many there are."""
    counts = probabilities.counts
    total = np.bincount(counts.pair_source, weights=counts.count, minlength=len(counts.source))
    return -total * probabilities.backoff * np.log(backoff)
