"""What is translated to what in a word-aligned bitext: counts of forms, keys and tags."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from truecase.alignment.phrases import Phrases
from truecase.source._translation_counts import PairCounter
from truecase.text.casing import TAGS

SEGMENTATIONS = {"space": 0, "raw": 1}

#: Tags in the order of their codes.


@dataclass
class PairCounts:
    """How often each source was linked with each target.

    Attributes
    ----------
    source, target : uint64 ndarray
        Identities of the sources and of the targets.
    pair_source, pair_target : int32 ndarray, shape (n_pairs,)
        Places in these two, in rising order.
    count : int64 ndarray, shape (n_pairs,)
    """

    source: npt.NDArray[np.uint64]
    target: npt.NDArray[np.uint64]
    pair_source: npt.NDArray[np.int32]
    pair_target: npt.NDArray[np.int32]
    count: npt.NDArray[np.int64]


@dataclass
class TranslationCounts:
    """Counts of a bitext.

    Attributes
    ----------
    cased : PairCounts
        Of surface forms.
    lower : PairCounts
        Of their lowercase keys.
    tags : int64 ndarray, shape (5, 5)
        Of their tags, the source's first.
    target_key : int32 ndarray
        Of each target form, the place of its key among the targets of `lower`.
    n_words : int
        Target words that were linked with a source word.
    n_bytes : int
        Memory that forms and pairs took while they were counted.
    """

    cased: PairCounts
    lower: PairCounts
    tags: npt.NDArray[np.int64]
    target_key: npt.NDArray[np.int32]
    n_words: int
    n_bytes: int


def count_translations(
    blocks: Iterable[tuple[bytes, bytes, Phrases]],
    segmentation: str = "raw",
    source_turkic: bool = False,
    target_turkic: bool = False,
) -> TranslationCounts:
    """Count the links of a word-aligned bitext.

    Each token of a target word is paired with the tokens of the source words that its word is
    linked with: words with words and marks with marks where a source word has both. Words
    without a link, and lines of which nothing is known, are passed over. Memory grows with the
    number of different pairs.

    Parameters
    ----------
    blocks : iterable of (bytes, bytes, Phrases)
        Lines of source and target, as many in a block, and their links.
    segmentation : {"raw", "space"}
        That of the target language's model.
    source_turkic, target_turkic : bool
        Casing of Turkish and Azeri.

    Returns
    -------
    TranslationCounts
        The same however the bitext is cut into blocks.

    Raises
    ------
    ValueError
        Lines and links of a block do not fit; the message names the line.
    """
    if segmentation not in SEGMENTATIONS:
        raise ValueError(f"segmentation {segmentation!r}: expected raw or space")
    counter = PairCounter(SEGMENTATIONS[segmentation], source_turkic, target_turkic)
    for source, target, links in blocks:
        counter.add(
            source, target, links.line_offsets, links.offsets, links.source_words, links.unaligned
        )
    return collect_counts(counter)


def collect_counts(counter: PairCounter) -> TranslationCounts:
    """What a counter has counted, by form, by key and by tag."""
    pair, count = counter.pairs()
    source_form, source_key, source_tag = counter.source_forms()
    target_form, target_key, target_tag = counter.target_forms()
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
    return TranslationCounts(
        cased, lower, tags, target_place.astype(np.int32), counter.n_words, counter.n_bytes
    )


def _summed(
    place: npt.NDArray[np.int64], count: npt.NDArray[np.int64], n: int
) -> npt.NDArray[np.int64]:
    # bincount adds in double precision, which is exact for sums below 2**53.
    return np.bincount(place, weights=count, minlength=n).astype(np.int64)
