"""The container of a model file: the format of safetensors.

A file holds the length of its header in 8 bytes, the header, and the arrays. The header is a JSON
object with the type, shape and place of each array by name. Numbers are little-endian; a big-endian
machine converts copies, and its processes then do not share a model's memory.

The safetensors library cannot open a file without NumPy and does not support every Python. This
module makes the same checks and writes the same bytes.
"""

from __future__ import annotations

import array
import json
import sys
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, BinaryIO

from truecase.errors import ModelError

if TYPE_CHECKING:
    import mmap

    import numpy as np
    import numpy.typing as npt

    #: A view of a file, or a NumPy array.
    Buffer = memoryview[Any] | npt.NDArray[Any]
    #: Vectors by name.
    Buffers = Mapping[str, Buffer]


#: Types that the container may hold, by their safetensors names.
DTYPES = {"U8": "uint8", "U32": "uint32", "U64": "uint64", "F32": "float32"}

#: For each type its formats in buffers, that of new views first, and the bytes of an entry.
FORMATS = {"uint8": ("B", 1), "uint32": ("IL", 4), "uint64": ("QL", 8), "float32": ("f", 4)}


def native(view: memoryview[Any]) -> memoryview[Any]:
    """Convert little-endian numbers to this machine's order; no copy on most machines."""
    if sys.byteorder == "little" or view.itemsize == 1:
        return view
    numbers: array.array[Any] = array.array(view.format)
    numbers.frombytes(view.cast("B"))
    numbers.byteswap()
    return memoryview(numbers).toreadonly()


def little_endian(numbers: npt.NDArray[Any]) -> npt.NDArray[np.generic]:
    """Convert numbers to contiguous little-endian ones; no copy on most machines."""
    import numpy as np

    return np.ascontiguousarray(numbers, numbers.dtype.newbyteorder("<"))


_LENGTH_BYTES = 8
_MAX_HEADER_BYTES = 100_000_000
_METADATA = "__metadata__"
_OF_AN_ARRAY = {"dtype", "shape", "data_offsets"}

_WRITING_ORDER = ("U64", "F32", "U32", "U8")

# Settings have three levels. Far deeper JSON can be parsed, but not copied or written.
_MAX_DEPTH = 32


def read_header(name: str, data: bytes | mmap.mmap) -> tuple[dict[str, Any], dict[str, str], int]:
    """Parse the header of a container; `name` is the file's, for messages.

    Returns
    -------
    entries : dict of str to object
        Type, shape and place of each array by its name.
    metadata : dict of str to str
    end : int
        Offset of the arrays.

    Raises
    ------
    ModelError
        The header is damaged.
    """
    end = _LENGTH_BYTES + int.from_bytes(data[:_LENGTH_BYTES], "little")
    if end > min(len(data), _LENGTH_BYTES + _MAX_HEADER_BYTES):
        raise _damaged(name)
    text = data[_LENGTH_BYTES:end]
    try:
        entries = parsed(name, text.decode())
    except ModelError:
        raise
    except ValueError:
        raise _damaged(name) from None
    if not isinstance(entries, dict) or text[:1] != b"{":
        raise _damaged(name)
    metadata = entries.pop(_METADATA, {})
    if not isinstance(metadata, dict) or not all(isinstance(v, str) for v in metadata.values()):
        raise _damaged(name)
    try:
        # JSON may contain lone surrogates.
        "".join([*entries, *metadata, *metadata.values()]).encode()
    except UnicodeEncodeError:
        raise _damaged(name) from None
    return entries, metadata, end


def header_of(file: BinaryIO) -> bytes:
    """Read the bytes of a file up to the arrays, if it holds a container."""
    start = file.read(_LENGTH_BYTES)
    return start + file.read(min(int.from_bytes(start, "little"), _MAX_HEADER_BYTES))


def check_length(name: str, entries: dict[str, Any], n_bytes: int) -> None:
    """Raise ModelError if an entry is invalid or the arrays do not end where the file does."""
    if max((_place(name, entry)[1] for entry in entries.values()), default=0) != n_bytes:
        raise _damaged(name)


def views_of(name: str, entries: dict[str, Any], data: memoryview) -> dict[str, memoryview[Any]]:
    """Return the arrays of a container; `data` are the bytes after the header.

    ModelError if an entry is invalid, arrays do not fill the bytes without gaps, or one has a type
    that models do not use.
    """
    places = {key: _place(name, entry) for key, entry in entries.items()}
    views: dict[str, memoryview[Any]] = {}
    end = 0
    for key in sorted(entries, key=places.__getitem__):
        first, last = places[key]
        if first != end or last > len(data):
            raise _damaged(name)
        views[key] = _vector(name, key, entries[key], data[first:last])
        end = last
    if end != len(data):
        raise _damaged(name)
    return views


def container_bytes(arrays: Mapping[str, npt.NDArray[Any]], metadata: dict[str, str]) -> bytes:
    """Return a container of vectors, the same bytes as safetensors writes.

    ModelError if an array has a type that is not in `DTYPES`.
    """
    import numpy as np

    dtypes = {dtype: name for name, dtype in DTYPES.items()}
    for key, values in arrays.items():
        if values.dtype.name not in dtypes:
            raise ModelError(f"the array {key} has the unknown type {values.dtype.name}")
    # Larger numbers first, so that each vector is aligned.
    keys = sorted(arrays)
    keys.sort(key=lambda key: _WRITING_ORDER.index(dtypes[arrays[key].dtype.name]))
    entries: dict[str, Any] = {_METADATA: metadata}
    parts, end = [], 0
    for key in keys:
        values = arrays[key]
        data = little_endian(values).view(np.uint8).data
        begin, end = end, end + data.nbytes
        entries[key] = {
            "dtype": dtypes[values.dtype.name],
            "shape": list(values.shape),
            "data_offsets": [begin, end],
        }
        parts.append(data)
    header = json.dumps(entries, ensure_ascii=False, separators=(",", ":")).encode()
    header += b" " * (-len(header) % _LENGTH_BYTES)
    return b"".join([len(header).to_bytes(_LENGTH_BYTES, "little"), header, *parts])


def parsed(name: str, text: str) -> Any:
    """Parse JSON; ModelError if it is nested too deeply, ValueError if it is not JSON."""
    try:
        value = json.loads(text)
    except RecursionError:
        raise _too_deep(name) from None
    level: Iterable[Any] = [value]
    for _ in range(_MAX_DEPTH):
        lists = [item for item in level if isinstance(item, (dict, list))]
        if not lists:
            return value
        level = [
            inner for item in lists for inner in (item.values() if isinstance(item, dict) else item)
        ]
    raise _too_deep(name)


def _place(name: str, entry: Any) -> tuple[int, int]:
    """Begin and end of the bytes of an array."""
    if not isinstance(entry, dict) or entry.keys() != _OF_AN_ARRAY:
        raise _damaged(name)
    place = entry["data_offsets"]
    if not _are_sizes(place) or len(place) != 2 or place[0] > place[1]:
        raise _damaged(name)
    return place[0], place[1]


def _vector(name: str, key: str, entry: dict[str, Any], data: memoryview) -> memoryview[Any]:
    """View the bytes of an array as numbers."""
    dtype, shape = entry["dtype"], entry["shape"]
    if not isinstance(dtype, str) or not _are_sizes(shape):
        raise _damaged(name)
    if dtype not in DTYPES:
        raise ModelError(f"{name}: the array {key} has the unknown type {dtype}")
    if len(shape) != 1:
        raise ModelError(f"{name}: the array {key} is not a vector")
    formats, n_bytes = FORMATS[DTYPES[dtype]]
    if shape[0] * n_bytes != len(data):
        raise _damaged(name)
    view: memoryview[Any] = data.cast(formats[0])  # type: ignore[call-overload]
    return native(view)


def _are_sizes(value: Any) -> bool:
    """Whether a value is a list of integers from 0 on."""
    return isinstance(value, list) and all(type(one) is int and one >= 0 for one in value)


def _damaged(name: str) -> ModelError:
    return ModelError(f"{name}: not a truecase model, or a damaged one (no header of safetensors)")


def _too_deep(name: str) -> ModelError:
    return ModelError(
        f"{name}: not a truecase model (its metadata is nested more than {_MAX_DEPTH} deep)"
    )


def type_of(view: memoryview[Any]) -> str:
    """Name of the type of a view's entries."""
    return next(name for name, (formats, _) in FORMATS.items() if view.format in formats)


def checksum(arrays: Buffers) -> str:
    """SHA-256 over names, types and contents of `arrays`, in order of their names."""
    import hashlib

    import numpy as np

    digest = hashlib.sha256()
    for name in sorted(arrays):
        array = little_endian(np.asarray(arrays[name]))
        digest.update(f"{name} {array.dtype.str} {array.shape}\n".encode())
        digest.update(array.view(np.uint8).data)
    return digest.hexdigest()
