from collections.abc import Sequence

from truecase.base.spool import Int32s, Int64s, UInt8s

BAD_FORM: int
BAD_PROBABILITY: int
BAD_SOURCE: int

def parse(
    block: bytes, n_source: Int32s, n_target: Int32s, threshold: float, keep_possible: bool
) -> tuple[Int64s, Int64s, UInt8s, Int64s]:
    """Parse lines of links.

    Returns
    -------
    target_word, source_word
        Of each link, as for `Phrases.of_pairs`; a line with a bad link has no links.
    problem, problem_at
        Of each line, a code ``BAD_…`` (0 for a good line), and the byte where the bad link begins.

    Raises
    ------
    ValueError
        The block does not have as many lines as there are counts.
    """

def split_tokens(
    block: bytes, segmentation: str = "raw", language: str = ""
) -> tuple[bytes, Int64s, Int32s]:
    """Tokenise lines.

    Returns
    -------
    text : bytes
        As many lines, each ended by a line feed; white space within a token becomes ``_``.
    line_offsets : int64 ndarray, shape (n_lines + 1,)
        First token of each line, counted over the block.
    word : int32 ndarray, shape (n_tokens,)
        Index of each token's word in its line. Words are runs of bytes other than ASCII white
        space; a token of several words belongs to the first.
    """

def sample(
    line_offsets: Int64s,
    offsets: Int64s,
    source: Int32s,
    n_source: Int32s,
    weights: Sequence[float],
    seed: int,
    first_line: int,
) -> tuple[Int64s, Int32s]:
    """Draw phrase pairs; return `line_offsets` and `bounds` as in `PhrasePairs`.

    The first three arrays are those of `Phrases`. ValueError if a link leads beyond its source
    line.
    """
