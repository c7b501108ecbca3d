"""The training text as blocks of whole lines that can be read in any order, more than once."""

import tempfile
from collections.abc import Iterable, Iterator

import numpy as np

from truecase.files.full_disk import naming_temporary_file

_LARGEST = 1 << 18
_SMALLEST = 1 << 10

# Blocks that a small text is cut into at least, so that folds are alike.
_N_BLOCKS = 96


class TextBlocks:
    """Text in a temporary file, cut into blocks of neighbouring lines.

    Lines that stand together stay together: their names are the same, and would not be
    held out if every second line were.

    Parameters
    ----------
    pieces : iterable of bytes
        Whole lines.
    """

    #: Blocks that weights learn from after each piece of the development text.
    pieces_between = 4

    def __init__(self, pieces: Iterable[bytes]) -> None:
        # Not closed by a `with`: it lives as long as the object.
        self._file = tempfile.TemporaryFile()  # noqa: SIM115
        size = 0
        with naming_temporary_file():
            for piece in pieces:
                size += self._file.write(piece)
            self._file.flush()
        self._starts = [0]
        wanted = min(_LARGEST, max(_SMALLEST, size // _N_BLOCKS))
        while self._starts[-1] < size:
            self._file.seek(min(size, self._starts[-1] + wanted))
            self._file.readline()
            self._starts.append(self._file.tell())

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

    @property
    def n_pieces(self) -> int:
        """What `shuffled` gives: as many as there are blocks."""
        return len(self)

    def in_order(self) -> Iterator[bytes]:
        """All blocks."""
        return (self[index] for index in range(len(self)))

    def without_fold(self, fold: int, n_folds: int) -> Iterator[bytes]:
        """All blocks but those of a fold; if it is the only one, all."""
        for index in range(len(self)):
            if n_folds == 1 or index % n_folds != fold:
                yield self[index]

    def shuffled(self, seed: int) -> Iterator[tuple[int, bytes]]:
        """All blocks with their numbers, in an order that depends on `seed` alone."""
        for index in np.random.default_rng(seed).permutation(len(self)):
            yield int(index), self[int(index)]

    def close(self) -> None:
        """Give the temporary file back."""
        self._file.close()
