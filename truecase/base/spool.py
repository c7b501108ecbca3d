"""Long columns of numbers, in memory or in temporary files."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from truecase.base.atomic import errors_for

# Arrays by the type of their numbers.
Bools = npt.NDArray[np.bool_]
UInt8s = npt.NDArray[np.uint8]
UInt16s = npt.NDArray[np.uint16]
UInt32s = npt.NDArray[np.uint32]
UInt64s = npt.NDArray[np.uint64]
Int8s = npt.NDArray[np.int8]
Int32s = npt.NDArray[np.int32]
Int64s = npt.NDArray[np.int64]
Float32s = npt.NDArray[np.float32]
Float64s = npt.NDArray[np.float64]

# Arrays of up to `_SHORT` bytes are joined into arrays of up to `_LONG`. The allocator takes memory
# for longer ones from the system and gives it back.
_SHORT = 1 << 20
_LONG = 1 << 26


class Spool:
    """A column of numbers that is written once, then read in order as often as needed.

    A record has `width` items; `len` and chunk sizes are in records. With `on_disk`, the records
    are in an unnamed temporary file (in `tempfile.gettempdir()`), which goes away with the object
    or process.
    """

    def __init__(self, dtype: npt.DTypeLike, width: int = 1, on_disk: bool = False) -> None:
        self.dtype = np.dtype(dtype)
        self.width = width
        self._arrays: list[npt.NDArray[Any]] = []
        # Here short arrays are joined; its first `_n_filled` items are filled.
        self._segment: npt.NDArray[Any] = np.empty(0, dtype=self.dtype)
        self._n_filled = 0
        self._file: IO[bytes] | None = None
        self._n_items = 0
        if on_disk:
            self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - lives as long as we do

    def __len__(self) -> int:
        return self._n_items // self.width

    @property
    def on_disk(self) -> bool:
        """Whether the records are in a temporary file."""
        return self._file is not None

    def append(self, items: npt.NDArray[Any]) -> None:
        """Add records. In memory, a long array is kept, not copied; it must not change.

        Raises OSError, which names the folder, if the disk is full.
        """
        if items.dtype != self.dtype or items.ndim != 1 or len(items) % self.width:
            raise ValueError(f"expected flat {self.dtype} records of {self.width} items")
        if not len(items):
            return
        if self._file is None:
            self._keep(items)
        else:
            self._file.seek(self._n_items * self.dtype.itemsize)
            view = np.ascontiguousarray(items).data.cast("B")
            with errors_for(None):
                while len(view):
                    view = view[self._file.write(view) :]
        self._n_items += len(items)

    def extend(self, pieces: Iterable[npt.NDArray[Any]]) -> None:
        """Add the records of several arrays, as `append` does."""
        for items in pieces:
            self.append(items)

    def _keep(self, items: npt.NDArray[Any]) -> None:
        """Keep an array; short ones are joined, or they would leave holes in memory."""
        if len(items) > len(self._segment) - self._n_filled:
            self._end_segment()
            if items.nbytes > _SHORT:
                self._arrays.append(items)
                return
            n_bytes = min(max(self._n_items * self.dtype.itemsize, _SHORT), _LONG)
            self._segment = np.empty(n_bytes // self.dtype.itemsize, dtype=self.dtype)
        end = self._n_filled + len(items)
        self._segment[self._n_filled : end] = items
        self._n_filled = end

    def _end_segment(self) -> None:
        if self._n_filled:
            self._arrays.append(self._segment[: self._n_filled])
        self._segment = self._segment[:0].copy()
        self._n_filled = 0

    def chunks(self, n_records: int) -> Iterator[npt.NDArray[Any]]:
        """Yield the records in order, `n_records` at a time."""
        return self.reader().chunks(n_records)

    def pieces(self, n_records: int) -> Iterator[npt.NDArray[Any]]:
        """Yield the records in order, in arrays of at most `n_records` records."""
        if self._file is not None:
            yield from self.chunks(n_records)
            return
        self._end_segment()
        for array in list(self._arrays):
            yield from _cut(array, n_records * self.width)

    def taken_pieces(self, n_records: int) -> Iterator[npt.NDArray[Any]]:
        """As `pieces`, for the last time: frees what has been read."""
        if self._file is None:
            self._end_segment()
            self._arrays.reverse()
            while self._arrays:
                yield from _cut(self._arrays.pop(), n_records * self.width)
        else:
            yield from self.chunks(n_records)
        self.close()

    def reader(self, start: int = 0, end: int | None = None) -> SpoolReader:
        """Make a reader of the records `start` … `end` - 1 with a position of its own."""
        return SpoolReader(self, start, len(self) if end is None else end)

    def array(self) -> npt.NDArray[Any]:
        """All records as one array."""
        if self._file is None:
            self._end_segment()
            if len(self._arrays) != 1:
                joined = np.empty(self._n_items, dtype=self.dtype)
                start = 0
                # One by one, so that two whole copies never exist.
                self._arrays.reverse()
                while self._arrays:
                    piece = self._arrays.pop()
                    joined[start : start + len(piece)] = piece
                    start += len(piece)
                self._arrays = [joined]
            return self._arrays[0]
        return self.read(0, len(self))

    def read(self, start: int, n_records: int) -> npt.NDArray[Any]:
        """Records `start` … ``start + n_records - 1``, or fewer at the end."""
        begin = start * self.width
        n_items = max(0, min(n_records * self.width, self._n_items - begin))
        if self._file is None:
            return self.array()[begin : begin + n_items]
        out = np.empty(n_items, dtype=self.dtype)
        view = out.data.cast("B")
        self._file.seek(begin * self.dtype.itemsize)
        while len(view):
            n_read = self._file.readinto(view)  # type: ignore[attr-defined]
            if not n_read:
                raise OSError("a temporary file is shorter than what was written to it")
            view = view[n_read:]
        return out

    def close(self) -> None:
        """Free the memory or the temporary file; the spool is empty afterwards."""
        self._end_segment()
        self._arrays = []
        self._n_items = 0
        if self._file is not None:
            self._file.close()


def _cut(array: npt.NDArray[Any], n_items: int) -> Iterator[npt.NDArray[Any]]:
    for start in range(0, len(array), n_items):
        yield array[start : start + n_items]


class SpoolReader:
    """Reads a range of a spool's records in order."""

    def __init__(self, spool: Spool, start: int, end: int) -> None:
        self._spool = spool
        self._position = start
        self._end = end

    def take(self, n_records: int) -> npt.NDArray[Any]:
        """The next `n_records` records, or what is left."""
        n_records = min(n_records, self._end - self._position)
        chunk = self._spool.read(self._position, n_records)
        self._position += n_records
        return chunk

    def chunks(self, n_records: int) -> Iterator[npt.NDArray[Any]]:
        """What is left, `n_records` at a time."""
        while len(chunk := self.take(n_records)):
            yield chunk
