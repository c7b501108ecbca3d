"""Model files of format 1: one flat section ``decoder`` of settings, and a preset's name.

Read and written without copying arrays: they are regrouped into a model's components by the first
part of their names.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from truecase.errors import ModelError
from truecase.model.model import (
    CaseModels,
    Component,
    DenseFeatures,
    Domain,
    KeptWords,
    LanguageModel,
    Lexicon,
    SourceFeatures,
    SparseFeatures,
    TextSettings,
    TitleWeights,
    TranslationTables,
)
from truecase.modelfile.layout import Arrays

if TYPE_CHECKING:
    from truecase.model.model import Model

#: How these files name presets.
FORMAT1_PRESETS = {
    "unigram": "unigram",
    "ngram": "trigram",
    "portage": "portage",
    "crf": "crf",
    "crf-sparse": "crf-fine",
    "bilingual": "bilingual",
    "bilingual-sparse": "bilingual-fine",
}

# First parts of the names of each component's arrays, and its settings.
_ARRAYS = {
    "lexicon": ("lexicon", "classes"),
    "lm": ("ngram2", "ngram3", "ngram4", "ngram5"),
    "dense": ("crf",),
    "sparse": ("fine",),
    "source": ("source",),
    "tables": ("translation",),
    "portage": ("portage",),
    "domain": ("domain",),
    "titles": ("titles",),
    "words": ("ngrams", "map"),
}
_SETTINGS = {
    # Unigrams are the lexicon's, those of the sentence marks, too.
    "lexicon": (
        "lexicon",
        "gen",
        "unseen_form_ln",
        "parts_bonus_ln",
        "sentence_start_backoff_ln",
        "sentence_end_ln",
    ),
    "lm": ("order", "closed", "lm_weight", "ngram2", "ngram3", "ngram4", "ngram5"),
    "dense": ("crf",),
    # The weight that the n-grams have beside sparse features is learned with these.
    "sparse": ("fine", "lm_weight"),
    "source": ("source",),
    "tables": ("translation",),
    "portage": ("portage",),
    "domain": ("domain",),
    "titles": (),
    "words": (),
}
_CLASSES: dict[str, type[Component]] = {
    "lexicon": Lexicon,
    "lm": LanguageModel,
    "dense": DenseFeatures,
    "sparse": SparseFeatures,
    "source": SourceFeatures,
    "tables": TranslationTables,
    "portage": CaseModels,
    "domain": Domain,
    "titles": TitleWeights,
    "words": KeptWords,
}
# Of the case mappings that made the files that name no version.
_FIRST_UNICODE = "14.0"
# What is of the file, not of the model.
_FILE_KEYS = ("decoder", "format", "package", "checksum")


def _present(preset: str, settings: Mapping[str, Any], arrays: Arrays) -> set[str]:
    """Components that a file of a preset has."""
    found = {"lexicon"}
    if preset != "unigram":
        found.add("lm")
    if preset in ("crf", "bilingual"):
        found.add("dense")
        if "domain" in settings:
            found.add("domain")
    if preset in ("crf-fine", "bilingual-fine"):
        found.add("sparse")
    if preset == "portage":
        found.add("portage")
    if preset not in ("unigram", "portage"):
        if "source" in settings:
            found.add("source")
        if "translation" in settings:
            found.add("tables")
    if any(name.startswith("titles.") for name in arrays):
        found.add("titles")
    if any(name.startswith(("ngrams.", "map.")) for name in arrays):
        found.add("words")
    return found


def sections(arrays: Arrays, metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Components and notes of a model, by the names of its fields.

    Raises
    ------
    ModelError
        If the settings name no known preset, segmentation or casing.
    """
    settings = metadata["decoder"]
    preset = _one_of(settings, "preset", tuple(FORMAT1_PRESETS.values()))
    parts: dict[str, Any] = {
        "text": TextSettings(
            segmentation="raw"
            if _one_of(settings, "segmentation", ("raw", "space")) == "raw"
            else "space",
            casing="turkic"
            if _one_of(settings, "casing", ("default", "turkic")) == "turkic"
            else "default",
            unicode=str(settings.get("unicode", _FIRST_UNICODE)),
        ),
        "notes": {name: value for name, value in metadata.items() if name not in _FILE_KEYS},
    }
    present = _present(preset, settings, arrays)
    for name in present:
        prefixes = _ARRAYS[name]
        own = {key: array for key, array in arrays.items() if key.split(".")[0] in prefixes}
        kept = {key: settings[key] for key in _SETTINGS[name] if key in settings}
        if name == "lexicon":
            kept["smartcase"] = _smartcase(settings, metadata)
        if name == "lm" and "sparse" in present:
            kept.pop("lm_weight", None)
        parts[name] = _CLASSES[name](own, kept)
    return parts


def _one_of(settings: Mapping[str, Any], name: str, choices: tuple[str, ...]) -> str:
    value = settings.get(name)
    if value not in choices:
        raise ModelError(f"the setting {name} is {value!r}, expected one of {', '.join(choices)}")
    return str(value)


def _smartcase(settings: Mapping[str, Any], metadata: Mapping[str, Any]) -> bool:
    """Where weights decide of first words, or there are no n-grams, only the options tell."""
    initial = _one_of(settings, "initial", ("none", "constrain", "restore", "learn"))
    if initial == "learn" or settings["preset"] == "unigram":
        training = metadata.get("training")
        return bool(training.get("smartcase", True)) if isinstance(training, dict) else True
    return initial == "restore"


def preset_of(model: Model) -> str:
    """The name of the preset whose components a model has."""
    if model.lm is None:
        return "unigram"
    if model.portage is not None:
        return "portage"
    if model.sparse is not None:
        return "bilingual-sparse" if model.sparse.reads_source else "crf-sparse"
    if model.dense is not None:
        # One and the same to who reads the file; it may have been meant for lines with a source.
        training = model.notes.get("training")
        recipe = training.get("preset") if isinstance(training, dict) else None
        return "bilingual" if recipe == "bilingual" else "crf"
    return "ngram"


def flatten(model: Model) -> tuple[Arrays, dict[str, Any]]:
    """Arrays and metadata of a model's file."""
    arrays: Arrays = {}
    decoder: dict[str, Any] = {
        "preset": FORMAT1_PRESETS[preset_of(model)],
        "segmentation": model.text.segmentation,
        "casing": model.text.casing,
        "unicode": model.text.unicode,
        "initial": model.first_word,
        "lm_weight": 1.0,
        "order": 1,
        "closed": True,
    }
    for name, component in model.components().items():
        arrays.update(component.arrays)
        decoder.update(
            {key: component.settings[key] for key in _SETTINGS[name] if key in component.settings}
        )
    return arrays, {**model.notes, "decoder": decoder}
