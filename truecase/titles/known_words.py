"""What a casing model knows of words by themselves."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from truecase.evaluation.words import Candidate
    from truecase.truecaser import Truecaser

#: Before a word or a title, so that a model does not take its first word for that of a sentence,
#: which has a capital whatever it is.
PREFIX = "x , "
_SUFFIX = " , x"

#: Posteriors are taken for no surer than this.
MAX_LOG_ODDS = math.log((1 - 1e-6) / 1e-6)

# So many words are kept at most: some 50 MB.
_MAX_KEPT = 200_000


class Known(NamedTuple):
    """What is known of a word.

    Attributes
    ----------
    seen : int
        How often it was seen in training, whatever its case.
    log_odds : float
        Of capitals in it against none, between two commas.
    """

    seen: int
    log_odds: float


class KnownWords:
    """Words by their lowercase form; what was looked up once is kept."""

    def __init__(self, truecaser: Truecaser) -> None:
        self._truecaser = truecaser
        self._known: dict[str, Known] = {}

    def look_up(self, words: Iterable[str]) -> dict[str, Known]:
        """What is known of these words, and maybe of others."""
        known = self._known
        new = sorted({word for word in words if word not in known})
        if not new:
            return known
        if len(known) + len(new) > _MAX_KEPT:
            # Other threads may still look into the old ones.
            words = set(words)
            self._known = known = {}
            new = sorted(words)
        text = "\n".join(f"{PREFIX}{word}{_SUFFIX}" for word in new)
        lines = self._truecaser.posteriors(text, style="sentence", sentence_start="learned")
        for word, line in zip(new, lines, strict=True):
            # More than one word to the model: U.S., don't.
            between = line[2:-2]
            log_odds = (
                capitals(between[0].candidates, 0, len(word), word)[0] if between else -MAX_LOG_ODDS
            )
            known[word] = Known(self._truecaser.training_count(word), log_odds)
        return known


def capitals(
    candidates: Sequence[Candidate], start: int, end: int, small: str
) -> tuple[float, str]:
    """Log-odds of capitals in a part of a word, and the most probable form with some, if any."""
    forms: dict[str, float] = {}
    for candidate in candidates:
        form = candidate.text[start:end]
        if form != small:
            forms[form] = forms.get(form, 0.0) + candidate.posterior
    share = sum(forms.values())
    if share <= 0.0:
        log_odds = -MAX_LOG_ODDS
    elif share >= 1.0:
        log_odds = MAX_LOG_ODDS
    else:
        log_odds = max(-MAX_LOG_ODDS, min(math.log(share / (1 - share)), MAX_LOG_ODDS))
    return log_odds, max(forms, key=forms.__getitem__) if forms else ""
