"""The language of a source line; the checked source of a block of lines."""

from typing import Any, Literal

from typing_extensions import Self, disjoint_base

KINDS: tuple[str, ...]

def kind_of_line(line: bytes, segmentation: Literal["raw", "space"] = "raw") -> str:
    """The member of `KINDS` for the language of a line, which has no line end."""

@disjoint_base
class AlignedBlock:
    def __new__(
        cls,
        block: bytes | bytearray | memoryview,
        source: bytes | bytearray | memoryview,
        phrases: Any = None,
    ) -> Self: ...
