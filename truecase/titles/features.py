"""What tells whether a word of a title keeps its capitals in sentence case."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

from truecase.titles.known_words import Known
from truecase.titles.parts import Part, capitalised_share

#: The features, in the order of `features_of`. ``log_odds`` are the model's, of capitals.
FEATURES = (
    "constant",
    "log_odds",
    "log_odds_size",  # how sure the model is, of whichever
    "log_odds_middle",  # cut off below -1 and above 3
    "log_odds_high",  # what is above 4
    "log_odds_alone",  # of the word between two commas
    "log_odds_alone_middle",
    "capitalised_share",  # of the title's long words
    "capitalised_share_log_odds",
    "first",  # word of the title
    "first_log_odds",
    "first_capitalised_share",
    "first_alone",  # the first word, and a colon after it
    "first_alone_unseen",
    "after_colon",
    "unseen",  # in training
    "count",  # in training, decimal logarithm
    "unseen_capitalised_share",
    "length",
    "digit",
    "first_of_hyphenated",
    "later_of_hyphenated",
    "after_acronym",  # the word before has inner capitals
    "before_acronym",
    "log_odds_before",  # of the word before, if it has a capital
    "log_odds_after",
    "after_space",
    "before_bracket",
    "after_bracket",
    "before_number",
)

# What `log_odds_before` is of a word in lower case, and where there is none.
_SURE_OF_NONE = -9.2

# Log-odds, counts and lengths are brought to the size of the other features.
_SCALE = 5.0
_MAX_LENGTH = 12

_NUMBER = re.compile(r"[-\s]*\d")
_DIGIT = re.compile(r"\d")


def features_of(
    parts: Sequence[Part], end: str, known: Mapping[str, Known], *, use_case: bool
) -> list[list[float]]:
    """The features of each part of a title.

    Parameters
    ----------
    parts : sequence of Part
    end : str
        What stands after the last of them.
    known : mapping of str to Known
        What the model knows of their words.
    use_case : bool
        Whether the case of the title says something. If not, what it tells is 0.

    Returns
    -------
    list of list of float
        For each part as many as `FEATURES`.
    """
    share = capitalised_share(parts) if use_case else 0.0
    after = [part.before for part in parts[1:]] + [end]
    acronym = [float(use_case and part.tag in ("AU", "MX")) for part in parts]
    shown = [
        part.log_odds if not use_case or part.tag != "AL" else _SURE_OF_NONE for part in parts
    ]
    rows = []
    for i, part in enumerate(parts):
        log_odds = part.log_odds
        first = float(i == 0)
        alone = first * (":" in after[i])
        count, log_odds_alone = known[part.small]
        unseen = float(count == 0)
        rows.append(
            [
                1.0,
                log_odds / _SCALE,
                abs(log_odds) / _SCALE,
                max(-1.0, min(log_odds, 3.0)) / 3.0,
                max(log_odds - 4.0, 0.0) / _SCALE,
                log_odds_alone / _SCALE,
                max(-1.0, min(log_odds_alone, 3.0)) / 3.0,
                share,
                share * log_odds / _SCALE,
                first,
                first * log_odds / _SCALE,
                first * share,
                alone,
                alone * unseen,
                float(i > 0 and ":" in part.before),
                unseen,
                math.log10(1 + count) / _SCALE,
                unseen * share,
                min(len(part.given), _MAX_LENGTH) / 10.0,
                float(_DIGIT.search(part.given) is not None),
                float(part.hyphenated == 1),
                float(part.hyphenated == 2),
                acronym[i - 1] if i > 0 else 0.0,
                acronym[i + 1] if i + 1 < len(parts) else 0.0,
                (shown[i - 1] if i > 0 else _SURE_OF_NONE) / _SCALE,
                (shown[i + 1] if i + 1 < len(parts) else _SURE_OF_NONE) / _SCALE,
                float(not part.hyphenated and not part.before.strip()),
                float(after[i].startswith(" (")),
                float(part.before.endswith("(")),
                float(_NUMBER.match(after[i]) is not None),
            ]
        )
    return rows
