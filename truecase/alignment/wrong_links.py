"""Lines some of whose links are wrong, made of others: aligners err, and weights must know it."""

import numpy as np

from truecase.alignment.lines import AlignedLines
from truecase.alignment.phrases import Phrases
from truecase.text._words import count_words


def wrong_links(lines: AlignedLines, share: float, seed: int = 0) -> AlignedLines:
    """The same lines, with some links leading to another word of the source, any one.

    Parameters
    ----------
    lines : AlignedLines
    share : float
        How probable it is that a link is replaced, 0 to 1.
    seed : int
        The same links each time.

    Returns
    -------
    AlignedLines
        With as many links, or fewer: where two lead to the same word, that is one.
    """
    phrases = lines.phrases
    if phrases is None or phrases.n_links == 0:
        return lines
    draw = np.random.default_rng(seed)
    target_word = np.repeat(np.arange(phrases.n_words), np.diff(phrases.offsets))
    line = np.searchsorted(phrases.line_offsets, target_word, side="right") - 1
    n_source = np.zeros(phrases.n_lines, np.int64)
    counted = count_words(lines.source)
    # A last line of the source that is empty may lack its line end.
    n_source[: len(counted)] = counted
    is_wrong = (draw.random(phrases.n_links) < share) & (n_source[line] > 0)
    source_word = phrases.source_words.astype(np.int64)
    source_word[is_wrong] = draw.integers(0, n_source[line[is_wrong]])
    return AlignedLines(
        lines.target,
        lines.source,
        Phrases.of_pairs(phrases.line_offsets, target_word, source_word, phrases.unaligned),
    )
