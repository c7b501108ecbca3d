"""Files cased from Python, with the same bytes as by ``truecase file``."""

from __future__ import annotations

import os
from collections.abc import Iterable

from truecase.choices import InputCase, SentenceStart
from truecase.files.atomic import atomic_write
from truecase.files.read import display_name, open_bytes
from truecase.formats.document import read_document
from truecase.formats.file_caser import CasesBlocks, FileCaser, Summary
from truecase.formats.languages import Languages
from truecase.formats.segments import FINAL, LOCKED


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
    leave: Iterable[str] = (FINAL, LOCKED),
    threads: int = 1,
) -> Summary:
    """Case the texts of a subtitle, transcript, translation or catalogue file.

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
        Of files of translations.
    input_case : {"ignore", "keep", "auto"}
        What upper case means; see `truecase.Truecaser.case_block`.
    sentence_start : {"always", "learned"}, optional
    leave : iterable of str
        Segments of XLIFF with these marks stay: ``final``, ``locked``.
    threads : int
        The output does not depend on it.

    Returns
    -------
    Summary
        How many texts and words there are, and how many have changed.

    Raises
    ------
    FormatError
        The file is not what it should be; the message names the line where it can.
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
    caser = FileCaser(document, _loaded(model), input_case, sentence_start)
    with atomic_write(output) as written:
        for piece in caser.output(threads):
            written.write(piece)
    return caser.summary


def _loaded(model: CasesBlocks | str | os.PathLike[str] | None) -> CasesBlocks:
    from truecase.truecaser import Truecaser

    if model is None or isinstance(model, str | os.PathLike):
        return Truecaser.load(model)
    return model
