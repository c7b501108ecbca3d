"""Makes pages that show the least certain words of a file, and corrects files."""

from __future__ import annotations

import heapq
import itertools
import os
import re
from collections import deque
from collections.abc import Iterable, Iterator
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from truecase.base.atomic import atomic_write
from truecase.base.progress import Progress
from truecase.base.read import display_name, open_bytes
from truecase.errors import ReviewError
from truecase.evaluation.pages import review_page
from truecase.formats.case_file import other_language
from truecase.formats.corrections import (
    Corrections,
    Corrector,
    Digests,
    ReviewSettings,
    read_corrections,
)
from truecase.formats.file_caser import CasesBlocks, FileCaser, Summary, takes_source
from truecase.formats.format import Document, ReadOptions
from truecase.formats.lines import Flow, SegmentLines
from truecase.formats.registry import read_document
from truecase.formats.segments import Languages
from truecase.kernels._unicode import fold, tag
from truecase.options import InputCase, StrPath

if TYPE_CHECKING:
    from truecase.evaluation.words import WordPosterior
    from truecase.truecaser import Truecaser

#: Words on a page, by default.
N_WORDS = 100_000


def review_file(
    path: StrPath,
    output: StrPath,
    model: Truecaser | None = None,
    settings: ReviewSettings | None = None,
    *,
    n_words: int = N_WORDS,
) -> int:
    """Write a page that shows the model's least certain words.

    Parameters
    ----------
    path : path-like
        Plain text, or any file that `truecase.case_file` takes, plain or compressed.
    output : path-like
        The page, HTML that needs no other file.
    model : Truecaser, optional
        The model that `settings` name, by default.
    settings : ReviewSettings, optional
        How the text is cased.
    n_words : int
        Words on the page, at most.

    Returns
    -------
    int
        Words on the page.

    Raises
    ------
    FormatError
        The file is broken, or has another format.
    ReviewError
        The file has no word.
    OSError
        A file cannot be read or written.
    """
    settings = settings or ReviewSettings()
    document = _read(path, settings)
    page, n_places = page_of(document, model or loaded(settings), settings, n_words)
    with atomic_write(output) as written:
        written.write(page)
    return n_places


def apply_corrections(
    path: StrPath,
    corrections: StrPath,
    output: StrPath,
    model: Truecaser | None = None,
    *,
    threads: int = 1,
) -> Summary:
    """Case a file as for its page, and correct it.

    Parameters
    ----------
    path : path-like
        The file that was reviewed, or the same text in any other case.
    corrections : path-like
        The file that the page has saved.
    output : path-like
        The corrected file, which may be `path`. It is written completely or not at all.
    model : Truecaser, optional
        The model that the corrections name, by default.
    threads : int

    Returns
    -------
    Summary

    Raises
    ------
    ReviewError
        The corrections are broken, or belong to another text, or the model cases the text in
        another way than for its page.
    FormatError
        The file is broken, or has another format.
    OSError
        A file cannot be read or written.
    """
    given = read_corrections(corrections)
    document = _read(path, given.settings)
    corrected = CorrectedFile(document, given, model or loaded(given.settings))
    output_bytes = corrected.output(threads)
    with atomic_write(output) as written:
        written.write(output_bytes)
    return corrected.summary


def _read(path: StrPath, settings: ReviewSettings) -> Document:
    name = os.fspath(path)
    with open_bytes(name) as file:
        return read_reviewed(file.read(), display_name(name), settings)


def loaded(settings: ReviewSettings) -> Truecaser:
    """Load the model that settings name."""
    from truecase.truecaser import Truecaser

    return Truecaser.load(
        settings.model,
        decode_with=settings.decode_with,
        names=settings.names or None,
        after_colon=settings.after_colon,
        offices=settings.offices,
    )


def read_reviewed(
    data: bytes, name: str, settings: ReviewSettings, progress: Progress | None = None
) -> Document:
    """Read a file, as plain text if no other format fits."""
    return read_document(
        data,
        name,
        settings.format,
        ReadOptions(
            Languages(settings.source_language, settings.target_language),
            field=settings.field,
            context=settings.context,
            progress=progress or Progress(enabled=False),
        ),
        settings.encoding,
        "text",
    )


def page_of(
    document: Document,
    model: Truecaser,
    settings: ReviewSettings,
    n_words: int = N_WORDS,
    progress: Progress | None = None,
) -> tuple[bytes, int]:
    """The page of a document, and how many words are on it.

    Raises ReviewError if the document has no word, or if the model has another language and the
    settings name none.
    """
    other = other_language(model, document)
    if other is not None and settings.target_language is None:
        raise ReviewError(
            f"{document.name}: {other}: give another model, or the language that is to be cased"
        )
    segments = cased_segments(document, model, settings, progress)
    data = page_data(document, segments, settings, model.language, n_words)
    n_places = len(data["start"])
    if n_places == 0:
        raise ReviewError(f"{document.name}: there is no word in it that could be cased")
    return review_page(data).encode("utf-8"), n_places


class CorrectedFile:
    """A document as the model cases it, corrected; `output` completes its `summary`."""

    def __init__(self, document: Document, corrections: Corrections, model: Truecaser) -> None:
        settings = corrections.settings
        self._n_segments = len(document.segments)
        self._corrector = Corrector(corrections, model.language)
        cases: CasesBlocks = _AsItIs() if settings.keep_case else model
        self._caser = FileCaser(
            document,
            cases,
            settings.input_case,
            None if settings.keep_case else settings.sentence_start,
            self._corrector,
        )
        self.summary = self._caser.summary

    def output(self, threads: int = 1, progress: Progress | None = None) -> bytes:
        """The bytes of the file; raises ReviewError if the text or the model has changed."""
        output = b"".join(self._caser.output(threads, progress))
        self._corrector.check(self._n_segments)
        return output


class _AsItIs:
    """Leaves text as it is."""

    def case_block(self, block: bytes, threads: int = 1, input_case: InputCase = "ignore") -> bytes:
        return block


class Place(NamedTuple):
    """A word: its characters in its segment, its form in the output, and how certain that is."""

    start: int
    end: int
    text: str
    certainty: float
    # The other candidates and their probabilities, the most probable first.
    forms: tuple[tuple[str, float], ...]


class CasedSegment(NamedTuple):
    """A segment's number, its cased text, and its words that have case."""

    number: int
    text: str
    places: list[Place]


def cased_segments(
    document: Document, model: Truecaser, settings: ReviewSettings, progress: Progress | None = None
) -> Iterator[CasedSegment]:
    """Case the segments of a document, with the certainty of each word."""
    lines = SegmentLines(document, takes_source(model))
    progress = progress or Progress(enabled=False)
    position = 0
    for block in lines.blocks():
        given = lines.of(block)
        words = [
            word
            for line in model.posteriors(
                given.lines,
                input_case=settings.input_case,
                source=given.sources,
                sentence_start=settings.sentence_start,
            )
            for word in line
        ]
        cased = given.lines if settings.keep_case else "".join(_with_words(given.lines, words))
        found = _of_flows(given.flows, words)
        for number, (flow, text), places in zip(block, given.cut(cased), found, strict=True):
            if settings.keep_case:
                places = [_as_it_is(place, text) for place in places]
            yield CasedSegment(
                number, text, [p for p in places if tag(p.text, model.language) != "AN"]
            )
            progress.add_words(len(flow.text.split()))
        end = document.segments.target_end[block[-1]]
        progress.add_bytes(max(0, end - position))
        position = max(position, end)
    progress.add_bytes(len(document.data) - position)


def _with_words(lines: str, words: Iterable[WordPosterior]) -> Iterator[str]:
    done = 0
    for word in words:
        yield lines[done : word.start]
        yield word.text
        done = word.end
    yield lines[done:]


def _of_flows(flows: Iterable[Flow], words: list[WordPosterior]) -> Iterator[list[Place]]:
    """The words of each text, but for words with characters that the model did not see."""
    i = base = 0
    for flow in flows:
        end = base + len(flow.line)
        places = []
        while i < len(words) and words[i].start < end:
            word = words[i]
            i += 1
            span = flow.span(word.start - base, word.end - base)
            if span is not None and span[1] - span[0] == len(word.text):
                forms = tuple([(one.text, one.posterior) for one in word.candidates[1:]])
                places.append(Place(*span, word.text, word.posterior, forms))
        yield places
        base = end + 1


def _as_it_is(place: Place, text: str) -> Place:
    """The word with its input case, even if that form was not a candidate."""
    given = text[place.start : place.end]
    if given == place.text:
        return place
    forms = [(place.text, place.certainty), *place.forms]
    certainty = sum(posterior for form, posterior in forms if form == given)
    others = tuple([form for form in forms if form[0] != given])
    return Place(place.start, place.end, given, certainty, others)


# A context ends at the first word behind this number of characters.
_CONTEXT = 600
# The page has certainties in millionths.
_SURE = 1_000_000
# Other forms of a word, at most.
_MOST_FORMS = 6

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def page_data(
    document: Document,
    segments: Iterable[CasedSegment],
    settings: ReviewSettings,
    language: str,
    n_words: int,
) -> dict[str, Any]:
    """Gather the `n_words` least certain words of a document, in columns for the page's script.

    By context, ``texts``, ``segment``, ``line`` and ``base`` have its text, its segment, the line
    of the segment, and how many characters of the segment precede it. By word, ``text``,
    ``start``, ``group``, ``form``, ``certainty`` and ``others`` have its context, its start there
    in units of UTF-16, the indexes of its letters in ``groups`` and of its form in ``forms``, its
    certainty in millionths, and, flat, its other forms with their probabilities.
    """
    digests = Digests()
    n_seen = 0

    def words() -> Iterator[tuple[float, int, int, Place, str]]:
        nonlocal n_seen
        for number, text, places in segments:
            digests.add(number, text)
            n_seen += len(places)
            for place in places:
                yield place.certainty, number, place.start, place, text

    kept = sorted(heapq.nsmallest(n_words, words()), key=itemgetter(1, 2))
    columns = _Columns(document)
    for number, found in itertools.groupby(kept, itemgetter(1)):
        rows = list(found)
        columns.add(number, rows[0][4], [row[3] for row in rows])
    return {
        "of": document.name,
        "format": document.format,
        "line_name": "Line" if document.kind.line_end == b"\n" else "Paragraph",
        "language": language,
        "settings": settings.to_json(),
        "letters": digests.letters,
        "cased": digests.cased,
        "words": n_seen,
        **columns.data,
    }


class _Columns:
    """The columns of a page's data."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._position, self._line = 0, 1
        self._forms: dict[str, int] = {}
        self._groups: dict[str, int] = {}
        names = (
            "texts segment line base forms groups text start group form certainty others".split()
        )
        self.data: dict[str, list[Any]] = {name: [] for name in names}

    def add(self, number: int, text: str, places: list[Place]) -> None:
        """Add a segment and its words."""
        line = self._line_of(number)
        starts = _context_starts(text, places)
        left = deque(places)
        for start, end in itertools.pairwise([*starts, len(text)]):
            self._append(texts=_writable(text[start:end]), segment=number, line=line, base=start)
            while left and left[0].start < end:
                self._add_place(left.popleft(), text, start)

    def _append(self, **values: Any) -> None:
        for name, value in values.items():
            self.data[name].append(value)

    def _line_of(self, number: int) -> int:
        start = self._document.segments.target_start[number]
        if start < self._position:
            self._position, self._line = 0, 1
        self._line += self._document.line_of(self._position, start)
        self._position = start
        return self._line

    def _add_place(self, place: Place, text: str, base: int) -> None:
        others: list[int] = []
        for form, posterior in place.forms[:_MOST_FORMS]:
            others += [self._number(self._forms, "forms", form), round(_SURE * posterior)]
        self._append(
            text=len(self.data["texts"]) - 1,
            start=len(text[base : place.start].encode("utf-16-le", "surrogatepass")) // 2,
            group=self._number(self._groups, "groups", fold(place.text)),
            form=self._number(self._forms, "forms", place.text),
            certainty=round(_SURE * place.certainty),
            others=others or 0,
        )

    def _number(self, known: dict[str, int], name: str, value: str) -> int:
        if value not in known:
            known[value] = len(known)
            self.data[name].append(_writable(value))
        return known[value]


def _context_starts(text: str, places: list[Place]) -> list[int]:
    """Where contexts begin: at the beginning of the text, and at words of a long one."""
    starts = [0]
    for place in places:
        if place.start - starts[-1] >= _CONTEXT and len(text) - place.start > _CONTEXT // 4:
            starts.append(place.start)
    return starts


def _writable(text: str) -> str:
    """A text in which lone surrogates are U+FFFD, which has the same length."""
    return text if text.isascii() else _LONE_SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)
