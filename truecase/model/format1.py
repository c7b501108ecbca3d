"""Model files of format 1: one flat section ``decoder`` of settings, and a preset's name.

They open for ever. Arrays and settings are regrouped into components and renamed, without copying.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from truecase.errors import ModelError
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

# The first part of an array's name → its component, and what the rest of its name begins with.
_PLACES = {
    "lexicon": ("lexicon", ""),
    "classes": ("lexicon", "classes."),
    **{f"ngram{k}": ("lm", f"ngram{k}.") for k in range(2, 6)},
    "crf": ("dense", ""),
    "fine": ("sparse", ""),
    "source": ("source", ""),
    "translation": ("tables", ""),
    "portage": ("portage", ""),
    "titles": ("titles", ""),
    "ngrams": ("words", ""),
    "map": ("words", ""),
}
# What else has another name now.
_ARRAYS = {
    "crf.shift": ("dense", "neighbour_log_odds"),
    "crf.beside": ("dense", "case_context"),
    "source.crf_weights": ("source", "dense_weights"),
}
# Settings in a section of their own → their component.
_SECTIONS = {
    "lexicon": "lexicon",
    "fine": "sparse",
    "crf": "dense",
    "source": "source",
    "translation": "tables",
    "portage": "portage",
}
_SECTION_SETTINGS = {
    "crf": {"columns": "features"},
    "source": {"columns": "features", "crf_columns": "dense_features"},
}
# Those beside the sections → component and name.
_SETTINGS = {
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
# Of the case mappings that made the files that name no version.
_FIRST_UNICODE = "14.0"
# What is of the file, not of the model.
_FILE_KEYS = ("decoder", "format", "package", "checksum")
_DOMAIN = "domain."

Parts = dict[str, tuple[Arrays, dict[str, Any]]]


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


def _place(name: str) -> tuple[str, str]:
    """The component and the name there of an array; two empty names if it has none."""
    if name in _ARRAYS:
        return _ARRAYS[name]
    first, _, rest = name.partition(".")
    component, prefix = _PLACES.get(first, ("", ""))
    return component, prefix + rest if component else ""


def regroup(
    arrays: Arrays, metadata: Mapping[str, Any]
) -> tuple[dict[str, str], Parts, dict[str, Any]]:
    """Settings of the text, arrays and settings by component, and the notes of a model.

    Raises
    ------
    ModelError
        If the settings name no known preset, segmentation or casing.
    """
    settings = metadata["decoder"]
    preset = _one_of(settings, "preset", tuple(FORMAT1_PRESETS.values()))
    text = {
        "segmentation": _one_of(settings, "segmentation", ("raw", "space")),
        "casing": _one_of(settings, "casing", ("default", "turkic")),
        "unicode": str(settings.get("unicode", _FIRST_UNICODE)),
    }
    parts: Parts = {name: ({}, {}) for name in _present(preset, settings, arrays)}
    for name, array in arrays.items():
        component, own = _place(name)
        if component in parts:
            parts[component][0][own] = array
    for section, component in _SECTIONS.items():
        if component in parts and isinstance(settings.get(section), dict):
            renamed = _SECTION_SETTINGS.get(section, {})
            parts[component][1].update(
                {renamed.get(key, key): value for key, value in settings[section].items()}
            )
    for name, (component, own) in _SETTINGS.items():
        if component in parts and name in settings:
            parts[component][1][own] = settings[name]
    parts["lexicon"][1]["smartcase"] = _smartcase(settings, metadata)
    if "sparse" in parts:
        # The weight of the n-grams was learned with theirs.
        weight = parts["lm"][1].pop("weight", None)
        parts["sparse"][1].update({} if weight is None else {"lm_weight": weight})
    if "domain" in parts:
        parts["domain"] = _domain(arrays, settings["domain"], text)
    notes = {name: value for name, value in metadata.items() if name not in _FILE_KEYS}
    return text, parts, notes


def _domain(arrays: Arrays, section: Any, text: Mapping[str, str]) -> tuple[Arrays, dict[str, Any]]:
    """A domain's model, which was one of n-grams."""
    section = section if isinstance(section, dict) else {}
    decoder = section.get("decoder")
    if not isinstance(decoder, dict) or decoder.get("preset") != FORMAT1_PRESETS["ngram"]:
        raise ModelError("the setting domain.decoder is not that of a model of n-grams")
    own = {
        name[len(_DOMAIN) :]: array for name, array in arrays.items() if name.startswith(_DOMAIN)
    }
    own_text, parts, _ = regroup(own, {"decoder": decoder})
    if own_text != text:
        raise ModelError("segmentation or casing of the domain's model are others")
    names = ("lexicon", "lm")
    settings: dict[str, Any] = {name: parts[name][1] for name in names}
    if "mixture_weight" in section:
        settings["share"] = section["mixture_weight"]
    inside = {f"{name}/{key}": array for name in names for key, array in parts[name][0].items()}
    return inside, settings


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
    arrays: Arrays = {}
    renamed = {place: name for name, place in _ARRAYS.items()}
    for name, component in model.components().items():
        if name == "domain":
            continue
        firsts = {prefix: first for first, (owner, prefix) in _PLACES.items() if owner == name}
        for own, array in component.arrays.items():
            prefix = max((p for p in firsts if own.startswith(p)), key=len)
            first = "map" if (name, own) == ("words", "case") else firsts[prefix]
            first = "ngrams" if name == "words" and first != "map" else first
            arrays[renamed.get((name, own), f"{first}.{own[len(prefix) :]}")] = array
        decoder.update(_flat_settings(name, component.settings))
    if model.domain is not None:
        inner = type(model)(text=model.text, lexicon=model.domain.lexicon, lm=model.domain.lm)
        own_arrays, metadata = flatten(inner)
        arrays.update({_DOMAIN + name: array for name, array in own_arrays.items()})
        decoder["domain"] = {"mixture_weight": model.domain.share, **metadata}
    return arrays, {**model.notes, "decoder": decoder}


def _flat_settings(component: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """A component's settings as they stand beside those of the others."""
    flat = {
        name: settings[own]
        for name, (owner, own) in _SETTINGS.items()
        if owner == component and own in settings
    }
    beside = {own for owner, own in _SETTINGS.values() if owner == component} | {"smartcase"}
    if component == "sparse":
        flat["lm_weight"] = settings["lm_weight"]
        beside.add("lm_weight")
    for section, owner in _SECTIONS.items():
        if owner == component:
            old = {new: name for name, new in _SECTION_SETTINGS.get(section, {}).items()}
            flat[section] = {
                old.get(own, own): value for own, value in settings.items() if own not in beside
            }
    return flat
