"""An aligned training text as blocks of lines that can be read in any order, more than once."""

import pickle
import tempfile
from collections.abc import Callable, Iterable, Iterator

from truecase.alignment.lines import AlignedLines
from truecase.base.atomic import errors_for
from truecase.training.blocks import (
    BLOCK_BYTES,
    MIN_BLOCKS,
    PIECE_BYTES,
    Blocks,
    block_size,
    piece_size,
)


class BitextBlocks(Blocks[AlignedLines]):
    """Aligned lines in a temporary file, in blocks of neighbouring lines, and these in pieces.

    The language model may have more text than the aligned one: `more` is part of what
    `in_order` and `without_fold` give.

    Parameters
    ----------
    pieces : iterable of AlignedLines
    more : callable, optional
        Gives blocks of target text without source.
    """

    pieces_between = 16

    def __init__(
        self,
        pieces: Iterable[AlignedLines],
        more: Callable[[], Iterable[bytes]] = lambda: (),
    ) -> None:
        # Not closed by a `with`: it lives as long as the object.
        super().__init__(tempfile.TemporaryFile())  # noqa: SIM115
        self._more = more
        self.n_bytes = 0
        with errors_for(None):
            self._write_all(pieces)
            self._file.flush()

    def _write_all(self, pieces: Iterable[AlignedLines]) -> None:
        held: list[AlignedLines] = []
        for piece in pieces:
            self.n_bytes += len(piece.target)
            # Until the text is known to be large, its blocks are to be small.
            held.append(piece)
            if self.n_bytes > MIN_BLOCKS * BLOCK_BYTES:
                for part in held:
                    self._write(part, BLOCK_BYTES, PIECE_BYTES)
                held = []
        size = block_size(self.n_bytes)
        for part in held:
            self._write(part, size, piece_size(self.n_bytes))

    def _write(self, lines: AlignedLines, size: int, of_piece: int) -> None:
        for block in lines.parts(size):
            first = self.n_pieces
            for piece in block.parts(of_piece):
                pickle.dump(piece, self._file, pickle.HIGHEST_PROTOCOL)
                self._starts.append(self._file.tell())
            self._blocks.append(range(first, self.n_pieces))

    def __getitem__(self, index: int) -> AlignedLines:
        return AlignedLines.join([self._read(piece) for piece in self._pieces_of(index)])

    def _read(self, piece: int) -> AlignedLines:
        self._file.seek(self._starts[piece])
        lines = pickle.load(self._file)  # a temporary file that nobody else can open
        assert isinstance(lines, AlignedLines)
        return lines

    def in_order(self) -> Iterator[bytes]:
        """The target text of all blocks, and what there is more."""
        for index in range(len(self)):
            yield self[index].target
        yield from self._more()

    def without_fold(self, fold: int, n_folds: int) -> Iterator[bytes]:
        """The same without the blocks of a fold; if it is the only one, with all."""
        for index in self.outside_fold(fold, n_folds):
            yield self[index].target
        yield from self._more()
