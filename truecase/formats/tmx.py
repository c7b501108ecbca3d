"""Translation memories: TMX 1.1 to 1.4.

A unit ``tu`` has one variant ``tuv`` for each language, in any order, with its text in ``seg``. The
file does not say which language is the target.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Container, Iterable

from truecase.errors import FormatError
from truecase.formats.segments import Languages, Segments, Span
from truecase.formats.xml_file import XML_LANG, Tag, XmlFile, xml_format
from truecase.kernels.text import listed, matches, normal, primary

_UNIT, _VARIANT, _SEGMENT, _HEADER = range(1, 5)
# Start tags of variants whose languages are remembered.
_KNOWN_TAGS = 1000
_NAMES = {"tu": _UNIT, "tuv": _VARIANT, "seg": _SEGMENT, "header": _HEADER}


class _Reader:
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
        codes = {self._file.namespace + name: code for name, code in _NAMES.items()}
        for tag in self._file.tags(codes, (_SEGMENT,)):
            code, depth, start, end, given = tag
            if segment_depth:
                if code == -_SEGMENT and depth == segment_depth:
                    segment_depth = 0
                    self._unit.append(n_units)
                    self._start.append(segment_start)
                    self._end.append(start)
                    self._languages.append(language)
                    language = -1
            elif code == _VARIANT:
                number = None if given is not None else number_of.get(data[start:end])
                language = self._language_of(tag) if number is None else number
            elif code == _SEGMENT and language >= 0:
                segment_depth, segment_start = depth, end
            elif code == _UNIT:
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
                f"{self._file.name}: has segments in {listed(self._numbers)}: which of them is the "
                "target language?"
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


TMX = xml_format("tmx", "TMX", (".tmx",), "tmx", lambda file: _Reader(file).read())
