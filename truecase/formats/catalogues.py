"""Interface strings that are not XML: JSON, ARB, Apple's .strings and .xcstrings, YAML.

Values are texts, keys are not. Unless the user names the format, readers refuse JSON and YAML that
are clearly settings or data of a program, which may depend on the case of their strings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from typing import Any

from truecase.base.encoding import HEAD_BYTES
from truecase.errors import FormatError
from truecase.formats import rows_of, words_of
from truecase.formats._contents import JSON as NOTATION_JSON
from truecase.formats.format import ReadOptions, head_has, of_programs
from truecase.formats.json_text import (
    ESCAPE,
    MAX_DEPTH,
    JsonObject,
    JsonReader,
    JsonString,
    JsonValue,
    add_json_text,
    escaped_piece,
    json_pieces,
    looks_like_json,
    member_text,
    string_text,
)
from truecase.formats.languages import Languages, language_of_path, languages_of
from truecase.formats.placeholders import protected, shown
from truecase.formats.segments import (
    FIXED,
    NO_SPAN,
    Piece,
    Segments,
    Span,
    Units,
    line_of,
    plain,
    skip_bom,
    split_plain,
)
from truecase.kernels.text import listed, matches, primary


def read_json(name: str, data: bytes, options: ReadOptions) -> Segments:
    """The string values of a catalogue in JSON, such as those of i18next or ARB.

    Keys that begin with ``@``, as in ARB, are left out with all that is in them, and so are the
    notes beside a message. Where a third of the keys are texts, as in Laravel's, all are sources.
    """
    root = JsonReader(name, data, keeps_spans=True).only()
    outline = Outline(isinstance(root, list))
    segments = Segments()
    strings = list(_json_strings(data, root, outline, 0, NO_SPAN, False))
    n_texts = sum(b" " in data[slice(*key)] for _, key in strings)
    for string, key in strings:
        add_json_text(segments, data, string, key if 3 * n_texts > len(strings) else NO_SPAN)
    if not options.is_known:
        check_is_catalogue(name, "json", outline, data)
    segments.languages = languages_of(name, options.wanted, None, outline.language)
    return segments


# Members of an entry: texts, and notes and names that no user reads, in catalogues of browsers, of
# FormatJS and of go-i18n.
_TEXTS = frozenset("defaultMessage message translation other".split())
_NOTES = frozenset("description hash id placeholders".split())
_ENTRY_KEYS = _TEXTS | _NOTES | frozenset("few many one two zero".split())
# Keys of names for programs in the objects of a list, and of languages anywhere.
_NAMES_IN_LISTS = frozenset(words_of("identifiers"))
_LANGUAGES = frozenset("lang language languageCode locale".split())
_LANGUAGE = re.compile(r"[a-z]{2,3}(?P<rest>[-_](?:[A-Z][a-z]{3}|[A-Z]{2}|\d{3}))*")


def _is_name(key: str, value: str, is_in_list: bool) -> bool:
    """Whether a value is a name for programs, such as ``en-US`` or a type."""
    tag = _LANGUAGE.fullmatch(value)
    is_language = tag is not None and (tag["rest"] is not None or key in _LANGUAGES)
    return is_language or (is_in_list and key in _NAMES_IN_LISTS and " " not in value)


def _json_strings(
    data: bytes, value: JsonValue, outline: Outline, depth: int, key: Span, is_in_list: bool
) -> Iterator[tuple[JsonString, Span]]:
    """The strings that may be texts, with the keys that they are under."""
    if isinstance(value, JsonObject):
        is_entry = not _TEXTS.isdisjoint(value.keys) and _ENTRY_KEYS.issuperset(value.keys)
        for name, inner, span in zip(value.keys, value.values, value.spans, strict=True):
            outline.add_key(depth, name)
            if not (name.startswith("@") or (is_entry and name in _NOTES)):
                yield from _json_strings(data, inner, outline, depth + 1, span, is_in_list)
    elif isinstance(value, list):
        for inner in value:
            yield from _json_strings(data, inner, outline, depth, key, True)
    elif isinstance(value, JsonString):
        # Most values have a blank, and need not be read here.
        has_blank = b" " in data[slice(*value)].strip()
        text = "a text" if has_blank else string_text(data, value)
        is_name = not has_blank and _is_name(data[slice(*key)].decode("utf-8"), text, is_in_list)
        outline.add_value(None if is_name else text)
        if not is_name:
            yield value, key
    else:
        outline.add_value(None)


def read_xcstrings(name: str, data: bytes, options: ReadOptions) -> Segments:
    """The texts of one language in a string catalogue of Xcode.

    The language must be given if there are several besides the source language.
    """
    target = options.wanted.target
    root = JsonReader(name, data).only()
    strings = root.get("strings") if isinstance(root, JsonObject) else None
    if not isinstance(root, JsonObject) or not isinstance(strings, JsonObject):
        raise FormatError(f'{name}: line 1: expected a string catalogue, with "strings"')
    entries = [
        (entry, found)
        for entry in strings.values
        if isinstance(entry, JsonObject)
        and isinstance(found := entry.get("localizations"), JsonObject)
    ]
    languages = dict.fromkeys(tag for _, found in entries for tag in found.keys)
    source_language = member_text(data, root, "sourceLanguage")
    if target is None:
        others = [tag for tag in languages if primary(tag) != primary(source_language)]
        if len(others or languages) > 1:
            raise FormatError(
                f"{name}: has strings in {listed(languages)}: give the target language"
            )
        target = next(iter(others or languages), None)
    elif languages and not any(matches(target, tag) for tag in languages):
        raise FormatError(
            f"{name}: no string is in the language {target!r}; there are {listed(languages)}"
        )
    segments = Segments()
    segments.languages = Languages(None, target)
    for entry, found in entries:
        for tag, value in zip(found.keys, found.values, strict=True):
            if entry.get("shouldTranslate") is not False and matches(target or "", tag):
                for string in _unit_values(value):
                    add_json_text(segments, data, string)
    return segments


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


# Apple's .strings.

_STRING = rb"\"[^\"\\]*(?:\\.[^\"\\]*)*\""
_SPACE = rb"(?:\s|/\*[^*]*(?:\*(?!/)[^*]*)*\*/|//[^\r\n]*(?=[\r\n]|\Z))*"
# A word has two slashes as any other signs: it is matched whole, or each of them would be tried as
# the beginning of a comment.
_WORD = rb"(?=(?P<%s>[\w.$/:-]+))(?P=%s)"
_ENTRY = re.compile(
    rb"(?P<name>" + _STRING + rb"|" + _WORD % (b"key", b"key") + rb")" + _SPACE + rb"=" + _SPACE
    + rb"(?P<value>" + _STRING + rb"|" + _WORD % (b"word", b"word") + rb")" + _SPACE + rb";",
    re.DOTALL,
)  # fmt: skip
_SPACES = re.compile(_SPACE, re.DOTALL)


def read_strings(name: str, data: bytes, options: ReadOptions) -> Segments:
    """The values of Apple's .strings: ``"key" = "value";``."""
    segments = Segments()
    position, has_capitals = skip_bom(data), data != data.lower()
    while True:
        space = _SPACES.match(data, position)
        assert space is not None
        position = space.end()
        if position == len(data):
            return segments
        entry = _ENTRY.match(data, position)
        if entry is None:
            what = 'expected "key" = "value"; or a comment'
            if data.startswith(b"<"):
                what += "; plutil -convert json makes JSON of a property list"
            raise FormatError(f"{name}: line {line_of(data, position)}: {what}")
        start, end = entry.span("value")
        # A text that is its key is not translated yet, unless the whole file is in lower case.
        is_key = has_capitals and entry["value"] == entry["name"]
        if entry["value"].startswith(b'"') and not is_key:
            add_json_text(segments, data, JsonString(start + 1, end - 1))
        position = entry.end()


# YAML.

_YAML_ESCAPE = re.compile(r"\\(?:x[0-9A-Fa-f]{2}|U[0-9A-Fa-f]{8}|\r?\n)|" + ESCAPE.pattern)
_PROPERTIES = re.compile(rb"(?:[&!]\S*\s+)*")
_QUOTES = re.compile("''")


def read_yaml(name: str, data: bytes, options: ReadOptions) -> Units:
    """The values of a catalogue in YAML that are strings, such as those of Rails."""
    try:
        yaml: Any = import_module("yaml")
    except ModuleNotFoundError:
        raise FormatError(f"{name}: YAML needs PyYAML: pip install pyyaml") from None
    offset = skip_bom(data)
    text = data[offset:].decode("utf-8")
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
    if not options.is_known:
        check_is_catalogue(name, "yaml", outline, data)
    units.languages = languages_of(name, options.wanted, None, outline.language)
    return units


def _yaml_values(name: str, yaml: Any, text: str, outline: Outline) -> Iterator[Any]:
    """The events of all strings but keys."""
    resolver = yaml.SafeLoader("")
    # For each open collection: None in a list, else whether a key comes next.
    open_: list[bool | None] = []
    n_mappings = 0
    key = ""
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        is_key = bool(open_) and open_[-1] is True
        if isinstance(event, yaml.ScalarEvent):
            tag = event.tag or resolver.resolve(yaml.ScalarNode, event.value, event.implicit)
            is_string = tag in ("tag:yaml.org,2002:str", "!")
            if is_key:
                key = event.value
                outline.add_key(n_mappings - 1, key)
            else:
                is_string = is_string and not _is_name(key, event.value, None in open_)
                outline.add_value(event.value if is_string else None)
                if is_string:
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
    # The parser includes anchor and tag.
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
    if match[0][1] in "xU\r\n NLP_0aev":
        return Piece(FIXED, start, end, " ")
    return escaped_piece(match, start, end)


# Settings and data of programs, which readers refuse.


class Outline:
    """The features of a file by which catalogues are recognised; a list counts as its items.

    Attributes
    ----------
    is_list : bool
        The outermost value is a list.
    keys, inner_keys : set of str
        Keys of the outermost mappings, and of the mappings in them.
    text_keys : set of str
        Keys of the outermost mappings that have a text.
    n_texts, n_others : int
        Values that may be texts, and others: numbers, switches, paths, versions, identifiers.
    n_phrases : int
        Texts of several words.
    schema : str
        The value of ``$schema``.
    """

    def __init__(self, is_list: bool = False) -> None:
        self.is_list = is_list
        self.keys: set[str] = set()
        self.inner_keys: set[str] = set()
        self.text_keys: set[str] = set()
        self.n_texts = 0
        self.n_others = 0
        self.n_phrases = 0
        self.schema = ""
        self._key = ""

    @property
    def language(self) -> str | None:
        """The code of the language that the only key outside names, as in catalogues of Rails."""
        only = "".join(self.keys) if len(self.keys) == 1 and self.inner_keys else ""
        return language_of_path(f"{only}.yml")

    def add_key(self, depth: int, key: str) -> None:
        """Add a key of a mapping inside `depth` others."""
        self._key = key if depth == 0 else ""
        if depth == 0:
            self.keys.add(key)
        elif depth <= _INNER_DEPTH:
            self.inner_keys.add(key)

    def add_value(self, text: str | None) -> None:
        """Add a string, or None for any other value."""
        if self._key == "$schema":
            self.schema = text or "?"
        elif text is not None and may_be_text(text):
            self.n_texts += 1
            self.n_phrases += " " in text
            self.text_keys.add(self._key)
        else:
            self.n_others += 1


# Variables of CSL that other data rarely have.
_OF_REFERENCES = frozenset(words_of("variables"))

_OF_REFERENCES_ALONE = frozenset("container-title DOI ISBN issued family".split())

# Catalogues may name a schema, too.
_SCHEMA_OF_CATALOGUES = re.compile(r"i18n|l10n|inlang|locale|message|translation", re.IGNORECASE)

# Without white space: paths, addresses, versions, identifiers, patterns.
_NO_TEXT = re.compile(r"[/\\@=^~*_<>|$#{}]|\w[.:]\w|\d|^-|[a-z][A-Z]|\w-\w+-\w")
_MIN_VALUES = 5
# Lengths, colours and functions of CSS.
_STYLE = re.compile(
    rb"\b(?:\d[\d.]{0,9}(?:px|r?em|v[hw])|0 auto)\b|#[0-9a-fA-F]{3,8}\b|\b(?:rgb|hsl)a?\("
)
# So many texts of a catalogue are not nearly all single words.
_MANY = 500

_INNER_DEPTH = 2


def check_is_catalogue(name: str, format: str, outline: Outline, data: bytes) -> None:
    """Refuse a file that is not a catalogue; the message says how to force the format."""
    # Lists of entries, single ones, and lists inside of an object.
    keys = outline.keys | outline.inner_keys
    is_list = outline.is_list and outline.keys >= {"id", "type"} and keys & _OF_REFERENCES
    # There are hardly more colons than values.
    n_styles = len(_STYLE.findall(data, 0, HEAD_BYTES))
    if is_list or (keys >= {"type", "title"} and keys & _OF_REFERENCES_ALONE):
        found = "CSL-JSON: its titles are for truecase text sentence-case,"
    elif n_styles > 1 and 4 * n_styles > data.count(b":", 0, HEAD_BYTES):
        found = "styles of CSS, no catalogue of texts:"
    elif kind := _other_kind(outline):
        found = f"{kind}, no catalogue of texts:"
    else:
        return
    raise FormatError(f"{name}: is {found} --format {format} cases all its strings")


def _other_kind(outline: Outline) -> str | None:
    """The kind of a file that is no catalogue, for messages."""
    if outline.schema and _SCHEMA_OF_CATALOGUES.search(outline.schema) is None:
        return f"a file of the schema {outline.schema[:60]!r}"
    for title, *columns in rows_of("not_catalogues.txt"):
        # Keys outside: all of these, one of these; and one of these below.
        keys, one_of, inner = (set(words.split()) for words in [*columns, "", ""][:3])
        found = keys | one_of & outline.keys
        # A catalogue may have a text for each of several words.
        are_texts = not outline.is_list and len(found) > 1 and found <= outline.text_keys
        is_outside = keys <= outline.keys and (not one_of or one_of & outline.keys)
        if is_outside and not are_texts and (not inner or inner & outline.inner_keys):
            return title
    n_values = outline.n_texts + outline.n_others
    most = _MIN_VALUES if outline.is_list and not outline.keys else _MANY
    if outline.n_texts > most * (outline.n_phrases + 1):
        return "a list of words"
    is_long = outline.n_others >= _MIN_VALUES or not outline.n_phrases
    if outline.n_others > outline.n_texts and is_long:
        return f"mostly numbers and identifiers ({outline.n_others:,} of {n_values:,} values)"
    return None


def may_be_text(value: str) -> bool:
    """Whether a value may be a text: it has white space, or is a plain word."""
    return len(value.split(None, 1)) > 1 or _NO_TEXT.search(shown(value, protected(value))) is None


_XCSTRINGS = re.compile(rb"\A\s*\{\s*\"sourceLanguage\"\s*:[^{}]*\"strings\"\s*:\s*\{")
_APPLE_STRING = re.compile(rb"^[^\S\n]*\"[^\"\r\n]*\"\s*=\s*\"[^\r\n]*;", re.MULTILINE)

_IS_XCODE = looks_like_json(_XCSTRINGS.search)
_STRINGS = partial(of_programs, notation=NOTATION_JSON, pieces=json_pieces)
FORMATS = (
    _STRINGS("strings", "Apple strings", (".strings",), head_has(_APPLE_STRING), read_strings),
    _STRINGS("xcstrings", "Xcode string catalogue", (".xcstrings",), _IS_XCODE, read_xcstrings),
    _STRINGS("json", "JSON", (".arb",), looks_like_json(), read_json),
    of_programs("yaml", "YAML", (".yaml", ".yml"), None, read_yaml),
)
