"""A column of text, of whatever library has Arrow's columns. A method of `Truecaser`."""

from typing import TYPE_CHECKING, Literal, get_args, overload

from truecase.options import Context, InputCase, SentenceStart, Style
from truecase.truecaser.arguments import source_lines

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    import numpy.typing as npt

    from truecase.columns.column import CasedColumn, Column
    from truecase.truecaser import Truecaser


@overload
def column(
    self: "Truecaser",
    column: object,
    threads: int = 1,
    input_case: InputCase = "ignore",
    style: Style | None = None,
    *,
    source: object = None,
    alignment: object = None,
    sentence_start: SentenceStart = "always",
    context: Context = "line",
    confidence: Literal[False] = False,
) -> "Column": ...


@overload
def column(
    self: "Truecaser",
    column: object,
    threads: int = 1,
    input_case: InputCase = "ignore",
    style: Style | None = None,
    *,
    source: object = None,
    alignment: object = None,
    sentence_start: SentenceStart = "always",
    context: Context = "line",
    confidence: Literal[True],
) -> "CasedColumn": ...


def column(
    self: "Truecaser",
    column: object,
    threads: int = 1,
    input_case: InputCase = "ignore",
    style: Style | None = None,
    *,
    source: object = None,
    alignment: object = None,
    sentence_start: SentenceStart = "always",
    context: Context = "line",
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
    input_case, style, sentence_start
        As for a call of the truecaser.
    source : object, optional
        A column of as many rows, the sentences that these are translations of; null: none.
    alignment : object, optional
        A column of the links of each row, as for a call of the truecaser.
    context : {"line", "document"}
        ``document``: each row is a document, whose sentences run over its line ends.
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
    from truecase.columns.column import CasedColumn, case_column
    from truecase.explain._posteriors import line_confidences

    if not isinstance(threads, int) or threads < 1:
        raise ValueError(f"threads {threads!r}: expected a whole number, 1 or more")
    if alignment is not None and source is None:
        raise ValueError("an alignment needs its source")
    checked = self.style if style is None else self._checked_style(style)
    case = _case_of_context(context, source)

    def cased(block: bytes, sources: bytes | None, links: bytes | None) -> bytes:
        lines = source_lines(block, sources, links)
        return case(
            lambda part: self._case_part(
                part, input_case, checked, **lines, sentence_start=sentence_start
            ),
            block,
        )

    def confidences(
        block: bytes, sources: bytes | None, links: bytes | None
    ) -> "npt.NDArray[np.float64]":
        lines = source_lines(block, sources, links)
        return line_confidences(
            self._compiled, block, input_case, **lines, sentence_start=sentence_start
        )

    text, sure = case_column(
        column,
        cased,
        confidences if confidence else None,
        source=source,
        alignment=alignment,
        threads=threads,
        n_feeds=1 if context == "line" else 2,
    )
    return text if sure is None else CasedColumn(text, sure)


def _case_of_context(
    context: Context, source: object
) -> "Callable[[Callable[[bytes], bytes], bytes], bytes]":
    """What has a block cased by a function of lines."""
    from truecase.documents.document import DocumentError, case_documents

    if context not in get_args(Context):
        raise DocumentError(f"context {context!r}: expected one of {', '.join(get_args(Context))}")
    if context == "line":
        return lambda case, block: case(block)
    if source is not None:
        raise DocumentError("context document: sources are of lines")
    return case_documents
