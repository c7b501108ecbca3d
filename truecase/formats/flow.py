"""The text of one segment, gathered from the pieces of a file that hold it.

A sentence that tags, escapes or ends of strings interrupt is one text for the model; what
the model changes is written back piece by piece, and the bytes between stay.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from truecase.formats.protect import Protected, shown

#: Kinds of pieces: UTF-8 as it stands; a character reference of XML, by a decimal or by a
#: hexadecimal number; text that is shown to the model and not changed, which may stand for
#: bytes or for none; a character of JSON as ``\\u00e9``, with digits in lower or upper case.
PLAIN, DECIMAL, HEXADECIMAL, FIXED, ESCAPED, UPPER_ESCAPED = range(6)


class Piece(NamedTuple):
    """Text that bytes `start` … `end` - 1 of a file stand for."""

    kind: int
    start: int
    end: int
    text: str


class Splice(NamedTuple):
    """Bytes that take the place of bytes `start` … `end` - 1 of a file."""

    start: int
    end: int
    data: bytes


_LINE_END = re.compile(r"[\r\n]")
# A blank line separates texts; any other end of line is white space within one.
_BREAK = re.compile(r"\n[ \t\r]*\n\s*")


class Flow:
    """One text, and how to put its changes back.

    Parameters
    ----------
    pieces : sequence of Piece
        In the order of the file.
    protect : callable
        Tells what in the text is not to change.
    """

    __slots__ = ("_kept", "_pieces", "line", "text")

    def __init__(self, pieces: Sequence[Piece], protect: Callable[[str], list[Protected]]) -> None:
        self._pieces = pieces
        self.text = pieces[0].text if len(pieces) == 1 else "".join([p.text for p in pieces])
        self._kept = protect(self.text)
        #: What the model gets: one line for each paragraph of the text.
        self.line = self._shown()

    def _shown(self) -> str:
        line = shown(self.text, self._kept)
        return paragraphs(line) if _LINE_END.search(line) else line

    @property
    def n_lines(self) -> int:
        """Lines of `line`."""
        return self.line.count("\n") + 1

    def cased(self, line: str) -> str:
        """The whole text in the case of `line`.

        Raises
        ------
        ValueError
            If `line` differs from the one given in more than case, as far as lengths tell.
        """
        if len(line) != len(self.line):
            raise ValueError("the model has changed more than the case of a text")
        if not self._kept:
            return _with_line_ends(line, self.text)
        parts = []
        position = n_line = 0
        for start, end, stand_in in self._kept:
            n = start - position
            parts += [line[n_line : n_line + n], self.text[start:end]]
            n_line += n + len(stand_in)
            position = end
        parts.append(line[n_line:])
        return _with_line_ends("".join(parts), self.text)

    def span(self, start: int, end: int) -> tuple[int, int] | None:
        """Where characters of `line` stand in `text`; None if something protected is among them.

        Parameters
        ----------
        start, end : int
            The first character and the one after the last.
        """
        hidden = 0
        for kept_start, kept_end, stand_in in self._kept:
            shown_start = kept_start - hidden
            if end <= shown_start:
                break
            if start < shown_start + len(stand_in):
                return None
            hidden += kept_end - kept_start - len(stand_in)
        return start + hidden, end + hidden

    def changed(
        self, cased: str, can_write: Callable[[str], bool] | None = None
    ) -> list[tuple[Piece, str]]:
        """The pieces whose text has to change for the text to become `cased`, and to what.

        Parameters
        ----------
        cased : str
            As `cased` gave it.
        can_write : callable, optional
            Whether the file's character set has a letter; one that it has not stays.
        """
        found = []
        position = 0
        for piece in self._pieces:
            text = piece.text
            new = cased[position : position + len(text)]
            position += len(text)
            if new == text or piece.kind == FIXED:
                continue
            if can_write is not None and not can_write(new):
                new = "".join(b if can_write(b) else a for a, b in zip(text, new, strict=True))
                if new == text:
                    continue
            found.append((piece, new))
        return found


def splice(piece: Piece, text: str) -> Splice:
    """What to write for a piece to have another text, of the same length."""
    kind = piece.kind
    if kind == DECIMAL:
        text = f"&#{ord(text)};"
    elif kind == HEXADECIMAL:
        text = f"&#x{ord(text):X};"
    elif kind in (ESCAPED, UPPER_ESCAPED):
        digits = text.encode("utf-16-be", "surrogatepass").hex()
        if kind == UPPER_ESCAPED:
            digits = digits.upper()
        text = "".join(f"\\u{digits[i : i + 4]}" for i in range(0, len(digits), 4))
    return Splice(piece.start, piece.end, text.encode("utf-8"))


def paragraphs(text: str) -> str:
    """A text of the same length with one line for each of its paragraphs."""
    if _BREAK.search(text) is None:
        return _LINE_END.sub(" ", text)
    parts = []
    position = 0
    for gap in _BREAK.finditer(text):
        parts += [
            _LINE_END.sub(" ", text[position : gap.start()]),
            "\n" + _LINE_END.sub(" ", gap[0][1:]),
        ]
        position = gap.end()
    parts.append(_LINE_END.sub(" ", text[position:]))
    return "".join(parts)


def source_lines(source: str, n_lines: int) -> str:
    """The source of each of a target's paragraphs: its own, or if that is not clear, all."""
    lines = paragraphs(source) if _LINE_END.search(source) else source
    if lines.count("\n") + 1 == n_lines:
        return lines
    return "\n".join([lines.replace("\n", " ")] * n_lines)


def _with_line_ends(cased: str, text: str) -> str:
    ends = _LINE_END.finditer(text)
    first = next(ends, None)
    if first is None:
        return cased
    parts = []
    position = 0
    for end in itertools.chain((first,), ends):
        parts += [cased[position : end.start()], end[0]]
        position = end.end()
    parts.append(cased[position:])
    return "".join(parts)
