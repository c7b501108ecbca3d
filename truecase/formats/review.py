"""Makes pages that show the least certain words of a file, and corrects files."""

from __future__ import annotations

import dataclasses
import hashlib
import heapq
import itertools
import json
import os
import re
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from truecase.base.argument_types import check_arguments
from truecase.base.compression import write_file
from truecase.base.progress import Progress
from truecase.base.read import display_name, read_whole
from truecase.errors import ReviewError, TruecaseError, named
from truecase.evaluation.pages import review_page
from truecase.formats import file_caser
from truecase.formats.format import Document, ReadOptions
from truecase.formats.languages import Languages
from truecase.formats.lines import Flow, SegmentLines, with_labels
from truecase.formats.registry import read_document
from truecase.formats.segments import PLAIN
from truecase.kernels._unicode import fold, tag
from truecase.kernels.text import spliced
from truecase.options import (
    Casing,
    ColonStyle,
    Context,
    DecodeWith,
    InputCase,
    OfficeStyle,
    SentenceStart,
    StrPath,
)
from truecase.truecaser import Truecaser
from truecase.truecaser.multilingual import MultilingualTruecaser

if TYPE_CHECKING:
    from truecase.evaluation.words import WordPosterior


@dataclass(frozen=True)
class ReviewSettings:
    """All that determines the output before corrections; the page stores it.

    Attributes
    ----------
    model : str, optional
        A path, or the name of an embedded model; None for ``en``, or for a model without a file.
    decode_with : {"whole", "ngram", "unigram"}, optional
    names : tuple of str
        Files with names in their right case.
    format, encoding, field, source_language, target_language : str, optional
        As for `truecase.case_file`.
    input_case, sentence_start, after_colon, offices, context
        As for `truecase.options.Casing`; `context` for plain text alone.
    keep_case : bool
        Only corrections change the case of the text; the page shows the words that the model would
        case otherwise.
    casing : Casing
        The options above as a record.

    Raises
    ------
    ReviewError
        A value is unknown.
    """

    model: str | None = None
    decode_with: DecodeWith | None = None
    names: tuple[str, ...] = ()
    format: str | None = None
    encoding: str | None = None
    field: str | None = None
    source_language: str | None = None
    target_language: str | None = None
    input_case: InputCase = "evidence"
    sentence_start: SentenceStart = "always"
    after_colon: ColonStyle = "as-learned"
    offices: OfficeStyle = "as-learned"
    context: Context = "line"
    keep_case: bool = False

    def __post_init__(self) -> None:
        try:
            check_arguments(ReviewSettings, vars(self))
            self.casing  # noqa: B018 - checks the values
        except TruecaseError as error:
            raise ReviewError(str(error)) from None

    @property
    def casing(self) -> Casing:  # noqa: D102 - described above
        return Casing(
            self.input_case,
            sentence_start=self.sentence_start,
            context=self.context,
            after_colon=self.after_colon,
            offices=self.offices,
        )

    def to_json(self) -> dict[str, Any]:
        """The settings that differ from the defaults."""
        return {
            field.name: list(value) if isinstance(value, tuple) else value
            for field in dataclasses.fields(self)
            if (value := getattr(self, field.name)) != field.default
        }

    @classmethod
    def of_json(cls, given: object) -> ReviewSettings:
        """The settings that `to_json` has written; raises ReviewError for anything else."""
        if not isinstance(given, Mapping):
            raise ReviewError("its settings are no object")
        known = {field.name for field in dataclasses.fields(cls)}
        made: dict[str, Any] = {}
        for name, value in given.items():
            if name not in known:
                raise ReviewError(f"its settings have {name!r}, which this version does not know")
            made[name] = tuple(value) if isinstance(value, list) else value
        return cls(**made)


#: The kind of file, and its version, in a file of corrections.
KIND, VERSION = "corrections", 1

# No page makes more than some hundred bytes a correction.
_MOST_BYTES = 1 << 30


class Correction(NamedTuple):
    """Characters `start` … `end` - 1 of a segment: the model's form, and the right one.

    `line` is that of the word, for messages.
    """

    start: int
    end: int
    before: str
    after: str
    line: int


class Corrections:
    """The corrections in a file.

    Attributes
    ----------
    name, of : str
        The name of the file, for messages, and that of the text.
    settings : ReviewSettings
    letters, cased : str
        Checksums of the text; see `Digests`.
    by_segment : dict of int to list of Correction
        In the order of the text.
    names : list of str
        Forms for the list of names.
    """

    def __init__(self, name: str, given: object) -> None:
        self.name = name
        self.by_segment: dict[int, list[Correction]] = {}
        with named(name, ReviewError):
            if not isinstance(given, Mapping) or given.get("truecase") != KIND:
                raise ReviewError("no corrections of a review page")
            version = given.get("version")
            if version != VERSION:
                raise ReviewError(
                    f"corrections of version {version!r}, expected {VERSION}; the page was made by "
                    "another version of truecase"
                )
            self.of, self.letters, self.cased = (
                _text(given, key) for key in ("of", "letters", "cased")
            )
            self.settings = ReviewSettings.of_json(given.get("settings", {}))
            self.names: list[str] = given.get("names", [])
            if not (isinstance(self.names, list) and all(isinstance(n, str) for n in self.names)):
                raise ReviewError("names is no list of texts")
            corrections = given.get("corrections")
            if not isinstance(corrections, list):
                raise ReviewError("there is no list of corrections")
            for number, one in enumerate(corrections, 1):
                with named(f"correction {number}", ReviewError):
                    segment, correction = _correction(one)
                self.by_segment.setdefault(segment, []).append(correction)
            for found in self.by_segment.values():
                found.sort()
                for first, second in itertools.pairwise(found):
                    if second.start < first.end:
                        what = f"{second.before!r} in line {second.line}"
                        raise ReviewError(f"{what} is corrected twice")


def read_corrections(path: StrPath) -> Corrections:
    """Read a file of corrections; ReviewError names the file and a broken correction."""
    name = os.fspath(path)
    with open(path, "rb") as file:
        data = file.read(_MOST_BYTES)
    try:
        given = json.loads(data)
    except (ValueError, RecursionError):
        raise ReviewError(f"{name}: no corrections of a review page (it is no JSON)") from None
    return Corrections(name, given)


class Corrector:
    """Corrects segments; `language` is that of the model's case mappings."""

    def __init__(self, corrections: Corrections, language: str) -> None:
        self._corrections = corrections
        self._language = language
        self._digests = Digests()

    def __call__(self, segment: int, cased: str) -> str:
        """The corrected text of a segment; raises ReviewError if a correction does not fit."""
        self._digests.add(segment, cased)
        found = self._corrections.by_segment.get(segment)
        if found is None:
            return cased
        for one in found:
            there = cased[one.start : one.end]
            if there != one.before:
                why = "the text is not the one that was reviewed"
                if fold(there) == fold(one.before):
                    why = "the model is another one, or its options are"
                raise ReviewError(
                    f"{self._corrections.name}: line {one.line} has {there!r} where {one.before!r} "
                    f"was corrected: {why}"
                )
            languages = (self._language, "")
            same = any(fold(one.after, code) == fold(there, code) for code in languages)
            if len(one.after) != len(there) or not same:
                raise ReviewError(
                    f"{self._corrections.name}: line {one.line}: {one.after!r} is not {there!r} in "
                    "another case"
                )
        return spliced(cased, ((one.start, one.end, one.after) for one in found))

    def check(self, n_segments: int) -> None:
        """Raise ReviewError if the text, or the model's output, was another one."""
        name, given = self._corrections.name, self._corrections
        found = self._digests.to_json()
        if found["letters"] != given.letters:
            raise ReviewError(f"{name}: the text is not the one that was reviewed, {given.of}")
        if found["cased"] != given.cased:
            raise ReviewError(
                f"{name}: the model no longer cases the text as when the page was made: give the "
                "same model, names and options, or make a new page"
            )
        beyond = [segment for segment in given.by_segment if not 0 <= segment < n_segments]
        if beyond:
            line = given.by_segment[beyond[0]][0].line
            raise ReviewError(f"{name}: the correction in line {line} lies outside the text")


def _correction(given: object) -> tuple[int, Correction]:
    if not isinstance(given, Mapping):
        raise ReviewError("no object")
    for key in ("segment", "line", "start", "end"):
        value = given.get(key)
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise ReviewError(f"{key} is {value!r}, expected a number")
    start, end = given["start"], given["end"]
    before, after = _text(given, "from"), _text(given, "to")
    if not start < end:
        raise ReviewError(f"it goes from character {start} to {end}")
    return given["segment"], Correction(start, end, before, after, given["line"])


def _text(given: Mapping[str, Any], key: str) -> str:
    value = given.get(key)
    if not isinstance(value, str):
        raise ReviewError(f"{key} is {value!r}, expected a text")
    return value


_BYTES = 16
_MODULUS = 1 << (8 * _BYTES)


class Digests:
    """Checksums of the segments of a file, in any order, by any number of threads.

    `letters` ignores case: it shows whether the text is the same. `cased` shows whether the model
    has cased it in the same way.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sums = {"letters": 0, "cased": 0}

    def add(self, segment: int, cased: str) -> None:
        """Add the cased text of a segment."""
        found = {"letters": _checksum(segment, fold(cased)), "cased": _checksum(segment, cased)}
        with self._lock:
            for name, number in found.items():
                self._sums[name] = (self._sums[name] + number) % _MODULUS

    def to_json(self) -> dict[str, str]:
        """Return both checksums in hexadecimal digits."""
        return {name: f"{number:0{2 * _BYTES}x}" for name, number in self._sums.items()}


def _checksum(segment: int, text: str) -> int:
    data = f"{segment}:{text}".encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=_BYTES).digest(), "little")


#: Words on a page, by default.
N_WORDS = 100_000


def review_file(
    path: StrPath,
    output: StrPath,
    model: Truecaser | MultilingualTruecaser | None = None,
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
    model : Truecaser or MultilingualTruecaser, optional
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
        The file has no word, or is the page itself.
    OSError
        A file cannot be read or written.
    """
    check_arguments(review_file, locals())
    _check_is_other(output, path)
    settings = settings or ReviewSettings()
    document = _read(path, settings)
    if model is None:
        settings = dataclasses.replace(
            settings, model=file_caser.model_for(document, settings.model)
        )
    truecaser: Any = model or loaded(settings)
    page, n_places = page_of(document, truecaser, settings, n_words)
    with write_file(output) as written:
        written.write(page)
    return n_places


def apply_corrections(
    path: StrPath,
    corrections: StrPath,
    output: StrPath,
    model: Truecaser | MultilingualTruecaser | None = None,
    *,
    threads: int = 1,
) -> file_caser.Summary:
    """Case a file as for its page, and correct it.

    Parameters
    ----------
    path : path-like
        The file that was reviewed, or the same text in any other case.
    corrections : path-like
        The file that the page has saved.
    output : path-like
        The corrected file, which may be `path`. It is written completely or not at all.
    model : Truecaser or MultilingualTruecaser, optional
        The model that the corrections name, by default.
    threads : int

    Returns
    -------
    Summary

    Raises
    ------
    ReviewError
        The corrections are broken, are the output file, or belong to another text; or the model
        no longer cases the text as it did for the page.
    FormatError
        The file is broken, or has another format.
    OSError
        A file cannot be read or written.
    """
    check_arguments(apply_corrections, locals())
    _check_is_other(output, corrections)
    given = read_corrections(corrections)
    document = _read(path, given.settings)
    truecaser: Any = model or loaded(given.settings)
    text, summary = corrected(document, given, truecaser, threads)
    with write_file(output) as written:
        written.write(text)
    return summary


def _check_is_other(output: StrPath, read: StrPath) -> None:
    if os.path.realpath(read) == os.path.realpath(output):
        raise ReviewError(f"{os.fspath(output)}: is also read: give the output another name")


def _read(path: StrPath, settings: ReviewSettings) -> Document:
    name = os.fspath(path)
    return read_reviewed(read_whole(name), display_name(name), settings)


def loaded(settings: ReviewSettings) -> Truecaser:
    """Load the model that settings name; ``auto`` is a `MultilingualTruecaser`."""
    if settings.model == "auto":
        mixed: Any = MultilingualTruecaser.load(decode_with=settings.decode_with)
        return mixed.with_names(settings.names)  # type: ignore[no-any-return]
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
    other = file_caser.other_language(model, document)
    if other is not None and settings.target_language is None:
        raise ReviewError(
            f"{document.name}: {other}; give another model, or the language that is to be cased"
        )
    segments = cased_segments(document, model, settings, progress)
    data = page_data(document, segments, settings, model.language, n_words)
    n_places = len(data["start"])
    if n_places == 0:
        raise ReviewError(f"{document.name}: there is no word in it that could be cased")
    return review_page(data).encode("utf-8", "surrogateescape"), n_places


def corrected(
    document: Document,
    corrections: Corrections,
    model: Truecaser,
    threads: int = 1,
    progress: Progress | None = None,
) -> tuple[bytes, file_caser.Summary]:
    """The bytes of a document as the model cases it, corrected, and their summary.

    Raises ReviewError if the text or the model has changed.
    """
    settings = corrections.settings
    corrector = Corrector(corrections, model.language)
    caser = file_caser.FileCaser(
        document,
        _AsItIs() if settings.keep_case else model,
        settings.input_case,
        None if settings.keep_case else settings.sentence_start,
        corrector,
    )
    output = b"".join(caser.output(threads, progress))
    corrector.check(len(document.segments))
    return output, caser.summary


class _AsItIs:
    """Leaves text as it is."""

    def case_block(
        self, block: bytes, threads: int = 1, input_case: InputCase | None = None
    ) -> bytes:
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
    lines = SegmentLines(document, file_caser.takes_source(model))
    if not settings.keep_case:
        model = file_caser.fitted_to_file(model, document, lines, settings.input_case)
    progress = progress or Progress(enabled=False)
    how: Any = {"input_case": settings.input_case, "sentence_start": settings.sentence_start}
    position = 0
    for block in lines.blocks():
        given = lines.of(block)
        # Models of several languages take no source.
        of_source: Any = {} if given.sources is None else {"source": given.sources}
        found = model.posteriors(given.lines, **of_source, **how)
        words = [word for line in found for word in line]
        cased = given.lines
        if not settings.keep_case:
            cased = spliced(cased, ((word.start, word.end, word.text) for word in words))
        if given.sources is not None and not settings.keep_case:
            known = (text.encode("utf-8") for text in (given.lines, cased, given.sources))
            cased = with_labels(*known).decode("utf-8")
        of_texts = _of_flows(given.flows, words)
        for number, (flow, text), places in zip(block, given.cut(cased), of_texts, strict=True):
            if settings.keep_case or given.sources is not None:
                places = [_as_it_is(place, text) for place in places]
            yield CasedSegment(
                number, text, [p for p in places if tag(p.text, model.language) != "AN"]
            )
            progress.add_words(len(flow.text.split()))
        end = document.segments.target_end[block[-1]]
        progress.add_bytes(max(0, end - position))
        position = max(position, end)
    progress.add_bytes(len(document.data) - position)


def _of_flows(flows: Iterable[Flow], words: list[WordPosterior]) -> Iterator[list[Place]]:
    """The words of each text, but for words with characters that the model did not see."""
    i = base = 0
    for flow in flows:
        end = base + len(flow.line)
        places = []
        first = i
        while i < len(words) and words[i].start < end:
            i += 1
        spans = flow.spans((word.start - base, word.end - base) for word in words[first:i])
        for word, span in zip(words[first:i], spans, strict=True):
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

    By context, ``texts``, ``segment`` and ``base`` have its text, its segment, and how many
    characters of the segment precede it. By word, ``text``, ``line``, ``start``, ``group``,
    ``form``, ``certainty`` and ``others`` have its context, its line in the file, its start in the
    context in units of UTF-16, the indexes of its letters in ``groups`` and of its form in
    ``forms``, its certainty in millionths, and, flat, its other forms with their probabilities.
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
        **digests.to_json(),
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
        lines = self._lines_of(number, places)
        starts = _context_starts(text, places)
        left = deque(places)
        for start, end in itertools.pairwise([*starts, len(text)]):
            self._append(texts=_writable(text[start:end]), segment=number, base=start)
            while left and left[0].start < end:
                self._add_place(left.popleft(), text, start, next(lines))

    def _append(self, **values: Any) -> None:
        for name, value in values.items():
            self.data[name].append(value)

    def _lines_of(self, number: int, places: list[Place]) -> Iterator[int]:
        """The line of each word of a segment, in order."""
        pieces = iter(self._document.target_pieces(number))
        piece, position = next(pieces), 0
        # A character of the segment, and the byte there.
        at, start = 0, piece.start
        for place in places:
            while place.start >= position + len(piece.text):
                position += len(piece.text)
                piece = next(pieces)
                at, start = position, piece.start
            if piece.kind == PLAIN:
                start += len(piece.text[at - position : place.start - position].encode("utf-8"))
                at = place.start
            low, high = sorted((self._position, start))
            n_lines = self._document.n_lines_between(low, high)
            self._line += n_lines if start == high else -n_lines
            self._position = start
            yield self._line

    def _add_place(self, place: Place, text: str, base: int, line: int) -> None:
        others: list[int] = []
        for form, posterior in place.forms[:_MOST_FORMS]:
            others += [self._number(self._forms, "forms", form), round(_SURE * posterior)]
        self._append(
            text=len(self.data["texts"]) - 1,
            line=line,
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
