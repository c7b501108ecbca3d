"""The languages of a file: what it says itself, what its path says, and what is wanted of it."""

import re
from typing import NamedTuple

from truecase.base.model_file import read_weights
from truecase.errors import FormatError
from truecase.kernels.text import listed, matches


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


_TAG = r"([a-z]{2})(?:[-_+]r?[A-Z]{2}|-[a-z]{2}|[-_+][A-Z][a-z]{3}|[-_+]\d{3})*"
_IN_PATHS = [
    re.compile(rf"(?:^|/){pattern}$".replace("TAG", _TAG))
    for pattern in (
        r"values-(?:b\+)?TAG/[^/]+",
        r"TAG\.lproj/[^/]+",
        r"(?:_?locales?|i18n|l10n|lang)/TAG/.+",
        # fr.json, talk.fr.srt
        r"(?:[^/]+\.)?TAG\.[a-z]\w{1,9}",
        r"[^/]+_TAG\.arb",
    )
]


def language_of_path(path: str) -> str | None:
    """The code of the language that a file's folder or name says; None if they say none."""
    path = path.replace("\\", "/")
    codes = read_weights("languages")["codes"].split()
    found = (pattern.search(path) for pattern in _IN_PATHS)
    return next((match[1] for match in found if match and match[1] in codes), None)
