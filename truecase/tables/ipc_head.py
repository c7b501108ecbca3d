"""How the batches of an Arrow IPC stream are compressed, which pyarrow does not tell.

Apache Arrow, "Arrow Columnar Format", section "Encapsulated message format"; its messages are
FlatBuffers, whose tables tell where each field stands.
"""

from __future__ import annotations

import struct
from typing import Protocol

#: What a file begins with, before its stream.
FILE_MARK = b"ARROW1\0\0"

_CONTINUATION = 0xFFFFFFFF
_DICTIONARY_BATCH, _RECORD_BATCH = 2, 3
_CODECS = {0: "lz4", 1: "zstd"}

# Numbers of fields: of a message, of a batch, of a batch of a dictionary, of its compression.
_HEADER_TYPE, _HEADER, _BODY_LENGTH = 1, 2, 3
_COMPRESSION = 3
_DATA = 1
_CODEC = 0

_MAX_METADATA = 1 << 28


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes | None: ...


def compression_of(file: _Readable) -> str | None:
    """The compression of the first batch: ``lz4``, ``zstd``, or None.

    Parameters
    ----------
    file : binary file
        At the start of the stream. It is read up to the head of the first batch.
    """
    try:
        while (message := _message(file)) is not None:
            table = _table_at(message, 0)
            kind = _byte(message, table, _HEADER_TYPE)
            if kind in (_DICTIONARY_BATCH, _RECORD_BATCH):
                batch = _below(message, table, _HEADER)
                if kind == _DICTIONARY_BATCH and batch is not None:
                    batch = _below(message, batch, _DATA)
                compression = None if batch is None else _below(message, batch, _COMPRESSION)
                if compression is None:
                    return None
                return _CODECS.get(_byte(message, compression, _CODEC))
    except (struct.error, IndexError):
        pass  # whoever reads the stream tells what is wrong with it
    return None


def _message(file: _Readable) -> bytes | None:
    """The metadata of the next message, before its body; None at the end."""
    head = file.read(8) or b""
    if len(head) < 8:
        return None
    mark, size = struct.unpack("<Ii", head)
    if mark != _CONTINUATION or not 0 < size < _MAX_METADATA:
        return None
    return file.read(size)


def _table_at(data: bytes, position: int) -> int:
    return position + int(struct.unpack_from("<I", data, position)[0])


def _place(data: bytes, table: int, field: int) -> int | None:
    """Where a field stands; None if it is left out."""
    listed = table - int(struct.unpack_from("<i", data, table)[0])
    size = int(struct.unpack_from("<H", data, listed)[0])
    at = 4 + 2 * field
    if at + 2 > size:
        return None
    offset = int(struct.unpack_from("<H", data, listed + at)[0])
    return table + offset if offset else None


def _below(data: bytes, table: int, field: int) -> int | None:
    place = _place(data, table, field)
    return None if place is None else _table_at(data, place)


def _byte(data: bytes, table: int, field: int) -> int:
    place = _place(data, table, field)
    return 0 if place is None else data[place]
