"""A function of lines as one of documents, and the blocks that it is given."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import get_args

from truecase.documents.document import (
    DocumentError,
    case_between,
    case_documents,
    document_blocks,
)
from truecase.documents.one_sense import windows
from truecase.options import Context

#: Cases newline-separated lines, and changes nothing but case.
CasesLines = Callable[[bytes], bytes]


def by_document(
    case: CasesLines, context: Context, separator: bytes | None, *, one_sense: bool
) -> tuple[CasesLines, Callable[[Iterable[bytes]], Iterator[bytes]]]:
    """What cases blocks of documents, and what makes such blocks of a text's.

    Parameters
    ----------
    case : callable
        Cases lines.
    context : {"document", "line"}
        Whether sentences run over line ends.
    separator : bytes, optional
        A line that ends a document.
    one_sense : bool
        `case` goes by what the lines of a block say of each other: it gets windows of them.

    Raises
    ------
    DocumentError
        There is no such context, or in the context of lines nothing that a document is for.
    """
    if context not in get_args(Context):
        raise DocumentError(f"context {context!r}: expected one of {', '.join(get_args(Context))}")
    in_lines = context == "line"
    if in_lines and not one_sense:
        raise DocumentError("context line: lines by themselves are cased without a document")

    def between(lines: bytes) -> bytes:
        return case(lines) if in_lines else case_documents(case, lines)

    def function(block: bytes) -> bytes:
        return case_between(between, block, separator)

    if not one_sense:
        return function, lambda blocks: document_blocks(blocks, separator)
    return function, lambda blocks: windows(blocks, separator, at_blank_lines=not in_lines)
