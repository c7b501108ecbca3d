"""The naive phrase aligner (NPA) of Wang, Knight & Marcu (2006), section 5.

It makes phrase alignments of word alignments, for training without a phrase-based decoder: one
random segmentation of each line whose phrase pairs are all consistent with the word alignment
(Och & Ney 2004).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from truecase.alignment._links import sample
from truecase.alignment.lines import Phrases, running_sum
from truecase.base.spool import Int32s, Int64s

# Source words that a target word is linked to, at most: memory and decoding stay linear.
MAX_PHRASE_WORDS = 256


@dataclass(frozen=True, eq=False)
class PhrasePairs:
    """The phrase pairs of a block of lines.

    Parameters
    ----------
    n_target : int32 ndarray, shape (n_lines,)
        Words of each target line.
    line_offsets : int64 ndarray, shape (n_lines + 1,)
        The pairs of line i are ``bounds[line_offsets[i]:line_offsets[i + 1]]``. They share out all
        words of the target line, in order; an unaligned line has no pairs.
    bounds : int32 ndarray, shape (n_pairs, 4)
        Begin and end of the source phrase, begin and end of the target phrase, in words.
    """

    n_target: Int32s
    line_offsets: Int64s
    bounds: Int32s

    def to_phrases(self) -> Phrases:
        """Link every word of a target phrase to all words of its source phrase.

        In a source phrase of more than 256 words, to the 256 words around the proportional
        position.
        """
        unaligned = (np.diff(self.line_offsets) == 0) & (self.n_target > 0)
        source_begin, source_end, target_begin, target_end = self.bounds.T.astype(np.int64)
        n_words = running_sum(self.n_target)
        width = target_end - target_begin
        pair = np.repeat(np.arange(len(width)), width)
        place = np.arange(len(pair)) - np.repeat(np.cumsum(width) - width, width)
        size = source_end - source_begin
        shown = np.minimum(size, MAX_PHRASE_WORDS)
        centre = (2 * place + 1) * size[pair] // (2 * np.maximum(width, 1)[pair])
        first = np.clip(centre - shown[pair] // 2, 0, (size - shown)[pair])
        first += source_begin[pair]
        # Unaligned lines have words, but no pairs to share them out.
        n_links = np.zeros(int(n_words[-1]), np.int64)
        n_links[np.repeat(~unaligned, self.n_target)] = shown[pair]
        offsets = running_sum(n_links)
        starts = np.cumsum(shown[pair]) - shown[pair]
        source = np.arange(int(offsets[-1])) - np.repeat(starts - first, shown[pair])
        return Phrases(n_words, offsets, source.astype(np.int32), unaligned.astype(np.uint8))


DEFAULT_LENGTHS: tuple[float, ...] = tuple(0.5**length for length in range(1, 8))
"""Weights of source phrases of one to seven words: each length half as likely as the one before.

A phrase-based decoder with the usual limit of seven words, trained on English-French software
texts, chose 53, 21, 14, 7, 3, 1 and 1 of a hundred phrases so.
"""


def draw_pairs(
    links: Phrases,
    n_source: Int32s,
    lengths: Sequence[float] = DEFAULT_LENGTHS,
    seed: int = 1,
    first_line: int = 1,
) -> PhrasePairs:
    """Draw phrase alignments of a block of lines, consistent with its word alignments.

    Source phrases are drawn from left to right. Their lengths follow the given distribution,
    restricted to lengths that have a consistent target phrase and after which the rest of the line
    can still be shared out, so no draw has to be undone. If there is no such length, the source
    word gets the smallest consistent pair that contains it, possibly merged with earlier phrases;
    at worst that is the whole line.

    Target words without links belong to the phrase on their left, or to the first one. A line
    without links is one phrase pair. Unaligned lines, and lines with an empty side, have no pairs.

    Parameters
    ----------
    links : Phrases
        Word alignment.
    n_source : int32 ndarray, shape (n_lines,)
        Words of each source line.
    lengths : sequence of float
        Weights of source phrases of one word, two, and so on, at most 64.
    seed : int
        The phrases of a line depend on its number and the seed alone, wherever blocks are cut.
    first_line : int
        Number of the block's first line in its file.

    Raises
    ------
    ValueError
        A link leads beyond its source line, or there are other source lines.
    """
    n_source = np.ascontiguousarray(n_source, np.int32)
    arrays = (links.line_offsets, links.offsets, links.source_words, n_source)
    total = math.fsum(lengths)
    weights = [weight / total for weight in lengths]
    try:
        offsets, bounds = sample(*arrays, weights, seed % 2**64, first_line)
    except ValueError:
        links.check(links.words_per_line, n_source)
        raise
    n_target = links.words_per_line
    n_pairs = np.diff(offsets)
    # A line without links is one pair.
    lines = np.flatnonzero(
        (n_pairs == 0) & (links.unaligned == 0) & (n_target > 0) & (n_source > 0)
    )
    zero = np.zeros_like(lines)
    added = np.stack([zero, n_source[lines], zero, n_target[lines]], axis=1)
    bounds = np.insert(bounds, offsets[lines], added, axis=0).astype(np.int32)
    n_pairs[lines] = 1
    return PhrasePairs(n_target, running_sum(n_pairs), bounds)
