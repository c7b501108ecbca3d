"""Model files of format 1: one flat section ``decoder`` of settings, and a preset's name.

Arrays and settings are regrouped into components and renamed, without copying.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from truecase.errors import ModelError
from truecase.kernels.schema import FORMAT1_NAMES

if TYPE_CHECKING:
    from truecase.base.model_file import Buffer, Buffers

    Parts = dict[str, tuple[dict[str, Buffer], dict[str, Any]]]


#: Presets → their names in these files.
FORMAT1_PRESETS = {
    "unigram": "unigram",
    "ngram": "trigram",
    "portage": "portage",
    "crf": "crf",
    "crf-sparse": "crf-fine",
    "bilingual": "bilingual",
    "bilingual-sparse": "bilingual-fine",
}

#: First part of an array's name → its component, and the prefix of its new name.
PLACES = {
    "lexicon": ("lexicon", ""),
    "classes": ("lexicon", "classes."),
    **{f"ngram{k}": ("lm", f"ngram{k}.") for k in range(2, 6)},
    "crf": ("dense", ""),
    "source": ("source", ""),
    "translation": ("tables", ""),
    "portage": ("portage", ""),
    "titles": ("titles", ""),
    "ngrams": ("words", ""),
    "map": ("words", ""),
}
#: Other arrays with new names.
RENAMED_ARRAYS = {
    "crf.shift": ("dense", "neighbour_log_odds"),
    "crf.beside": ("dense", "case_context"),
    "source.crf_weights": ("source", "dense_weights"),
}
#: Sections of settings → components.
SECTIONS = {
    "lexicon": "lexicon",
    "crf": "dense",
    "source": "source",
    "translation": "tables",
    "portage": "portage",
}
#: Settings of these sections with new names.
SECTION_SETTINGS = {
    "crf": {"columns": "features"},
    "source": {"columns": "features", "crf_columns": "dense_features"},
}
#: Settings outside the sections → component and name.
SETTINGS = {
    "gen": ("lexicon", "candidates"),
    "unseen_form_ln": ("lexicon", "unseen_form_ln"),
    "parts_bonus_ln": ("lexicon", "parts_bonus_ln"),
    "sentence_start_backoff_ln": ("lexicon", "sentence_start_backoff_ln"),
    "sentence_end_ln": ("lexicon", "sentence_end_ln"),
    "order": ("lm", "order"),
    "closed": ("lm", "closed"),
    "lm_weight": ("lm", "weight"),
    **{f"ngram{k}": ("lm", f"ngram{k}") for k in range(2, 6)},
}
# The Unicode version of files that name none.
_FIRST_UNICODE = "14.0"
# Metadata of the file, not of the model.
_FILE_KEYS = ("decoder", "format", "package", "checksum")
#: Prefix of a domain's arrays.
DOMAIN = "domain."


def _present(preset: str, settings: Mapping[str, Any], arrays: Buffers) -> set[str]:
    """Components of a file with this preset."""
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


def _place(name: str) -> tuple[str, str]:
    """Component and name of an array; two empty names if the model has no use for it."""
    if name in RENAMED_ARRAYS:
        return RENAMED_ARRAYS[name]
    first, _, rest = name.partition(".")
    component, prefix = PLACES.get(first, ("", ""))
    return component, prefix + rest if component else ""


def regroup(
    arrays: Buffers, metadata: Mapping[str, Any]
) -> tuple[dict[str, str], Parts, dict[str, Any]]:
    """Split a file into text settings, arrays and settings by component, and notes.

    Raises
    ------
    ModelError
        The settings name no known preset, segmentation or casing.
    """
    settings = metadata["decoder"]
    preset = _one_of(settings, "preset", tuple(FORMAT1_PRESETS.values()))
    text = {
        "segmentation": _one_of(settings, "segmentation", ("raw", "space")),
        "casing": _one_of(settings, "casing", ("default", "turkic")),
        "unicode": str(settings.get("unicode", _FIRST_UNICODE)),
        "language": _language(metadata),
    }
    parts: Parts = {name: ({}, {}) for name in _present(preset, settings, arrays)}
    for name, array in arrays.items():
        component, own = _place(name)
        if component in parts:
            parts[component][0][own] = array
    for section, component in SECTIONS.items():
        if component in parts and isinstance(settings.get(section), dict):
            renamed = SECTION_SETTINGS.get(section, {})
            parts[component][1].update(
                {
                    renamed.get(key, key): _todays_names(value) if key in renamed else value
                    for key, value in settings[section].items()
                }
            )
    for name, (component, own) in SETTINGS.items():
        if component in parts and name in settings:
            parts[component][1][own] = settings[name]
    parts["lexicon"][1]["smartcase"] = _smartcase(settings, metadata)
    if "domain" in parts:
        parts["domain"] = _domain(arrays, settings["domain"], text)
    return text, parts, _notes(metadata)


def _todays_names(features: Any) -> Any:
    if not isinstance(features, list):
        return features
    return [FORMAT1_NAMES.get(name, name) if isinstance(name, str) else name for name in features]


def _domain(
    arrays: Buffers, section: Any, text: Mapping[str, str]
) -> tuple[dict[str, Buffer], dict[str, Any]]:
    """Regroup a domain's model of n-grams."""
    section = section if isinstance(section, dict) else {}
    decoder = section.get("decoder")
    if not isinstance(decoder, dict) or decoder.get("preset") != FORMAT1_PRESETS["ngram"]:
        raise ModelError("the setting domain.decoder is not that of a model of n-grams")
    own = {name[len(DOMAIN) :]: array for name, array in arrays.items() if name.startswith(DOMAIN)}
    own_text, parts, _ = regroup(own, {"decoder": decoder})
    if any(own_text[name] != text[name] for name in ("segmentation", "casing")):
        raise ModelError("segmentation or casing of the domain's model are others")
    names = ("lexicon", "lm")
    settings: dict[str, Any] = {name: parts[name][1] for name in names}
    if "mixture_weight" in section:
        settings["share"] = section["mixture_weight"]
    inside = {f"{name}/{key}": array for name in names for key, array in parts[name][0].items()}
    return inside, settings


def _notes(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Metadata that are notes, with the preset's new name."""
    notes = {name: value for name, value in metadata.items() if name not in _FILE_KEYS}
    training = notes.get("training")
    if isinstance(training, dict) and "preset" in training:
        names = {old: name for name, old in FORMAT1_PRESETS.items()}
        old = str(training["preset"])
        notes["training"] = {**training, "preset": names.get(old, old)}
    return notes


def _language(metadata: Mapping[str, Any]) -> str:
    """Language of the training text; empty if unknown."""
    training = metadata.get("training")
    return str(training.get("language", "")) if isinstance(training, dict) else ""


def _one_of(settings: Mapping[str, Any], name: str, choices: tuple[str, ...]) -> str:
    value = settings.get(name)
    if value not in choices:
        raise ModelError(f"the setting {name} is {value!r}, expected one of {', '.join(choices)}")
    return str(value)


def _smartcase(settings: Mapping[str, Any], metadata: Mapping[str, Any]) -> bool:
    """Whether SmartCase made the lexicon, by the rule for first words or the training options."""
    initial = _one_of(settings, "initial", ("none", "constrain", "restore", "learn"))
    if initial == "learn" or settings["preset"] == "unigram":
        training = metadata.get("training")
        return bool(training.get("smartcase", True)) if isinstance(training, dict) else True
    return initial == "restore"
