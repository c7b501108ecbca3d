"""What a file of format 1 held, made from a model: tests damage files of both formats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from truecase.base.model_file import Arrays
from truecase.model import format1
from truecase.model.model import Model


def flatten(model: Model) -> tuple[Arrays, dict[str, Any]]:
    """Arrays and metadata of a model's file."""
    decoder: dict[str, Any] = {
        "preset": format1.FORMAT1_PRESETS[model.preset],
        "segmentation": model.text.segmentation,
        "casing": model.text.casing,
        "unicode": model.text.unicode,
        "initial": model.first_word,
        "lm_weight": 1.0,
        "order": 1,
        "closed": True,
    }
    arrays: Arrays = {}
    renamed = {place: name for name, place in format1.RENAMED_ARRAYS.items()}
    for name, component in model.components().items():
        if name == "domain":
            continue
        firsts = {
            prefix: first for first, (owner, prefix) in format1.PLACES.items() if owner == name
        }
        for own, array in component.arrays.items():
            prefix = max((p for p in firsts if own.startswith(p)), key=len)
            first = "map" if (name, own) == ("words", "case") else firsts[prefix]
            first = "ngrams" if name == "words" and first != "map" else first
            arrays[renamed.get((name, own), f"{first}.{own[len(prefix) :]}")] = array
        decoder.update(flat_settings(name, component.settings))
    if model.domain is not None:
        inner = type(model)(text=model.text, lexicon=model.domain.lexicon, lm=model.domain.lm)
        own_arrays, metadata = flatten(inner)
        arrays.update({format1.DOMAIN + name: array for name, array in own_arrays.items()})
        decoder["domain"] = {"mixture_weight": model.domain.share, "decoder": metadata["decoder"]}
    training = {
        **model.notes.get("training", {}),
        "preset": decoder["preset"],
        "smartcase": model.lexicon.smartcase,
        "language": model.text.language,
    }
    return arrays, {"format": 1, **model.notes, "training": training, "decoder": decoder}


def flat_settings(component: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """A component's settings as they stand beside those of the others."""
    flat = {
        name: settings[own]
        for name, (owner, own) in format1.SETTINGS.items()
        if owner == component and own in settings
    }
    beside = {own for owner, own in format1.SETTINGS.values() if owner == component} | {"smartcase"}
    for section, owner in format1.SECTIONS.items():
        if owner == component:
            old = {new: name for name, new in format1.SECTION_SETTINGS.get(section, {}).items()}
            flat[section] = {
                old.get(own, own): value for own, value in settings.items() if own not in beside
            }
    return flat
