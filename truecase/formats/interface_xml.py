"""Interface strings in XML: Android's strings.xml, .resx of .NET, Qt's .ts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from truecase.errors import FormatError
from truecase.formats._contents import ANDROID as NOTATION_ANDROID
from truecase.formats.json_text import ESCAPE, escaped_piece
from truecase.formats.segments import (
    FIXED,
    NO_SPAN,
    NOT_TRANSLATED,
    OBSOLETE,
    Languages,
    Piece,
    Segments,
    Span,
    split_plain,
)
from truecase.formats.xml_file import Tag, TagReader, XmlFile, xml_format, xml_pieces
from truecase.kernels.text import listed, matches

# Elements whose content a program replaces, or shows in place of a value.
_PLACEHOLDER = re.compile(rb"<xliff:g[\s>].*?</xliff:g\s*>", re.DOTALL)
# Of Android: another resource, no text.
_REFERENCE = re.compile(rb"\s*(?:[@?](?:[\w.]+:)?\w+/[\w.]+|@null)\s*\Z")


class _Strings(TagReader):
    """The base of the readers: the open elements with codes."""

    any_namespace = True

    def __init__(
        self, file: XmlFile, names: Iterable[str], root: str, attributes: dict[str, str]
    ) -> None:
        self._file = file
        self.codes = {name: code for code, name in enumerate(names, 1)}
        self.ends = frozenset(self.codes.values())
        self._segments = Segments()
        self._root_attributes = attributes
        # The start tags of open elements that have codes.
        self._open: list[Tag] = []

    def read(self, tags: Iterable[Tag]) -> None:
        """Read more tags."""
        opened = self._open
        for tag in tags:
            if tag[0] > 0:
                opened.append(tag)
                continue
            if self._is_text():
                start = opened[-1][3]
                self._add(Span(start, max(start, tag[2])))
            opened.pop()

    def finish(self) -> Segments:
        """The segments."""
        return self._segments

    def _is_text(self) -> bool:
        """Whether the innermost element holds a text."""
        raise NotImplementedError

    def _add(self, content: Span) -> None:
        self._segments.add(content)


_STRING, _ITEM, _PLURALS, _ARRAY = range(1, 5)


class AndroidReader(_Strings):
    """Android's string resources: ``string``, and ``item`` of ``plurals`` and arrays."""

    def __init__(self, file: XmlFile, root: str, attributes: dict[str, str]) -> None:
        super().__init__(file, ("string", "item", "plurals", "string-array"), root, attributes)

    def _is_text(self) -> bool:
        code, depth = self._open[-1][:2]
        if code == _STRING:
            return depth == 2
        return code == _ITEM and depth == 3 and self._is_in_list()

    def _is_in_list(self) -> bool:
        return len(self._open) == 2 and self._open[0][0] in (_PLURALS, _ARRAY)

    def _add(self, content: Span) -> None:
        attribute = self._file.attribute
        if self._root_attributes.get("translatable") == "false" or any(
            attribute(tag, "translatable") == "false" for tag in self._open
        ):
            self._segments.leave(NOT_TRANSLATED)
        elif not _REFERENCE.match(self._file.data[slice(*content)]):
            self._segments.add(content)


_DATA, _VALUE = range(1, 3)


class ResxReader(_Strings):
    """The ``value`` of each ``data`` of .resx that is a text, and not the name of a control."""

    def __init__(self, file: XmlFile, root: str, attributes: dict[str, str]) -> None:
        super().__init__(file, ("data", "value"), root, attributes)

    def _is_text(self) -> bool:
        code, depth = self._open[-1][:2]
        return code == _VALUE and depth == 3 and len(self._open) == 2 and self._open[0][0] == _DATA

    def _add(self, content: Span) -> None:
        attribute, data = self._file.attribute, self._open[0]
        if attribute(data, "type") is not None or attribute(data, "mimetype") is not None:
            return
        if not (attribute(data, "name") or "").startswith(">>"):
            self._segments.add(content)


_MESSAGE, _SOURCE, _TRANSLATION, _FORM = range(1, 5)


class QtReader(_Strings):
    """Qt Linguist's messages: ``translation`` with its ``source``."""

    def __init__(self, file: XmlFile, root: str, attributes: dict[str, str]) -> None:
        names = ("message", "source", "translation", "numerusform")
        super().__init__(file, names, root, attributes)
        self._languages = Languages(
            attributes.get("sourcelanguage") or None, attributes.get("language") or None
        )
        self._source = NO_SPAN

    def _is_text(self) -> bool:
        inner = self._open
        # Elements outside of messages do not count.
        while inner and inner[0][0] != _MESSAGE:
            inner = inner[1:]
        if not inner or inner[-1][1] - inner[0][1] != len(inner) - 1:
            return False
        codes = [tag[0] for tag in inner[1:]]
        return codes in ([_SOURCE], [_TRANSLATION], [_TRANSLATION, _FORM])

    def _add(self, content: Span) -> None:
        tag = self._open[-1]
        if tag[0] == _SOURCE:
            self._source = content
            return
        if tag[0] == _FORM:
            tag = self._open[-2]
        # The translation of a message with numbers is in its forms.
        if b"numerusform" in self._file.data[slice(*content)]:
            return
        if self._file.attribute(tag, "type") in ("obsolete", "vanished"):
            self._segments.leave(OBSOLETE)
        else:
            self._segments.add(content, self._source)

    def finish(self) -> Segments:
        """The segments, in the languages that the file names."""
        wanted = self._file.options.wanted
        target = self._languages.target
        if wanted.target and target and not matches(wanted.target, target):
            raise FormatError(
                f"{self._file.name}: no segment is in the language {wanted.target!r}; there are "
                f"{listed([target])}"
            )
        self._segments.languages = Languages(
            wanted.source or self._languages.source, wanted.target or target
        )
        return self._segments


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


_ANDROID = xml_format("android", "Android strings", (), "resources", AndroidReader)
_QT = xml_format("qt", "Qt TS", (".ts",), "TS", QtReader)
FORMATS = (
    replace(_ANDROID, notation=NOTATION_ANDROID, pieces=android_pieces),
    xml_format("resx", "resx", (".resx", ".resw"), "root", ResxReader),
    replace(_QT, has_accelerators=True),
)
