"""Dictionaries whose texts became the same: readers of Arrow expect each text once."""

from __future__ import annotations

import struct

import numpy as np
import numpy.typing as npt

from truecase.columns._cased import ArrowChunk, array_capsules, chunk_of_buffers
from truecase.columns._given import GivenColumn
from truecase.columns._rows import texts_of_rows
from truecase.columns.types import TextType

_INLINE_BYTES = 12


def distinct(
    texts: ArrowChunk, kind: TextType, numbers: npt.NDArray[np.integer]
) -> tuple[ArrowChunk, npt.NDArray[np.integer]]:
    """A dictionary with each of its texts once, and the numbers of rows in it.

    Parameters
    ----------
    texts : ArrowChunk
        Of the type `kind`.
    kind : TextType
    numbers : ndarray of int
    """
    (chunk,) = GivenColumn(_Offered(kind, texts))
    found: dict[bytes | None, int] = {}
    places = [found.setdefault(text, len(found)) for text in texts_of_rows(chunk)]
    if len(found) == len(places):
        return texts, numbers
    renumbered = np.array(places, np.int64)[numbers].astype(numbers.dtype)
    return _chunk_of(list(found), kind), renumbered


class _Offered:
    """A chunk as a column."""

    def __init__(self, kind: TextType, chunk: ArrowChunk) -> None:
        self._parts = kind, chunk

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        return array_capsules(*self._parts)


def _chunk_of(texts: list[bytes | None], kind: TextType) -> ArrowChunk:
    """A chunk of a few texts."""
    is_there = np.array([text is not None for text in texts])
    n_nulls = len(texts) - int(is_there.sum())
    valid = np.packbits(is_there, bitorder="little") if n_nulls else None
    whole = [text or b"" for text in texts]
    if kind.name != "string_view":
        dtype = np.int32 if kind.name == "string" else np.int64
        ends = np.cumsum([0, *map(len, whole)]).astype(dtype)
        return chunk_of_buffers(len(texts), n_nulls, [valid, ends.view(np.uint8), b"".join(whole)])
    views, held = [], bytearray()
    for text in whole:
        if len(text) <= _INLINE_BYTES:
            views.append(struct.pack("<i12s", len(text), text))
        else:
            views.append(struct.pack("<i4sii", len(text), text, 0, len(held)))
            held += text
    sizes = struct.pack("<q", len(held))
    return chunk_of_buffers(len(texts), n_nulls, [valid, b"".join(views), bytes(held), sizes])
