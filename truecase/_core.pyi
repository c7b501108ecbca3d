from typing_extensions import disjoint_base

from truecase.alignment.lines import Phrases
from truecase.model.model import Model
from truecase.options import Casing

@disjoint_base
class OwnedWorkspace: ...

@disjoint_base
class CompiledModel:
    def __new__(cls, components: Model) -> CompiledModel: ...
    @property
    def takes_source(self) -> bool: ...
    def case_block(
        self,
        block: bytes | bytearray | memoryview,
        casing: Casing = ...,
        source: bytes | bytearray | memoryview | None = None,
        phrases: Phrases | None = None,
    ) -> bytes: ...
    def training_count(self, word: str) -> int: ...
    def counts(self, block: bytes | bytearray | memoryview) -> list[int]: ...
    def unknown_words(self, block: bytes | bytearray | memoryview) -> list[tuple[int, int]]: ...
