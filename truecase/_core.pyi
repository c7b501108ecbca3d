from typing_extensions import disjoint_base

from truecase.alignment.phrases import Phrases
from truecase.model.model import Model

INPUT_CASES: dict[str, int]
SENTENCE_STARTS: dict[str, bool]
AFTER_COLONS: dict[str, int]
OFFICES: dict[str, int]

@disjoint_base
class OwnedWorkspace: ...

@disjoint_base
class CompiledModel:
    def __new__(
        cls, components: Model, after_colon: str = ..., offices: str = ...
    ) -> CompiledModel: ...
    @property
    def takes_source(self) -> bool: ...
    def case_block(
        self,
        block: bytes | bytearray | memoryview,
        input_case: str = "ignore",
        source: bytes | bytearray | memoryview | None = None,
        phrases: Phrases | None = None,
        sentence_start: str = "always",
    ) -> bytes: ...
    def training_count(self, word: str) -> int: ...
    def counts(self, block: bytes | bytearray | memoryview) -> list[int]: ...
