from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
from typing_extensions import Buffer, Self, disjoint_base

from truecase.kernels._punctuation_network import Marks

__all__ = ["MarkStream"]

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
    def feed(self, text: Buffer, pauses: Buffer | None = None) -> None:
        """Take the next piece, and the seconds behind its words; all but the last are decided."""
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
