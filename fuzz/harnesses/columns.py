"""Arrow arrays of any buffers through the C data interface: cased as rows, or refused."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from draw import Draw
from judge import expect, one_line
from models import truecaser

from truecase.errors import TruecaseError

GUIDES = ("truecase.truecaser",)
MAX_LENGTH = 800

_LETTERS = (b"u", b"U", b"vu", b"n", b"i", b"c", b"C")
_LETTERS += (b"z", b"+s", b"", None, b"\xff", b"l", b"tdD")
_INDICES = (b"c", b"C", b"s", b"S", b"i", b"I", b"l", b"L")
_KEEP = 1 << 12  # buffers are longer than any length asked of them, as the interface promises


class _Numbers:
    """A buffer whose numbers are mostly sound: they rise by what is drawn."""

    def __init__(self, draw: Draw, n: int, size: int, *, rising: bool, limit: int) -> None:
        self.values: list[int] = []
        place = 0
        for _ in range(n):
            step = draw.byte()
            if step == 255:
                value = int.from_bytes(draw.bytes(size), "little", signed=True)
            elif rising:
                place = min(place + step % 16, limit)
                value = place
            else:
                value = step % max(limit, 1) if step < 250 else step - 255
            self.values.append(value)
        self.data = b"".join(
            (value & ((1 << 8 * size) - 1)).to_bytes(size, "little") for value in self.values
        )


def check(data: bytes) -> None:
    from raw_arrow import Raw

    draw = Draw(data)
    how = draw.byte()
    column = _column(draw)
    arguments = {}
    if how & 1:
        arguments["source"] = _column(draw)
    if how & 2:
        arguments["alignment"] = _column(draw)
        arguments.setdefault("source", _column(draw))
    arguments["threads"] = 1 + how // 4 % 2
    arguments["context"] = ("line", "document")[how // 8 % 2]
    confidence = how & 16 != 0
    decoder = truecaser(("ngram", "bilingual", "crf-neural")[how // 32 % 3])
    assert isinstance(column, Raw)
    try:
        made = decoder.column(column, confidence=confidence, **arguments)
    except TruecaseError as error:
        one_line(error)
        return
    text = made.text if confidence else made
    n_rows = max(column.array.length, 0)
    expect(len(text) == n_rows, f"{n_rows} rows become {len(text)}")
    text.to_pylist()
    if confidence:
        sure = made.confidence.to_pylist()
        expect(all(one is None or -1e-3 <= one <= 1.001 for one in sure), f"no shares: {sure}")


def _column(draw: Draw) -> object:
    """An array, or a dictionary of one."""
    if draw.byte() % 4:
        return _texts(
            draw, draw.choice(_LETTERS) if draw.byte() % 8 == 0 else draw.choice(_LETTERS[:4])
        )
    from raw_arrow import Raw

    texts = _texts(draw, draw.choice(_LETTERS[:3]))
    letters = draw.choice(_INDICES)
    size = 1 << _INDICES.index(letters) // 2
    n = draw.byte() % 12
    numbers = _Numbers(draw, n, size, rising=False, limit=max(texts.array.length, 0))
    return Raw(letters, n, _valid(draw), numbers.data + bytes(_KEEP), dictionary=texts)


def _valid(draw: Draw) -> bytes | None:
    return None if draw.flag() else bytes([draw.byte(), draw.byte()]) + bytes(_KEEP)


def _texts(draw: Draw, letters: bytes | None) -> object:
    from raw_arrow import Raw

    n = draw.byte() % 12
    offset = draw.byte() % 4 if draw.flag() else 0
    length = n - offset if draw.byte() < 250 else draw.number(1) - 8
    n_buffers = draw.byte() % 5 if draw.byte() > 250 else None
    if length > n - offset:
        length = n - offset
    valid = _valid(draw)
    if letters == b"vu":
        return _views(draw, n, offset, length, valid, n_buffers)
    size = 8 if letters == b"U" else 4
    # What says how long the text is must be true: the interface has no other word of it.
    numbers = _Numbers(draw, n + 1, size, rising=True, limit=128)
    text = draw.bytes(64)
    end = max([0, *numbers.values])
    if end > _KEEP:
        return Raw(letters, 0, valid, bytes(_KEEP), bytes(_KEEP))
    text += b"a b " * (end // 4 + 1)
    buffers = [valid, numbers.data + bytes(_KEEP), text]
    if draw.byte() > 250:
        buffers[draw.byte() % 3] = None
    return Raw(letters, length, *buffers, offset=offset, n_buffers=n_buffers)


def _views(
    draw: Draw, n: int, offset: int, length: int, valid: bytes | None, n_buffers: int | None
) -> object:
    from raw_arrow import Raw

    views = b""
    for _ in range(n):
        size = draw.byte() % 40 if draw.byte() < 250 else draw.number(4) - (1 << 31)
        if size <= 12:
            views += struct.pack("<i12s", size, draw.bytes(max(0, size)))
        else:
            buffer = 0 if draw.byte() < 250 else draw.byte() - 128
            start = draw.byte() % 64 if draw.byte() < 250 else draw.number(4) - (1 << 31)
            views += struct.pack("<i4sii", size, draw.bytes(4), buffer, start)
    text = (draw.bytes(64) + b"new york and the us bill " * 8)[:160]
    sizes = struct.pack("<q", len(text))
    return Raw(
        b"vu", length, valid, views + bytes(_KEEP), text, sizes, offset=offset, n_buffers=n_buffers
    )


def seeds() -> Iterator[bytes]:
    import random

    draw = random.Random(3)
    for number in range(120):
        small = bytes(draw.randrange(12) for _ in range(40))
        yield bytes((number, number % 5)) + small + draw.randbytes(30) + b"mary took the us bill "
