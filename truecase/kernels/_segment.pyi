"""Segmentation for tests and tools.

Lines and words of a block of text, counted as alignments count them.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = [
    "SEGMENTATIONS",
    "WORD_CLASSES",
    "SegmentedToken",
    "count_lines",
    "count_tokens",
    "count_words",
    "find_line_end",
    "form_identity",
    "has_as_many_lines",
    "hash_of",
    "render",
    "segment",
]

SEGMENTATIONS: tuple[str, ...]
WORD_CLASSES: tuple[str, ...]

class SegmentedToken(NamedTuple):
    """One token: byte span, key and case, and what the kernels derive from them.

    `held` is ``"keeps"`` or ``"lowers"`` in a span that is no text, else empty.
    """

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
    """Bytes of the token that spans ``line[start:end]``, in the wanted case."""

def hash_of(data: bytes) -> int:
    """The hash that makes keys, on any bytes."""

def form_identity(key: int, tag: str, upper_mask: int = 0) -> int:
    """Identity of a surface form in the tables of a model."""

def count_tokens(block: bytes, segmentation: str = "raw", language: str = "") -> int:
    """Number of tokens of newline-separated lines; the GIL is released meanwhile."""

def count_lines(block: bytes | bytearray | memoryview) -> int:
    """Number of lines of a text: of line feeds, and one more if something follows the last."""

def has_as_many_lines(
    block: bytes | bytearray | memoryview, source: bytes | bytearray | memoryview
) -> bool:
    """Whether a text and its source are as many lines.

    A last line that is empty cannot be seen where the block's last line has no line end: ``a LF b``
    and ``A LF`` are two lines each.
    """

def count_words(block: bytes | bytearray | memoryview) -> npt.NDArray[np.int32]:
    """Number of words of each line.

    A word is a run of bytes other than ASCII white space (0x09 to 0x0d, 0x20), as whoever
    writes alignments in Pharaoh form splits lines.
    """

def find_line_end(block: bytes | bytearray | memoryview, n_lines: int) -> tuple[int, int]:
    """Where the first lines of a text end, and how many they are: `n_lines`, or all there are.

    Only lines that are closed by a line feed count.
    """
