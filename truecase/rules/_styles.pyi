"""Writes text that a model has cased as titles or in upper case."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
from typing_extensions import disjoint_base

__all__ = ["StyleWriter"]

@disjoint_base
class StyleWriter:
    """Rewrites the case of lines that a model has cased as sentences."""

    def __new__(
        cls,
        segmentation: str = "raw",
        language: str = "",
        small_words: Iterable[bytes] = (),
        clitics: Iterable[bytes] = (),
        raises_last: bool = True,
        max_kept: int = 0,
    ) -> StyleWriter: ...
    def title(self, block: bytes, lines: npt.NDArray[np.uint8] | None = None) -> bytes:
        """Lines as titles, all or those whose entry in `lines` is not 0."""

    def upper(self, block: bytes) -> bytes:
        """Lines in upper case."""
