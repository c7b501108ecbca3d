"""CSL-JSON, which reference managers export: where the titles of a file are."""

from __future__ import annotations

from truecase.bibliographies.titles import Bibliography, Title, language_code
from truecase.errors import FormatError
from truecase.formats.json_text import (
    JsonObject,
    JsonReader,
    JsonString,
    JsonValue,
    json_pieces,
    string_text,
)

_TITLES = ("title", "title-short")
_CONTAINER = "container-title"
# What is part of a book; the container of all else is a journal, a site or a series, with a name.
_PARTS_OF_BOOKS = {"chapter", "paper-conference", "entry", "entry-dictionary", "entry-encyclopedia"}
# Entries whose title is the name of a journal.
_JOURNALS = {"periodical"}


def read_csl(name: str, data: bytes) -> Bibliography:
    """Find the titles of a file: a list of entries, one entry, or ``{"items": [...]}``.

    Parameters
    ----------
    name : str
        For messages.
    data : bytes
        UTF-8.

    Raises
    ------
    FormatError
        If it is not JSON, or has no entries with ``type`` and ``title``.
    """
    value = JsonReader(name, data).only()
    if isinstance(value, JsonObject) and isinstance(value.get("items"), list):
        value = value.get("items")
    entries = value if isinstance(value, list) else [value]
    titles: list[Title] = []
    n_entries = 0
    for entry in entries:
        if isinstance(entry, JsonObject) and _is_string(entry, "type", "title"):
            n_entries += 1
            titles += _titles_of(data, entry)
    if entries and not n_entries:
        raise FormatError(f"{name}: line 1: not CSL-JSON: no entry has a type and a title")
    titles.sort(key=lambda title: title.pieces[0].start)
    return Bibliography(titles)


def _is_string(entry: JsonObject, *keys: str) -> bool:
    return all(isinstance(entry.get(key), JsonString) for key in keys)


def _text(data: bytes, value: JsonValue) -> str:
    return string_text(data, value) if isinstance(value, JsonString) else ""


def _titles_of(data: bytes, entry: JsonObject) -> list[Title]:
    kind = _text(data, entry.get("type"))
    keys = [] if kind in _JOURNALS else list(_TITLES)
    if kind in _PARTS_OF_BOOKS:
        keys.append(_CONTAINER)
    language = language_code(_text(data, entry.get("language")))
    found = []
    for key in keys:
        value = entry.get(key)
        pieces = json_pieces(data, value) if isinstance(value, JsonString) else []
        if pieces:
            found.append(Title(pieces, language))
    return found
