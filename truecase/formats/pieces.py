"""Making and cutting pieces."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from truecase.formats.flow import FIXED, PLAIN, Piece
from truecase.text.white_space import is_space


def plain(data: bytes, start: int, end: int) -> Piece:
    """Bytes that are text as they stand."""
    return Piece(PLAIN, start, end, data[start:end].decode("utf-8"))


def blank(position: int) -> Piece:
    """A blank that the model sees and the file does not have."""
    return Piece(FIXED, position, position, " ")


def text_of(pieces: Iterable[Piece]) -> str:
    """What pieces stand for."""
    return "".join(piece.text for piece in pieces)


def word_spans(pieces: Sequence[Piece]) -> Iterator[tuple[int, int]]:
    """Where, in the bytes of a file, each word of a text begins and ends."""
    start = end = None
    for piece in pieces:
        place = piece.start
        for character in piece.text:
            if is_space(character):
                if start is not None and end is not None:
                    yield start, end
                start = end = None
            elif start is None:
                start = place
            if piece.kind == PLAIN:
                place += len(character.encode("utf-8"))
            if not is_space(character):
                end = place if piece.kind == PLAIN else piece.end
    if start is not None and end is not None:
        yield start, end


def last_word_end(pieces: Sequence[Piece]) -> int | None:
    """Where the last word of a text ends, in bytes."""
    for piece in reversed(pieces):
        said = piece.text.rstrip()
        if said:
            return piece.start + len(said.encode("utf-8")) if piece.kind == PLAIN else piece.end
    return None


def cut(pieces: Iterable[Piece], start: int, end: int) -> list[Piece]:
    """Characters `start` … `end` - 1 of the text of pieces."""
    found = []
    position = 0
    for piece in pieces:
        kind, first, last, text = piece
        low, high = max(0, start - position), min(len(text), end - position)
        position += len(text)
        if low >= high:
            continue
        if low == 0 and high == len(text):
            found.append(piece)
        elif kind == PLAIN:
            begin = first + len(text[:low].encode("utf-8"))
            part = text[low:high]
            found.append(Piece(kind, begin, begin + len(part.encode("utf-8")), part))
        else:
            found.append(Piece(kind, first, last, text[low:high]))
    return found


def split_plain(
    pieces: Iterable[Piece],
    pattern: re.Pattern[str],
    stand_in: Callable[[re.Match[str], int, int], Piece | None],
) -> list[Piece]:
    """Pieces with what a pattern finds in plain ones made pieces of their own.

    Parameters
    ----------
    pieces : iterable of Piece
    pattern : compiled pattern
    stand_in : callable
        The piece for a match, and where its bytes are; None if it is not to be seen.
    """
    found: list[Piece] = []
    for piece in pieces:
        if piece.kind != PLAIN:
            found.append(piece)
            continue
        text = piece.text
        position, done = piece.start, 0
        for match in pattern.finditer(text):
            if done < match.start():
                part = text[done : match.start()]
                n_bytes = len(part.encode("utf-8"))
                found.append(Piece(PLAIN, position, position + n_bytes, part))
                position += n_bytes
            n_bytes = len(match[0].encode("utf-8"))
            shown = stand_in(match, position, position + n_bytes)
            if shown is not None:
                found.append(shown)
            position += n_bytes
            done = match.end()
        if done == 0:
            found.append(piece)
        elif done < len(text):
            found.append(Piece(PLAIN, position, piece.end, text[done:]))
    return found
