"""Features that decide whether a word of a title keeps its capitals in sentence case.

Also the forms of names and acronyms in titles whose case says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

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


#: The features, in the order of the columns of `features_of`. ``log_odds`` are those of capitals in
#: the word in its title, by the model; ``alone`` those of the word between two commas.
FEATURES = (
    "constant",
    "log_odds",
    "log_odds_size",  # how sure the model is, of whichever
    "log_odds_middle",  # cut off below -1 and above 3
    "log_odds_above_4",
    "log_odds_above_7",
    "log_odds_above_9",
    "log_odds_below_0",
    "alone",
    "alone_middle",
    "alone_above_4",
    "product",  # of both
    "product_above_4",  # of log_odds beyond 4, and alone
    "share",  # of the title's long words that are capitalised
    "share_log_odds",
    "first",  # word of the title
    "first_log_odds",
    "first_share",
    "label",  # the first word, and a colon after it
    "label_unseen",
    "after_colon",
    "unseen",  # in training
    "unseen_share",
    "count",  # in training, decimal logarithm
    "length",
    "digit",
    "first_of_hyphenated",
    "later_of_hyphenated",
    "after_acronym",  # the word before has inner capitals
    "before_acronym",
    "log_odds_before",  # of the word before, if it has a capital
    "log_odds_after",
    "alone_before",  # middle of the word before by itself
    "alone_after",
    "alone_before_log_odds",
    "alone_after_log_odds",
    "after_space",
    "before_bracket",
    "after_bracket",
    "before_number",
)


# Log-odds for a neighbour in lower case, or a missing neighbour.
_SURE_OF_NONE = -9.2

# Log-odds, counts and lengths are scaled to the size of the other features.
_SCALE = 5.0
_MAX_LENGTH = 12

_NUMBER = re.compile(r"[-\s]*\d")
_DIGIT = re.compile(r"\d")


class _Gap(NamedTuple):
    """The text between two parts."""

    has_colon: bool
    is_space: bool
    opens: bool  # ends in a bracket
    begins_with_bracket: bool
    begins_with_number: bool


def features_of(
    titles: Sequence[Sequence[Part]],
    ends: Sequence[str],
    known: Mapping[str, Known],
    *,
    use_case: bool,
) -> npt.NDArray[np.float64]:
    """Compute the features of each part of some titles.

    Parameters
    ----------
    titles : sequence of sequence of Part
    ends : sequence of str
        The text after the last part of each title.
    known : mapping of str to Known
        Their words.
    use_case : bool
        Whether the case of the titles is informative; if not, features that read it are 0.

    Returns
    -------
    float64 array, shape (n_parts, n_features)
        A row for each part, title by title; a column for each of `FEATURES`.
    """
    rows = [_numbers(part, known[part.small], use_case) for parts in titles for part in parts]
    if not rows:
        return np.zeros((0, len(FEATURES)))
    log_odds, alone, count, length, digit, hyphenated, acronym, small = np.array(
        rows, dtype=np.float64
    ).T
    gaps = [
        (_gap(part.before), _gap(after))
        for parts, end in zip(titles, ends, strict=True)
        for part, after in zip(parts, [*(part.before for part in parts[1:]), end], strict=False)
    ]
    before, after = (
        dict(zip(_Gap._fields, np.array(side, dtype=np.float64).T, strict=True))
        for side in zip(*gaps, strict=True)
    )
    sizes = [len(parts) for parts in titles]
    first, last = np.zeros((2, len(rows)))
    stops = np.cumsum([size for size in sizes if size])
    first[np.r_[0, stops[:-1]]] = 1.0
    last[stops - 1] = 1.0
    shares = [capitalised_share(parts) if use_case else 0.0 for parts in titles]
    share = np.repeat(shares, sizes)
    unseen = (count == 0).astype(np.float64)
    shown = np.where(small, _SURE_OF_NONE, log_odds)
    shown_alone = _middle(np.where(small, _SURE_OF_NONE, alone))
    alone_before = _previous(shown_alone, first, -1.0)
    alone_after = _next(shown_alone, last, -1.0)
    above_4 = np.maximum(log_odds - 4.0, 0.0)
    label = first * after["has_colon"]
    columns = {
        "constant": np.ones(len(rows)),
        "log_odds": log_odds / _SCALE,
        "log_odds_size": np.abs(log_odds) / _SCALE,
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
        "share": share,
        "share_log_odds": share * log_odds / _SCALE,
        "first": first,
        "first_log_odds": first * log_odds / _SCALE,
        "first_share": first * share,
        "label": label,
        "label_unseen": label * unseen,
        "after_colon": (1 - first) * before["has_colon"],
        "unseen": unseen,
        "unseen_share": unseen * share,
        "count": np.log10(1 + count) / _SCALE,
        "length": np.minimum(length, _MAX_LENGTH) / 10.0,
        "digit": digit,
        "first_of_hyphenated": (hyphenated == 1).astype(np.float64),
        "later_of_hyphenated": (hyphenated == 2).astype(np.float64),
        "after_acronym": _previous(acronym, first, 0.0),
        "before_acronym": _next(acronym, last, 0.0),
        "log_odds_before": _previous(shown, first, _SURE_OF_NONE) / _SCALE,
        "log_odds_after": _next(shown, last, _SURE_OF_NONE) / _SCALE,
        "alone_before": alone_before,
        "alone_after": alone_after,
        "alone_before_log_odds": alone_before * log_odds / _SCALE,
        "alone_after_log_odds": alone_after * log_odds / _SCALE,
        "after_space": (hyphenated == 0) * before["is_space"],
        "before_bracket": after["begins_with_bracket"],
        "after_bracket": before["opens"],
        "before_number": after["begins_with_number"],
    }
    return np.stack([columns[name] for name in FEATURES], axis=1)


def _numbers(part: Part, known: Known, use_case: bool) -> tuple[float, ...]:
    return (
        part.log_odds,
        known.log_odds,
        known.seen,
        len(part.given),
        _DIGIT.search(part.given) is not None,
        part.hyphenated,
        use_case and part.tag in ("AU", "MX"),
        use_case and part.tag == "AL",
    )


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


# Nearly all gaps between words are one space.
@lru_cache(maxsize=4096)
def _gap(text: str) -> _Gap:
    return _Gap(
        ":" in text,
        not text.strip(),
        text.endswith("("),
        text.startswith(" ("),
        _NUMBER.match(text) is not None,
    )


def _middle(log_odds: Column) -> Column:
    """Log-odds clipped to -1 to 3, where a model is not sure."""
    clipped: Column = np.clip(log_odds, -1.0, 3.0) / 3.0
    return clipped


def _previous(column: Column, first: Column, outside: float) -> Column:
    """Values of the part before each part in its title."""
    return np.where(first, outside, np.roll(column, 1))


def _next(column: Column, last: Column, outside: float) -> Column:
    return np.where(last, outside, np.roll(column, -1))
