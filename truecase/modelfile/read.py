"""Reads a model file: it is mapped, and its arrays are views of it."""

from __future__ import annotations

import json
import mmap
import os
from collections.abc import Mapping
from typing import Any

from truecase.errors import ModelError
from truecase.modelfile.container import parsed, read_header, views_of
from truecase.modelfile.layout import FORMAT, METADATA_KEY, checksum


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
    mapped: bytes | mmap.mmap
    with open(path, "rb") as file:
        if os.fstat(file.fileno()).st_size < 10:
            raise ModelError(f"{name}: not a truecase model (shorter than its header)")
        mapped = file.read() if copy else mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    arrays, metadata = _contents(name, mapped)
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


def _contents(
    name: str, data: bytes | mmap.mmap
) -> tuple[dict[str, memoryview[Any]], dict[str, Any]]:
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
