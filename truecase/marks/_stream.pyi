from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
from typing_extensions import Buffer, Self, disjoint_base

from truecase.marks._marks import Marks

__all__ = ["FLAGS", "MarkStream", "read_words", "word_rows"]

FLAGS: dict[str, int]

def read_words(
    text: Buffer, signs: dict[str, int], turkic: bool = False
) -> tuple[
    npt.NDArray[np.uint64], npt.NDArray[np.uint32], npt.NDArray[np.uint8], npt.NDArray[np.uint8]
]:
    """The words of a text, for training: keys, endings, labels of what they carry, flags."""

def word_rows(keys: npt.NDArray[np.uint64], n_rows: int) -> npt.NDArray[np.int32]:
    """Rows of words, by their keys."""

@disjoint_base
class MarkStream:
    """Puts marks between the words of a stream, which comes in pieces of any size."""

    def __new__(
        cls,
        model: Marks,
        marks: Iterable[str] | None = None,
        latency: int | None = None,
        probabilities: bool = False,
    ) -> Self: ...
    def feed(self, text: Buffer) -> None:
        """Take the next piece; all words but the last ones are decided."""
    def finish(self) -> None:
        """Decide the rest: the text ends here."""
    def take_sentences(self) -> bytes:
        """Decided words, marked, as whole sentences of a line each."""
    def lay_out(self, sentences: Buffer) -> bytes:
        """Give words, such as sentences that were cased, the white space that was between them."""
    def take_probabilities(self) -> npt.NDArray[np.float32]:
        """What was thought of each label behind the words decided since the last call."""
    def take_words(self) -> bytes:
        """The same, and the words that were decided of a sentence that goes on."""
    @property
    def undecided(self) -> bytes:
        """What is not decided yet, as it came."""
    @property
    def pending(self) -> bytes:
        """What is not decided yet, as it came."""
