"""Files cased from Python, with the same bytes as by ``truecase file``."""

from __future__ import annotations

import os
import warnings
from collections.abc import Collection, Iterable
from typing import get_args

from truecase.files.atomic import atomic_write
from truecase.files.read import display_name, open_bytes
from truecase.formats.document import Document, read_document
from truecase.formats.errors import FormatError
from truecase.formats.file_caser import CasesBlocks, FileCaser, Summary, takes_style
from truecase.formats.languages import Languages
from truecase.formats.model_language import other_language
from truecase.formats.put_marks import punctuated
from truecase.formats.segments import FINAL, LOCKED
from truecase.options import FileStyle, InputCase, SentenceStart


def case_file(
    path: str | os.PathLike[str],
    output: str | os.PathLike[str],
    model: CasesBlocks | str | os.PathLike[str] | None = None,
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
        Where to write it; may be `path`. It appears whole or not at all.
    model : Truecaser or path-like, optional
        A truecaser, the path of a model, or the name of an embedded one; ``en`` by default.
    format : str, optional
        One of `truecase.formats.detect.FORMATS`; by default what name and content tell.
    encoding : str, optional
        How the characters are written; by default as the file says.
    field : str, optional
        Of manifests in JSON lines, the name of the text; ``text`` by default.
    source_language, target_language : str, optional
        Of files of translations. Targets in another language than the model's are refused, or
        with `target_language` cased all the same, with a warning.
    input_case : {"ignore", "keep", "auto"}
        What upper case means; see `truecase.Truecaser.case_block`.
    sentence_start : {"always", "learned"}, optional
    style : str
        ``sentence``, ``title``, ``upper``, or a guide's titles, of `truecase.options.FileStyle`.
        ``source``, for files of translations: a text is a title, upper case or goes on in lower
        case where its source does.
    leave : collection of str
        Segments of XLIFF with these marks stay: ``final``, ``locked``. Other formats have none.
    punctuate : bool
        Of transcripts and subtitles: put the marks between their words that are missing, each
        behind its word. Times, and what a cue shows, stay as they are.
    marks : iterable of str, optional
        With `punctuate`, those of the model's marks that may be put; by default all.
    threads : int
        The output does not depend on it.

    Returns
    -------
    Summary
        How many texts and words there are, and how many have changed.

    Raises
    ------
    FormatError
        The file is not what it should be; the message names the line where it can. Or an
        argument has no use for it, or the model is of another language.
    OSError
        A file cannot be read or written.
    """
    with open_bytes(os.fspath(path)) as file:
        data = file.read()
    document = read_document(
        data,
        display_name(os.fspath(path)),
        format,
        Languages(source_language, target_language),
        leave,
        encoding=encoding,
        field=field,
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
    """Refuse arguments that have no effect."""
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


def _loaded(model: CasesBlocks | str | os.PathLike[str] | None) -> CasesBlocks:
    from truecase.truecaser import Truecaser

    if model is None or isinstance(model, str | os.PathLike):
        return Truecaser.load(model)
    return model
