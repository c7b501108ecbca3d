"""Kernels and what they see, for the tests alone."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from truecase._core import CompiledModel
from truecase.alignment.lines import Phrases
from truecase.context._context import ContextLayer
from truecase.ngram._score import NgramScorer

__all__ = [
    "VARIANTS",
    "SeenCandidate",
    "SeenPhrase",
    "SeenSentence",
    "SeenWord",
    "byte_products",
    "context_step",
    "grow_in_steps",
    "look_at_source",
    "look_at_sparse",
    "omega_path",
    "posteriors",
    "sentences",
    "source_line",
    "spoken_cases",
    "viterbi_path",
]

def viterbi_path(
    scorer: NgramScorer,
    first_node: npt.NDArray[np.int32],
    form: npt.NDArray[np.uint64],
    lm: npt.NDArray[np.float32],
    backoff: npt.NDArray[np.float32],
    score: npt.NDArray[np.float32],
    start_form: int,
    start_backoff: float,
    lm_weight: float = 1.0,
    state: npt.NDArray[np.uint8] | None = None,
    transition: npt.NDArray[np.float32] | None = None,
) -> npt.NDArray[np.int32]: ...
def max_marginals_of(
    scorer: NgramScorer,
    first_node: npt.NDArray[np.int32],
    form: npt.NDArray[np.uint64],
    lm: npt.NDArray[np.float32],
    backoff: npt.NDArray[np.float32],
    score: npt.NDArray[np.float32],
    start_form: int,
    start_backoff: float,
    lm_weight: float = 1.0,
    state: npt.NDArray[np.uint8] | None = None,
    transition: npt.NDArray[np.float32] | None = None,
    scale: float = 1.0,
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int32]]: ...
def posteriors(
    scorer: NgramScorer,
    first_node: npt.NDArray[np.int32],
    form: npt.NDArray[np.uint64],
    lm: npt.NDArray[np.float32],
    backoff: npt.NDArray[np.float32],
    score: npt.NDArray[np.float32],
    start_form: int,
    start_backoff: float,
    lm_weight: float = 1.0,
    state: npt.NDArray[np.uint8] | None = None,
    transition: npt.NDArray[np.float32] | None = None,
    allowed: npt.NDArray[np.uint64] | None = None,
) -> tuple[float, npt.NDArray[np.float64], float, npt.NDArray[np.float64]]: ...

VARIANTS: tuple[str, ...]

def omega_path(
    scorer: NgramScorer,
    first_node: npt.NDArray[np.int32],
    form: npt.NDArray[np.uint64],
    lm: npt.NDArray[np.float32],
    backoff: npt.NDArray[np.float32],
    case_ln: npt.NDArray[np.float32],
    known: npt.NDArray[np.uint8],
    start_form: int,
    start_backoff: float,
    variant: str = "product",
    joint: bool = True,
    left_to_right: bool = False,
    lm_share: float = 0.5,
    alpha: float = 1.0,
) -> npt.NDArray[np.int32]: ...
def source_line(
    text: bytes,
    segmentation: int,
    turkic: bool,
    words: Sequence[int] | None = None,
    of_words: bool = True,
    place: int = 0,
    n_target: int = 1,
) -> tuple[list[bytes], list[int], list[int], list[int]]: ...

class SeenSentence(NamedTuple):
    first_tag: str
    all_upper: bool
    upper_share: int
    first_token: int
    kind: str

class SeenPhrase(NamedTuple):
    tags: frozenset[str]
    inner_tags: frozenset[str]
    main_tag: str
    is_aligned: bool
    starts_upper: bool
    all_upper: bool
    same: tuple[tuple[str, int], ...]
    same_is_first: bool
    same_is_matched: bool
    same_is_in_run: bool
    main_key: int

class SeenCandidate(NamedTuple):
    tag: str
    state: str
    upper_mask: int
    is_of_source: bool
    is_in_lexicon: bool
    columns: dict[str, float]
    score: float

class SeenWord(NamedTuple):
    phrase: SeenPhrase
    is_initial: bool
    candidates: list[SeenCandidate]

def look_at_source(
    compiled: CompiledModel, line: bytes, source: bytes, phrases: Phrases | None = None
) -> tuple[SeenSentence, list[SeenWord]]: ...
def look_at_sparse(
    model: CompiledModel,
    line: bytes,
    source: bytes | None = None,
    phrases: Phrases | None = None,
) -> list[dict[str, Any]]: ...
def sentences(
    model: CompiledModel, line: bytes, start_always: bool = False
) -> list[tuple[int, int, int]]: ...
def spoken_cases(line: bytes) -> list[tuple[str, float]]: ...
def grow_in_steps(sizes: Sequence[int], item: int = 1) -> list[tuple[bool, bytes]]: ...
def context_step(
    layer: ContextLayer,
    backward: bool,
    inputs: npt.NDArray[np.int16],
    state: npt.NDArray[np.int16],
) -> list[int]: ...
def byte_products(
    weights: npt.NDArray[np.int8],
    shifts: npt.NDArray[np.int32],
    vectors: npt.NDArray[np.uint8],
    sums: npt.NDArray[np.int32],
    way: int,
) -> bool: ...
