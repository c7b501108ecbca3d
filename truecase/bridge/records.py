"""Records of the case that lines had before translation, one short line for each."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal, NamedTuple, get_args

from truecase.errors import RecordError, WrongTypeError

#: The case of a line: that of sentences, all lowercase, that of titles, all in capitals.
CaseStyle = Literal["cased", "lower", "title", "upper"]

CASE_STYLES: tuple[CaseStyle, ...] = get_args(CaseStyle)

_RECORD = re.compile(r"(cased|lower|title|upper)((?: [+-](?:0|[1-9][0-9]{0,8}))*)")
_SHOWN = 40

# Listed words of sentences are in capitals, those of other styles are not.
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
