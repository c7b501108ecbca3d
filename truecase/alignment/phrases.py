"""What is known of the alignment of a block of lines, as plain arrays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, eq=False)
class Phrases:
    """The source words of each target word, of a block of lines.

    One form for word alignments and phrase alignments: each word of a target phrase has all words
    of its source phrase (Wang, Knight & Marcu 2006, section 4.3: a word may be the translation of
    any word of the aligned phrase). Words are runs of bytes other than ASCII white space.

    Parameters
    ----------
    line_offsets : int64 ndarray, shape (n_lines + 1,)
        First target word of each line, counted over the block.
    offsets : int64 ndarray, shape (n_words + 1,)
        Source words of target word w are ``source_words[offsets[w]:offsets[w + 1]]``.
    source_words : int32 ndarray, shape (n_links,)
        Numbers of source words in their line, from 0, rising within a target word.
    unaligned : uint8 ndarray, shape (n_lines,)
        1: nothing is known of the line, so that the whole source line is the phrase of each of
        its words, which have no entries of their own.

    Raises
    ------
    ValueError
        The arrays do not fit together.
    """

    line_offsets: npt.NDArray[np.int64]
    offsets: npt.NDArray[np.int64]
    source_words: npt.NDArray[np.int32]
    unaligned: npt.NDArray[np.uint8]

    def __post_init__(self) -> None:
        for name, dtype in _DTYPES.items():
            array = np.ascontiguousarray(getattr(self, name), dtype)
            if array.ndim != 1:
                raise ValueError(f"phrases: {name} has {array.ndim} dimensions, expected 1")
            object.__setattr__(self, name, array)
        if len(self.line_offsets) != len(self.unaligned) + 1:
            raise ValueError("phrases: line_offsets needs one entry more than there are lines")
        _check_offsets("line_offsets", self.line_offsets, len(self.offsets) - 1)
        _check_offsets("offsets", self.offsets, len(self.source_words))
        if len(self.source_words) == 0:
            return
        if self.source_words.min() < 0:
            raise ValueError("phrases: a source word has a negative number")
        rises = np.empty(len(self.source_words), np.bool_)
        np.greater(self.source_words[1:], self.source_words[:-1], out=rises[1:])
        rises[0] = True
        first = self.offsets[:-1]
        rises[first[first < len(rises)]] = True
        if not rises.all():
            raise ValueError("phrases: the source words of a target word do not rise")
        # Kernels need not ask which of the two a line is.
        bounds = self.offsets[self.line_offsets]
        if ((bounds[1:] > bounds[:-1]) & (self.unaligned != 0)).any():
            raise ValueError("phrases: a line of which nothing is known has links")

    def __repr__(self) -> str:
        return f"<Phrases: {self.n_lines:,} lines, {self.n_words:,} words, {self.n_links:,} links>"

    @property
    def n_lines(self) -> int:
        """Number of lines."""
        return len(self.unaligned)

    @property
    def n_words(self) -> int:
        """Number of target words."""
        return len(self.offsets) - 1

    @property
    def n_links(self) -> int:
        """Number of pairs of a source and a target word."""
        return len(self.source_words)

    @property
    def words_per_line(self) -> npt.NDArray[np.int32]:
        """Number of target words of each line."""
        return np.diff(self.line_offsets).astype(np.int32)

    @classmethod
    def unknown(cls, n_target: Sequence[int] | npt.NDArray[np.int32]) -> Phrases:
        """Lines of which nothing is known, with these numbers of target words."""
        line_offsets = running_sum(np.asarray(n_target, np.int64))
        return cls(
            line_offsets,
            np.zeros(int(line_offsets[-1]) + 1, np.int64),
            np.zeros(0, np.int32),
            np.ones(len(line_offsets) - 1, np.uint8),
        )

    @classmethod
    def from_lines(cls, lines: Iterable[Sequence[Iterable[int]] | int]) -> Phrases:
        """Phrases from Python lists.

        Parameters
        ----------
        lines : iterable
            Of each line the source words of each target word, in any order; or, of a line of
            which nothing is known, its number of target words.
        """
        n_target, n_links, unaligned = [], [], []
        source: list[int] = []
        for line in lines:
            unaligned.append(isinstance(line, int))
            words: Sequence[Iterable[int]] = [()] * line if isinstance(line, int) else line
            n_target.append(len(words))
            for word in words:
                numbers = sorted(set(word))
                n_links.append(len(numbers))
                source += numbers
        return cls(
            running_sum(np.array(n_target, np.int64)),
            running_sum(np.array(n_links, np.int64)),
            np.array(source, np.int32),
            np.array(unaligned, np.uint8),
        )

    @classmethod
    def of_pairs(
        cls,
        line_offsets: npt.NDArray[np.int64],
        target_word: npt.NDArray[np.int64],
        source_word: npt.NDArray[np.int64],
        unaligned: npt.NDArray[np.uint8],
    ) -> Phrases:
        """Phrases from pairs of words, in any order, of which several may be the same.

        Parameters
        ----------
        line_offsets, unaligned
            As of the class.
        target_word, source_word : int64 ndarray, shape (n_pairs,)
            Numbers of target words over the block, and of source words in their line.
        """
        links = np.unique(target_word << 32 | source_word)
        return cls(
            line_offsets,
            running_sum(np.bincount(links >> 32, minlength=int(line_offsets[-1]))),
            (links & 0xFFFFFFFF).astype(np.int32),
            unaligned,
        )

    def to_lines(self) -> list[list[list[int]] | int]:
        """The inverse of `from_lines`."""
        source, offsets = self.source_words.tolist(), self.offsets.tolist()
        words = [source[begin:end] for begin, end in zip(offsets, offsets[1:], strict=False)]
        bounds = self.line_offsets.tolist()
        return [
            end - begin if is_unaligned else words[begin:end]
            for begin, end, is_unaligned in zip(
                bounds, bounds[1:], self.unaligned.tolist(), strict=False
            )
        ]

    def select(self, start: int, stop: int) -> Phrases:
        """The phrases of lines `start` to `stop`, for a part of the block."""
        first, end = int(self.line_offsets[start]), int(self.line_offsets[stop])
        begin, finish = int(self.offsets[first]), int(self.offsets[end])
        return Phrases(
            self.line_offsets[start : stop + 1] - first,
            self.offsets[first : end + 1] - begin,
            self.source_words[begin:finish],
            self.unaligned[start:stop],
        )

    def take(
        self,
        words: npt.NDArray[np.int64],
        words_per_line: npt.NDArray[np.int32],
        unaligned: npt.NDArray[np.uint8],
    ) -> Phrases:
        """The phrases of some target words, as those of other lines.

        Parameters
        ----------
        words : int64 ndarray
            Their numbers, counted over the block, in the order of the new lines.
        words_per_line : int32 ndarray, shape (n_lines,)
            How many of them stand in each new line.
        unaligned : uint8 ndarray, shape (n_lines,)
        """
        n_links = np.diff(self.offsets)[words]
        offsets = running_sum(n_links)
        first = np.repeat(self.offsets[words] - offsets[:-1], n_links)
        return Phrases(
            running_sum(words_per_line.astype(np.int64)),
            offsets,
            self.source_words[first + np.arange(len(first))],
            unaligned,
        )

    @classmethod
    def concatenate(cls, parts: Sequence[Phrases]) -> Phrases:
        """The phrases of several blocks as those of one."""
        return cls(
            _joined([part.line_offsets for part in parts]),
            _joined([part.offsets for part in parts]),
            np.concatenate([np.zeros(0, np.int32), *(part.source_words for part in parts)]),
            np.concatenate([np.zeros(0, np.uint8), *(part.unaligned for part in parts)]),
        )

    def check(
        self,
        n_target: npt.NDArray[np.int32],
        n_source: npt.NDArray[np.int32] | None = None,
    ) -> None:
        """Refuse phrases that are not of these lines.

        Parameters
        ----------
        n_target, n_source : int32 ndarray, shape (n_lines,)
            Words of each line of both sides.

        Raises
        ------
        ValueError
            Names the first line that does not fit, counted from 1 within the block.
        """
        if len(n_target) != self.n_lines:
            raise ValueError(f"phrases of {self.n_lines} lines, but {len(n_target)} target lines")
        wrong = np.flatnonzero(self.words_per_line != n_target)
        if len(wrong):
            i = int(wrong[0])
            raise ValueError(
                f"line {i + 1}: phrases of {self.words_per_line[i]} words, but the target line "
                f"has {n_target[i]}"
            )
        if n_source is None:
            return
        if len(n_source) != self.n_lines:
            raise ValueError(f"phrases of {self.n_lines} lines, but {len(n_source)} source lines")
        line_of_word = np.repeat(np.arange(self.n_lines), self.words_per_line)
        limit = np.repeat(n_source[line_of_word], np.diff(self.offsets))
        outside = np.flatnonzero(self.source_words >= limit)
        if len(outside):
            word = int(np.searchsorted(self.offsets, outside[0], side="right")) - 1
            i = int(line_of_word[word])
            raise ValueError(
                f"line {i + 1}: source word {self.source_words[outside[0]]} (from 0), but the "
                f"source line has {n_source[i]} words"
            )


_DTYPES: dict[str, type[np.generic]] = {
    "line_offsets": np.int64,
    "offsets": np.int64,
    "source_words": np.int32,
    "unaligned": np.uint8,
}


def _check_offsets(name: str, offsets: npt.NDArray[np.int64], end: int) -> None:
    if len(offsets) == 0 or offsets[0] != 0 or offsets[-1] != end:
        raise ValueError(f"phrases: {name} must lead from 0 to {max(end, 0)}")
    if (offsets[1:] < offsets[:-1]).any():
        raise ValueError(f"phrases: {name} must not fall")


def running_sum(counts: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Offsets of parts of these sizes."""
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(counts, dtype=np.int64)])


def _joined(offsets: list[npt.NDArray[np.int64]]) -> npt.NDArray[np.int64]:
    return running_sum(np.concatenate([np.zeros(0, np.int64), *map(np.diff, offsets)]))
