"""The checked source of a block of lines."""

from typing import Any

from typing_extensions import Self, disjoint_base

@disjoint_base
class AlignedBlock:
    def __new__(
        cls,
        block: bytes | bytearray | memoryview,
        source: bytes | bytearray | memoryview,
        phrases: Any = None,
    ) -> Self: ...
