"""The training text as blocks of whole lines that can be read in any order, more than once."""

import tempfile
from collections.abc import Iterable, Iterator

import numpy as np

_LARGEST = 1 << 18
_SMALLEST = 1 << 10

# Weights learn from smaller pieces: neighbouring lines are of one author, whose habits they
# would end up with if many of them came one after the other.
_PIECE = 1 << 13

# Blocks that a small text is cut into at least, so that folds are alike.
_N_BLOCKS = 96


class TextBlocks:
    """Text in a temporary file, cut into blocks of neighbouring lines, and these into pieces.

    Lines that stand together stay together: their names are the same, and would not be
    held out if every second line were.

    Parameters
    ----------
    pieces : iterable of bytes
        Whole lines.
    """

    #: Pieces that weights learn from after each piece of the development text.
    pieces_between = 32

    def __init__(self, pieces: Iterable[bytes]) -> None:
        # Not closed by a `with`: it lives as long as the object.
        self._file = tempfile.TemporaryFile()  # noqa: SIM115
        size = 0
        for piece in pieces:
            size += self._file.write(piece)
        self._starts = [0]
        wanted = min(_LARGEST, max(_SMALLEST, size // _N_BLOCKS))
        while self._starts[-1] < size:
            self._file.seek(min(size, self._starts[-1] + wanted))
            self._file.readline()
            self._starts.append(self._file.tell())
        # Where each piece starts, and the block it is of.
        self._pieces: list[tuple[int, int]] = []
        for block in range(len(self)):
            at = self._starts[block]
            while at < self._starts[block + 1]:
                self._pieces.append((at, block))
                self._file.seek(min(self._starts[block + 1], at + _PIECE))
                self._file.readline()
                at = min(self._file.tell(), self._starts[block + 1])
        self._pieces.append((self._starts[-1], len(self)))

    def __len__(self) -> int:
        return len(self._starts) - 1

    def __getitem__(self, index: int) -> bytes:
        if not 0 <= index < len(self):
            raise IndexError(index)
        self._file.seek(self._starts[index])
        return self._file.read(self._starts[index + 1] - self._starts[index])

    @property
    def n_bytes(self) -> int:
        """Size of the text."""
        return self._starts[-1]

    def in_order(self) -> Iterator[bytes]:
        """All blocks."""
        return (self[index] for index in range(len(self)))

    def without_fold(self, fold: int, n_folds: int) -> Iterator[bytes]:
        """All blocks but those of a fold; if it is the only one, all."""
        for index in range(len(self)):
            if n_folds == 1 or index % n_folds != fold:
                yield self[index]

    @property
    def n_pieces(self) -> int:
        """Pieces of all blocks."""
        return len(self._pieces) - 1

    def shuffled(self, seed: int) -> Iterator[tuple[int, bytes]]:
        """All pieces with the numbers of their blocks, in an order that depends on `seed` alone."""
        for piece in np.random.default_rng(seed).permutation(self.n_pieces):
            start, block = self._pieces[piece]
            self._file.seek(start)
            yield block, self._file.read(self._pieces[piece + 1][0] - start)

    def close(self) -> None:
        """Give the temporary file back."""
        self._file.close()
