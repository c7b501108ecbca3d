"""Finds lines in capitals, Title Case or lower case, and records their case.

Form is not enough: ``NASA`` and ``New York`` are in sentence case. A line is in capitals or in
Title Case only if a casing model writes some of its words in lower case.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Literal, NamedTuple, get_args

from truecase.errors import RecordError, WrongTypeError
from truecase.kernels._spans import find_spans
from truecase.kernels._unicode import lower, tag

#: The case of a line: as sentences, all in lower case, as titles, all in capitals.
CaseStyle = Literal["cased", "lower", "title", "upper"]

CASE_STYLES: tuple[CaseStyle, ...] = get_args(CaseStyle)

_RECORD = re.compile(r"(cased|lower|title|upper)((?: [+-](?:0|[1-9][0-9]{0,8}))*)")
_SHOWN = 40

# Records list words in capitals (+) of sentences, and words without (-) of other styles.
_SIGNS = {"cased": "+", "lower": "+", "title": "-", "upper": "-"}


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
        sign = _SIGNS[self.style]
        return " ".join([self.style, *(f"{sign}{word}" for word in self.words)])

    @classmethod
    def parse(cls, line: str) -> CaseRecord:
        """Parse a line such as ``upper -2``; raises `RecordError`."""
        match = _RECORD.fullmatch(line)
        if match:
            words = match[2].split()
            for style in CASE_STYLES:
                if match[1] == style and all(word[0] == _SIGNS[style] for word in words):
                    if style == "lower" and words:
                        break
                    return cls(style, tuple(int(word[1:]) for word in words))
        raise RecordError(
            f"record {line[:_SHOWN]!r}: expected what `truecase bridge before` writes, such as "
            "upper, title -1 or cased +3"
        )


ORDINARY = CaseRecord("cased")


def format_records(records: Iterable[CaseRecord]) -> bytes:
    """Write records as lines."""
    return "".join(f"{record}\n" for record in records).encode("ascii")


def parse_records(block: bytes, name: str = "records", first_line: int = 1) -> list[CaseRecord]:
    """Parse lines of records; `name` and `first_line` are for messages."""
    lines = block.decode("utf-8", "backslashreplace").split("\n")
    if not lines[-1]:
        lines.pop()
    records = []
    for number, line in enumerate(lines, first_line):
        try:
            records.append(CaseRecord.parse(line.rstrip("\r")))
        except RecordError as error:
            raise RecordError(f"{name}: line {number}: {error}") from None
    return records


def as_record(record: object, place: int) -> CaseRecord:
    """Return a record, parsed if it is a line."""
    if isinstance(record, CaseRecord):
        return record
    if not isinstance(record, str):
        raise WrongTypeError(
            f"records[{place}]: expected a CaseRecord or a str, found {type(record).__name__}"
        )
    try:
        return CaseRecord.parse(record)
    except RecordError as error:
        raise RecordError(f"records[{place}]: {error}") from None


# The largest share of words with another case in a line of capitals (iPhone, "and" in a heading).
_MOST_OTHERS = 0.2

# Every style of Title Case raises words of so many letters; some raise shorter ones.
_LONG_WORD = 4

# The least share of raised words among the long words of a title.
_RAISED_SHARE = 0.8

Seen = Callable[[str], int]


def may_be_upper(line: Line) -> bool:
    """Whether nearly all words of a line are in capitals."""
    kinds = [word.tag for word in line.words]
    n_upper = kinds.count("AU")
    n_others = kinds.count("AL") + kinds.count("MX") + sum(map(_is_initial, line.words))
    return n_upper > 0 and n_others <= _MOST_OTHERS * (n_upper + n_others)


def may_be_title(line: Line) -> bool:
    """Whether words after the first one have capitals, and few long ones lack them."""
    later = _later(line)
    n_raised = sum(_is_initial(word) or word.tag == "MX" for word in later)
    n_long_small = sum(word.tag == "AL" and word.end - word.start >= _LONG_WORD for word in later)
    return n_raised > 0 and n_raised >= _RAISED_SHARE * (n_raised + n_long_small)


def is_lower(line: Line) -> bool:
    """Whether a line has letters, and all of them are in lower case."""
    kinds = {word.tag for word in line.words}
    return "AL" in kinds and kinds <= {"AL", "AN"}


def upper_record(line: Line, sentence: Line, seen: Seen) -> CaseRecord:
    """Make the record of a line that may be in capitals, given the line in sentence case.

    `seen` returns the training count of a word: unknown names and codes may always be in capitals.
    """
    upper = [i for i, word in enumerate(line.words) if word.tag == "AU"]
    lowered = [i for i in upper if sentence.words[i].tag != "AU"]
    if 2 * len(lowered) < len(upper) or not any(seen(_letters(line, i)) for i in lowered):
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
            if given.tag == "AU" and word.tag in ("AL", "IU") and seen(_letters(line, i))
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


def _letters(line: Line, number: int) -> str:
    word = line.words[number]
    return lower(line.text[word.start : word.end].strip(".,;:!?\"'()[]«»“”‘’"))


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
    """

    start: int
    end: int
    tag: str


class Line(NamedTuple):
    """A line, its words, and the positions of fixed parts."""

    text: str
    words: list[Word]
    fixed: list[tuple[int, int]]


def read_line(text: str, language: str = "") -> Line:
    """Find the words of a line, and its addresses, code and markup."""
    fixed = _fixed(text)
    words = []
    for match in _WORD.finditer(text):
        start, end = match.span()
        is_fixed = any(first < end and start < last for first, last in fixed)
        words.append(Word(start, end, "AN" if is_fixed else tag(match[0], language)))
    return Line(text, words, fixed)


def _fixed(text: str) -> list[tuple[int, int]]:
    if not _MAY_HAVE_SPANS.search(text):
        return []
    data = text.encode("utf-8", "surrogateescape")
    spans = [(span.start, span.end) for span in find_spans(data) if not span.unsure]
    if len(data) == len(text):
        return spans

    def characters(place: int) -> int:
        return len(data[:place].decode("utf-8", "surrogateescape"))

    return [(characters(start), characters(end)) for start, end in spans]


def changed(
    line: Line,
    mapping: Callable[[str], str],
    wanted: Callable[[int], bool] | None = None,
) -> str:
    """Map the words of a line, except in addresses, code and markup.

    `mapping` keeps the length of a text. `wanted` returns whether the word with an index changes.
    """
    letters = list(mapping(line.text))
    if wanted is not None:
        for number, word in enumerate(line.words):
            if not wanted(number):
                letters[word.start : word.end] = line.text[word.start : word.end]
    for start, end in line.fixed:
        letters[start:end] = line.text[start:end]
    return "".join(letters)
