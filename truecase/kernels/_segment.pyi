"""Tokens of a line; lines and words of a block of text, as alignments count them."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

SEGMENTATIONS: tuple[str, ...]
WORD_CLASSES: tuple[str, ...]

class SegmentedToken(NamedTuple):
    """A token; `held` is ``"keeps"`` or ``"lowers"`` in an address, code or markup, else empty."""

    start: int
    end: int
    key: int
    tag: str
    upper_mask: int
    word_class: str
    flags: int
    n_code_points: int
    surface: bytes
    case_room: int
    hyphenated_parts: int
    held: str
    markup: bool

def segment(line: bytes, segmentation: str = "raw", language: str = "") -> list[SegmentedToken]:
    """Tokens of a line, given without its terminator."""

def render(
    line: bytes,
    start: int,
    end: int,
    tag: str,
    upper_mask: int = 0,
    segmentation: str = "raw",
    language: str = "",
) -> bytes:
    """Bytes of the token that spans ``line[start:end]``, in the given case."""

def hash_of(data: bytes) -> int:
    """Hash of any bytes, as in keys."""

def form_identity(key: int, tag: str, upper_mask: int = 0) -> int:
    """Identity of a surface form in a model's tables."""

def count_tokens(block: bytes, segmentation: str = "raw", language: str = "") -> int:
    """Number of tokens of newline-separated lines."""

def count_lines(block: bytes | bytearray | memoryview) -> int:
    """Number of lines of a text, whose last one needs no line feed."""

def has_as_many_lines(
    block: bytes | bytearray | memoryview, source: bytes | bytearray | memoryview
) -> bool:
    """Whether a text and its source have equally many lines.

    An empty last line may lack its line feed: ``a LF b`` and ``A LF`` have two lines each.
    """

def count_words(block: bytes | bytearray | memoryview) -> npt.NDArray[np.int32]:
    """Number of words of each line, split at ASCII white space as Pharaoh alignments count them."""

def find_line_end(block: bytes | bytearray | memoryview, n_lines: int) -> tuple[int, int]:
    """Where the first `n_lines` lines end, and their number; only lines with a line feed count."""
