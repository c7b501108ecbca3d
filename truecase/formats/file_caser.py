"""Cases the texts of a file, and writes them back into it."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, TypeVar

from truecase.base.argument_types import check_arguments
from truecase.base.compression import write_file
from truecase.base.progress import Progress
from truecase.base.read import display_name, read_whole
from truecase.base.threads import ordered_map
from truecase.errors import FormatError, TruecaseError
from truecase.formats._contents import SegmentTexts
from truecase.formats.format import Document, ReadOptions, format_by_extension
from truecase.formats.languages import Languages
from truecase.formats.lines import Flow, SegmentLines, follow, source_lines, with_labels
from truecase.formats.punctuation import punctuated
from truecase.formats.registry import FORMATS, read_document
from truecase.formats.segments import FINAL, LOCKED, Piece, Splice, Units, splice
from truecase.kernels.text import primary
from truecase.model.embedded import languages, missing_model, model_of_language, warn_of_language
from truecase.options import FileStyle, InputCase, SentenceStart, StrPath
from truecase.truecaser.multilingual import loaded

Model = TypeVar("Model")


class CasesBlocks(Protocol):
    """A model; its `case_block` may have parameters `source`, `sentence_start` and `style`."""

    def case_block(
        self, block: bytes, threads: int = 1, input_case: InputCase | None = None
    ) -> bytes:
        """Case newline-separated lines."""


class Change(NamedTuple):
    """The line of a segment that changes, and its text before and after."""

    line: int
    before: str
    after: str


@dataclass
class Summary:
    """The segments of a file in numbers.

    Attributes
    ----------
    n_segments, n_with_source, n_changed : int
        Segments that were cased, how many of them have a source, and how many changed.
    n_words, n_changed_words : int
        White-space separated words of targets, and how many of them changed.
    left_alone : dict of str to int
        Other segments, by reason.
    """

    n_segments: int = 0
    n_with_source: int = 0
    n_changed: int = 0
    n_words: int = 0
    n_changed_words: int = 0
    left_alone: dict[str, int] = field(default_factory=dict)


_COUNTS = ("n_segments", "n_with_source", "n_changed", "n_words", "n_changed_words")


class _Block(NamedTuple):
    """Some segments after casing."""

    changed: list[tuple[Piece, str]]
    # Where each changed segment begins, and its text before and after.
    changes: list[tuple[int, str, str]]
    summary: Summary
    # The end of the block's last segment in the file.
    end: int
    # The new bytes of the file from the end of the block before, unless `changed` has the pieces.
    output: bytes | None = None


def takes_source(model: CasesBlocks) -> bool:
    """Whether a model uses source texts."""
    if hasattr(model, "takes_source"):
        return bool(model.takes_source)
    return "source" in inspect.signature(model.case_block).parameters


def fitted_to_file(
    model: Model, document: Document, lines: SegmentLines, input_case: InputCase | None
) -> Model:
    """A model that proofreads a file which has its case, and writes unknown words alike in it.

    A given `input_case` is kept. A file is not proofread if most of its texts have sources, which
    say what begins a sentence. For unknown words see `with_agreed_names`. Other models stay.
    """
    if not hasattr(model, "with_agreed_names"):
        return model
    fitted: Any = model
    judges = input_case is None and fitted.casing.input_case == "evidence"
    starts = document.segments.source_start
    has_sources = lines.takes_source and 2 * sum(start >= 0 for start in starts) > len(starts)
    if judges and lines.style == "sentence" and not has_sources and document.has_case():
        input_case = "proofread"
    fitted = fitted.with_casing(input_case=input_case)
    if fitted.casing.min_odds == 1:
        fitted = fitted.with_agreed_names(lines.of(block).lines for block in lines.blocks())
    return fitted  # type: ignore[no-any-return]


def takes_style(model: CasesBlocks) -> bool:
    """Whether a model can write other styles than sentences."""
    return "style" in inspect.signature(model.case_block).parameters


class FileCaser:
    """Cases one document.

    Parameters
    ----------
    document : Document
    model : CasesBlocks
        Several threads use it at once.
    input_case, sentence_start, style
        As for `truecase.case_file`; a model gets only those that it has parameters for. For the
        style ``source``, see `truecase.formats.lines.style_of`.
    corrector : callable, optional
        Takes the number of a segment and its cased text, and returns the final text. Several
        threads call it at once.

    Attributes
    ----------
    summary : Summary
        Complete when `changes` or `output` is exhausted.
    """

    def __init__(
        self,
        document: Document,
        model: CasesBlocks,
        input_case: InputCase | None = None,
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
        self._can_write = document.charset.can_write
        self.summary = Summary(left_alone=document.segments.reasons())

    def changes(self, threads: int = 1, progress: Progress | None = None) -> Iterator[Change]:
        """The segments that change, in order; `progress` counts bytes and words."""
        position, line = 0, 1
        for block in self._blocks(self._case, threads, progress):
            for start, before, after in block.changes:
                line += self._document.n_lines_between(position, start)
                position = start
                yield Change(line, before, after)

    def output(
        self, threads: int = 1, progress: Progress | None = None
    ) -> Iterator[bytes | memoryview]:
        """The bytes of the cased file, in pieces; `progress` counts bytes and words."""
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
            for start, end, data in (splice(*change) for change in block.changed):
                parts += [view[position:start], data]
                position = end
            if parts:
                yield b"".join(parts)
        yield view[position:]

    def _is_cased_in_place(self) -> bool:
        """Whether compiled code can read and write all segments."""
        segments = self._document.segments
        return (
            self._document.kind.notation is not None
            and self._corrector is None
            and self._can_write is None
            and self._style != "source"
            and segments.follow_one_another()
        )

    def _blocks(
        self, case: Callable[[range], _Block], threads: int, progress: Progress | None
    ) -> Iterator[_Block]:
        """The blocks in the order of the file; units, which may overlap, make one block."""
        blocks = self._counted(case, threads, progress or Progress(enabled=False))
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

    def _counted(
        self, case: Callable[[range], _Block], threads: int, progress: Progress
    ) -> Iterator[_Block]:
        """The blocks, counted in the summary and by `progress`."""
        if self._style != "upper":
            self._model = fitted_to_file(self._model, self._document, self._lines, self._input_case)
        position = 0
        for block in ordered_map(case, self._lines.blocks(), threads):
            for name in _COUNTS:
                total = getattr(self.summary, name) + getattr(block.summary, name)
                setattr(self.summary, name, total)
            progress.add_bytes(max(0, block.end - position))
            progress.add_words(block.summary.n_words)
            position = max(position, block.end)
            yield block
        progress.add_bytes(len(self._document.data) - position)

    def _cased(self, lines: bytes, sources: bytes | None, style: str) -> bytes:
        """Case newline-separated lines, with as many lines of sources."""
        arguments: dict[str, Any] = {"threads": 1, "input_case": self._input_case}
        if sources is not None:
            arguments["source"] = sources
        if self._sentence_start is not None:
            arguments["sentence_start"] = self._sentence_start
        if style != "sentence":
            arguments["style"] = style
        cased = self._model.case_block(lines, **arguments)
        if sources is None or self._style not in ("sentence", "source"):
            return cased
        return with_labels(lines, cased, sources)

    def _case(self, block: range) -> _Block:
        """Case some segments; runs in any thread."""
        segments = self._document.segments
        summary = Summary(n_segments=len(block))
        # To these, a line of mixed case is the whole line of the file.
        kept: Collection[int] = ()
        if self._input_case == "auto" and isinstance(segments, Units):
            kept = segments.in_capitals
        cased_texts: dict[int, tuple[Flow, str]] = {}
        for style, numbers, given in self._lines.by_style(block):
            summary.n_with_source += given.n_with_source
            sources = None if given.sources is None else given.sources.encode("utf-8")
            cased_lines = self._cased(given.lines.encode("utf-8"), sources, style).decode("utf-8")
            cased_texts.update(zip(numbers, given.cut(cased_lines), strict=True))
        changed: list[tuple[Piece, str]] = []
        changes: list[tuple[int, str, str]] = []
        for i in block:
            flow, cased = cased_texts[i]
            if i in kept:
                cased = flow.text
            if self._corrector is not None:
                cased = self._corrector(i, cased)
            found = self._changed(flow, cased, summary)
            if found:
                changed += found
                changes.append((segments.target_start[i], flow.text, cased))
        return _Block(changed, changes, summary, segments.target_end[block[-1]])

    def _changed(self, flow: Flow, cased: str, summary: Summary) -> list[tuple[Piece, str]]:
        """The pieces of a text that change; counts them in `summary`."""
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
        """Case some segments by compiled code; runs in any thread."""
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

        assert document.kind.notation is not None
        texts = SegmentTexts(
            document.data,
            segments,
            block,
            document.kind.notation,
            lines_of,
            has_accelerators=document.kind.has_accelerators,
            takes_source=self._lines.takes_source,
        )
        cased = self._cased(texts.lines, texts.sources, self._style)
        position = segments.target_end[block[0] - 1] if block[0] else 0
        output = texts.put_back(cased, position, splices_of)
        sources = segments.source_start[block.start : block.stop]
        summary.n_with_source = sum(start >= 0 for start in sources)
        summary.n_changed += texts.n_changed
        summary.n_words += texts.n_words
        summary.n_changed_words += texts.n_changed_words
        return _Block([], [], summary, segments.target_end[block[-1]], output)


def case_file(
    path: StrPath,
    output: StrPath,
    model: CasesBlocks | StrPath | None = None,
    *,
    format: str | None = None,
    encoding: str | None = None,
    field: str | None = None,
    source_language: str | None = None,
    target_language: str | None = None,
    input_case: InputCase | None = None,
    sentence_start: SentenceStart | None = None,
    style: FileStyle = "sentence",
    leave: Collection[str] = (FINAL, LOCKED),
    punctuate: bool = False,
    marks: Iterable[str] | None = None,
    threads: int = 1,
) -> Summary:
    """Case the texts of a file: subtitles, a transcript, translations, a catalogue, a document.

    Parameters
    ----------
    path : path-like
        The file, plain or compressed.
    output : path-like
        The cased file, which may be `path`; compressed if its name says so. It is written
        completely or not at all.
    model : Truecaser or path-like, optional
        A truecaser, the path of a model, or the name of an installed one. By default that of the
        language that the file names, if it is installed, else ``en``. ``auto``: if the file names
        none, the model of each sentence's language cases it, as in a `MultilingualTruecaser`.
    format : str, optional
        One of `truecase.formats.registry.FORMATS`; detected by name and content by default.
    encoding : str, optional
        The file's character set; by default the one that the file names.
    field : str, optional
        The field of a manifest that holds the text; ``text`` by default.
    source_language, target_language : str, optional
        For files of translations. Targets in another language than the model's are refused, or
        cased with a warning if `target_language` is given.
    input_case, sentence_start
        As for `truecase.options.Casing`.
    style : str
        One of `truecase.options.FileStyle`. ``source``, for files of translations: a text is a
        title, upper case or continued in lower case if its source is.
    leave : collection of str
        Segments of XLIFF with these marks stay: ``final``, ``locked``.
    punctuate : bool
        Add missing punctuation to transcripts and subtitles, each mark behind its word. Cues keep
        their times and words.
    marks : iterable of str, optional
        The marks that `punctuate` may add; all of the model's by default.
    threads : int
        The output does not depend on it.

    Returns
    -------
    Summary

    Raises
    ------
    FormatError
        The file is broken or has another format, and the message names the line; or an argument
        has no effect on it; or the model has another language.
    OSError
        A file cannot be read or written.
    """
    check_arguments(case_file, locals())
    data = read_whole(path)
    document = read_document(
        data,
        display_name(path),
        format,
        ReadOptions(Languages(source_language, target_language), tuple(leave), field),
        encoding,
    )
    _check_use(document, source_language, style, leave)
    check_output_name(document, display_name(output))
    if marks is not None and not punctuate:
        raise FormatError("marks are put only with punctuate=True")
    truecaser: CasesBlocks = loaded(model_for(document, model))
    if punctuate:
        document = punctuated(document, truecaser, marks)
    if style != "sentence" and not takes_style(truecaser):
        raise FormatError(f"style {style!r}: this model writes nothing but sentences")
    what = other_language(truecaser, document)
    if what is not None and target_language is None:
        raise FormatError(
            f"{document.name}: {what}; give another model, or "
            f"target_language={document.languages.target!r} to case them all the same"
        )
    if what is not None:
        warnings.warn(what, stacklevel=2)
    warn_of_texts(truecaser, document)
    caser = FileCaser(document, truecaser, input_case, sentence_start, style=style)
    with write_file(output) as written:
        written.writelines(caser.output(threads))
    return caser.summary


def _check_use(
    document: Document, source_language: str | None, style: str, leave: Collection[str]
) -> None:
    """Refuse arguments without effect."""
    unknown = set(leave) - {FINAL, LOCKED}
    if unknown:
        raise FormatError(f"leave has {min(unknown)!r}, expected {FINAL!r} and {LOCKED!r} at most")
    if set(leave) != {FINAL, LOCKED} and not document.format.startswith("XLIFF"):
        raise FormatError(
            f"{document.name}: leave: only XLIFF has these marks, not {document.format}"
        )
    what = "style 'source'" if style == "source" and not document.has_sources else ""
    if source_language is not None and document.languages.source is None:
        what = what or "source_language"
    if what:
        raise FormatError(f"{document.name}: {what}: a file in {document.format} has no sources")


def check_output_name(
    document: Document, output: str, kind: type[TruecaseError] = FormatError
) -> None:
    """Raise an error of this kind if the output's name promises another format than the file's."""
    promised = format_by_extension(output, FORMATS)
    if promised not in (None, document.kind.name, format_by_extension(document.name, FORMATS)):
        raise kind(f"{output}: named as {promised}, but the file stays {document.format}")


def model_for(document: Document, model: Model | None) -> Model | str | None:
    """The model that was given, or else the installed one of the file's language, if any.

    ``auto`` counts as given if the file names no language.
    """
    target = document.languages.target
    return model_of_language(target) if target and model in (None, "auto") else model


def warn_of_texts(model: CasesBlocks, document: Document) -> None:
    """Warn if a file names no language, and its texts are evidently not in the model's."""
    if document.languages.target is None:
        warn_of_language(document.beginning(), language_of(model), 3)


def language_of(model: CasesBlocks) -> str:
    """The language of a model; empty if unknown."""
    about = getattr(model, "about", None)
    return "" if about is None else str(about().get("language", ""))


def other_language(model: CasesBlocks, document: Document) -> str | None:
    """A warning if the targets are in another language than the model; else None."""
    target = document.languages.target
    language = language_of(model)
    if not target or not language or primary(target) == primary(language):
        return None
    what = f"the model was trained for {language}, the targets are in {target}"
    missing = primary(target) in languages() and model_of_language(target) is None
    return f"{what}, and {missing_model(target)}" if missing else what
