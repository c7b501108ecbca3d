"""Which languages of a file are source and target."""

from __future__ import annotations

from typing import NamedTuple


class Languages(NamedTuple):
    """The languages that were asked for; None for what the file says."""

    source: str | None = None
    target: str | None = None
