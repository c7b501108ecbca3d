"""JSON lines: the texts of each row, with their bytes.

One pattern reads each member of an object, because a table has many rows of short values. Unwanted
members are checked as strictly as wanted ones.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence

from truecase.errors import TableError
from truecase.formats.json_text import MAX_DEPTH, json_pieces
from truecase.formats.lines import Flow
from truecase.formats.rows import Cell, RowBlock, missing_column
from truecase.formats.segments import splice, spliced
from truecase.formats.tables import ITEMS, Path, parse_path, write_path

#: A column that is missing in this number of first rows is a mistake.
N_CHECKED = 10_000

# Rows whose columns the message about a missing column lists.
_SAMPLE = 100

_WHITE = rb"[ \t\r]*"
_BODY = rb"[^\"\\\x00-\x1f]*(?:\\(?:[\"\\/bfnrt]|u[0-9A-Fa-f]{4})[^\"\\\x00-\x1f]*)*"
_SCALAR = (
    rb"(?:-?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|Infinity)|true|false|null|NaN)"
)
# A value, or its opening bracket, and the sign behind it; an array of numbers, such as a vector, is
# read at once.
_VALUE = (
    rb"(?:\"(%(body)s)\"|(%(scalar)s)|(\[%(white)s%(scalar)s(?:%(white)s,%(white)s%(scalar)s)*"
    rb"%(white)s\])|([\[{]))%(white)s([,}\]]?)"
) % {b"body": _BODY, b"scalar": _SCALAR, b"white": _WHITE}
# The characters of a list of nulls.
_OF_NULLS = b"[], \t\rnul"
_STRING, _PLAIN, _NUMBERS, _OPEN, _SIGN = range(1, 6)
_ITEM = re.compile(_WHITE + _VALUE)
# Its key is the last group.
_MEMBER = re.compile(_WHITE + rb"\"(?P<key>" + _BODY + rb")\"" + _WHITE + b":" + _WHITE + _VALUE)
_KEY = 1

# Unwanted members one after the other, most of a table, are read at once; the group is the end of
# their object, if they reach it.
_FLAT = (
    rb"(?:\"%(body)s\"|%(scalar)s"
    rb"|\[%(white)s(?:%(scalar)s(?:%(white)s,%(white)s%(scalar)s)*)?%(white)s\])"
) % {b"body": _BODY, b"scalar": _SCALAR, b"white": _WHITE}
_FLAT_MEMBER = rb"\"" + _BODY + rb"\"" + _WHITE + b":" + _WHITE + _FLAT
_FLAT_OBJECT = (rb"\{%(white)s(?:%(member)s(?:%(white)s,%(white)s%(member)s)*)?%(white)s\}") % {
    b"member": _FLAT_MEMBER,
    b"white": _WHITE,
}
_OTHER = (
    rb"%(white)s\"%%(but)s[^\"\\\x00-\x1f]*\"%(white)s:%(white)s(?:%(flat)s|%(object)s)%(white)s"
) % {b"flat": _FLAT, b"object": _FLAT_OBJECT, b"white": _WHITE}
_OTHERS = b"(?:" + _OTHER + rb"(?:,|(?=(\}))))*"
_NEXT = re.compile(_WHITE + rb"([,}\]])")
_EMPTY = {b"{": re.compile(_WHITE + rb"\}"), b"[": re.compile(_WHITE + rb"\]")}
_OPENS_OBJECT = ord("{")
_START = re.compile(_WHITE + rb"\{")


class JsonRows:
    """Finds the texts of columns, given by their paths (`truecase.formats.tables.parse_path`)."""

    def __init__(self, name: str, columns: Sequence[str]) -> None:
        self._name = name
        self._columns = tuple(columns)
        self._tree = _Wanted()
        for column in columns:
            self._tree.add(column, parse_path(column))
        # Columns that no row has had so far, with or without a text.
        self._missing = set(columns)
        self._sample: list[bytes] = []
        self._n_rows = 0

    def blocks(self, blocks: Iterator[bytes]) -> Iterator[RowBlock]:
        """The rows of blocks of lines; raises TableError if the first rows lack a column."""
        first_row = 1
        # The last block waits: nothing of a small table is written before its columns are known.
        held: RowBlock | None = None
        for data in blocks:
            block = RowBlock(data, first_row, None)
            before = self._n_rows
            first_row += self._read(block)
            self._n_rows += block.n_rows
            if before < N_CHECKED <= self._n_rows:
                self._check_columns()
            if held is not None:
                yield held
            held = block
        if self._n_rows < N_CHECKED:
            self._check_columns()
        if held is not None:
            yield held

    def _read(self, block: RowBlock) -> int:
        """Find the texts of a block; return its number of lines."""
        data = block.data
        reader = _RowReader(data, self._tree)
        position = row = 0
        while position < len(data):
            end = data.find(b"\n", position)
            end = len(data) if end < 0 else end
            try:
                if reader.read(row, position, end):
                    block.n_rows += 1
                    for column, cell in reader.cells:
                        block.cells[column].append(cell)
                    self._missing -= reader.seen
                    if len(self._sample) < _SAMPLE:
                        self._sample.append(data[position:end])
            except _BadRowError as error:
                block.n_rows += 1
                block.add_bad(row, position, str(error))
            position = end + 1
            row += 1
        return row

    def _check_columns(self) -> None:
        """Raise TableError for a column that no row has."""
        if not self._sample:
            return
        for column in self._columns:
            if column in self._missing:
                there: dict[str, None] = {}
                for line in self._sample:
                    # Only names count: bytes may be no UTF-8, and numbers may have more digits than
                    # Python reads.
                    row = json.loads(line.decode("utf-8", "replace"), parse_int=float)
                    _add_paths(row, (), there)
                error = missing_column(self._name, column, list(there))
                if self._n_rows >= N_CHECKED:
                    raise TableError(f"{error} (in the first {N_CHECKED:,} rows)")
                raise error


class _BadRowError(Exception):
    """What is wrong with a row."""


class _Wanted:
    """The wanted columns of a value and of its members or items."""

    def __init__(self) -> None:
        # The column that is the value itself.
        self.column = ""
        self.members: dict[bytes, _Wanted] = {}
        self.items: _Wanted | None = None
        # All columns in the value.
        self.columns: list[str] = []
        # Matches most unwanted members of an object.
        self.others = _others(())

    def add(self, column: str, path: Path) -> None:
        self.columns.append(column)
        if not path:
            self.column = column
            return
        step, rest = path[0], path[1:]
        if step is ITEMS:
            self.items = self.items or _Wanted()
            self.items.add(column, rest)
        else:
            self.members.setdefault(step.encode("utf-8"), _Wanted()).add(column, rest)
            self.others = _others(self.members)


def _others(names: Iterable[bytes]) -> re.Pattern[bytes]:
    wanted = b"|".join(map(re.escape, names))
    but = rb"(?!(?:%s)\")" % wanted if wanted else b""
    return re.compile(_OTHERS % {b"but": but})


_NOTHING = _others(())


class _RowReader:
    """Reads the rows of a block."""

    def __init__(self, data: bytes, wanted: _Wanted) -> None:
        # The texts of the last row by column, and its columns with or without a text.
        self.cells: list[tuple[str, Cell]] = []
        self.seen: set[str] = set()
        self._data = data
        self._wanted = wanted
        self._start = self._end = self._row = 0

    def read(self, row: int, start: int, end: int) -> bool:
        """Find what is wanted in a line; False if it is blank."""
        data = self._data
        self.cells, self.seen = [], set()
        self._row, self._start, self._end = row, start, end
        opened = _START.match(data, start, end)
        if opened is None:
            line = data[start:end].strip(b" \t\r")
            if not line:
                return False
            found = "an array" if line.startswith(b"[") else "no object"
            raise _BadRowError(f"expected one JSON object a line, found {found}")
        position = self._members(opened.end(), self._wanted, 0)
        if position != end and data[position:end].strip(b" \t\r"):
            raise self._broken(position)
        return True

    def _broken(self, position: int) -> _BadRowError:
        before = self._data[self._start : position].decode("utf-8", "replace")
        return _BadRowError(f"broken JSON at character {len(before) + 1}")

    def _members(self, position: int, wanted: _Wanted | None, depth: int) -> int:
        """Read an object from behind its bracket; return its end."""
        data, end = self._data, self._end
        others = _NOTHING if wanted is None else wanted.others
        while True:
            skipped = others.match(data, position, end)
            assert skipped is not None
            if skipped[1] is not None:
                return skipped.end(1)
            match = _MEMBER.match(data, skipped.end(), end)
            if match is None:
                empty = _EMPTY[b"{"].match(data, position, end)
                # Only an object that has just begun may be empty.
                if empty is None or data[position - 1] != _OPENS_OBJECT:
                    raise self._broken(skipped.end())
                return empty.end()
            below = None
            if wanted is not None:
                key = match[_KEY]
                if b"\\" in key:
                    # A name with bytes that are no UTF-8 is not wanted.
                    text = key.decode("utf-8", "replace")
                    key = json.loads(f'"{text}"').encode("utf-8", "surrogatepass")
                below = wanted.members.get(key)
            sign, position = self._value(match, _KEY, below, depth)
            if sign == b"}":
                return position
            if sign != b",":
                raise self._broken(position)

    def _items(self, position: int, wanted: _Wanted | None, depth: int) -> int:
        """Read an array from behind its bracket; return its end."""
        data, end = self._data, self._end
        empty = _EMPTY[b"["].match(data, position, end)
        if empty is not None:
            if wanted is not None:
                self.seen.update(wanted.columns)
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
        """Read a value; return the sign behind it, and where reading goes on."""
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
        """Note a wanted value."""
        start, end = match.span(shift + _STRING)
        if start >= 0:
            if not wanted.column:
                self._refuse(wanted, "text")
            self.seen.add(wanted.column)
            self.cells.append((wanted.column, _cell(self._data, start, end, self._row)))
        elif match[shift + _PLAIN] is not None:
            if match[shift + _PLAIN] != b"null":
                is_truth = match[shift + _PLAIN] in (b"true", b"false")
                self._refuse(wanted, "a truth value" if is_truth else "a number")
            self.seen.update(wanted.columns)
        elif match[shift + _OPEN] == b"{":
            if not wanted.members:
                self._refuse(wanted, "an object")
        elif wanted.items is None:
            self._refuse(wanted, "a list; [] after its name leads to its items")
        elif match[shift + _NUMBERS] is not None:
            if match[shift + _NUMBERS].strip(_OF_NULLS):
                self._refuse(wanted.items, "a list of numbers")
            self.seen.update(wanted.columns)

    def _refuse(self, wanted: _Wanted, found: str) -> None:
        expected = "text" if wanted.column else "an object" if wanted.members else "a list"
        raise _BadRowError(f"{wanted.columns[0]}: expected {expected}, found {found}")


def _cell(data: bytes, start: int, end: int, row: int) -> Cell:
    body = data[start:end]
    if b"\\" not in body:
        return Cell(row, start, end, body)
    try:
        flow = Flow(json_pieces(body, 0, len(body)))
    except UnicodeDecodeError:
        # Casing will report the error.
        return Cell(row, start, end, body)

    def written(cased: bytes) -> bytes:
        """The string with another text, escaped as before."""
        changes = flow.changed(cased.decode("utf-8"))
        return b"".join(spliced(body, [splice(*change) for change in changes]))

    return Cell(row, start, end, flow.text.encode("utf-8"), written)


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
