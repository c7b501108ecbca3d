"""Training of the bilingual presets: aligned text in, a model out.

target text → language model, lexicon ─────────────┐
aligned text → translation tables ─────────────────┼→ model
held-out aligned text → phrases → weights ─────────┘

Wang, Knight & Marcu (2006), 4.2 and 5. Preset ``bilingual-fine`` has sparse features joined
with the source's case in the place of tables and columns.
"""

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from truecase.bilingual._words import count_words
from truecase.bilingual.aligned_lines import AlignedLines
from truecase.bilingual.bitext_blocks import BitextBlocks
from truecase.bilingual.naive_aligner import NaivePhraseAligner
from truecase.bilingual.packed_tables import TableOptions, pack_tables
from truecase.bilingual.translation_counts import count_translations
from truecase.bilingual.translation_tables import SmoothedTables, smooth
from truecase.bilingual.weights import learn_source_weights
from truecase.crf.fine.train import train_over
from truecase.crf.model import learn_weights
from truecase.crf.train import Fit, Report, import_minimize
from truecase.training.fit import Report as StepReport
from truecase.training.options import TrainingError, TrainingOptions
from truecase.training.train import train_arrays

if TYPE_CHECKING:
    from truecase.modelfile.layout import Arrays
    from truecase.truecaser import Truecaser

# Of development text, as `BitextBlocks` has them of the training text.
_PIECE = 1 << 13

# About so many bytes of the target text are held out at most.
_HELD_OUT = 8_000_000


def train_bilingual(
    bitext: Iterable[AlignedLines],
    options: TrainingOptions,
    development: AlignedLines | None = None,
    *,
    more: Callable[[], Iterable[bytes]] = lambda: (),
    step: StepReport = lambda name, share: None,
    report: Report | None = None,
) -> tuple["Truecaser", Fit | None]:
    """Train a model of a bilingual preset.

    Parameters
    ----------
    bitext : iterable of AlignedLines
        With the links of words.
    options : TrainingOptions
    development : AlignedLines, optional
        Other text of the same kind, with the links of words: preset ``bilingual`` learns its
        weights on it, with phrases that the naive phrase aligner makes; the last passes of
        ``bilingual-fine`` go over it. Without it, ``bilingual`` holds some of `bitext` out.
    more : callable
        Gives target text without source, for language model and lexicon.
    step, report : callable
        Told of the steps of training, and of each evaluation of the objective.

    Returns
    -------
    truecaser : Truecaser
    fit : Fit or None
        None for preset ``bilingual-fine``.

    Raises
    ------
    TrainingError
        The text has no word, or the options allow no model.
    """
    if options.preset == "bilingual-fine":
        blocks = BitextBlocks(bitext, more)
        pieces: Sequence[AlignedLines] = []
        if development is not None:
            pieces = list(development.parts(_PIECE))
        return train_over(blocks, pieces, options, step), None
    return _train_columns(bitext, options, development, more, step, report)


def _train_columns(
    bitext: Iterable[AlignedLines],
    options: TrainingOptions,
    development: AlignedLines | None,
    more: Callable[[], Iterable[bytes]],
    step: StepReport,
    report: Report | None,
) -> tuple["Truecaser", Fit]:
    from truecase.truecaser import Truecaser

    import_minimize()
    blocks = BitextBlocks(bitext, more)
    try:
        held_out = _Holdout(blocks, development is None)
        if development is None:
            development = held_out.lines()
        step("translation tables", 0.0)
        tables = translation_tables(held_out.training(), options)
        # Tables come out of the size that is there for the whole model.
        lm_options = options
        if options.max_size is not None:
            lm_options = dataclasses.replace(
                options, max_size=options.max_size - sum(a.nbytes for a in tables[0].values())
            )
        arrays, metadata = train_arrays(held_out.text(), lm_options, step)
    finally:
        blocks.close()
    metadata["training"] = options.to_dict()
    if options.phrases == "naive":
        development = with_naive_phrases(development)
    threads = options.threads or 1
    step("learning weights", 0.0)
    alone, _ = learn_weights(
        Truecaser(arrays, metadata),
        development.target,
        sigma=options.sigma,
        threads=threads,
        report=report,
        judge=False,
    )
    step("learning weights of the source", 0.0)
    return learn_source_weights(
        alone,
        development,
        sigma=alone.metadata["crf"]["sigma"],
        threads=threads,
        report=report,
        tables=tables,
        casing=options.source_casing,
        judge=True,
    )


def with_naive_phrases(lines: AlignedLines) -> AlignedLines:
    """The same with phrases that the naive phrase aligner makes of the links of words."""
    if lines.phrases is None:
        return lines
    phrases = NaivePhraseAligner().phrases(lines.phrases, count_words(lines.source))
    return AlignedLines(lines.target, lines.source, phrases)


class _Holdout:
    """Every tenth block of a bitext, or fewer of a large one, held out for the weights."""

    def __init__(self, blocks: BitextBlocks, is_wanted: bool) -> None:
        self._blocks = blocks
        self._n_folds = max(10, blocks.n_bytes // _HELD_OUT) if is_wanted else 0
        if is_wanted and len(blocks) < self._n_folds:
            raise TrainingError(
                "the aligned text is too short to hold some of it out: give a development text "
                "(--dev, --dev-source, --dev-alignment)"
            )

    def _is_out(self, index: int) -> bool:
        return self._n_folds > 0 and index % self._n_folds == self._n_folds // 2

    def lines(self) -> AlignedLines:
        """What is held out."""
        parts = [self._blocks[i] for i in range(len(self._blocks)) if self._is_out(i)]
        return AlignedLines.join(parts)

    def training(self) -> Iterator[AlignedLines]:
        """The rest."""
        return (self._blocks[i] for i in range(len(self._blocks)) if not self._is_out(i))

    def text(self) -> Iterator[bytes]:
        """Target text for the language model."""
        if self._n_folds:
            return self._blocks.without_fold(self._n_folds // 2, self._n_folds)
        return self._blocks.in_order()


def translation_tables(
    bitext: Iterable[AlignedLines], options: TrainingOptions
) -> "tuple[Arrays, dict[str, Any]]":
    """Translation tables of a bitext, packed."""
    counts = count_translations(
        (
            (lines.source, lines.target, lines.phrases)
            for lines in bitext
            if lines.phrases is not None
        ),
        options.segmentation,
        options.source_casing == "turkic",
        options.turkic,
    )
    smoothed = smooth(counts)
    return pack_tables(
        smoothed, TableOptions(max_bytes=options.table_size), ambiguous_keys(smoothed)
    )


def ambiguous_keys(tables: SmoothedTables) -> "np.ndarray[Any, np.dtype[np.uint64]]":
    """Keys of the target words that occur in several forms."""
    keys = tables.lower.counts.target
    return keys[np.bincount(tables.target_key, minlength=len(keys)) > 1]
