from truecase._core import CompiledModel
from truecase.alignment.phrases import Phrases

__all__ = ["word_posteriors"]

def word_posteriors(
    model: CompiledModel,
    block: bytes | bytearray | memoryview,
    input_case: str = "ignore",
    source: bytes | bytearray | memoryview | None = None,
    phrases: Phrases | None = None,
    sentence_start: str = "always",
    chosen_only: bool = False,
) -> list[list[tuple[int, int, list[tuple[bytes, str, float]]]]]: ...
