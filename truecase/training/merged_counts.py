"""Counts that were made before, perhaps of many parts of a text, in place of the text."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from truecase.corpus._intern import Interner
from truecase.corpus.id_stream import END_OF_LINE
from truecase.counts.ngrams import NgramCounts, ngram_bits
from truecase.errors import CountsError, TrainingError
from truecase.features.neighbours import Evidence, gather_evidence
from truecase.lexicon.lexicon import N_MARKS, describe_vocabulary
from truecase.ngram.counting import NgramSource, RenumberedNgrams
from truecase.training.counts import ids_for_ngrams
from truecase.training.recipe import Recipe, SparseRecipe, TextRecipe


class MergedCounts:
    """Counts of a file, for `truecase.training.estimate.estimate`.

    Parameters
    ----------
    file : NgramCounts
        Open as long as this is in use.
    blocks : iterable of bytes
        Text that tells of the neighbours and endings of words, for recipes that look at these.

    Attributes
    ----------
    vocabulary : Vocabulary
    forms : Forms

    Raises
    ------
    CountsError
        The file is damaged, or its n-grams are not of the lines that its words are of.
    """

    def __init__(self, file: NgramCounts, blocks: Iterable[bytes] = ()) -> None:
        self._file = file
        self._blocks = blocks
        words = file.words()
        _check_lines(file, int(words.count[END_OF_LINE]))
        if len(words.vocabulary) <= N_MARKS:
            raise TrainingError(f"{file.name}: the text that was counted has no words")
        ids = words.ids
        self.vocabulary = words.training_vocabulary()
        self.forms = words.forms()
        self.forms.initial_count += file.initial(words)[ids]

    def evidence(self, kept: npt.NDArray[np.bool_], turkic: bool) -> Evidence:
        """What the text tells of neighbours; endings are those of the words that were counted."""
        about = self._file.about
        interner = Interner(about.segmentation, about.language, None, self.vocabulary)
        for block in self._blocks:
            interner.add_block(block)
        vocabulary, n_counted = interner.vocabulary(), len(self.vocabulary)
        # Words of this text alone count nothing, and are neighbours of others by their class.
        forms = describe_vocabulary(vocabulary.blob, vocabulary.offsets, turkic)
        forms.count[:n_counted] = self.forms.count
        forms.initial_count[:n_counted] = self.forms.initial_count
        all_kept = np.zeros(len(vocabulary), np.bool_)
        all_kept[:n_counted] = kept
        return gather_evidence(vocabulary, interner.stream, forms, all_kept, turkic)

    @property
    def left_out(self) -> dict[str, int]:
        """Lines that were left out, as the metadata of the model tells of them."""
        about = self._file.about
        return {"junk_lines": about.n_junk} if about.clean else {}

    def ngrams(self, rare: npt.NDArray[np.bool_], smartcase: bool, on_disk: bool) -> NgramSource:
        """What n-grams are counted of: those of the file, of words that are theirs in training."""
        about, n_words = self._file.about, len(self.vocabulary)
        return RenumberedNgrams(
            self._file.pieces(n_words),
            about.n_ngrams,
            about.n_lines,
            about.order,
            ngram_bits(n_words),
            np.concatenate(ids_for_ngrams(self.forms, rare, smartcase)),
        )


def _check_lines(file: NgramCounts, n_lines: int) -> None:
    counted = file.about.n_lines
    if counted < n_lines:
        raise CountsError(
            f"{file.name}: its n-grams are of {counted:,} lines, but its words of {n_lines:,}: "
            "merge the counts of all parts"
        )
    if counted > n_lines:
        raise CountsError(
            f"{file.name}: its n-grams are of {counted:,} lines, but its words of {n_lines:,}: "
            "a part was merged twice, or is of other text"
        )


def recipe_for_counts(recipe: Recipe, file: NgramCounts) -> Recipe:
    """The recipe with the text read as it was for the counts.

    Raises
    ------
    TrainingError
        The recipe asks for another text, or for more than counts can give.
    """
    about = file.about
    counted: dict[str, object] = {
        "text.segmentation": about.segmentation,
        "text.language": about.language,
        "filters.clean": about.clean,
    }
    asked = {
        "text.segmentation": recipe.text.segmentation,
        "text.language": recipe.text.language,
        "filters.clean": recipe.filters.clean,
    }
    usual = {"text.segmentation": TextRecipe.segmentation, "text.language": "",
             "filters.clean": False}  # fmt: skip
    for option, value in asked.items():
        if value not in (usual[option], counted[option]):
            raise TrainingError(
                f"{option}: {value!r}, but {file.name} was counted with {counted[option]!r}"
            )
    if recipe.filters.titles != "all" or recipe.filters.title_detector:
        raise TrainingError(
            "titles: a detector learns from the text itself, which counts do not have"
        )
    if recipe.lm is not None and recipe.lm.order > about.order:
        raise TrainingError(
            f"order {recipe.lm.order}: {file.name} has {about.order}-grams; count with --order "
            f"{recipe.lm.order}"
        )
    if recipe.sparse is not None:
        if recipe.sparse.folds not in (SparseRecipe.folds, 1):
            raise TrainingError(
                "folds: the counts are of other text than weights are learned on, which needs none"
            )
        counted["sparse.folds"] = 1
    return recipe.with_options(counted)


def check_text_beside_counts(recipe: Recipe, has_text: bool, has_development: bool) -> None:
    """Refuse text that a preset has no use for beside counts, and the lack of what it needs.

    Raises
    ------
    TrainingError
    """
    preset = f"the preset {recipe.preset}"
    if recipe.sparse is not None:
        if not has_text:
            raise TrainingError(
                f"{preset} learns its weights on text: give some that was not counted beside the "
                "counts"
            )
    elif recipe.dense is not None:
        if not has_text:
            raise TrainingError(
                f"{preset} looks at the neighbours of words, of which counts do not tell: give "
                "some text beside them"
            )
        if not has_development:
            raise TrainingError(
                f"{preset} learns its weights on the development text if it is made of counts: "
                "give one that was not counted"
            )
    elif has_text:
        raise TrainingError(f"{preset} is made of the counts alone: give no text beside them")
