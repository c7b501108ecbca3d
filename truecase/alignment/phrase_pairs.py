"""Phrase alignments: which source phrase each phrase of a target line is the translation of."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from truecase.alignment.phrases import Phrases

# Of a longer source phrase, each target word gets so many words about its own place in it:
# memory stays linear, and so does decoding.
MAX_PHRASE_WORDS = 256


@dataclass(frozen=True, eq=False)
class PhrasePairs:
    """The phrase pairs of a block of lines.

    Parameters
    ----------
    n_target : int32 ndarray, shape (n_lines,)
        Words of each target line.
    line_offsets : int64 ndarray, shape (n_lines + 1,)
        The pairs of line i are ``bounds[line_offsets[i]:line_offsets[i + 1]]``. They share out
        the words of the target line from the first to the last; a line of which nothing is known
        has none.
    bounds : int32 ndarray, shape (n_pairs, 4)
        Begin and end of the source phrase, begin and end of the target phrase, in words.
    """

    n_target: npt.NDArray[np.int32]
    line_offsets: npt.NDArray[np.int64]
    bounds: npt.NDArray[np.int32]

    @property
    def n_lines(self) -> int:
        """Number of lines."""
        return len(self.n_target)

    @property
    def n_pairs(self) -> int:
        """Number of phrase pairs."""
        return len(self.bounds)

    def to_lines(self) -> list[list[tuple[int, int, int, int]]]:
        """The pairs of each line."""
        pairs = [(a, b, c, d) for a, b, c, d in self.bounds.tolist()]
        offsets = self.line_offsets.tolist()
        return [pairs[begin:end] for begin, end in zip(offsets, offsets[1:], strict=False)]

    def length_counts(self, max_length: int) -> npt.NDArray[np.int64]:
        """How many source phrases have 1 to `max_length` words; longer ones are left out."""
        lengths = self.bounds[:, 1] - self.bounds[:, 0]
        return np.bincount(lengths[lengths <= max_length], minlength=max_length + 1)[1:]

    def to_phrases(self) -> Phrases:
        """Every word of a target phrase with all words of its source phrase.

        Of a source phrase of more than 256 words, those 256 about the place that is as far into
        it as the word is into the target phrase.
        """
        unaligned = (np.diff(self.line_offsets) == 0) & (self.n_target > 0)
        source_begin, source_end, target_begin, target_end = self.bounds.T.astype(np.int64)
        n_words = np.concatenate([np.zeros(1, np.int64), np.cumsum(self.n_target, dtype=np.int64)])
        width = target_end - target_begin
        pair = np.repeat(np.arange(len(width)), width)
        place = np.arange(len(pair)) - np.repeat(np.cumsum(width) - width, width)
        size = source_end - source_begin
        shown = np.minimum(size, MAX_PHRASE_WORDS)
        centre = (2 * place + 1) * size[pair] // (2 * np.maximum(width, 1)[pair])
        first = np.clip(centre - shown[pair] // 2, 0, (size - shown)[pair])
        first += source_begin[pair]
        # Lines of which nothing is known have words, but no pairs to share them out.
        n_links = np.zeros(int(n_words[-1]), np.int64)
        n_links[np.repeat(~unaligned, self.n_target)] = shown[pair]
        offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(n_links)])
        starts = np.cumsum(shown[pair]) - shown[pair]
        source = np.arange(int(offsets[-1])) - np.repeat(starts - first, shown[pair])
        return Phrases(n_words, offsets, source.astype(np.int32), unaligned.astype(np.uint8))
