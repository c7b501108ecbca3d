"""Cases documents: the lines of a paragraph as one, so that its sentences run over line ends.

A function of lines as one of documents, and the blocks that it is given.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

import numpy as np

from truecase.errors import DocumentError
from truecase.kernels.text import line_slices
from truecase.options import Casing, Context
from truecase.truecaser.line_ends import line_ends_inside
from truecase.truecaser.one_sense import windows

#: A document that has no end in so many bytes is cut at the next line that ends a sentence, or
#: after as many again.
LONGEST = 1 << 20

_SPACE = 0x20
_LINE_FEED = 0x0A
_ENDS_SENTENCE = (b".", b"!", b"?", b"\xe2\x80\xa6", b'."', b'!"', b'?"', b"\xe2\x80\x9d")


def case_between(case: Callable[[bytes], bytes], block: bytes, separator: bytes | None) -> bytes:
    """Case what stands between the separators of a block, which stay as they are.

    Parameters
    ----------
    case : callable
        Cases whole lines, and changes nothing but case.
    block : bytes
    separator : bytes, optional
        A line that ends a document, without what stands around it.
    """
    if separator is None:
        return case(block)
    parts = []
    begin = 0
    line = re.compile(rb"^[ \t]*%s[ \t\r]*$" % re.escape(separator), re.MULTILINE)
    for match in line.finditer(block):
        parts += [case(block[begin : match.start()]), match[0]]
        begin = match.end()
    return b"".join([*parts, case(block[begin:])])


def case_documents(case: Callable[[bytes], bytes], block: bytes) -> bytes:
    """Case whole documents, with blank lines between them.

    Parameters
    ----------
    case : callable
        Cases newline-separated lines, and changes nothing but case.
    block : bytes
        Whole documents; UTF-8.

    Returns
    -------
    bytes
        The same lines, the same but for case.
    """
    inside = line_ends_inside(block)
    if not inside.any():
        return case(block)
    data = np.frombuffer(block, np.uint8)
    joined = data.copy()
    joined[np.flatnonzero(data == _LINE_FEED)[inside]] = _SPACE
    # Case may change how many bytes a letter takes, but spaces stay in their order.
    spaces = np.flatnonzero(joined == _SPACE)
    was_end = data[spaces] == _LINE_FEED
    cased = np.frombuffer(case(joined.tobytes()), np.uint8).copy()
    cased[np.flatnonzero(cased == _SPACE)[was_end]] = _LINE_FEED
    return cased.tobytes()


def checked_separator(separator: str | None) -> bytes | None:
    """A separator as bytes.

    Raises
    ------
    DocumentError
        It is blank, or more than a line.
    """
    if separator is None:
        return None
    line = separator.strip()
    if not line or "\n" in line:
        raise DocumentError(f"separator {separator!r}: expected the text of one line")
    return line.encode("utf-8", "surrogateescape")


def document_blocks(blocks: Iterable[bytes], separator: bytes | None = None) -> Iterator[bytes]:
    """The same text in blocks of whole documents.

    Parameters
    ----------
    blocks : iterable of bytes
        Whole lines.
    separator : bytes, optional
        A line that ends a document, as a blank line does, without what stands around it.

    Yields
    ------
    bytes
        One or more documents. How the text was cut into blocks before makes no difference to
        what documents there are.
    """
    held: list[bytes] = []
    n_bytes = 0  # of the document so far
    for block in blocks:
        whole = 0
        for line in line_slices(block, 0):
            n_bytes += line.stop - line.start
            if _ends_document(block[line].strip(), n_bytes, separator):
                n_bytes = 0
                whole = line.stop
        if whole:
            yield b"".join([*held, block[:whole]])
            held = []
        if whole < len(block):
            held.append(block[whole:])
    if held:
        yield b"".join(held)


def _ends_document(line: bytes, n_bytes: int, separator: bytes | None) -> bool:
    """Whether a document of so many bytes ends with a line."""
    if not line or line == separator:
        return True
    return n_bytes >= LONGEST and (line.endswith(_ENDS_SENTENCE) or n_bytes >= 2 * LONGEST)


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
    CasingError
        There is no such context.
    DocumentError
        Lines by themselves need no document, unless with `one_sense`.
    """
    in_lines = Casing(context=context).context == "line"
    if in_lines and not one_sense:
        raise DocumentError("context line: lines by themselves are cased without a document")

    def between(lines: bytes) -> bytes:
        return case(lines) if in_lines else case_documents(case, lines)

    def function(block: bytes) -> bytes:
        return case_between(between, block, separator)

    if not one_sense:
        return function, lambda blocks: document_blocks(blocks, separator)
    return function, lambda blocks: windows(blocks, separator, at_blank_lines=not in_lines)
