"""The training text as blocks of whole lines that can be read in any order, more than once."""

import tempfile
from collections.abc import Iterable, Iterator

from truecase.base.atomic import errors_for
from truecase.training.blocks import Blocks, block_size, piece_size


class TextBlocks(Blocks[bytes]):
    """Text in a temporary file, in blocks of neighbouring lines, and these in pieces.

    Lines that stand together stay together: their names are the same, and would not be
    held out if every second line were.

    Parameters
    ----------
    pieces : iterable of bytes
        Whole lines.
    """

    pieces_between = 128

    def __init__(self, pieces: Iterable[bytes]) -> None:
        # Not closed by a `with`: it lives as long as the object.
        super().__init__(tempfile.TemporaryFile())  # noqa: SIM115
        size = 0
        with errors_for(None):
            for piece in pieces:
                size += self._file.write(piece)
            self._file.flush()
        wanted, of_piece = block_size(size), piece_size(size)
        while self.n_bytes < size:
            first = self.n_pieces
            end = self._line_start(min(size, self.n_bytes + wanted))
            while self.n_bytes < end:
                self._starts.append(self._line_start(min(end, self.n_bytes + of_piece)))
            self._blocks.append(range(first, self.n_pieces))

    def _line_start(self, place: int) -> int:
        """Where the first line begins that does so at or after `place`."""
        self._file.seek(place - 1)
        self._file.readline()
        return self._file.tell()

    def __getitem__(self, index: int) -> bytes:
        pieces = self._pieces_of(index)
        return self._read_span(pieces.start, pieces.stop)

    def _read(self, piece: int) -> bytes:
        return self._read_span(piece, piece + 1)

    def _read_span(self, first: int, last: int) -> bytes:
        self._file.seek(self._starts[first])
        return self._file.read(self._starts[last] - self._starts[first])

    @property
    def n_bytes(self) -> int:
        """Size of the text."""
        return self._starts[-1]

    def in_order(self) -> Iterator[bytes]:
        """All blocks."""
        return (self[index] for index in range(len(self)))

    def without_fold(self, fold: int, n_folds: int) -> Iterator[bytes]:
        """All blocks but those of a fold; if it is the only one, all."""
        return (self[index] for index in self.outside_fold(fold, n_folds))
