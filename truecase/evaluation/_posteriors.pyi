from collections.abc import Iterator

from truecase._core import CompiledModel
from truecase.alignment.lines import Phrases
from truecase.base.spool import Float64s
from truecase.evaluation.calibration import JudgedWords
from truecase.options import Casing

def word_posteriors(
    model: CompiledModel,
    block: bytes | bytearray | memoryview,
    casing: Casing = ...,
    source: bytes | bytearray | memoryview | None = None,
    phrases: Phrases | None = None,
    chosen_only: bool = False,
    errors: str = "surrogateescape",
) -> Iterator[list[tuple[int, int, list[tuple[str, str, float]]]]]: ...
def line_confidences(
    model: CompiledModel,
    block: bytes,
    casing: Casing = ...,
    source: bytes | bytearray | memoryview | None = None,
    phrases: Phrases | None = None,
) -> Float64s: ...
def judged_words(model: CompiledModel, block: bytes, reference: bytes) -> JudgedWords: ...
