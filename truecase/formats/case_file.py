"""Cases files from Python, with the same bytes as ``truecase file``."""

from __future__ import annotations

import os
import warnings
from collections.abc import Collection, Iterable
from typing import get_args

from truecase.base.atomic import atomic_write
from truecase.base.read import display_name, open_bytes
from truecase.errors import FormatError
from truecase.formats.file_caser import CasesBlocks, FileCaser, Summary, takes_style
from truecase.formats.format import Document, ReadOptions
from truecase.formats.punctuation import punctuated
from truecase.formats.registry import read_document
from truecase.formats.segments import FINAL, LOCKED, Languages
from truecase.kernels.text import primary
from truecase.options import FileStyle, InputCase, SentenceStart, StrPath


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
    input_case: InputCase = "ignore",
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
        The cased file, which may be `path`. It is written completely or not at all.
    model : Truecaser or path-like, optional
        A truecaser, the path of a model, or the name of an embedded one; ``en`` by default.
    format : str, optional
        One of `truecase.formats.registry.FORMATS`; detected by name and content by default.
    encoding : str, optional
        The file's character set; by default as the file says.
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
    with open_bytes(os.fspath(path)) as file:
        data = file.read()
    document = read_document(
        data,
        display_name(os.fspath(path)),
        format,
        ReadOptions(Languages(source_language, target_language), tuple(leave), field),
        encoding,
    )
    _check_use(document, source_language, style, leave)
    if marks is not None and not punctuate:
        raise FormatError("marks are put only with punctuate=True")
    loaded = _loaded(model)
    if punctuate:
        document = punctuated(document, loaded, marks)
    if style != "sentence" and not takes_style(loaded):
        raise FormatError(f"style {style!r}: this model writes nothing but sentences")
    what = other_language(loaded, document)
    if what is not None and target_language is None:
        raise FormatError(
            f"{document.name}: {what}: give another model, or "
            f"target_language={document.languages.target!r} to case them all the same"
        )
    if what is not None:
        warnings.warn(what, stacklevel=2)
    caser = FileCaser(document, loaded, input_case, sentence_start, style=style)
    with atomic_write(output) as written:
        for piece in caser.output(threads):
            written.write(piece)
    return caser.summary


def _check_use(
    document: Document, source_language: str | None, style: str, leave: Collection[str]
) -> None:
    """Refuse arguments without effect."""
    unknown = set(leave) - {FINAL, LOCKED}
    if unknown:
        raise FormatError(f"leave has {min(unknown)!r}, expected {FINAL!r} and {LOCKED!r} at most")
    is_xliff = document.format.startswith("XLIFF")
    if set(leave) != {FINAL, LOCKED} and not is_xliff:
        raise FormatError(
            f"{document.name}: leave: only XLIFF has these marks, not {document.format}"
        )
    if style not in get_args(FileStyle):
        raise FormatError(f"style {style!r}: expected one of {', '.join(get_args(FileStyle))}")
    if style == "source" and not document.has_sources:
        raise FormatError(
            f"{document.name}: style 'source': a file in {document.format} has no sources"
        )
    if source_language is not None and document.languages.source is None:
        raise FormatError(
            f"{document.name}: source_language: a file in {document.format} has no sources"
        )


def _loaded(model: CasesBlocks | StrPath | None) -> CasesBlocks:
    from truecase.truecaser import Truecaser

    if model is None or isinstance(model, str | os.PathLike):
        return Truecaser.load(model)
    return model


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
    return f"the model was trained for {language}, the targets are in {target}"
