"""Translations and interface strings in XML.

The formats are TMX 1.1 to 1.4, XLIFF 1.0 to 2.2 with the dialects of translators' tools, Android's
strings.xml, .resx of .NET, and Qt's .ts.

A unit ``tu`` of TMX has one variant ``tuv`` for each language, in any order, with its text in
``seg``. The file does not say which language is the target.

In version 1 of XLIFF a ``trans-unit`` has a ``source`` and a ``target``; if these are cut into
sentences, by ``mrk mtype="seg"``, each sentence of the target belongs to the sentence of
``seg-source`` with the same ``mid``. In version 2 a ``unit`` has ``segment`` elements. Targets of
``alt-trans`` and of matches belong to other translations, and stay.
"""

from __future__ import annotations

import re
from array import array
from collections import deque
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from functools import partial

from truecase.errors import FormatError
from truecase.formats._contents import ANDROID as NOTATION_ANDROID
from truecase.formats.json_text import ESCAPE, escaped_piece
from truecase.formats.languages import Languages, languages_of
from truecase.formats.segments import (
    FINAL,
    FIXED,
    LOCKED,
    NO_SPAN,
    NOT_TRANSLATED,
    OBSOLETE,
    Piece,
    Segments,
    Span,
    split_plain,
)
from truecase.formats.xml_file import ATTRIBUTES, XML_LANG, Tag, XmlFile, xml_format, xml_pieces
from truecase.kernels.text import listed, matches, normal, primary

_TU, _TUV, _SEG, _HEADER = range(1, 5)
# Start tags of variants whose languages are remembered.
_KNOWN_TAGS = 1000
_TMX_NAMES = {"tu": _TU, "tuv": _TUV, "seg": _SEG, "header": _HEADER}


class _MemoryReader:
    """Gathers all variants, and then chooses source and target of each unit."""

    def __init__(self, file: XmlFile) -> None:
        self._file = file
        self._header_source = ""
        # Number of a language by its tag as it is written, and by whole start tags.
        self._numbers: dict[str, int] = {}
        self._number_of: dict[bytes, int] = {}
        # Of each variant.
        self._unit = array("q")
        self._start = array("q")
        self._end = array("q")
        self._languages = array("i")

    def read(self) -> Segments:
        """The segments of the wanted languages."""
        data, number_of = self._file.data, self._number_of
        n_units = segment_depth = segment_start = 0
        language = -1
        codes = {self._file.namespace + name: code for name, code in _TMX_NAMES.items()}
        for tag in self._file.tags(codes, (_SEG,)):
            code, depth, start, end, given = tag
            if segment_depth:
                if code == -_SEG and depth == segment_depth:
                    segment_depth = 0
                    self._unit.append(n_units)
                    self._start.append(segment_start)
                    self._end.append(start)
                    self._languages.append(language)
                    language = -1
            elif code == _TUV:
                number = None if given is not None else number_of.get(data[start:end])
                language = self._language_of(tag) if number is None else number
            elif code == _SEG and language >= 0:
                segment_depth, segment_start = depth, end
            elif code == _TU:
                n_units += 1
                language = -1
            elif code == _HEADER:
                self._header_source = self._file.attribute(tag, "srclang") or ""
        return self._wanted()

    def _language_of(self, tag: Tag) -> int:
        attribute = self._file.attribute
        name = attribute(tag, XML_LANG) or attribute(tag, "lang") or ""
        if not name.strip():
            raise self._file.error_at(tag[2], "this tuv has no xml:lang")
        number = self._numbers.setdefault(name, len(self._numbers))
        # In files with dates in their tags, all tags differ.
        if tag[4] is None and len(self._number_of) < _KNOWN_TAGS:
            self._number_of[self._file.data[tag[2] : tag[3]]] = number
        return number

    def _wanted(self) -> Segments:
        wanted = self._file.options.wanted
        target = wanted.target or self._only_target(wanted.source)
        targets = self._numbers_of(target, "language", must_be=bool(self._numbers))
        source = wanted.source or self._source_beside(targets)
        sources = self._numbers_of(source, "source language", targets, must_be=bool(wanted.source))
        segments = self._chosen(sources, targets)
        segments.languages = Languages(source, target or None)
        return segments

    def _numbers_of(
        self, language: str | None, what: str, but: Collection[int] = (), *, must_be: bool
    ) -> set[int]:
        """The numbers of a language with any region."""
        found = {i for i, tag in enumerate(self._numbers) if language and matches(language, tag)}
        found.difference_update(but)
        if must_be and not found:
            raise FormatError(
                f"{self._file.name}: no segment is in the {what} {language!r}; there are "
                f"{listed(self._numbers)}"
            )
        return found

    def _chosen(self, sources: Container[int], targets: Container[int]) -> Segments:
        """The segments in a target language, each with its unit's first source."""
        segments = Segments()
        columns = self._unit, self._start, self._end, self._languages
        n_units = self._unit[-1] + 1 if self._unit else 0
        source_starts, source_ends = (array("q", [-1]) * n_units for _ in range(2))
        for unit, start, end, language in zip(*columns, strict=True):
            if language in sources and source_starts[unit] < 0:
                source_starts[unit], source_ends[unit] = start, end
        for unit, start, end, language in zip(*columns, strict=True):
            if language in targets:
                source = Span(source_starts[unit], source_ends[unit])
                segments.add(Span(start, end), source, language)
        return segments

    def _named_in_header(self, languages: Iterable[str]) -> str:
        """The header's source language, if it is in `languages`."""
        source = primary(self._header_source)
        return source if source in languages else ""

    def _only_target(self, source: str | None) -> str:
        languages = _primaries(self._numbers)
        if not languages:
            return ""
        known = primary(source) if source else self._named_in_header(languages)
        others = [language for language in languages if language != known]
        if len(languages) != 2 or len(others) != 1:
            raise FormatError(
                f"{self._file.name}: has segments in {listed(self._numbers)}: give the "
                "target language"
            )
        return others[0]

    def _source_beside(self, targets: set[int]) -> str | None:
        tags = [tag for i, tag in enumerate(self._numbers) if i not in targets]
        languages = _primaries(tags)
        if len(languages) == 1:
            return languages[0]
        header = normal(self._header_source)
        if any(matches(header, tag) for tag in tags):
            return header
        return self._named_in_header(languages) or None


def _primaries(tags: Iterable[str]) -> list[str]:
    """Languages without their regions, in order."""
    return list(dict.fromkeys(map(primary, tags)))


TMX = xml_format("tmx", "TMX", (".tmx",), None, lambda file: _MemoryReader(file).read(), "tmx")


_OTHER, _FILE, _GROUP, _UNIT, _SEGMENT, _SOURCE, _SEG_SOURCE, _TARGET, _MARK, _SDL_MARK = range(10)
_NAMES = {"file": _FILE, "group": _GROUP, "source": _SOURCE, "target": _TARGET}
_NAMES_1 = {**_NAMES, "trans-unit": _UNIT, "seg-source": _SEG_SOURCE, "mrk": _MARK}
_NAMES_2 = {**_NAMES, "unit": _UNIT, "segment": _SEGMENT}

_FINAL_STATES = ("final", "signed-off")
# Values that tools write into their attribute "locked" of a unit, or of a sentence (sdl:seg).
_YES = ("true", "yes", "locked", "1")
_SDL_SEGMENT = "http://sdl.com/FileTypes/SdlXliff/1.0 seg"
_SDL_FINAL = ("ApprovedTranslation", "ApprovedSignOff")
# Attributes that mark units and the like; most have none.
_MARKED = re.compile(rb"translate\s*=|approved|locked")
_MAY_BE_FINAL = re.compile(rb"final|signed-off|&")


class _XliffReader:
    """Reads a file of version 1, or of version 2 if `is_second`."""

    def __init__(self, file: XmlFile, is_second: bool) -> None:
        self._file = file
        self._codes = {
            file.namespace + name: code
            for name, code in (_NAMES_2 if is_second else _NAMES_1).items()
        }
        if not is_second:
            self._codes[_SDL_SEGMENT] = _SDL_MARK
        # The element whose source and target belong together.
        self._holder = _SEGMENT if is_second else _UNIT
        # For each open element that has a code: this, its parent's, how many are open with it, and
        # whether its text is to be translated.
        self._open: list[tuple[int, int, int, bool]] = []
        self._content_start = self._part_start = self._part_depth = 0
        self._part = ""
        self._segments = Segments()
        self._languages: dict[Languages, int] = {}
        self._language = 0
        self._leave = frozenset(file.options.leave)
        self._new_unit()
        if is_second:
            attributes = file.root_attributes
            self._set_languages(attributes.get("srcLang", ""), attributes.get("trgLang", ""))

    def _new_unit(self) -> None:
        self._source = self._target = NO_SPAN
        self._source_parts: dict[str | None, Span] = {}
        self._target_parts: list[tuple[str | None, Span]] = []
        # Reasons by sentence; of the whole unit under None.
        self._reasons: dict[str | None, str] = {}

    def read(self) -> Segments:
        """The segments of the wanted languages."""
        opened, holder = self._open, self._holder
        for tag in self._file.tags(self._codes, frozenset(self._codes.values())):
            code, depth, start, end, _ = tag
            if code < 0:
                code, parent, depth, translate = opened.pop()
                if code not in (_SOURCE, _TARGET):
                    self._end(code, parent, depth, translate, start)
                elif parent == holder:
                    span = Span(self._content_start, start)
                    if code == _TARGET:
                        self._target = span
                    else:
                        self._source = span
                continue
            parent, translate = _OTHER, True
            if opened:
                above, _, depth_above, translate = opened[-1]
                parent = above if depth_above == depth - 1 else _OTHER
            if code in (_SOURCE, _TARGET):
                if parent == holder:
                    self._content_start = end
                    if code == _TARGET and holder == _UNIT and self._is_final(tag):
                        self._reasons.setdefault(None, FINAL)
            elif code <= _SEGMENT:
                marks = self._attributes(tag, _MARKED)
                if code <= _UNIT and "translate" in marks:
                    translate = marks["translate"].strip() != "no"
                if code in (holder, _FILE):
                    self._start(code, tag, marks)
            elif code == _MARK:
                self._start_mark(tag)
            elif code == _SDL_MARK:
                self._note_reason(self._file.attributes(tag))
            opened.append((code, parent, depth, translate))
        return self._chosen()

    def _attributes(self, tag: Tag, pattern: re.Pattern[bytes]) -> Mapping[str, str]:
        """The attributes of a tag, if the pattern is in one."""
        if tag[4] is None and pattern.search(self._file.data, tag[2], tag[3]) is None:
            return {}
        return self._file.attributes(tag)

    def _is_final(self, tag: Tag) -> bool:
        return self._attributes(tag, _MAY_BE_FINAL).get("state") in _FINAL_STATES

    def _start(self, code: int, tag: Tag, marks: Mapping[str, str]) -> None:
        """Handle the start tag of a file, group, unit or segment."""
        if code == self._holder:
            self._new_unit()
            if marks.get("approved") == "yes" if code == _UNIT else self._is_final(tag):
                self._reasons[None] = FINAL
            if marks and _is_locked(marks):
                self._reasons[None] = LOCKED
        elif code == _FILE and self._holder == _UNIT:
            attribute = self._file.attribute
            self._set_languages(
                attribute(tag, "source-language") or "", attribute(tag, "target-language") or ""
            )

    def _start_mark(self, tag: Tag) -> None:
        """Handle the start tag of what may be a sentence."""
        attribute = self._file.attribute
        if not self._part_depth and attribute(tag, "mtype") == "seg" and self._is_in_unit():
            self._part_depth, self._part_start = tag[1], tag[3]
            self._part = attribute(tag, "mid") or ""

    def _is_in_unit(self) -> bool:
        """Whether the innermost target or seg-source is the unit's own."""
        for code, parent, *_ in reversed(self._open):
            if code in (_SOURCE, _SEG_SOURCE, _TARGET):
                return code != _SOURCE and parent == _UNIT
        return False

    def _note_reason(self, attributes: Mapping[str, str]) -> None:
        """Note why a sentence stays, by its attributes of SDL's tools."""
        if _is_locked(attributes):
            self._reasons[attributes.get("id", "")] = LOCKED
        elif attributes.get("conf") in _SDL_FINAL:
            self._reasons[attributes.get("id", "")] = FINAL

    def _end(self, code: int, parent: int, depth: int, translate: bool, position: int) -> None:
        """Handle an end tag at `position`, of anything but sources and targets."""
        if code == self._holder and (code == _UNIT or parent == _UNIT):
            self._add_unit(translate)
        elif depth == self._part_depth:
            self._part_depth = 0
            span = Span(self._part_start, position)
            if any(opened[0] == _TARGET for opened in self._open):
                self._target_parts.append((self._part, span))
            else:
                self._source_parts.setdefault(self._part, span)

    def _add_unit(self, translate: bool) -> None:
        for part, target in self._target_parts or [(None, self._target)]:
            source = self._source_parts.get(part, self._source)
            reason = None if translate else NOT_TRANSLATED
            if translate and self._reasons:
                # A unit without parts is one sentence, whatever its number is.
                keys = (part, None) if self._target_parts else list(self._reasons)[:1]
                reasons = [self._reasons[key] for key in keys if key in self._reasons]
                reason = next((reason for reason in reasons if reason in self._leave), None)
            if reason is None or target.start >= target.end:
                self._segments.add(target, source, self._language)
            else:
                self._segments.leave(reason, self._language)

    def _set_languages(self, source: str, target: str) -> None:
        languages = Languages(source.strip() or None, target.strip() or None)
        self._language = self._languages.setdefault(languages, len(self._languages))

    def _chosen(self) -> Segments:
        """The segments of the wanted languages."""
        wanted = self._file.options.wanted
        chosen = {
            languages: i
            for languages, i in self._languages.items()
            if _fits(wanted.source, languages.source) and _fits(wanted.target, languages.target)
        }
        if self._languages and not chosen:
            raise FormatError(
                f"{self._file.name}: nothing is translated from "
                f"{wanted.source or 'any language'} to {wanted.target or 'any language'}; there is "
                + listed(f"{a or 'unknown'} to {b or 'unknown'}" for a, b in self._languages)
            )
        targets = {normal(languages.target or ""): languages.target for languages in chosen}
        if len(targets) > 1 and wanted.target is None:
            raise FormatError(
                f"{self._file.name}: is translated to {listed(t or '' for t in targets.values())}: "
                "give the target language"
            )
        segments = self._segments
        if len(chosen) < len(self._languages):
            segments = segments.of_languages(frozenset(chosen.values()))
        found = next(iter(chosen), Languages())
        segments.languages = Languages(wanted.source or found.source, wanted.target or found.target)
        segments.format = f"XLIFF {self._file.root_attributes.get('version', '')[:10]}".strip()
        return segments


def _fits(wanted: str | None, tag: str | None) -> bool:
    return wanted is None or tag is None or matches(wanted, tag)


def _is_locked(attributes: Mapping[str, str]) -> bool:
    return any(
        name.rpartition(" ")[2] == "locked" and value.strip().lower() in _YES
        for name, value in attributes.items()
    )


def read_xliff(file: XmlFile) -> Segments:
    """The segments of a file, by the version that its first element names."""
    version = file.root_attributes.get("version", "").strip()
    # There are files without a version, which was not always asked for.
    is_second = version.startswith("2.") or (not version and "srcLang" in file.root_attributes)
    if version and not is_second and not version.startswith("1."):
        raise file.error_at(
            file.root_start, f"XLIFF version {version[:20]!r}: expected 1.0 to 1.2 or 2.0 to 2.2"
        )
    return _XliffReader(file, is_second).read()


_EXTENSIONS = (".xlf", ".xliff", ".sdlxliff", ".mxliff", ".mqxliff")
XLIFF = xml_format("xliff", "XLIFF", _EXTENSIONS, None, read_xliff, "xliff")


# Elements whose content a program replaces, or shows in place of a value.
_PLACEHOLDER = re.compile(rb"<xliff:g(?=[\s>])%b>.*?</xliff:g\s*>" % ATTRIBUTES, re.DOTALL)
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
        is_text = all(attribute(data, name) is None for name in ("type", "mimetype"))
        if data[1] == 2 and is_text and not (attribute(data, "name") or "").startswith(">>"):
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
            # That of another message, where this one has none.
            is_own = source.start > opened[0][2]
            segments.add(content, source if is_own else NO_SPAN)
    attributes = file.root_attributes
    segments.languages = languages_of(
        file.name, file.options.wanted, attributes.get("sourcelanguage"), attributes.get("language")
    )
    return segments


def android_pieces(data: bytes, start: int, end: int) -> list[Piece]:
    """The text of a string of Android, with its escapes."""
    pieces = split_plain(xml_pieces(data, start, end), ESCAPE, escaped_piece)
    found = []
    # Both come in order.
    placeholders = deque(match.span() for match in _PLACEHOLDER.finditer(data, start, end))
    for piece in pieces:
        while placeholders and placeholders[0][1] <= piece.start:
            placeholders.popleft()
        is_inside = bool(placeholders) and placeholders[0][0] <= piece.start
        found.append(piece._replace(kind=FIXED) if is_inside else piece)
    return found


_ANDROID = partial(xml_format, notation=NOTATION_ANDROID, pieces=android_pieces)
_OF_MENUS = partial(xml_format, has_accelerators=True)
INTERFACES = (
    _ANDROID("android", "Android strings", (), None, read_android, "resources"),
    _OF_MENUS("resx", "resx", (".resx", ".resw"), None, read_resx, "root"),
    _OF_MENUS("qt", "Qt TS", (".ts",), None, read_qt, "TS"),
)
