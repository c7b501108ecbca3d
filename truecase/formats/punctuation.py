"""Puts missing punctuation between the words of transcripts and subtitles.

A text ends at a pause, at another speaker, or at punctuation that is there already
(`truecase.formats.subtitles`); the words of a text are one stream, however cues cut them. A mark
goes behind its word, and behind each copy of the word. Descriptions in brackets, lyrics and labels
of speakers get no marks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain

from truecase.errors import FormatError, ModelError
from truecase.formats.format import Document
from truecase.formats.segments import Piece, Units, line_of, spliced, text_of, word_spans
from truecase.kernels.text import words_of

#: The seconds behind each word of each text; None if unknown.
Pauses = Sequence[Sequence[float | None]]
#: Takes texts and their pauses, and finds the marks missing before and behind each word of each.
FindsMarks = Callable[[Sequence[str], Pauses], Sequence[Sequence[tuple[str, str]]]]

# Seconds that make a pause; the least share of words with a pause, in files that have pauses.
_PAUSE, _LEAST_SHARE = 0.3, 0.05

_BEFORE_ASIDE, _BEHIND_ASIDE = "[(（【♩♪♫♬🎵🎶", "])）】:♩♪♫♬🎵🎶"


def put_marks(document: Document, marks_of: FindsMarks) -> bytes:
    """The bytes of a transcript or subtitles, in UTF-8, with marks between its words.

    `marks_of` gets the texts and the known pauses behind their words; it returns, for each
    white-space separated word, the marks missing before and behind it, or empty strings. Raises
    FormatError if the file has another format, or copies of words that differ from the text.
    """
    units = document.segments
    if not isinstance(units, Units) or not document.kind.is_spoken:
        raise FormatError(
            f"{document.name}: marks are put into transcripts and subtitles, and this is "
            f"{document.format}"
        )
    data = document.data
    texts = [
        pieces for pieces in map(units.pieces, range(len(units))) if not _is_aside(data, pieces)
    ]
    missing: dict[int, str] = {}
    found = marks_of([text_of(one) for one in texts], _pauses(units, texts))
    for pieces, around in zip(texts, found, strict=True):
        for (start, end), (before, behind) in zip(word_spans(pieces), around, strict=True):
            for place, mark in ((start, before), (end, behind)):
                if mark:
                    missing[place] = missing.get(place, "") + mark
    for copy in units.copies:
        places, others = (list(chain(*word_spans(one))) for one in (copy.original, copy.copy))
        words, copied = words_of(text_of(copy.original)), words_of(text_of(copy.copy))
        if len(words) != len(copied):
            start = min(piece.start for piece in copy.copy)
            n = next(
                (n for n, (a, b) in enumerate(zip(words, copied, strict=False)) if a != b),
                min(len(words), len(copied)),
            )
            there = [part[n] if n < len(part) else "nothing" for part in (words, copied)]
            raise FormatError(
                f"{document.name}: line {line_of(data, start)}: text and words disagree at word "
                f"{n + 1}: {there[0]} in the text, {there[1]} among the words"
            )
        for place, other in zip(places, others, strict=True):
            if place in missing:
                missing[other] = missing[place]
    marks = ((place, place, mark.encode("utf-8")) for place, mark in sorted(missing.items()))
    return b"".join(spliced(data, marks))


def punctuated(document: Document, model: object, marks: Iterable[str] | None = None) -> Document:
    """The document with the marks that a truecaser finds missing; see `put_marks`.

    Raises ModelError if the model has no marks, or not these.
    """
    missing = getattr(model, "missing_marks", None)
    if missing is None:
        raise ModelError(f"{type(model).__name__} puts no marks between words")
    data = put_marks(document, lambda texts, pauses: missing(texts, marks, pauses))
    return document._replace(data=data, segments=document.read_again(data))


def _pauses(units: Units, texts: Sequence[Sequence[Piece]]) -> Pauses:
    """The pauses behind the words of texts."""
    known = dict(units.pauses)
    for copy in units.copies:
        for (_, end), (_, other) in zip(
            word_spans(copy.original), word_spans(copy.copy), strict=False
        ):
            if other in units.pauses:
                known.setdefault(end, units.pauses[other])
    # In a file in which each word ends as the next begins, the lack of a pause means nothing.
    long = sum(seconds >= _PAUSE for seconds in known.values())
    least = 0.0 if long >= _LEAST_SHARE * len(known) else _PAUSE
    return [
        [
            seconds if (seconds := known.get(end, -1.0)) >= least else None
            for _, end in word_spans(pieces)
        ]
        for pieces in texts
    ]


def _is_aside(data: bytes, pieces: Sequence[Piece]) -> bool:
    """Whether a text is in brackets, between notes, or the label of a speaker."""
    start, end = min(piece.start for piece in pieces), max(piece.end for piece in pieces)
    before = data[max(0, start - 16) : start].decode("utf-8", "ignore").rstrip()
    behind = data[end : end + 8].decode("utf-8", "ignore").lstrip()
    return before[-1:] in set(_BEFORE_ASIDE) or behind[:1] in set(_BEHIND_ASIDE)
