from typing_extensions import Self, disjoint_base

from truecase.alignment.lines import Phrases

__all__ = ["AlignedBlock"]

@disjoint_base
class AlignedBlock:
    def __new__(
        cls,
        block: bytes | bytearray | memoryview,
        source: bytes | bytearray | memoryview,
        phrases: Phrases | None = None,
    ) -> Self: ...
