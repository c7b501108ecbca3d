"""Word alignment of a bitext in both directions, joined by grow-diag-final-and.

Not a part of truecasing itself: any aligner that writes Pharaoh form will do as well.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from truecase.alignment._symmetrise import grow_diag_final_and
from truecase.alignment.aligner_libraries import (
    Report,
    TokenSide,
    align_with_eflomal,
    align_with_thot,
    import_library,
    joined,
)
from truecase.alignment.fold import links_of_words, running_sum
from truecase.alignment.parallel import ParallelBlock
from truecase.alignment.phrases import Phrases


@dataclass(frozen=True)
class AlignerOptions:
    """How a bitext is aligned.

    Attributes
    ----------
    segmentation : {"raw", "space"}
        How lines are cut into the tokens that are aligned; the links of tokens are then those of
        their words. ``space`` for text that has been tokenised.
    source_language, target_language : str
        For segmentation.
    seed : int, optional
        The same seed gives the same alignment; by sil-thot only, which is then used.
    sweeps : tuple of int, optional
        Sampling sweeps of the three models; by default fewer for larger texts.
    """

    segmentation: str = "raw"
    source_language: str = ""
    target_language: str = ""
    seed: int | None = None
    sweeps: tuple[int, int, int] | None = None

    @property
    def libraries(self) -> tuple[str, ...]:
        """Libraries that will do, the best one first."""
        return ("eflomal", "sil-thot") if self.seed is None else ("sil-thot",)


def align_bitext(
    blocks: Iterable[ParallelBlock],
    options: AlignerOptions | None = None,
    report: Report = lambda label, share=None: None,
) -> Phrases:
    """Align the words of a bitext, all of which is held in memory.

    Parameters
    ----------
    blocks : iterable of ParallelBlock
    options : AlignerOptions, optional
    report : callable
        Told what is being done.

    Returns
    -------
    Phrases
        Links of all lines. Lines with an empty side, or with more than 1,000 tokens or so, have
        none.

    Raises
    ------
    AlignerError
        The library is not installed, or has failed.
    """
    options = options or AlignerOptions()
    name, library = import_library(options.libraries)
    source = TokenSide(options.segmentation, options.source_language)
    target = TokenSide(options.segmentation, options.target_language)
    report("reading")
    for block in blocks:
        source.add(block.source)
        target.add(block.target)
    n_source, n_target = source.n_tokens, target.n_tokens
    if not (n_source.any() and n_target.any()):
        words = joined(target.words_per_line)
        return Phrases.from_lines([[]] * n for n in words.tolist())
    if name == "eflomal":
        both = align_with_eflomal(library, source, target, options.sweeps, report)
    else:
        both = align_with_thot(library, source, target, options.sweeps, options.seed or 1, report)
    report("joining both directions")
    offsets, linked = grow_diag_final_and(*both, n_source)
    tokens = Phrases(running_sum(n_target), offsets, linked, np.zeros(len(n_target), np.uint8))
    return links_of_words(
        tokens,
        joined(source.words),
        joined(target.words),
        n_source,
        joined(target.words_per_line),
    )
