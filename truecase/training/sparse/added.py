"""Learning of what a domain adds to the weights of a model's sparse features.

A model's packed tables hold no hashes to start from. They stay as they are, their scores a fixed
part of those of a word's candidates, and a second table of the same features starts at zero. Its
weights are learned on the folds of the domain's text, each with the lexicon and n-grams of the
others, and on general text in between, which keeps what the domain's does not tell of where it was.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from truecase._core import CompiledModel
from truecase.features._added_features import AddedFeatures
from truecase.features.pack_sparse import pack_weights, select_features
from truecase.training.recipe import Adaptation
from truecase.training.sparse._learner import SparseTrainer
from truecase.training.sparse.blocks import TextBlocks
from truecase.training.sparse.learn import (
    Batch,
    Report,
    SparseFigures,
    by_word,
    learned_tables,
    moments_to_average,
)

# Rates and norms of FTRL-Proximal, chosen on development text of three domains; a half or twice
# of each makes hardly a difference.
_ALPHA, _BETA, _L1, _L2, _MIN_COUNT = 0.1, 1.0, 0.5, 0.0, 2

# What is learned is moved a part of its way back to the model (Wortsman et al. 2022): of other text
# far fewer words change for the worse, of the domain's hardly more are wrong.
_KEPT = 0.75
_KEPT_WITHOUT_GENERAL = 0.5

# Bytes of general text for each of the domain's, and for each pass at least; but no more passes
# over it than these in all, as what is known by heart says nothing of other text.
_GENERAL_SHARE = 3
_LEAST_GENERAL = 350_000
_GENERAL_PASSES = 3

_AVERAGED_SHARE = 0.25
_BYTES_PER_WORD = 6
_SLOTS_PER_WORD = 8
_MAX_SLOTS = 1 << 23
_MAX_COUNTER_BITS = 26


@dataclass(frozen=True)
class Lines:
    """What is learned from.

    Attributes
    ----------
    domain : TextBlocks
        Block i is of fold ``i % len(models)``.
    models : sequence of CompiledModel
        The model with the lexicon and n-grams of the domain's other folds.
    whole : CompiledModel
        With those of all the text of the domain.
    general : TextBlocks or None
    """

    domain: TextBlocks
    models: Sequence[CompiledModel]
    whole: CompiledModel
    general: TextBlocks | None


def learn_added(
    lines: Lines,
    recipe: Adaptation,
    max_size: int,
    *,
    threads: int = 1,
    report: Report = lambda step, share: None,
) -> tuple[AddedFeatures, SparseFigures]:
    """Learn what a domain adds to the sparse features that the models of some lines have.

    Parameters
    ----------
    lines : Lines
    recipe : Adaptation
    max_size : int
        Bytes for the weights.
    threads : int
        What is learned does not depend on it.
    report : callable
        Told of the progress.

    Returns
    -------
    component : AddedFeatures
    figures : SparseFigures
        Of the first pass, which judges words before it learns from them.
    """
    trainer = _trainer(lines)
    batch, others = Batch(trainer, threads), Batch(trainer, threads, admit=False)
    general = _Replay(lines, recipe.passes)
    figures = None
    n = lines.domain.n_pieces
    moments = moments_to_average(n, int(_AVERAGED_SHARE * n))
    for epoch in range(recipe.passes):
        for done, (index, piece) in enumerate(lines.domain.shuffled(epoch)):
            batch.add(lines.models[index % len(lines.models)], piece)
            for other in general.beside(len(piece)):
                others.add(lines.whole, other)
            report(f"learning weights, pass {epoch + 1}", (done + 1) / n)
            if epoch + 1 == recipe.passes and done + 1 in moments:
                others.learn()
                batch.add_to_average()
        batch.learn()
        others.learn()
        figures = figures or by_word(trainer.progress())
    assert figures is not None
    report("choosing features", None)
    kept = _KEPT if lines.general is not None else _KEPT_WITHOUT_GENERAL
    tables = [
        replace(table, weights=(kept * table.weights).astype(np.float32))
        for table in learned_tables(trainer)
    ]
    return AddedFeatures(*pack_weights(select_features(tables, max_size))), figures


class _Replay:
    """General text in random order, again and again, some of it for each piece of the domain's."""

    def __init__(self, lines: Lines, passes: int) -> None:
        n_bytes = max(1, lines.domain.n_bytes)
        self._share = max(_GENERAL_SHARE, _LEAST_GENERAL / n_bytes)
        if lines.general is not None:
            most = _GENERAL_PASSES * lines.general.n_bytes / (passes * n_bytes)
            self._share = min(self._share, most)
        self._owed = 0.0
        self._pieces = iter(()) if lines.general is None else lines.general.endless(0)

    def beside(self, n_bytes: int) -> Iterator[bytes]:
        """What is to be learned from after so many bytes of the domain's text."""
        self._owed += self._share * n_bytes
        while self._owed > 0:
            _, piece = next(self._pieces, (0, b""))
            if not piece:
                return
            self._owed -= len(piece)
            yield piece


def _trainer(lines: Lines) -> SparseTrainer:
    """A trainer whose tables are large enough for the domain's text."""
    n_words = lines.domain.n_bytes // _BYTES_PER_WORD
    trainer = SparseTrainer(
        n_slots=min(_MAX_SLOTS, 1 << max(12, (_SLOTS_PER_WORD * n_words).bit_length())),
        counter_bits=min(_MAX_COUNTER_BITS, max(12, (16 * n_words).bit_length())),
        min_count=_MIN_COUNT,
        alpha=_ALPHA,
        beta=_BETA,
        l1=_L1,
        l2=_L2,
        lm_weight=1.0,
        edge_rate=0.0,
        drop_punctuation=0.0,
    )
    trainer.stand_beside(lines.whole)
    return trainer
