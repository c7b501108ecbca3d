"""Segmentation for tests and tools."""

from typing import NamedTuple

__all__ = [
    "SEGMENTATIONS",
    "WORD_CLASSES",
    "SegmentedToken",
    "count_tokens",
    "form_identity",
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
