"""XLIFF 1.0 to 1.2, with the dialects of translators' tools, and 2.0 to 2.2.

In version 1 a ``trans-unit`` has a ``source`` and a ``target``; if these are cut into sentences, by
``mrk mtype="seg"``, each sentence of the target belongs to the sentence of ``seg-source`` with the
same ``mid``. In version 2 a ``unit`` has ``segment`` elements. Targets of ``alt-trans`` and of
matches belong to other translations, and stay.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from truecase.errors import FormatError
from truecase.formats.segments import (
    FINAL,
    LOCKED,
    NO_SPAN,
    NOT_TRANSLATED,
    Languages,
    Segments,
    Span,
)
from truecase.formats.xml_file import Tag, XmlFile, xml_format
from truecase.kernels.text import listed, matches, normal

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


class _Reader:
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
                marks = self._marks(tag)
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

    def _marks(self, tag: Tag) -> Mapping[str, str]:
        """The attributes of a tag, if they may mark its content."""
        if tag[4] is None and _MARKED.search(self._file.data, tag[2], tag[3]) is None:
            return {}
        return self._file.attributes(tag)

    def _is_final(self, tag: Tag) -> bool:
        """Whether a tag has a final ``state``."""
        if tag[4] is None and _MAY_BE_FINAL.search(self._file.data, tag[2], tag[3]) is None:
            return False
        return self._file.attribute(tag, "state") in _FINAL_STATES

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
                "which of them is the target language?"
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
    return _Reader(file, is_second).read()


_EXTENSIONS = (".xlf", ".xliff", ".sdlxliff", ".mxliff", ".mqxliff")
XLIFF = xml_format("xliff", "XLIFF", _EXTENSIONS, "xliff", read_xliff)
