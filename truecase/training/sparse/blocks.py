"""The training text as blocks of whole lines that can be read in any order, more than once."""

import tempfile
from collections.abc import Iterable, Iterator

import numpy as np

from truecase.files.full_disk import naming_temporary_file

_LARGEST = 1 << 18
_SMALLEST = 1 << 10

# Weights learn from smaller pieces: neighbouring lines are of one kind, a list of titles say, whose
# habits they would end up with if many of them came last.
_PIECE = 1 << 13

# Blocks that a small text is cut into at least, so that folds are alike.
_N_BLOCKS = 96


class TextBlocks:
    """Text in a temporary file, in blocks of neighbouring lines, and these in pieces.

    Lines that stand together stay together: their names are the same, and would not be
    held out if every second line were.

    Parameters
    ----------
    pieces : iterable of bytes
        Whole lines.
    """

    #: Pieces that weights learn from after each piece of the development text.
    pieces_between = 128

    def __init__(self, pieces: Iterable[bytes]) -> None:
        # Not closed by a `with`: it lives as long as the object.
        self._file = tempfile.TemporaryFile()  # noqa: SIM115
        size = 0
        with naming_temporary_file():
            for piece in pieces:
                size += self._file.write(piece)
            self._file.flush()
        self._starts = [0]
        self._blocks: list[range] = []
        wanted = min(_LARGEST, max(_SMALLEST, size // _N_BLOCKS))
        while self.n_bytes < size:
            first = self.n_pieces
            end = self._line_start(min(size, self.n_bytes + wanted))
            while self.n_bytes < end:
                self._starts.append(self._line_start(min(end, self.n_bytes + _PIECE)))
            self._blocks.append(range(first, self.n_pieces))

    def _line_start(self, place: int) -> int:
        """Where the first line begins that does so at or after `place`."""
        self._file.seek(place - 1)
        self._file.readline()
        return self._file.tell()

    def __len__(self) -> int:
        return len(self._blocks)

    def __getitem__(self, index: int) -> bytes:
        if not 0 <= index < len(self):
            raise IndexError(index)
        pieces = self._blocks[index]
        return self._read(pieces.start, pieces.stop)

    def _read(self, first: int, last: int) -> bytes:
        self._file.seek(self._starts[first])
        return self._file.read(self._starts[last] - self._starts[first])

    @property
    def n_bytes(self) -> int:
        """Size of the text."""
        return self._starts[-1]

    @property
    def n_pieces(self) -> int:
        """Pieces of all blocks."""
        return len(self._starts) - 1

    def in_order(self) -> Iterator[bytes]:
        """All blocks."""
        return (self[index] for index in range(len(self)))

    def without_fold(self, fold: int, n_folds: int) -> Iterator[bytes]:
        """All blocks but those of a fold; if it is the only one, all."""
        for index in range(len(self)):
            if n_folds == 1 or index % n_folds != fold:
                yield self[index]

    def shuffled(self, seed: int) -> Iterator[tuple[int, bytes]]:
        """All pieces with the numbers of their blocks, in an order that depends on `seed` alone."""
        block_of = np.repeat(np.arange(len(self)), [len(pieces) for pieces in self._blocks])
        for piece in np.random.default_rng(seed).permutation(self.n_pieces):
            yield int(block_of[piece]), self._read(int(piece), int(piece) + 1)

    def close(self) -> None:
        """Give the temporary file back."""
        self._file.close()
