"""Columns of texts that are in Python, and back."""

from __future__ import annotations

from truecase.columns._given import GivenColumn
from truecase.columns._rows import texts_of_rows
from truecase.columns.chunk import chunk_of_texts
from truecase.columns.column import Column
from truecase.columns.types import TextType


def column_of_texts(texts: list[bytes | None]) -> Column:
    """A column of texts in UTF-8."""
    kind = TextType("large_string")
    return Column(kind, [chunk_of_texts(texts, kind)])


def texts_of_column(column: Column) -> list[bytes | None]:
    """The texts of a column."""
    return [text for chunk in GivenColumn(column) for text in texts_of_rows(chunk)]
