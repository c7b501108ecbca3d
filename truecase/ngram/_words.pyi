"""Types of the compiled module `truecase.ngram._words`."""

from typing_extensions import disjoint_base

from truecase.base.spool import Float32s, Int64s, UInt8s, UInt32s
from truecase.ngram.vocabulary import IdStream, Vocabulary

_Text = bytes | bytearray | memoryview | UInt8s

@disjoint_base
class WordIds:
    def __len__(self) -> int: ...
    def add_words(self, vocabulary: Vocabulary) -> UInt32s: ...
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
    def ids(self, block: _Text) -> tuple[UInt32s, int]: ...

@disjoint_base
class ArpaWords(WordIds):
    has_special: list[bool]
    def __new__(cls) -> ArpaWords: ...
    def parse_lines(
        self,
        block: bytes,
        start: int,
        highest: bool,
        words: UInt32s,
        log10_prob: Float32s,
        log10_backoff: Float32s,
        row: int,
    ) -> tuple[int, int, int, int]: ...

def format_lines(
    words: UInt32s,
    log10_prob: Float32s,
    log10_backoff: Float32s | None,
    blob: UInt8s,
    offsets: Int64s,
    start: int,
    out: UInt8s,
) -> tuple[int, int]: ...
