"""Recipes: what a model is made of, and how. Presets are recipes with a name.

A recipe has a part for each component of the model that is trained; a part that is None is not
made, so that an option of it cannot be given.

>>> from truecase.training.recipe import PRESETS
>>> PRESETS["crf"].with_options({"dense.sigma": 1.0, "lexicon.min_count": 3}).dense
DenseRecipe(sigma=1.0)
"""

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from truecase.base.field_types import check_field_types
from truecase.corpus.filter import Filters
from truecase.errors import OptionError, TrainingError, WrongTypeError
from truecase.text.casing import Casing, casing_of

Segmentation = Literal["raw", "space"]
Candidates = Literal["pruned", "full"]
Variant = Literal["product", "interpolated", "powers"]
Search = Literal["viterbi", "left-to-right"]
PhrasesOf = Literal["naive", "words"]

#: Share of a word's occurrences below which pruned candidates leave a form out.
MIN_SHARE = 0.02


def _expect(condition: bool, message: str) -> None:
    if not condition:
        raise TrainingError(message)


def _expect_one_of(name: str, value: object, values: Any) -> None:
    known = get_args(values)
    _expect(value in known, f"unknown {name} {value!r}: expected {' or '.join(known)}")


def _casing(language: str) -> Casing:
    try:
        return casing_of(language)
    except ValueError as error:
        raise TrainingError(str(error)) from None


@dataclass(frozen=True)
class TextRecipe:
    """How the text is read.

    Attributes
    ----------
    segmentation : {"raw", "space"}
        Natural text, or text whose tokens stand between white space.
    language : str
        Language code; only Turkish and Azeri ("tr", "az") change the case mapping.
    """

    segmentation: Segmentation = "raw"
    language: str = ""

    def __post_init__(self) -> None:
        check_field_types(self)
        _expect_one_of("segmentation", self.segmentation, Segmentation)
        _casing(self.language)

    @property
    def casing(self) -> Casing:
        """Case mapping of the language, as models name it."""
        return _casing(self.language)


@dataclass(frozen=True)
class LexiconRecipe:
    """Which forms a model knows.

    Attributes
    ----------
    min_count : int
        Forms seen less often are represented by their word class and tag.
    candidates : {"pruned", "full"}
        The forms seen in training, or also AL, IU and AU of every word.
    min_share : float, optional
        Of pruned candidates: forms that make up less than this share of their word's
        occurrences are left out; by default 0.02.
    smartcase : bool
        Lowercase the first word of training sentences when it is mostly lowercase elsewhere,
        and capitalise the first word of the output (Zollmann et al. 2006, 4.1).
    """

    min_count: int = 2
    candidates: Candidates = "pruned"
    min_share: float | None = None
    smartcase: bool = True

    def __post_init__(self) -> None:
        check_field_types(self)
        _expect(self.min_count >= 1, f"min_count {self.min_count}: expected 1 or more")
        _expect_one_of("candidates", self.candidates, Candidates)
        if self.min_share is not None:
            _expect(0 <= self.min_share < 1, f"min_share {self.min_share}: expected 0 to below 1")
            _expect(
                self.candidates == "pruned",
                "min_share: full candidates leave no form out, whatever its share",
            )

    @property
    def least_share(self) -> float:
        """`min_share`, or its default."""
        return MIN_SHARE if self.min_share is None else self.min_share


@dataclass(frozen=True)
class Packing:
    """How n-grams are stored.

    Attributes
    ----------
    probability_bits, backoff_bits, fingerprint_bits : int
        Widths of the fields of a slot.
    load : float
        Share of filled slots in the tables.
    """

    probability_bits: int = 7
    backoff_bits: int = 7
    fingerprint_bits: int = 14
    load: float = 0.85

    def __post_init__(self) -> None:
        check_field_types(self)
        _expect(2 <= self.probability_bits <= 16, "probability_bits: expected 2 to 16")
        _expect(2 <= self.backoff_bits <= 16, "backoff_bits: expected 2 to 16")
        _expect(4 <= self.fingerprint_bits <= 24, "fingerprint_bits: expected 4 to 24")
        _expect(0.1 <= self.load <= 0.95, "load: expected 0.1 to 0.95")


@dataclass(frozen=True)
class NgramRecipe:
    """The language model.

    Attributes
    ----------
    order : int
        1 to 5.
    prune : tuple of int
        n-grams of order k seen at most ``prune[k - 1]`` times are left out, as lmplz does it.
    decision_loss : float
        n-grams go whose absence costs the training text less than this many nats of
        log-probability of its casing; 0 drops only those that can change no decision.
    keep_ngrams : bool
        Keep the n-grams with their words, so that they can be written as an ARPA file.
    packing : Packing
    """

    order: int = 3
    prune: tuple[int, ...] = ()
    decision_loss: float = 0.0
    keep_ngrams: bool = False
    packing: Packing = Packing()

    def __post_init__(self) -> None:
        check_field_types(self)
        _expect(1 <= self.order <= 5, f"order {self.order}: expected 1 to 5")
        _expect(
            len(self.prune) <= self.order,
            f"prune: {len(self.prune)} thresholds, but n-grams of order {self.order} at most",
        )
        _expect(all(p >= 0 for p in self.prune), "prune: thresholds are not negative")
        _expect(self.decision_loss >= 0, "decision_loss is not negative")


@dataclass(frozen=True)
class DenseRecipe:
    """The weights of the dense features.

    Attributes
    ----------
    sigma : float or "search"
        Standard deviation of their prior; "search" tries several.
    """

    sigma: float | Literal["search"] = 0.5

    def __post_init__(self) -> None:
        check_field_types(self)
        _expect(
            self.sigma == "search" if isinstance(self.sigma, str) else 1e-3 <= self.sigma <= 1e3,
            f"sigma {self.sigma}: expected a number from 0.001 to 1000, or search",
        )


@dataclass(frozen=True)
class SparseRecipe:
    """The sparse features and the hidden layer.

    Rates, norms and the number of units were chosen on development text; none is critical.

    Attributes
    ----------
    size : int
        Bytes for them, part of the model's `max_size`.
    folds : int
        Parts of the text; weights are learned on each with the language model of the others.
    epochs : int
        Passes of the weights over the text.
    drop_punctuation : float
        Share of the lines that weights see without punctuation, as speech recognition gives them.
    development_passes : int
        Passes over the development text, after those over the text.
    min_count : int
        Features seen less often have no weights.
    alpha, beta, l1, l2 : float
        Rate, smoothing and norms of FTRL-Proximal.
    lm_weight : float
        Weight of the language model at first.
    edge_rate, hidden_rate : float
        Rates of the transitions and the language model's weight, and of the hidden layer.
    units : int
        Of the hidden layer.
    hide_source, hide_alignment : float
        Of lines that have a source, the shares of those that weights see without it, and
        without its alignment: the model is to be good for such lines, too.
    """

    size: int = 8_000_000
    folds: int = 4
    epochs: int = 1
    drop_punctuation: float = 0.0
    development_passes: int = 2
    min_count: int = 3
    alpha: float = 0.1
    beta: float = 1.0
    l1: float = 0.5
    l2: float = 0.0
    lm_weight: float = 0.7
    edge_rate: float = 0.02
    hidden_rate: float = 0.05
    units: int = 32
    hide_source: float = 0.1
    hide_alignment: float = 0.15

    def __post_init__(self) -> None:
        check_field_types(self)
        _expect(self.size >= 0, "size of the sparse features: not negative")
        _expect(1 <= self.folds <= 100, f"folds {self.folds}: expected 1 to 100")
        _expect(1 <= self.epochs <= 100, f"epochs {self.epochs}: expected 1 to 100")
        _expect(self.development_passes >= 0, "development_passes is not negative")
        _expect(self.min_count >= 1, "min_count of the sparse features: expected 1 or more")
        _expect(1 <= self.units <= 128, f"units {self.units}: expected 1 to 128")
        for name in ("drop_punctuation", "hide_source", "hide_alignment"):
            share = getattr(self, name)
            _expect(0 <= share <= 1, f"{name} {share}: expected a share from 0 to 1")
        _expect(
            self.hide_source + self.hide_alignment <= 1,
            "hide_source and hide_alignment: expected 1 at most together",
        )
        _expect(self.alpha > 0, "alpha: expected a positive rate")
        for name in ("beta", "l1", "l2", "edge_rate", "hidden_rate"):
            _expect(getattr(self, name) >= 0, f"{name} is not negative")


@dataclass(frozen=True)
class TranslationRecipe:
    """The translation tables that dense features of the source look at.

    Attributes
    ----------
    table_size : int
        Bytes for them, part of the model's `max_size`.
    phrases : {"naive", "words"}
        Whether weights are learned with phrases that the naive phrase aligner makes of the
        development text, or with its words' links as they are.
    """

    table_size: int = 1_000_000
    phrases: PhrasesOf = "naive"

    def __post_init__(self) -> None:
        check_field_types(self)
        _expect(self.table_size >= 0, "table_size is not negative")
        _expect_one_of("phrases", self.phrases, PhrasesOf)


@dataclass(frozen=True)
class SourceRecipe:
    """The features of the source sentence, learned from aligned text.

    Attributes
    ----------
    language : str
        Language code of the source, for its case mapping.
    translation : TranslationRecipe or None
        None: sparse features alone look at the source.
    """

    language: str = ""
    translation: TranslationRecipe | None = None

    def __post_init__(self) -> None:
        check_field_types(self)
        _casing(self.language)

    @property
    def casing(self) -> Casing:
        """Case mapping of the source language, as models name it."""
        return _casing(self.language)


@dataclass(frozen=True)
class PortageRecipe:
    """How the language model is joined with the case of words (Agbago et al. 2005).

    Attributes
    ----------
    variant : {"product", "interpolated", "powers"}
        The weights of the last two are fitted to the development text, if there is one.
    search : {"viterbi", "left-to-right"}
        Best path, or word by word.
    """

    variant: Variant = "product"
    search: Search = "viterbi"

    def __post_init__(self) -> None:
        check_field_types(self)
        _expect_one_of("variant", self.variant, Variant)
        _expect_one_of("search", self.search, Search)

    @property
    def is_tuned(self) -> bool:
        """Whether a development text has a say."""
        return self.variant != "product"


@dataclass(frozen=True)
class Recipe:
    """What a model is made of, and how.

    Attributes
    ----------
    text : TextRecipe
    filters : Filters
        Which lines are learned from.
    lexicon : LexiconRecipe
    lm : NgramRecipe or None
        None: each word's most frequent form is taken.
    dense : DenseRecipe or None
        Features with weights learned on text that was held out.
    sparse : SparseRecipe or None
        Millions of features and a hidden layer, in place of dense ones.
    source : SourceRecipe or None
        Dense or sparse features look at the source sentence, too.
    portage : PortageRecipe or None
        By itself, beside the language model.
    max_size : int, optional
        Bytes of the model file to stay below; n-grams that matter least for casing go first.
    origin, licence : str
        Of the training text, kept in the model.
    """

    text: TextRecipe = TextRecipe()
    filters: Filters = field(default_factory=Filters)
    lexicon: LexiconRecipe = LexiconRecipe()
    lm: NgramRecipe | None = NgramRecipe()
    dense: DenseRecipe | None = None
    sparse: SparseRecipe | None = None
    source: SourceRecipe | None = None
    portage: PortageRecipe | None = None
    max_size: int | None = None
    origin: str = ""
    licence: str = ""

    def __post_init__(self) -> None:
        check_field_types(self)
        _expect(
            self.max_size is None or self.max_size > 0,
            f"max_size {self.max_size}: expected a number of bytes, 1 or more",
        )
        if self.lm is None:
            for name in ("dense", "sparse", "source", "portage"):
                _expect(getattr(self, name) is None, f"{name}: needs a language model, `lm`")
            _expect(
                self.max_size is None,
                "max_size: without a language model there are no n-grams to leave out; "
                "min_count makes the lexicon smaller",
            )
            return
        _expect(
            self.dense is None or self.sparse is None,
            "dense and sparse features: one of them, not both",
        )
        _expect(
            self.portage is None or not (self.dense or self.sparse or self.source),
            "portage: goes with a language model alone",
        )
        _expect(
            self.dense is None or self.lm.order > 1, "order 1 has no edges to be weighed; use 2"
        )
        if self.source is not None:
            _expect(
                self.dense is not None or self.sparse is not None,
                "source: needs dense or sparse features to look at it",
            )
            _expect(
                (self.source.translation is None) == (self.dense is None),
                "source.translation: dense features of the source need it, others have no use "
                "for it",
            )
        _expect(
            self.max_size is None or self.feature_size < self.max_size,
            f"features of {self.feature_size:,} bytes leave nothing of a model of "
            f"{self.max_size or 0:,}; lower sparse.size or source.translation.table_size",
        )

    @property
    def feature_size(self) -> int:
        """Bytes of `max_size` that are for features, at most."""
        if self.sparse is not None:
            return self.sparse.size
        if self.source is not None and self.source.translation is not None:
            return self.source.translation.table_size
        return 0

    @property
    def preset(self) -> str:
        """Name of the preset that has the same parts."""
        return next(name for name, preset in PRESETS.items() if _parts(preset) == _parts(self))

    def options(self) -> Iterator[str]:
        """The paths of all options, such as ``dense.sigma``."""
        return _options(self)

    def has_option(self, option: str) -> bool:
        """Whether the recipe has the option with this path."""
        if option == "max_size":
            return self.lm is not None
        return option in self.options()

    def with_options(self, options: Mapping[str, object]) -> "Recipe":
        """The recipe with other values of some options.

        Parameters
        ----------
        options : mapping of str to object
            By path: ``{"dense.sigma": 1.0, "max_size": 12_000_000}``.

        Raises
        ------
        OptionError
            The recipe has no such part; says which presets have it.
        WrongTypeError, TrainingError
            A value is none for its option.
        """
        if not isinstance(options, Mapping):
            raise WrongTypeError(
                f"options: expected a mapping of paths to values, found {type(options).__name__}"
            )
        for option in options:
            if not self.has_option(option):
                presets = [name for name, recipe in PRESETS.items() if recipe.has_option(option)]
                raise OptionError(option, self.preset, presets)
        changed = _replaced(self, options)
        assert isinstance(changed, Recipe)
        return changed


def _parts(recipe: Recipe) -> list[bool]:
    return [
        part is not None
        for part in (recipe.lm, recipe.dense, recipe.sparse, recipe.source, recipe.portage)
    ]


def _options(part: Any, prefix: str = "") -> Iterator[str]:
    for one in dataclasses.fields(part):
        value = getattr(part, one.name)
        if dataclasses.is_dataclass(value):
            yield from _options(value, f"{prefix}{one.name}.")
        elif not (value is None and one.name in _PARTS):
            yield prefix + one.name


# What may be a part, not a value, and be left out.
_PARTS = ("lm", "dense", "sparse", "source", "translation", "portage")


def recipe_note(recipe: Recipe) -> dict[str, Any]:
    """What the notes of a model tell of its recipe, JSON-able."""
    parts = _plain(dataclasses.asdict(recipe))
    # Where the text comes from, and its licence, have notes of their own.
    told = {name: value for name, value in parts.items() if name not in ("origin", "licence")}
    return {"preset": recipe.preset, **told}


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            name: _plain(inner)
            for name, inner in value.items()
            if not (inner is None and name in _PARTS)
        }
    return [_plain(inner) for inner in value] if isinstance(value, (list, tuple)) else value


def _replaced(part: Any, options: Mapping[str, object]) -> Any:
    """A part with the values of all its options changed at once, as some go together."""
    values: dict[str, Any] = {}
    inner: dict[str, dict[str, object]] = {}
    for option, value in options.items():
        name, _, rest = option.partition(".")
        if rest:
            inner.setdefault(name, {})[rest] = value
        else:
            values[name] = value
    for name, changes in inner.items():
        values[name] = _replaced(getattr(part, name), changes)
    return dataclasses.replace(part, **values)


#: The recipes that have a name.
PRESETS: dict[str, Recipe] = {
    "unigram": Recipe(lm=None),
    "ngram": Recipe(),
    "portage": Recipe(portage=PortageRecipe()),
    "crf": Recipe(dense=DenseRecipe()),
    "crf-sparse": Recipe(sparse=SparseRecipe()),
    "bilingual": Recipe(dense=DenseRecipe(), source=SourceRecipe(translation=TranslationRecipe())),
    "bilingual-sparse": Recipe(sparse=SparseRecipe(alpha=0.05), source=SourceRecipe()),
}


def recipe_of(recipe: Recipe | str) -> Recipe:
    """A recipe, or the one of the preset of this name.

    Raises
    ------
    WrongTypeError
        It is neither.
    TrainingError
        There is no such preset.
    """
    if isinstance(recipe, Recipe):
        return recipe
    if not isinstance(recipe, str):
        raise WrongTypeError(
            f"recipe: expected a Recipe or the name of a preset, found {type(recipe).__name__}"
        )
    if recipe not in PRESETS:
        raise TrainingError(f"unknown preset {recipe!r}: expected one of {', '.join(PRESETS)}")
    return PRESETS[recipe]
