"""Interface strings in XML: Android's strings.xml, .resx of .NET, Qt's .ts."""

from __future__ import annotations

import re

from truecase.formats.errors import FormatError
from truecase.formats.flow import FIXED, Piece
from truecase.formats.json_text import ESCAPE, escaped_piece
from truecase.formats.languages import Languages
from truecase.formats.pieces import split_plain
from truecase.formats.segments import (
    NO_SPAN,
    NOT_TRANSLATED,
    OBSOLETE,
    Segments,
    Span,
)
from truecase.formats.xml_content import xml_pieces
from truecase.formats.xml_document import MAX_DEPTH, XmlFile
from truecase.text.language_tags import listed, matches

# Elements whose content is put in by the program, or shows where it will be.
_PLACEHOLDER = re.compile(rb"<xliff:g[\s>].*?</xliff:g\s*>", re.DOTALL)
# Of Android: another resource, no text.
_REFERENCE = re.compile(rb"\s*(?:[@?](?:[\w.]+:)?\w+/[\w.]+|@null)\s*\Z")


class _Strings:
    """What the readers have in common: one language, and open elements."""

    format = ""

    def __init__(self, file: XmlFile, root: str, attributes: dict[str, str]) -> None:
        self._file = file
        self._segments = Segments()
        self._open: list[tuple[str, dict[str, str]]] = [(root, attributes)]
        self._start = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Handle a start tag."""
        if len(self._open) >= MAX_DEPTH:
            self._file.too_deep()
        self._open.append((name.rpartition(" ")[2], attributes))
        if self._is_text():
            self._start = self._file.content_start()

    def end(self, name: str) -> None:
        """Handle an end tag."""
        if self._is_text():
            self._add(self._file.content(self._start))
        self._open.pop()

    def finish(self, wanted: Languages) -> tuple[Segments, Languages]:
        """The segments, and which language they are said to be in."""
        return self._segments, Languages(None, wanted.target)

    def _names(self) -> list[str]:
        return [name for name, _ in self._open]

    def _is_text(self) -> bool:
        """Whether the innermost element holds a text."""
        raise NotImplementedError

    def _add(self, content: Span) -> None:
        self._segments.add(content)


class AndroidReader(_Strings):
    """Android's string resources: ``string``, and ``item`` of ``plurals`` and arrays."""

    format = "Android strings"

    def _is_text(self) -> bool:
        names = self._names()
        if names[-1] == "string":
            return len(names) == 2
        return names[-1] == "item" and names[1:-1] in (["plurals"], ["string-array"])

    def _add(self, content: Span) -> None:
        if any(attributes.get("translatable") == "false" for _, attributes in self._open):
            self._segments.leave(NOT_TRANSLATED)
        elif not _REFERENCE.match(self._file.data[slice(*content)]):
            self._segments.add(content)


class ResxReader(_Strings):
    """The ``value`` of each ``data`` of .resx that is a text, and not the name of a control."""

    format = "resx"

    def _is_text(self) -> bool:
        return self._names()[1:] == ["data", "value"]

    def _add(self, content: Span) -> None:
        attributes = self._open[1][1]
        is_text = not {"type", "mimetype"} & attributes.keys()
        if is_text and not attributes.get("name", "").startswith(">>"):
            self._segments.add(content)


class QtReader(_Strings):
    """Qt Linguist's messages: ``translation`` with its ``source``."""

    format = "Qt TS"

    def __init__(self, file: XmlFile, root: str, attributes: dict[str, str]) -> None:
        super().__init__(file, root, attributes)
        self._languages = Languages(
            attributes.get("sourcelanguage") or None, attributes.get("language") or None
        )
        self._source = NO_SPAN

    def _is_text(self) -> bool:
        names = self._names()
        if "message" not in names:
            return False
        inner = names[names.index("message") + 1 :]
        return inner in (["source"], ["translation"], ["translation", "numerusform"])

    def _add(self, content: Span) -> None:
        name, attributes = self._open[-1]
        if name == "source":
            self._source = content
            return
        if name == "numerusform":
            attributes = self._open[-2][1]
        # The translation of a message with numbers is in its forms.
        if b"numerusform" in self._file.data[slice(*content)]:
            return
        if attributes.get("type") in ("obsolete", "vanished"):
            self._segments.leave(OBSOLETE)
        else:
            self._segments.add(content, self._source)

    def finish(self, wanted: Languages) -> tuple[Segments, Languages]:
        """The segments, and which languages they are in."""
        target = self._languages.target
        if wanted.target and target and not matches(wanted.target, target):
            raise FormatError(
                f"{self._file.name}: no segment is in the language {wanted.target!r}; there are "
                f"{listed([target])}"
            )
        return self._segments, Languages(
            wanted.source or self._languages.source, wanted.target or target
        )


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
