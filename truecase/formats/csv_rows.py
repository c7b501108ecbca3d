"""CSV and TSV by RFC 4180: the texts of each row, with their bytes.

Python's reader does not say where a field is, and writing a row anew would change its quotes and
line ends. Here one pattern matches a row, and its groups are the wanted fields.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from truecase.errors import TableError
from truecase.formats.rows import Cell, RowBlock, missing_column

#: A field in quotation marks longer than this is taken for one whose end was forgotten.
LONGEST_ROW = 1 << 24

_QUOTE = 0x22
_HINT = "; where such marks are text, give --no-quotes, in Python quotes=False"
_UNCLOSED = f"a quotation mark is not closed{_HINT}"


class CsvRows:
    """Finds the texts of columns; `truecase.case_table` describes the options."""

    def __init__(
        self,
        name: str,
        columns: Sequence[str],
        delimiter: str = ",",
        has_header: bool = True,
        has_quotes: bool = True,
    ) -> None:
        self._name = name
        self._columns = tuple(columns)
        self._has_header = has_header
        self._has_quotes = has_quotes
        between = re.escape(delimiter.encode("ascii"))
        inside = rb"[^%s\r\n]" % between
        if has_quotes:
            quoted = rb'"[^"]*(?:""[^"]*)*"'
            bare = rb'[^"%s\r\n]%s*' % (between, inside)
            self._field = rb"(?:%s|%s|)" % (quoted, bare)
            # Bytes behind a quotation mark that closes belong to its field.
            loose = rb'(?:%s(?!")%s*|%s|)' % (quoted, inside, bare)
        else:
            self._field = loose = inside + b"*"
        self._between = between
        self._end = rb"(?:\r\n|\n|\r|\Z)"
        self._one_field = re.compile(rb"(%s)(?:%s|%s)" % (loose, between, self._end))
        self._any_row = re.compile(rb"(%s(?:%s%s)*)%s" % (loose, between, loose, self._end))
        # A row with the table's number of fields, and a group for each column.
        self._row: re.Pattern[bytes] | None = None
        self._n_fields = 0
        self._groups: list[str] = []

    def blocks(self, blocks: Iterator[bytes]) -> Iterator[RowBlock]:
        """The rows of blocks of lines, in blocks of whole rows."""
        row = line = 1
        rest = b""
        for data in blocks:
            # A long row is read again with twice its bytes, not with each block.
            block = RowBlock(b"".join((rest, data, *islice(blocks, len(rest) >> 20))), row, line)
            end = self._read(block)
            rest = block.data[end:]
            if len(rest) > LONGEST_ROW:
                raise TableError(f"{self._name}: row {row + block.n_rows}: {_UNCLOSED}")
            block.data = block.data[:end]
            row += block.n_rows
            line += block.data.count(b"\n")
            yield block
        if rest:
            block = RowBlock(rest, row, line)
            block.n_rows = 1
            block.add_bad(0, 0, _UNCLOSED)
            yield block

    def _read(self, block: RowBlock) -> int:
        """Find the texts of the whole rows of a block; return the end of the last of them."""
        data = block.data
        position = 0
        while position < len(data):
            match = None if self._row is None else self._row.match(data, position)
            if match is None:
                match = self._any_row.match(data, position)
                if match is None:
                    return position
                if match[1]:
                    self._read_other(block, match)
            else:
                self._take(block, match)
            position = match.end()
        return position

    def _read_other(self, block: RowBlock, match: re.Match[bytes]) -> None:
        """Read the first row, or a row with another number of fields."""
        fields = self._fields(match[1])
        if self._row is None:
            self._row = self._begin([self._text(field) for field in fields])
            if self._has_header:
                return
            own = self._row.match(block.data, match.start())
            if own is not None:
                self._take(block, own)
                return
        if len(fields) != self._n_fields:
            reason = f"has {len(fields)} fields, and the first row {self._n_fields}"
        else:
            reason = "something follows a closing quotation mark"
        hint = _HINT if self._has_quotes and b'"' in match[1] else ""
        block.add_bad(block.n_rows, match.start(), reason + hint)
        block.n_rows += 1

    def _begin(self, first: list[str]) -> re.Pattern[bytes]:
        """Take the fields from the first row, and make the pattern of a sound row."""
        there = first if self._has_header else [str(n) for n in range(1, len(first) + 1)]
        for column in self._columns:
            if column not in there:
                raise missing_column(self._name, column, there)
            if there.count(column) > 1:
                raise TableError(f"{self._name}: there are {there.count(column)} columns {column}")
        self._n_fields = len(there)
        self._groups = [name for name in there if name in self._columns]
        fields = [b"(%s)" % self._field if name in self._groups else self._field for name in there]
        return re.compile(self._between.join(fields) + self._end)

    def _take(self, block: RowBlock, match: re.Match[bytes]) -> None:
        """Note the texts of a row."""
        data = block.data
        for group, column in enumerate(self._groups, 1):
            start, end = match.span(group)
            if start == end:
                continue
            written = None
            if self._has_quotes and data[start] == _QUOTE:
                start, end = start + 1, end - 1
                text = data[start:end]
                if b'""' in text:
                    text = text.replace(b'""', b'"')
                    written = _doubled
            else:
                text = data[start:end]
            block.cells[column].append(Cell(block.n_rows, start, end, text, written))
        block.n_rows += 1

    def _fields(self, row: bytes) -> list[bytes]:
        """The fields of any row, with their quotation marks."""
        fields = []
        position = 0
        while True:
            match = self._one_field.match(row, position)
            assert match is not None
            fields.append(match[1])
            if match.end(1) == len(row):
                return fields
            position = match.end()

    def _text(self, field: bytes) -> str:
        if self._has_quotes and field.startswith(b'"') and field.endswith(b'"'):
            field = field[1:-1].replace(b'""', b'"')
        return field.decode("utf-8", "replace")


def _doubled(text: bytes) -> bytes:
    return text.replace(b'"', b'""')
