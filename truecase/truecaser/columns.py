"""A column of text, of whatever library has Arrow's columns. A method of `Truecaser`."""

from typing import TYPE_CHECKING, Literal, overload

from truecase.options import Context, InputCase, SentenceStart, Style
from truecase.truecaser.arguments import source_lines

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from truecase.truecaser import Truecaser
    from truecase.truecaser.column import CasedColumn, Column


@overload
def column(
    self: "Truecaser",
    column: object,
    threads: int = 1,
    input_case: InputCase | None = None,
    style: Style | None = None,
    *,
    source: object = None,
    alignment: object = None,
    sentence_start: SentenceStart | None = None,
    context: Context | None = None,
    confidence: Literal[False] = False,
) -> "Column": ...


@overload
def column(
    self: "Truecaser",
    column: object,
    threads: int = 1,
    input_case: InputCase | None = None,
    style: Style | None = None,
    *,
    source: object = None,
    alignment: object = None,
    sentence_start: SentenceStart | None = None,
    context: Context | None = None,
    confidence: Literal[True],
) -> "CasedColumn": ...


def column(
    self: "Truecaser",
    column: object,
    threads: int = 1,
    input_case: InputCase | None = None,
    style: Style | None = None,
    *,
    source: object = None,
    alignment: object = None,
    sentence_start: SentenceStart | None = None,
    context: Context | None = None,
    confidence: bool = False,
) -> "Column | CasedColumn":
    """Case a column of text, of whatever library has Arrow's columns.

    Its rows are read where they lie and written to one new column of the same type, without
    an object for each. Line ends within a row are text, as in a call of the truecaser.

    Parameters
    ----------
    column : object
        With ``__arrow_c_array__`` or ``__arrow_c_stream__``: a column of pyarrow, polars,
        pandas 3, nanoarrow, datasets. Of string, large_string, string_view, or a dictionary
        of these, whose texts are cased once.
    threads : int
    input_case, style, sentence_start, context : str, optional
        In place of those of the truecaser. In the context ``document``, each row is a document.
    source : object, optional
        A column of as many rows, the sentences that these are translations of; null: none.
    alignment : object, optional
        A column of the links of each row, as for a call of the truecaser.
    confidence : bool
        Also give the probability of each row's least certain word.

    Returns
    -------
    Column or CasedColumn
        It offers ``__arrow_c_stream__``, and, where `column` is in one piece,
        ``__arrow_c_array__``; with `confidence`, a pair of such columns.

    Raises
    ------
    WrongTypeError, ColumnError
        One of them is no column of text, or broken, or of another length.
    AlignmentError
        A row of `alignment` is broken, or not of these words.
    """
    from truecase.errors import DocumentError
    from truecase.evaluation._posteriors import line_confidences
    from truecase.truecaser.column import CasedColumn, case_column
    from truecase.truecaser.document import case_documents

    if not isinstance(threads, int) or threads < 1:
        raise ValueError(f"threads {threads!r}: expected a whole number, 1 or more")
    if alignment is not None and source is None:
        raise ValueError("an alignment needs its source")
    casing = self._casing(input_case, style, sentence_start).but(context=context)
    in_documents = casing.context == "document"
    if in_documents and source is not None:
        raise DocumentError("context document: sources are of lines")

    def cased(block: bytes, sources: bytes | None, links: bytes | None) -> bytes:
        if in_documents:
            return case_documents(lambda part: self._case_part(part, casing), block)
        return self._case_part(block, casing, **source_lines(block, sources, links))

    def confidences(
        block: bytes, sources: bytes | None, links: bytes | None
    ) -> "npt.NDArray[np.float64]":
        return line_confidences(
            self._compiled, block, casing, **source_lines(block, sources, links)
        )

    text, sure = case_column(
        column,
        cased,
        confidences if confidence else None,
        source=source,
        alignment=alignment,
        threads=threads,
        n_feeds=2 if in_documents else 1,
    )
    return text if sure is None else CasedColumn(text, sure)
