"""Features that decide whether a word of a title keeps its capitals in sentence case.

Also the forms of names and acronyms in titles whose case says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from truecase.base.model_file import read_weights
from truecase.kernels._unicode import lower, upper
from truecase.truecaser.title_words import Known, Part, capitalised_share

if TYPE_CHECKING:
    import numpy.typing as npt

    Column = npt.NDArray[np.float64]


#: Learned weights of features and of terms, and forms of words (``data/weights.md``).
LEARNED = read_weights("titles")

#: Words with capitals inside, by their lowercase form.
FORMS: dict[str, str] = LEARNED["forms"]

# An unseen word without a vowel, or with a digit among its letters, is an acronym.
_VOWEL = re.compile(r"[aeiouyà-öø-ÿ]")
_NO_WORD = re.compile(r"[a-z]*\d[a-z0-9]*[a-z][a-z0-9]*|[a-z]+\d+")
_MANY_LETTERS = 2


def own_form(part: Part, known: Known, language: str) -> str:
    """Write a name or an acronym with its capitals."""
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


# Log-odds for a neighbour in lower case, or a missing neighbour.
_SURE_OF_NONE = -9.2

# Log-odds, counts and lengths are scaled to the size of the other features.
_SCALE = 5.0
_MAX_LENGTH = 12

_NUMBER = re.compile(r"[-\s]*\d")
_DIGIT = re.compile(r"\d")


def features_of(
    titles: Sequence[Sequence[Part]],
    ends: Sequence[str],
    known: Mapping[str, Known],
    *,
    use_case: bool,
) -> dict[str, Column]:
    """Compute the features of each part of some titles, title by title.

    Parameters
    ----------
    titles : sequence of sequence of Part
        One or more, each with one or more parts.
    ends : sequence of str
        The text after the last part of each title.
    known : mapping of str to Known
        Their words.
    use_case : bool
        Whether the case of the titles is informative; if not, features that read it are 0.

    Returns
    -------
    dict of str to float64 array, shape (n_parts,)
        ``log_odds`` are those of capitals in the word in its title, by the model; ``alone`` those
        of the word between two commas.
    """
    rows = []
    for parts, end in zip(titles, ends, strict=True):
        of_title = capitalised_share(parts) if use_case else 0.0
        for i, part in enumerate(parts):
            word = known[part.small]
            is_last = i + 1 == len(parts)
            behind = end if is_last else parts[i + 1].before
            rows.append(
                (
                    part.log_odds,
                    word.log_odds,
                    word.seen,
                    len(part.given),
                    _DIGIT.search(part.given) is not None,
                    part.hyphenated,
                    use_case and part.tag in ("AU", "MX"),
                    use_case and part.tag == "AL",
                    of_title,
                    i == 0,
                    is_last,
                    ":" in part.before,
                    not part.before.strip(),
                    part.before.endswith("("),
                    ":" in behind,
                    behind.startswith(" ("),
                    _NUMBER.match(behind) is not None,
                )
            )
    columns = np.array(rows, np.float64).T
    log_odds, alone, count, length, digit, hyphenated, acronym, small, share = columns[:9]
    first, last, after_colon, after_space, after_bracket = columns[9:14]
    before_colon, before_bracket, before_number = columns[14:]
    unseen = (count == 0).astype(np.float64)
    shown = np.where(small, _SURE_OF_NONE, log_odds)
    shown_alone = _middle(np.where(small, _SURE_OF_NONE, alone))
    alone_before = _previous(shown_alone, first, -1.0)
    alone_after = _next(shown_alone, last, -1.0)
    above_4 = np.maximum(log_odds - 4.0, 0.0)
    label = first * before_colon
    return {
        "constant": np.ones(len(rows)),
        "log_odds": log_odds / _SCALE,
        "log_odds_size": np.abs(log_odds) / _SCALE,  # how sure the model is
        "log_odds_middle": _middle(log_odds),
        "log_odds_above_4": above_4 / _SCALE,
        "log_odds_above_7": np.maximum(log_odds - 7.0, 0.0),
        "log_odds_above_9": np.maximum(log_odds - 9.0, 0.0),
        "log_odds_below_0": np.minimum(log_odds, 0.0) / _SCALE,
        "alone": alone / _SCALE,
        "alone_middle": _middle(alone),
        "alone_above_4": np.maximum(alone - 4.0, 0.0) / _SCALE,
        "product": log_odds * alone / _SCALE**2,
        "product_above_4": above_4 * alone / _SCALE**2,
        "share": share,  # of the title's long words that are capitalised
        "share_log_odds": share * log_odds / _SCALE,
        "first": first,
        "first_log_odds": first * log_odds / _SCALE,
        "first_share": first * share,
        "label": label,  # the first word, and a colon after it
        "label_unseen": label * unseen,
        "after_colon": (1 - first) * after_colon,
        "unseen": unseen,  # in training
        "unseen_share": unseen * share,
        "count": np.log10(1 + count) / _SCALE,
        "length": np.minimum(length, _MAX_LENGTH) / 10.0,
        "digit": digit,
        "first_of_hyphenated": (hyphenated == 1).astype(np.float64),
        "later_of_hyphenated": (hyphenated == 2).astype(np.float64),
        "after_acronym": _previous(acronym, first, 0.0),  # the word before has inner capitals
        "before_acronym": _next(acronym, last, 0.0),
        "log_odds_before": _previous(shown, first, _SURE_OF_NONE) / _SCALE,
        "log_odds_after": _next(shown, last, _SURE_OF_NONE) / _SCALE,
        "alone_before": alone_before,
        "alone_after": alone_after,
        "alone_before_log_odds": alone_before * log_odds / _SCALE,
        "alone_after_log_odds": alone_after * log_odds / _SCALE,
        "after_space": (hyphenated == 0) * after_space,
        "before_bracket": before_bracket,
        "after_bracket": after_bracket,
        "before_number": before_number,
    }


def terms_of(parts: Sequence[Part]) -> list[tuple[str, ...]]:
    """Name the terms of each part of a title, whose weights were learned.

    ``[dependency]`` is the word anywhere, ``universal [dependency]`` the word after another one,
    ``[dependency] grammar`` the word before another one.
    """
    words = [part.small for part in parts]
    names = [f"[{word}]" for word in words]
    found = []
    for i, name in enumerate(names):
        terms = [name]
        if i > 0:
            terms.append(f"{words[i - 1]} {name}")
        if i + 1 < len(words):
            terms.append(f"{name} {words[i + 1]}")
        found.append(tuple(terms))
    return found


def _middle(log_odds: Column) -> Column:
    """Log-odds clipped to -1 to 3, where a model is not sure."""
    clipped: Column = np.clip(log_odds, -1.0, 3.0) / 3.0
    return clipped


def _previous(column: Column, first: Column, outside: float) -> Column:
    """Values of the part before each part in its title."""
    return np.where(first, outside, np.roll(column, 1))


def _next(column: Column, last: Column, outside: float) -> Column:
    return np.where(last, outside, np.roll(column, -1))
