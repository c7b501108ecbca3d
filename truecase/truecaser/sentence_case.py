"""Put titles into sentence case; names and acronyms keep their capitals.

Acronyms, inner capitals and words in lower case stay. A logistic model decides about each word
with only its first letter raised. Its features (`title_words`) are the posteriors of a casing
model, which sees the title in lower case, and the title's own case; single words and their
neighbours have weights, too (the terms of ``data/titles.json``). If the title's case says nothing,
as in a title in capitals, the model decides about all words, with another set of weights.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, overload

import numpy as np

from truecase.errors import TruecaseError
from truecase.kernels._unicode import capitalize, lower, tag, upper
from truecase.options import AfterColon
from truecase.truecaser.arguments import checked_text, checked_texts
from truecase.truecaser.title_markup import Plain, plain, with_braces
from truecase.truecaser.title_words import (
    LEARNED,
    PREFIX,
    Known,
    KnownWords,
    Part,
    capitalised_share,
    features_of,
    own_form,
    parts_of,
    says_nothing,
    terms_of,
)

if TYPE_CHECKING:
    import numpy.typing as npt

    from truecase.evaluation.words import WordPosterior
    from truecase.truecaser import Truecaser


# The set of learned weights, by whether the title's case is informative.
_SITUATION = {True: "with_case", False: "without_case"}

# Titles of a batch, which bounds the memory for their posteriors.
_BATCH = 1024

_COLON = re.compile(r":\W*$")
# A full stop after a shorter word may be that of an abbreviation.
_END_OF_SENTENCE = re.compile(r"[?!]|(?<=[^\W\d_]{4})\.")

# Up to this share of capitals a title is in sentence case already: its capitals belong to names.
_SENTENCE_CASE_SHARE = 0.2

# From this share of capitals on, a first word in lower case is intended: fairseq.
_TITLE_CASE_SHARE = 0.5


#: In headlines and headings, unseen words keep their capitals from this probability on. It was
#: chosen on news, encyclopedia and blogs in Title Case: 78 to 96 % of them come out right, with the
#: learned threshold 66 to 93 %.
UNSEEN_IN_HEADINGS = 0.15


class CasedTitle(NamedTuple):
    """A title in sentence case.

    Attributes
    ----------
    text : str
        The same but for case.
    protected : tuple of (int, int)
        Start and end, in characters, of each word that has capitals everywhere (names, acronyms),
        unless it is in braces already.
    """

    text: str
    protected: tuple[tuple[int, int], ...]


class SentenceCaser:
    """Puts titles into sentence case with a casing model. Any number of threads may use it.

    Parameters
    ----------
    truecaser : Truecaser, optional
        By default the embedded English model, with which the weights of titles were learned.
    after_colon : {"capital", "lower"}
        Whether the first word after a colon has a capital.
    braces : bool
        Put braces round words that must keep their case in BibTeX: ``{BERT}``, ``{Mandarin}``.
    unseen_threshold : float, optional
        From this probability on, an unseen word keeps its capitals; by default from that of other
        words. In titles of articles most unseen words are terms of a field, in headlines and
        headings they are names: `UNSEEN_IN_HEADINGS`. Titles in which every word has a capital do
        not use it.

    Raises
    ------
    TruecaseError
        `after_colon` is unknown.
    """

    def __init__(
        self,
        truecaser: Truecaser | None = None,
        after_colon: AfterColon = "capital",
        braces: bool = False,
        *,
        unseen_threshold: float | None = None,
    ) -> None:
        if after_colon not in ("capital", "lower"):
            raise TruecaseError(f"after_colon {after_colon!r}: expected capital or lower")
        if truecaser is None:
            from truecase.truecaser import Truecaser

            truecaser = Truecaser.load()
        # The weights of titles were learned on probabilities that are not calibrated.
        self._truecaser = truecaser.without_calibration()
        self._words = KnownWords(self._truecaser)
        self._after_colon = after_colon
        self._braces = braces
        self._unseen_threshold = unseen_threshold

    def __call__(self, title: str) -> str:
        """Case one title."""
        return self.batch([checked_text(title, "title")])[0]

    def batch(self, titles: Iterable[str]) -> list[str]:
        """Case many titles, which is faster than one by one."""
        given = checked_texts(titles, "titles")
        cased = self.titles(given)
        if not self._braces:
            return [title.text for title in cased]
        return [with_braces(title.text, title.protected) for title in cased]

    def case_block(self, block: bytes) -> bytes:
        """Case titles of UTF-8, one a line; broken bytes stay."""
        lines = block.decode("utf-8", "surrogateescape").split("\n")
        return "\n".join(self.batch(lines)).encode("utf-8", "surrogateescape")

    def titles(self, titles: Iterable[str]) -> list[CasedTitle]:
        """Case titles without braces, and find the words that need them."""
        given = checked_texts(titles, "titles")
        cased: list[CasedTitle] = []
        for start in range(0, len(given), _BATCH):
            cased += self._cased(given[start : start + _BATCH])
        return cased

    def _cased(self, titles: Sequence[str]) -> Iterator[CasedTitle]:
        plains = [plain(title) for title in titles]
        parts = read_parts(self._truecaser, plains)
        known = self._words.look_up(part.small for found in parts for part in found)
        uses_case = [not says_nothing(found, known) for found in parts]
        probabilities = _probabilities(plains, parts, known, uses_case)
        for title, bare, found, use_case, keeps in zip(
            titles, plains, parts, uses_case, probabilities, strict=True
        ):
            yield _written(title, bare, self._forms(bare, found, known, use_case, keeps))

    def _forms(
        self,
        bare: Plain,
        parts: Sequence[Part],
        known: Mapping[str, Known],
        use_case: bool,
        keeps: npt.NDArray[np.float64],
    ) -> Iterator[tuple[Part, str, bool]]:
        """Each part of a title, its new form, and whether this keeps its capitals everywhere.

        `keeps` has the probability that each part keeps its capitals.
        """
        language, unseen = self._truecaser.language, self._unseen_threshold
        share = capitalised_share(parts)
        has_names = use_case and share <= _SENTENCE_CASE_SHARE
        usual_threshold = LEARNED[_SITUATION[use_case]]["threshold"]
        for i, (part, keep) in enumerate(zip(parts, keeps, strict=True)):
            word = known[part.small]
            begins = _begins(bare, part) if i > 0 else not any(map(str.isalnum, part.before))
            threshold = usual_threshold
            if use_case and unseen is not None and not word.seen:
                threshold = unseen
            if has_names and i > 0 and not begins:
                keep = 1.0
            form, is_protected = _form(part, word, use_case, keep >= threshold, language)
            if i > 0 and self._after_colon != "capital" and _COLON.search(part.before):
                begins = False
            if (
                begins
                # A word that begins with a digit (1st) stays.
                and tag(form[0], language) != "AN"
                and tag(form, language) == "AL"
                and not (use_case and share > _TITLE_CASE_SHARE and part.tag == "AL")
            ):
                form = capitalize(form, language)
            yield part, form, is_protected


def read_parts(truecaser: Truecaser, plains: Sequence[Plain]) -> list[list[Part]]:
    """Read the parts of titles, with the posteriors of a model."""
    if not plains:
        return []
    # Commas replace ends of sentences within titles: a capital behind these says nothing.
    text = "\n".join(PREFIX + _without_ends(title.text) for title in plains)
    lines = truecaser.posteriors(text, style="sentence", sentence_start="learned")
    found = []
    offset = 0
    empty: Sequence[WordPosterior] = ()
    for number, title in enumerate(plains):
        offset += len(PREFIX)
        words = lines[number] if number < len(lines) else empty
        found.append(parts_of(title, words, offset, truecaser.language))
        offset += len(title.text) + 1
    return found


def _probabilities(
    plains: Sequence[Plain],
    parts: Sequence[Sequence[Part]],
    known: Mapping[str, Known],
    uses_case: Sequence[bool],
) -> list[npt.NDArray[np.float64]]:
    """Probability that each part of each title keeps its capitals."""
    found: list[npt.NDArray[np.float64]] = [np.zeros(0)] * len(plains)
    for use_case, situation in _SITUATION.items():
        weights, terms = LEARNED[situation]["features"], LEARNED[situation]["terms"]
        chosen = [i for i in range(len(plains)) if uses_case[i] == use_case and parts[i]]
        if not chosen:
            continue
        ends = [plains[i].text[parts[i][-1].end :] for i in chosen]
        features = features_of([parts[i] for i in chosen], ends, known, use_case=use_case)
        rows = np.stack([*features.values()], axis=1)
        scores = rows @ np.array([weights[name] for name in features])
        scores += [
            sum(terms.get(name, 0.0) for name in names)
            for i in chosen
            for names in terms_of(parts[i])
        ]
        bounds = np.cumsum([len(parts[i]) for i in chosen])[:-1]
        for i, those in zip(chosen, np.split(1.0 / (1.0 + np.exp(-scores)), bounds), strict=False):
            found[i] = those
    return found


def _form(
    part: Part, known: Known, use_case: bool, is_kept: bool, language: str
) -> tuple[str, bool]:
    """Form of a part anywhere in a title, and whether it keeps its capitals everywhere."""
    if not part.is_open:
        # {M}ANDARIN: text between braces stays anyway.
        return (part.given if use_case else lower(part.given, language)), False
    if part.tag == "MX" or (use_case and part.tag == "AU"):
        return part.given, True
    if (use_case and part.tag == "AL") or not is_kept:
        return lower(part.given, language), False
    return (part.given if use_case else own_form(part, known, language)), True


def _begins(bare: Plain, part: Part) -> bool:
    """Whether a part that is not the first is the first of a subtitle or a sentence."""
    before = part.start - len(part.before)
    return bool(
        _COLON.search(part.before)
        or next(_sentence_ends(bare.text, before, part.start), None) is not None
    )


def _sentence_ends(text: str, begin: int, end: int) -> Iterator[int]:
    """Marks that end sentences, with white space before the next word; the last mark first.

    One pass over the text, as a search behind each of thousands of marks takes long.
    """
    if _END_OF_SENTENCE.search(text, begin, end) is None:
        return
    is_before_space = False
    for place in range(end - 1, begin - 1, -1):
        sign = text[place]
        if sign.isspace():
            is_before_space = True
        elif sign.isalnum() or sign == "_":
            is_before_space = False
        elif is_before_space and _END_OF_SENTENCE.match(text, place):
            yield place


def _without_ends(text: str) -> str:
    """Title with commas instead of marks that end sentences."""
    ends = list(_sentence_ends(text, 0, len(text)))
    if not ends:
        return text
    letters = list(text)
    for place in ends:
        letters[place] = ","
    return "".join(letters)


def _written(title: str, bare: Plain, forms: Iterable[tuple[Part, str, bool]]) -> CasedTitle:
    """Title with its parts in their new case."""
    letters = list(title)
    protected = []
    for part, form, is_protected in forms:
        for place, letter in enumerate(form, part.start):
            at = bare.letters[place]
            if at >= 0 and letter != bare.text[place]:
                # A letter under an accent has no accent itself.
                given = title[at]
                letters[at] = lower(given) if lower(given) != given else upper(given)
        if is_protected:
            protected.append((bare.begins[part.start], bare.ends[part.end - 1]))
    for start, end in bare.spans:
        span = bare.text[start:end]
        if span != lower(span) and not any(map("<>`".__contains__, span)):
            protected.append((bare.begins[start], bare.ends[end - 1]))
    return CasedTitle("".join(letters), tuple(sorted(protected)))


# A str is an iterable of str, too; mypy says so.
@overload
def sentence_case(  # type: ignore[overload-overlap]
    titles: str,
    *,
    after_colon: AfterColon = ...,
    braces: bool = ...,
    truecaser: Truecaser | None = ...,
) -> str: ...
@overload
def sentence_case(
    titles: Iterable[str],
    *,
    after_colon: AfterColon = ...,
    braces: bool = ...,
    truecaser: Truecaser | None = ...,
) -> list[str]: ...
def sentence_case(
    titles: str | Iterable[str],
    *,
    after_colon: AfterColon = "capital",
    braces: bool = False,
    truecaser: Truecaser | None = None,
) -> str | list[str]:
    """Put titles of works into sentence case, as ``truecase text sentence-case`` does.

    Parameters
    ----------
    titles : str or iterable of str
        One title, or many; many at once are faster than one by one.
    after_colon, braces, truecaser
        As for `SentenceCaser`.

    Returns
    -------
    str or list of str
        Only case and braces change. LaTeX mathematics and commands, text between braces,
        addresses and tags stay as they are.

    Raises
    ------
    TruecaseError
        `after_colon` is unknown, or `titles` is something else.
    """
    caser = SentenceCaser(truecaser or _english(), after_colon, braces)
    return caser(titles) if isinstance(titles, str) else caser.batch(titles)


@lru_cache(maxsize=1)
def _english() -> Truecaser:
    """Load the embedded English model once."""
    from truecase.truecaser import Truecaser

    return Truecaser.load()
