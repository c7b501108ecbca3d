"""Reads a model file: the library checks the container, its arrays are views of the file."""

import hashlib
import json
import mmap
import os
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from truecase.errors import ModelError
from truecase.modelfile.byte_order import check_byte_order
from truecase.modelfile.layout import DTYPES, FORMAT, METADATA_KEY, Arrays, checksum

# Settings have three levels. What is far deeper can be parsed, but not copied or written.
_MAX_DEPTH = 32


def read_model(
    path: str | os.PathLike[str], verify: bool = False, copy: bool = False
) -> tuple[Arrays, dict[str, Any]]:
    """Map a model file into memory, or read it.

    Parameters
    ----------
    path : path-like
    verify : bool
        Also compare the checksum, which reads the whole file.
    copy : bool
        Read the file instead of mapping it: what happens to it later changes nothing.

    Returns
    -------
    arrays : dict of str to ndarray
        Read-only views of the mapped file, or of what was read.
    metadata : dict

    Raises
    ------
    ModelError
        If the file is no model, is damaged, or was written in a newer format, or the machine is
        big-endian.
    OSError
        If it cannot be opened.
    """
    check_byte_order()
    name = os.fspath(path)
    mapped: bytes | mmap.mmap
    with open(path, "rb") as file:
        if os.fstat(file.fileno()).st_size < 10:
            raise ModelError(f"{name}: not a truecase model (shorter than its header)")
        mapped = file.read() if copy else mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    _check_file(name)
    arrays, metadata = _views(name, mapped)
    if verify and checksum(arrays) != metadata.get("checksum"):
        raise ModelError(f"{name}: the contents do not match the checksum; the file is damaged")
    return arrays, metadata


def read_bytes(data: bytes, name: str) -> tuple[Arrays, dict[str, Any]]:
    """The arrays and the metadata of a model file that is in memory.

    Parameters
    ----------
    data : bytes
        As `truecase.modelfile.write.model_bytes` made it.
    name : str
        For messages.

    Raises
    ------
    ModelError
        If it is none, is damaged, or is of a newer format, or the machine is big-endian.
    """
    from safetensors import SafetensorError, deserialize

    check_byte_order()
    try:
        deserialize(data)  # type: ignore[no-untyped-call]
    except SafetensorError:
        raise _no_model(name) from None
    return _views(name, data)


def fingerprint(metadata: Mapping[str, Any]) -> str | None:
    """What tells a model file from others: of its settings and the checksum of its arrays.

    None for a file without a checksum.
    """
    if not isinstance(metadata.get("checksum"), str):
        return None
    text = json.dumps(metadata, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _views(name: str, mapped: bytes | mmap.mmap) -> tuple[Arrays, dict[str, Any]]:
    """The arrays of a container that the library has checked, and its metadata."""
    length = int.from_bytes(mapped[:8], "little")
    header, start = _parsed(name, mapped[8 : 8 + length]), 8 + length
    metadata = _metadata(name, header.pop("__metadata__", None))
    arrays = {}
    for key, entry in header.items():
        if entry["dtype"] not in DTYPES:
            raise ModelError(f"{name}: the array {key} has the unknown type {entry['dtype']}")
        dtype = np.dtype(DTYPES[entry["dtype"]]).newbyteorder("<")
        first, last = entry["data_offsets"]
        if start + last > len(mapped):
            raise ModelError(f"{name}: the file was changed while it was read")
        flat = np.frombuffer(mapped, np.uint8, last - first, start + first)
        arrays[key] = flat.view(dtype).reshape(entry["shape"])
    return arrays, metadata


def _check_file(name: str) -> None:
    """Have the safetensors library validate a container.

    Raises
    ------
    ModelError
    """
    from safetensors import SafetensorError, safe_open

    try:
        # Opening checks the header's length, its JSON, and that shapes, types and offsets
        # agree with each other and with the size of the file.
        with safe_open(name, framework="np"):
            pass
    except (SafetensorError, OSError):
        raise _no_model(name) from None


def _no_model(name: str) -> ModelError:
    return ModelError(f"{name}: not a truecase model, or a damaged one (no header of safetensors)")


def _parsed(name: str, text: str | bytes) -> Any:
    """JSON that is not nested too deeply; a ValueError if it is none."""
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


def _too_deep(name: str) -> ModelError:
    return ModelError(
        f"{name}: not a truecase model (its metadata is nested more than {_MAX_DEPTH} deep)"
    )


def _metadata(name: str, container_metadata: Any) -> dict[str, Any]:
    try:
        metadata = _parsed(name, container_metadata[METADATA_KEY])
    except ModelError:
        raise
    except (TypeError, KeyError, ValueError):
        raise ModelError(f"{name}: not a truecase model (no truecase metadata)") from None
    if not isinstance(metadata, dict) or not isinstance(metadata.get("format"), int):
        raise ModelError(f"{name}: not a truecase model (its metadata names no format)")
    if metadata["format"] > FORMAT:
        raise ModelError(
            f"{name}: model format {metadata['format']} is newer than {FORMAT}, which this "
            f"package reads; it was written by truecase {metadata.get('package', '?')}: "
            "upgrade to that version or a later one"
        )
    settings = metadata.get("decoder" if metadata["format"] == 1 else "sections")
    if metadata["format"] < 1 or not isinstance(settings, dict):
        raise ModelError(f"{name}: not a truecase model (its metadata is incomplete)")
    return metadata
