"""Training of the preset crf-fine: sparse features and a hidden layer beside the language model.

Language model and lexicon know the text that they were counted in too well. The text is
therefore cut into folds, and weights are learned on each with the language model and lexicon of
the others; the model that is kept has those of all text.
"""

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from truecase.corpus.line_slices import line_slices
from truecase.crf.fine._train import FineTrainer
from truecase.crf.fine.blocks import TextBlocks
from truecase.crf.fine.pack import TABLES, FineModel, Sparse, pack_fine, select_features
from truecase.crf.fine.templates import BILINGUAL, HIDDEN, MONOLINGUAL, TemplateSet, field_number
from truecase.modelfile.layout import Arrays
from truecase.portage.clean import TextFilter
from truecase.training.fit import Report
from truecase.training.options import TrainingError, TrainingOptions
from truecase.training.train import train_arrays

if TYPE_CHECKING:
    from truecase.bilingual.aligned_lines import AlignedLines
    from truecase.bilingual.bitext_blocks import BitextBlocks
    from truecase.truecaser import Truecaser

# FTRL-Proximal's rate, smoothing and norms; chosen on development text, none is critical.
_ALPHA = 0.1
_ALPHA_ALIGNED = 0.05
_BETA = 1.0
_L1 = 0.5
_L2 = 0.0
_MIN_COUNT = 3

_LM_WEIGHT = 0.7
_EDGE_RATE = 0.02
_HIDDEN_RATE = 0.05
_N_UNITS = 32

# Places for features in training, for each word of the text; they cost 32 bytes each.
_SLOTS_PER_WORD = 1.2
_SLOTS_PER_ALIGNED_WORD = 4.0
_MAX_SLOTS = 1 << 26
_MAX_COUNTER_BITS = 28
_MAX_ROWS = 1 << 17

# Passes over the development text, which is of the kind that the model is for. Each piece of it
# is followed by some of the training text, or all else that was learned would drift away.
_DEVELOPMENT_PASSES = 2
_DEVELOPMENT_PIECE = 1 << 16

_BYTES_PER_WORD = 6

# Of lines that have a source, the shares of those that weights see without it, and without
# its alignment: the model is to be good for such lines, too.
_HIDE_SOURCE = 0.1
_HIDE_ALIGNMENT = 0.15


def train_fine(
    read: Callable[[], Iterable[bytes]],
    options: TrainingOptions,
    *,
    development: bytes | None = None,
    step: Report = lambda name, share: None,
) -> "Truecaser":
    """Train a model of the preset crf-fine.

    Parameters
    ----------
    read : callable
        Gives the training text, as blocks of whole lines; called once.
    options : TrainingOptions
        ``max_size`` is that of the whole model, ``fine_size`` the part of its features.
    development : bytes, optional
        Cased text of the kind that the model is for: the last passes of training go over it,
        with the language model of all text. It must not be part of the training text.
    step : callable
        Told of the progress.

    Raises
    ------
    TrainingError
        If the text has no word, or `max_size` leaves no room for the language model.
    """
    blocks = TextBlocks(TextFilter(options)(read()))
    pieces = []
    if development is not None:
        pieces = [development[part] for part in line_slices(development, _DEVELOPMENT_PIECE)]
    return train_over(blocks, pieces, options, step)


def train_over(
    blocks: "TextBlocks | BitextBlocks",
    development: "Sequence[bytes | AlignedLines]",
    options: TrainingOptions,
    step: Report = lambda name, share: None,
) -> "Truecaser":
    """Train on text that is cut into blocks, which are closed in the end.

    Parameters
    ----------
    blocks : TextBlocks or BitextBlocks
    development : sequence of bytes or AlignedLines
        Pieces of the text that the last passes go over.
    options : TrainingOptions
    step : callable
    """
    from truecase.truecaser import Truecaser

    try:
        n_folds = min(options.folds, max(1, len(blocks)))
        lm_options = _of_language_model(options)
        models = []
        for fold in range(n_folds):
            named = _naming(step, f"fold {fold + 1} of {n_folds}: ")
            models.append(
                Truecaser(*train_arrays(blocks.without_fold(fold, n_folds), lm_options, named))
            )
        trainer = make_trainer(blocks.n_bytes, options)
        figures = {}
        for epoch in range(options.epochs):
            for done, (index, block) in enumerate(_shuffled(blocks, epoch)):
                learn_block(trainer, models[index % n_folds], block)
                step(f"learning weights, pass {epoch + 1}", (done + 1) / blocks.n_pieces)
            if options.is_bilingual:
                trainer.close()
            figures = _per_word(trainer.progress())
        arrays, metadata = train_arrays(
            blocks.in_order(),
            dataclasses.replace(lm_options, title_detector=options.title_detector),
            _naming(step, "all text: "),
        )
        if development:
            full = Truecaser(arrays, metadata)
            pieces: list[bytes | AlignedLines] = [*development] * _DEVELOPMENT_PASSES
            between = _endless(blocks, options.epochs)
            for done, piece in enumerate(pieces):
                step("learning weights on the development text", done / len(pieces))
                learn_block(trainer, full, piece)
                for index, block in islice(between, blocks.pieces_between):
                    learn_block(trainer, models[index % n_folds], block)
        del models
    finally:
        blocks.close()
    step("choosing features", 0.0)
    metadata["training"] = options.to_dict()
    metadata["fine"] = figures
    n_bytes = options.fine_size - arrays["fine.prior"].size
    return with_fine(arrays, metadata, learned(trainer, n_bytes, template_set(options)))


def template_set(options: TrainingOptions) -> TemplateSet:
    """What the fine features of a preset look at."""
    return BILINGUAL if options.is_bilingual else MONOLINGUAL


def learn_block(trainer: FineTrainer, model: "Truecaser", block: "bytes | AlignedLines") -> None:
    """Learn from a block, with the lattices of `model`."""
    if isinstance(block, bytes):
        trainer.pass_over(model._compiled, block)
    else:
        trainer.pass_over(model._compiled, block.target, source=block.source, phrases=block.phrases)


def _endless(
    blocks: "TextBlocks | BitextBlocks", seed: int
) -> "Iterator[tuple[int, bytes | AlignedLines]]":
    """Numbered blocks in random order, again and again."""
    while len(blocks):
        yield from _shuffled(blocks, seed)
        seed += 1


def _shuffled(
    blocks: "TextBlocks | BitextBlocks", seed: int
) -> "Iterator[tuple[int, bytes | AlignedLines]]":
    yield from blocks.shuffled(seed)


def make_trainer(n_bytes: int, options: TrainingOptions) -> FineTrainer:
    """A trainer whose tables are large enough for a text."""
    n_words = n_bytes // _BYTES_PER_WORD
    per_word = _SLOTS_PER_ALIGNED_WORD if options.is_bilingual else _SLOTS_PER_WORD
    slots = 1 << max(10, int(per_word * n_words).bit_length())
    trainer = FineTrainer(
        n_slots=min(slots, _MAX_SLOTS),
        counter_bits=min(_MAX_COUNTER_BITS, max(10, (16 * n_words).bit_length())),
        min_count=_MIN_COUNT,
        alpha=_ALPHA_ALIGNED if options.is_bilingual else _ALPHA,
        beta=_BETA,
        l1=_L1,
        l2=_L2,
        lm_weight=_LM_WEIGHT,
        edge_rate=_EDGE_RATE,
        drop_punctuation=options.drop_punctuation,
        hide_source=_HIDE_SOURCE,
        hide_alignment=_HIDE_ALIGNMENT,
    )
    hidden = template_set(options).hidden
    # Half of the features' bytes go to the rows of the hidden layer, at most.
    affordable = options.fine_size // (2 * _N_UNITS)
    n_rows = min(_MAX_ROWS, 1 << max(4, (n_words // 64).bit_length()), max(16, affordable))
    draw = np.random.default_rng(1)
    rows = draw.standard_normal((n_rows, _N_UNITS)) * (0.3 / np.sqrt(len(hidden)))
    trainer.add_hidden(
        np.array([field_number(name) for name in hidden], np.uint8),
        rows.astype(np.float32),
        (0.3 * draw.standard_normal((len(TABLES), _N_UNITS))).astype(np.float32),
        # A word moves as many rows as there are fields, all the same way: more of them overshoot.
        _HIDDEN_RATE * min(1.0, len(HIDDEN) / len(hidden)),
    )
    return trainer


def learned(trainer: FineTrainer, n_bytes: int, templates: TemplateSet = MONOLINGUAL) -> FineModel:
    """What a trainer has learned, its least useful features left out down to `n_bytes`."""
    rows, out, bias = trainer.hidden()
    lm_weight, transitions = trainer.edge_weights()
    tables = []
    for number in range(len(TABLES)):
        hashes, weights, squares = trainer.weights(number)
        # The curvature of the loss is about the sum of squared gradients (LeCun et al. 1990).
        tables.append(Sparse(hashes, weights, 0.5 * weights * weights * squares))
    return FineModel(
        tables=select_features(tables, n_bytes - rows.size),
        rows=rows,
        out=out,
        bias=bias,
        lm_weight=lm_weight,
        transitions=transitions,
        templates=templates,
    )


def with_fine(arrays: Arrays, metadata: dict[str, Any], fine: FineModel) -> "Truecaser":
    """A model of the preset crf-fine with other fine features."""
    from truecase.truecaser import Truecaser

    packed, settings = pack_fine(fine)
    decoder = {**metadata["decoder"], "fine": settings, "lm_weight": fine.lm_weight}
    kept = {
        name: array
        for name, array in arrays.items()
        if not name.startswith("fine.") or name == "fine.prior"
    }
    return Truecaser({**kept, **packed}, {**metadata, "decoder": decoder})


def _of_language_model(options: TrainingOptions) -> TrainingOptions:
    """Options of language model and lexicon; the text has been cleaned before."""
    max_size = None
    if options.max_size is not None:
        max_size = options.max_size - options.fine_size
        if max_size <= 0:
            raise TrainingError(
                f"fine features of {options.fine_size:,} bytes leave nothing of a model of "
                f"{options.max_size:,}; lower --fine-size"
            )
    return dataclasses.replace(
        options,
        max_size=max_size,
        clean=False,
        titles="all",
        title_patterns=(),
        title_detector=False,
    )


def _naming(step: Report, prefix: str) -> Report:
    return lambda name, share: step(prefix + name, share)


def _per_word(figures: dict[str, float]) -> dict[str, float]:
    """Figures of a pass over folds that language model and lexicon do not know."""
    n_words = max(1, figures["words"])
    return {
        "words": figures["words"],
        "words_with_choice": round(figures["choices"] / n_words, 6),
        "errors": round(figures["errors"] / n_words, 6),
        "loss": round(figures["loss"] / n_words, 6),
        "features": figures["features"],
    }
