"""Soft alignments: how much each target subword attends to each source subword.

Marian (``--alignment soft``) writes a line of rows, ``0.9,0.1 0.2,0.8``, a row for each target
subword; CTranslate2's ``attention`` of a hypothesis is a list of such rows, in a file a line of
JSON. Both may have a row and a column for the end of the sentence.
"""

from __future__ import annotations

import json

import numpy as np
import numpy.typing as npt

from truecase.alignment.errors import SkippedLines
from truecase.alignment.phrases import Phrases
from truecase.alignment.subwords import split_lines
from truecase.errors import AlignmentError

#: A link is as probable as this, if nothing else is said.
SOFT_THRESHOLD = 0.3

# Figures are rounded as they are written.
_TOLERANCE = 0.02


def parse_soft(
    block: bytes,
    source_word: npt.NDArray[np.int32],
    target_word: npt.NDArray[np.int32],
    n_source: npt.NDArray[np.int32],
    n_target: npt.NDArray[np.int32],
    words_per_line: npt.NDArray[np.int32],
    *,
    threshold: float = SOFT_THRESHOLD,
    name: str = "alignment",
    first_line: int = 1,
    skipped: SkippedLines | None = None,
) -> Phrases:
    """Links of words from lines of soft alignments.

    A target word attends to a source word as much as its subwords do on average to all subwords of
    the other.

    Parameters
    ----------
    block : bytes
        As many lines as there are counts.
    source_word, target_word : int32 ndarray
        Of each subword of all lines the number of its word in its line.
    n_source, n_target : int32 ndarray, shape (n_lines,)
        Subwords of each line.
    words_per_line : int32 ndarray, shape (n_lines,)
        Words of each target line.
    threshold : float
        From which attention on words are linked.
    name, first_line, skipped
        As for `truecase.alignment.pharaoh.parse_pharaoh`.

    Raises
    ------
    AlignmentError
        A row is broken, of another length, or does not sum up to 1; names file and line.
    """
    lines: list[list[list[int]] | int] = []
    texts = split_lines(block)
    texts += [""] * (len(n_source) - len(texts))
    at_source = at_target = 0
    for i, text in enumerate(texts):
        source = source_word[at_source : at_source + n_source[i]]
        target = target_word[at_target : at_target + n_target[i]]
        at_source += int(n_source[i])
        at_target += int(n_target[i])
        try:
            matrix = _matrix(text, len(source), len(target))
        except ValueError as error:
            message = f"{name}: line {first_line + i}: {error}"
            if skipped is None:
                raise AlignmentError(message) from None
            skipped.add(1, message)
            lines.append(int(words_per_line[i]))
            continue
        lines.append(_links(matrix, source, target, int(words_per_line[i]), threshold))
    return Phrases.from_lines(lines)


def _matrix(text: str, n_source: int, n_target: int) -> npt.NDArray[np.float64]:
    """The rows of a line, without the end of the sentence."""
    text = text.strip()
    try:
        if text.startswith("["):
            rows = [[float(weight) for weight in row] for row in json.loads(text)]
        else:
            rows = [[float(weight) for weight in row.split(",")] for row in text.split()]
    except (ValueError, TypeError, RecursionError):
        raise ValueError(
            "expected rows of attention such as 0.9,0.1 0.2,0.8, or a list of lists"
        ) from None
    if len(rows) not in (n_target, n_target + 1):
        raise ValueError(f"there are {len(rows)} rows, but {n_target} target subwords")
    for number, row in enumerate(rows):
        if len(row) not in (n_source, n_source + 1):
            raise ValueError(
                f"row {number} (from 0) has {len(row)} weights, but there are {n_source} source "
                "subwords"
            )
        total = sum(row)
        # Not a number is not near 1 either.
        if not (abs(total - 1) <= _TOLERANCE and min(row) >= 0):
            raise ValueError(f"row {number} (from 0) sums up to {total:.3g}, not to 1")
    return np.array([row[:n_source] for row in rows[:n_target]]).reshape(n_target, n_source)


def _links(
    matrix: npt.NDArray[np.float64],
    source: npt.NDArray[np.int32],
    target: npt.NDArray[np.int32],
    n_words: int,
    threshold: float,
) -> list[list[int]]:
    n_source_words = int(source.max(initial=-1)) + 1
    sums = np.zeros((n_words, n_source_words))
    np.add.at(sums, (target[:, None], source[None, :]), matrix)
    counts = np.bincount(target, minlength=n_words)[:, None]
    means = sums / np.maximum(counts, 1)
    return [np.flatnonzero((row >= threshold) & (row > 0)).tolist() for row in means]
