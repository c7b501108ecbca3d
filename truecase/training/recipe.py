"""Recipes: the parts of a model, and how training makes each. Presets are recipes with a name.

A part that is None is not trained, and its options cannot be set. `option` declares each option
once: its default, its range and its flag on the command line. The docstring of a part describes
them; the command line takes its help from there.

>>> from truecase.training.recipe import PRESETS
>>> PRESETS["crf"].with_options({"dense.sigma": 1.0, "lexicon.min_count": 3}).dense
DenseRecipe(sigma=1.0)
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from truecase.base.argument_types import check_type
from truecase.errors import OptionError, TrainingError
from truecase.kernels import _punctuation_network as kernel
from truecase.kernels._components import MAX_NETWORK, NETWORK_JOINED, UNITS_IN_GROUP, VECTOR
from truecase.kernels.text import Casing, casing_of
from truecase.rules.styles import compile_patterns
from truecase.training.option import Part, expect, option
from truecase.training.option import option_fields as option_fields

Segmentation = Literal["raw", "space"]
Titles = Literal["all", "drop", "only"]
Candidates = Literal["pruned", "full"]
Variant = Literal["product", "interpolated", "powers"]
Search = Literal["viterbi", "left-to-right"]
PhrasesOf = Literal["naive", "words"]

_Part = TypeVar("_Part", bound=Part)

#: Pruned candidates leave out forms below this share of their word's occurrences.
MIN_SHARE, MIN_SHARE_OF_NETWORK = 0.02, 0.002


def _casing(language: str) -> Casing:
    try:
        return casing_of(language)
    except ValueError as error:
        raise TrainingError(str(error)) from None


# The parts of a recipe


class _OfLanguage(Part):
    """A part with a language."""

    language: str = option("")

    def __post_init__(self) -> None:
        super().__post_init__()
        _casing(self.language)

    @property
    def casing(self) -> Casing:
        """Case mapping of the language, as models name it."""
        return _casing(self.language)


@dataclass(frozen=True)
class TextRecipe(_OfLanguage):
    """How the text is read.

    Attributes
    ----------
    segmentation : Segmentation
        How text is split into words: raw, as natural text; space, at white space.
    language : str
        Language code, such as de: the model follows its rules; tr and az have case mappings of
        their own.
    """

    segmentation: Segmentation = option("raw", flag="--segmentation")
    language: str = option("", flag="--language")


@dataclass(frozen=True)
class Filters(Part):
    """Which lines of a text the model learns from (Agbago et al. 2005, 4).

    Raises
    ------
    TrainingError, StyleError
        An option is out of range; a pattern is no regular expression.

    Attributes
    ----------
    clean : bool
        Take out markup tags, and lines that are mostly in upper case.
    titles : Titles
        Train on all lines (all), on lines that are no titles (drop), or on titles only (only).
    title_patterns : tuple[str, ...]
        A line in which one of these regular expressions is found is a title, beside the titles
        found by their case and form.
    title_detector : bool
        Learn to tell titles from body text, for `truecase apply --style auto`.
    """

    clean: bool = option(False, flag="--clean")
    titles: Titles = option("all", flag="--titles")
    title_patterns: tuple[str, ...] = option((), flag="--title-pattern")
    title_detector: bool = option(False, flag="--title-detector")

    def __post_init__(self) -> None:
        super().__post_init__()
        expect(
            self.titles != "all" or not self.title_patterns,
            "title_patterns: expected with titles drop or only",
        )
        compile_patterns(self.title_patterns)


@dataclass(frozen=True)
class LexiconRecipe(Part):
    """Which forms a model knows.

    Attributes
    ----------
    min_count : int
        Training leaves forms seen less often to their word class.
    candidates : Candidates
        Candidates of a word: the forms seen in training (pruned), or also its lowercase,
        capitalised and upper-case forms (full).
    min_share : float or None
        With pruned candidates: leave out forms that are a smaller share of their word's
        occurrences; default: 0.02, or 0.002 with a network.
    smartcase : bool
        Learn the first word of a sentence as lowercase if that is its usual form elsewhere, and
        capitalise the first word of the output (Zollmann et al. 2006, 4.1).
    """

    min_count: int = option(2, least=1, flag="--min-count")
    candidates: Candidates = option("pruned", flag="--candidates")
    min_share: float | None = option(None, least=0, below=1, flag="--min-share")
    smartcase: bool = option(True, flag="--smartcase")

    def __post_init__(self) -> None:
        super().__post_init__()
        expect(
            self.min_share is None or self.candidates == "pruned",
            "min_share: full candidates leave no form out, whatever its share",
        )


@dataclass(frozen=True)
class Packing(Part):
    """How n-grams are stored.

    Attributes
    ----------
    probability_bits, backoff_bits, fingerprint_bits : int
        Bits of a probability, of a back-off weight, and of an n-gram's fingerprint.
    load : float
        Share of filled slots in the tables.
    """

    probability_bits: int = option(7, within=(2, 16))
    backoff_bits: int = option(7, within=(2, 16))
    fingerprint_bits: int = option(14, within=(4, 24))
    load: float = option(0.85, within=(0.1, 0.95))


@dataclass(frozen=True)
class NgramRecipe(Part):
    """The language model.

    Attributes
    ----------
    order : int
        Order of the n-grams.
    prune : tuple[int, ...]
        Leave out n-grams that occur no more often than this, one number per order, as lmplz does.
    decision_loss : float
        Leave out n-grams whose absence costs the training text less than this many nats of
        log-probability of its casing; 0: only those that can change no decision.
    keep_ngrams : bool
        Keep the words of the n-grams, for `truecase arpa export`.
    packing : Packing
        How the n-grams are stored.
    """

    order: int = option(3, within=(1, 5), flag="--order")
    prune: tuple[int, ...] = option((), least=0, flag="--prune")
    decision_loss: float = option(0.0, least=0)
    keep_ngrams: bool = option(False, flag="--keep-ngrams")
    packing: Packing = option(Packing())

    def __post_init__(self) -> None:
        super().__post_init__()
        expect(
            len(self.prune) <= self.order,
            f"prune: {len(self.prune)} thresholds, but n-grams of order {self.order} at most",
        )
        expect(
            list(self.prune) == sorted(self.prune),
            "prune: the thresholds must not fall from one order to the next",
        )


@dataclass(frozen=True)
class DenseRecipe(Part):
    """The weights of the dense features.

    Attributes
    ----------
    sigma : float or Literal["search"]
        Standard deviation of the weights' prior; search finds it: it learns on one half of the
        development text and judges on the other.
    """

    sigma: float | Literal["search"] = option(0.5, within=(1e-3, 1e3), flag="--sigma")


@dataclass(frozen=True)
class NetworkRecipe(Part):
    """The network that reads whole sentences.

    Rates and sizes were chosen on development text; none is critical.

    Attributes
    ----------
    folds : int
        Parts of the text; training learns weights on each with the language model of the others.
    epochs : int
        Passes over the text that learn the weights.
    drop_punctuation : float
        Share of the lines whose punctuation is hidden while weights are learned, for text from
        speech recognition.
    spoil_case : float
        Share of the lines whose case the network reads, with slips or in title case, for
        ``--input-case evidence``.
    n_units : int
        Recurrent units of each direction, a multiple of 16.
    n_words, n_pairs : int
        Words, and pairs of words, with rows of their own, at most; multiples of 4.
    n_affixes : int
        Rows of words' first, and of their last letters.
    lm_weight : float
        Weight of the language model.
    rate, row_rate : float
        Initial rates, which fall along a cosine: Adam's, and Adagrad's of rows.
    hide_rows : float
        Share of the words, and of pairs, whose rows are hidden, so that not all is learned from
        words alone.
    """

    folds: int = option(3, within=(1, 100), flag="--folds")
    epochs: int = option(2, within=(1, 100), flag="--epochs")
    drop_punctuation: float = option(0.25, within=(0, 1), flag="--drop-punctuation")
    spoil_case: float = option(0.3, within=(0, 1))
    n_units: int = option(64, within=(UNITS_IN_GROUP, MAX_NETWORK), multiple=UNITS_IN_GROUP)
    n_words: int = option(1 << 16, least=4, below=1 << 31, multiple=kernel.IN_BUCKET)
    n_pairs: int = option(1 << 17, least=4, below=1 << 31, multiple=kernel.IN_BUCKET)
    n_affixes: int = option(1 << 14, least=1, below=1 << 31)
    lm_weight: float = option(0.7, within=(-1e6, 1e6))
    rate: float = option(3e-3, above=0)
    row_rate: float = option(0.08, above=0)
    hide_rows: float = option(0.08, within=(0, 1))

    @property
    def size(self) -> int:
        """Bytes that the network takes at most."""
        of_word, of_suffix, of_prefix, _, of_pair = VECTOR
        rows = self.n_words * (of_word + 2) + self.n_pairs * (of_pair + 4)
        weights = 6 * self.n_units * (1 + UNITS_IN_GROUP + sum(VECTOR)) + NETWORK_JOINED * (
            2 * self.n_units + sum(VECTOR) + of_pair + 8
        )
        return rows + self.n_affixes * (of_suffix + of_prefix) + 4 * weights


@dataclass(frozen=True)
class TranslationRecipe(Part):
    """The translation tables that features of the source use.

    Attributes
    ----------
    table_size : int
        Bytes for the translation tables, part of --max-size.
    phrases : PhrasesOf
        Learn weights with the phrases of the naive phrase aligner on the development text (naive),
        or with the links of its words as they are (words).
    """

    table_size: int = option(1_000_000, least=0, flag="--table-size", metavar="SIZE")
    phrases: PhrasesOf = option("naive", flag="--phrases")


@dataclass(frozen=True)
class SourceRecipe(_OfLanguage):
    """The features of the source sentence, learned from aligned text.

    Attributes
    ----------
    language : str
        Language of the source; only tr and az differ, in their dotted and dotless i.
    translation : TranslationRecipe
    """

    language: str = option("", flag="--source-language")
    translation: TranslationRecipe = option(TranslationRecipe())


@dataclass(frozen=True)
class PortageRecipe(Part):
    """How the model combines n-grams with the case of words (Agbago et al. 2005).

    Attributes
    ----------
    variant : Variant
        How the model combines the language model with the case of each word by itself; the weights
        of interpolated and powers are fitted to the development text, if there is one.
    search : Search
        Search for the best sequence (viterbi), or decide word by word (left-to-right).
    """

    variant: Variant = option("product", flag="--variant")
    search: Search = option("viterbi", flag="--search")


@dataclass(frozen=True)
class Recipe(Part):
    """The parts of a model, and how each is trained.

    Attributes
    ----------
    text, filters, lexicon : TextRecipe, Filters, LexiconRecipe
        How the text is read, which lines the model learns from, which forms it knows.
    lm : NgramRecipe or None
        The language model; None: each word gets its most frequent form.
    dense : DenseRecipe or None
        Dense features, with weights learned on held-out text.
    network : NetworkRecipe or None
        A network that reads whole sentences, in place of features.
    source : SourceRecipe or None
        Further features look at the source sentence.
    portage : PortageRecipe or None
        The case of words by themselves, beside the language model.
    max_size : int or None
        Limit of the model file, such as 12M; pruning leaves out first the n-grams that matter least
        for casing.
    origin : str
        Where the training text comes from; kept in the model.
    licence : str
        Licence of the training text; kept in the model.
    """

    text: TextRecipe = option(TextRecipe())
    filters: Filters = option(Filters())
    lexicon: LexiconRecipe = option(LexiconRecipe())
    lm: NgramRecipe | None = option(NgramRecipe())
    dense: DenseRecipe | None = option(None)
    network: NetworkRecipe | None = option(None)
    source: SourceRecipe | None = option(None)
    portage: PortageRecipe | None = option(None)
    max_size: int | None = option(None, least=1, flag="--max-size", metavar="SIZE")
    origin: str = option("", flag="--origin")
    licence: str = option("", flag="--licence")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.lm is None:
            for name in ("dense", "network", "source", "portage"):
                expect(getattr(self, name) is None, f"{name}: needs a language model, `lm`")
            expect(
                self.max_size is None,
                "max_size: without a language model there are no n-grams to leave out; "
                "min_count makes the lexicon smaller",
            )
            return
        expect(
            self.dense is None or self.network is None,
            "dense features and a network: one of them, not both",
        )
        expect(
            self.portage is None or not (self.dense or self.network or self.source),
            "portage: goes with a language model alone",
        )
        expect(
            (self.dense or self.network) is None or self.lm.order > 1,
            "order 1 has no edges to be weighed; use 2",
        )
        expect(
            self.source is None or self.dense is not None or self.network is not None,
            "source: needs dense features or a network beside it",
        )
        smaller = "lower source.translation.table_size"
        if self.network is not None:
            smaller = "in Python, lower network.n_words and network.n_pairs"
        expect(
            self.max_size is None or self.feature_size < self.max_size,
            f"features of {self.feature_size:,} bytes leave nothing of a model of "
            f"{self.max_size or 0:,}; {smaller}",
        )

    @property
    def least_share(self) -> float:
        """The lexicon's `min_share`, or its default: a network chooses well among more forms."""
        if self.lexicon.min_share is not None:
            return self.lexicon.min_share
        return MIN_SHARE if self.network is None else MIN_SHARE_OF_NETWORK

    @property
    def feature_size(self) -> int:
        """Bytes of `max_size` that features may take at most."""
        size = 0 if self.network is None else self.network.size
        return size if self.source is None else size + self.source.translation.table_size

    @property
    def preset(self) -> str:
        """Name of the preset with the same parts."""
        return next(name for name, preset in PRESETS.items() if _parts(preset) == _parts(self))

    def options(self) -> Iterator[str]:
        """The paths of the options of all parts, such as ``dense.sigma``."""
        for path, _ in option_fields(Recipe):
            part: Any = self
            for name in path.split(".")[:-1]:
                part = part and getattr(part, name)
            if part is not None:
                yield path

    def has_option(self, option: str) -> bool:
        """Whether the recipe has the option with this path."""
        if option == "max_size":
            return self.lm is not None
        return option in self.options()

    def with_options(self, options: Mapping[str, object]) -> Recipe:
        """The recipe with other values of some options.

        Parameters
        ----------
        options : mapping of str to object
            Values by path: ``{"dense.sigma": 1.0, "max_size": 12_000_000}``.

        Raises
        ------
        OptionError
            The recipe has no such part; the message names the presets that have it.
        WrongTypeError, TrainingError
            A value has the wrong type or is out of range.
        """
        check_type("options", options, Mapping, "a mapping of paths to values")
        for path in options:
            if not self.has_option(path):
                presets = [name for name, recipe in PRESETS.items() if recipe.has_option(path)]
                raise OptionError(path, self.preset, presets)
        return _replaced(self, options)


# Parts that a recipe can lack.
_PARTS = ("lm", "dense", "network", "source", "portage")


def _parts(recipe: Recipe) -> list[bool]:
    return [getattr(recipe, name) is not None for name in _PARTS]


def recipe_note(recipe: Recipe) -> dict[str, Any]:
    """The recipe as the notes of a model keep it, JSON-able."""
    parts = plain(dataclasses.asdict(recipe))
    # Origin and licence have notes of their own.
    kept = {name: value for name, value in parts.items() if name not in ("origin", "licence")}
    return {"preset": recipe.preset, **kept}


def plain(value: Any) -> Any:
    """Make options JSON-able; parts that are not trained are left out."""
    if isinstance(value, dict):
        return {
            name: plain(inner)
            for name, inner in value.items()
            if not (inner is None and name in _PARTS)
        }
    return [plain(inner) for inner in value] if isinstance(value, (list, tuple)) else value


def _replaced(part: _Part, options: Mapping[str, object]) -> _Part:
    """A part with all options replaced at once, since their checks depend on one another."""
    values: dict[str, Any] = {}
    inner: dict[str, dict[str, object]] = {}
    for path, value in options.items():
        name, _, rest = path.partition(".")
        if rest:
            inner.setdefault(name, {})[rest] = value
        else:
            values[name] = value
    for name, changes in inner.items():
        values[name] = _replaced(getattr(part, name), changes)
    return dataclasses.replace(part, **values)  # type: ignore[type-var]


#: The recipes that have a name.
PRESETS: dict[str, Recipe] = {
    "unigram": Recipe(lm=None),
    "ngram": Recipe(),
    "portage": Recipe(portage=PortageRecipe()),
    "crf": Recipe(dense=DenseRecipe()),
    "crf-neural": Recipe(network=NetworkRecipe()),
    "bilingual": Recipe(dense=DenseRecipe(), source=SourceRecipe()),
    "bilingual-neural": Recipe(network=NetworkRecipe(), source=SourceRecipe()),
}


def recipe_of(recipe: Recipe | str) -> Recipe:
    """Return a recipe, or the preset of this name.

    Raises WrongTypeError for any other type, TrainingError for an unknown preset.
    """
    if isinstance(recipe, Recipe):
        return recipe
    check_type("recipe", recipe, str, "a Recipe or the name of a preset")
    if recipe not in PRESETS:
        raise TrainingError(f"unknown preset {recipe!r}: expected one of {', '.join(PRESETS)}")
    return PRESETS[recipe]


# Recipes for a model that exists


@dataclass(frozen=True)
class Adaptation(Part):
    """How a model is fitted to a domain.

    Attributes
    ----------
    sigma : float or Literal["search"]
        For the presets crf and bilingual: how far weights may move from the model's, as a standard
        deviation; or search.
    passes : int
        Passes of a network over the corpus.
    min_count : int
        Adaptation leaves forms of the corpus seen less often to their word class.
    max_size : int or None
        The most that the corpus may add to the model file, such as 4M.
    """

    sigma: float | Literal["search"] = option(0.1, within=(1e-3, 1e3), flag="--sigma")
    passes: int = option(2, within=(1, 100), flag="--passes")
    min_count: int = option(1, least=1, flag="--min-count")
    max_size: int | None = option(None, least=1, flag="--max-size", metavar="SIZE")


# Signs that count as another mark, as in Tilk & Alumäe (2016) and others.
_ALIKE = {**dict.fromkeys("!;…。", "."), **dict.fromkeys(":—–-，", ",")}

# Words that training learns from, in all passes.
_ENOUGH = 30_000_000


@dataclass(frozen=True)
class MarksRecipe(Part):
    """The punctuation that a model restores, and how it learns that.

    Raises
    ------
    WrongTypeError, TrainingError
        An option has the wrong type, or its value makes no sense.

    Attributes
    ----------
    marks : tuple[str, ...]
        The marks to learn, the strongest last: it counts for a word that has several of them.
    ends : tuple[str, ...]
        The marks that end sentences.
    alike : Mapping[str, str]
        Other signs that count as one of the marks, in training text and in the text to punctuate.
    openings : tuple[str, ...]
        Marks in front of words, such as the Spanish ¿ and ¡.
    offsets : Mapping[str, float]
        Nats to add to the final score of a mark; "" is no mark. For training text with fewer marks
        than the text to punctuate.
    n_units : int
        Recurrent units of each direction, a multiple of 16 up to 128.
    n_words : int
        The most frequent words, at most, that have rows of their own; a multiple of 4, 34 bytes of
        the model each.
    n_endings : int
        Rows for the last letters of words; endings share rows by their hashes.
    n_pairs : int
        The most frequent pairs of words, at most, that have rows of their own; a multiple of 4, 14
        bytes of the model each.
    passes : int
        Passes over the text. 0: as many as make 30 million words, from 2 to 20, because a small
        text makes too few steps otherwise.
    rate, row_rate : float
        Initial rates of Adam and, for rows, of Adagrad; they fall to 0 along a cosine.
    length : int
        Words of a piece.
    batch : int
        Pieces of a step; with more of them, a text makes too few steps.
    hide_words : float
        Share of the words, and of pairs, whose rows are hidden, so that not all is learned from
        words alone.
    cut : float
        Share of the pieces that are read as a stream that breaks off after some words, because a
        session does not know the next words.
    cut_gaps : float
        Share of the words of such a piece after which it breaks off.
    show : float
        Share of the pieces that show some of their marks to the network.
    """

    marks: tuple[str, ...] = option((",", ".", "?"))
    ends: tuple[str, ...] = option((".", "?"))
    alike: Mapping[str, str] = field(default_factory=_ALIKE.copy)
    openings: tuple[str, ...] = option(())
    offsets: Mapping[str, float] = field(default_factory=dict)
    n_units: int = option(
        96, within=(UNITS_IN_GROUP, kernel.MAX_UNITS), multiple=UNITS_IN_GROUP, flag="--units"
    )
    n_words: int = option(1 << 16, least=0, below=1 << 31, multiple=kernel.IN_BUCKET)
    n_endings: int = option(1 << 12, least=1, below=1 << 31)
    n_pairs: int = option(
        1 << 18, least=0, below=1 << 31, multiple=kernel.IN_BUCKET, flag="--pairs"
    )
    passes: int = option(0, least=0, flag="--passes")
    rate: float = option(4e-3, above=0)
    row_rate: float = option(0.15, above=0)
    length: int = option(120, least=16)
    batch: int = option(16, least=1)
    hide_words: float = option(0.1, within=(0, 1))
    cut: float = option(0.15, within=(0, 1))
    cut_gaps: float = option(0.1, within=(0, 1))
    show: float = option(0.15, within=(0, 1))

    def __post_init__(self) -> None:
        super().__post_init__()
        expect(
            1 <= len(self.marks) <= kernel.MAX_MARKS and len(set(self.marks)) == len(self.marks),
            f"marks {' '.join(self.marks)!r}: expected 1 to {kernel.MAX_MARKS}, each once",
        )
        n_pairs = (1 + len(self.marks)) * (1 + len(self.openings))
        expect(
            len(self.openings) <= kernel.MAX_BEFORE and n_pairs <= kernel.MAX_PAIRS,
            f"marks: {len(self.marks)} behind words and {len(self.openings)} in front of them "
            "are too many",
        )
        expect(
            len({*self.marks, *self.openings}) == len(self.marks) + len(self.openings),
            "marks: expected each once",
        )
        for sign in (*self.marks, *self.openings, *self.alike):
            expect(kernel.is_sign(sign), f"{sign!r} is no mark of one character")
        for name, given, marks in (
            ("ends", self.ends, self.marks),
            ("offsets", self.offsets, ("", *self.marks, *self.openings)),
        ):
            for mark in given:
                expect(mark in marks, f"{name}: {mark!r} is not one of the marks")

    def passes_over(self, n_words: int) -> int:
        """Passes that training makes over a text of `n_words` words."""
        return self.passes or min(max(math.ceil(_ENOUGH / n_words), 2), 20)

    @property
    def used_alike(self) -> dict[str, str]:
        """The signs of `alike` that stand for a mark of this recipe."""
        return {
            sign: mark
            for sign, mark in self.alike.items()
            if mark in self.marks and sign not in (*self.marks, *self.openings)
        }

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """By label: the sign behind a word, and the sign in front of the next one."""
        return [(mark, opening) for opening in ("", *self.openings) for mark in ("", *self.marks)]

    @property
    def signs(self) -> dict[str, int]:
        """Labels of all signs that count as marks."""
        label = {mark: number for number, mark in enumerate(self.marks, 1)}
        return label | {sign: label[mark] for sign, mark in self.used_alike.items()}
