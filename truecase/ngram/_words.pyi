"""Types of the compiled module `truecase.ngram._words`."""

import numpy as np
import numpy.typing as npt
from typing_extensions import disjoint_base

from truecase.ngram.vocabulary import IdStream, Vocabulary

_Text = bytes | bytearray | memoryview | npt.NDArray[np.uint8]
_Words = npt.NDArray[np.uint32]
_Floats = npt.NDArray[np.float32]

@disjoint_base
class WordIds:
    def __len__(self) -> int: ...
    def add_words(self, vocabulary: Vocabulary) -> _Words: ...
    def vocabulary(self, first: int = 3) -> Vocabulary: ...

@disjoint_base
class Interner(WordIds):
    stream: IdStream
    def __new__(
        cls,
        segmentation: str = "space",
        language: str = "",
        stream: IdStream | None = None,
        vocabulary: Vocabulary | None = None,
    ) -> Interner: ...
    @property
    def n_skipped(self) -> int: ...
    def add_block(self, block: _Text) -> None: ...
    def ids(self, block: _Text) -> tuple[_Words, int]: ...

@disjoint_base
class ArpaWords(WordIds):
    has_special: list[bool]
    def __new__(cls) -> ArpaWords: ...
    def parse_lines(
        self,
        block: bytes,
        start: int,
        highest: bool,
        words: _Words,
        log10_prob: _Floats,
        log10_backoff: _Floats,
        row: int,
    ) -> tuple[int, int, int, int]: ...

def format_lines(
    words: _Words,
    log10_prob: _Floats,
    log10_backoff: _Floats | None,
    blob: npt.NDArray[np.uint8],
    offsets: npt.NDArray[np.int64],
    start: int,
    out: npt.NDArray[np.uint8],
) -> tuple[int, int]: ...
def lexicographic_order(words: _Words, bits: int) -> npt.NDArray[np.int64]: ...
