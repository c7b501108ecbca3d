from collections.abc import Iterator

from truecase._core import CompiledModel
from truecase.alignment.phrases import Phrases

__all__ = ["word_posteriors", "word_table"]

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
def word_table(
    model: CompiledModel,
    block: bytes,
    input_case: str = "ignore",
    source: bytes | bytearray | memoryview | None = None,
    phrases: Phrases | None = None,
    sentence_start: str = "always",
    with_posteriors: bool = False,
) -> bytes: ...
