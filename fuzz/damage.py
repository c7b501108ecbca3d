"""Damage to a model, drawn from a fuzzer's bytes: settings and arrays, each by itself."""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from draw import Draw
from models import model_file

from truecase.base.model_file import read_model

Array = npt.NDArray[Any]
Arrays = dict[str, Array]
Settings = dict[str, Any]

_NUMBERS = (0, 1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 63, 64, 65, 127, 128, 255, 256, 1 << 15, 1 << 16)
_NUMBERS += ((1 << 24) - 1, (1 << 31) - 1, 1 << 31, (1 << 32) - 1, 1 << 32, 1 << 63, (1 << 64) - 1)
_FLOATS = (0.0, -0.0, 1.0, -1.0, 1e-30, -1e-30, 1e-45, 3e38, -3e38, 65504.0, -99.0, 1e10)
_FLOATS += (float("nan"), float("inf"), -float("inf"))
_VALUES: tuple[object, ...] = (None, True, False, -1, 0.5, 1e308, -1e308, "", "x", [], {}, [1, 2])
_VALUES += (float("nan"), float("inf"), -(1 << 63), 1 << 70, *_NUMBERS)
_TYPES = ("u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f2", "f4", "f8")


@functools.cache
def whole(kind: str) -> tuple[Arrays, Settings]:
    """Arrays and metadata of a model's file."""
    arrays, metadata = read_model(model_file(kind), copy=True)
    return {name: np.array(array) for name, array in arrays.items()}, metadata


def damaged(draw: Draw, kind: str) -> tuple[Arrays, Settings]:
    """The same with a few changes; what is not changed is shared, and read-only for all."""
    arrays, metadata = whole(kind)
    arrays = dict(arrays)
    names = sorted(arrays)
    is_copied = False
    for _ in range(1 + draw.byte() % 6):
        if draw.byte() % 4 == 0:
            if not is_copied:
                metadata = {**metadata, "sections": copy.deepcopy(metadata["sections"])}
                is_copied = True
            _change_setting(draw, metadata["sections"])
            continue
        name = names[draw.byte() % len(names)]
        if name in arrays:
            changed = draw.choice(_CHANGES)(draw, arrays[name])
            if changed is None:
                del arrays[name]
            else:
                arrays[name] = changed
    return arrays, metadata


def _places(tree: Settings, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    for key, value in tree.items():
        yield (*path, key)
        if isinstance(value, dict):
            yield from _places(value, (*path, key))


def _change_setting(draw: Draw, settings: Settings) -> None:
    places = list(_places(settings))
    if not places:
        return
    *path, last = places[draw.number() % len(places)]
    place = settings
    for key in path:
        place = place[key]
    how = draw.byte() % 4
    if how == 0:
        del place[last]
    elif how == 1:
        place[last] = draw.choice(_VALUES)
    elif how == 2:
        place[last] = draw.number(4)
    elif isinstance(place[last], int | float):
        place[last] += draw.byte() - 128
    else:
        place[draw.bytes(4).decode("latin-1")] = place[last]


def _element(draw: Draw, array: Array) -> Any:
    """Any value of the array's type."""
    how = draw.byte() % 3
    if how == 0 and len(array):
        return array[draw.number() % len(array)]
    if array.dtype.kind == "f":
        value = draw.choice(_FLOATS) if how == 1 else np.uint32(draw.number(4)).view(np.float32)
        return np.float64(value).astype(array.dtype)
    value = draw.choice(_NUMBERS) if how == 1 else draw.number(array.dtype.itemsize)
    return np.uint64(value).astype(array.dtype)


def _set_some(draw: Draw, array: Array) -> Array:
    changed = array.copy()
    for _ in range(1 + draw.byte() % 8):
        if len(changed):
            changed[draw.number() % len(changed)] = _element(draw, array)
    return changed


def _set_one(draw: Draw, array: Array) -> Array:
    changed = array.copy()
    if len(changed):
        # the first and the last ones are what ends and totals are kept in
        place = draw.number()
        changed[place % len(changed) if place % 2 else -1 - place % min(len(changed), 8)] = (
            _element(draw, array)
        )
    return changed


def _add_to_one(draw: Draw, array: Array) -> Array:
    changed = array.copy()
    if len(changed):
        place = draw.number() % len(changed)
        by = np.array(draw.byte() - 128)
        with np.errstate(all="ignore"):
            changed[place] = (changed[place : place + 1] + by.astype(array.dtype))[0]
    return changed


def _flip(draw: Draw, array: Array) -> Array:
    changed = array.copy()
    raw = changed.view(np.uint8)
    for _ in range(1 + draw.byte() % 8):
        if len(raw):
            raw[draw.number(3) % len(raw)] ^= 1 << draw.byte() % 8
    return changed


def _fill(draw: Draw, array: Array) -> Array:
    return np.full_like(array, _element(draw, array))


def _fill_part(draw: Draw, array: Array) -> Array:
    changed = array.copy()
    start = draw.number() % (len(array) + 1)
    changed[start : start + draw.number()] = _element(draw, array)
    return changed


def _noise(draw: Draw, array: Array) -> Array:
    noise = np.random.default_rng(draw.number())
    changed = np.frombuffer(noise.bytes(array.nbytes), array.dtype)
    return np.nan_to_num(changed) if array.dtype.kind == "f" and draw.flag() else changed


def _shuffle(draw: Draw, array: Array) -> Array:
    return np.random.default_rng(draw.number()).permutation(array)


def _cut(draw: Draw, array: Array) -> Array:
    return array[: draw.number() % (len(array) + 1)].copy()


def _cut_few(draw: Draw, array: Array) -> Array:
    return array[: max(0, len(array) - 1 - draw.byte() % 16)].copy()


def _lengthen(draw: Draw, array: Array) -> Array:
    return np.concatenate([array, array[: 1 + draw.number() % 64], array[:0]])


def _retype(draw: Draw, array: Array) -> Array:
    with np.errstate(all="ignore"):
        return array.astype(draw.choice(_TYPES))


def _remove(draw: Draw, array: Array) -> None:
    return None


_CHANGES: tuple[Callable[[Draw, Array], Array | None], ...] = (
    *(_set_one, _set_one, _set_some, _add_to_one, _flip, _fill, _fill_part),
    *(_noise, _shuffle, _cut, _cut_few, _lengthen, _retype, _remove),
)
