"""XLIFF 1.0 to 1.2, with the dialects of translators' tools, and 2.0 to 2.2.

In version 1 a ``trans-unit`` has a ``source`` and a ``target``; if these are cut into sentences, by
``mrk mtype="seg"``, each sentence of the target belongs to the sentence of ``seg-source`` with the
same ``mid``. In version 2 a ``unit`` has ``segment`` elements. Targets of ``alt-trans`` and of
matches belong to other translations, and stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

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
from truecase.formats.xml_file import Tag, TagReader, XmlFile, xml_format
from truecase.kernels.text import listed, matches, normal

(
    _OTHER,
    _FILE,
    _GROUP,
    _UNIT,
    _SEGMENT,
    _SOURCE,
    _SEG_SOURCE,
    _TARGET,
    _MARK,
    _SDL_MARK,
) = range(10)

_NAMES_1 = {
    "file": _FILE,
    "group": _GROUP,
    "trans-unit": _UNIT,
    "source": _SOURCE,
    "seg-source": _SEG_SOURCE,
    "target": _TARGET,
    "mrk": _MARK,
}
_NAMES_2 = {
    "file": _FILE,
    "group": _GROUP,
    "unit": _UNIT,
    "segment": _SEGMENT,
    "source": _SOURCE,
    "target": _TARGET,
}

_FINAL_STATES = ("final", "signed-off")
# Values that tools write into their attribute "locked" of a unit, or of a sentence (sdl:seg).
_YES = ("true", "yes", "locked", "1")
_SDL_SEGMENT = "http://sdl.com/FileTypes/SdlXliff/1.0 seg"
_SDL_FINAL = ("ApprovedTranslation", "ApprovedSignOff")
# Attributes that mark units and the like; most have none.
_MARKED = re.compile(rb"translate\s*=|approved|locked")
_MAY_BE_FINAL = re.compile(rb"final|signed-off|&")


class _XliffReader(TagReader):
    """The base of both versions: languages, and `translate`, which is inherited."""

    # The element whose source and target belong together.
    _holder = _OTHER

    def __init__(
        self, file: XmlFile, names: dict[str, int], root: str, attributes: dict[str, str]
    ) -> None:
        self._file = file
        prefix = root[: len(root) - len("xliff")]
        self.codes = {prefix + name: code for name, code in names.items()}
        self.ends = frozenset([*names.values(), _SDL_MARK])
        # For each open element that has a code: this, its parent's, and how many are open with it.
        self._open: list[tuple[int, int, int]] = []
        # Whether the text of open files, groups and units is to be translated.
        self._translate = [True]
        self._content_start = 0
        self._source = self._target = NO_SPAN
        self._segments = Segments()
        self._languages: dict[Languages, int] = {}
        self._language = 0
        self._version = attributes.get("version", "")[:10]
        self._leave = frozenset(file.options.leave)

    def read(self, tags: Iterable[Tag]) -> None:
        """Read more tags."""
        opened, holder = self._open, self._holder
        for tag in tags:
            code, depth, start, end, _ = tag
            if code < 0:
                code, parent, depth = opened.pop()
                if code == _TARGET:
                    if parent == holder:
                        self._target = Span(self._content_start, start)
                elif code == _SOURCE:
                    if parent == holder:
                        self._source = Span(self._content_start, start)
                else:
                    self._end(code, parent, depth, start)
                    if code <= _UNIT:
                        self._translate.pop()
                continue
            parent = opened[-1][0] if opened and opened[-1][2] == depth - 1 else _OTHER
            opened.append((code, parent, depth))
            if code in (_SOURCE, _TARGET):
                if parent == holder:
                    self._content_start = end
                    if code == _TARGET:
                        self._start_target(tag)
            elif code <= _UNIT:
                marks = self._marks(tag)
                translate = marks.get("translate")
                self._translate.append(
                    self._translate[-1] if translate is None else translate.strip() != "no"
                )
                self._start_unit(code, tag, marks)
            else:
                self._start(code, parent, depth, tag)

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

    def _start_unit(self, code: int, tag: Tag, marks: Mapping[str, str]) -> None:
        """Handle the start tag of a file, group or unit."""

    def _start_target(self, tag: Tag) -> None:
        """Handle the start tag of a target."""

    def _start(self, code: int, parent: int, depth: int, tag: Tag) -> None:
        """Handle any other start tag but those of sources."""

    def _end(self, code: int, parent: int, depth: int, position: int) -> None:
        """Handle an end tag at `position`, of anything but sources and targets."""

    def _set_languages(self, source: str, target: str) -> None:
        languages = Languages(source.strip() or None, target.strip() or None)
        self._language = self._languages.setdefault(languages, len(self._languages))

    def finish(self) -> Segments:
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
        segments.format = f"XLIFF {self._version}".strip()
        return segments


def _fits(wanted: str | None, tag: str | None) -> bool:
    return wanted is None or tag is None or matches(wanted, tag)


class Xliff1Reader(_XliffReader):
    """XLIFF 1.0 to 1.2."""

    _holder = _UNIT

    def __init__(self, file: XmlFile, root: str, attributes: dict[str, str]) -> None:
        super().__init__(file, _NAMES_1, root, attributes)
        self.codes = {**self.codes, _SDL_SEGMENT: _SDL_MARK}
        self._part_start = 0
        self._part_depth = 0
        self._part = ""
        self._new_unit({})

    def _new_unit(self, attributes: Mapping[str, str]) -> None:
        self._source = self._target = NO_SPAN
        self._source_parts: dict[str, Span] = {}
        self._target_parts: list[tuple[str, Span]] = []
        # Reasons by sentence; of the whole unit under None.
        self._reasons: dict[str | None, str] = {}
        if attributes.get("approved") == "yes":
            self._reasons[None] = FINAL
        if _is_locked(attributes):
            self._reasons[None] = LOCKED

    def _start_unit(self, code: int, tag: Tag, marks: Mapping[str, str]) -> None:
        """Handle the start tag of a file, group or unit."""
        if code == _UNIT:
            self._new_unit(marks)
        elif code == _FILE:
            attribute = self._file.attribute
            self._set_languages(
                attribute(tag, "source-language") or "", attribute(tag, "target-language") or ""
            )

    def _start_target(self, tag: Tag) -> None:
        """Handle the start tag of a target."""
        if self._is_final(tag):
            self._reasons.setdefault(None, FINAL)

    def _start(self, code: int, parent: int, depth: int, tag: Tag) -> None:
        """Handle any other start tag but those of sources."""
        if code == _MARK:
            attribute = self._file.attribute
            if not self._part_depth and attribute(tag, "mtype") == "seg" and self._is_in_unit():
                self._part_depth = depth
                self._part_start = tag[3]
                self._part = attribute(tag, "mid") or ""
        elif code == _SDL_MARK:
            attributes = self._file.attributes(tag)
            if _is_locked(attributes):
                self._reasons[attributes.get("id", "")] = LOCKED
            elif attributes.get("conf") in _SDL_FINAL:
                self._reasons[attributes.get("id", "")] = FINAL
        elif parent == _UNIT:
            self._content_start = tag[3]

    def _is_in_unit(self) -> bool:
        """Whether the innermost target or seg-source is the unit's own."""
        for code, parent, _ in reversed(self._open):
            if code in (_SOURCE, _SEG_SOURCE, _TARGET):
                return code != _SOURCE and parent == _UNIT
        return False

    def _end(self, code: int, parent: int, depth: int, position: int) -> None:
        """Handle an end tag at `position`, of anything but sources and targets."""
        if code == _UNIT:
            self._add_unit(self._translate[-1])
        elif self._part_depth == depth:
            self._part_depth = 0
            span = Span(self._part_start, position)
            if any(opened[0] == _TARGET for opened in self._open):
                self._target_parts.append((self._part, span))
            else:
                self._source_parts.setdefault(self._part, span)

    def _add_unit(self, translate: bool) -> None:
        parts = self._target_parts
        if translate and not parts and not self._reasons:
            self._segments.add(self._target, self._source, self._language)
        elif not parts:
            # There is one sentence, whatever its number is.
            reasons = list(self._reasons.values())
            self._add(translate, self._target, self._source, reasons[:1])
        for part, target in parts:
            source = self._source_parts.get(part, self._source)
            reasons = [self._reasons[k] for k in (part, None) if k in self._reasons]
            self._add(translate, target, source, reasons)

    def _add(self, translate: bool, target: Span, source: Span, reasons: list[str]) -> None:
        reasons = [reason for reason in reasons if reason in self._leave]
        if target.start >= target.end:
            self._segments.add(target, source, self._language)
        elif not translate:
            self._segments.leave(NOT_TRANSLATED, self._language)
        elif reasons:
            self._segments.leave(reasons[0], self._language)
        else:
            self._segments.add(target, source, self._language)


class Xliff2Reader(_XliffReader):
    """XLIFF 2.0 to 2.2."""

    _holder = _SEGMENT

    def __init__(self, file: XmlFile, root: str, attributes: dict[str, str]) -> None:
        super().__init__(file, _NAMES_2, root, attributes)
        self._set_languages(attributes.get("srcLang", ""), attributes.get("trgLang", ""))
        self._reason = ""

    def _start(self, code: int, parent: int, depth: int, tag: Tag) -> None:
        """Handle any other start tag but those of sources."""
        if code == _SEGMENT:
            self._source = self._target = NO_SPAN
            self._reason = FINAL if self._is_final(tag) else ""
            if _is_locked(self._marks(tag)):
                self._reason = LOCKED

    def _end(self, code: int, parent: int, depth: int, position: int) -> None:
        """Handle an end tag at `position`, of anything but sources and targets."""
        if code == _SEGMENT and parent == _UNIT:
            if self._target.start >= self._target.end:
                self._segments.add(self._target, self._source, self._language)
            elif not self._translate[-1]:
                self._segments.leave(NOT_TRANSLATED, self._language)
            elif self._reason in self._leave:
                self._segments.leave(self._reason, self._language)
            else:
                self._segments.add(self._target, self._source, self._language)


def _is_locked(attributes: Mapping[str, str]) -> bool:
    return any(
        name.rpartition(" ")[2] == "locked" and value.strip().lower() in _YES
        for name, value in attributes.items()
    )


def xliff_reader(file: XmlFile, root: str, attributes: dict[str, str]) -> TagReader:
    """The reader of the version that the element ``xliff`` names."""
    version = attributes.get("version", "").strip()
    # There are files without a version, which was not always asked for.
    is_second = version.startswith("2.") or (not version and "srcLang" in attributes)
    if version.startswith("1.") or not (version or is_second):
        return Xliff1Reader(file, root, attributes)
    if is_second:
        return Xliff2Reader(file, root, attributes)
    raise file.error(f"XLIFF version {version[:20]!r}: expected 1.0 to 1.2 or 2.0 to 2.2")


_EXTENSIONS = (".xlf", ".xliff", ".sdlxliff", ".mxliff", ".mqxliff")
XLIFF = xml_format("xliff", "XLIFF", _EXTENSIONS, "xliff", xliff_reader)
