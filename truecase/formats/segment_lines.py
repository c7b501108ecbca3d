"""The segments of a file as lines for a model, each with its source."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from truecase.formats.flow import Flow, source_lines
from truecase.formats.protect import Protected, accelerators, protected, shown
from truecase.formats.source_style import CONTINUED, LEAD, style_of
from truecase.formats.units import Units
from truecase.options import FileStyle

if TYPE_CHECKING:
    from truecase.formats.document import Document

# Segments are cased in blocks of about so many bytes of the file.
_BLOCK_BYTES = 1 << 18


class Lines(NamedTuple):
    """What a model gets for some segments.

    Attributes
    ----------
    flows : list of Flow
        The text of each segment.
    lines : str
        Their lines, newline-separated; a segment has one or more.
    sources : str or None
        As many lines, empty where there is no source; None if the model looks at none.
    n_with_source : int
        Segments that have one.
    lead : str
        Stands before the first line of each segment, and is none of its text.
    """

    flows: list[Flow]
    lines: str
    sources: str | None
    n_with_source: int
    lead: str = ""

    def cut(self, cased: str) -> Iterator[tuple[Flow, str]]:
        """The text of each segment, and that text in the case of `cased`, which `lines` became.

        Raises
        ------
        ValueError
            If `cased` differs from `lines` in more than case, as far as lengths tell.
        """
        if len(cased) != len(self.lines):
            raise ValueError("the model has changed more than the case of a text")
        # Lengths of texts do not change, so no line needs to be looked for.
        position = 0
        for flow in self.flows:
            position += len(self.lead)
            line = cased[position : position + len(flow.line)]
            position += len(flow.line) + 1
            yield flow, flow.text if line == flow.line else flow.cased(line)


class SegmentText(NamedTuple):
    """The text of a segment, and its source as the model is shown it, if it is wanted."""

    flow: Flow
    source: str
    has_source: bool


class SegmentLines:
    """Makes lines of the segments of a document.

    Parameters
    ----------
    document : Document
    takes_source : bool
        Whether the model looks at sources.
    style : FileStyle
        For `by_style`.
    """

    def __init__(
        self, document: Document, takes_source: bool, style: FileStyle = "sentence"
    ) -> None:
        self._document = document
        self._style = style
        self.takes_source = takes_source and not isinstance(document.segments, Units)

    def blocks(self) -> Iterator[range]:
        """Segments that are worked on together."""
        segments = self._document.segments
        begin = 0
        for i in range(len(segments)):
            if abs(segments.target_end[i] - segments.target_start[begin]) >= _BLOCK_BYTES:
                yield range(begin, i + 1)
                begin = i + 1
        if begin < len(segments):
            yield range(begin, len(segments))

    def of(self, block: Iterable[int]) -> Lines:
        """The lines of some segments."""
        return self._joined([self.segment(i) for i in block])

    def by_style(self, block: Iterable[int]) -> Iterator[tuple[str, list[int], Lines]]:
        """The lines of some segments: a style, the segments that are to have it, their lines."""
        if self._style != "source":
            numbers = list(block)
            yield self._style, numbers, self.of(numbers)
            return
        styles: dict[str, list[tuple[int, SegmentText]]] = {}
        for i in block:
            segment = self.segment(i)
            style = style_of(segment.source, self._document.languages.source)
            styles.setdefault(style, []).append((i, segment))
        for style, found in styles.items():
            goes_on = style == CONTINUED
            lines = self._joined([segment for _, segment in found], LEAD if goes_on else "")
            yield "sentence" if goes_on else style, [i for i, _ in found], lines

    def _joined(self, segments: list[SegmentText], lead: str = "") -> Lines:
        sources = None
        if self.takes_source:
            sources = "\n".join(
                [lead + source_lines(source, flow.n_lines) for flow, source, _ in segments]
            )
        return Lines(
            [segment.flow for segment in segments],
            "\n".join([lead + segment.flow.line for segment in segments]),
            sources,
            sum(segment.has_source for segment in segments),
            lead,
        )

    def segment(self, i: int) -> SegmentText:
        """The text of a segment."""
        segments = self._document.segments
        has_source = segments.source_start[i] >= 0
        source = self._text(*segments.source(i)) if has_source else ""
        flow = self._flow(i, source)
        if self.takes_source or self._style == "source":
            source = self._shown_source(source, flow)
        return SegmentText(flow, source, has_source)

    def _flow(self, i: int, source: str) -> Flow:
        document = self._document
        pieces = document.target_pieces(i)
        if not document.has_placeholders:
            return Flow(pieces, _nothing)
        if not document.has_accelerators:
            return Flow(pieces, protected)
        return Flow(pieces, lambda text: _protected_in_message(text, source))

    def _shown_source(self, source: str, flow: Flow) -> str:
        """A source with the stand-ins that the target has."""
        if self._document.has_accelerators:
            return shown(source, _protected_in_message(source, flow.text))
        return shown(source, protected(source))

    def _text(self, start: int, end: int) -> str:
        pieces = self._document.pieces(self._document.data, start, end)
        return pieces[0].text if len(pieces) == 1 else "".join([piece.text for piece in pieces])


def _nothing(text: str) -> list[Protected]:
    return []


def _protected_in_message(text: str, other: str) -> list[Protected]:
    """As `protected`, with the accelerator mark that a text shares with its translation."""
    kept = protected(text)
    marks = [
        mark
        for mark in accelerators(text, other)
        if not any(span.start <= mark.start < span.end for span in kept)
    ]
    return sorted([*kept, *marks]) if marks else kept
