"""Model files whose bytes are changed anywhere, most of all in their headers."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator

import numpy as np
from draw import Draw
from entries import case_block
from judge import one_line, quiet
from models import KINDS, model_file, truecaser

from truecase.base.model_file import read_bytes
from truecase.errors import ModelError
from truecase.model.model import Model
from truecase.truecaser import Truecaser

GUIDES = ("truecase.model", "truecase.base")
MAX_LENGTH = 300

_TEXT = (
    b"mary took the iphone to new york on monday . xyzzy e-mail\n\xce\xbf\xce\xb4\xce\xbf\xcf\x83\n"
)


@functools.cache
def _parts(kind: str) -> tuple[bytes, bytes]:
    """The header and the arrays of a sound file."""
    data = model_file(kind).read_bytes()
    end = 8 + int.from_bytes(data[:8], "little")
    return data[8:end], data[end:]


def check(data: bytes) -> None:
    draw = Draw(data)
    header, arrays = _parts(draw.choice(KINDS))
    how = draw.byte()
    header = _changed_entries(draw, header) if how & 1 else _edited(draw, header)
    length = len(header)
    if how & 2:
        length = max(0, length + draw.byte() - 128)
    if how & 4:
        length = draw.number(8)
    if how & 8:
        arrays = _edited(draw, arrays)
    with quiet():
        try:
            found = read_bytes(length.to_bytes(8, "little") + header + arrays, "file")
            decoder = Truecaser(Model.of_arrays(*found))
        except ModelError as error:
            one_line(error)
            return
        case_block(decoder, _TEXT, draw)


def _edited(draw: Draw, data: bytes) -> bytes:
    """Some bytes taken out, and others put in."""
    changed = bytearray(data)
    for _ in range(1 + draw.byte() % 4):
        place = draw.number(3) % (len(changed) + 1)
        n_removed = draw.byte() % 24 if draw.byte() % 4 == 0 else 1
        changed[place : place + n_removed] = draw.bytes(draw.byte() % 24 if n_removed > 1 else 1)
    return bytes(changed)


_VALUES = (None, 0, -1, 1, 1 << 31, 1 << 63, 1 << 70, 0.5, "", "F32", "U8", "F64", "BF16", [], {})
_VALUES += ([0], [0, 0], [1, 1], [-1], [1 << 62, 1 << 62], [True], ["1"], [[1]], "x" * 50)


def _changed_entries(draw: Draw, header: bytes) -> bytes:
    """What the header says of arrays, changed one by one."""
    entries = json.loads(header)
    for _ in range(1 + draw.byte() % 3):
        name = sorted(entries)[draw.byte() % len(entries)]
        entry = entries[name]
        if name == "__metadata__" or not isinstance(entry, dict) or draw.byte() % 8 == 0:
            entries[name] = draw.choice(_VALUES)
            continue
        key = draw.choice(("dtype", "shape", "data_offsets"))
        value = entry.get(key)
        if isinstance(value, list) and value and draw.flag():
            place = draw.byte() % len(value)
            if isinstance(value[place], int):
                value[place] += draw.byte() - 128
        else:
            entry[key] = draw.choice(_VALUES)
    return json.dumps(entries).encode()


def seeds() -> Iterator[bytes]:
    truecaser("ngram")
    draw = np.random.default_rng(4)
    for number in range(150):
        yield bytes((number, number % 16 if number % 3 else number % 2)) + draw.bytes(24)
