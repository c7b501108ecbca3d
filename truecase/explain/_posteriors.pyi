from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from truecase._core import CompiledModel
from truecase.alignment.lines import Phrases

__all__ = ["line_confidences", "word_posteriors", "word_table"]

def word_posteriors(
    model: CompiledModel,
    block: bytes | bytearray | memoryview,
    input_case: str = "ignore",
    source: bytes | bytearray | memoryview | None = None,
    phrases: Phrases | None = None,
    sentence_start: str = "always",
    chosen_only: bool = False,
    errors: str = "surrogateescape",
) -> Iterator[list[tuple[int, int, list[tuple[str, str, float]]]]]: ...
def line_confidences(
    model: CompiledModel,
    block: bytes,
    input_case: str = "ignore",
    source: bytes | bytearray | memoryview | None = None,
    phrases: Phrases | None = None,
    sentence_start: str = "always",
) -> npt.NDArray[np.float64]: ...
def word_table(
    model: CompiledModel,
    block: bytes,
    input_case: str = "ignore",
    source: bytes | bytearray | memoryview | None = None,
    phrases: Phrases | None = None,
    sentence_start: str = "always",
    with_posteriors: bool = False,
) -> bytes: ...
