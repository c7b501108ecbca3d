"""Put titles into sentence case; names and acronyms keep their capitals.

A part of a title is a word, or a piece of a word with hyphens: ``Mandarin``, ``BERT`` and ``Based``
of ``BERT-Based``. Acronyms, inner capitals and words in lower case stay. A logistic model decides
about each part with only its first letter raised. Its features (`features_of`) are the posteriors
of a casing model, which sees the title in lower case, and the title's own case; single words and
their neighbours have weights, too (the terms of ``data/titles.json``). If the title's case says
nothing, as in a title in capitals, the model decides about all words, with other weights.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, overload

import numpy as np

from truecase.base.argument_types import check_arguments
from truecase.base.model_file import read_weights
from truecase.kernels._unicode import capitalize, lower, tag, upper
from truecase.kernels.text import spliced
from truecase.model.embedded import other_language
from truecase.options import AfterColon
from truecase.truecaser import Truecaser
from truecase.truecaser.arguments import checked_text, checked_texts
from truecase.truecaser.title_markup import Plain, plain, with_braces

if TYPE_CHECKING:
    from truecase.base.spool import Float64s
    from truecase.evaluation.words import Candidate, WordPosterior

    Column = Float64s

#: Stands before a word or a title, so that the model does not give the first word the capital of a
#: sentence.
PREFIX = "x , "
_SUFFIX = " , x"

# Probabilities of capitals are clipped to this and to its complement.
_LEAST_SHARE = 1e-6

# Words that are kept at most: some 50 MB.
_MAX_KEPT = 200_000


class Known(NamedTuple):
    """Facts about a word.

    Attributes
    ----------
    seen : int
        Its training count, whatever its case.
    log_odds : float
        Of capitals in it against none, between two commas.
    """

    seen: int
    log_odds: float


class KnownWords:
    """Facts about words by their lowercase form; they are looked up once."""

    def __init__(self, truecaser: Truecaser) -> None:
        self._truecaser = truecaser
        self._known: dict[str, Known] = {}

    def look_up(self, words: Iterable[str]) -> dict[str, Known]:
        """Return facts about these words, and maybe about others."""
        known, wanted = self._known, set(words)
        new = sorted(wanted.difference(known))
        if not new:
            return known
        if len(known) + len(new) > _MAX_KEPT:
            # Other threads may still read the old ones.
            self._known = known = {}
            new = sorted(wanted)
        text = "\n".join(f"{PREFIX}{word}{_SUFFIX}" for word in new)
        lines = _judged(self._truecaser, text)
        for word, line in zip(new, lines, strict=True):
            # To the model U.S. and don't are more than one word.
            between = line[2:-2]
            candidates = between[0].candidates if between else ()
            known[word] = Known(
                self._truecaser.training_count(word), capitals(candidates, 0, len(word), word)[0]
            )
        return known


def capitals(
    candidates: Sequence[Candidate], start: int, end: int, small: str
) -> tuple[float, str]:
    """Log-odds of capitals in a part of a word, and its most probable form with capitals, or ""."""
    forms: dict[str, float] = {}
    for candidate in candidates:
        form = candidate.text[start:end]
        if form != small:
            forms[form] = forms.get(form, 0.0) + candidate.posterior
    share = min(max(sum(forms.values()), _LEAST_SHARE), 1 - _LEAST_SHARE)
    log_odds = math.log(share / (1 - share))
    return log_odds, max(forms, key=forms.__getitem__) if forms else ""


_PART = re.compile(r"[^-‐‑–/]+")

# Title Case leaves shorter words in lower case if the model surely writes them so: of, der, la.
_SMALL_WORD_LENGTH = 3
_SMALL_WORD_LOG_ODDS = -3.0

#: Every style of Title Case raises words of so many letters; some raise shorter ones.
LONG_WORD = 4


# An acronym that is the only word of a title has at most so many letters, and is rare.
_LONGEST_ACRONYM, _FEW = 6, 50

# Signs of chemical elements that are not words, and are parts of few.
_ELEMENTS = frozenset(read_weights("languages")["elements"].split())

# A capital or a word with a number is a name: O3, G7, Cas9.
_NUMBERED = re.compile(r"[A-Z][a-z]*\d+")

# Epithets by genus, of species of farms, gardens, forests, waters and laboratories.
SPECIES: dict[str, str] = read_weights("species")

# Names of other species end so, and training text has few; a genus is not surely lowercase, or ends
# so and is as new.
_SPECIES = re.compile(r".{2}(?:us|um|is|ii?|ae?|ensis|ans|ens|os|ster|monas)$")
_MOST_SEEN_OF_SPECIES = 450
_LEAST_OF_GENUS = -0.95


class Part(NamedTuple):
    """A part of a title.

    Attributes
    ----------
    start, end : int
        In the plain title.
    given : str
        Its form in the title.
    tag : str
        Its kind of case: AL, IU, AU or MX.
    log_odds : float
        Of capitals in it against none, by the model, which does not see the title's case.
    form : str
        Its most probable form with a capital, by the model.
    small : str
        Its lowercase form.
    hyphenated : int
        0: a word by itself; 1: the first part of a hyphenated one; 2: a later part.
    before : str
        The text between it and the part before it.
    is_open : bool
        Whether its case may change.
    """

    start: int
    end: int
    given: str
    tag: str
    log_odds: float
    form: str
    small: str
    hyphenated: int
    before: str
    is_open: bool


def parts_of(
    title: Plain, words: Sequence[WordPosterior], offset: int, language: str
) -> list[Part]:
    """Split a title into its parts, given its words with the posteriors of a model.

    `offset` is the index of the title in the text of `words`; earlier words are of other titles.
    """
    text = title.text
    parts = []
    done = 0
    for word in words:
        if word.start < offset:
            continue
        begin = word.start - offset
        found = list(_PART.finditer(text, begin, word.end - offset))
        for place, match in enumerate(found):
            start, end = match.span()
            given = match[0]
            kind = tag(given, language)
            if kind == "AN":
                continue
            small = lower(given, language)
            log_odds, form = capitals(word.candidates, start - begin, end - begin, small)
            parts.append(
                Part(
                    start,
                    end,
                    given,
                    kind,
                    log_odds,
                    # A form of another length has letters that are not one code point to one.
                    form if len(form) == end - start else capitalize(given, language),
                    small,
                    0 if len(found) == 1 else min(place + 1, 2),
                    text[done:start],
                    min(title.letters[start:end]) >= 0,
                )
            )
            done = end
    return parts


def says_nothing(parts: Sequence[Part], known: Mapping[str, Known]) -> bool:
    """Whether the case of a title says nothing about its words.

    True if all is in lower case, if common words are in capitals (A SURVEY OF TONES), or if exactly
    the first letter of every word is raised, as programs do it (A Survey Of Tones). A title of one
    short, rare word in capitals is an acronym.
    """
    kinds = {part.tag for part in parts}
    if kinds == {"AL"}:
        return True
    first = parts[0].small if len(parts) == 1 else ""
    if first and len(first) <= _LONGEST_ACRONYM and known[first].seen < _FEW:
        return False
    common = [
        part
        for part in parts
        if part.log_odds < 0 and known[part.small].seen and len(part.given) > 1
    ]
    n_caps = sum(part.tag == "AU" for part in common)
    return 2 * n_caps > len(common) or (
        kinds == {"IU"} and any(_is_raised_small_word(part, known) for part in parts[1:])
    )


def _is_raised_small_word(part: Part, known: Mapping[str, Known]) -> bool:
    return (
        part.tag == "IU"
        and len(part.given) <= _SMALL_WORD_LENGTH
        and part.log_odds < _SMALL_WORD_LOG_ODDS
        and known[part.small].seen > 0
        and not part.hyphenated
        and part.before.isspace()
    )


def kept_by_rule(
    parts: Sequence[Part], known: Mapping[str, Known], use_case: bool
) -> dict[int, bool]:
    """Parts whose capital a rule keeps or drops, by their place.

    A letter keeps its capital (vitamin C, O3; not e-books), and so does the sign of a chemical
    element; ``A`` does inside a title, unless other small words have capitals, too, and before an
    equals sign. Of a species, the genus keeps it (Felis catus).
    """
    kept: dict[int, bool] = {}
    keeps_a = use_case and not any(
        _is_raised_small_word(part, known) for part in parts[1:] if len(part.given) > 1
    )
    for i, part in enumerate(parts[1:], 1):
        if use_case and _NUMBERED.fullmatch(part.given):
            kept[i] = True
        elif len(part.given) == 1 and use_case and part.tag in ("IU", "AU"):
            behind = parts[i + 1].before if i + 1 < len(parts) else ""
            is_alone = keeps_a and part.before.isspace()
            if part.small != "a" or is_alone or behind.lstrip().startswith("="):
                kept[i] = part.small != "e" or behind != "-"
        elif use_case and part.given in _ELEMENTS and part.hyphenated < 2:
            # 5 Mg is a mass.
            kept[i] = not part.before.rstrip()[-1:].isdigit()
        elif _is_species(parts[i - 1], part, known):
            kept[i - 1], kept[i] = True, False
    return kept


def _is_species(genus: Part, species: Part, known: Mapping[str, Known]) -> bool:
    first, second = known[genus.small], known[species.small]
    is_new = first.seen == second.seen == 0 and bool(_SPECIES.search(genus.small))
    if species.small in SPECIES.get(genus.small, "").split() and species.before.isspace():
        return True
    return (
        genus.tag in ("IU", "AU")
        and species.before.isspace()
        and max(first.seen, second.seen) < _MOST_SEEN_OF_SPECIES
        and (is_new or first.log_odds > _LEAST_OF_GENUS)
        and second.log_odds < 0
        and len(genus.small) >= LONG_WORD
        and _SPECIES.search(species.small) is not None
    )


def capitalised_share(parts: Sequence[Part]) -> float:
    """Share of a title's long words after the first that begin with a capital; 0.5 without any.

    Near 1 in Title Case, near 0 in sentence case. Words with other capitals do not count.
    """
    long = [part.tag for part in parts[1:] if len(part.given) >= LONG_WORD]
    n_raised = long.count("IU")
    n = n_raised + long.count("AL")
    return n_raised / n if n else 0.5


#: Learned weights of features and of terms, and forms of words (``data/weights.md``).
LEARNED = read_weights("titles")

#: Words with capitals inside, by their lowercase form.
FORMS: dict[str, str] = LEARNED["forms"]

# An unseen word without a vowel, or with a digit among its letters, is an acronym.
_ACRONYM = re.compile(r"[b-df-hj-np-tv-xz]{2,}|[a-z]*\d+[a-z][a-z0-9]*|[a-z]+\d+")


def own_form(part: Part, known: Known, language: str) -> str:
    """Write a name or an acronym with its capitals."""
    small = part.small
    form = FORMS.get(small)
    if form is None and small.endswith("s") and small[:-1] in FORMS:
        # SVMs
        form = f"{FORMS[small[:-1]]}s"
    if form is not None and lower(form, language) == small:
        return form
    if known.seen == 0 and _ACRONYM.fullmatch(small):
        return upper(small, language)
    return part.form


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
    columns = np.array([*_numbers(titles, ends, known, use_case)], np.float64).T
    log_odds, alone, count, length, digit, hyphenated, acronym, small, share = columns[:9]
    first, last, after_colon, after_space, after_bracket = columns[9:14]
    before_colon, before_bracket, before_number = columns[14:]
    unseen = (count == 0).astype(np.float64)
    shown = np.where(small, _SURE_OF_NONE, log_odds)
    shown_alone = _middle(np.where(small, _SURE_OF_NONE, alone))
    alone_after = _next(shown_alone, last, -1.0)
    above_4 = np.maximum(log_odds - 4.0, 0.0)
    return {
        "constant": np.ones(len(log_odds)),
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
        "label": first * before_colon,  # the first word, and a colon after it
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
        "alone_before": _previous(shown_alone, first, -1.0),
        "alone_after": alone_after,
        "alone_after_log_odds": alone_after * log_odds / _SCALE,
        "after_space": (hyphenated == 0) * after_space,
        "before_bracket": before_bracket,
        "after_bracket": after_bracket,
        "before_number": before_number,
    }


def _numbers(
    titles: Sequence[Sequence[Part]],
    ends: Sequence[str],
    known: Mapping[str, Known],
    use_case: bool,
) -> Iterator[tuple[float, ...]]:
    """Yield the numbers of each part that its features are made of."""
    for parts, end in zip(titles, ends, strict=True):
        of_title = capitalised_share(parts) if use_case else 0.0
        for i, part in enumerate(parts):
            word = known[part.small]
            is_last = i + 1 == len(parts)
            behind = end if is_last else parts[i + 1].before
            yield (
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


# The set of learned weights, by whether the title's case is informative.
_SITUATION = {True: "with_case", False: "without_case"}

# Characters of a batch of titles, which bounds the memory for their posteriors: 500 bytes for each.
_BATCH = 1 << 16

# In the signs at the end; a row of signs is read once.
_COLON = re.compile(r"(?<!\W)(?=\W+$)\W*?:")
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
        Put braces around words that must keep their case in BibTeX: ``{BERT}``, ``{Mandarin}``.
    unseen_threshold : float, optional
        An unseen word keeps its capitals from this probability on; by default from that of other
        words. Most unseen words are terms of a field in titles of articles, and names in headlines
        and headings (`UNSEEN_IN_HEADINGS`). Titles in which every word has a capital do not use
        it.

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
        check_arguments(SentenceCaser.__init__, locals())
        if truecaser is None:
            truecaser = Truecaser.load()
        # The weights of titles were learned on probabilities that are not calibrated.
        self._truecaser = truecaser.without_calibration()
        self._language = truecaser.model.text.language
        self._words = KnownWords(self._truecaser)
        self._after_colon = after_colon
        self._braces = braces
        self._unseen_threshold = unseen_threshold

    def __repr__(self) -> str:
        return f"<SentenceCaser: {self._after_colon} after a colon, {self._truecaser!r}>"

    def __call__(self, title: str) -> str:
        """Case one title."""
        return self.batch([checked_text(title, "title")])[0]

    def batch(self, titles: Iterable[str]) -> list[str]:
        """Case many titles, which is faster than one by one."""
        cased = self.titles(titles)
        if not self._braces:
            return [title.text for title in cased]
        return [with_braces(title.text, title.protected) for title in cased]

    def case_block(self, block: bytes) -> bytes:
        """Case titles of UTF-8, one a line; broken bytes stay."""
        check_arguments(SentenceCaser.case_block, locals())
        lines = bytes(block).decode("utf-8", "surrogateescape").split("\n")
        return "\n".join(self.batch(lines)).encode("utf-8", "surrogateescape")

    def titles(self, titles: Iterable[str]) -> list[CasedTitle]:
        """Case titles without braces, and find the words that need them."""
        given = checked_texts(titles, "titles")
        cased: list[CasedTitle] = []
        start = size = 0
        for end, title in enumerate(given, 1):
            size += len(title) + 1
            if size > _BATCH or end == len(given):
                cased += self._cased(given[start:end])
                start, size = end, 0
        return cased

    def _cased(self, titles: Sequence[str]) -> Iterator[CasedTitle]:
        # A longer text is no title: it stays.
        plains = [plain(title if len(title) <= _BATCH else "") for title in titles]
        parts = read_parts(self._truecaser, plains)
        known = self._words.look_up(part.small for found in parts for part in found)
        uses_case = [not says_nothing(found, known) for found in parts]
        probabilities = _probabilities(plains, parts, known, uses_case)
        for title, bare, found, use_case, keeps in zip(
            titles, plains, parts, uses_case, probabilities, strict=True
        ):
            rare = {part.small for part in found if use_case and known[part.small].seen < _FEW}
            if other_language(bare.text, self._language, rare) is None:
                yield _written(title, bare, self._forms(bare, found, known, use_case, keeps))
            else:
                yield CasedTitle(title, ())

    def _forms(
        self,
        bare: Plain,
        parts: Sequence[Part],
        known: Mapping[str, Known],
        use_case: bool,
        keeps: Float64s,
    ) -> Iterator[tuple[Part, str, bool]]:
        """Each part of a title, its new form, and whether this keeps its capitals everywhere.

        `keeps` has the probability that each part keeps its capitals.
        """
        language, unseen = self._truecaser.language, self._unseen_threshold
        share = capitalised_share(parts)
        has_names = use_case and share <= _SENTENCE_CASE_SHARE
        kept = kept_by_rule(parts, known, use_case)
        usual_threshold = LEARNED[_SITUATION[use_case]]["threshold"]
        for i, (part, keep) in enumerate(zip(parts, keeps, strict=True)):
            word = known[part.small]
            begins = _begins(bare, part) if i > 0 else not any(map(str.isalnum, part.before))
            threshold = usual_threshold
            if use_case and unseen is not None and not word.seen:
                threshold = unseen
            if has_names and i > 0 and not begins:
                keep = 1.0
            elif i in kept:
                keep = float(kept[i])
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


def _judged(truecaser: Truecaser, text: str) -> list[list[WordPosterior]]:
    """Judge the words of lines as a sentence has them, whatever case they came in."""
    return truecaser.posteriors(
        text, input_case="ignore", style="sentence", sentence_start="learned"
    )


def read_parts(truecaser: Truecaser, plains: Sequence[Plain]) -> list[list[Part]]:
    """Read the parts of titles, with the posteriors of a model."""
    # Commas replace ends of sentences within titles: a capital behind these says nothing.
    text = "\n".join(PREFIX + _without_ends(title.text) for title in plains)
    lines = _judged(truecaser, text)
    found = []
    offset = 0
    for title, words in zip(plains, lines, strict=True):
        offset += len(PREFIX)
        found.append(parts_of(title, words, offset, truecaser.language))
        offset += len(title.text) + 1
    return found


def _probabilities(
    plains: Sequence[Plain],
    parts: Sequence[Sequence[Part]],
    known: Mapping[str, Known],
    uses_case: Sequence[bool],
) -> list[Float64s]:
    """Probability that each part of each title keeps its capitals."""
    found: list[Float64s] = [np.zeros(0)] * len(plains)
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
    ends = reversed([*_sentence_ends(text, 0, len(text))])
    return spliced(text, ((place, place + 1, ",") for place in ends))


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
                small = letter if given == "Σ" else lower(given)  # at a word's end, ς
                letters[at] = small if small != given else upper(given)
        if is_protected and not title.startswith("{", bare.begins[part.start] - 1):
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
    caser = SentenceCaser(_english() if truecaser is None else truecaser, after_colon, braces)
    return caser(titles) if isinstance(titles, str) else caser.batch(titles)


@lru_cache(maxsize=1)
def _english() -> Truecaser:
    """Load the embedded English model once."""
    return Truecaser.load()
