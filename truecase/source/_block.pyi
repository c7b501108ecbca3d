from typing_extensions import disjoint_base

from truecase.alignment.phrases import Phrases

__all__ = ["AlignedBlock"]

@disjoint_base
class AlignedBlock:
    def __init__(
        self,
        block: bytes | bytearray | memoryview,
        source: bytes | bytearray | memoryview,
        phrases: Phrases | None = None,
    ) -> None: ...
