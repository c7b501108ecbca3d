"""From blocks of text to word ids.

The surface forms of a vocabulary: their order, and some of them by themselves.
"""

import numpy as np
import numpy.typing as npt
from typing_extensions import disjoint_base

from truecase.ngram.vocabulary import IdStream, Vocabulary

__all__ = ["surface_order", "take_surfaces"]

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

def surface_order(
    blob: npt.NDArray[np.uint8], offsets: npt.NDArray[np.int64], first: int = 0
) -> npt.NDArray[np.uint32]: ...
def take_surfaces(
    blob: npt.NDArray[np.uint8], offsets: npt.NDArray[np.int64], ids: npt.NDArray[np.uint32]
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]: ...
def first_words(
    stream: npt.NDArray[np.uint32],
    key: npt.NDArray[np.uint64],
    tag: npt.NDArray[np.uint8],
    word_class: npt.NDArray[np.uint8],
    flags: npt.NDArray[np.uint8],
) -> npt.NDArray[np.bool_]: ...
def by_place(
    stream: npt.NDArray[np.uint32],
    is_first: npt.NDArray[np.bool_],
    inside: npt.NDArray[np.uint32],
    initial: npt.NDArray[np.uint32],
) -> npt.NDArray[np.uint32]: ...
def tally_stops(
    stream: npt.NDArray[np.uint32],
    flags: npt.NDArray[np.uint8],
    tag: npt.NDArray[np.uint8],
    counts: npt.NDArray[np.int64],
) -> npt.NDArray[np.uint64]: ...
