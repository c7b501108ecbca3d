"""The languages of a file: what the file and its path say, and what the caller wants."""

import re
from functools import cache
from typing import NamedTuple

from truecase.base.encoding import HEAD_BYTES
from truecase.errors import FormatError
from truecase.formats import rows_of, words_of
from truecase.kernels.text import listed, matches
from truecase.model.embedded import language_code, language_codes, may_be_in


class Languages(NamedTuple):
    """Source and target language; None for the language that the file names, or for unknown."""

    source: str | None = None
    target: str | None = None


def languages_of(name: str, wanted: Languages, source: str | None, target: str | None) -> Languages:
    """The languages of a file of this name, which itself names `source` and `target`, or not.

    Raises FormatError if another target is wanted.
    """
    if wanted.target and target and not matches(wanted.target, target):
        raise FormatError(
            f"{name}: no segment is in the language {wanted.target!r}; there are {listed([target])}"
        )
    return Languages(wanted.source or source or None, wanted.target or target or None)


@cache
def _said() -> dict[str, re.Pattern[bytes]]:
    """How files say their language, by format."""
    flags = re.IGNORECASE | re.MULTILINE
    return {name: re.compile(said.encode(), flags) for name, said in rows_of("said.txt")}


# Where something else may stand in the same place.
_MAY_SAY = ("ass", "markdown")


def language_said(format: str, data: bytes) -> str:
    """The language that a file of this format says at its beginning; empty if it says none."""
    found = _said()[format].search(data, 0, HEAD_BYTES) if format in _said() else None
    said = (found[found.lastindex or 0] if found else b"").decode("utf-8", "replace")
    # Front matter also names languages of programs, and other words may be there.
    return said if format not in _MAY_SAY or language_code(said) in language_codes() else ""


# Expressions for paths that say a language.
@cache
def _in_paths() -> list[re.Pattern[str]]:
    (tag,), (kind,) = words_of("tag"), words_of("kind")
    patterns = (
        pattern.replace("TAG", tag).replace("KIND", kind) for (pattern,) in rows_of("paths.txt")
    )
    return [re.compile(f"(?:^|/){pattern}$") for pattern in patterns]


def language_of_path(path: str, text: str = "") -> str | None:
    """The code of the language that a file's folder or name says; None if they say none."""
    path = path.replace("\\", "/")
    for found in filter(None, (pattern.search(path) for pattern in _in_paths())):
        code = language_code(found[1])
        is_sure = found.lastgroup is None or (text and may_be_in(text, code))
        if code in language_codes() and is_sure:
            return code
    return None
