"""Dictionaries whose texts became the same: readers of Arrow expect each text once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from truecase.columns._cased import ArrowChunk, array_capsules
from truecase.columns._given import GivenColumn
from truecase.columns._rows import texts_of_rows
from truecase.columns.chunk import chunk_of_texts
from truecase.columns.types import TextType


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
    return chunk_of_texts(list(found), kind), renumbered


class _Offered:
    """A chunk as a column."""

    def __init__(self, kind: TextType, chunk: ArrowChunk) -> None:
        self._parts = kind, chunk

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        return array_capsules(*self._parts)
