from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
from typing_extensions import Buffer, Self, disjoint_base

from truecase.kernels._punctuation_network import Marks

__all__ = ["MarkStream"]

@disjoint_base
class MarkStream:
    def __new__(
        cls,
        model: Marks,
        marks: Iterable[str] | None = None,
        latency: int | None = None,
        probabilities: bool = False,
    ) -> Self: ...
    def feed(self, text: Buffer, pauses: Buffer | None = None) -> None: ...
    def finish(self) -> None: ...
    def take_sentences(self) -> bytes: ...
    def lay_out(self, sentences: Buffer) -> bytes: ...
    def take_probabilities(self) -> npt.NDArray[np.float32]: ...
    def take_words(self) -> bytes: ...
    @property
    def pending(self) -> bytes: ...
