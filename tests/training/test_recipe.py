"""Recipes: what does not go together cannot be made, and says what does."""

import dataclasses
import math
import pickle

import pytest

from truecase.errors import OptionError, StyleError, TrainingError, TruecaseError, WrongTypeError
from truecase.training.recipe import (
    PRESETS,
    Adaptation,
    DenseRecipe,
    Filters,
    LexiconRecipe,
    MarksRecipe,
    NetworkRecipe,
    NgramRecipe,
    Packing,
    PortageRecipe,
    Recipe,
    SourceRecipe,
    TextRecipe,
    TranslationRecipe,
    recipe_of,
)


@pytest.mark.parametrize("name", PRESETS)
def test_presets_know_their_names(name):
    assert recipe_of(name) is PRESETS[name]
    assert PRESETS[name].preset == name
    assert PRESETS[name].with_options({"origin": "x"}).preset == name


def test_unknown_presets_are_refused():
    with pytest.raises(TrainingError, match="'trigram': expected one of unigram, ngram, portage"):
        recipe_of("trigram")


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"lm": None, "dense": DenseRecipe()}, "dense: needs a language model"),
        ({"lm": None, "max_size": 10**6}, "max_size: without a language model"),
        ({"dense": DenseRecipe(), "network": NetworkRecipe()}, "one of them, not both"),
        ({"portage": PortageRecipe(), "dense": DenseRecipe()}, "portage: goes with"),
        ({"source": SourceRecipe()}, "source: needs dense features or a network"),
        ({"dense": DenseRecipe(), "lm": NgramRecipe(order=1)}, "order 1 has no edges"),
        ({"network": NetworkRecipe(), "max_size": 10**6}, "leave nothing of a model"),
    ],
)
def test_parts_that_do_not_go_together(parts, message):
    with pytest.raises(TrainingError, match=message):
        Recipe(**parts)


@pytest.mark.parametrize(
    ("part", "options"),
    [
        (TextRecipe, {"segmentation": "bpe"}),
        (LexiconRecipe, {"min_count": 0}),
        (LexiconRecipe, {"min_share": 1.0}),
        (LexiconRecipe, {"min_share": 0.1, "candidates": "full"}),
        (NgramRecipe, {"order": 6}),
        (NgramRecipe, {"order": 2, "prune": (0, 0, 1)}),
        (DenseRecipe, {"sigma": "find"}),
        (NetworkRecipe, {"folds": 0}),
        (NetworkRecipe, {"drop_punctuation": 1.5}),
        (NetworkRecipe, {"n_units": 1000}),
        (TranslationRecipe, {"phrases": "some"}),
        (PortageRecipe, {"variant": "sum"}),
        (Filters, {"titles": "some"}),
        (Filters, {"title_patterns": ("x",)}),
        (Adaptation, {"sigma": 0}),
        (Adaptation, {"min_count": 0}),
    ],
)
def test_values_are_checked(part, options):
    with pytest.raises(TrainingError):
        part(**options)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Recipe(lm=3), "lm: expected NgramRecipe or None, found int"),
        (lambda: Recipe(lm=DenseRecipe()), "lm: expected NgramRecipe or None, found DenseRecipe"),
        (lambda: Recipe(text="raw"), "text: expected TextRecipe, found str"),
        (lambda: Recipe(lexicon=None), "lexicon: expected LexiconRecipe, found NoneType"),
        (lambda: Recipe(filters={}), "filters: expected Filters, found dict"),
        (lambda: Recipe(max_size="1M"), "max_size: expected an int or None, found str"),
        (lambda: Recipe(max_size=1e6), "max_size: expected an int or None, found float"),
        (lambda: Recipe(origin=None), "origin: expected a str, found NoneType"),
        (lambda: TextRecipe(7), "segmentation: expected 'raw' or 'space', found int"),
        (lambda: TextRecipe(language=None), "language: expected a str, found NoneType"),
        (lambda: LexiconRecipe("2"), "min_count: expected an int, found str"),
        (lambda: LexiconRecipe(True), "min_count: expected an int, found bool"),
        (lambda: LexiconRecipe(min_share="x"), "min_share: expected a number or None, found str"),
        (lambda: LexiconRecipe(smartcase=1), "smartcase: expected True or False, found int"),
        (lambda: Packing(load=None), "load: expected a number, found NoneType"),
        (lambda: NgramRecipe("3"), "order: expected an int, found str"),
        (lambda: NgramRecipe(prune=1), "prune: expected a tuple of int, found int"),
        (lambda: NgramRecipe(prune=(0, "1")), "prune: expected a tuple of int, found a tuple of"),
        (lambda: NgramRecipe(packing=()), "packing: expected Packing, found tuple"),
        (lambda: DenseRecipe(None), "sigma: expected a number or 'search', found NoneType"),
        (lambda: NetworkRecipe(n_units=None), "n_units: expected an int, found NoneType"),
        (lambda: NetworkRecipe(rate="0.1"), "rate: expected a number, found str"),
        (lambda: TranslationRecipe("1M"), "table_size: expected an int, found str"),
        (lambda: SourceRecipe("", {}), "translation: expected TranslationRecipe, found"),
        (lambda: PortageRecipe(None), "variant: expected 'product', 'interpolated' or 'powers', "),
        (lambda: Filters(clean="yes"), "clean: expected True or False, found str"),
        (lambda: Filters(title_patterns="x"), "title_patterns: expected a tuple of str, found str"),
        (lambda: Adaptation(max_size="1M"), "max_size: expected an int or None, found str"),
        (lambda: MarksRecipe(marks=(",", 1)), "marks: expected a tuple of str, found a tuple of"),
        (lambda: MarksRecipe(n_units="96"), "n_units: expected an int, found str"),
        (lambda: MarksRecipe(offsets={",": "1"}), "offsets: expected a mapping of str to float, "),
        (lambda: MarksRecipe(alike=["!"]), "alike: expected a mapping of str to str, found list"),
        (lambda: recipe_of(3), "recipe: expected a Recipe or the name of a preset, found int"),
        (lambda: recipe_of([]), "recipe: expected a Recipe or the name of a preset, found list"),
        (
            lambda: PRESETS["crf"].with_options({"dense.sigma": None}),
            "sigma: expected a number or 'search', found NoneType",
        ),
        (
            lambda: PRESETS["crf"].with_options("dense.sigma"),
            "options: expected a mapping of paths to values, found str",
        ),
    ],
)
def test_types_are_checked(make, message):
    with pytest.raises(TruecaseError, match=f"^{message}") as refused:
        make()
    assert isinstance(refused.value, WrongTypeError) and isinstance(refused.value, TypeError)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: NetworkRecipe(lm_weight=math.nan), "lm_weight nan: expected -1000000.0 to "),
        (lambda: NetworkRecipe(rate=math.inf), "rate inf: expected a number above 0"),
        (lambda: NgramRecipe(decision_loss=math.inf), "decision_loss inf: expected 0 or more"),
        (lambda: MarksRecipe(offsets={",": math.nan}), "offsets nan: expected a finite number"),
        (lambda: Adaptation(max_size=0), "max_size 0: expected a number of bytes, 1 or more"),
    ],
)
def test_numbers_that_would_spoil_a_model_are_refused_before_training(make, message):
    with pytest.raises(TrainingError, match=message):
        make()


def test_what_types_there_may_be():
    assert Recipe(max_size=10**7, lm=NgramRecipe(2, (0, 1))).lm.prune == (0, 1)
    assert DenseRecipe(1).sigma == 1
    assert DenseRecipe("search").sigma == "search"
    assert Recipe(lexicon=LexiconRecipe(min_share=0)).least_share == 0


def test_patterns_are_checked_before_any_text_is_read():
    with pytest.raises(StyleError, match=r"title pattern '\('"):
        Filters(titles="drop", title_patterns=("(",))


def test_options_by_their_paths():
    recipe = PRESETS["crf-neural"].with_options(
        {"filters.titles": "drop", "filters.title_patterns": ("x",), "network.n_units": 16}
    )
    assert recipe.filters == Filters(titles="drop", title_patterns=("x",))
    assert recipe.network == dataclasses.replace(PRESETS["crf-neural"].network, n_units=16)
    assert recipe.lexicon == LexiconRecipe()


@pytest.mark.parametrize(
    ("preset", "option", "owners"),
    [
        ("ngram", "dense.sigma", ["crf", "bilingual"]),
        ("unigram", "lm.order", [name for name in PRESETS if name != "unigram"]),
        ("unigram", "max_size", [name for name in PRESETS if name != "unigram"]),
        ("crf-neural", "source.translation.table_size", ["bilingual", "bilingual-neural"]),
        ("crf", "source.language", ["bilingual", "bilingual-neural"]),
        ("crf", "network.n_units", ["crf-neural", "bilingual-neural"]),
        ("crf", "portage.variant", ["portage"]),
        ("crf", "dense.rho", []),
    ],
)
def test_options_of_parts_that_are_not_there(preset, option, owners):
    with pytest.raises(OptionError) as refused:
        PRESETS[preset].with_options({option: 1})
    assert refused.value.presets == owners
    assert str(refused.value).startswith(f"{option}: ")
    # From another process.
    assert str(pickle.loads(pickle.dumps(refused.value))) == str(refused.value)
    for name in owners:
        assert name in str(refused.value)


def test_a_recipe_is_a_value():
    assert PRESETS["crf"] == Recipe(dense=DenseRecipe()) != PRESETS["ngram"]
    assert len(set(PRESETS.values())) == len(PRESETS)
    with pytest.raises(dataclasses.FrozenInstanceError):
        PRESETS["crf"].max_size = 5
