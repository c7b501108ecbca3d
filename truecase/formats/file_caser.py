"""Cases the texts of a file, and puts them back where they were."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from truecase.choices import FileStyle, InputCase, SentenceStart
from truecase.files.progress import Progress
from truecase.formats.copies import follow
from truecase.formats.flow import Flow, Piece, Splice, splice
from truecase.formats.segment_lines import SegmentLines
from truecase.formats.units import Units
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
    arguments: dict[str, Any] = {"threads": 1, "input_case": input_case}
    if sources is not None:
        arguments["source"] = sources.encode("utf-8")
    if sentence_start is not None:
        arguments["sentence_start"] = sentence_start
    if style != "sentence":
        arguments["style"] = style
    return model.case_block(lines.encode("utf-8"), **arguments).decode("utf-8")


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
        for block in self._blocks(threads, progress):
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
        for block in self._blocks(threads, progress):
            parts: list[bytes | memoryview] = []
            for start, end, data in _splices(block):
                parts += [view[position:start], data]
                position = end
            if parts:
                yield b"".join(parts)
        yield view[position:]

    def _blocks(self, threads: int, progress: Progress | None) -> Iterator[_Block]:
        """The blocks in the order of the file; of units, which have none, a single one."""
        blocks = self._cased_blocks(threads, progress)
        units = self._document.segments
        if not isinstance(units, Units):
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

    def _cased_blocks(self, threads: int, progress: Progress | None) -> Iterator[_Block]:
        position = 0
        for block in ordered_map(self._case, self._lines.blocks(), threads):
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
            words = flow.text.split()
            summary.n_words += len(words)
            if self._corrector is not None:
                cased = self._corrector(i, cased)
            if cased == flow.text:
                continue
            found = flow.changed(cased, self._can_write)
            if not found:
                continue
            changed += found
            summary.n_changed += 1
            summary.n_changed_words += sum(
                a != b for a, b in zip(words, cased.split(), strict=True)
            )
            changes.append((segments.target_start[i], flow.text, cased))
        return _Block(changed, changes, summary, segments.target_end[block[-1]])


def _splices(block: _Block) -> Iterator[Splice]:
    return (splice(piece, text) for piece, text in block.changed)
