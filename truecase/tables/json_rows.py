"""JSON lines, with the bytes that the texts of each row take.

A row is read by one pattern for each member of an object, since a table has many rows and its
values are short; what is not wanted is checked as strictly as what is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from truecase.formats.flow import Flow, splice
from truecase.formats.json_text import JsonString, json_pieces
from truecase.formats.protect import Protected
from truecase.tables.errors import TableError, missing_column
from truecase.tables.paths import ITEMS, Path, parse_path, write_path
from truecase.tables.row_blocks import Cell, RowBlock

#: Values inside each other.
MAX_DEPTH = 100

#: A column that none of so many rows has is a mistake.
LOOKED_AT = 10_000

_SAMPLE = 100

_WHITE = rb"[ \t\r]*"
_BODY = rb"[^\"\\\x00-\x1f]*(?:\\(?:[\"\\/bfnrt]|u[0-9A-Fa-f]{4})[^\"\\\x00-\x1f]*)*"
_SCALAR = (
    rb"(?:-?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|Infinity)|true|false|null|NaN)"
)
# A value, or what begins one; an array of numbers, such as a vector, is taken at once. Then what
# follows it.
_VALUE = (
    rb"(?:\"(%(body)s)\"|(%(scalar)s)|(\[%(white)s%(scalar)s(?:%(white)s,%(white)s%(scalar)s)*"
    rb"%(white)s\])|([\[{]))%(white)s([,}\]]?)"
) % {b"body": _BODY, b"scalar": _SCALAR, b"white": _WHITE}
# What a list of null alone is written with.
_OF_NULLS = b"[], \t\rnul"
_STRING, _PLAIN, _NUMBERS, _OPEN, _SIGN = range(1, 6)
_ITEM = re.compile(_WHITE + _VALUE)
# Its key is the last group.
_MEMBER = re.compile(_WHITE + rb"\"(?P<key>" + _BODY + rb")\"" + _WHITE + b":" + _WHITE + _VALUE)
_KEY = 1
_NEXT = re.compile(_WHITE + rb"([,}\]])")
_EMPTY = {b"{": re.compile(_WHITE + rb"\}"), b"[": re.compile(_WHITE + rb"\]")}
_CLOSES = {b"{": b"}", b"[": b"]"}
_START = re.compile(_WHITE + rb"\{")
_REST = re.compile(_WHITE + rb"\Z")


class JsonRows:
    """Finds the texts of columns in rows.

    Parameters
    ----------
    name : str
        Of the file.
    columns : sequence of str
        Their paths; see `truecase.tables.paths`.
    """

    def __init__(self, name: str, columns: Sequence[str]) -> None:
        self._name = name
        self._columns = tuple(columns)
        self._tree = _Wanted()
        for column in columns:
            self._tree.add(column, parse_path(column))
        self._n_seen = dict.fromkeys(columns, 0)
        self._sample: list[bytes] = []
        self._n_rows = 0

    def blocks(self, blocks: Iterator[bytes]) -> Iterator[RowBlock]:
        """The rows of blocks of lines.

        Raises
        ------
        TableError
            A column is in none of the first rows.
        """
        first_row = 1
        for data in blocks:
            block = RowBlock(data, first_row, None)
            block.cells = {column: [] for column in self._columns}
            block.n_seen = dict.fromkeys(self._columns, 0)
            n_lines = self._read(block)
            first_row += n_lines
            self._look(block)
            yield block
        if self._n_rows < LOOKED_AT:
            self._check_columns()

    def _read(self, block: RowBlock) -> int:
        """Find the texts of a block; its number of lines."""
        data = block.data
        position = row = 0
        while position < len(data):
            end = data.find(b"\n", position)
            end = len(data) if end < 0 else end
            reader = _RowReader(data, end, row)
            try:
                if reader.read(position, self._tree):
                    block.n_rows += 1
                    for column, cell in reader.cells:
                        block.cells[column].append(cell)
                    for column in reader.seen:
                        block.n_seen[column] += 1
                    if len(self._sample) < _SAMPLE:
                        self._sample.append(data[position:end])
            except _BadRowError as error:
                block.n_rows += 1
                block.add_bad(row, position, str(error))
            position = end + 1
            row += 1
        return row

    def _look(self, block: RowBlock) -> None:
        before = self._n_rows
        self._n_rows += block.n_rows
        for column, n in block.n_seen.items():
            self._n_seen[column] += n
        if before < LOOKED_AT <= self._n_rows:
            self._check_columns()

    def _check_columns(self) -> None:
        """Refuse a column that no row has, where there are sound rows."""
        if not self._sample:
            return
        for column, n in self._n_seen.items():
            if not n:
                there: dict[str, None] = {}
                for line in self._sample:
                    _add_paths(json.loads(line), (), there)
                error = missing_column(self._name, column, list(there))
                if self._n_rows >= LOOKED_AT:
                    raise TableError(f"{error} (in the first {LOOKED_AT:,} rows)")
                raise error


class _BadRowError(Exception):
    """What is wrong with a row."""


class _Wanted:
    """What is wanted of a value, and of what it holds."""

    def __init__(self) -> None:
        self.column = ""
        self.members: dict[bytes, _Wanted] = {}
        self.items: _Wanted | None = None

    def add(self, column: str, path: Path) -> None:
        if not path:
            self.column = column
            return
        step, rest = path[0], path[1:]
        if step is ITEMS:
            self.items = self.items or _Wanted()
            self.items.add(column, rest)
        else:
            self.members.setdefault(step.encode("utf-8"), _Wanted()).add(column, rest)

    def expects(self) -> str:
        """What it is to be, for people."""
        if self.column:
            return "text"
        return "an object" if self.members else "a list"

    def columns(self) -> Iterator[str]:
        """All columns in it."""
        if self.column:
            yield self.column
        for below in (*self.members.values(), *([self.items] if self.items else [])):
            yield from below.columns()


class _RowReader:
    """Reads one row."""

    def __init__(self, data: bytes, end: int, row: int) -> None:
        self.cells: list[tuple[str, Cell]] = []
        self.seen: set[str] = set()
        self._data = data
        self._end = end
        self._row = row
        self._start = 0

    def read(self, start: int, wanted: _Wanted) -> bool:
        """Find what is wanted; False if the line is blank."""
        self._start = start
        opened = _START.match(self._data, start, self._end)
        if opened is None:
            if not self._data[start : self._end].strip(b" \t\r"):
                return False
            is_array = self._data[start : self._end].lstrip(b" \t\r").startswith(b"[")
            found = "an array" if is_array else "no object"
            raise _BadRowError(f"expected one JSON object a line, found {found}")
        position = self._members(opened.end(), wanted, 0)
        if _REST.match(self._data, position, self._end) is None:
            raise self._broken(position)
        return True

    def _broken(self, position: int) -> _BadRowError:
        before = self._data[self._start : position].decode("utf-8", "replace")
        return _BadRowError(f"broken JSON at character {len(before) + 1}")

    def _members(self, position: int, wanted: _Wanted | None, depth: int) -> int:
        """Read an object from after its bracket; where it ends."""
        data, end = self._data, self._end
        empty = _EMPTY[b"{"].match(data, position, end)
        if empty is not None:
            return empty.end()
        while True:
            match = _MEMBER.match(data, position, end)
            if match is None:
                raise self._broken(position)
            below = None
            if wanted is not None:
                key = match[_KEY]
                if b"\\" in key:
                    key = json.loads(b'"%s"' % key).encode("utf-8", "surrogatepass")
                below = wanted.members.get(key)
            sign, position = self._value(match, _KEY, below, depth)
            if sign == b"}":
                return position
            if sign != b",":
                raise self._broken(position)

    def _items(self, position: int, wanted: _Wanted | None, depth: int) -> int:
        """Read an array from after its bracket; where it ends."""
        data, end = self._data, self._end
        empty = _EMPTY[b"["].match(data, position, end)
        if empty is not None:
            return empty.end()
        while True:
            match = _ITEM.match(data, position, end)
            if match is None:
                raise self._broken(position)
            sign, position = self._value(match, 0, wanted, depth)
            if sign == b"]":
                return position
            if sign != b",":
                raise self._broken(position)

    def _value(
        self, match: re.Match[bytes], shift: int, wanted: _Wanted | None, depth: int
    ) -> tuple[bytes, int]:
        """Read a value; what follows it, and where the reading goes on."""
        if wanted is not None:
            self._take(match, shift, wanted)
        opened = match[shift + _OPEN]
        if opened is None:
            return match[shift + _SIGN], match.end()
        if depth >= MAX_DEPTH:
            raise _BadRowError(f"values are nested more than {MAX_DEPTH} deep")
        position = match.end(shift + _OPEN)
        if opened == b"{":
            position = self._members(position, wanted, depth + 1)
        else:
            below = None if wanted is None else wanted.items
            position = self._items(position, below, depth + 1)
        following = _NEXT.match(self._data, position, self._end)
        if following is None:
            raise self._broken(position)
        return following[1], following.end()

    def _take(self, match: re.Match[bytes], shift: int, wanted: _Wanted) -> None:
        """Note a value that is wanted, or that holds what is wanted."""
        self.seen.update(wanted.columns())
        start, end = match.span(shift + _STRING)
        if start >= 0:
            if not wanted.column:
                self._refuse(wanted, "text")
            self.cells.append((wanted.column, _cell(self._data, start, end, self._row)))
        elif match[shift + _PLAIN] is not None:
            if match[shift + _PLAIN] != b"null":
                kind = (
                    "a truth value" if match[shift + _PLAIN] in (b"true", b"false") else "a number"
                )
                self._refuse(wanted, kind)
        elif match[shift + _OPEN] == b"{":
            if not wanted.members:
                self._refuse(wanted, "an object")
        elif wanted.items is None:
            self._refuse(wanted, "a list; [] after its name leads to its items")
        elif (match[shift + _NUMBERS] or b"").strip(_OF_NULLS):
            self._refuse(wanted.items, "a list of numbers")

    def _refuse(self, wanted: _Wanted, found: str) -> None:
        column = next(wanted.columns())
        raise _BadRowError(f"{column}: expected {wanted.expects()}, found {found}")


def _cell(data: bytes, start: int, end: int, row: int) -> Cell:
    body = data[start:end]
    if b"\\" not in body:
        return Cell(row, start, end, body)
    try:
        string = _EscapedString(body)
    except UnicodeDecodeError:
        # As it is: whoever cases it will say what is wrong.
        return Cell(row, start, end, body)
    return Cell(row, start, end, string.text, string.written)


class _EscapedString:
    """A string in which characters are escaped."""

    def __init__(self, body: bytes) -> None:
        self._body = body
        self._flow = Flow(json_pieces(body, JsonString(0, len(body))), _nothing)
        self.text = self._flow.text.encode("utf-8")

    def written(self, cased: bytes) -> bytes:
        """The string with another text, escaped as it was."""
        parts = []
        position = 0
        for piece, text in self._flow.changed(cased.decode("utf-8")):
            start, end, data = splice(piece, text)
            parts += [self._body[position:start], data]
            position = end
        return b"".join([*parts, self._body[position:]])


def _nothing(text: str) -> list[Protected]:
    return []


def _add_paths(value: object, path: Path, there: dict[str, None]) -> None:
    """Add the paths of all texts in a value."""
    if isinstance(value, str):
        there.setdefault(write_path(path))
    elif isinstance(value, dict):
        for key, below in value.items():
            _add_paths(below, (*path, key), there)
    elif isinstance(value, list):
        for item in value:
            _add_paths(item, (*path, ITEMS), there)
