"""What decoding knows of one line, for `truecase.evaluation`."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from truecase._core import CompiledModel
from truecase.alignment.lines import Phrases
from truecase.options import Casing

__all__ = ["CandidateTrace", "SentenceTrace", "WordTrace", "trace_line"]

class CandidateTrace(NamedTuple):
    surface: bytes
    tag: int
    count_code: int
    is_raised: bool
    is_listed: bool
    unigram_lm: float
    node_score: float
    columns: list[tuple[str, float, float]]
    posterior: float

class WordTrace(NamedTuple):
    start: int
    end: int
    candidates: list[CandidateTrace]
    edges: npt.NDArray[np.float32] | None
    transitions: list[list[tuple[float, list[tuple[str, float, float]]]]] | None
    written: bytes | None

class SentenceTrace(NamedTuple):
    words: list[WordTrace]
    path: list[int]
    score: float

def trace_line(
    compiled: CompiledModel,
    line: bytes,
    casing: Casing = ...,
    source: bytes | None = None,
    phrases: Phrases | None = None,
) -> tuple[int, float, list[SentenceTrace]]: ...
