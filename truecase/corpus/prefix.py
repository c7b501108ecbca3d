"""The first words of a text: whole lines, up to so many words."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence

from truecase.base.read import read_blocks
from truecase.options import StrPath


def count_words(paths: Sequence[StrPath], encoding: str | None = None) -> int:
    """White-space-separated words of texts together."""
    return sum(len(block.split()) for block in read_blocks(paths, encoding=encoding))


class Prefix:
    """The first lines of texts, as many as have so many words.

    Iterating reads the files anew, a block at a time.

    Parameters
    ----------
    paths : sequence of path-like
    wanted : int
        Words; the line in which the last one stands is taken whole.
    encoding : str, optional
        How the texts are written; blocks are UTF-8.

    Attributes
    ----------
    n_words, n_lines : int
        What was given so far in the last iteration.
    """

    def __init__(self, paths: Sequence[StrPath], wanted: int, encoding: str | None = None) -> None:
        self._paths = paths
        self._encoding = encoding
        self._wanted = wanted
        self.n_words = 0
        self.n_lines = 0

    def __iter__(self) -> Iterator[bytes]:
        """Blocks of whole lines."""
        self.n_words = self.n_lines = 0
        for block in read_blocks(self._paths, encoding=self._encoding):
            n_words = len(block.split())
            if self.n_words + n_words <= self._wanted:
                self.n_words += n_words
                self.n_lines += block.count(b"\n") + (not block.endswith(b"\n"))
                yield bytes(block)
            else:
                yield self._part(bytes(block))
            if self.n_words >= self._wanted:
                return

    def _part(self, block: bytes) -> bytes:
        """The lines of a block that are still wanted."""
        kept = []
        for line in io.BytesIO(block):
            if self.n_words >= self._wanted:
                break
            self.n_words += len(line.split())
            self.n_lines += 1
            kept.append(line)
        return b"".join(kept)
