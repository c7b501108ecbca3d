"""Counted texts, from memory or from a file, which models are estimated from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from truecase.base._vectors import give_back_memory
from truecase.base.spool import Spool
from truecase.base.threads import ordered_map
from truecase.errors import CountsError, TrainingError
from truecase.ngram._intern import Interner
from truecase.ngram._surfaces import by_place, first_words
from truecase.ngram.corpus import intern_blocks
from truecase.ngram.counting import NgramSource, RenumberedNgrams, StreamNgrams
from truecase.ngram.lexicon import (
    N_MARKS,
    TAG_AN,
    Forms,
    StopTally,
    describe_vocabulary,
    mark_abbreviations,
    place_flags,
    smartcase_targets,
)
from truecase.ngram.vocabulary import END_OF_LINE, IdStream, Vocabulary, canonical_order
from truecase.training.count_files import NgramCounts, ngram_bits
from truecase.training.evidence import Evidence, gather_evidence
from truecase.training.pack_model import N_CLASS_TOKENS
from truecase.training.recipe import LexiconRecipe, Recipe, SparseRecipe, TextRecipe

# Counts of a text

# Pieces of the text that are processed at a time; results do not depend on their size.
_THREADS = 2


@dataclass
class Counts:
    """A counted text.

    `stream` is the text as ids of its words; `forms` are the words with their counts by place in
    the sentence; `is_first` marks the words of the stream that are the first of a sentence, with
    letters.
    """

    vocabulary: Vocabulary
    stream: IdStream
    forms: Forms
    is_first: Spool

    def evidence(self, kept: npt.NDArray[np.bool_], turkic: bool) -> Evidence:
        """Neighbours and endings of the words in the text."""
        return gather_evidence(self.vocabulary, self.stream, self.forms, kept, turkic)

    def ngrams(self, rare: npt.NDArray[np.bool_], smartcase: bool, on_disk: bool) -> NgramSource:
        """The ids that n-grams are counted from (see `over_classes`); closes the stream."""
        mapped = over_classes(self, rare, smartcase, on_disk)
        self.stream.close()
        self.is_first.close()
        give_back_memory()
        return StreamNgrams(mapped, release=True)


def count(blocks: Iterable[bytes], recipe: TextRecipe, on_disk: bool = False) -> Counts:
    """Count the words of a text, given as blocks of whole lines.

    `on_disk`: keep the text in temporary files. Raises TrainingError if the text has no word.
    """
    stream = IdStream(on_disk)
    vocabulary = intern_blocks(blocks, recipe.segmentation, recipe.language, stream, _THREADS)
    if len(vocabulary) <= N_MARKS:
        raise TrainingError("the training text has no words")
    forms, stops = tally_words(vocabulary, stream, recipe.casing == "turkic")
    mark_abbreviations(forms, stops)
    # Sorted ids, which do not depend on the order of the lines.
    ids = canonical_order(vocabulary, forms.count)
    new_id = np.arange(len(vocabulary), dtype=np.uint32)
    new_id[ids] = np.arange(N_MARKS, len(vocabulary), dtype=np.uint32)
    vocabulary, stream = vocabulary.take(ids), stream.renumbered(new_id)
    forms = forms.take(np.concatenate([np.arange(N_MARKS, dtype=np.uint32), ids]))
    give_back_memory()
    is_first = Spool(np.bool_, on_disk=on_disk)
    for are_first in _first_words(forms, stream):
        is_first.append(are_first)
    return Counts(vocabulary, stream, forms, is_first)


def tally_words(
    vocabulary: Vocabulary, stream: IdStream, turkic: bool = False
) -> tuple[Forms, StopTally]:
    """Forms of the vocabulary with their counts, and the words before and after full stops."""
    forms = describe_vocabulary(vocabulary.blob, vocabulary.offsets, turkic)
    stops = StopTally(len(vocabulary))
    for chunk in stream.line_chunks():
        forms.count += np.bincount(chunk, minlength=len(vocabulary))
        stops.add(chunk, forms)
    return forms, stops


def count_forms(vocabulary: Vocabulary, stream: IdStream, turkic: bool = False) -> Forms:
    """Forms of the vocabulary with their counts, by place in the sentence."""
    forms, stops = tally_words(vocabulary, stream, turkic)
    mark_abbreviations(forms, stops)
    for _ in _first_words(forms, stream):
        pass
    return forms


def _first_words(forms: Forms, stream: IdStream) -> Iterator[npt.NDArray[np.bool_]]:
    """Count the first words of sentences in `forms`, and mark them."""
    flags = place_flags(forms)

    def find(chunk: npt.NDArray[np.uint32]) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.int64]]:
        are_first = first_words(chunk, forms.key, forms.tag, forms.word_class, flags)
        return are_first, np.bincount(chunk[are_first], minlength=len(forms.key))

    for are_first, counts in ordered_map(find, stream.line_chunks(), _THREADS):
        forms.initial_count += counts
        yield are_first


def rare_forms(forms: Forms, recipe: LexiconRecipe) -> npt.NDArray[np.bool_]:
    """Rare forms, which their class token stands for."""
    inside = forms.count - forms.initial_count
    rare: npt.NDArray[np.bool_] = (inside < recipe.min_count) | (forms.form == 0)
    if recipe.smartcase:
        rare |= inside == 0
    rare[:N_MARKS] = False
    return rare


def kept_forms(
    forms: Forms, rare: npt.NDArray[np.bool_], recipe: LexiconRecipe
) -> npt.NDArray[np.bool_]:
    """Forms that go into the lexicon: part (ii) of GEN."""
    kept = ~rare
    kept[:N_MARKS] = False
    if recipe.candidates == "pruned":
        inside = forms.count - forms.initial_count
        _, group = np.unique(forms.key, return_inverse=True)
        total = np.bincount(group, weights=inside)[group]
        kept &= inside >= recipe.least_share * total
    return kept


def ids_for_ngrams(
    forms: Forms, rare: npt.NDArray[np.bool_], smartcase: bool
) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
    """The id of each word in n-grams: inside a sentence, and as the first word.

    Rare forms become their class tokens, first words what SmartCase makes of them.
    """
    n_words = len(forms.key)
    identity = np.arange(n_words, dtype=np.uint32)
    inside = np.where(rare, n_words + forms.class_token, identity).astype(np.uint32)
    if not smartcase:
        return inside, inside
    initial = inside[smartcase_targets(forms)]
    # A word that occurs only as a first word does not show its case elsewhere.
    unclear = (forms.count == forms.initial_count) & (forms.tag != TAG_AN)
    unclear[:N_MARKS] = False
    return inside, np.where(unclear, n_words + N_CLASS_TOKENS, initial).astype(np.uint32)


def over_classes(
    counts: Counts, rare: npt.NDArray[np.bool_], smartcase: bool, on_disk: bool
) -> IdStream:
    """The text with class tokens for rare forms, and first words after SmartCase."""
    forms = counts.forms
    inside, initial = ids_for_ngrams(forms, rare, smartcase)
    mapped = IdStream(on_disk)
    is_first = counts.is_first.reader()
    chunks = ((chunk, is_first.take(len(chunk))) for chunk in counts.stream.chunks())
    for ids in ordered_map(lambda chunk: by_place(*chunk, inside, initial), chunks, _THREADS):
        mapped.append(ids, 0)
    mapped.n_lines = counts.stream.n_lines
    return mapped


# Counts of a file


class MergedCounts:
    """Counts of a file, for `truecase.training.estimate.estimate`.

    `file` stays open as long as this is in use; `blocks` are the text that recipes with dense
    features take the neighbours and endings of words from. Raises CountsError if the file is
    damaged, or if its words and n-grams come from different lines.
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
        """Neighbours of words in the text, and endings of the counted words."""
        about = self._file.about
        interner = Interner(about.segmentation, about.language, None, self.vocabulary)
        for block in self._blocks:
            interner.add_block(block)
        vocabulary, n_counted = interner.vocabulary(), len(self.vocabulary)
        # Words that only this text has count nothing; as neighbours they act by their class.
        forms = describe_vocabulary(vocabulary.blob, vocabulary.offsets, turkic)
        forms.count[:n_counted] = self.forms.count
        forms.initial_count[:n_counted] = self.forms.initial_count
        all_kept = np.zeros(len(vocabulary), np.bool_)
        all_kept[:n_counted] = kept
        return gather_evidence(vocabulary, interner.stream, forms, all_kept, turkic)

    @property
    def left_out(self) -> dict[str, int]:
        """Numbers of lines left out, for the metadata of the model."""
        about = self._file.about
        return {"junk_lines": about.n_junk} if about.clean else {}

    def ngrams(self, rare: npt.NDArray[np.bool_], smartcase: bool, on_disk: bool) -> NgramSource:
        """The n-grams of the file, with the ids that training gives their words."""
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
    if counted != n_lines:
        twice = "a part was merged twice, or is of other text"
        raise CountsError(
            f"{file.name}: its n-grams are of {counted:,} lines, but its words of {n_lines:,}: "
            + ("merge the counts of all parts" if counted < n_lines else twice)
        )


def recipe_for_counts(recipe: Recipe, file: NgramCounts) -> Recipe:
    """The recipe with the text options of the counts.

    Raises TrainingError if the recipe sets others, or needs more than counts can give.
    """
    about = file.about
    counted: dict[str, object] = {
        "text.segmentation": about.segmentation,
        "text.language": about.language,
        "filters.clean": about.clean,
    }
    for option, value in counted.items():
        part, name = option.split(".")
        asked, usual = (getattr(getattr(one, part), name) for one in (recipe, Recipe()))
        if asked not in (usual, value):
            raise TrainingError(f"{option}: {asked!r}, but {file.name} was counted with {value!r}")
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
    """Raise TrainingError if a preset lacks a text beside counts, or has no use for one."""
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
