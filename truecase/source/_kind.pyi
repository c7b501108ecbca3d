"""The table of words that tell of a language whose nouns have a capital."""

from typing import Literal

__all__ = ["KINDS", "kind_of_line"]

KINDS: tuple[str, ...]

def kind_of_line(line: bytes, segmentation: Literal["raw", "space"] = "raw") -> str:
    """What a line tells of its language."""
