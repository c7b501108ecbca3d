"""The file that a model came from, by which it is sent to other processes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from truecase.base._component import Component
from truecase.base.model_file import fingerprint, identity
from truecase.base.section import Record
from truecase.model.embedded import EMBEDDED, is_embedded
from truecase.options import StrPath


class Origin(Record):
    """A model file and the components loaded from it.

    Attributes
    ----------
    embedded, path : str or None
        Name of an embedded model, or absolute path of any other.
    identity : str
        Identifies the file's contents; see `truecase.base.model_file.identity`.
    components : dict of str to Component
    settings : tuple
        The file's text settings and notes.
    is_mapped : bool
        Whether the file was mapped, not read.
    """

    embedded: str | None
    path: str | None
    identity: str
    components: dict[str, Component]
    settings: tuple[object, object]
    is_mapped: bool

    FIELDS = ("embedded", "path", "identity", "components", "settings", "is_mapped")

    def __init__(self, **fields: object) -> None:
        self._set(**fields)

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the identity."""
        return fingerprint(self.identity)


def origin_of(
    path: StrPath | None,
    components: dict[str, Component],
    settings: tuple[object, object],
    metadata: Mapping[str, Any],
    is_mapped: bool,
) -> Origin | None:
    """Return the origin of a model loaded by a name; None if the file has no checksum."""
    found = identity(metadata)
    if found is None:
        return None
    named = is_embedded(path)
    name = os.fspath(path or EMBEDDED[0])
    return Origin(
        embedded=name if named else None,
        # Another process may run in another folder.
        path=None if named else os.path.abspath(name),
        identity=found,
        components=components,
        settings=settings,
        is_mapped=is_mapped,
    )
