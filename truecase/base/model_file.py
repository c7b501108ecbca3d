"""Reads and writes model files.

A model file is a safetensors container: named vectors of little-endian numbers and one metadata
entry, ``truecase``, whose value is a JSON object:

========== ===========================================================================
key        value
========== ===========================================================================
format     version of this layout, an integer
package    version of the package that wrote the file
checksum   SHA-256 over names, types and bytes of all arrays
sections   settings of the text, and of each of the model's components by its name
notes      information on which nothing depends: recipe, corpus, licence
========== ===========================================================================

The array NAME of a component is called ``COMPONENT/NAME``:

================= ================================================================
section           arrays and settings: see
================= ================================================================
``text``          settings alone: `truecase.model.text_settings.TextSettings`
``lexicon``       `truecase.kernels._lexicon.Lexicon`
``lm``            `truecase.kernels._ngrams.LanguageModel`
``dense``         `truecase.kernels._components.DenseFeatures`
``sparse``        `truecase.kernels._components.SparseFeatures`
``source``        `truecase.kernels._components.SourceFeatures`
``tables``        `truecase.kernels._components.TranslationTables`
``portage``       `truecase.kernels._components.CaseModels`
``domain``        `truecase.kernels._ngrams.Domain`
``sparse_domain`` `truecase.kernels._components.AddedFeatures`
``titles``        `truecase.rules.styles.TitleWeights`
``words``         `truecase.ngram.kept_words.KeptWords`
``names``         `truecase.kernels._names.NameList`
``context``       `truecase.kernels._components.ContextLayer`
``calibration``   `truecase.kernels._components.Calibration`
================= ================================================================

Files of format 1 had all settings in one section, ``decoder``, and other names:
`truecase.model.format1`.

"""

from __future__ import annotations

import json
import mmap
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from truecase._installation import __version__ as __version__
from truecase.base.container import (
    check_length,
    checksum,
    container_bytes,
    header_of,
    parsed,
    read_header,
    views_of,
)
from truecase.errors import ModelError
from truecase.options import StrPath

if TYPE_CHECKING:
    import numpy.typing as npt


#: Vectors by name.
Arrays: TypeAlias = "dict[str, npt.NDArray[Any]]"

#: Version of the layout that this package writes, and the newest that it reads.
FORMAT = 2

#: The only entry of the container's own metadata.
METADATA_KEY = "truecase"

_SHORTEST = 10


def read_model(
    path: StrPath, verify: bool = False, copy: bool = False
) -> tuple[dict[str, memoryview[Any]], dict[str, Any]]:
    """Map a model file into memory or, with `copy`, read it, so that later changes do not matter.

    With `verify`, the checksum is compared, which reads the whole file.

    Returns
    -------
    arrays : dict of str to memoryview
        Read-only views of the mapped file, or of the bytes read.
    metadata : dict

    Raises
    ------
    ModelError
        The file is not a model, is damaged, or has a newer format.
    OSError
        The file cannot be opened.
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
    arrays, metadata = read_bytes(data, name)
    if verify and checksum(arrays) != metadata.get("checksum"):
        raise ModelError(f"{name}: the contents do not match the checksum; the file is damaged")
    return arrays, metadata


def identity(metadata: Mapping[str, Any]) -> str | None:
    """Identify a model file by its metadata in JSON; None if it has no checksum."""
    if not isinstance(metadata.get("checksum"), str):
        return None
    return json.dumps(metadata, sort_keys=True, ensure_ascii=False)


def fingerprint(identity: str) -> str:
    """SHA-256 of a file's identity."""
    import hashlib

    return hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()


def read_metadata(path: StrPath) -> dict[str, Any]:
    """Read the metadata of a model file, and check its length; raises as `read_model`."""
    name = os.fspath(path)
    with open(path, "rb") as file:
        entries, container_metadata, end = read_header(name, header_of(file))
        check_length(name, entries, os.fstat(file.fileno()).st_size - end)
    return _metadata(name, container_metadata)


def read_bytes(
    data: bytes | mmap.mmap, name: str
) -> tuple[dict[str, memoryview[Any]], dict[str, Any]]:
    """Return arrays and metadata, as `read_model`, of the result of `model_bytes`."""
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


def write_model(
    path: StrPath, arrays: Mapping[str, npt.NDArray[Any]], metadata: Mapping[str, Any]
) -> None:
    """Write a model file atomically; the same model gives the same bytes.

    The arrays are vectors of uint8, uint32, uint64 or float32. `metadata` is JSON-able; ``format``,
    ``package`` and ``checksum`` are filled in.
    """
    from truecase.base.atomic import atomic_write

    container = model_bytes(arrays, metadata)
    with atomic_write(path, "wb") as file:
        file.write(container)


def model_bytes(arrays: Mapping[str, npt.NDArray[Any]], metadata: Mapping[str, Any]) -> bytes:
    """Return the bytes that `write_model` writes, the same on every machine."""
    filled = {"format": FORMAT, "package": __version__, "checksum": checksum(arrays)}
    # One metadata entry: the library of safetensors writes several in no fixed order.
    text = json.dumps({**metadata, **filled}, sort_keys=True, ensure_ascii=False)
    return container_bytes(arrays, {METADATA_KEY: text})


def read_weights(name: str) -> Any:
    """The contents of ``truecase/data/NAME.json``: weights that come with the package.

    ``data/weights.md`` is their card.
    """
    folder = os.path.dirname(os.path.dirname(__file__))
    with open(os.path.join(folder, "data", f"{name}.json"), encoding="utf-8") as file:
        return json.load(file)
