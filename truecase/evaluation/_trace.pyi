"""What decoding knows of one line, for `truecase.evaluation`."""

from truecase._core import CompiledModel
from truecase.alignment.lines import Phrases
from truecase.evaluation.explanation import SentenceTrace
from truecase.options import Casing

def trace_line(
    compiled: CompiledModel,
    line: bytes,
    casing: Casing = ...,
    source: bytes | None = None,
    phrases: Phrases | None = None,
) -> tuple[int, float, list[SentenceTrace]]: ...
