from typing import NamedTuple

from truecase._core import CompiledModel
from truecase.alignment.phrases import Phrases

__all__ = ["SeenCandidate", "SeenPhrase", "SeenSentence", "SeenWord", "look_at"]

class SeenSentence(NamedTuple):
    first_tag: str
    all_upper: bool
    upper_share: int
    first_token: int

class SeenPhrase(NamedTuple):
    tags: frozenset[str]
    inner_tags: frozenset[str]
    main_tag: str
    is_aligned: bool
    starts_upper: bool
    all_upper: bool
    same: tuple[tuple[str, int], ...]
    same_is_first: bool
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

def look_at(
    compiled: CompiledModel, line: bytes, source: bytes, phrases: Phrases | None = None
) -> tuple[SeenSentence, list[SeenWord]]: ...
