"""Writes a model file, whole or not at all, the same bytes for the same model."""

import json
import os
from collections.abc import Mapping
from typing import Any

import numpy.typing as npt

from truecase.files.atomic import atomic_write
from truecase.modelfile.container import container_bytes
from truecase.modelfile.layout import FORMAT, METADATA_KEY, checksum
from truecase.runtime.version import __version__

#: Vectors by name.
Arrays = dict[str, npt.NDArray[Any]]


def write_model(
    path: str | os.PathLike[str],
    arrays: Mapping[str, npt.NDArray[Any]],
    metadata: Mapping[str, Any],
) -> None:
    """Write `arrays` and `metadata` to `path`.

    Parameters
    ----------
    path : path-like
    arrays : mapping of str to ndarray
        Vectors of uint8, uint32, uint64 or float32.
    metadata : mapping
        JSON-able; ``format``, ``package`` and ``checksum`` are filled in here.

    Raises
    ------
    OSError
        If the file cannot be written; no part of it is left behind.
    """
    container = model_bytes(arrays, metadata)
    with atomic_write(path, "wb") as file:
        file.write(container)


def model_bytes(arrays: Mapping[str, npt.NDArray[Any]], metadata: Mapping[str, Any]) -> bytes:
    """What `write_model` writes, the same on every machine."""
    filled = {"format": FORMAT, "package": __version__, "checksum": checksum(arrays)}
    # One metadata entry: the library of safetensors writes several in no fixed order.
    text = json.dumps({**metadata, **filled}, sort_keys=True, ensure_ascii=False)
    return container_bytes(arrays, {METADATA_KEY: text})
