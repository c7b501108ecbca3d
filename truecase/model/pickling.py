"""Pickles models by name, by path, or by value.

Components of a file are sent as the file's name or path, with the package's version or the file's
fingerprint; others, such as a list of names added later, as the bytes of a model file.
"""

from __future__ import annotations

import errno
import hashlib
import json
import threading
from typing import Any
from weakref import WeakValueDictionary

from truecase.base.model_file import __version__, identity, model_bytes, read_bytes, read_metadata
from truecase.errors import ModelError
from truecase.model.model import Model, Origin, TextSettings, class_of, flatten, parts_of

_HEADER_BYTES = 8
_NAME = "a model from another process"

# A process holds each model once, however often it is sent.
_models: WeakValueDictionary[bytes, Model] = WeakValueDictionary()
_lock = threading.RLock()


def packed(model: Model) -> bytes:
    """Pickle a model; the same model gives the same bytes.

    They are the length of a JSON header, the header, and a model file of the components sent by
    value, if any.
    """
    origin = model.origin if model.origin is not None and _is_there(model.origin) else None
    kept, sent = [], {}
    for name, part in model.components().items():
        if origin is not None and origin.components.get(name) is part:
            kept.append(name)
        else:
            sent[name] = part
    if not kept:
        origin = None
    header: dict[str, Any] = {"package": __version__, "of_file": kept}
    if origin is not None:
        header["embedded"], header["path"] = origin.embedded, origin.path
        header["fingerprint"], header["is_mapped"] = origin.fingerprint, origin.is_mapped
    value = b""
    if sent or origin is None or (model.text, model.notes) != origin.settings:
        value = model_bytes(*flatten(model.text.fields(), sent, model.notes))
    head = json.dumps(header, sort_keys=True).encode()
    return len(head).to_bytes(_HEADER_BYTES, "little") + head + value


def unpacked(data: bytes) -> Model:
    """Unpickle a model; the same bytes give the same object while it is in use.

    Raises
    ------
    ModelError
        The bytes are damaged or of another version of the package, or the named file differs.
    OSError
        The named file is missing.
    """
    key = hashlib.sha256(data).digest()
    with _lock:
        model = _models.get(key)
        if model is None:
            model = _models[key] = _unpack(data)
        return model


def check_package(version: str) -> None:
    """Raise `ModelError` if another version of the package sent the data."""
    if version != __version__:
        raise ModelError(
            f"{_NAME}: it was sent by truecase {version}, and this process has {__version__}: "
            "install the same version for all"
        )


def _unpack(data: bytes) -> Model:
    n = int.from_bytes(data[:_HEADER_BYTES], "little")
    try:
        header = json.loads(data[_HEADER_BYTES : _HEADER_BYTES + n])
        package, of_file = header["package"], list(header["of_file"])
    except (ValueError, KeyError, TypeError):
        raise ModelError(f"{_NAME}: damaged") from None
    check_package(package)
    base = _base(header) if of_file else None
    parts: dict[str, Any] = {}
    if base is not None:
        components = base.components()
        if not set(of_file) <= set(components):
            raise ModelError(f"{_NAME}: damaged")
        parts = {name: components[name] for name in of_file}
    value = data[_HEADER_BYTES + n :]
    if value:
        text, sent, notes = parts_of(*read_bytes(value, _NAME))
        for name, (arrays, settings) in sent.items():
            parts[name] = class_of(name)(arrays, settings)
        model = Model(TextSettings(**text), **parts, notes=notes)  # type: ignore[arg-type]
    elif base is None:
        raise ModelError(f"{_NAME}: damaged")
    elif set(parts) == set(base.components()):
        return base
    else:
        model = Model(base.text, **parts, notes=base.notes)
    return model if base is None else model.with_origin(base.origin)


def _base(header: dict[str, Any]) -> Model:
    """Load the model that a header names; raises as `unpacked` does."""
    embedded, path, wanted, is_mapped = (
        header.get(key) for key in ("embedded", "path", "fingerprint", "is_mapped")
    )
    name = embedded or path
    key = json.dumps([embedded, path, wanted, is_mapped]).encode()
    model = _models.get(key)
    if model is None:
        try:
            model = Model.load(name, copy=not is_mapped)
        except FileNotFoundError:
            raise FileNotFoundError(
                errno.ENOENT,
                "a model of this path was sent by another process, and there is no such file here",
                name,
            ) from None
        if model.origin is None or model.origin.fingerprint != wanted:
            raise ModelError(
                f"{name}: the model of this name is another one here than where it was sent from"
            )
        _models[key] = model
    return model


def _is_there(origin: Origin) -> bool:
    """Whether the file is unchanged; if not, its components are sent by value."""
    if origin.embedded is not None:
        return True
    assert origin.path is not None
    try:
        return identity(read_metadata(origin.path)) == origin.identity
    except (OSError, ModelError):
        return False
