"""An aligned training text as blocks of lines that can be read in any order, more than once."""

import pickle
import tempfile
from collections.abc import Callable, Iterable, Iterator

import numpy as np

from truecase.alignment.lines import AlignedLines
from truecase.files.full_disk import naming_temporary_file

_LARGEST = 1 << 18

# Weights learn from smaller pieces: neighbouring lines are of one author, whose habits they
# would end up with if many of them came one after the other.
_PIECE = 1 << 13
_SMALLEST = 1 << 10

# Blocks that a small text is cut into at least, so that folds are alike.
_N_BLOCKS = 96


class BitextBlocks:
    """Aligned lines in a temporary file, in blocks of neighbouring lines, and these in pieces.

    The language model may have more text than the aligned one: `more` is part of what
    `in_order` and `without_fold` give.

    Parameters
    ----------
    pieces : iterable of AlignedLines
    more : callable, optional
        Gives blocks of target text without source.
    """

    #: Pieces that weights learn from after each piece of the development text.
    pieces_between = 16

    def __init__(
        self,
        pieces: Iterable[AlignedLines],
        more: Callable[[], Iterable[bytes]] = lambda: (),
    ) -> None:
        # Not closed by a `with`: it lives as long as the object.
        self._file = tempfile.TemporaryFile()  # noqa: SIM115
        self._starts = [0]
        self._blocks: list[range] = []
        self._more = more
        self.n_bytes = 0
        with naming_temporary_file():
            self._write_all(pieces)
            self._file.flush()

    def _write_all(self, pieces: Iterable[AlignedLines]) -> None:
        held: list[AlignedLines] = []
        for piece in pieces:
            self.n_bytes += len(piece.target)
            # Until the text is known to be large, its blocks are to be small.
            held.append(piece)
            if self.n_bytes > _N_BLOCKS * _LARGEST:
                for part in held:
                    self._write(part, _LARGEST)
                held = []
        size = min(_LARGEST, max(_SMALLEST, self.n_bytes // _N_BLOCKS))
        for part in held:
            self._write(part, size)

    def _write(self, lines: AlignedLines, size: int) -> None:
        for block in lines.parts(size):
            first = self.n_pieces
            for piece in block.parts(_PIECE):
                pickle.dump(piece, self._file, pickle.HIGHEST_PROTOCOL)
                self._starts.append(self._file.tell())
            self._blocks.append(range(first, self.n_pieces))

    def __len__(self) -> int:
        return len(self._blocks)

    def __getitem__(self, index: int) -> AlignedLines:
        if not 0 <= index < len(self):
            raise IndexError(index)
        return AlignedLines.join([self._read(piece) for piece in self._blocks[index]])

    def _read(self, piece: int) -> AlignedLines:
        self._file.seek(self._starts[piece])
        lines = pickle.load(self._file)  # a temporary file that nobody else can open
        assert isinstance(lines, AlignedLines)
        return lines

    @property
    def n_pieces(self) -> int:
        """Pieces of all blocks."""
        return len(self._starts) - 1

    def in_order(self) -> Iterator[bytes]:
        """The target text of all blocks, and what there is more."""
        for index in range(len(self)):
            yield self[index].target
        yield from self._more()

    def without_fold(self, fold: int, n_folds: int) -> Iterator[bytes]:
        """The same without the blocks of a fold; if it is the only one, with all."""
        for index in range(len(self)):
            if n_folds == 1 or index % n_folds != fold:
                yield self[index].target
        yield from self._more()

    def shuffled(self, seed: int) -> Iterator[tuple[int, AlignedLines]]:
        """All pieces with the numbers of their blocks, in an order that depends on `seed` alone."""
        block_of = np.repeat(np.arange(len(self)), [len(pieces) for pieces in self._blocks])
        for piece in np.random.default_rng(seed).permutation(self.n_pieces):
            yield int(block_of[piece]), self._read(int(piece))

    def close(self) -> None:
        """Give the temporary file back."""
        self._file.close()
