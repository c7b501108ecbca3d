"""Finds lines in capitals, Title Case or lower case, and records their case.

Form is not enough: ``NASA`` and ``New York`` are in sentence case. A line is in capitals or in
Title Case only if a casing model writes some of its words in lower case.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Literal, NamedTuple, cast

from truecase.errors import RecordError, WrongTypeError
from truecase.kernels._spans import Span, find_spans
from truecase.kernels._unicode import lower, tag

#: The case of a line: as sentences, all in lower case, as titles, all in capitals.
CaseStyle = Literal["cased", "lower", "title", "upper"]

_NUMBER = "(?:0|[1-9][0-9]{0,8})"
_RECORD = re.compile(rf"lower|cased(?: \+{_NUMBER})*|(?:title|upper)(?: -{_NUMBER})*")
_SHOWN = 40


class CaseRecord(NamedTuple):
    """The case of one line.

    Attributes
    ----------
    style : {"cased", "lower", "title", "upper"}
    words : tuple of int
        Indexes of white-space-separated words that differ from the style: in ``cased`` lines those
        in capitals for emphasis, in ``upper`` lines those not in capitals, in ``title`` lines those
        without a capital.
    """

    style: CaseStyle
    words: tuple[int, ...] = ()

    def __str__(self) -> str:
        sign = "-" if self.style in ("title", "upper") else "+"
        return " ".join([self.style, *(f"{sign}{word}" for word in self.words)])

    @classmethod
    def parse(cls, line: str) -> CaseRecord:
        """Parse a line such as ``upper -2``; raises `RecordError`."""
        if not _RECORD.fullmatch(line):
            raise RecordError(
                f"record {line[:_SHOWN]!r}: expected what `truecase bridge before` writes, such as "
                "upper, title -1 or cased +3"
            )
        style, *words = line.split(" ")
        return cls(cast("CaseStyle", style), tuple(int(word[1:]) for word in words))


ORDINARY = CaseRecord("cased")


def format_records(records: Iterable[CaseRecord]) -> bytes:
    """Write records as lines."""
    return "".join(f"{record}\n" for record in records).encode("ascii")


def parse_records(block: bytes, name: str = "records", first_line: int = 1) -> list[CaseRecord]:
    """Parse lines of records; `name` and `first_line` are for messages."""
    lines = block.decode("utf-8", "backslashreplace").split("\n")
    if not lines[-1]:
        lines.pop()
    return [
        _record(line.rstrip("\r"), f"{name}: line {number}")
        for number, line in enumerate(lines, first_line)
    ]


def as_record(record: object, place: int) -> CaseRecord:
    """Return a record, parsed if it is a line."""
    if isinstance(record, CaseRecord):
        return record
    if not isinstance(record, str):
        raise WrongTypeError(
            f"records[{place}]: expected a CaseRecord or a str, found {type(record).__name__}"
        )
    return _record(record, f"records[{place}]")


def _record(line: str, where: str) -> CaseRecord:
    try:
        return CaseRecord.parse(line)
    except RecordError as error:
        raise RecordError(f"{where}: {error}") from None


# The largest share of words with another case in a line of capitals (iPhone, "and" in a heading).
_MOST_OTHERS = 0.2

# Every style of Title Case raises words of so many letters; some raise shorter ones.
_LONG_WORD = 4

# The least share of raised words among the long words of a title.
_RAISED_SHARE = 0.8

Seen = Callable[[str], int]


def style_of(line: Line) -> str:
    """Find the style that a line may have; ``cased`` if it is surely a sentence."""
    kinds = Counter(word.tag for word in line.words)
    if kinds["AL"] and set(kinds) <= {"AL", "AN"}:
        return "lower"
    n_others = kinds["AL"] + kinds["MX"] + sum(map(_is_initial, line.words))
    if kinds["AU"] and n_others <= _MOST_OTHERS * (kinds["AU"] + n_others):
        return "upper"
    later = _later(line)
    n_raised = sum(_is_initial(word) or word.tag == "MX" for word in later)
    n_long_small = sum(word.tag == "AL" and word.end - word.start >= _LONG_WORD for word in later)
    if n_raised and n_raised >= _RAISED_SHARE * (n_raised + n_long_small):
        return "title"
    return "cased"


def upper_record(line: Line, sentence: Line, seen: Seen) -> CaseRecord:
    """Make the record of a line that may be in capitals, given the line in sentence case.

    `seen` returns the training count of a word: unknown names and codes may always be in capitals.
    """
    upper = [i for i, word in enumerate(line.words) if word.tag == "AU"]
    lowered = [i for i in upper if sentence.words[i].tag != "AU"]
    if 2 * len(lowered) < len(upper) or not any(seen(_letters(line.words[i])) for i in lowered):
        return ORDINARY
    return CaseRecord(
        "upper",
        tuple(
            i for i, word in enumerate(line.words) if word.tag in ("AL", "MX") or _is_initial(word)
        ),
    )


def title_record(line: Line, sentence: Line) -> CaseRecord:
    """Make the record of a line that may be in Title Case."""
    if not any(
        given.tag in ("IU", "MX") and word.tag == "AL"
        for given, word in zip(_later(line), _later(sentence), strict=True)
    ):
        return ORDINARY
    return CaseRecord("title", tuple(i for i, word in enumerate(line.words) if word.tag == "AL"))


def emphasis_record(line: Line, sentence: Line, seen: Seen) -> CaseRecord:
    """Make the record of an ordinary line: its words that are in capitals for emphasis."""
    return CaseRecord(
        "cased",
        tuple(
            i
            for i, (given, word) in enumerate(zip(line.words, sentence.words, strict=True))
            if given.tag == "AU" and word.tag in ("AL", "IU") and seen(_letters(given))
        ),
    )


def _later(line: Line) -> Sequence[Word]:
    """The words after the first one that has letters."""
    for i, word in enumerate(line.words):
        if word.tag != "AN":
            return line.words[i + 1 :]
    return []


def _is_initial(word: Word) -> bool:
    # A single capital letter (I, A) fits every style.
    return word.tag == "IU" and word.end - word.start > 1


def _letters(word: Word) -> str:
    return lower(word.text.strip(".,;:!?\"'()[]«»“”‘’"))


# Separated by ASCII white space, as alignments count words.
_WORD = re.compile(r"[^\t-\r ]+")

# Only lines that match can have an address, code or a tag.
_MAY_HAVE_SPANS = re.compile(r"[^\w\s.,;:!?\"'()-]|[\w][.:][\w]|--|[0-9_]")


class Word(NamedTuple):
    """A word.

    Attributes
    ----------
    start, end : int
        Position in the line, in characters.
    tag : str
        AL, IU, AU, MX, or AN for a word without letters and one that overlaps an address, code or a
        tag.
    text : str
    """

    start: int
    end: int
    tag: str
    text: str


class Line(NamedTuple):
    """A line, its words, and the positions of fixed parts."""

    text: str
    words: list[Word]
    fixed: list[tuple[int, int]]

    def spans(self, numbers: Iterable[int]) -> list[tuple[int, int]]:
        """Return start and end of some words."""
        return [self.words[i][:2] for i in numbers]


def read_line(text: str, language: str = "") -> Line:
    """Find the words of a line, and its addresses, code and markup."""
    fixed = []
    if _MAY_HAVE_SPANS.search(text):
        spans = character_spans(text, "surrogateescape")
        fixed = [(span.start, span.end) for span in spans if not span.unsure]
    words = []
    for match in _WORD.finditer(text):
        start, end = match.span()
        is_fixed = any(first < end and start < last for first, last in fixed)
        kind = "AN" if is_fixed else tag(match[0], language)
        words.append(Word(start, end, kind, match[0]))
    return Line(text, words, fixed)


def character_spans(text: str, errors: str) -> list[Span]:
    """Find addresses, code and markup in a line, in characters; `errors` is that of encoding."""
    data = text.encode("utf-8", errors)
    spans = find_spans(data)
    if len(data) == len(text):
        return spans

    def characters(place: int) -> int:
        return len(data[:place].decode("utf-8", errors))

    return [span._replace(start=characters(span.start), end=characters(span.end)) for span in spans]


def changed(line: Line, mapping: Callable[[str], str], kept: Iterable[int] = ()) -> str:
    """Map the words of a line, except those at the indexes `kept`, addresses, code and markup.

    `mapping` keeps the length of a text.
    """
    return with_spans(mapping(line.text), line.text, line.spans(kept) + line.fixed)


def with_spans(text: str, other: str, spans: Iterable[tuple[int, int]]) -> str:
    """Replace parts of a text by those of another one of the same length."""
    letters = list(text)
    for start, end in spans:
        letters[start:end] = other[start:end]
    return "".join(letters)
