"""Translation tables of an aligned text, and the phrases that weights are learned with.

Wang, Knight & Marcu (2006), 4.3 and 5.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from truecase.alignment.lines import AlignedLines
from truecase.alignment.naive_aligner import NaivePhraseAligner
from truecase.source.packed_tables import TableOptions, pack_tables
from truecase.source.translation_counts import count_translations
from truecase.source.translation_tables import SmoothedTables, smooth
from truecase.text._words import count_words
from truecase.training.recipe import SourceRecipe, TextRecipe

if TYPE_CHECKING:
    from truecase.base.model_file import Arrays


def translation_tables(
    bitext: Iterable[AlignedLines], text: TextRecipe, source: SourceRecipe
) -> "tuple[Arrays, dict[str, Any]]":
    """Translation tables of a bitext, packed.

    Parameters
    ----------
    bitext : iterable of AlignedLines
    text : TextRecipe
        Of the target side.
    source : SourceRecipe
        With translation tables.
    """
    assert source.translation is not None
    counts = count_translations(
        (
            (lines.source, lines.target, lines.phrases)
            for lines in bitext
            if lines.phrases is not None
        ),
        text.segmentation,
        source.casing == "turkic",
        text.casing == "turkic",
    )
    smoothed = smooth(counts)
    return pack_tables(
        smoothed,
        TableOptions(max_bytes=source.translation.table_size),
        ambiguous_keys(smoothed),
    )


def ambiguous_keys(tables: SmoothedTables) -> npt.NDArray[np.uint64]:
    """Keys of the target words that occur in several forms."""
    keys = tables.lower.counts.target
    return keys[np.bincount(tables.target_key, minlength=len(keys)) > 1]


def with_naive_phrases(lines: AlignedLines) -> AlignedLines:
    """The same with phrases that the naive phrase aligner makes of the links of words."""
    if lines.phrases is None:
        return lines
    phrases = NaivePhraseAligner().phrases(lines.phrases, count_words(lines.source))
    return AlignedLines(lines.target, lines.source, phrases)
