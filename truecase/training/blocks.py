"""A training text in blocks for folds, and in pieces that weights learn from in any order."""

from collections.abc import Iterator
from typing import IO, Generic, TypeVar

import numpy as np

#: Weights learn from pieces of so many bytes at most, smaller than blocks: neighbouring lines are
#: of one kind or author, a list of titles say, whose habits weights would end up with if many of
#: them came last.
PIECE_BYTES = 1 << 13
_SMALLEST_PIECE = 1 << 8

# Weights move once for a piece or several: of a small text, pieces are to be small, too.
_MIN_PIECES = 2000

#: The largest block.
BLOCK_BYTES = 1 << 18
_SMALLEST = 1 << 10

#: Blocks that a small text is cut into at least, so that folds are alike.
MIN_BLOCKS = 96

Piece = TypeVar("Piece")


def block_size(n_bytes: int) -> int:
    """Bytes of a block of a text of so many."""
    return min(BLOCK_BYTES, max(_SMALLEST, n_bytes // MIN_BLOCKS))


def piece_size(n_bytes: int) -> int:
    """Bytes of a piece of a text of so many."""
    return min(PIECE_BYTES, max(_SMALLEST_PIECE, n_bytes // _MIN_PIECES))


class Blocks(Generic[Piece]):
    """Pieces in a file that its owner has opened, and which of them are a block.

    Attributes
    ----------
    pieces_between : int
        Pieces that weights learn from after each piece of the development text.
    """

    pieces_between: int

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._starts = [0]
        self._blocks: list[range] = []

    def __len__(self) -> int:
        return len(self._blocks)

    def _pieces_of(self, index: int) -> range:
        if not 0 <= index < len(self):
            raise IndexError(index)
        return self._blocks[index]

    def _read(self, piece: int) -> Piece:
        raise NotImplementedError

    @property
    def n_pieces(self) -> int:
        """Pieces of all blocks."""
        return len(self._starts) - 1

    def shuffled(self, seed: int) -> Iterator[tuple[int, Piece]]:
        """All pieces with the numbers of their blocks, in an order that depends on `seed` alone."""
        block_of = np.repeat(np.arange(len(self)), [len(pieces) for pieces in self._blocks])
        for piece in np.random.default_rng(seed).permutation(self.n_pieces):
            yield int(block_of[piece]), self._read(int(piece))

    def endless(self, seed: int) -> Iterator[tuple[int, Piece]]:
        """The same again and again, each time in another order."""
        while len(self):
            yield from self.shuffled(seed)
            seed += 1

    def outside_fold(self, fold: int, n_folds: int) -> Iterator[int]:
        """The numbers of the blocks that are not in a fold; if it is the only one, of all."""
        return (index for index in range(len(self)) if n_folds == 1 or index % n_folds != fold)

    def close(self) -> None:
        """Give the file back."""
        self._file.close()
