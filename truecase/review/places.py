"""The words of a file: where they stand, how they come out, and how sure the model is of that."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from truecase.files.progress import Progress
from truecase.formats.file_caser import takes_source
from truecase.formats.segment_lines import SegmentLines
from truecase.options import InputCase, SentenceStart
from truecase.text._casing import tag

if TYPE_CHECKING:
    from truecase.explain.words import WordPosterior
    from truecase.formats.document import Document
    from truecase.formats.flow import Flow
    from truecase.truecaser import Truecaser


class Place(NamedTuple):
    """A word of a segment.

    Attributes
    ----------
    start, end : int
        Its characters in the text of the segment.
    text : str
        As it comes out.
    certainty : float
        How sure the model is of that, from 0 to 1.
    forms : tuple of (str, float)
        What else was considered, and how probable it is, the most probable first.
    """

    start: int
    end: int
    text: str
    certainty: float
    forms: tuple[tuple[str, float], ...]


class CasedSegment(NamedTuple):
    """A segment as it comes out, and its words that have letters with case."""

    number: int
    text: str
    places: list[Place]


def cased_segments(
    document: Document,
    model: Truecaser,
    *,
    input_case: InputCase = "ignore",
    sentence_start: SentenceStart = "always",
    keep_case: bool = False,
    progress: Progress | None = None,
) -> Iterator[CasedSegment]:
    """Case the segments of a document, and tell of each word how sure the model is.

    Parameters
    ----------
    document : Document
    model : Truecaser
    input_case : {"ignore", "keep", "auto"}
    sentence_start : {"always", "learned"}
    keep_case : bool
        The text comes out as it is.
    progress : Progress, optional
        Told of bytes and words.
    """
    lines = SegmentLines(document, takes_source(model))
    position = 0
    for block in lines.blocks():
        given = lines.of(block)
        words = [
            word
            for line in model.posteriors(
                given.lines,
                input_case=input_case,
                source=given.sources,
                sentence_start=sentence_start,
            )
            for word in line
        ]
        cased = given.lines if keep_case else "".join(_with_words(given.lines, words))
        found = _of_flows(given.flows, words)
        for number, (flow, text), places in zip(block, given.cut(cased), found, strict=True):
            if keep_case:
                places = [_as_it_is(place, text) for place in places]
            yield CasedSegment(
                number, text, [p for p in places if tag(p.text, model.language) != "AN"]
            )
            if progress is not None:
                progress.add_words(len(flow.text.split()))
        if progress is not None:
            end = document.segments.target_end[block[-1]]
            progress.add_bytes(max(0, end - position))
            position = max(position, end)
    if progress is not None:
        progress.add_bytes(len(document.data) - position)


def _with_words(lines: str, words: Iterable[WordPosterior]) -> Iterator[str]:
    done = 0
    for word in words:
        yield lines[done : word.start]
        yield word.text
        done = word.end
    yield lines[done:]


def _of_flows(flows: Iterable[Flow], words: list[WordPosterior]) -> Iterator[list[Place]]:
    """The words of each text; not those in which something is that the model did not see."""
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
    """A word in the case that the text has it, which the model may never have thought of."""
    given = text[place.start : place.end]
    if given == place.text:
        return place
    forms = [(place.text, place.certainty), *place.forms]
    certainty = sum(posterior for form, posterior in forms if form == given)
    others = tuple([form for form in forms if form[0] != given])
    return Place(place.start, place.end, given, certainty, others)
