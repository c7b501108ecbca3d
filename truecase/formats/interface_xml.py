"""Interface strings in XML: Android's strings.xml, .resx of .NET, Qt's .ts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from truecase.formats._contents import ANDROID as NOTATION_ANDROID
from truecase.formats.json_text import ESCAPE, escaped_piece
from truecase.formats.segments import (
    FIXED,
    NO_SPAN,
    NOT_TRANSLATED,
    OBSOLETE,
    Piece,
    Segments,
    Span,
    languages_of,
    split_plain,
)
from truecase.formats.xml_file import Tag, XmlFile, xml_format, xml_pieces

# Elements whose content a program replaces, or shows in place of a value.
_PLACEHOLDER = re.compile(rb"<xliff:g[\s>].*?</xliff:g\s*>", re.DOTALL)
# Of Android: another resource, no text.
_REFERENCE = re.compile(rb"\s*(?:[@?](?:[\w.]+:)?\w+/[\w.]+|@null)\s*\Z")


def _texts(
    file: XmlFile, names: Sequence[str], *paths: str
) -> Iterator[tuple[str, list[Tag], Span]]:
    """Path, open elements and content of each element at one of `paths`.

    Elements with `names` count, from the outermost one that a path can begin with.
    """
    codes = {name: code for code, name in enumerate(names, 1)}
    by_codes = {tuple(codes[name] for name in path.split("/")): path for path in paths}
    first, last = ({path[i] for path in by_codes} for i in (0, -1))
    opened: list[Tag] = []
    for tag in file.tags(codes, frozenset(codes.values()), any_namespace=True):
        if tag[0] > 0:
            opened.append(tag)
            continue
        if -tag[0] in last:
            inner = opened
            while inner and inner[0][0] not in first:
                inner = inner[1:]
            path = by_codes.get(tuple([one[0] for one in inner]))
            if path is not None and inner[-1][1] - inner[0][1] == len(inner) - 1:
                yield path, inner, Span(inner[-1][3], max(inner[-1][3], tag[2]))
        opened.pop()


def read_android(file: XmlFile) -> Segments:
    """Android's string resources: ``string``, and ``item`` of ``plurals`` and arrays."""
    segments = Segments()
    is_fixed = file.root_attributes.get("translatable") == "false"
    names = ("string", "item", "plurals", "string-array")
    for _, opened, content in _texts(file, names, "string", "plurals/item", "string-array/item"):
        if opened[0][1] != 2:
            continue
        if is_fixed or any(file.attribute(tag, "translatable") == "false" for tag in opened):
            segments.leave(NOT_TRANSLATED)
        elif not _REFERENCE.match(file.data[slice(*content)]):
            segments.add(content)
    return segments


def read_resx(file: XmlFile) -> Segments:
    """The ``value`` of each ``data`` of .resx that is a text, and not the name of a control."""
    segments = Segments()
    attribute = file.attribute
    for _, (data, _), content in _texts(file, ("data", "value"), "data/value"):
        if (
            data[1] == 2
            and attribute(data, "type") is None
            and attribute(data, "mimetype") is None
            and not (attribute(data, "name") or "").startswith(">>")
        ):
            segments.add(content)
    return segments


def read_qt(file: XmlFile) -> Segments:
    """Qt Linguist's messages: ``translation`` with its ``source``."""
    segments = Segments()
    source = NO_SPAN
    names = ("message", "source", "translation", "numerusform")
    form = "message/translation/numerusform"
    for path, opened, content in _texts(file, names, "message/source", "message/translation", form):
        if path == "message/source":
            source = content
        # The translation of a message with numbers is in its forms.
        elif b"numerusform" in file.data[slice(*content)]:
            continue
        elif file.attribute(opened[1], "type") in ("obsolete", "vanished"):
            segments.leave(OBSOLETE)
        else:
            segments.add(content, source)
    attributes = file.root_attributes
    segments.languages = languages_of(
        file.name, file.options.wanted, attributes.get("sourcelanguage"), attributes.get("language")
    )
    return segments


def android_pieces(data: bytes, start: int, end: int) -> list[Piece]:
    """The text of a string of Android, with its escapes."""
    pieces = split_plain(xml_pieces(data, start, end), ESCAPE, escaped_piece)
    spans = [match.span() for match in _PLACEHOLDER.finditer(data, start, end)]
    return [
        piece._replace(kind=FIXED)
        if any(first <= piece.start < last for first, last in spans)
        else piece
        for piece in pieces
    ]


_ANDROID = xml_format("android", "Android strings", (), "resources", read_android)
_QT = xml_format("qt", "Qt TS", (".ts",), "TS", read_qt)
FORMATS = (
    replace(_ANDROID, notation=NOTATION_ANDROID, pieces=android_pieces),
    xml_format("resx", "resx", (".resx", ".resw"), "root", read_resx),
    replace(_QT, has_accelerators=True),
)
