"""The lexicon of a model.

The German ß of words in capitals, by what a lexicon knows.
"""

import numpy as np
import numpy.typing as npt
from typing_extensions import disjoint_base

from truecase.base._component import Component

__all__ = ["Lexicon", "sharp_s_restored"]

@disjoint_base
class Lexicon(Component):
    """Lowercase word → its forms, their unigrams and counts; the classes of unknown words."""

    @property
    def n_records(self) -> int:
        """Form records."""

    @property
    def sentence_start_backoff_ln(self) -> float: ...
    @property
    def sentence_end_ln(self) -> float: ...
    @property
    def proposes_all(self) -> bool:
        """Whether case forms that training never saw are candidates, too."""

    @property
    def smartcase(self) -> bool:
        """Whether first words of training sentences were counted as they are cased elsewhere."""

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
    """A block of lines whose words in capitals have ẞ where the lexicon has more of ß than of ss.

    Parameters
    ----------
    lexicon : Lexicon
    block : bytes
        UTF-8 text, lines separated by LF.
    segmentation : {"raw", "space"}
        That of the lexicon's words.

    Returns
    -------
    bytes
        As many lines.
    """
