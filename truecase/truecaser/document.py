"""Case documents: the lines of a paragraph as one, so that its sentences run over line ends."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import numpy as np

from truecase.base.argument_types import check_arguments
from truecase.base.threads import ordered_map
from truecase.errors import DocumentError
from truecase.kernels.text import line_slices
from truecase.truecaser.arguments import decode, encode
from truecase.truecaser.line_ends import line_ends_inside

#: A document of more bytes is cut at the next line that ends a sentence, or after as many again.
LONGEST = 1 << 20

#: Cases newline-separated lines, and changes nothing but case.
CasesLines = Callable[[bytes], bytes]
#: A function that cases a part of a text, and one that cuts a text into such parts.
CasesParts = tuple[Callable[[Any], bytes], Callable[[Iterable[bytes]], Iterator[Any]]]

_SPACE = 0x20
_LINE_FEED = 0x0A
_ENDS_SENTENCE = (b".", b"!", b"?", b"\xe2\x80\xa6", b'."', b'!"', b'?"', b"\xe2\x80\x9d")


def case_between(case: CasesLines, block: bytes, separator: bytes | None) -> bytes:
    """Case the text between the separators of a block, which stay as they are.

    `separator` is a line that ends a document, without the white space around it.
    """
    if separator is None:
        return case(block)
    # Every second part is a separator.
    parts = re.split(rb"(?m)^([ \t]*%s[ \t\r]*)$" % re.escape(separator), block)
    return b"".join(part if i % 2 else case(part) for i, part in enumerate(parts))


def case_documents(case: CasesLines, block: bytes) -> bytes:
    """Case whole documents of UTF-8, with blank lines between them, by a function of lines."""
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
    """Encode a separator; raises DocumentError if it is blank, or more than a line."""
    check_arguments(checked_separator, locals())
    if separator is None:
        return None
    line = separator.strip()
    if not line or "\n" in line:
        raise DocumentError(f"separator {separator!r}: expected the text of one line")
    return line.encode("utf-8", "surrogateescape")


def document_blocks(blocks: Iterable[bytes], separator: bytes | None = None) -> Iterator[bytes]:
    """Cut a text into blocks of whole documents, however it was cut into blocks of lines before.

    A blank line ends a document, and so does `separator`, as for `case_between`.
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


def between_separators(case: CasesLines, separator: bytes | None) -> CasesParts:
    """Do `by_document` by a function that cases whole documents."""
    return (
        lambda block: case_between(case, block, separator),
        lambda blocks: document_blocks(blocks, separator),
    )


def by_document(case: CasesLines, separator: str | None) -> CasesParts:
    """Make a function that cases blocks of documents, and one that cuts a text into such blocks."""
    return between_separators(partial(case_documents, case), checked_separator(separator))


def case_lines(
    case: CasesLines, lines: list[str], threads: int, separator: str | None
) -> list[str]:
    """Do `Truecaser.document` by a function that cases blocks."""
    for place, text in enumerate(lines):
        if "\n" in text:
            raise ValueError(f"lines[{place}]: has a line feed; give its lines one by one")
    if not lines:
        return []
    function, regroup = by_document(case, separator)
    blocks = regroup(encode(f"{text}\n") for text in lines)
    return decode(b"".join(ordered_map(function, blocks, threads))).split("\n")[:-1]
