"""Tokens of a line; lines and words of a block of text, as alignments count them."""

from typing_extensions import Buffer, disjoint_base

from truecase.base.spool import Int32s

@disjoint_base
class OwnedTokens: ...

SEGMENTATIONS: tuple[str, ...]
WORD_CLASSES: tuple[str, ...]

def token_spans(
    line: bytes, segmentation: str, language: str, cased: bool = False
) -> list[tuple[int, int]]:
    """Spans of the tokens of a line; with `cased`, of words with case, not in addresses or code."""

def count_lines(block: Buffer) -> int:
    """Number of lines of a text, whose last one needs no line feed."""

def has_as_many_lines(block: Buffer, source: Buffer) -> bool:
    """Whether a text and its source have equally many lines.

    An empty last line may lack its line feed: ``a LF b`` and ``A LF`` have two lines each.
    """

def count_words(block: Buffer) -> Int32s:
    """Number of words of each line, split at ASCII white space as Pharaoh alignments count them."""

def find_line_end(block: Buffer, n_lines: int) -> tuple[int, int]:
    """Where the first `n_lines` lines end, and their number; only lines with a line feed count."""
