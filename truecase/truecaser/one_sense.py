"""One sense per document: where the model is sure of a word's case, the word's other places follow.

A word has one case in most of a document (Gale, Church & Yarowsky 1992 on its senses). Text is
cased twice. In the second pass, forms that the model was sure about inside a sentence are names of
the document, as if they stood in a list of names. Learned weights decide which words the second
pass may change, by how often both forms occur elsewhere in the text and by the place of the word.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from truecase.base.model_file import read_weights
from truecase.errors import CasingError
from truecase.kernels._unicode import lower, upper
from truecase.kernels.text import lines_of, spliced
from truecase.truecaser import Truecaser

# The model is sure of a form from this posterior on; a form is the word's if it has this share of
# the places; and a lowercase form is not proposed for words that training saw more often, since a
# common word is in lower case in one name and not in another.
_SURE = 0.8
_SHARE = 0.6
_RARE = 20_000

_ENDS_SENTENCE = re.compile(r"[.!?:…]+")
_CAPITALS = frozenset({"IU", "AU", "MX"})
_LOWEST = 1e-4
_LONGEST = 100  # characters of a word that counts


class Word(NamedTuple):
    """A word of a line as a pass cased it."""

    start: int
    end: int
    text: str
    tag: str
    posterior: float


class Change(NamedTuple):
    """A word that two passes write in different ways."""

    line: int
    word: int
    second: Word
    kind: str
    features: dict[str, float]


def read_words(table: str) -> list[list[Word]]:
    """Read the words of each line of a table that `Truecaser.table_block` wrote with posteriors."""
    lines: list[list[Word]] = []
    words: list[Word] = []
    for row in table.split("\n")[:-1]:
        if row:
            start, end, text, tag, posterior = row.split("\t")
            words.append(Word(int(start), int(end), text, tag, float(posterior)))
        else:
            lines.append(words)
            words = []
    return lines


def _first_words(line: Sequence[Word]) -> Iterator[bool]:
    """Whether each word is the first of its sentence."""
    is_first = True
    for word in line:
        yield is_first and word.tag != "AN"
        if word.tag != "AN":
            is_first = False
        elif not is_first:
            is_first = _ENDS_SENTENCE.fullmatch(word.text) is not None


class Evidence:
    """The forms that words have inside the sentences of a text, where the model is sure of them.

    Attributes
    ----------
    lines : list of list of Word
        As `read_words` reads them.
    seen : callable
        Returns how often training saw a word.
    capitals : float
        Share of the text's words with capitals.
    """

    def __init__(self, table: str, seen: Callable[[str], int]) -> None:
        self.lines = read_words(table)
        self.seen = seen
        # For each word and form: the places, line and word.
        self._places: dict[str, dict[str, list[tuple[int, int]]]] = {}
        n_words = n_capitals = 0
        for number, line in enumerate(self.lines):
            for place, (word, is_first) in enumerate(zip(line, _first_words(line), strict=True)):
                if word.tag == "AN":
                    continue
                n_words += 1
                n_capitals += word.tag in _CAPITALS
                if not is_first and word.posterior >= _SURE and _may_be_name(word.text):
                    forms = self._places.setdefault(word.text.lower(), {})
                    forms.setdefault(word.text, []).append((number, place))
        self.capitals = n_capitals / max(1, n_words)

    def forms(self) -> list[str]:
        """Return the forms that most places of their words have, in alphabetical order."""
        found = []
        for word, forms in self._places.items():
            form = max(forms, key=lambda form: len(forms[form]))
            n_places = sum(map(len, forms.values()))
            if len(forms[form]) >= _SHARE * n_places and (form != word or self.seen(word) <= _RARE):
                found.append(form)
        return sorted(found)

    def lines_elsewhere(self, line: int, word: int, form: str) -> list[int]:
        """Return the lines in which a form stands, except for one place."""
        places = self._places.get(form.lower(), {}).get(form, ())
        return [number for number, place in places if (number, place) != (line, word)]

    def others(self, first: str, second: str) -> int:
        """Count the places where the model is sure of other forms of a word."""
        forms = self._places.get(first.lower(), {})
        return sum(len(places) for form, places in forms.items() if form not in (first, second))


def _may_be_name(text: str) -> bool:
    """Whether a list of names can hold it: no broken bytes, no control characters."""
    return text.isprintable() and len(text) <= _LONGEST


def changes(evidence: Evidence, second: Sequence[Sequence[Word]]) -> Iterator[Change]:
    """Find the words that a second pass writes otherwise than the first, with their features."""
    for number, (line, other) in enumerate(zip(evidence.lines, second, strict=True)):
        if line == other:
            continue
        firsts = list(_first_words(line))
        n_capitals = sum(word.tag in _CAPITALS for word in line)
        n_words = sum(word.tag != "AN" for word in line)
        for place, (word, changed) in enumerate(zip(line, other, strict=True)):
            if word.text == changed.text:
                continue
            seconds = evidence.lines_elsewhere(number, place, changed.text)
            n_firsts = len(evidence.lines_elsewhere(number, place, word.text))
            distance = min((abs(other - number) for other in seconds), default=200)
            features = {
                # Places where the text is sure of a form.
                "places_of_second": math.log1p(len(seconds)),
                "places_of_first": math.log1p(n_firsts),
                "places_of_others": math.log1p(evidence.others(word.text, changed.text)),
                "seen": math.log1p(evidence.seen(word.text.lower())) / 5,
                "distance": math.log1p(distance) / 3,  # lines to the next place of the second form
                # By the sentence alone.
                "first_log_odds": _log_odds(word.posterior) / 3,
                "second_log_odds": _log_odds(changed.posterior) / 3,
                "first_word": firsts[place],
                "title_line": 2 * n_capitals > n_words,
                "no_mark": _ENDS_SENTENCE.fullmatch(line[-1].text) is None,
                "capital_before": _is_capital(line, place - 1) and not firsts[place],
                "capital_after": _is_capital(line, place + 1),
                "capital_before_in_second": _is_capital(other, place - 1),
                "capital_after_in_second": _is_capital(other, place + 1),
                "capitals": 10 * (evidence.capitals - 0.15),
                "share": len(seconds) / (len(seconds) + n_firsts + 1),
                "constant": 1.0,
            }
            yield Change(number, place, changed, _kind(word, changed), features)


def _kind(word: Word, changed: Word) -> str:
    """Return the name of a set of `WEIGHTS`."""
    if word.tag == "AL":
        return "raised"
    return "lowered" if changed.tag == "AL" else "other"


def _is_capital(line: Sequence[Word], place: int) -> bool:
    return 0 <= place < len(line) and line[place].tag in _CAPITALS


def _log_odds(probability: float) -> float:
    probability = min(max(probability, _LOWEST), 1 - _LOWEST)
    return math.log(probability / (1 - probability))


#: Lines of a window, in which words influence each other.
WINDOW = 200

_LEARNED = read_weights("evidence")

#: A word is changed where the weighted sum of its features exceeds this.
MARGIN: float = _LEARNED["margin"]

#: Weights of features by kind of change.
WEIGHTS: dict[str, dict[str, float]] = _LEARNED["weights"]


def case_in_two_passes(truecaser: Truecaser, block: bytes) -> bytes:
    """Case the lines of one document; they agree on their words where the model is sure."""
    if truecaser.casing.min_odds > 1:
        raise CasingError("min_odds: one sense goes by the rest of the text, whatever the odds")
    # The weights of the evidence were learned on probabilities that are not calibrated.
    plain = truecaser.without_calibration()
    first = plain.table_block(block, with_posteriors=True)
    evidence = Evidence(first.decode("utf-8", "surrogateescape"), truecaser.training_count)
    forms = evidence.forms()
    if not forms:
        return truecaser.case_block(block)
    second = _knowing(plain, forms).table_block(block, with_posteriors=True)
    text, table = (data.decode("utf-8", "surrogateescape") for data in (block, second))
    return apply_changes(text, table, evidence).encode("utf-8", "surrogateescape")


def _knowing(truecaser: Truecaser, forms: Sequence[str]) -> Truecaser:
    """A truecaser with forms as names; the user's own names take precedence."""
    from truecase.model.names import join_lists, name_list

    names = name_list(forms)
    if truecaser.model.names is not None:
        names = join_lists([names, truecaser.model.names])
    return truecaser._with(truecaser.model.replace(names=names))


def apply_changes(given: str, second: str, evidence: Evidence) -> str:
    """Case lines as the first pass did, with those changes of the second that the weights allow.

    `given` has the input lines, `second` the table of the second pass, `evidence` the first pass.
    """
    words = [list(line) for line in evidence.lines]
    for change in changes(evidence, read_words(second)):
        weights = WEIGHTS[change.kind]
        score = sum(weights[name] * value for name, value in change.features.items())
        if score > MARGIN:
            words[change.line][change.word] = change.second
    lines = given.split("\n")
    for number, line in enumerate(words):
        lines[number] = spliced(lines[number], (word[:3] for word in line))
    return "\n".join(lines)


# One name, one form


def with_agreed_names(truecaser: Truecaser, blocks: Iterable[str]) -> Truecaser:
    """A truecaser that writes a text's unknown words alike in all their places.

    `blocks` are whole lines. A word that training has not seen, and that stands in the text twice
    or more, gets the form of the place inside a sentence where the model is surest, as if it stood
    in a list of names. A word that came in several forms, in lines whose case says something, keeps
    them.
    """
    places: dict[str, list[bytes]] = defaultdict(list)
    for text in blocks:
        block = text.encode("utf-8", "surrogateescape")
        for start, end in truecaser._compiled.unknown_words(block):
            last = block.find(b"\n", end)
            place = block[block.rfind(b"\n", 0, start) + 1 : last if last >= 0 else len(block)]
            places[lower(block[start:end].decode("utf-8", "surrogateescape"))].append(place)
    unknown = {word: found for word, found in places.items() if len(found) > 1}
    if not unknown:
        return truecaser
    lines = list(dict.fromkeys(line for found in unknown.values() for line in found))
    table = truecaser.without_calibration().table_block(
        b"\n".join(lines) + b"\n", with_posteriors=True
    )
    certainty: dict[str, dict[str, float]] = defaultdict(dict)
    written: dict[str, set[str]] = defaultdict(set)
    given: dict[str, set[str]] = defaultdict(set)
    rows = read_words(table.decode("utf-8", "surrogateescape"))
    for data, words in zip(lines, rows, strict=True):
        line = data.decode("utf-8", "surrogateescape")
        is_mixed = lower(line) != line != upper(line)
        for word, is_first in zip(words, _first_words(words), strict=True):
            key = lower(word.text)
            if key not in unknown:
                continue
            written[key].add(word.text)
            if is_first:
                continue
            forms = certainty[key]
            forms[word.text] = max(word.posterior, forms.get(word.text, 0.0))
            if is_mixed:
                given[key].add(line[word.start : word.end])
    agreed = [
        max(sorted(forms), key=lambda form: forms[form])
        for key, forms in sorted(certainty.items())
        if len(given[key]) < 2 <= len(written[key])
    ]
    return _knowing(truecaser, agreed) if agreed else truecaser


def windows(
    blocks: Iterable[bytes], separator: bytes | None = None, *, at_blank_lines: bool = False
) -> Iterator[bytes]:
    """Cut a text into blocks of about `WINDOW` lines, however it was cut into blocks before.

    `separator`, without the white space around it, ends a window. With `at_blank_lines`, windows
    end only at blank lines, or after twice as many lines.
    """
    lines: list[bytes] = []
    for block in blocks:
        for line in lines_of(block):
            lines.append(line)
            bare = line.strip()
            is_full = len(lines) >= WINDOW and (not at_blank_lines or not bare)
            if is_full or len(lines) >= 2 * WINDOW or (separator and bare == separator):
                yield b"".join(lines)
                lines = []
    if lines:
        yield b"".join(lines)
