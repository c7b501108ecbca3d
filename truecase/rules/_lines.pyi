"""Changes of case that follow from a line's own words, and counts of forms that lead to them."""

from collections.abc import Iterable

from typing_extensions import disjoint_base

from truecase.base.spool import Bools, Float32s, UInt8s

BODY: int
TITLE: int
UNCLEAR: int

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
    def capitalize(self, block: bytes) -> bytes:
        """Capitalise the first word of every sentence of whole lines."""

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
        inside: Iterable[bytes] = (),
    ) -> StyleWriter: ...
    def title(self, block: bytes, lines: UInt8s | None = None) -> bytes:
        """Lines as titles, all or those whose entry in `lines` is not 0."""

    def upper(self, block: bytes) -> bytes:
        """Lines in upper case."""

@disjoint_base
class TitleDetector:
    """Tells titles from body text by the form of a line: its words, length, marks, ending."""

    def __new__(
        cls, segmentation: str = "raw", language: str = "", weights: Float32s | None = None
    ) -> TitleDetector: ...
    @property
    def weights(self) -> Float32s:
        """Learned weights, shape (32768,)."""

    def learn(self, block: bytes) -> None:
        """Learn from the lines of naturally cased text whose kind is clear."""

    def detect(self, block: bytes) -> UInt8s:
        """Find lines with the form of a title, one entry per line."""

    def look(self, block: bytes) -> tuple[UInt8s, Bools]:
        """Judge naturally cased lines by case alone: kinds, and whether mostly upper case."""
