"""Cases the texts of a file, and puts them back where they were."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from truecase.choices import InputCase, SentenceStart
from truecase.files.progress import Progress
from truecase.formats.copies import follow
from truecase.formats.flow import Flow, Piece, Splice, source_lines, splice
from truecase.formats.protect import Protected, accelerators, protected, shown
from truecase.formats.units import Units
from truecase.runtime.threads import ordered_map

if TYPE_CHECKING:
    from truecase.formats.document import Document

# Segments are cased in blocks of about so many bytes of the file.
_BLOCK_BYTES = 1 << 18


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
    """
    arguments: dict[str, Any] = {"threads": 1, "input_case": input_case}
    if sources is not None:
        arguments["source"] = sources.encode("utf-8")
    if sentence_start is not None:
        arguments["sentence_start"] = sentence_start
    return model.case_block(lines.encode("utf-8"), **arguments).decode("utf-8")


def takes_source(model: CasesBlocks) -> bool:
    """Whether a model looks at the source text of what it cases."""
    if hasattr(model, "takes_source"):
        return bool(model.takes_source)
    return "source" in inspect.signature(model.case_block).parameters


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
    ) -> None:
        self._document = document
        self._model = model
        self._input_case = input_case
        self._sentence_start = sentence_start
        has_sources = not isinstance(document.segments, Units)
        self._takes_source = has_sources and takes_source(model)
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
                line += self._document.data.count(b"\n", position, start)
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
        for block in ordered_map(self._case, self._ranges(), threads):
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

    def _ranges(self) -> Iterator[range]:
        segments = self._document.segments
        begin = 0
        for i in range(len(segments)):
            if abs(segments.target_end[i] - segments.target_start[begin]) >= _BLOCK_BYTES:
                yield range(begin, i + 1)
                begin = i + 1
        if begin < len(segments):
            yield range(begin, len(segments))

    def _case(self, block: range) -> _Block:
        """Case some segments; runs in any thread."""
        segments, summary = self._document.segments, Summary()
        flows, lines, sources = [], [], []
        for i in block:
            source = ""
            if segments.source_start[i] >= 0:
                source = self._text(*segments.source(i))
                summary.n_with_source += 1
            flow = self._flow(i, source)
            flows.append(flow)
            lines.append(flow.line)
            if self._takes_source:
                sources.append(source_lines(self._shown_source(source, flow), flow.n_lines))
        cased_block = case_lines(
            self._model,
            "\n".join(lines),
            "\n".join(sources) if self._takes_source else None,
            self._input_case,
            self._sentence_start,
        )
        if len(cased_block) != len("\n".join(lines)):
            raise ValueError("the model has changed more than the case of a text")
        # Lengths of texts do not change, so no line needs to be looked for.
        changed: list[tuple[Piece, str]] = []
        changes: list[tuple[int, str, str]] = []
        position = 0
        for i, flow in zip(block, flows, strict=True):
            line = cased_block[position : position + len(flow.line)]
            position += len(flow.line) + 1
            words = flow.text.split()
            summary.n_words += len(words)
            if line == flow.line:
                continue
            cased = flow.cased(line)
            found = flow.changed(cased, self._can_write)
            if not found:
                continue
            changed += found
            summary.n_changed += 1
            summary.n_changed_words += sum(
                a != b for a, b in zip(words, cased.split(), strict=True)
            )
            changes.append((segments.target_start[i], flow.text, cased))
        summary.n_segments = len(block)
        return _Block(changed, changes, summary, segments.target_end[block[-1]])

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


def _splices(block: _Block) -> Iterator[Splice]:
    return (splice(piece, text) for piece, text in block.changed)


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
