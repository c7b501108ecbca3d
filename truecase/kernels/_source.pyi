"""The table of words that tell of a language whose nouns have a capital."""

from typing import Any, Literal

from typing_extensions import Self, disjoint_base

__all__ = ["KINDS", "AlignedBlock", "kind_of_line"]

KINDS: tuple[str, ...]

def kind_of_line(line: bytes, segmentation: Literal["raw", "space"] = "raw") -> str:
    """What a line tells of its language."""

@disjoint_base
class AlignedBlock:
    def __new__(
        cls,
        block: bytes | bytearray | memoryview,
        source: bytes | bytearray | memoryview,
        phrases: Any = None,
    ) -> Self: ...
