r"""Where a text is in a row: ``text``, ``meta.title``, ``turns[].text``, ``a\.b``."""

from __future__ import annotations

import re
from typing import TypeAlias

from truecase.errors import TableOptionError

#: A step into each item of a list.
ITEMS = None

#: Steps from a row to its text: the name of a member, or `ITEMS`.
Path: TypeAlias = tuple[str | None, ...]

_STEP = re.compile(r"((?:[^.\[\]\\]|\\.)+)((?:\[\])*)(?:\.(?=.)|$)")


def parse_path(text: str) -> Path:
    r"""The steps of a path.

    Parameters
    ----------
    text : str
        Names with full stops between them; ``[]`` after one that is a list; a backslash before a
        full stop, a bracket or a backslash that belongs to a name.

    Raises
    ------
    TableOptionError
        It is none.
    """
    steps: list[str | None] = []
    position = 0
    while position < len(text):
        match = _STEP.match(text, position)
        if match is None:
            break
        steps.append(re.sub(r"\\(.)", r"\1", match[1]))
        steps += [ITEMS] * (len(match[2]) // 2)
        position = match.end()
    if not steps or position < len(text):
        raise TableOptionError(
            f"column: {text!r} is no path: expected names with full stops between them, such as "
            "meta.title or turns[].text; a backslash goes before a full stop that is part of a name"
        )
    return tuple(steps)


def write_path(path: Path) -> str:
    """The path as `parse_path` reads it."""
    text = ""
    for step in path:
        if step is ITEMS:
            text += "[]"
        else:
            text += ("." if text else "") + re.sub(r"([.\[\]\\])", r"\\\1", step)
    return text
