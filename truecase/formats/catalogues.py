"""Interface strings that are not XML: JSON, ARB, Apple's .strings and .xcstrings, YAML.

Values are texts, and keys are not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from truecase.errors import FormatError
from truecase.formats.configuration import Outline, check_is_catalogue
from truecase.formats.errors import line_of
from truecase.formats.flow import FIXED, Piece
from truecase.formats.json_text import (
    ESCAPE,
    MAX_DEPTH,
    JsonObject,
    JsonReader,
    JsonString,
    JsonValue,
    escaped_piece,
    json_pieces,
    string_text,
)
from truecase.formats.pieces import plain, split_plain
from truecase.formats.units import SpannedUnits, Units
from truecase.text.language_tags import listed, matches, primary

_BOM = b"\xef\xbb\xbf"


def read_json(name: str, data: bytes, is_catalogue: bool = False) -> Units:
    """The string values of a catalogue in JSON, such as those of i18next or ARB.

    Keys that begin with ``@``, as ARB has them, and all that is in them are no text.

    Parameters
    ----------
    name : str
        For messages.
    data : bytes
    is_catalogue : bool
        Whether this is known; if not, what plainly is none is refused.

    Raises
    ------
    FormatError
        If it is not JSON, or no catalogue.
    """
    root = JsonReader(name, data).only()
    outline = Outline(isinstance(root, list))
    units = _strings(data)
    for string in _json_strings(data, root, outline):
        units.add_text(*string)
    if not is_catalogue:
        check_is_catalogue(name, "json", outline)
    return units


def _json_strings(
    data: bytes, value: JsonValue, outline: Outline, depth: int = 0
) -> Iterator[JsonString]:
    if isinstance(value, JsonObject):
        for key, inner in zip(value.keys, value.values, strict=True):
            outline.add_key(depth, key)
            if not key.startswith("@"):
                yield from _json_strings(data, inner, outline, depth + 1)
    elif isinstance(value, list):
        for inner in value:
            yield from _json_strings(data, inner, outline, depth)
    elif isinstance(value, JsonString):
        # Most values have a blank, and need not be read here.
        has_blank = b" " in data[slice(*value)].strip()
        outline.add_value("a text" if has_blank else string_text(data, value))
        yield value
    else:
        outline.add_value(None)


def read_xcstrings(name: str, data: bytes, target: str | None = None) -> tuple[Units, str | None]:
    """The texts of a language in a string catalogue of Xcode, and which language it is.

    Parameters
    ----------
    name : str
        For messages.
    data : bytes
    target : str, optional
        The language; needed if there are several beside the source's.

    Raises
    ------
    FormatError
        If it is no such catalogue, or the language is not clear.
    """
    root = JsonReader(name, data).only()
    strings = root.get("strings") if isinstance(root, JsonObject) else None
    if not isinstance(root, JsonObject) or not isinstance(strings, JsonObject):
        raise FormatError(f'{name}: line 1: expected a string catalogue, with "strings"')
    entries = [value for value in strings.values if isinstance(value, JsonObject)]
    languages: dict[str, None] = {}
    for entry in entries:
        found = entry.get("localizations")
        languages.update(dict.fromkeys(found.keys if isinstance(found, JsonObject) else ()))
    source = root.get("sourceLanguage")
    source_language = string_text(data, source) if isinstance(source, JsonString) else ""
    if target is None:
        others = [tag for tag in languages if primary(tag) != primary(source_language)]
        if len(others or languages) > 1:
            raise FormatError(
                f"{name}: has strings in {listed(languages)}: which of them is the target language?"
            )
        target = next(iter(others or languages), None)
    elif languages and not any(matches(target, tag) for tag in languages):
        raise FormatError(
            f"{name}: no string is in the language {target!r}; there are {listed(languages)}"
        )
    units = _strings(data)
    for entry in entries:
        localizations = entry.get("localizations")
        if isinstance(localizations, JsonObject) and entry.get("shouldTranslate") is not False:
            for tag, value in zip(localizations.keys, localizations.values, strict=True):
                if target is not None and matches(target, tag):
                    for string in _unit_values(value):
                        units.add_text(*string)
    return units, target


def _strings(data: bytes) -> SpannedUnits:
    return SpannedUnits(data, lambda data, start, end: json_pieces(data, JsonString(start, end)))


def _unit_values(value: JsonValue) -> Iterator[JsonString]:
    """The ``value`` of each ``stringUnit``, also in variations."""
    if isinstance(value, JsonObject):
        for key, inner in zip(value.keys, value.values, strict=True):
            if key == "stringUnit" and isinstance(inner, JsonObject):
                text = inner.get("value")
                if isinstance(text, JsonString):
                    yield text
            else:
                yield from _unit_values(inner)


_STRING = rb"\"[^\"\\]*(?:\\.[^\"\\]*)*\""
_SPACE = rb"(?:\s|/\*[^*]*(?:\*(?!/)[^*]*)*\*/|//[^\r\n]*(?=[\r\n]|\Z))*"
# A word has two slashes as any other signs: it is matched whole, or each of them would be tried as
# the beginning of a comment.
_WORD = rb"(?=(?P<%s>[\w.$/:-]+))(?P=%s)"
_ENTRY = re.compile(
    rb"(?:" + _STRING + rb"|" + _WORD % (b"key", b"key") + rb")" + _SPACE + rb"=" + _SPACE
    + rb"(?P<value>" + _STRING + rb"|" + _WORD % (b"word", b"word") + rb")" + _SPACE + rb";",
    re.DOTALL,
)  # fmt: skip
_SPACES = re.compile(_SPACE, re.DOTALL)


def read_strings(name: str, data: bytes) -> Units:
    """The values of Apple's .strings: ``"key" = "value";``.

    Raises
    ------
    FormatError
        If something else is there.
    """
    units = _strings(data)
    position = len(_BOM) if data.startswith(_BOM) else 0
    while True:
        space = _SPACES.match(data, position)
        assert space is not None
        position = space.end()
        if position == len(data):
            return units
        entry = _ENTRY.match(data, position)
        if entry is None:
            raise FormatError(
                f'{name}: line {line_of(data, position)}: expected "key" = "value"; or a comment'
            )
        start, end = entry.span("value")
        if entry["value"].startswith(b'"'):
            units.add_text(start + 1, end - 1)
        position = entry.end()


_YAML_ESCAPE = re.compile(r"\\(?:x[0-9A-Fa-f]{2}|U[0-9A-Fa-f]{8}|\r\n)|" + ESCAPE.pattern)
_PROPERTIES = re.compile(rb"(?:[&!]\S*\s+)*")
_QUOTES = re.compile("''")


def read_yaml(name: str, data: bytes, is_catalogue: bool = False) -> Units:
    """The values of a catalogue in YAML that are strings, such as those of Rails.

    Parameters
    ----------
    name : str
        For messages.
    data : bytes
    is_catalogue : bool
        Whether this is known; if not, what plainly is none is refused.

    Raises
    ------
    FormatError
        If it is not YAML, or no catalogue, or PyYAML is not installed.
    """
    try:
        yaml: Any = import_module("yaml")
    except ModuleNotFoundError:
        raise FormatError(f"{name}: YAML needs PyYAML: pip install 'truecase-crf[yaml]'") from None
    text = data.decode("utf-8")
    offset = len(_BOM) if data.startswith(_BOM) else 0
    if offset:
        text = text[1:]
    units = Units()
    outline = Outline()
    n_characters, n_bytes = 0, offset
    try:
        for event in _yaml_values(name, yaml, text, outline):
            first, last = event.start_mark.index, event.end_mark.index
            start = n_bytes + len(text[n_characters:first].encode("utf-8"))
            end = start + len(text[first:last].encode("utf-8"))
            n_characters, n_bytes = last, end
            pieces = _yaml_pieces(data, start, end, event.style)
            if pieces:
                units.add_unit(pieces)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = 1 if mark is None else mark.line + 1
        what = getattr(error, "problem", None) or getattr(error, "reason", None) or "not readable"
        raise FormatError(f"{name}: line {line}: broken YAML: {what}") from None
    except RecursionError:
        raise FormatError(f"{name}: line 1: broken YAML: values are nested too deep") from None
    if not is_catalogue:
        check_is_catalogue(name, "yaml", outline)
    return units


def _yaml_values(name: str, yaml: Any, text: str, outline: Outline) -> Iterator[Any]:
    """The events of scalars that are strings and no keys."""
    resolver = yaml.SafeLoader("")
    # Of each open collection: None in a list, else whether a key comes next.
    open_: list[bool | None] = []
    n_mappings = 0
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        is_key = bool(open_) and open_[-1] is True
        if isinstance(event, yaml.ScalarEvent):
            tag = event.tag or resolver.resolve(yaml.ScalarNode, event.value, event.implicit)
            is_string = tag in ("tag:yaml.org,2002:str", "!")
            if is_key:
                outline.add_key(n_mappings - 1, event.value)
            else:
                outline.add_value(event.value if is_string else None)
            if is_string and not is_key:
                yield event
        if isinstance(event, yaml.CollectionEndEvent):
            n_mappings -= open_.pop() is not None
        elif isinstance(event, yaml.ScalarEvent | yaml.AliasEvent | yaml.CollectionStartEvent):
            if open_ and open_[-1] is not None:
                open_[-1] = not open_[-1]
            if isinstance(event, yaml.CollectionStartEvent):
                if len(open_) == MAX_DEPTH:
                    # PyYAML looks at all open brackets for each that follows.
                    raise FormatError(
                        f"{name}: line {event.start_mark.line + 1}: broken YAML: values are nested "
                        f"more than {MAX_DEPTH} deep"
                    )
                is_mapping = isinstance(event, yaml.MappingStartEvent)
                outline.is_list = outline.is_list or not (open_ or is_mapping)
                open_.append(True if is_mapping else None)
                n_mappings += is_mapping


def _yaml_pieces(data: bytes, start: int, end: int, style: str | None) -> list[Piece]:
    # The parser counts anchor and tag in.
    start = _PROPERTIES.match(data, start, end).end()  # type: ignore[union-attr]
    raw = data[start:end]
    if style in ("|", ">"):
        # After the line of the indicator.
        start += raw.find(b"\n") + 1 if b"\n" in raw else len(raw)
    elif style in ("'", '"'):
        start, end = start + 1, end - 1
    if start >= end:
        return []
    pieces = [plain(data, start, end)]
    if style == '"':
        return split_plain(pieces, _YAML_ESCAPE, _yaml_escape)
    if style == "'":
        return split_plain(pieces, _QUOTES, lambda match, a, b: Piece(FIXED, a, b, "'"))
    return pieces


def _yaml_escape(match: re.Match[str], start: int, end: int) -> Piece:
    if match[0][1] in "xU\r\n ":
        return Piece(FIXED, start, end, " ")
    return escaped_piece(match, start, end)
