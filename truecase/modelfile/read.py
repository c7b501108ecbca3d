"""Reads a model file, or maps it; its arrays are views of what was read or mapped."""

from __future__ import annotations

import json
import mmap
import os
from collections.abc import Mapping
from typing import Any

from truecase.errors import ModelError
from truecase.modelfile.container import check_length, header_of, parsed, read_header, views_of
from truecase.modelfile.layout import FORMAT, METADATA_KEY, checksum

_SHORTEST = 10


def read_model(
    path: str | os.PathLike[str], verify: bool = False, copy: bool = False
) -> tuple[dict[str, memoryview[Any]], dict[str, Any]]:
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
    arrays : dict of str to memoryview
        Read-only, of the mapped file, or of what was read.
    metadata : dict

    Raises
    ------
    ModelError
        If the file is no model, is damaged, or was written in a newer format.
    OSError
        If it cannot be opened.
    """
    name = os.fspath(path)
    data: bytes | mmap.mmap
    with open(path, "rb") as file:
        if copy:
            data = file.read()
        else:
            try:
                data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            except ValueError:
                data = b""  # there is no map of an empty file
            except OSError as error:
                raise type(error)(error.errno, error.strerror, name) from None
    arrays, metadata = _contents(name, data)
    if verify and checksum(arrays) != metadata.get("checksum"):
        raise ModelError(f"{name}: the contents do not match the checksum; the file is damaged")
    return arrays, metadata


def read_bytes(data: bytes, name: str) -> tuple[dict[str, memoryview[Any]], dict[str, Any]]:
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
        If it is none, is damaged, or is of a newer format.
    """
    return _contents(name, data)


def identity(metadata: Mapping[str, Any]) -> str | None:
    """What tells a model file from others: its settings and the checksum of its arrays, in JSON.

    None for a file without a checksum.
    """
    if not isinstance(metadata.get("checksum"), str):
        return None
    return json.dumps(metadata, sort_keys=True, ensure_ascii=False)


def fingerprint(identity: str) -> str:
    """SHA-256 of the identity of a file."""
    import hashlib

    return hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()


def read_metadata(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The metadata of a model file that is whole, as long as its header says.

    Raises
    ------
    ModelError, OSError
        As `read_model`.
    """
    name = os.fspath(path)
    with open(path, "rb") as file:
        entries, container_metadata, end = read_header(name, header_of(file))
        check_length(name, entries, os.fstat(file.fileno()).st_size - end)
    return _metadata(name, container_metadata)


def _contents(
    name: str, data: bytes | mmap.mmap
) -> tuple[dict[str, memoryview[Any]], dict[str, Any]]:
    if len(data) < _SHORTEST:
        raise ModelError(f"{name}: not a truecase model (shorter than its header)")
    entries, container_metadata, end = read_header(name, data)
    metadata = _metadata(name, container_metadata)
    return views_of(name, entries, memoryview(data)[end:]), metadata


def _metadata(name: str, container_metadata: Mapping[str, str]) -> dict[str, Any]:
    try:
        metadata = parsed(name, container_metadata[METADATA_KEY])
    except ModelError:
        raise
    except (KeyError, ValueError):
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
