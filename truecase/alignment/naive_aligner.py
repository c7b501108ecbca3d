"""The naive phrase aligner (NPA) of Wang, Knight & Marcu (2006), section 5.

It makes phrase alignments out of word alignments, to train on where no phrase-based decoder has
left any: one segmentation of each line, drawn at random, whose phrase pairs are all consistent
with the word alignment (Och & Ney 2004).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from truecase.alignment._naive_aligner import MAX_LENGTH, sample
from truecase.alignment.phrase_pairs import PhrasePairs
from truecase.alignment.phrases import Phrases

DEFAULT_LENGTHS: tuple[float, ...] = tuple(0.5**length for length in range(1, 8))
"""Weights of source phrases of one to seven words: each length half as likely as the one before.

A phrase-based decoder with the usual limit of seven words, trained on English-French software
texts, chose 53, 21, 14, 7, 3, 1 and 1 of a hundred phrases so.
"""


class NaivePhraseAligner:
    """Draws phrase alignments that are consistent with word alignments.

    Source phrases are drawn from left to right. The length of each is drawn from the given
    distribution, restricted to lengths that have a consistent target phrase and after which the
    rest of the line can still be shared out; so nothing is drawn in vain that a retry would have
    to undo, and where the alignment has no say (one to one, in order) lengths follow the
    distribution exactly, but for the last of a line. If no length will do, the source word gets
    the smallest consistent pair that has it, for which earlier phrases may be taken in; at the
    worst that is the whole line.

    Target words without links belong to the phrase on their left, those at the beginning of the
    line to the first one. A line without any links is one phrase pair.

    Parameters
    ----------
    lengths : sequence of float
        Weights of source phrases of one word, two, and so on, at most 64; they need not sum to
        1. `phrase_length_weights` in `moses_trace` takes them from a decoder.
    seed : int
        The same seed gives the same phrases. Each line depends on its number and the seed alone,
        wherever blocks are cut.

    Raises
    ------
    ValueError
        Weights that are negative, not finite or all zero, or too many.
    """

    def __init__(self, lengths: Sequence[float] = DEFAULT_LENGTHS, seed: int = 1) -> None:
        self.lengths = tuple(float(weight) for weight in lengths)
        self.seed = seed
        if not 1 <= len(self.lengths) <= MAX_LENGTH:
            raise ValueError(f"{len(self.lengths)} phrase lengths, expected 1 to {MAX_LENGTH}")
        if any(not math.isfinite(weight) or weight < 0 for weight in self.lengths):
            raise ValueError("phrase lengths: weights must be finite and not negative")
        total = math.fsum(self.lengths)
        if not 0 < total < math.inf:
            raise ValueError("phrase lengths: the weights must have a sum above zero")
        self._weights = [weight / total for weight in self.lengths]

    def pairs(
        self, links: Phrases, n_source: npt.NDArray[np.int32], first_line: int = 1
    ) -> PhrasePairs:
        """Draw the phrase pairs of a block of lines.

        Parameters
        ----------
        links : Phrases
            Word alignment.
        n_source : int32 ndarray, shape (n_lines,)
            Words of each source line.
        first_line : int
            Number of the block's first line in its file.

        Returns
        -------
        PhrasePairs
            Source phrases of a line share out its source words, target phrases its target words.
            Lines of which nothing is known, or of which one side is empty, have no pairs.

        Raises
        ------
        ValueError
            A link leads beyond its source line.
        """
        n_source = np.ascontiguousarray(n_source, np.int32)
        if len(n_source) != links.n_lines:
            raise ValueError(f"links of {links.n_lines} lines, but {len(n_source)} source lines")
        try:
            offsets, bounds = sample(
                links.line_offsets,
                links.offsets,
                links.source_words,
                n_source,
                self._weights,
                self.seed % 2**64,
                first_line,
            )
        except ValueError:
            links.check(links.words_per_line, n_source)
            raise
        return self._with_unlinked(
            PhrasePairs(links.words_per_line, offsets, bounds), links, n_source
        )

    @staticmethod
    def _with_unlinked(
        pairs: PhrasePairs, links: Phrases, n_source: npt.NDArray[np.int32]
    ) -> PhrasePairs:
        """Lines without links are one pair each, but for those of which nothing is known."""
        n_pairs = np.diff(pairs.line_offsets)
        single = (n_pairs == 0) & (links.unaligned == 0) & (pairs.n_target > 0) & (n_source > 0)
        if not single.any():
            return pairs
        lines = np.flatnonzero(single)
        zero = np.zeros_like(lines)
        added = np.stack([zero, n_source[lines], zero, pairs.n_target[lines]], axis=1)
        bounds = np.insert(pairs.bounds, pairs.line_offsets[lines], added, axis=0)
        n_pairs[lines] = 1
        offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(n_pairs)])
        return PhrasePairs(pairs.n_target, offsets, bounds.astype(np.int32))

    def phrases(
        self, links: Phrases, n_source: npt.NDArray[np.int32], first_line: int = 1
    ) -> Phrases:
        """Draw phrase pairs, and give each word of a target phrase all words of its source phrase.

        Parameters and exceptions are those of `pairs`.
        """
        return self.pairs(links, n_source, first_line).to_phrases()
