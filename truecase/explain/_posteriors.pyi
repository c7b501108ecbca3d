from truecase._core import CompiledModel

__all__ = ["word_posteriors"]

def word_posteriors(
    model: CompiledModel,
    block: bytes | bytearray | memoryview,
    input_case: str = "ignore",
    sentence_start: str = "always",
) -> list[list[list[tuple[bytes, str, float]]]]: ...
