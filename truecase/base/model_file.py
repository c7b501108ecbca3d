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
``text``          settings alone: `truecase.model.model.TextSettings`
``lexicon``       `truecase.kernels._lexicon.Lexicon`
``lm``            `truecase.kernels._ngrams.LanguageModel`
``dense``         `truecase.kernels._components.DenseFeatures`
``source``        `truecase.kernels._components.SourceFeatures`
``tables``        `truecase.kernels._components.TranslationTables`
``portage``       `truecase.kernels._components.CaseModels`
``domain``        `truecase.kernels._ngrams.Domain`
``titles``        `truecase.rules.styles.TitleWeights`
``words``         `truecase.ngram.kept_words.KeptWords`
``names``         `truecase.kernels._names.NameList`
``network``       `truecase.kernels._components.Network`
``marks``         `truecase.kernels._punctuation_network.Marks`
``calibration``   `truecase.kernels._components.Calibration`
================= ================================================================

The container has the format of safetensors: the length of its header in 8 bytes, the header, and
the arrays. The header is a JSON object with the type, shape and place of each array by name.
Numbers are little-endian; a big-endian machine converts copies, and its processes then do not share
a model's memory. The safetensors library cannot open a file without NumPy and does not support
every Python; this module makes the same checks and writes the same bytes.
"""

from __future__ import annotations

import array
import json
import mmap
import os
import re
import stat
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

from truecase._installation import __version__ as __version__
from truecase.base._component import all_between, is_laid_out
from truecase.errors import ModelError
from truecase.options import StrPath

if TYPE_CHECKING:
    from typing import TypeVar

    import numpy as np
    import numpy.typing as npt

    #: A view of a file, or a NumPy array.
    Buffer = memoryview[Any] | npt.NDArray[Any]
    #: Vectors by name.
    Buffers = Mapping[str, Buffer]
    _T = TypeVar("_T")


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
    header = json.dumps(entries, ensure_ascii=False, separators=(",", ":")).encode(errors="replace")
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
    if re.search(r"\.arpa(?:\.\w+)?$", name, re.IGNORECASE):
        return ModelError(
            f"{name}: n-grams in ARPA, no model: truecase arpa import makes one of it"
        )
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


#: Vectors by name.
Arrays: TypeAlias = "dict[str, npt.NDArray[Any]]"

#: Version of the layout that this package writes and reads.
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
    check_is_file(path)
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


def check_is_file(path: StrPath) -> None:
    """Raise ModelError for a pipe, whose bytes come only once, or a device, which may not end."""
    if not stat.S_ISREG(os.stat(path).st_mode) and not os.path.isdir(path):
        raise ModelError(f"{path}: is a pipe or device: such models are read from files")


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
        start = file.read(_LENGTH_BYTES)
        start += file.read(min(int.from_bytes(start, "little"), _MAX_HEADER_BYTES))
        entries, container_metadata, end = read_header(name, start)
        n_bytes = os.fstat(file.fileno()).st_size - end
    if max((_place(name, entry)[1] for entry in entries.values()), default=0) != n_bytes:
        raise _damaged(name)
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
    if metadata["format"] < FORMAT or not isinstance(metadata.get("sections"), dict):
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
    from truecase.base.compression import check_is_plain

    check_is_plain(path)
    container = model_bytes(arrays, metadata)
    with atomic_write(path, "wb") as file:
        file.write(container)


def model_bytes(arrays: Mapping[str, npt.NDArray[Any]], metadata: Mapping[str, Any]) -> bytes:
    """Return the bytes that `write_model` writes, the same on every machine."""
    filled = {"format": FORMAT, "package": __version__, "checksum": checksum(arrays)}
    # One metadata entry: the library of safetensors writes several in no fixed order.
    text = json.dumps({**metadata, **filled}, sort_keys=True, ensure_ascii=False)
    return container_bytes(arrays, {METADATA_KEY: text})


@cache
def read_weights(name: str) -> Any:
    """The contents of ``truecase/data/NAME.json``: weights that come with the package.

    ``data/weights.md`` is their card. All callers share what is read once, and do not change it.
    """
    folder = os.path.dirname(os.path.dirname(__file__))
    with open(os.path.join(folder, "data", f"{name}.json"), encoding="utf-8") as file:
        return json.load(file)


#: The largest weight: sums of its products over ten thousand words stay finite, and the differences
#: between candidates survive rounding.
MAX_NUMBER = 1e6

# Signs of this machine's byte order in front of a format; the other order's sign is not removed.
_OWN_ORDER = "@=^" + ("<" if sys.byteorder == "little" else ">")


class Section:
    """The arrays and settings of a component, each checked when it is taken.

    Messages call its arrays ``NAME/ARRAY`` and its settings, which may be nested, ``NAME.SETTING``.
    `kept` collects the arrays taken, so that kernels can point into their memory.
    """

    def __init__(
        self, name: str, arrays: Buffers, settings: Mapping[str, Any], kept: list[memoryview[Any]]
    ) -> None:
        self.name = name
        self.arrays = arrays
        self.settings = settings
        self.kept = kept

    def vector(self, name: str, dtype: str, n: int | None = None) -> memoryview[Any]:
        """Take an array of a type of `FORMATS`, and of `n` entries; does not check its values."""
        called = f"{self.name}/{name}"
        try:
            array: Any = self.arrays[name]  # to type checkers, NumPy's are buffers from 3.12 on
        except KeyError:
            raise ModelError(f"the array {called} is missing") from None
        formats, n_bytes = FORMATS[dtype]
        try:
            view: memoryview[Any] = memoryview(array)
        except (TypeError, ValueError):  # no buffer; NumPy has types that no buffer has
            view = memoryview(b"").cast("c")
        # Formats may name the order of bytes; NumPy's do where entries are not aligned.
        own_format = view.format.lstrip(_OWN_ORDER)
        if own_format not in formats or view.itemsize != n_bytes or view.ndim != 1:
            raise ModelError(f"the array {called} is not a vector of {dtype}")
        if n is not None and len(view) != n:
            raise ModelError(f"the array {called} has {len(view)} entries, expected {n}")
        return view

    def array(self, name: str, dtype: str, n: int | None = None) -> memoryview[Any]:
        """Take a vector for kernels; floats must be numbers up to `MAX_NUMBER`."""
        view = self.vector(name, dtype, n)
        if not is_laid_out(view):
            view = memoryview(view.tobytes()).cast(FORMATS[dtype][0][0])  # type: ignore[call-overload]
        if dtype == "float32" and not all_between(view, -MAX_NUMBER, MAX_NUMBER):
            raise ModelError(
                f"the array {self.name}/{name} has an entry that is no number or beyond"
                f" ±{MAX_NUMBER:.0e}"
            )
        self.kept.append(view)
        return view

    def _setting(self, name: str) -> Any:
        """Take a setting; dots in its name lead into nested settings."""
        value: Any = self.settings
        for part in name.split("."):
            if not isinstance(value, Mapping) or part not in value:
                raise ModelError(f"the setting {self.name}.{name} is missing")
            value = value[part]
        return value

    def number(self, name: str, low: float, high: float) -> float:
        """Take a number within bounds."""
        value = self._setting(name)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise ModelError(f"the setting {self.name}.{name} is not a number")
        if not low <= value <= high:
            raise ModelError(f"the setting {self.name}.{name} is {value}, outside {low} … {high}")
        return value

    def names(self, name: str) -> list[str]:
        """Take a list of different names."""
        values = self._setting(name)
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            raise ModelError(f"the setting {self.name}.{name} is not a list of names")
        if len(set(values)) != len(values):
            raise ModelError(f"the setting {self.name}.{name} names something twice")
        return values

    def choice(self, name: str, choices: Mapping[str, _T]) -> _T:
        """Take a setting that is a key of `choices`; returns its value."""
        value = self._setting(name)
        if not isinstance(value, str) or value not in choices:
            raise ModelError(
                f"the setting {self.name}.{name} is {value!r}, expected one of {', '.join(choices)}"
            )
        return choices[value]
