"""The surface forms of a vocabulary: counts, abbreviations, and the packed lexicon."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from truecase.base.spool import Bools, Int64s, UInt8s, UInt32s, UInt64s
from truecase.kernels._lexicon import special_forms, summarise_forms
from truecase.kernels._segment import WORD_CLASSES
from truecase.kernels.text import CLASS_TAGS, TAGS
from truecase.ngram._count import tally_stops
from truecase.ngram.vocabulary import FIRST_WORD

TAG_AL, TAG_IU, TAG_AU, TAG_MX, TAG_AN = range(len(TAGS))
N_CLASSES = len(WORD_CLASSES)
N_CLASS_TAGS = len(CLASS_TAGS)

# Bits that `place_flags` adds to the flags of tokens.
WORD_ABBREVIATION, WORD_NAME = 64, 128

FORM_TAG, FORM_LAST, FORM_ABBREVIATION = 3, 4, 8


@dataclass
class Forms:
    """The surface forms of a vocabulary, one entry per word id.

    Attributes
    ----------
    key, form, upper_mask : uint64 ndarray, shape (n_words,)
        Hash of the lowercase form; identity of the form; upper-case code points of an MX form.
    tag, word_class, flags : uint8 ndarray, shape (n_words,)
    count, initial_count : int64 ndarray, shape (n_words,)
        Occurrences, and those as first word with a letter of a sentence.
    abbreviation : bool ndarray, shape (n_words,)
        A full stop after the word rarely ends the sentence.
    """

    key: UInt64s
    form: UInt64s
    upper_mask: UInt64s
    tag: UInt8s
    word_class: UInt8s
    flags: UInt8s
    count: Int64s
    initial_count: Int64s
    abbreviation: Bools

    def take(self, ids: UInt32s) -> Forms:
        """Forms of some word ids, in their order."""
        return Forms(*(getattr(self, one.name)[ids] for one in fields(self)))

    @property
    def tag_code(self) -> Int64s:
        """Index of the tag among class tokens: AL and AN 0, IU 1, AU 2, MX 3."""
        return np.where(self.tag == TAG_AN, 0, self.tag).astype(np.int64)

    @property
    def class_token(self) -> Int64s:
        """Index, 0 … 19, of the class token that stands for a rare form."""
        return self.word_class.astype(np.int64) * N_CLASS_TAGS + self.tag_code


def describe_vocabulary(blob: UInt8s, offsets: Int64s, turkic: bool) -> Forms:
    """Forms of a vocabulary, with counts of 0; special words get reserved identities."""
    key, form, mask, tag, word_class, flags = summarise_forms(
        blob, np.ascontiguousarray(offsets, np.int64), turkic
    )
    specials, _ = special_forms()
    form[:FIRST_WORD] = specials
    key[:FIRST_WORD] = specials
    tag[:FIRST_WORD] = TAG_AN
    flags[:FIRST_WORD] = 0
    n = len(key)
    return Forms(
        key, form, mask, tag, word_class, flags,
        np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(n, np.bool_),
    )  # fmt: skip


def is_mostly_lower(forms: Forms) -> Bools:
    """Whether most occurrences of a form's key are in lower case, for each form."""
    _, group = np.unique(forms.key, return_inverse=True)
    lower = np.bincount(group, weights=np.where(forms.tag == TAG_AL, forms.count, 0))
    mostly: Bools = lower > 0.5 * np.bincount(group, weights=forms.count)
    return mostly[group]


def sentence_beginners(forms: Forms) -> Bools:
    """Whether a form, like ``The`` but not ``Smith``, is capitalised only at sentence starts.

    The orthographic heuristic of Kiss & Strunk (2006).
    """
    begins: Bools = (forms.tag == TAG_IU) & is_mostly_lower(forms)
    return begins


def place_flags(forms: Forms) -> UInt8s:
    """Flags of each form, with the bits by which `first_words` finds sentences."""
    flags = forms.flags.copy()
    flags[forms.abbreviation] |= WORD_ABBREVIATION
    flags[~is_mostly_lower(forms)] |= WORD_NAME
    return flags


def smartcase_targets(forms: Forms) -> UInt32s:
    """The form that each form becomes as a sentence's first word (Zollmann et al. 2006, 4.1).

    An IU form becomes the AL form if that is the word's most frequent form inside sentences; any
    other form stays.
    """
    inside = forms.count - forms.initial_count
    by_count = np.argsort(-inside, kind="stable")
    # `unique` gives the first place of each key: that of its most frequent form.
    _, first, group = np.unique(forms.key[by_count], return_index=True, return_inverse=True)
    usual = np.empty(len(by_count), np.int64)
    usual[by_count] = by_count[first][group]
    lowered = (forms.tag == TAG_IU) & (forms.tag[usual] == TAG_AL) & (inside[usual] > 0)
    return np.where(lowered, usual, np.arange(len(usual))).astype(np.uint32)


def smartcased_counts(forms: Forms) -> Int64s:
    """Counts after SmartCase: a first word counts as the form that it becomes."""
    counts = forms.count - forms.initial_count
    np.add.at(counts, smartcase_targets(forms), forms.initial_count)
    return counts


@dataclass
class LexiconArrays:
    """A packed lexicon: see `truecase/kernels/_lexicon.pxd`.

    `first_record` is 1 + the index of a key's first record; `ids` and `place` are the word id of
    each form, and the index of its record.
    """

    keys: UInt64s
    first_record: UInt64s
    records: UInt32s
    ids: Int64s
    place: Int64s

    def sharing_records(self) -> LexiconArrays:
        """The same lexicon, in which words with one form each share equal records.

        Most names of a list then share one record. Not for a model with further arrays that have an
        entry for each record.
        """
        first = self.first_record.astype(np.int64) - 1
        record = self.records[first]
        single = first[(record & FORM_LAST != 0) & (record & FORM_TAG != TAG_MX)]
        others = np.setdiff1d(np.arange(len(self.records)), single, assume_unique=True)
        shared, place = np.unique(self.records[single], return_inverse=True)
        moved = np.empty(len(self.records), np.int64)
        moved[single], moved[others] = place, len(shared) + np.arange(len(others))
        records = np.concatenate([shared, self.records[others]])
        first_record = (moved[first] + 1).astype(np.uint64)
        return LexiconArrays(self.keys, first_record, records, self.ids, moved[self.place])


def count_code(counts: Int64s) -> UInt32s:
    """Eight-bit code of a training count, ``8 log2(1 + count)``."""
    codes: UInt32s = np.rint(8 * np.log2(1.0 + counts)).astype(np.uint32)
    return np.minimum(codes, np.uint32(255))


def build_lexicon(
    forms: Forms,
    kept: Bools,
    rank: Int64s,
    count: Int64s,
    probability_code: UInt32s,
    backoff_code: UInt32s,
) -> LexiconArrays:
    """Pack the kept forms, grouped by key, the highest rank first.

    All arrays have one entry per word id: `rank` orders the forms of a key, records hold `count`,
    and the codes are the eight-bit codes of unigram log-probability and backoff.
    """
    ids = np.flatnonzero(kept)
    ids = ids[np.lexsort((ids, -rank[ids], forms.key[ids]))]
    key = forms.key[ids]
    starts = np.append(True, key[1:] != key[:-1])[: len(ids)]
    ends = np.append(starts[1:], True)[: len(ids)]
    tag = forms.tag_code[ids]
    is_mixed = tag == TAG_MX
    width = np.where(is_mixed, 3, 1)
    place = np.cumsum(width) - width
    records = np.zeros(int(width.sum()), np.uint32)
    records[place] = (
        tag.astype(np.uint32)
        | np.where(ends, FORM_LAST, 0).astype(np.uint32)
        | np.where(forms.abbreviation[ids], FORM_ABBREVIATION, 0).astype(np.uint32)
        | (probability_code[ids] << 8).astype(np.uint32)
        | (backoff_code[ids] << 16).astype(np.uint32)
        | (count_code(count[ids]) << 24).astype(np.uint32)
    )
    mask = forms.upper_mask[ids][is_mixed]
    records[place[is_mixed] + 1] = (mask & np.uint64(0xFFFFFFFF)).astype(np.uint32)
    records[place[is_mixed] + 2] = (mask >> np.uint64(32)).astype(np.uint32)
    first_record = (place[starts] + 1).astype(np.uint64)
    return LexiconArrays(key[starts], first_record, records, ids, place)


# A word is an abbreviation if it has so many stops after it, and fewer of them end a sentence.
_LEAST_STOPS = 4
_SHARE_OF_ENDS = 0.5

_BITS = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)

# Number of pairs that are collected before equal ones are added up.
_WAITING = 1 << 21


def pack_pairs(before: npt.NDArray[Any], after: npt.NDArray[Any]) -> UInt64s:
    """Pack pairs of words for tallies."""
    packed: UInt64s = (before.astype(np.uint64) << _BITS) | after.astype(np.uint64)
    return packed


def unpack_pairs(pairs: UInt64s) -> tuple[Int64s, Int64s]:
    """The first and the second words of packed pairs."""
    return (pairs >> _BITS).astype(np.int64), (pairs & _LOW).astype(np.int64)


class StopTally:
    """Counts how often each word stands before a token that ends sentences, and what follows.

    Whether a capitalised word after it begins a sentence is known only when all text is counted. So
    the pairs of words are kept, and the tallies of parts of a text can be added. `counts` is as for
    `tally_stops`.
    """

    def __init__(self, n_words: int) -> None:
        self.counts = np.zeros((2, n_words), np.int64)
        # Sums first, then what has come since.
        self._pairs = [(np.zeros(0, np.uint64), np.zeros(0, np.int64))]

    def grow(self, n_words: int) -> None:
        """Make room for more words."""
        more = np.zeros((2, n_words - self.counts.shape[1]), np.int64)
        self.counts = np.concatenate([self.counts, more], axis=1)

    def add(self, chunk: UInt32s, forms: Forms) -> None:
        """Add whole lines of word ids."""
        pairs = tally_stops(chunk, forms.flags, forms.tag, self.counts)
        self.add_pairs(*np.unique(pairs, return_counts=True))

    def add_pairs(self, pairs: UInt64s, counts: Int64s) -> None:
        """Add pairs and counts that another tally's `pairs` returned."""
        self._pairs.append((pairs, counts))
        if sum(len(waiting) for waiting, _ in self._pairs[1:]) > _WAITING:
            self.pairs()

    def add_tally(self, other: StopTally, ids: UInt32s) -> None:
        """Add a tally whose word i is ``ids[i]`` here; all ids differ."""
        self.counts[:, ids] += other.counts
        pairs, counts = other.pairs()
        before, after = unpack_pairs(pairs)
        self.add_pairs(pack_pairs(ids[before], ids[after]), counts)

    def pairs(self) -> tuple[UInt64s, Int64s]:
        """``word << 32 | next word`` for capitalised next words, rising, and the count of each."""
        if len(self._pairs) > 1:
            all_pairs, all_counts = map(np.concatenate, zip(*self._pairs, strict=True))
            pairs, place = np.unique(all_pairs, return_inverse=True)
            counts = np.zeros(len(pairs), np.int64)
            np.add.at(counts, place, all_counts)
            self._pairs = [(pairs, counts)]
        return self._pairs[0]

    def ends(self, begins: Bools) -> Int64s:
        """How often a sentence ends with each word; words in `begins` begin sentences."""
        pairs, counts = self.pairs()
        ends: Int64s = self.counts[1].copy()
        before, after = unpack_pairs(pairs)
        does = begins[after]
        np.add.at(ends, before[does], counts[does])
        return ends


def mark_abbreviations(forms: Forms, tally: StopTally) -> None:
    """Mark the keys after which a full stop mostly does not end the sentence."""
    ends = tally.ends(sentence_beginners(forms))
    _, group = np.unique(forms.key, return_inverse=True)
    of_key = np.bincount(group, weights=tally.counts[0])
    share = (np.bincount(group, weights=ends) + 0.5) / (of_key + 1.0)
    forms.abbreviation[:] = ((of_key >= _LEAST_STOPS) & (share < _SHARE_OF_ENDS))[group]
