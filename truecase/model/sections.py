"""Model files of format 2: a section of arrays and settings for each component, checked there."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from truecase.errors import ModelError
from truecase.model.text_settings import TextSettings

if TYPE_CHECKING:
    from truecase.base._component import Component
    from truecase.base.container import Buffer, Buffers
    from truecase.base.model_file import Arrays

    Parts = dict[str, tuple[dict[str, Buffer], dict[str, Any]]]

#: Components, by the names of their sections, and their classes, imported when a model has one.
COMPONENTS = {
    "lexicon": "kernels._lexicon.Lexicon",
    "lm": "kernels._ngrams.LanguageModel",
    "dense": "kernels._components.DenseFeatures",
    "sparse": "kernels._components.SparseFeatures",
    "source": "kernels._components.SourceFeatures",
    "tables": "kernels._components.TranslationTables",
    "portage": "kernels._components.CaseModels",
    "domain": "kernels._ngrams.Domain",
    "sparse_domain": "kernels._components.AddedFeatures",
    "titles": "rules.styles.TitleWeights",
    "words": "ngram.kept_words.KeptWords",
    "names": "kernels._names.NameList",
    "network": "kernels._components.Network",
    "context": "kernels._components.ContextLayer",
    "marks": "kernels._punctuation_network.Marks",
    "calibration": "kernels._components.Calibration",
}


def class_of(component: str) -> type[Component]:
    """Import the class of one of `COMPONENTS`."""
    module, _, name = COMPONENTS[component].rpartition(".")
    found: type[Component] = getattr(import_module(f"truecase.{module}"), name)
    return found


def regroup(
    arrays: Buffers, metadata: Mapping[str, Any]
) -> tuple[dict[str, str], Parts, dict[str, Any]]:
    """Split the file of a whole model into the results of `parts_of`."""
    if "lexicon" not in metadata["sections"]:
        raise ModelError("the section lexicon is missing")
    return parts_of(arrays, metadata)


def parts_of(
    arrays: Buffers, metadata: Mapping[str, Any]
) -> tuple[dict[str, str], Parts, dict[str, Any]]:
    """Split a file that need not hold a whole model.

    Raises
    ------
    ModelError
        A section is unknown, or the text settings are missing.
    """
    sections = metadata["sections"]
    text = sections.get("text")
    if not isinstance(text, dict):
        raise ModelError("the section text is missing")
    for name in TextSettings.FIELDS:
        if not isinstance(text.get(name), str):
            raise ModelError(f"the setting text.{name} is missing")
    parts: Parts = {}
    for name, settings in sections.items():
        if name == "text":
            continue
        if name not in COMPONENTS or not isinstance(settings, dict):
            raise ModelError(
                f"the section {name} is unknown; a newer version of the package may have it"
            )
        parts[name] = ({}, settings)
    for name, array in arrays.items():
        section, _, own = name.partition("/")
        if section not in parts:
            raise ModelError(f"the array {name} belongs to no section")
        parts[section][0][own] = array
    notes = metadata.get("notes")
    return (
        {name: text[name] for name in TextSettings.FIELDS},
        parts,
        notes if isinstance(notes, dict) else {},
    )


def flatten(
    text: Mapping[str, str], parts: Mapping[str, Component], notes: Mapping[str, Any]
) -> tuple[Arrays, dict[str, Any]]:
    """Join the arrays and settings of components to those of a file."""
    flat = {f"{name}/{own}": a for name, part in parts.items() for own, a in part.arrays.items()}
    settings = {name: part.settings for name, part in parts.items()}
    return flat, {"sections": {"text": dict(text), **settings}, "notes": dict(notes)}
