from typing_extensions import disjoint_base

from truecase.base._component import Component
from truecase.base.spool import Int64s, UInt8s, UInt64s

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

def padded(text: UInt8s | bytes) -> UInt8s: ...
def summarise_forms(
    blob: UInt8s | bytes, offsets: Int64s, turkic: bool
) -> tuple[UInt64s, UInt64s, UInt64s, UInt8s, UInt8s, UInt8s]: ...
def special_forms() -> tuple[UInt64s, UInt64s]: ...
def sharp_s_restored(lexicon: Lexicon, block: bytes, segmentation: str = "raw") -> bytes:
    """A block of UTF-8 lines with ẞ in words in capitals, where the lexicon has more ß than ss.

    `segmentation` is that of the lexicon's words.
    """
