"""Lines of a text beside the sentences that they are translations of."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from truecase.bilingual._words import count_lines, count_words
from truecase.bilingual.phrases import Phrases
from truecase.corpus.line_slices import line_slices


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
        # A last line that is empty may lack its line end.
        if n_source not in (n_target, n_target - 1):
            raise ValueError(f"there are {n_target} lines, but {n_source} lines of their source")
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

    def whole(self) -> "AlignedLines":
        """The same without what is known of the alignment."""
        return AlignedLines(self.target, self.source)


def _with_end(text: bytes, lines: AlignedLines) -> bytes:
    """A side of some lines with as many line ends as there are lines."""
    return text + b"\n" * (count_lines(lines.target) - text.count(b"\n"))


def line_starts(text: bytes) -> npt.NDArray[np.int64]:
    """Where lines start, the end of the text after them."""
    ends = np.flatnonzero(np.frombuffer(text, np.uint8) == 0x0A) + 1
    if len(text) and not text.endswith(b"\n"):
        ends = np.append(ends, len(text))
    return np.concatenate([[0], ends]).astype(np.int64)


def _start(starts: npt.NDArray[np.int64], line: int) -> int:
    # The source may lack an empty last line.
    return int(starts[min(line, len(starts) - 1)])
