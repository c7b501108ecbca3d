"""Types of the compiled module `truecase.ngram._intern`."""

import numpy as np
import numpy.typing as npt
from typing_extensions import disjoint_base

from truecase.ngram.vocabulary import IdStream, Vocabulary

@disjoint_base
class WordIds:
    def __len__(self) -> int: ...
    def add_words(self, vocabulary: Vocabulary) -> npt.NDArray[np.uint32]: ...
    def vocabulary(self, first: int = 3) -> Vocabulary: ...

@disjoint_base
class Interner(WordIds):
    segmentation: str
    language: str
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
    def add_block(self, block: bytes | bytearray | memoryview | npt.NDArray[np.uint8]) -> None: ...
    def ids(
        self, block: bytes | bytearray | memoryview | npt.NDArray[np.uint8]
    ) -> tuple[npt.NDArray[np.uint32], int]: ...
