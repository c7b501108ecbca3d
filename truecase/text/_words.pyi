"""Lines and words of a block of text, counted as alignments count them."""

import numpy as np
import numpy.typing as npt

__all__ = ["count_lines", "count_words", "find_line_end", "has_as_many_lines"]

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
