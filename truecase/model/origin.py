"""Of which file a model is: by that it travels to other processes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from truecase.data import EMBEDDED, is_embedded
from truecase.modelfile._component import Component
from truecase.modelfile.read import fingerprint


@dataclass(frozen=True)
class Origin:
    """A model file, and the components that were loaded from it.

    Attributes
    ----------
    embedded : str or None
        Name of the embedded model.
    path : str or None
        Of any other, from the root.
    fingerprint : str
        Of the file's contents; see `truecase.modelfile.read.fingerprint`.
    components : dict of str to Component
    settings : tuple
        What the file says of the text, and what it tells of the model.
    """

    embedded: str | None
    path: str | None
    fingerprint: str
    components: dict[str, Component]
    settings: tuple[object, object]


def origin_of(
    path: str | os.PathLike[str] | None,
    components: dict[str, Component],
    settings: tuple[object, object],
    metadata: Mapping[str, Any],
) -> Origin | None:
    """The origin of a model that was loaded by a name; None for a file that has no checksum."""
    found = fingerprint(metadata)
    if found is None:
        return None
    if is_embedded(path):
        return Origin(os.fspath(path or EMBEDDED[0]), None, found, components, settings)
    assert path is not None
    # Another process may run in another folder.
    return Origin(None, os.path.abspath(os.fspath(path)), found, components, settings)
