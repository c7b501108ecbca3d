"""Word alignment of a bitext in both directions, joined by grow-diag-final-and.

Not a part of truecasing itself: any aligner that writes Pharaoh form will do as well.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from truecase.alignment._symmetrise import grow_diag_final_and
from truecase.alignment.aligner_libraries import (
    Report,
    TokenSide,
    align_with_eflomal,
    align_with_thot,
    import_library,
    joined,
    priors_of,
)
from truecase.alignment.fold import links_of_words
from truecase.alignment.parallel import ParallelBlock
from truecase.alignment.phrases import Phrases, running_sum
from truecase.alignment.saved_aligner import SavedAligner
from truecase.alignment.unspaced import SEGMENTERS, SpacedWords
from truecase.errors import AlignerError

#: Libraries that can align with what another text has told.
SAVING_LIBRARIES = ("eflomal",)


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
    *,
    known: SavedAligner | None = None,
) -> Phrases:
    """Align the words of a bitext, all of which is held in memory.

    Parameters
    ----------
    blocks : iterable of ParallelBlock
    options : AlignerOptions, optional
    report : callable
        Told what is being done.
    known : SavedAligner, optional
        What aligning another text has told; by eflomal only. The text is cut into tokens as that
        one was.

    Returns
    -------
    Phrases
        Links of all lines. Lines with an empty side, or with more than 1,000 tokens or so, have
        none.

    Raises
    ------
    AlignerError
        The library is not installed, or has failed; or the text is in a script without spaces
        between words and has not been segmented.
    """
    options = options or AlignerOptions()
    if known is not None:
        options = replace(
            options,
            segmentation=known.segmentation,
            source_language=known.source_language,
            target_language=known.target_language,
        )
    names = options.libraries if known is None else SAVING_LIBRARIES
    name, library = import_library(names)
    source, target = _read(blocks, options, report)
    if not (source.n_tokens.any() and target.n_tokens.any()):
        words = joined(target.words_per_line)
        return Phrases.from_lines([[]] * n for n in words.tolist())
    if name == "eflomal":
        priors = None if known is None else known.priors
        both = align_with_eflomal(library, source, target, options.sweeps, report, priors)
    else:
        both = align_with_thot(library, source, target, options.sweeps, options.seed or 1, report)
    return _joined_links(both, source, target, report)


def learn_aligner(
    blocks: Iterable[ParallelBlock],
    options: AlignerOptions | None = None,
    report: Report = lambda label, share=None: None,
) -> tuple[Phrases, SavedAligner]:
    """Align a bitext, and keep what it tells for other text; by eflomal only.

    Parameters
    ----------
    blocks, options, report
        As for `align_bitext`.

    Returns
    -------
    links : Phrases
        Those of `align_bitext`.
    aligner : SavedAligner

    Raises
    ------
    AlignerError
        As for `align_bitext`, or there is no text.
    """
    options = options or AlignerOptions()
    _, library = import_library(SAVING_LIBRARIES)
    source, target = _read(blocks, options, report)
    if not (source.n_tokens.any() and target.n_tokens.any()):
        raise AlignerError("there are no words to learn an aligner from")
    both = align_with_eflomal(library, source, target, options.sweeps, report)
    saved = SavedAligner(
        options.segmentation,
        options.source_language,
        options.target_language,
        priors_of(library, source, target, *both),
    )
    return _joined_links(both, source, target, report), saved


def _read(
    blocks: Iterable[ParallelBlock], options: AlignerOptions, report: Report
) -> tuple[TokenSide, TokenSide]:
    source = TokenSide(options.segmentation, options.source_language)
    target = TokenSide(options.segmentation, options.target_language)
    spaced = {"source": SpacedWords(), "target": SpacedWords()}
    report("reading")
    for block in blocks:
        source.add(block.source)
        target.add(block.target)
        spaced["source"].add(block.source)
        spaced["target"].add(block.target)
    for side, words in spaced.items():
        if words.are_clauses:
            raise AlignerError(
                f"the words of the {side} do not stand between spaces, and links are between words "
                f"that do: segment it first ({SEGMENTERS}), and use that text wherever the links "
                "are used; a source by itself needs neither"
            )
    return source, target


def _joined_links(
    both: tuple[Phrases, Phrases], source: TokenSide, target: TokenSide, report: Report
) -> Phrases:
    report("joining both directions")
    n_source, n_target = source.n_tokens, target.n_tokens
    offsets, linked = grow_diag_final_and(*both, n_source)
    tokens = Phrases(running_sum(n_target), offsets, linked, np.zeros(len(n_target), np.uint8))
    return links_of_words(
        tokens,
        joined(source.words),
        joined(target.words),
        n_source,
        joined(target.words_per_line),
    )
