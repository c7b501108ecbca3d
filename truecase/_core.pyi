from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from typing_extensions import disjoint_base

from truecase.bilingual.phrases import Phrases

INPUT_CASES: dict[str, int]

@disjoint_base
class CompiledModel:
    def __init__(
        self, arrays: Mapping[str, npt.NDArray[np.generic]], settings: Mapping[str, Any]
    ) -> None: ...
    def case_block(
        self,
        block: bytes | bytearray | memoryview,
        input_case: str = "ignore",
        source: bytes | bytearray | memoryview | None = None,
        phrases: Phrases | None = None,
    ) -> bytes: ...
    def counts(self, block: bytes | bytearray | memoryview) -> list[int]: ...
