"""Aligned lines: target lines, their source lines, and the links between their words.

Some can be changed for training: with wrong links, since aligners err; in upper case, since texts
have few such lines.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from truecase.base.spool import Bools, Int32s, Int64s, UInt8s
from truecase.errors import AlignmentError
from truecase.kernels._segment import count_lines, count_words, find_line_end, has_as_many_lines
from truecase.kernels._unicode import upper
from truecase.kernels.text import line_slices


class SkippedLines:
    """Counts lines with bad alignments, taken as unaligned; `first` is the first message."""

    def __init__(self) -> None:
        self.n_skipped = 0
        self.first = ""

    def add(self, n_lines: int, message: str) -> None:
        """Count lines; `message` is about the first of them."""
        if not self.n_skipped:
            self.first = message
        self.n_skipped += n_lines

    def report(self, stacklevel: int = 2) -> None:
        """Warn of all lines at once, if there were any."""
        if self.n_skipped:
            lines = "line" if self.n_skipped == 1 else "lines"
            warnings.warn(
                f"{self.n_skipped} {lines} with bad alignments taken as not aligned; the first: "
                f"{self.first}",
                stacklevel=stacklevel + 1,
            )


@dataclass(frozen=True)
class BadLines:
    """Raises an error at the first line with a bad alignment or, given `skipped`, skips such lines.

    Attributes
    ----------
    name : str
        The file, for messages.
    first_line : int
        Line number of the block's first line.
    skipped : SkippedLines, optional
    """

    name: str = "alignment"
    first_line: int = 1
    skipped: SkippedLines | None = None

    def add(self, line: int, problem: object, n_lines: int = 1) -> None:
        """Skip `n_lines` lines, or raise AlignmentError; `problem` is that of the first, `line`."""
        message = f"{self.name}: line {self.first_line + line}: {problem}"
        if self.skipped is None:
            raise AlignmentError(message) from None
        self.skipped.add(n_lines, message)


@dataclass(frozen=True, eq=False)
class Phrases:
    """The source words of each target word, of a block of lines.

    Word alignments and phrase alignments have the same form: each word of a target phrase has all
    words of its source phrase (Wang, Knight & Marcu 2006, section 4.3: a word may be the
    translation of any word of the aligned phrase). Words are runs of bytes other than ASCII white
    space.

    Parameters
    ----------
    line_offsets : int64 ndarray, shape (n_lines + 1,)
        First target word of each line, counted over the block.
    offsets : int64 ndarray, shape (n_words + 1,)
        Source words of target word w are ``source_words[offsets[w]:offsets[w + 1]]``.
    source_words : int32 ndarray, shape (n_links,)
        Indices of source words in their line, rising within a target word.
    unaligned : uint8 ndarray, shape (n_lines,)
        1: the alignment of the line is unknown. The whole source line is then the phrase of each of
        its words, which have no entries of their own.

    Raises
    ------
    ValueError
        The arrays do not fit together.
    """

    line_offsets: Int64s
    offsets: Int64s
    source_words: Int32s
    unaligned: UInt8s

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
        first = self.offsets[:-1]
        rises[first[first < len(rises)]] = True
        if not rises.all():
            raise ValueError("phrases: the source words of a target word do not rise")
        # Kernels need not ask which of the two a line is.
        bounds = self.offsets[self.line_offsets]
        if ((bounds[1:] > bounds[:-1]) & (self.unaligned != 0)).any():
            raise ValueError("phrases: a line without a known alignment has links")

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
        """Number of linked pairs of a source and a target word."""
        return len(self.source_words)

    @property
    def words_per_line(self) -> Int32s:
        """Number of target words of each line."""
        return np.diff(self.line_offsets).astype(np.int32)

    @classmethod
    def unknown(cls, n_target: Sequence[int] | Int32s) -> Phrases:
        """Unaligned lines with the given word counts."""
        line_offsets = running_sum(np.asarray(n_target, np.int64))
        offsets, source = np.zeros(int(line_offsets[-1]) + 1, np.int64), np.zeros(0, np.int32)
        return cls(line_offsets, offsets, source, np.ones(len(line_offsets) - 1, np.uint8))

    @classmethod
    def from_lines(cls, lines: Iterable[Sequence[Iterable[int]] | int]) -> Phrases:
        """Make phrases of Python lists.

        A line is the source words of each target word, in any order, or, for an unaligned line, its
        number of target words.
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
        cls, line_offsets: Int64s, target_word: Int64s, source_word: Int64s, unaligned: UInt8s
    ) -> Phrases:
        """Make phrases of pairs of words, in any order, maybe repeated.

        `target_word` are indices in the block, `source_word` indices in the line; both are int64.
        """
        links = np.sort(target_word << 32 | source_word)
        # NumPy's `unique` takes thirty times as long.
        links = links[np.diff(links, prepend=-1) > 0]
        n_links = np.bincount(links >> 32, minlength=int(line_offsets[-1]))
        source = (links & 0xFFFFFFFF).astype(np.int32)
        return cls(line_offsets, running_sum(n_links), source, unaligned)

    def to_lines(self) -> list[list[list[int]] | int]:
        """The inverse of `from_lines`."""
        source, offsets = self.source_words.tolist(), self.offsets.tolist()
        words = [source[begin:end] for begin, end in zip(offsets, offsets[1:], strict=False)]
        bounds = self.line_offsets.tolist()
        lines = zip(bounds, bounds[1:], self.unaligned.tolist(), strict=False)
        return [end - begin if unknown else words[begin:end] for begin, end, unknown in lines]

    def select(self, start: int, stop: int) -> Phrases:
        """The phrases of the lines from `start` up to `stop`."""
        first, end = int(self.line_offsets[start]), int(self.line_offsets[stop])
        begin, finish = int(self.offsets[first]), int(self.offsets[end])
        return Phrases(
            self.line_offsets[start : stop + 1] - first,
            self.offsets[first : end + 1] - begin,
            self.source_words[begin:finish],
            self.unaligned[start:stop],
        )

    def take(self, words: Int64s, words_per_line: Int32s, unaligned: UInt8s) -> Phrases:
        """The phrases of some target words, by index in the block, as those of other lines."""
        n_links = np.diff(self.offsets)[words]
        offsets = running_sum(n_links)
        first = np.repeat(self.offsets[words] - offsets[:-1], n_links)
        source = self.source_words[first + np.arange(len(first))]
        return Phrases(running_sum(words_per_line.astype(np.int64)), offsets, source, unaligned)

    @classmethod
    def concatenate(cls, parts: Sequence[Phrases]) -> Phrases:
        """Join the phrases of several blocks."""
        return cls(
            _joined([part.line_offsets for part in parts]),
            _joined([part.offsets for part in parts]),
            np.concatenate([np.zeros(0, np.int32), *(part.source_words for part in parts)]),
            np.concatenate([np.zeros(0, np.uint8), *(part.unaligned for part in parts)]),
        )

    def check(self, n_target: Int32s, n_source: Int32s) -> None:
        """Raise ValueError, naming the first wrong line, unless lines have so many words."""
        if len(n_target) != self.n_lines:
            raise ValueError(f"phrases of {self.n_lines} lines, but {len(n_target)} target lines")
        wrong = np.flatnonzero(self.words_per_line != n_target)
        if len(wrong):
            i = int(wrong[0])
            raise ValueError(
                f"line {i + 1}: phrases of {self.words_per_line[i]} words, but the target line "
                f"has {n_target[i]}"
            )
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


def _check_offsets(name: str, offsets: Int64s, end: int) -> None:
    if len(offsets) == 0 or offsets[0] != 0 or offsets[-1] != end:
        raise ValueError(f"phrases: {name} must lead from 0 to {max(end, 0)}")
    if (offsets[1:] < offsets[:-1]).any():
        raise ValueError(f"phrases: {name} must not fall")


def running_sum(counts: npt.NDArray[Any]) -> Int64s:
    """Offsets of parts of these sizes."""
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(counts, dtype=np.int64)])


def _joined(offsets: list[Int64s]) -> Int64s:
    return running_sum(np.concatenate([np.zeros(0, np.int64), *map(np.diff, offsets)]))


@dataclass(frozen=True)
class AlignedLines:
    """Target lines, as many source lines, and the links between their words (None: unaligned)."""

    target: bytes
    source: bytes
    phrases: Phrases | None = None

    def check(self) -> None:
        """Raise ValueError if target, source and phrases have different line counts."""
        n_target, n_source = count_lines(self.target), count_lines(self.source)
        if not has_as_many_lines(self.target, self.source):
            raise ValueError(f"there are {n_target} lines, but {n_source} of their source")
        if self.phrases is not None and self.phrases.n_lines != n_target:
            raise ValueError(
                f"there are {n_target} lines, but phrases of {self.phrases.n_lines} lines"
            )

    def parts(self, size: int) -> Iterator[AlignedLines]:
        """Yield parts of whole lines, of about `size` bytes of target text each."""
        first = start = 0
        for part in line_slices(self.target, size):
            end = first + count_lines(self.target[part])
            length, n_found = find_line_end(memoryview(self.source)[start:], end - first)
            # The last line may lack its line end.
            stop = start + length if n_found == end - first else len(self.source)
            phrases = None if self.phrases is None else self.phrases.select(first, end)
            yield AlignedLines(self.target[part], self.source[start:stop], phrases)
            first, start = end, stop

    @classmethod
    def join(cls, parts: Sequence[AlignedLines]) -> AlignedLines:
        """Join the lines of all parts."""
        phrases = None
        if any(part.phrases is not None for part in parts):
            phrases = Phrases.concatenate(
                [part.phrases or Phrases.unknown(count_words(part.target)) for part in parts]
            )
        return cls(
            b"".join(_with_end(part.target, part) for part in parts),
            b"".join(_with_end(part.source, part) for part in parts),
            phrases,
        )

    def where(self, keep: Bools) -> AlignedLines:
        """The lines for which `keep`, one entry a line, is true."""
        phrases = None
        if self.phrases is not None:
            per_line = self.phrases.words_per_line
            words = np.flatnonzero(np.repeat(keep, per_line))
            phrases = self.phrases.take(words, per_line[keep], self.phrases.unaligned[keep])
        return AlignedLines(lines_where(self.target, keep), lines_where(self.source, keep), phrases)

    def with_target(self, target: bytes, words: Int64s) -> AlignedLines:
        """The same with as many other target lines, aligned like the words they were made from.

        `words` holds, for each new target word, the index of the old one over all lines.
        """
        phrases = None
        if self.phrases is not None:
            phrases = self.phrases.take(words, count_words(target), self.phrases.unaligned)
        return AlignedLines(target, self.source, phrases)


def _with_end(text: bytes, lines: AlignedLines) -> bytes:
    """A side of some lines, with a line end for each line."""
    return text + b"\n" * (count_lines(lines.target) - text.count(b"\n"))


def lines_where(text: bytes, keep: Bools) -> bytes:
    """The lines of a text for which `keep`, one entry a line, is true, each with its end."""
    lines = text.split(b"\n")
    # The source may lack an empty last line.
    lines += [b""] * (len(keep) - len(lines))
    return b"".join(lines[i] + b"\n" for i in np.flatnonzero(keep))


def word_numbers(part: bytes, text: bytes) -> Int64s:
    """For each word of `part`, the index of its word in `text`; `part` has some bytes blanked."""
    starts = np.flatnonzero(_begins_word(part))
    return np.cumsum(_begins_word(text))[starts] - 1


def _begins_word(text: bytes) -> Bools:
    """Which bytes begin a word, a run of bytes other than ASCII white space."""
    code = np.frombuffer(text, np.uint8)
    inside = ~((code == 0x20) | ((code >= 0x09) & (code <= 0x0D)))
    begins: Bools = inside.copy()
    begins[1:] &= ~inside[:-1]
    return begins


def all_caps_lines(
    lines: AlignedLines, every: int, language: str = "", source_language: str = ""
) -> AlignedLines:
    """Every `every`-th line, both sides in upper case; the languages are for the case mappings.

    Lines whose source looks the same in upper case are left out.
    """
    chosen = np.zeros(count_lines(lines.target), np.bool_)
    for i, line in enumerate(lines.source.split(b"\n")[: len(chosen)]):
        # Nothing in a source without case says that its line is in upper case.
        chosen[i] = (i + 1) % every == 0 and _upper(line, source_language) != line
    kept = lines.where(chosen)
    target, source = _upper(kept.target, language), _upper(kept.source, source_language)
    return AlignedLines(target, source, kept.phrases)


def _upper(line: bytes, language: str) -> bytes:
    return upper(line.decode("utf-8", "surrogateescape"), language).encode(
        "utf-8", "surrogateescape"
    )


def wrong_links(lines: AlignedLines, share: float, seed: int = 0) -> AlignedLines:
    """Lead some links, each with the probability `share`, to a random word of the source.

    The same seed gives the same links. Where two then lead to the same word, one is left.
    """
    phrases = lines.phrases
    if phrases is None or phrases.n_links == 0:
        return lines
    draw = np.random.default_rng(seed)
    target_word = np.repeat(np.arange(phrases.n_words), np.diff(phrases.offsets))
    line = np.searchsorted(phrases.line_offsets, target_word, side="right") - 1
    n_source = np.zeros(phrases.n_lines, np.int64)
    counted = count_words(lines.source)
    # A last line of the source that is empty may lack its line end.
    n_source[: len(counted)] = counted
    is_wrong = (draw.random(phrases.n_links) < share) & (n_source[line] > 0)
    source_word = phrases.source_words.astype(np.int64)
    source_word[is_wrong] = draw.integers(0, n_source[line[is_wrong]])
    return AlignedLines(
        lines.target,
        lines.source,
        Phrases.of_pairs(phrases.line_offsets, target_word, source_word, phrases.unaligned),
    )
