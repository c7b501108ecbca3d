"""A function of lines as one of documents, and the blocks that it is given."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import get_args

from truecase.choices import Context
from truecase.documents.document import DocumentError, case_documents, document_blocks
from truecase.documents.one_sense import windows

#: Cases newline-separated lines, and changes nothing but case.
CasesLines = Callable[[bytes], bytes]


def by_document(
    case: CasesLines,
    context: Context,
    separator: bytes | None,
    knowing: Callable[[bytes], CasesLines] | None,
) -> tuple[CasesLines, Callable[[Iterable[bytes]], Iterator[bytes]]]:
    """What cases blocks of documents, and what makes such blocks of a text's.

    Parameters
    ----------
    case : callable
        Cases lines, each of them by itself.
    context : {"document", "line"}
        Whether sentences run over line ends.
    separator : bytes, optional
        A line that ends a document.
    knowing : callable, optional
        Makes, of a block, a function like `case` that knows what the block says of its words.

    Raises
    ------
    DocumentError
        There is no such context, or in the context of lines nothing that a document is for.
    """
    if context not in get_args(Context):
        raise DocumentError(f"context {context!r}: expected one of {', '.join(get_args(Context))}")
    in_lines = context == "line"
    if in_lines and knowing is None:
        raise DocumentError("context line: lines by themselves are cased without a document")

    def function(block: bytes) -> bytes:
        if knowing is None:
            return case_documents(case, block, separator)
        if in_lines:
            return knowing(block)(block)
        return case_documents(lambda lines: knowing(lines)(lines), block, separator)

    if knowing is None:
        return function, lambda blocks: document_blocks(blocks, separator)
    return function, lambda blocks: windows(blocks, separator, at_blank_lines=not in_lines)
