"""What can be chosen when a model is trained."""

import dataclasses
import os
from dataclasses import dataclass
from typing import Any

PRESETS = ("trigram", "unigram", "crf", "crf-fine", "portage", "bilingual", "bilingual-fine")
VARIANTS = ("product", "interpolated", "powers")
SEARCHES = ("viterbi", "left-to-right")
TITLES = ("all", "drop", "only")


class TrainingError(ValueError):
    """The training text or the options cannot give a model."""


@dataclass(frozen=True)
class TrainingOptions:
    """Options of `truecase.training.train.train`.

    Attributes
    ----------
    preset : {"trigram", "unigram", "crf", "crf-fine", "portage", "bilingual", "bilingual-fine"}
        Language model and Viterbi; the most frequent form of each word; the language model
        and further features with weights that `truecase.crf.train` learns; sparse features by
        the million and a hidden layer, from `truecase.crf.fine.train`; or the language model
        joined with Portage's models of case (Agbago et al. 2005). The bilingual ones are crf and
        crf-fine with features that look at the source sentence.
    variant : {"product", "interpolated", "powers"}
        How preset ``portage`` joins them.
    search : {"viterbi", "left-to-right"}
        How preset ``portage`` decides: by the best path, or word by word.
    order : int
        Order of the language model, 1 to 5.
    segmentation : {"raw", "space"}
        Natural text, or text whose tokens stand between white space.
    language : str
        Language code; only Turkish and Azeri ("tr", "az") change the case mapping.
    smartcase : bool
        Lowercase the first word of training sentences when it is mostly lowercase elsewhere,
        and capitalise the first word of the output (Zollmann et al. 2006, 4.1).
    prune : tuple of int
        n-grams of order k seen at most ``prune[k - 1]`` times are left out, as lmplz does it.
    min_count : int
        Forms seen less often are represented by their word class and tag.
    gen : {"pruned", "full"}
        Candidates: the forms seen in training, or also AL, IU and AU of every word.
    min_share : float
        With pruned candidates, forms that make up less than this share of their word's
        occurrences are left out.
    max_size : int or None
        Bytes of the model file to stay below; n-grams that matter least for casing go first.
    decision_loss : float
        n-grams go whose absence costs the training text less than this many nats of
        log-probability of its casing; 0 drops only those that can change no decision.
    probability_bits, backoff_bits, fingerprint_bits : int
        Widths of the fields of an n-gram's slot.
    load : float
        Share of filled slots in the tables.
    clean : bool
        Take markup tags out of the text, and leave lines out whose words are mostly upper case.
    titles : {"all", "drop", "only"}
        Whether lines that are titles are trained on, or nothing but them.
    title_patterns : tuple of str
        Regular expressions; a line in which one is found is a title.
    title_detector : bool
        Learn to tell titles by their form, and keep what was learnt, for style ``auto``.
    keep_ngrams : bool
        Keep the n-grams with their words, so that they can be written as an ARPA file.
    memory : int or None
        Bytes that counting may use; more goes to temporary files.
    sigma : float or "search"
        Of the preset crf: standard deviation of the weights' prior; "search" tries several.
    fine_size : int
        Of the preset crf-fine: bytes for its features, part of `max_size`.
    folds : int
        Parts of the text; its weights are learned on each with the language model of the others.
    epochs : int
        Passes of its weights over the text.
    drop_punctuation : float
        Share of the lines that its weights see without punctuation, as speech recognition
        gives them.
    source_language : str
        Of the bilingual presets: language code of the source, for its case mapping.
    phrases : {"naive", "words"}
        Of the preset bilingual: whether its weights are learned with phrases that the naive
        phrase aligner makes of the development text, or with its words' links as they are.
    table_size : int
        Of the preset bilingual: bytes for translation tables, part of `max_size`.
    origin, licence : str
        Of the training text, kept in the model's metadata.
    """

    preset: str = "trigram"
    variant: str = "product"
    search: str = "viterbi"
    order: int = 3
    segmentation: str = "raw"
    language: str = ""
    smartcase: bool = True
    prune: tuple[int, ...] = ()
    min_count: int = 2
    gen: str = "pruned"
    min_share: float = 0.02
    max_size: int | None = None
    decision_loss: float = 0.0
    probability_bits: int = 7
    backoff_bits: int = 7
    fingerprint_bits: int = 14
    load: float = 0.85
    clean: bool = False
    titles: str = "all"
    title_patterns: tuple[str, ...] = ()
    title_detector: bool = False
    keep_ngrams: bool = False
    memory: int | None = None
    origin: str = ""
    licence: str = ""
    threads: int = 0
    sigma: float | str = 0.5
    fine_size: int = 8_000_000
    folds: int = 4
    epochs: int = 1
    drop_punctuation: float = 0.0
    source_language: str = ""
    phrases: str = "naive"
    table_size: int = 1_000_000

    def __post_init__(self) -> None:
        def expect(condition: bool, message: str) -> None:
            if not condition:
                raise TrainingError(message)

        expect(self.preset in PRESETS, f"unknown preset {self.preset!r}")
        expect(self.variant in VARIANTS, f"unknown variant {self.variant!r}")
        expect(self.search in SEARCHES, f"unknown search {self.search!r}")
        expect(1 <= self.order <= 5, f"order {self.order}: expected 1 to 5")
        expect(
            not self.has_columns or self.order > 1,
            f"preset {self.preset}: order 1 has no edges; use 2",
        )
        expect(self.titles in TITLES, f"unknown titles {self.titles!r}")
        expect(
            not self.title_patterns or self.titles != "all",
            "title patterns: say whether titles are to be dropped or the only ones kept",
        )
        expect(self.segmentation in ("raw", "space"), f"unknown segmentation {self.segmentation!r}")
        expect(self.gen in ("pruned", "full"), f"unknown gen {self.gen!r}")
        expect(len(self.prune) <= 5, "more pruning thresholds than orders")
        expect(all(p >= 0 for p in self.prune), "pruning thresholds are not negative")
        expect(self.min_count >= 1, f"min_count {self.min_count}: expected 1 or more")
        expect(0 <= self.min_share < 1, f"min_share {self.min_share}: expected 0 up to below 1")
        expect(2 <= self.probability_bits <= 16, "probability_bits: expected 2 to 16")
        expect(2 <= self.backoff_bits <= 16, "backoff_bits: expected 2 to 16")
        expect(4 <= self.fingerprint_bits <= 24, "fingerprint_bits: expected 4 to 24")
        expect(
            self.sigma == "search" if isinstance(self.sigma, str) else 1e-3 <= self.sigma <= 1e3,
            f"sigma {self.sigma}: expected a number from 0.001 to 1000, or search",
        )
        expect(self.fine_size >= 0, "fine_size is not negative")
        expect(self.phrases in ("naive", "words"), f"unknown phrases {self.phrases!r}")
        expect(self.table_size >= 0, "table_size is not negative")
        expect(
            self.max_size is None or self.preset != "bilingual" or self.table_size < self.max_size,
            f"translation tables of {self.table_size:,} bytes leave nothing of a model of "
            f"{self.max_size or 0:,}; lower table_size",
        )
        expect(1 <= self.folds <= 100, f"folds {self.folds}: expected 1 to 100")
        expect(1 <= self.epochs <= 100, f"epochs {self.epochs}: expected 1 to 100")
        expect(
            0 <= self.drop_punctuation <= 1,
            f"drop_punctuation {self.drop_punctuation}: expected a share from 0 to 1",
        )
        expect(0.1 <= self.load <= 0.95, "load: expected 0.1 to 0.95")

    @property
    def has_columns(self) -> bool:
        """Whether the model weighs coarse features."""
        return self.preset in ("crf", "bilingual")

    @property
    def has_fine(self) -> bool:
        """Whether it weighs sparse features."""
        return self.preset in ("crf-fine", "bilingual-fine")

    @property
    def is_bilingual(self) -> bool:
        """Whether it learns from aligned text."""
        return self.preset in ("bilingual", "bilingual-fine")

    @property
    def turkic(self) -> bool:
        """Whether ``i`` and ``ı`` are cased as in Turkish."""
        return _is_turkic(self.language)

    @property
    def source_casing(self) -> str:
        """Case mapping of the source language, as models name it."""
        return "turkic" if _is_turkic(self.source_language) else "default"

    def to_dict(self) -> dict[str, Any]:
        """The options that shape the model, for its metadata (not memory and threads)."""
        options = dataclasses.asdict(self)
        for name in ("memory", "threads", "origin", "licence"):
            del options[name]
        if self.preset != "portage":
            del options["variant"], options["search"]
        options["prune"] = list(self.prune)
        if not self.has_columns:
            del options["sigma"]
        if not self.has_fine:
            for name in ("fine_size", "folds", "epochs", "drop_punctuation"):
                del options[name]
        if not self.is_bilingual:
            del options["source_language"]
        if self.preset != "bilingual":
            del options["table_size"], options["phrases"]
        options["title_patterns"] = list(self.title_patterns)
        return options


def _is_turkic(language: str) -> bool:
    return language.lower().replace("_", "-").split("-")[0] in ("tr", "az")


Path = str | os.PathLike[str]
