"""Puts the titles of a bibliography into sentence case, and back where they were."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from truecase.bibliographies.bibtex import read_bibtex
from truecase.bibliographies.csl import read_csl
from truecase.bibliographies.titles import Bibliography, Title
from truecase.errors import TruecaseError
from truecase.files.atomic import atomic_write
from truecase.files.read import display_name, open_bytes
from truecase.formats.charset import Charset, charset_of_text
from truecase.formats.flow import Flow, Splice, splice
from truecase.formats.protect import Protected
from truecase.options import AfterColon
from truecase.text.language_tags import primary
from truecase.titles.braces import with_braces
from truecase.titles.sentence_case import CasedTitle, SentenceCaser
from truecase.truecaser import Truecaser

BIBTEX, CSL = "bibtex", "csl"

#: For people, by the names of ``--format``.
BIBLIOGRAPHIES = {BIBTEX: "BibTeX", CSL: "CSL-JSON"}

_READERS: dict[str, Callable[[str, bytes], Bibliography]] = {BIBTEX: read_bibtex, CSL: read_csl}
_EXTENSIONS = {".bib": BIBTEX, ".json": CSL}
_COMPRESSED = re.compile(r"\.(?:gz|xz|bz2|zst)$")


class TitleSummary(NamedTuple):
    """What was done to a bibliography.

    Attributes
    ----------
    n_titles, n_changed : int
        Titles that were cased, and those of them that changed.
    n_other_language, n_joined : int
        Titles that were left alone, since their entry is in another language than the model, or
        since they are put together with ``#``.
    """

    n_titles: int
    n_changed: int
    n_other_language: int
    n_joined: int


def bibliography_format(name: str) -> str | None:
    """What a file is by its name: ``bibtex``, ``csl``, or None."""
    _, extension = os.path.splitext(_COMPRESSED.sub("", name.lower()))
    return _EXTENSIONS.get(extension)


class TitleCaser:
    """Cases the titles of one bibliography.

    Parameters
    ----------
    data : bytes
        The whole file.
    name : str
        For messages.
    format : {"bibtex", "csl"}
    truecaser : Truecaser
    after_colon : {"capital", "lower"}
    braces : bool
        Put braces round words that must keep their case; of BibTeX only.
    encoding : str, optional
        How the characters are written; by default as a byte order mark says, or UTF-8.

    Attributes
    ----------
    summary : TitleSummary

    Raises
    ------
    FormatError
        The file is broken; the message names the line.
    TruecaseError
        `braces` with CSL-JSON, or an option that is none.
    """

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
        if format not in _READERS:
            raise TruecaseError(f"format {format!r}: expected {' or '.join(_READERS)}")
        if braces and format == CSL:
            raise TruecaseError("braces: titles of CSL-JSON have none")
        self._charset = charset_of_text(data, name, encoding)
        self._data = self._charset.decode(data, name)
        found = _READERS[format](name, self._data)
        language = primary(str(truecaser.about().get("language", "")))
        titles = [
            title for title in found.titles if not language or title.language in ("", language)
        ]
        flows = [Flow(title.pieces, _nothing) for title in titles]
        caser = SentenceCaser(truecaser, after_colon)
        cased = caser.titles(flow.line for flow in flows)
        self._splices: list[Splice] = []
        n_changed = 0
        for title, flow, one in zip(titles, flows, cased, strict=True):
            splices = _splices(title, flow, one, braces, self._charset)
            self._splices += splices
            n_changed += bool(splices)
        n_other = len(found.titles) - len(titles)
        self.summary = TitleSummary(len(titles), n_changed, n_other, found.n_joined)

    def output(self) -> Iterator[bytes | memoryview]:
        """The bytes of the file with its titles cased, in pieces."""
        return self._charset.encode(self._spliced())

    def _spliced(self) -> Iterator[bytes]:
        position = 0
        for start, end, data in self._splices:
            yield self._data[position:start] + data
            position = end
        yield self._data[position:]


def _nothing(text: str) -> list[Protected]:
    return []


def _splices(
    title: Title, flow: Flow, one: CasedTitle, braces: bool, charset: Charset
) -> list[Splice]:
    cased = flow.cased(one.text)
    can_write = None if charset.name.startswith("utf-") else charset.has
    changed = flow.changed(cased, can_write)
    if not (braces and one.protected):
        return [splice(piece, text) for piece, text in changed]
    # A title of BibTeX is one piece.
    piece = title.pieces[0]
    text = changed[0][1] if changed else piece.text
    return [splice(piece, with_braces(text, one.protected))]


def case_bibliography(
    path: str | os.PathLike[str],
    output: str | os.PathLike[str],
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
        Where to write it; may be `path`. It appears whole or not at all.
    truecaser : Truecaser, optional
        The model; the embedded English one if not given.
    format : {"bibtex", "csl"}, optional
        By default what the name says: ``.bib`` or ``.json``.
    encoding : str, optional
        How the characters are written; by default as a byte order mark says, or UTF-8.
    after_colon : {"capital", "lower"}
        Whether the first word after a colon has a capital.
    braces : bool
        In BibTeX, put braces round words that must keep their case. Without it only case changes.

    Returns
    -------
    TitleSummary

    Raises
    ------
    FormatError
        The file is broken; the message names the line.
    TruecaseError
        The name does not tell the format, or `braces` is asked for in CSL-JSON.
    OSError
        A file cannot be read or written.
    """
    name = display_name(os.fspath(path))
    kind = format or bibliography_format(name)
    if kind is None:
        raise TruecaseError(f"{name}: its name does not tell its format: give bibtex or csl")
    with open_bytes(os.fspath(path)) as file:
        data = file.read()
    model = truecaser or Truecaser.load()
    caser = TitleCaser(data, name, kind, model, after_colon, braces, encoding)
    with atomic_write(output) as written:
        for piece in caser.output():
            written.write(piece)
    return caser.summary
