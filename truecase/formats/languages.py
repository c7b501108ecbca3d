"""The languages of a file: what the file and its path say, and what the caller wants."""

import re
from functools import cache
from typing import NamedTuple

from truecase.base.model_file import read_weights
from truecase.errors import FormatError
from truecase.formats import rows_of
from truecase.kernels.text import listed, matches
from truecase.model.embedded import language_code, may_be_in


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


_BEGINNING = 1 << 16
# Where something else may stand in the same place.
_MAY_SAY = ("ass", "markdown")


def language_said(format: str, data: bytes) -> str:
    """The language that a file of this format says at its beginning; empty if it says none."""
    found = _said()[format].search(data, 0, _BEGINNING) if format in _said() else None
    said = (found[found.lastindex or 0] if found else b"").decode("utf-8", "replace")
    # Front matter also names languages of programs, and other words may be there.
    return said if format not in _MAY_SAY or _is_known(language_code(said)) else ""


def _is_known(code: str) -> bool:
    return code in read_weights("languages")["codes"].split()


_TAG = r"([a-z]{2})(?:[-_+]r?[A-Z]{2}|-[a-z]{2}|[-_+][A-Z][a-z]{3}|[-_+]\d{3})*"
# Of subtitles: for the hard of hearing, of foreign speech alone; of catalogues.
_KIND = r"(?:\.(?:cc|default|forced|hi|i18n|l10n|locale|messages|sdh))*"
# What ends in the group `perhaps` is evidence only beside a text that may be in the language.
_IN_PATHS = [
    re.compile(rf"(?:^|/){pattern}$".replace("TAG", _TAG).replace("KIND", _KIND))
    for pattern in (
        r"values-(?:b\+)?TAG/[^/]+",
        r"TAG\.lproj/[^/]+",
        r"(?:_?locales?|i18n|l10n|lang)/TAG/.+",
        # talk.fr.srt, film.fr.forced.srt; fr.json, but it.md may be about it
        r"[^/]+\.TAGKIND\.[a-z]\w{1,9}",
        r"TAGKIND\.(?:arb|json|po|res[wx]|strings|ts|xliff|xlf|xml|ya?ml)",
        r"[^/]+_TAG\.arb",
        r"(?:content|docs?|languages?|pages|po|_?posts|[sS]trings|translat\w+)/TAG/.+(?P<perhaps>)",
        # fr.md, film_fr.srt, README-fr.md; film.French.srt, film (French).srt
        r"(?:[^/]+[ _(\[-])?TAG[)\]]?KIND\.[a-z]\w{1,9}(?P<perhaps>)",
        r"(?i:[^/]+?[. _(-]([a-z]{3,})\)?KIND\.(?:srt|vtt|sbv|ass|ssa|smi|sub|ttml))(?P<perhaps>)",
    )
]


def language_of_path(path: str, text: str = "") -> str | None:
    """The code of the language that a file's folder or name says; None if they say none."""
    path = path.replace("\\", "/")
    for found in filter(None, (pattern.search(path) for pattern in _IN_PATHS)):
        code = language_code(found[1])
        is_sure = found.lastgroup is None or (text and may_be_in(text, code))
        if _is_known(code) and is_sure:
            return code
    return None
