"""Word ids and the surface forms they stand for; a corpus as word ids, in memory or on disk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from truecase.base.spool import Int64s, Spool, UInt8s, UInt32s
from truecase.ngram._count import take_surfaces

UNK = 0
BOS = 1
EOS = 2  # </s>, which ends every line
FIRST_WORD = 3
SPECIAL_SURFACES = (b"<unk>", b"<s>", b"</s>")


class Vocabulary:
    """The surface form of every word id.

    Parameters
    ----------
    blob : uint8 array
        All surface forms, one after the other, as UTF-8 (or any bytes that the corpus had).
    offsets : int64 array, shape (n + 1,)
        Form i is ``blob[offsets[i]:offsets[i + 1]]``; 0, 1 and 2 are ``<unk>``, ``<s>``, ``</s>``.

    Raises
    ------
    ValueError
        The offsets do not describe `blob`.
    """

    def __init__(self, blob: UInt8s, offsets: Int64s) -> None:
        self.blob = np.ascontiguousarray(blob, dtype=np.uint8)
        self.offsets = np.ascontiguousarray(offsets, dtype=np.int64)
        if (
            self.offsets.ndim != 1
            or len(self.offsets) < FIRST_WORD + 1
            or self.offsets[0] != 0
            or self.offsets[-1] != len(self.blob)
            or bool(np.any(np.diff(self.offsets) < 0))
        ):
            raise ValueError("vocabulary: offsets do not rise from 0 to the length of the blob")

    @classmethod
    def from_surfaces(cls, surfaces: Sequence[bytes]) -> Vocabulary:
        """Make a vocabulary of these forms; the first three are the special ones."""
        offsets = np.zeros(len(surfaces) + 1, dtype=np.int64)
        np.cumsum([len(surface) for surface in surfaces], out=offsets[1:])
        return cls(np.frombuffer(b"".join(surfaces), dtype=np.uint8), offsets)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __iter__(self) -> Iterator[bytes]:
        return (self.surface(word_id) for word_id in range(len(self)))

    def surface(self, word_id: int) -> bytes:
        """The bytes of a word's surface form."""
        if not 0 <= word_id < len(self):
            raise IndexError(f"word id {word_id}: the vocabulary has {len(self)} words")
        return self.blob[self.offsets[word_id] : self.offsets[word_id + 1]].tobytes()

    def take(self, ids: UInt32s) -> Vocabulary:
        """Vocabulary of some words in another order, after the three special ones."""
        ids = np.concatenate([np.arange(FIRST_WORD, dtype=np.uint32), ids])
        return Vocabulary(*take_surfaces(self.blob, self.offsets, ids))

    def byte_order(self) -> UInt32s:
        """Ids of the words, without the special ones, in the order of their bytes."""
        blob = self.blob.tobytes()
        surfaces = [blob[begin:end] for begin, end in pairwise(self.offsets.tolist())]
        ids = sorted(range(FIRST_WORD, len(self)), key=surfaces.__getitem__)
        return np.array(ids, np.uint32)

    def nbytes(self) -> int:
        """Memory of the two arrays."""
        return self.blob.nbytes + self.offsets.nbytes


def canonical_order(vocabulary: Vocabulary, counts: Int64s) -> UInt32s:
    """Order word ids by falling count, then by bytes: the order of the text does not matter.

    Tables over words are then read mostly near their beginning.
    """
    ids = vocabulary.byte_order()
    return ids[np.argsort(-counts[ids], kind="stable")]


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

    def append(self, ids: UInt32s, n_lines: int) -> None:
        """Add the ids of whole lines; the array must not change afterwards."""
        self._ids.append(ids)
        self.n_lines += n_lines

    def __len__(self) -> int:
        """Number of ids, including line ends."""
        return len(self._ids)

    @property
    def n_words(self) -> int:
        """Number of words, without line ends."""
        return len(self) - self.n_lines

    def chunks(self) -> Iterator[UInt32s]:
        """Yield the ids in order, in arrays of any length."""
        return self._ids.pieces(1 << 20)

    def line_chunks(self) -> Iterator[UInt32s]:
        """Yield the ids in order, in arrays of whole lines."""
        rest = np.zeros(0, np.uint32)
        for chunk in self.chunks():
            ends = np.flatnonzero(chunk == EOS)
            if not len(ends):
                rest = np.concatenate([rest, chunk])
                continue
            cut = int(ends[-1]) + 1
            yield np.concatenate([rest, chunk[:cut]]) if len(rest) else chunk[:cut]
            rest = chunk[cut:]
        if len(rest):
            yield rest

    def renumbered(self, new_id: UInt32s) -> IdStream:
        """The corpus under other word ids, ``new_id[id]``; this stream is closed."""
        stream = IdStream(self._ids.on_disk)
        for ids in self._ids.taken_pieces(1 << 20):
            stream.append(new_id[ids], 0)
        stream.n_lines = self.n_lines
        return stream

    def close(self) -> None:
        """Free the memory or the temporary file."""
        self._ids.close()
