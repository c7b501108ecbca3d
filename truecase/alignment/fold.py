"""Links between parts of words folded into links between words."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from truecase.alignment.phrases import Phrases, running_sum


def links_of_words(
    parts: Phrases,
    source_word: npt.NDArray[np.int32],
    target_word: npt.NDArray[np.int32],
    n_source_parts: npt.NDArray[np.int32],
    words_per_line: npt.NDArray[np.int32],
) -> Phrases:
    """Links of words, given those of their parts: tokens or subwords.

    Parameters
    ----------
    parts : Phrases
        Links of the parts.
    source_word, target_word : int32 ndarray
        Of each part of all lines the number of its word in its line.
    n_source_parts : int32 ndarray, shape (n_lines,)
    words_per_line : int32 ndarray, shape (n_lines,)
        Words of each target line.
    """
    lines = running_sum(words_per_line)
    line_of_part = np.repeat(np.arange(parts.n_lines), parts.words_per_line)
    n_links = np.diff(parts.offsets)
    target = np.repeat(lines[line_of_part] + target_word, n_links)
    first_part = np.repeat(running_sum(n_source_parts)[line_of_part], n_links)
    source = source_word[first_part + parts.source_words]
    return Phrases.of_pairs(lines, target, source, parts.unaligned)
