"""Puts titles in BibTeX (also BibLaTeX), CSL-JSON, RIS and headings of Markdown into sentence case.

The grammar is that of BibTeX 0.99d: text outside of entries does not belong to the bibliography,
and braces count even behind a backslash. As in biber, ``%`` begins a comment outside of values.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from truecase.base.argument_types import check_arguments
from truecase.base.compression import write_file
from truecase.base.read import display_name, read_whole
from truecase.errors import FormatError, TruecaseError
from truecase.formats.format import Format, ReadOptions, charset_of_text, format_by_extension
from truecase.formats.json_text import JsonObject, JsonReader, JsonString, json_pieces, member_text
from truecase.formats.languages import language_of_path, language_said
from truecase.formats.lines import Flow
from truecase.formats.prose import read_markdown
from truecase.formats.segments import Piece, Splice, plain, splice, spliced, text_of
from truecase.kernels.text import primary
from truecase.model.embedded import language_code
from truecase.options import AfterColon, StrPath
from truecase.truecaser import Truecaser
from truecase.truecaser.title_markup import closing_signs, with_braces

if TYPE_CHECKING:
    from truecase.truecaser.sentence_case import CasedTitle


# Titles of works, not names of journals, series and events.
_TITLES = {"title", "booktitle", "shorttitle", "subtitle"}
# Entries that are journals, whose titles are their names.
_JOURNALS = {"periodical"}
_LANGUAGE_FIELDS = ("langid", "language")

_NAME = r"[^\s\"#%'(),={}\x00-\x1f]+"
# Kinds of entries have no @: in a row of them each would be the beginning of a long name.
_KIND = _NAME.replace("[^", "[^@")
_ENTRY = re.compile(rf"%[^\n]*|@\s*({_KIND})\s*([{{(])")
# A comment takes its end of line, or there would be many ways to read one.
_WHITE = re.compile(r"(?:\s|%[^\n]*(?:\n|\Z))*")
_FIELD = re.compile(rf"({_NAME}){_WHITE.pattern}=")
_KEY = re.compile(r"[^,={}\"#]*")
_KEY_IN_PARENTHESES = re.compile(r"[^,={}\"#()]*")
_BRACE = re.compile(r"(?P<opens>\{)|(?P<closes>\})")
_BRACE_OR_QUOTE = re.compile(r"[{}\"]")
_MACRO = re.compile(_NAME)
_CLOSING = {"{": "}", "(": ")"}

# Braces round the braces round a title; more of them are no way to write one.
_MAX_GROUPS = 20


def read_bibtex(name: str, data: bytes, options: ReadOptions) -> Bibliography:
    """Find the titles of a file: the text between braces or quotes, without a group around it."""
    return _Reader(name, data).read()


class _Reader:
    def __init__(self, name: str, data: bytes) -> None:
        self._name = name
        self._data = data
        self._text = data.decode("utf-8")
        self._at = 0
        # A place in the text, and the byte there; places come in order.
        self._known = (0, 0)
        self._found = Bibliography([])
        self._ends = closing_signs(_BRACE, self._text)

    def read(self) -> Bibliography:
        """Go through the entries."""
        n_joined = 0
        while (entry := _ENTRY.search(self._text, self._at)) is not None:
            self._at = entry.end()
            if entry[1] is None:
                continue
            kind, opened = entry[1].lower(), entry[2]
            if kind == "comment":
                # Without braces, this is only a word.
                if opened == "{":
                    self._at = self._ends.get(self._at, self._at - 1) + 1
            elif kind == "preamble":
                self._value()
                if not self._take(_CLOSING[opened]):
                    raise self._error("the entry that begins here does not end", entry.start())
            else:
                n_joined += self._entry(entry.start(), kind, opened)
        return self._found._replace(n_joined=n_joined)

    def _entry(self, start: int, kind: str, opened: str) -> int:
        """Read an entry, and return how many of its titles are joined."""
        closing = _CLOSING[opened]
        if kind != "string":
            key = (_KEY if opened == "{" else _KEY_IN_PARENTHESES).match(self._text, self._at)
            assert key is not None
            self._at = key.end()
            if not self._take(",") and not self._text.startswith(closing, self._at):
                raise self._error("expected a comma after the key of the entry", start)
        titles: list[tuple[int, int]] = []
        n_joined = 0
        languages: dict[str, str] = {}
        while not self._take(closing):
            field = _FIELD.match(self._text, self._at)
            if field is None:
                if self._at >= len(self._text):
                    raise self._error("the entry that begins here does not end", start)
                raise self._error("expected a field, as in title = {...}, or the end of the entry")
            self._at = field.end()
            named = field[1].lower()
            span = self._value()
            is_title = named in _TITLES and kind != "string"
            if is_title and not (named == "title" and kind in _JOURNALS):
                if span is None:
                    n_joined += 1
                else:
                    titles.append(span)
            elif named in _LANGUAGE_FIELDS and span is not None:
                languages[named] = self._text[slice(*span)]
            if not self._take(",") and self._text[self._at : self._at + 1] not in ("", closing):
                raise self._error(
                    f"expected a comma after the field {field[1]}, or the end of the entry"
                )
        language = next((languages[n] for n in _LANGUAGE_FIELDS if n in languages), "")
        for span in titles:
            start, end = (self._byte(place) for place in self._within_group(*span))
            title = Title([plain(self._data, start, end)], language_code(language))
            self._found.titles.append(title)
        return n_joined

    def _value(self) -> tuple[int, int] | None:
        """Read a value; return the span of a single string, None for macros and joined strings."""
        spans = [self._string()]
        while self._take("#"):
            spans.append(self._string())
        return spans[0] if len(spans) == 1 else None

    def _string(self) -> tuple[int, int] | None:
        if self._take("{"):
            start, end = self._at, self._ends.get(self._at, -1)
        elif self._take('"'):
            start, end = self._at, self._closing_quote(self._at)
        else:
            macro = _MACRO.match(self._text, self._at)
            if macro is None:
                raise self._error("expected a value in braces or quotation marks, or a name")
            self._at = macro.end()
            return None
        if end < 0:
            raise self._error("the value that begins here does not end", start - 1)
        self._at = end + 1
        return start, end

    def _closing_quote(self, at: int) -> int:
        """Where a string ends; -1 if it does not. Groups in it hide quotation marks."""
        while (sign := _BRACE_OR_QUOTE.search(self._text, at)) is not None:
            if sign[0] == '"':
                return sign.start()
            at = self._ends.get(sign.end(), -1) + 1
            if at == 0:
                break
        return -1

    def _within_group(self, start: int, end: int) -> tuple[int, int]:
        """A title without braces around all of it.

        One word in braces is a name, and a group that begins with a backslash is a command.
        """
        for _ in range(_MAX_GROUPS):
            text = self._text[start:end]
            low = start + len(text) - len(text.lstrip())
            high = start + len(text.rstrip())
            if not self._text.startswith("{", low) or self._ends.get(low + 1) != high - 1:
                return start, end
            inner = self._text[low + 1 : high - 1]
            if inner.lstrip().startswith("\\") or len(inner.split()) < 2:
                return start, end
            start, end = low + 1, high - 1
        return start, end

    def _take(self, sign: str) -> bool:
        """Pass white space, and the sign if it is behind that; whether it is."""
        white = _WHITE.match(self._text, self._at)
        assert white is not None
        is_there = self._text.startswith(sign, white.end())
        self._at = white.end() + is_there
        return is_there

    def _byte(self, place: int) -> int:
        known, at = self._known
        at += len(self._text[known:place].encode("utf-8"))
        self._known = (place, at)
        return at

    def _error(self, what: str, place: int | None = None) -> FormatError:
        line = self._text.count("\n", 0, self._at if place is None else place) + 1
        return FormatError(f"{self._name}: line {line}: broken BibTeX: {what}")


# CSL-JSON.

_CSL_TITLES = ("title", "title-short")
_CONTAINER = "container-title"
# What is part of a book; the container of all else is a journal, a site or a series, with a name.
_PARTS_OF_BOOKS = {"chapter", "paper-conference", "entry", "entry-dictionary", "entry-encyclopedia"}


def read_csl(name: str, data: bytes, options: ReadOptions) -> Bibliography:
    """Find the titles of a file: a list of entries, one entry, or ``{"items": [...]}``."""
    value = JsonReader(name, data).only()
    if isinstance(value, JsonObject) and isinstance(value.get("items"), list):
        value = value.get("items")
    entries = value if isinstance(value, list) else [value]
    titles: list[Title] = []
    n_entries = 0
    for entry in entries:
        if isinstance(entry, JsonObject) and all(
            isinstance(entry.get(key), JsonString) for key in ("type", "title")
        ):
            n_entries += 1
            titles += _titles_of(data, entry)
    if entries and not n_entries:
        raise FormatError(f"{name}: line 1: not CSL-JSON: no entry has a type and a title")
    titles.sort(key=lambda title: title.pieces[0].start)
    return Bibliography(titles)


def _titles_of(data: bytes, entry: JsonObject) -> list[Title]:
    kind = member_text(data, entry, "type")
    keys = [] if kind in _JOURNALS else list(_CSL_TITLES)
    if kind in _PARTS_OF_BOOKS:
        keys.append(_CONTAINER)
    language = language_code(member_text(data, entry, "language"))
    texts = (value for key in keys if isinstance(value := entry.get(key), JsonString))
    return [Title(pieces, language) for text in texts if (pieces := json_pieces(data, *text))]


def read_titles_of_markdown(name: str, data: bytes, options: ReadOptions) -> Bibliography:
    """Find the headings of a file."""
    units = read_markdown(name, data, options, headings_only=True)
    headings = [units.pieces(i) for i in range(len(units))]
    by_path = language_of_path(name, "\n".join(map(text_of, headings)))
    said = language_code(language_said("markdown", data) or by_path or "")
    return Bibliography([Title(heading, said) for heading in headings])


# Lines of RIS, PubMed and EndNote. Indented lines continue a title.
_RIS = re.compile(
    rb"^(?:\xef\xbb\xbf)?(?:(?P<title>TI|T1|ST|BT|CT|%T)|(?P<language>LA|%G)|TY|PMID|%0)"
    rb"[ \t]*-?[ \t]+(?P<text>\S[^\r\n]*(?:\r?\n {6}\S[^\r\n]*)*)",
    re.MULTILINE,
)


def read_ris(name: str, data: bytes, options: ReadOptions) -> Bibliography:
    """Find the titles of a file: lines behind ``TI  -``, ``TI -`` or ``%T``."""
    titles: list[Title] = []
    entry: list[list[Piece]] = []
    language = ""
    for line in [*_RIS.finditer(data), None]:
        if line is None or not (line["title"] or line["language"]):
            # The language may stand before the titles or behind them.
            titles += [Title(pieces, language) for pieces in entry]
            entry, language = [], ""
        elif line["title"]:
            entry.append([plain(data, *line.span("text"))])
        else:
            language = language_code(line["text"].decode("utf-8").strip())
    return Bibliography(titles)


class Title(NamedTuple):
    """A title, and the code of the language that its entry names; empty if it names none."""

    pieces: Sequence[Piece]
    language: str


class Bibliography(NamedTuple):
    """The titles of a file, in order, and the number of titles that ``#`` joins, which stay."""

    titles: list[Title]
    n_joined: int = 0


_FORMATS = (
    Format("bibtex", "BibTeX", (".bib", ".bibtex", ".biblatex"), None, read_bibtex),
    Format("csl", "CSL-JSON", (".json",), None, read_csl),
    Format("ris", "RIS", (".ris", ".nbib", ".enw"), None, read_ris),
    Format("markdown", "Markdown", (".md", ".markdown"), None, read_titles_of_markdown),
)
BIBLIOGRAPHIES = {known.name: known for known in _FORMATS}


class TitleSummary(NamedTuple):
    """The titles of a bibliography in numbers.

    Attributes
    ----------
    n_titles, n_changed : int
        Titles that were cased, and how many of them changed.
    n_other_language, n_joined : int
        Titles that were left alone: their entry is in another language than the model, or ``#``
        joins them.
    """

    n_titles: int
    n_changed: int
    n_other_language: int
    n_joined: int


def bibliography_format(name: str) -> str | None:
    """A file's format by its name: a key of `BIBLIOGRAPHIES`, or None."""
    return format_by_extension(name, BIBLIOGRAPHIES)


class TitleCaser:
    """Cases the titles of one bibliography; `case_bibliography` describes the parameters."""

    def __init__(
        self,
        data: bytes,
        name: str,
        format: str,
        truecaser: Truecaser,
        after_colon: AfterColon = "capital",
        braces: bool = False,
        encoding: str | None = None,
    ) -> None:
        if format not in BIBLIOGRAPHIES:
            raise TruecaseError(f"format {format!r}: expected {', '.join(BIBLIOGRAPHIES)}")
        read = BIBLIOGRAPHIES[format].read
        assert read is not None
        if braces and format != "bibtex":
            raise TruecaseError(f"braces: titles of {BIBLIOGRAPHIES[format].title} have none")
        self._charset = charset_of_text(data, name, encoding)
        self._data = self._charset.decode(data, name)
        found: Bibliography = read(name, self._data, ReadOptions())
        language = primary(truecaser.model.text.language)
        titles = [
            title for title in found.titles if not language or title.language in ("", language)
        ]
        flows = [Flow(title.pieces) for title in titles]
        from truecase.truecaser.sentence_case import UNSEEN_IN_HEADINGS, SentenceCaser

        unseen = UNSEEN_IN_HEADINGS if format == "markdown" else None
        caser = SentenceCaser(truecaser, after_colon, unseen_threshold=unseen)
        cased = caser.titles(flow.line for flow in flows)
        self._splices: list[Splice] = []
        n_changed = 0
        for title, flow, one in zip(titles, flows, cased, strict=True):
            splices = _splices(title, flow, one, braces, self._charset.can_write)
            self._splices += splices
            n_changed += bool(splices)
        n_other = len(found.titles) - len(titles)
        self.summary = TitleSummary(len(titles), n_changed, n_other, found.n_joined)

    def output(self) -> Iterator[bytes | memoryview]:
        """The bytes of the file with its titles cased, in pieces."""
        return self._charset.encode(spliced(self._data, self._splices))


def _splices(
    title: Title, flow: Flow, one: CasedTitle, braces: bool, can_write: Callable[[str], bool] | None
) -> list[Splice]:
    changed = flow.changed(flow.cased(one.text), can_write)
    if not (braces and one.protected):
        return [splice(piece, text) for piece, text in changed]
    # A title of BibTeX is one piece.
    piece = title.pieces[0]
    text = changed[0][1] if changed else piece.text
    return [splice(piece, with_braces(text, one.protected))]


def case_bibliography(
    path: StrPath,
    output: StrPath,
    truecaser: Truecaser | None = None,
    *,
    format: str | None = None,
    encoding: str | None = None,
    after_colon: AfterColon = "capital",
    braces: bool = False,
) -> TitleSummary:
    """Put the titles of a bibliography into sentence case.

    Parameters
    ----------
    path : path-like
        The file, plain or compressed.
    output : path-like
        The new file, which may be `path`. It is written completely or not at all.
    truecaser : Truecaser, optional
        The embedded English model by default.
    format : {"bibtex", "csl", "ris", "markdown"}, optional
        By default by the name: ``.bib``; ``.json``; ``.ris``, ``.nbib`` or ``.enw``; ``.md``.
    encoding : str, optional
        The file's character set; by default as a byte order mark says, or UTF-8.
    after_colon : {"capital", "lower"}
        Whether the first word after a colon has a capital.
    braces : bool
        In BibTeX, put braces around words that must keep their case; otherwise only case changes.

    Returns
    -------
    TitleSummary

    Raises
    ------
    FormatError
        The file is broken; the message names the line.
    TruecaseError
        The name does not show the format, or `braces` is set for a format without braces.
    OSError
        A file cannot be read or written.
    """
    check_arguments(case_bibliography, locals())
    name = display_name(path)
    kind = format or bibliography_format(name)
    if kind is None:
        raise TruecaseError(
            f"{name}: the name does not show the format: give bibtex, csl, ris or markdown"
        )
    data = read_whole(path)
    model = truecaser or Truecaser.load()
    caser = TitleCaser(data, name, kind, model, after_colon, braces, encoding)
    with write_file(output) as written:
        written.writelines(caser.output())
    return caser.summary
