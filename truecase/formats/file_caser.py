"""Cases the texts of a file, and puts them back where they were."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from truecase.files.progress import Progress
from truecase.formats._segment_text import SegmentTexts, follow_one_another
from truecase.formats.copies import follow
from truecase.formats.flow import Flow, Piece, Splice, source_lines, splice
from truecase.formats.segment_lines import SegmentLines
from truecase.formats.units import SpannedUnits, Units
from truecase.options import FileStyle, InputCase, SentenceStart
from truecase.runtime.threads import ordered_map

if TYPE_CHECKING:
    from truecase.formats.document import Document


class CasesBlocks(Protocol):
    """A model, as far as it is needed here; its `case_block` may have a parameter `source`."""

    def case_block(self, block: bytes, threads: int = 1, input_case: InputCase = "ignore") -> bytes:
        """Case newline-separated lines."""


class Change(NamedTuple):
    """A segment that is to change, as text."""

    line: int
    before: str
    after: str


@dataclass
class Summary:
    """What was done to a file.

    Attributes
    ----------
    n_segments, n_with_source : int
        Segments cased, and those of them that have a source.
    n_changed : int
        Segments that changed.
    n_words, n_changed_words : int
        White-space separated words of their targets.
    left_alone : dict of str to int
        Other segments, by reason.
    """

    n_segments: int = 0
    n_with_source: int = 0
    n_changed: int = 0
    n_words: int = 0
    n_changed_words: int = 0
    left_alone: dict[str, int] = field(default_factory=dict)


class _Block(NamedTuple):
    """What became of some segments."""

    changed: list[tuple[Piece, str]]
    # Where each changed segment begins, and its text before and after.
    changes: list[tuple[int, str, str]]
    summary: Summary
    # Bytes of the file up to the block's last segment.
    end: int
    # What is to be written from the end of the block before, if that is known.
    output: bytes | None = None


def case_lines(
    model: CasesBlocks,
    lines: str,
    sources: str | None,
    input_case: InputCase = "ignore",
    sentence_start: SentenceStart | None = None,
    style: str = "sentence",
) -> str:
    """Case lines of text, each with its source if the model looks at sources.

    Parameters
    ----------
    model : CasesBlocks
    lines : str
        Newline-separated.
    sources : str, optional
        As many lines, empty where there is no source.
    input_case : {"ignore", "keep", "auto"}
    sentence_start : {"always", "learned"}, optional
        For models that have the choice.
    style : str
        For models that have the choice.
    """
    encoded = None if sources is None else sources.encode("utf-8")
    cased = _case_block(model, lines.encode("utf-8"), encoded, input_case, sentence_start, style)
    return cased.decode("utf-8")


def _case_block(
    model: CasesBlocks,
    lines: bytes,
    sources: bytes | None,
    input_case: InputCase,
    sentence_start: SentenceStart | None,
    style: str,
) -> bytes:
    arguments: dict[str, Any] = {"threads": 1, "input_case": input_case}
    if sources is not None:
        arguments["source"] = sources
    if sentence_start is not None:
        arguments["sentence_start"] = sentence_start
    if style != "sentence":
        arguments["style"] = style
    return model.case_block(lines, **arguments)


def takes_source(model: CasesBlocks) -> bool:
    """Whether a model looks at the source text of what it cases."""
    if hasattr(model, "takes_source"):
        return bool(model.takes_source)
    return "source" in inspect.signature(model.case_block).parameters


def takes_style(model: CasesBlocks) -> bool:
    """Whether a model can write anything but sentences."""
    return "style" in inspect.signature(model.case_block).parameters


class FileCaser:
    """Cases one document.

    Parameters
    ----------
    document : Document
    model : CasesBlocks
        Used by several threads at once.
    input_case : {"ignore", "keep", "auto"}
        What upper case in targets means; see `truecase.Truecaser.case_block`.
    sentence_start : {"always", "learned"}, optional
        For models that have the choice, whether first words have a capital by rule.
    corrector : callable, optional
        Gets the number of a segment and its text as the model cases it, and has the last word.
        Called by several threads at once.
    style : FileStyle
        For models that have the choice, what texts come out as. ``source``: each as its source,
        see `truecase.formats.source_style.style_of`.

    Attributes
    ----------
    summary : Summary
        Complete when `changes` or `output` are consumed.
    """

    def __init__(
        self,
        document: Document,
        model: CasesBlocks,
        input_case: InputCase = "ignore",
        sentence_start: SentenceStart | None = None,
        corrector: Callable[[int, str], str] | None = None,
        style: FileStyle = "sentence",
    ) -> None:
        self._document = document
        self._model = model
        self._input_case = input_case
        self._sentence_start = sentence_start
        self._lines = SegmentLines(document, takes_source(model), style)
        self._style = style
        self._corrector = corrector
        charset = document.charset
        self._can_write: Callable[[str], bool] | None = None
        if not charset.name.startswith("utf-"):
            self._can_write = charset.has
        self.summary = Summary(left_alone=document.segments.reasons())

    def changes(self, threads: int = 1, progress: Progress | None = None) -> Iterator[Change]:
        """The segments that change, in order.

        Parameters
        ----------
        threads : int
        progress : Progress, optional
            Told of bytes and words.
        """
        position, line = 0, 1
        for block in self._blocks(self._case, threads, progress):
            for start, before, after in block.changes:
                line += self._document.data.count(self._document.line_end, position, start)
                position = start
                yield Change(line, before, after)

    def output(
        self, threads: int = 1, progress: Progress | None = None
    ) -> Iterator[bytes | memoryview]:
        """The bytes of the file with its targets cased, in pieces.

        Parameters
        ----------
        threads : int
            The output does not depend on it.
        progress : Progress, optional
            Told of bytes and words.
        """
        return self._document.charset.encode(self._spliced(threads, progress))

    def _spliced(self, threads: int, progress: Progress | None) -> Iterator[bytes | memoryview]:
        view = memoryview(self._document.data)
        position = 0
        case = self._case_in_place if self._is_cased_in_place() else self._case
        for block in self._blocks(case, threads, progress):
            if block.output is not None:
                yield block.output
                position = block.end
                continue
            parts: list[bytes | memoryview] = []
            for start, end, data in _splices(block):
                parts += [view[position:start], data]
                position = end
            if parts:
                yield b"".join(parts)
        yield view[position:]

    def _is_cased_in_place(self) -> bool:
        """Whether all that is wanted are the bytes of the file with its segments cased."""
        segments = self._document.segments
        return (
            self._document.notation is not None
            and self._document.has_placeholders
            and self._corrector is None
            and self._can_write is None
            and self._style != "source"
            and follow_one_another(segments.target_start, segments.target_end)
        )

    def _blocks(
        self, case: Callable[[range], _Block], threads: int, progress: Progress | None
    ) -> Iterator[_Block]:
        """The blocks in the order of the file; of units, which have none, a single one."""
        blocks = self._cased_blocks(case, threads, progress)
        units = self._document.segments
        if not isinstance(units, Units) or isinstance(units, SpannedUnits):
            yield from blocks
            return
        changed, changes = [], []
        for block in blocks:
            changed += block.changed
            changes += block.changes
        changed += follow(units.copies, dict(changed))
        changed.sort(key=lambda change: change[0].start)
        changes.sort(key=lambda change: change[0])
        yield _Block(changed, changes, Summary(), len(self._document.data))

    def _cased_blocks(
        self, case: Callable[[range], _Block], threads: int, progress: Progress | None
    ) -> Iterator[_Block]:
        position = 0
        for block in ordered_map(case, self._lines.blocks(), threads):
            total, part = self.summary, block.summary
            total.n_segments += part.n_segments
            total.n_with_source += part.n_with_source
            total.n_changed += part.n_changed
            total.n_words += part.n_words
            total.n_changed_words += part.n_changed_words
            if progress is not None:
                progress.add_bytes(max(0, block.end - position))
                progress.add_words(part.n_words)
            position = max(position, block.end)
            yield block
        if progress is not None:
            progress.add_bytes(len(self._document.data) - position)

    def _case(self, block: range) -> _Block:
        """Case some segments; runs in any thread."""
        segments = self._document.segments
        summary = Summary(n_segments=len(block))
        cased_texts: dict[int, tuple[Flow, str]] = {}
        for style, numbers, given in self._lines.by_style(block):
            summary.n_with_source += given.n_with_source
            cased_lines = case_lines(
                self._model,
                given.lines,
                given.sources,
                self._input_case,
                self._sentence_start,
                style,
            )
            cased_texts.update(zip(numbers, given.cut(cased_lines), strict=True))
        changed: list[tuple[Piece, str]] = []
        changes: list[tuple[int, str, str]] = []
        for i in block:
            flow, cased = cased_texts[i]
            if self._corrector is not None:
                cased = self._corrector(i, cased)
            found = self._changed(flow, cased, summary)
            if found:
                changed += found
                changes.append((segments.target_start[i], flow.text, cased))
        return _Block(changed, changes, summary, segments.target_end[block[-1]])

    def _changed(self, flow: Flow, cased: str, summary: Summary) -> list[tuple[Piece, str]]:
        """The pieces of a text that are to change, told to `summary`."""
        words = flow.text.split()
        summary.n_words += len(words)
        found = [] if cased == flow.text else flow.changed(cased, self._can_write)
        if found:
            summary.n_changed += 1
            summary.n_changed_words += sum(
                a != b for a, b in zip(words, cased.split(), strict=True)
            )
        return found

    def _case_in_place(self, block: range) -> _Block:
        """Case some segments that follow one another; runs in any thread."""
        document, segments = self._document, self._document.segments
        summary = Summary(n_segments=len(block))
        flows: dict[int, Flow] = {}

        def lines_of(i: int) -> tuple[bytes, bytes]:
            flow, source, _ = self._lines.segment(i)
            flows[i] = flow
            return flow.line.encode("utf-8"), source_lines(source, flow.n_lines).encode("utf-8")

        def splices_of(i: int, cased: bytes) -> list[Splice]:
            flow, line = flows[i], cased.decode("utf-8")
            text = flow.text if line == flow.line else flow.cased(line)
            return [splice(*change) for change in self._changed(flow, text, summary)]

        assert document.notation is not None
        texts = SegmentTexts(
            document.data,
            segments,
            block,
            document.notation,
            lines_of,
            has_accelerators=document.has_accelerators,
            takes_source=self._lines.takes_source,
        )
        cased = _case_block(
            self._model,
            texts.lines,
            texts.sources,
            self._input_case,
            self._sentence_start,
            self._style,
        )
        position = segments.target_end[block[0] - 1] if block[0] else 0
        output = texts.put_back(cased, position, splices_of)
        sources = segments.source_start[block.start : block.stop]
        summary.n_with_source = sum(start >= 0 for start in sources)
        summary.n_changed += texts.n_changed
        summary.n_words += texts.n_words
        summary.n_changed_words += texts.n_changed_words
        return _Block([], [], summary, segments.target_end[block[-1]], output)


def _splices(block: _Block) -> Iterator[Splice]:
    return (splice(piece, text) for piece, text in block.changed)
