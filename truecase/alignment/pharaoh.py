"""Word alignments in Pharaoh form: ``0-0 1-2``, as fast_align, eflomal and Marian write them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from truecase.alignment._pharaoh import BAD_FORM, BAD_PROBABILITY, BAD_SOURCE, parse, write
from truecase.alignment.errors import SkippedLines
from truecase.alignment.phrases import Phrases
from truecase.errors import AlignmentError

# Longer links are not shown whole in messages.
_SHOWN = 40


def parse_pharaoh(
    block: bytes,
    n_source: npt.NDArray[np.int32],
    n_target: npt.NDArray[np.int32],
    *,
    threshold: float = 0.0,
    possible: bool = True,
    name: str = "alignment",
    first_line: int = 1,
    skipped: SkippedLines | None = None,
    unit: str = "word",
) -> Phrases:
    """Parse a block of lines of links, each ``source-target``, words counted from 0.

    A link may carry its probability, ``0-1:0.87`` or ``0-1/0.87``, and may be merely possible,
    ``0?1``. The order of links does not matter, nor does it if one comes twice. An empty line is
    an alignment without links, so that its target words have no source words.

    Parameters
    ----------
    block : bytes
        As many lines as there are counts.
    n_source, n_target : int32 ndarray, shape (n_lines,)
        Words of each line of both sides, which the links are checked against.
    threshold : float
        Links of smaller probability are dropped; those without one count as certain.
    possible : bool
        Whether possible links count.
    name : str
        The file, for messages.
    first_line : int
        Its line where the block begins, for messages.
    skipped : SkippedLines, optional
        Counts lines with something wrong, of which nothing is taken to be known; without it the
        first of them is an error.
    unit : str
        What is linked, for messages: ``word`` or ``subword``.

    Returns
    -------
    Phrases

    Raises
    ------
    AlignmentError
        A link is malformed, or points beyond the words of its lines; names file and line.
    ValueError
        The block has another number of lines.
    """
    line_offsets, offsets, source, problem, problem_at = parse(
        block, n_source, n_target, threshold, possible
    )
    wrong = np.flatnonzero(problem)
    unaligned = np.zeros(len(problem), np.uint8)
    if len(wrong):
        i = int(wrong[0])
        link = block[problem_at[i] :].split(maxsplit=1)[0][:_SHOWN].decode("utf-8", "replace")
        message = f"{name}: line {first_line + i}: link {link!r}: " + _describe(
            int(problem[i]), int(n_source[i]), int(n_target[i]), unit
        )
        if skipped is None:
            raise AlignmentError(message)
        skipped.add(len(wrong), message)
        unaligned[wrong] = 1
    return Phrases(line_offsets, offsets, source, unaligned)


def _describe(problem: int, n_source: int, n_target: int, unit: str) -> str:
    if problem == BAD_FORM:
        return "expected source-target, two numbers, such as 0-1"
    if problem == BAD_PROBABILITY:
        return "expected a probability from 0 to 1 after it, such as 0-1:0.87"
    side, n_units = ("source", n_source) if problem == BAD_SOURCE else ("target", n_target)
    units = unit if n_units == 1 else f"{unit}s"
    return f"the {side} line has only {n_units} {units} (they are counted from 0)"


def format_pharaoh(phrases: Phrases) -> bytes:
    """Write alignments as lines of links, in the order of the target words.

    A line of which nothing is known becomes an empty one.
    """
    return write(phrases.line_offsets, phrases.offsets, phrases.source_words)
