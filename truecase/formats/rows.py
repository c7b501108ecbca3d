"""Cases the rows of tables, and finds rows that cannot be cased."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, NamedTuple, TypeVar

from truecase.errors import AlignmentError, ColumnError, TableError
from truecase.formats.segments import spliced
from truecase.formats.tables import ColumnJob
from truecase.truecaser import Truecaser
from truecase.truecaser.column import column_of_texts, texts_of_column
from truecase.truecaser.multilingual import MultilingualTruecaser

Result = TypeVar("Result")

#: Errors of some row of a column.
ROW_ERRORS = (AlignmentError, ColumnError)

# The place of a row in messages of `ROW_ERRORS`.
_PLACE = re.compile(r"^column: |(?:row \d+ of a chunk|line \d+)(?:: | )")


def case_texts(
    truecaser: Truecaser | MultilingualTruecaser,
    texts: Sequence[bytes],
    sources: Sequence[bytes | None] | None = None,
    alignments: Sequence[bytes | None] | None = None,
    languages: Sequence[bytes | None] | None = None,
) -> list[bytes | None]:
    """Case texts in UTF-8."""
    columns = [
        None if given is None else column_of_texts(list(given))
        for given in (texts, sources, alignments, languages)
    ]
    text, source, alignment, language = columns
    cased: Any = truecaser.column(text, source=source, alignment=alignment, language=language)
    return texts_of_column(cased)


def by_sound_rows(
    case: Callable[[int, int], Result], begin: int, end: int, *, cut: bool = True
) -> Iterator[tuple[int, int, Result | str]]:
    """Case the rows `begin` … `end` - 1; if some of them raise `ROW_ERRORS`, case all others.

    Yields the begin and end of some rows and the result of `case` for them, or the message about a
    single bad row. Without `cut`, one bad row makes all of them bad.
    """
    if begin == end:
        return
    try:
        result: Result | str = case(begin, end)
    except ROW_ERRORS as error:
        if end - begin > 1 and cut:
            # Bad rows are rare, and halving the block finds them fast.
            middle = (begin + end) // 2
            yield from by_sound_rows(case, begin, middle)
            yield from by_sound_rows(case, middle, end)
            return
        # The caller knows a better name of the place.
        result = _PLACE.sub("", str(error))
    yield begin, end, result


class Cell(NamedTuple):
    """The text of a row, without quotation marks and escapes, and its bytes in its block."""

    row: int
    start: int
    end: int
    text: bytes
    # Escapes another text of the same length.
    written: Callable[[bytes], bytes] | None = None


@dataclass
class RowBlock:
    """Whole rows of a file.

    Attributes
    ----------
    first_row, first_line : int
        Numbers in the file; a block of JSON lines has no `first_line`.
    cells : dict of str to list of Cell
        By column, in order.
    bad : dict of int to BadRow
        By row in the block.
    """

    data: bytes
    first_row: int
    first_line: int | None
    n_rows: int = 0
    cells: dict[str, list[Cell]] = field(default_factory=lambda: defaultdict(list))
    bad: dict[int, BadRow] = field(default_factory=dict)
    # A byte, and the line feeds before it: most rows are marked in order.
    _known: tuple[int, int] = (0, 0)

    def add_bad(self, row: int, at: int, reason: str) -> None:
        """Mark a row as bad; `at` is one of its bytes."""
        line = None
        if self.first_line is not None:
            place, n_feeds = self._known if self._known[0] <= at else (0, 0)
            n_feeds += self.data.count(b"\n", place, at)
            self._known = at, n_feeds
            line = self.first_line + n_feeds
        self.bad.setdefault(row, BadRow(self.first_row + row, line, reason))


class BadRow(NamedTuple):
    """A row that cannot be cased.

    Attributes
    ----------
    row : int
        From 1 in the file, without its header; in JSON lines, the line.
    line : int or None
        The line in which the row begins, if a row is not a line.
    reason : str
    """

    row: int
    line: int | None
    reason: str

    def __str__(self) -> str:
        place = f"row {self.row}" if self.line is None else f"row {self.row} (line {self.line})"
        return f"{place}: {self.reason}"


# Names in a message about a missing column, and their characters, at most.
_MAX_NAMES, _MAX_CHARACTERS = 20, 500


def missing_column(name: str, column: str, there: Sequence[str]) -> TableError:
    """The error for a missing column, which lists similar names, or all."""
    near = get_close_matches(column, there, 3)
    sign = next((sign for sign in ";\t|," if len(there) == 1 and sign in there[0]), None)
    if sign is not None:
        hint = f"the only one is {there[0]!r}: if {sign!r} is between columns, give --delimiter"
    elif near:
        hint = f"did you mean {' or '.join(near)}?"
    elif not there:
        hint = "there is none at all"
    else:
        named = there[:_MAX_NAMES]
        while len(named) > 1 and sum(map(len, named)) > _MAX_CHARACTERS:
            named = named[:-1]
        more = f" and {len(there) - len(named)} more" if len(there) > len(named) else ""
        hint = f"there are: {', '.join(named)}{more}"
    return TableError(f"{name}: there is no column {column}; {hint}")


class CasedRows(NamedTuple):
    """Rows after casing: how many texts changed, and about how many words there are."""

    data: Any  # bytes, or a batch of pyarrow
    n_rows: int
    n_changed: int
    n_words: int
    bad: list[BadRow]


#: Cases texts, by their sources, alignments and languages.
CasesTexts = Callable[..., list[bytes | None]]
#: Says which languages have no model, and why.
FindsMissing = Callable[[set[str]], dict[str, str]]


def case_rows(
    block: RowBlock,
    jobs: Sequence[ColumnJob],
    case: CasesTexts,
    missing: FindsMissing = lambda _: {},
) -> CasedRows:
    """Case the texts of a block; runs in any thread."""
    changed: list[tuple[Cell, bytes]] = []
    n_words = 0
    for job in jobs:
        cells = [cell for cell in block.cells[job.column] if cell.row not in block.bad]
        n_words += sum(cell.text.count(b" ") for cell in cells) + len(cells)
        for cell, text in _cased(block, cells, job, case, missing):
            if text != cell.text:
                changed.append((cell, text))
    changed = [one for one in changed if one[0].row not in block.bad]
    changed.sort(key=lambda one: one[0].start)
    splices = (
        (cell.start, cell.end, text if cell.written is None else cell.written(text))
        for cell, text in changed
    )
    return CasedRows(
        b"".join(spliced(block.data, splices)) if changed else block.data,
        block.n_rows,
        len(changed),
        n_words,
        [block.bad[row] for row in sorted(block.bad)],
    )


def sound_languages(
    names: list[str], missing: FindsMissing, add_bad: Callable[[int, str], None]
) -> list[str]:
    """The languages of texts; one without a model makes the text bad, and is left out."""
    reasons = missing(set(names))
    for i, name in enumerate(names):
        if name in reasons:
            add_bad(i, reasons[name])
    return ["" if name in reasons else name for name in names]


def _cased(
    block: RowBlock, cells: list[Cell], job: ColumnJob, case: CasesTexts, missing: FindsMissing
) -> Iterator[tuple[Cell, bytes]]:
    columns: list[Sequence[bytes | None] | None] = [
        [cell.text for cell in cells],
        _texts_in_rows(block, cells, job.source),
        _texts_in_rows(block, cells, job.alignment),
    ]
    languages = _texts_in_rows(block, cells, job.language)
    if languages is not None:
        names = [(name or b"").decode("utf-8", "replace") for name in languages]
        found = sound_languages(
            names,
            missing,
            lambda i, why: block.add_bad(cells[i].row, cells[i].start, f"{job.language}: {why}"),
        )
        columns.append([name.encode("utf-8") for name in found])

    def case_some(begin: int, end: int) -> list[bytes | None]:
        return case(*(None if texts is None else texts[begin:end] for texts in columns))

    for begin, end, done in by_sound_rows(case_some, 0, len(cells)):
        if isinstance(done, str):
            cell = cells[begin]
            block.add_bad(cell.row, cell.start, f"{job.column}: {done}")
            continue
        for cell, text in zip(cells[begin:end], done, strict=True):
            assert text is not None
            yield cell, text


def _texts_in_rows(
    block: RowBlock, cells: list[Cell], column: str | None
) -> list[bytes | None] | None:
    """The texts of another column in the rows of cells."""
    if column is None:
        return None
    found = {cell.row: cell.text for cell in block.cells[column]}
    return [found.get(cell.row) for cell in cells]
