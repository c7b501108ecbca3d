"""Containers of safetensors, written and read with NumPy alone.

The library has no wheel that a free-threaded Python loads. In `tests/base/test_container.py`
it is the judge of what the package reads and writes, and of this.
"""

import copy
import json

import numpy as np

NAMES = {
    "bool": "BOOL", "int8": "I8", "uint8": "U8", "int16": "I16", "uint16": "U16", "float16": "F16",
    "int32": "I32", "uint32": "U32", "float32": "F32", "int64": "I64", "uint64": "U64",
    "float64": "F64",
}  # fmt: skip
DTYPES = {name: np.dtype(dtype).newbyteorder("<") for dtype, name in NAMES.items()}


def with_value(tree, path, value):
    """A copy of nested dicts and lists with another value at a path, or, if "missing", without."""
    changed = place = copy.deepcopy(tree)
    for key in path[:-1]:
        place = place[key]
    if value == "missing":
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return changed


def save(arrays, metadata=None) -> bytes:
    """A container; the arrays of the widest numbers come first, so that all are aligned."""
    header = {} if metadata is None else {"__metadata__": metadata}
    data = b""
    for name in sorted(arrays, key=lambda name: (-arrays[name].itemsize, name)):
        array = arrays[name]
        little = array.astype(array.dtype.newbyteorder("<")).tobytes()
        ends = [len(data), len(data) + len(little)]
        header[name] = {
            "dtype": NAMES[array.dtype.name], "shape": list(array.shape), "data_offsets": ends,
        }  # fmt: skip
        data += little
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + data


def load(container) -> dict[str, np.ndarray]:
    """Copies of the arrays, in the byte order of this machine."""
    end = 8 + int.from_bytes(container[:8], "little")
    arrays = {}
    for name, entry in json.loads(container[8:end]).items():
        if name != "__metadata__":
            first, last = entry["data_offsets"]
            dtype = DTYPES[entry["dtype"]]
            array = np.frombuffer(container[end + first : end + last], dtype)
            arrays[name] = array.reshape(entry["shape"]).astype(dtype.newbyteorder("="))
    return arrays
