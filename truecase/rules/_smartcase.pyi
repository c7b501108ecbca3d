"""Counts of forms away from sentence starts, and changes of case that follow from them."""

from collections.abc import Iterable

from typing_extensions import disjoint_base

__all__ = ["Capitalizer", "CaseTable", "FormCounter"]

RULES: dict[str, int]

@disjoint_base
class CaseTable:
    """The most frequent form of each word, the first of equal ones; and all forms seen."""

    def __new__(
        cls,
        segmentation: str = "space",
        language: str = "",
        abbreviations: Iterable[bytes] = (),
        forms: Iterable[tuple[bytes, float]] = (),
    ) -> CaseTable: ...
    def __len__(self) -> int: ...
    def normalize(self, block: bytes) -> bytes:
        """Lowercase first words of whole lines that mostly are lowercase elsewhere."""

    def truecase(self, block: bytes, rule: str) -> bytes:
        """Put the words of whole lines into their most frequent form, by one of `RULES`."""

@disjoint_base
class FormCounter:
    """Counts surface forms away from sentence starts."""

    def __new__(
        cls, segmentation: str = "raw", language: str = "", abbreviations: Iterable[bytes] = ()
    ) -> FormCounter: ...
    def add_block(self, block: bytes) -> None:
        """Count the forms of whole lines."""

    def forms(self) -> list[tuple[int, bytes, int, bool]]:
        """Return key, surface, count and whether it is lowercase, by first occurrence."""

@disjoint_base
class Capitalizer:
    """Raises the first letter of every sentence."""

    def __new__(
        cls, segmentation: str = "raw", language: str = "", abbreviations: Iterable[bytes] = ()
    ) -> Capitalizer: ...
    def capitalize(self, block: bytes) -> bytes:
        """Capitalise the first word of every sentence of whole lines."""
