"""Model files of format 2: a section of arrays and settings for each component, checked there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from truecase.errors import ModelError

if TYPE_CHECKING:
    from truecase.base.container import Buffer, Buffers
    from truecase.base.model_file import Arrays

    Parts = dict[str, tuple[dict[str, Buffer], dict[str, Any]]]

#: Sections that a file may have, named after the components.
SECTIONS = (
    "lexicon",
    "lm",
    "dense",
    "sparse",
    "source",
    "tables",
    "portage",
    "domain",
    "sparse_domain",
    "titles",
    "words",
    "names",
    "context",
    "marks",
    "calibration",
)

_TEXT = ("segmentation", "casing", "unicode", "language")


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
    for name in _TEXT:
        if not isinstance(text.get(name), str):
            raise ModelError(f"the setting text.{name} is missing")
    parts: Parts = {}
    for name, settings in sections.items():
        if name == "text":
            continue
        if name not in SECTIONS or not isinstance(settings, dict):
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
    return {name: text[name] for name in _TEXT}, parts, notes if isinstance(notes, dict) else {}


def flatten(
    text: Mapping[str, str],
    arrays: Mapping[str, Arrays],
    settings: Mapping[str, Mapping[str, Any]],
    notes: Mapping[str, Any],
) -> tuple[Arrays, dict[str, Any]]:
    """Join the arrays and settings of components to those of a file."""
    flat = {f"{name}/{own}": array for name, part in arrays.items() for own, array in part.items()}
    return flat, {"sections": {"text": dict(text), **settings}, "notes": dict(notes)}
