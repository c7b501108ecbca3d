"""The lexicon of a model; keys and case of a vocabulary's forms; ẞ in capitals by a lexicon."""

import numpy as np
import numpy.typing as npt
from typing_extensions import disjoint_base

from truecase.base._component import Component

@disjoint_base
class Lexicon(Component):
    """Lowercase word → its forms, their unigrams and counts; the classes of unknown words."""

    @property
    def n_records(self) -> int:
        """Number of form records."""

    @property
    def sentence_start_backoff_ln(self) -> float: ...
    @property
    def sentence_end_ln(self) -> float: ...
    @property
    def proposes_all(self) -> bool:
        """Whether forms that training never saw are candidates, too."""

    @property
    def smartcase(self) -> bool:
        """Whether first words of training sentences count as cased elsewhere."""

def padded(text: npt.NDArray[np.uint8] | bytes) -> npt.NDArray[np.uint8]: ...
def summarise_forms(
    blob: npt.NDArray[np.uint8] | bytes, offsets: npt.NDArray[np.int64], turkic: bool
) -> tuple[
    npt.NDArray[np.uint64],
    npt.NDArray[np.uint64],
    npt.NDArray[np.uint64],
    npt.NDArray[np.uint8],
    npt.NDArray[np.uint8],
    npt.NDArray[np.uint8],
]: ...
def special_forms() -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]: ...
def sharp_s_restored(lexicon: Lexicon, block: bytes, segmentation: str = "raw") -> bytes:
    """A block of UTF-8 lines with ẞ in words in capitals, where the lexicon has more ß than ss.

    `segmentation` is that of the lexicon's words.
    """
