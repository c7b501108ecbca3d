"""Chunks of texts that are in Python."""

from __future__ import annotations

import struct

import numpy as np

from truecase.columns._cased import ArrowChunk, chunk_of_buffers
from truecase.columns.types import TextType

_INLINE_BYTES = 12


def chunk_of_texts(texts: list[bytes | None], kind: TextType) -> ArrowChunk:
    """A chunk of a few texts, of the type `kind`."""
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
