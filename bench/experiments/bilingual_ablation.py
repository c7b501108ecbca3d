"""What each feature of the preset bilingual is worth: errors without it, other weights refitted."""

import re
from collections.abc import Callable, Iterable, Iterator
from fnmatch import fnmatchcase
from functools import partial
from typing import Any

import numpy as np
from bitexts import Judge, Task, pieces

from truecase._core import CompiledModel
from truecase.alignment.lines import AlignedLines, all_caps_lines
from truecase.features.schema import SOURCE_COLUMNS, columns
from truecase.source._translation_table import TranslationTables
from truecase.training.counting import count
from truecase.training.dense import Development, current_weights, fit_weights, with_weights
from truecase.training.estimate import estimate
from truecase.training.recipe import Recipe
from truecase.training.source import (
    _ALL_CAPS_EVERY,
    add_source_weights,
    translation_tables,
    with_naive_phrases,
)
from truecase.truecaser import Truecaser

#: Features that are left out together: name of the row, patterns of columns.
GROUPS = {
    "translation, tag_translation": ("translation", "tag_translation"),
    "same_form*": ("same_form*",),
    "aligned_*, unaligned": ("aligned_*", "unaligned"),
    "initial_source_*": ("initial_source_*",),
    "mark_source_*": ("mark_source_*",),
    "lm": ("lm",),
    "initial, initial_raised": ("initial", "initial_raised"),
    "upper_before, upper_after": ("upper_before", "upper_after"),
    "context_*": ("context_*",),
    "after_punctuation:*": ("after_punctuation:*",),
    "transition:*": ("transition:*",),
    "word_before_case, word_after_case": ("word_*_case",),
    "unfinished*": ("unfinished*",),
    "inside_*": ("inside_*",),
}

#: The features of Wang, Knight & Marcu (2006), 4.3, and what a language model over classes of
#: rare forms, and candidates proposed by the source, need to be weighed.
OF_THE_PAPER = (
    "lm",
    "unknown_word",
    "class_token",
    "unseen_form",
    "initial",
    "after_punctuation:*",
    "translation",
    "tag_translation",
    "source_upper",
    "source_form",
)

#: Other features that are left out one by one.
ALONE = ("case_given_word", "unknown_word", "class_token", "unseen_form", "hyphen_parts")

_PLACE = {name: place for place, name in enumerate(columns())}
_REFUSED = -50.0

_Vector = np.ndarray[Any, np.dtype[np.float64]]


class Ablation:
    """Models of one language model, lexicon and translation tables, with weights of their own.

    Parameters
    ----------
    lines, dev : AlignedLines
        To estimate the model from, and to learn its weights on; with the links of words.
    recipe : Recipe
        Of the preset bilingual.
    """

    def __init__(self, lines: AlignedLines, dev: AlignedLines, recipe: Recipe) -> None:
        self._sigma = float(recipe.dense.sigma)
        self._base = estimate(count([lines.target], recipe.text), recipe)
        self._tables = translation_tables(pieces(lines), recipe.text, recipe.source)
        self._dev = dev
        self._phrases = with_naive_phrases(dev)
        self._alone = Development(CompiledModel(self._base), dev.target)
        self._weights_alone = self._fit_alone([])
        start = self._weights_alone
        self._beside = self._development(self._phrases, start, has_tables=True)
        self.full = self._fit(self._beside, start, [])
        self._start = self.full

    def _development(self, lines: AlignedLines, start: _Vector, has_tables: bool) -> Development:
        lines = AlignedLines.join([lines, all_caps_lines(lines, _ALL_CAPS_EVERY)])
        return Development(CompiledModel(self.model(start, has_tables).model), lines)

    def _fit_alone(self, without: Iterable[str]) -> _Vector:
        return self._refit(self._alone, current_weights(self._base), without, None)

    def _fit(self, beside: Development, alone: _Vector, without: Iterable[str]) -> _Vector:
        mean = alone.copy()
        mean[[_PLACE[name] for name in SOURCE_COLUMNS]] = 0.0
        return self._refit(beside, getattr(self, "_start", alone), without, mean)

    def _refit(
        self,
        development: Development,
        start: _Vector,
        without: Iterable[str],
        mean: _Vector | None,
    ) -> _Vector:
        active = ~np.isin(columns(), list(without))
        start = np.where(active, start, 0.0)
        mean = None if mean is None else np.where(active, mean, 0.0)
        fit = fit_weights(
            development, start, sigma=self._sigma, mean=mean, active=[bool(a) for a in active]
        )
        return fit.weights

    def model(self, weights: _Vector, has_tables: bool = True) -> Truecaser:
        """The model with these weights where there is a source."""
        base = with_weights(self._base, self._weights_alone)
        if has_tables:
            arrays, settings = self._tables
            base = base.replace(tables=TranslationTables(arrays, settings))
        return Truecaser(add_source_weights(base, weights))

    def without(self, names: Iterable[str]) -> Truecaser:
        """The model without some columns, all other weights learned anew."""
        names = list(names)
        alone = self._weights_alone
        if not set(names) <= set(SOURCE_COLUMNS):
            alone = self._fit_alone(names)
        return self.model(self._fit(self._beside, alone, names))

    def without_proposals(self) -> Truecaser:
        """The model that takes no form that only the source proposes; weights as they were."""
        weights = self.full.copy()
        weights[_PLACE["source_form"]] = _REFUSED
        return self.model(weights)

    def without_tables(self) -> Truecaser:
        """The model without translation tables."""
        beside = self._development(self._phrases, self._weights_alone, has_tables=False)
        weights = self._fit(beside, self._weights_alone, ["translation", "tag_translation"])
        return self.model(weights, has_tables=False)

    def of_words(self) -> Truecaser:
        """The model whose weights were learned with the links of words."""
        beside = self._development(self._dev, self._weights_alone, has_tables=True)
        return self.model(self._fit(beside, self._weights_alone, []))


def matching(patterns: Iterable[str]) -> list[str]:
    """The columns that one of the patterns names."""
    patterns = list(patterns)
    return [name for name in columns() if any(fnmatchcase(name, pattern) for pattern in patterns)]


def ablation_rows(task: Task, recipe: Recipe, wanted: str) -> Iterator[tuple[str, dict[str, int]]]:
    """Name and errors of each row whose name has the regular expression `wanted`."""
    lines, dev, test = (task.read(part) for part in ("train", "dev", "test"))
    judges = {"dev": Judge(dev, task.target), "test": Judge(test, task.target)}
    ablation = Ablation(lines, dev, recipe)
    for row, make in _rows(ablation):
        if re.search(wanted, row) is None:
            continue
        yield row, _errors(judges, make(), has_source=row != "the source")
    if re.search(wanted, "SmartCase") is not None:
        other = Ablation(lines, dev, recipe.with_options({"lexicon.smartcase": False}))
        yield "SmartCase", _errors(judges, other.model(other.full))


def _errors(judges: dict[str, Judge], model: Truecaser, has_source: bool = True) -> dict[str, int]:
    return {
        f"{part}_{seen}": judge.errors(model, seen if has_source else "nothing")
        for part, judge in judges.items()
        for seen in ("phrases", "words")
    }


def _rows(ablation: Ablation) -> Iterator[tuple[str, Callable[[], Truecaser]]]:
    """Name of each row, and what makes its model."""
    yield "everything", lambda: ablation.model(ablation.full)
    # As the others: the search goes on where that of all weights has ended.
    yield "nothing, but learned anew", lambda: ablation.without([])
    # Decoded without it: were only its columns left out, its forms would still be candidates.
    yield "the source", lambda: ablation.model(ablation.full)
    kept = matching(OF_THE_PAPER)
    yield (
        "all but the paper's",
        lambda: ablation.without(name for name in columns() if name not in kept),
    )
    for row, patterns in GROUPS.items():
        yield row, partial(ablation.without, matching(patterns))
    yield "translation tables", ablation.without_tables
    yield "forms that only the source proposes", ablation.without_proposals
    yield "phrases for the weights (words' links instead)", ablation.of_words
    for name in (*SOURCE_COLUMNS, *ALONE):
        yield name, partial(ablation.without, [name])
