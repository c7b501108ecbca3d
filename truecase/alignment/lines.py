"""Lines of a text beside the sentences that they are translations of."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from truecase.alignment.phrases import Phrases
from truecase.text._words import count_lines, count_words, has_as_many_lines
from truecase.text.lines import line_slices


@dataclass(frozen=True)
class AlignedLines:
    """Target lines, their source lines, and which of their words are aligned.

    Attributes
    ----------
    target, source : bytes
        As many lines, separated by LF.
    phrases : Phrases or None
        None: nothing is known; each source line is the phrase of all words of its target line.
    """

    target: bytes
    source: bytes
    phrases: Phrases | None = None

    def check(self) -> None:
        """Refuse lines of which there are not as many on both sides.

        Raises
        ------
        ValueError
        """
        n_target, n_source = count_lines(self.target), count_lines(self.source)
        if not has_as_many_lines(self.target, self.source):
            raise ValueError(f"there are {n_target} lines, but {n_source} of their source")
        if self.phrases is not None and self.phrases.n_lines != n_target:
            raise ValueError(
                f"there are {n_target} lines, but phrases of {self.phrases.n_lines} lines"
            )

    def parts(self, size: int) -> Iterator["AlignedLines"]:
        """The same in parts of whole lines, about `size` bytes of target text each."""
        target_starts, source_starts = line_starts(self.target), line_starts(self.source)
        for part in line_slices(self.target, size):
            first = int(np.searchsorted(target_starts, part.start))
            end = int(np.searchsorted(target_starts, part.stop))
            yield AlignedLines(
                self.target[part],
                self.source[_start(source_starts, first) : _start(source_starts, end)],
                None if self.phrases is None else self.phrases.select(first, end),
            )

    @classmethod
    def join(cls, parts: Sequence["AlignedLines"]) -> "AlignedLines":
        """The lines of all parts, one after the other."""
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

    def where(self, keep: npt.NDArray[np.bool_]) -> "AlignedLines":
        """The lines for which `keep`, one entry a line, is true."""
        phrases = None
        if self.phrases is not None:
            per_line = self.phrases.words_per_line
            words = np.flatnonzero(np.repeat(keep, per_line))
            phrases = self.phrases.take(words, per_line[keep], self.phrases.unaligned[keep])
        return AlignedLines(lines_where(self.target, keep), lines_where(self.source, keep), phrases)

    def with_target(self, target: bytes, words: npt.NDArray[np.int64]) -> "AlignedLines":
        """The same with as many other target lines, aligned as the words they were made of.

        Parameters
        ----------
        target : bytes
        words : int64 ndarray
            Of each of its words, the number of the target word that it was, over all lines.
        """
        phrases = None
        if self.phrases is not None:
            phrases = self.phrases.take(words, count_words(target), self.phrases.unaligned)
        return AlignedLines(target, self.source, phrases)

    def without_alignment(self) -> "AlignedLines":
        """The same without what is known of the alignment."""
        return AlignedLines(self.target, self.source)


def _with_end(text: bytes, lines: AlignedLines) -> bytes:
    """A side of some lines with as many line ends as there are lines."""
    return text + b"\n" * (count_lines(lines.target) - text.count(b"\n"))


def lines_where(text: bytes, keep: npt.NDArray[np.bool_]) -> bytes:
    """The lines of a text for which `keep`, one entry a line, is true, each with its end."""
    lines = text.split(b"\n")
    # The source may lack an empty last line.
    lines += [b""] * (len(keep) - len(lines))
    return b"".join(lines[i] + b"\n" for i in np.flatnonzero(keep))


def word_numbers(part: bytes, text: bytes) -> npt.NDArray[np.int64]:
    """Of each word of `part`, the number of the word of `text` that it stands in.

    Parameters
    ----------
    part : bytes
        `text` with blanks in the place of some of its bytes.
    """
    starts = np.flatnonzero(_begins_word(part))
    return np.cumsum(_begins_word(text))[starts] - 1


def _begins_word(text: bytes) -> npt.NDArray[np.bool_]:
    """Which bytes are the first of a word, a run of bytes other than ASCII white space."""
    code = np.frombuffer(text, np.uint8)
    inside = ~((code == 0x20) | ((code >= 0x09) & (code <= 0x0D)))
    begins: npt.NDArray[np.bool_] = inside.copy()
    begins[1:] &= ~inside[:-1]
    return begins


def line_starts(text: bytes) -> npt.NDArray[np.int64]:
    """Where lines start, the end of the text after them."""
    ends = np.flatnonzero(np.frombuffer(text, np.uint8) == 0x0A) + 1
    if len(text) and not text.endswith(b"\n"):
        ends = np.append(ends, len(text))
    return np.concatenate([[0], ends]).astype(np.int64)


def _start(starts: npt.NDArray[np.int64], line: int) -> int:
    # The source may lack an empty last line.
    return int(starts[min(line, len(starts) - 1)])
