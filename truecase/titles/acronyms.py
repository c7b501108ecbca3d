"""The form of a name or an acronym in a title whose case says nothing."""

from __future__ import annotations

import re

from truecase.text._casing import lower, upper
from truecase.titles.features import LEARNED
from truecase.titles.known_words import Known
from truecase.titles.parts import Part

#: Words with capitals inside, by their lowercase form.
FORMS: dict[str, str] = LEARNED["forms"]

# An unseen word without a vowel, or with a digit among its letters, is an acronym.
_VOWEL = re.compile(r"[aeiouyà-öø-ÿ]")
_NO_WORD = re.compile(r"[a-z]*\d[a-z0-9]*[a-z][a-z0-9]*|[a-z]+\d+")
_MANY_LETTERS = 2


def own_form(part: Part, known: Known, language: str) -> str:
    """Write a word with the capitals that it keeps everywhere."""
    small = part.small
    form = FORMS.get(small)
    if form is None and small.endswith("s"):
        # SVMs
        of_one = FORMS.get(small[:-1], "")
        form = f"{of_one}s" if of_one else None
    if form is not None and lower(form, language) == small:
        return form
    if known.seen == 0 and len(small) >= _MANY_LETTERS and _looks_like_acronym(small):
        raised = upper(small, language)
        return raised if len(raised) == len(small) else part.form
    return part.form


def _looks_like_acronym(small: str) -> bool:
    return (small.isalpha() and small.isascii() and _VOWEL.search(small) is None) or (
        _NO_WORD.fullmatch(small) is not None
    )
