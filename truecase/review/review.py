"""Pages of files, and files with the corrections from their pages."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from truecase.files.atomic import atomic_write
from truecase.files.read import display_name, open_bytes
from truecase.formats.detect import TEXT
from truecase.formats.document import Document, read_document
from truecase.formats.file_caser import FileCaser, Summary
from truecase.formats.languages import Languages
from truecase.formats.model_language import other_language
from truecase.report.review_page import review_page
from truecase.review.corrections import Corrections, Corrector, read_corrections
from truecase.review.page_data import page_data
from truecase.review.places import cased_segments
from truecase.review.settings import ReviewError, ReviewSettings

if TYPE_CHECKING:
    from truecase.files.progress import Progress
    from truecase.formats.file_caser import CasesBlocks
    from truecase.options import InputCase
    from truecase.truecaser import Truecaser

#: Words on a page, if not told otherwise.
N_WORDS = 100_000


def review_file(
    path: str | os.PathLike[str],
    output: str | os.PathLike[str],
    model: Truecaser | None = None,
    settings: ReviewSettings | None = None,
    *,
    n_words: int = N_WORDS,
) -> int:
    """Write a page on which to look at the words that the model is least certain of.

    Parameters
    ----------
    path : path-like
        Plain text, or any file that `truecase.case_file` takes, plain or compressed.
    output : path-like
        Where to write the page, HTML that needs no other file.
    model : Truecaser, optional
        By default what `settings` name.
    settings : ReviewSettings, optional
        How the text is cased.
    n_words : int
        Most words on the page, the least certain ones.

    Returns
    -------
    int
        Words on the page.

    Raises
    ------
    FormatError
        The file is not what it should be.
    ReviewError
        There is no word in it.
    OSError
        A file cannot be read or written.
    """
    settings = settings or ReviewSettings()
    name = display_name(os.fspath(path))
    with open_bytes(os.fspath(path)) as file:
        document = read_reviewed(file.read(), name, settings)
    page, n_places = page_of(document, model or loaded(settings), settings, n_words)
    with atomic_write(output) as written:
        written.write(page)
    return n_places


def apply_corrections(
    path: str | os.PathLike[str],
    corrections: str | os.PathLike[str],
    output: str | os.PathLike[str],
    model: Truecaser | None = None,
    *,
    threads: int = 1,
) -> Summary:
    """Case a file as when its page was made, and put the corrections from the page into it.

    Parameters
    ----------
    path : path-like
        The file that was reviewed, or the same text in any other case.
    corrections : path-like
        What the page has handed back.
    output : path-like
        Where to write the file; may be `path`. It appears whole or not at all.
    model : Truecaser, optional
        By default the one that the corrections name.
    threads : int

    Returns
    -------
    Summary
        How many texts and words there are, and how many have changed.

    Raises
    ------
    ReviewError
        The corrections are broken, or of another text, or the model makes something else of the
        text than when it was reviewed.
    FormatError
        The file is not what it should be.
    OSError
        A file cannot be read or written.
    """
    given = read_corrections(corrections)
    name = display_name(os.fspath(path))
    with open_bytes(os.fspath(path)) as file:
        document = read_reviewed(file.read(), name, given.settings)
    corrected = CorrectedFile(document, given, model or loaded(given.settings))
    output_bytes = corrected.output(threads)
    with atomic_write(output) as written:
        written.write(output_bytes)
    return corrected.summary


def loaded(settings: ReviewSettings) -> Truecaser:
    """The model that settings name."""
    from truecase.truecaser import Truecaser

    return Truecaser.load(
        settings.model,
        decode_with=settings.decode_with,
        names=settings.names or None,
        after_colon=settings.after_colon,
        offices=settings.offices,
    )


def read_reviewed(
    data: bytes, name: str, settings: ReviewSettings, progress: Progress | None = None
) -> Document:
    """The document of a file; what is no other format is plain text.

    Raises
    ------
    FormatError
    """
    return read_document(
        data,
        name,
        settings.format,
        Languages(settings.source_language, settings.target_language),
        progress=progress,
        encoding=settings.encoding,
        field=settings.field,
        context=settings.context,
        otherwise=TEXT,
    )


def page_of(
    document: Document,
    model: Truecaser,
    settings: ReviewSettings,
    n_words: int = N_WORDS,
    progress: Progress | None = None,
) -> tuple[bytes, int]:
    """The page of a document, and how many words are on it.

    Raises
    ------
    ReviewError
        There is no word in it; or it is in another language than the model, and nobody said
        which language is to be cased.
    """
    other = other_language(model, document)
    if other is not None and settings.target_language is None:
        raise ReviewError(
            f"{document.name}: {other}: give another model, or the language that is to be cased"
        )
    segments = cased_segments(
        document,
        model,
        input_case=settings.input_case,
        sentence_start=settings.sentence_start,
        keep_case=settings.keep_case,
        progress=progress,
    )
    data = page_data(document, segments, settings, model.language, n_words)
    n_places = len(data["start"])
    if n_places == 0:
        raise ReviewError(f"{document.name}: there is no word in it that could be cased")
    return review_page(data).encode("utf-8"), n_places


class CorrectedFile:
    """A document as the model cases it, with the corrections from its page.

    Parameters
    ----------
    document : Document
    corrections : Corrections
    model : Truecaser

    Attributes
    ----------
    summary : Summary
        Complete when there is `output`.
    """

    def __init__(self, document: Document, corrections: Corrections, model: Truecaser) -> None:
        settings = corrections.settings
        self._n_segments = len(document.segments)
        self._corrector = Corrector(corrections, model.language)
        cases: CasesBlocks = _AsItIs() if settings.keep_case else model
        self._caser = FileCaser(
            document,
            cases,
            settings.input_case,
            None if settings.keep_case else settings.sentence_start,
            self._corrector,
        )
        self.summary = self._caser.summary

    def output(self, threads: int = 1, progress: Progress | None = None) -> bytes:
        """The bytes of the file.

        Raises
        ------
        ReviewError
            The text or the model is another one than when the page was made, which is known when
            all is done.
        """
        output = b"".join(self._caser.output(threads, progress))
        self._corrector.check(self._n_segments)
        return output


class _AsItIs:
    """Leaves text as it is."""

    def case_block(self, block: bytes, threads: int = 1, input_case: InputCase = "ignore") -> bytes:
        return block
