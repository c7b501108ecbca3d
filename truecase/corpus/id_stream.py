"""A corpus as word ids, in memory or in a temporary file."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from truecase.base.spool import Spool

#: Id that ends every line: ``</s>``.
END_OF_LINE = 2


class IdStream:
    """The corpus as one sequence of word ids: the words of each line, then 2 (``</s>``).

    Parameters
    ----------
    on_disk : bool
        Keep the ids in a temporary file instead of in memory.
    """

    def __init__(self, on_disk: bool = False) -> None:
        self._ids = Spool(np.uint32, on_disk=on_disk)
        self.n_lines = 0

    @classmethod
    def from_lines(cls, lines: list[list[int]]) -> IdStream:
        """Stream of the given lines of word ids."""
        stream = cls()
        ids = [word_id for line in lines for word_id in (*line, 2)]
        stream.append(np.array(ids, dtype=np.uint32), len(lines))
        return stream

    def append(self, ids: npt.NDArray[np.uint32], n_lines: int) -> None:
        """Add the ids of some whole lines; the array must not change afterwards."""
        self._ids.append(ids)
        self.n_lines += n_lines

    def __len__(self) -> int:
        """Number of ids, the ends of lines included."""
        return len(self._ids)

    @property
    def n_words(self) -> int:
        """Number of words, the ends of lines not included."""
        return len(self) - self.n_lines

    def chunks(self) -> Iterator[npt.NDArray[np.uint32]]:
        """The ids in order, in arrays of any length."""
        return self._ids.pieces(1 << 20)

    def line_chunks(self) -> Iterator[npt.NDArray[np.uint32]]:
        """The ids in order, in arrays that hold whole lines."""
        rest = np.zeros(0, np.uint32)
        for chunk in self.chunks():
            ends = np.flatnonzero(chunk == END_OF_LINE)
            if not len(ends):
                rest = np.concatenate([rest, chunk])
                continue
            cut = int(ends[-1]) + 1
            yield np.concatenate([rest, chunk[:cut]]) if len(rest) else chunk[:cut]
            rest = chunk[cut:]
        if len(rest):
            yield rest

    def renumbered(self, new_id: npt.NDArray[np.uint32]) -> IdStream:
        """The corpus under other word ids, ``new_id[id]``; this stream is closed."""
        stream = IdStream(self._ids.on_disk)
        for ids in self._ids.taken_pieces(1 << 20):
            stream.append(new_id[ids], 0)
        stream.n_lines = self.n_lines
        return stream

    def close(self) -> None:
        """Give back the memory or the temporary file."""
        self._ids.close()
