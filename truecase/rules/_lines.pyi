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
    def __new__(
        cls, segmentation: str = "raw", language: str = "", abbreviations: Iterable[bytes] = ()
    ) -> FormCounter: ...
    def add_block(self, block: bytes) -> None:
        """Count the forms of whole lines."""

    def forms(self) -> list[tuple[int, bytes, int, bool]]:
        """Return key, surface, count and whether it is lowercase, by first occurrence."""

class StyleWriter:
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
    def title(self, block: bytes, lines: UInt8s | None = None) -> bytes: ...
    def upper(self, block: bytes) -> bytes: ...

@disjoint_base
class TitleDetector:
    def __new__(
        cls, segmentation: str = "raw", language: str = "", weights: Float32s | None = None
    ) -> TitleDetector: ...
    @property
    def weights(self) -> Float32s:
        """Learned weights, shape (32768,)."""

    def learn(self, block: bytes) -> None: ...
    def detect(self, block: bytes) -> UInt8s: ...
    def look(self, block: bytes) -> tuple[UInt8s, Bools]: ...
