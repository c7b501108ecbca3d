"""Codebooks for log-probabilities and backoffs: a few bits instead of a float each."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from truecase.base.spool import Float32s, Float64s, Int64s, UInt32s

# Values at a time.
_CHUNK = 1 << 18

# Lloyd iterations.
_ROUNDS = 12


def quantise(
    values: npt.NDArray[np.floating], bits: int, first_code: int = 0
) -> tuple[UInt32s, Float32s]:
    """Codes and codebook of least squared error (Lloyd 1982, Max 1960).

    The first bins are as dense as the cube root of the values' density, which is optimal for many
    bins (Panter & Dite 1951).

    Parameters
    ----------
    values : ndarray, shape (n,)
        Finite values.
    bits : int
        Width of a code.
    first_code : int
        Smallest code; those below are free for the caller.

    Returns
    -------
    codes : uint32 ndarray, shape (n,)
    codebook : float32 ndarray, shape (2**bits,)
        ``codebook[codes]`` approximates `values`; unused entries are 0.
    """
    n_codes = (1 << bits) - first_code
    codebook = np.zeros(1 << bits, dtype=np.float32)
    singles = np.ascontiguousarray(values, dtype=np.float32)
    distinct, counts = np.unique(singles, return_counts=True)
    if len(distinct) <= n_codes:
        centres = distinct.astype(np.float64)
    else:
        cells = np.linspace(distinct[0], distinct[-1], 4097)
        mass, _ = np.histogram(distinct, cells, weights=counts)
        share = np.concatenate([[0.0], np.cumsum(np.cbrt(mass))])
        place = np.interp(distinct, cells, share / share[-1])
        bins = np.minimum((place * n_codes).astype(np.int64), n_codes - 1)
        weighted = np.multiply(counts, distinct, dtype=np.float64)
        centres = _means(counts, weighted, bins, n_codes)
        for _ in range(_ROUNDS):
            ends = np.searchsorted(distinct, _between(centres), side="right")
            sizes = np.diff(ends, prepend=0, append=len(distinct))
            bins = np.repeat(np.arange(len(sizes)), sizes)
            centres = _means(counts, weighted, bins, len(sizes))
    codebook[first_code : first_code + len(centres)] = centres
    bounds = _between(centres)
    return _codes(singles, lambda part: np.searchsorted(bounds, part), first_code), codebook


def even_codebook(
    values: npt.NDArray[np.floating], bits: int, first_code: int = 0
) -> tuple[UInt32s, Float32s]:
    """Codes and codebook of evenly spaced values, which is fast, for values with bits to spare."""
    n_codes = (1 << bits) - first_code
    codebook = np.zeros(1 << bits, dtype=np.float32)
    if not len(values):
        return np.zeros(0, dtype=np.uint32), codebook
    low, high = float(values.min()), float(values.max())
    step = (high - low) / (n_codes - 1) if high > low else 1.0
    codebook[first_code:] = low + step * np.arange(n_codes)
    return _codes(values, lambda part: np.rint((part - low) / step), first_code), codebook


def _codes(
    values: npt.NDArray[np.floating],
    numbers_of: Callable[[npt.NDArray[Any]], npt.NDArray[Any]],
    first_code: int,
) -> UInt32s:
    """Make the codes of values out of the numbers of their entries, some at a time."""
    codes = np.empty(len(values), np.uint32)
    for begin in range(0, len(values), _CHUNK):
        part = slice(begin, begin + _CHUNK)
        codes[part] = numbers_of(values[part])
    codes += np.uint32(first_code)
    return codes


def _between(centres: Float64s) -> Float64s:
    """Bounds between the values nearest to neighbouring centres."""
    bounds: Float64s = (centres[1:] + centres[:-1]) / 2
    return bounds


def _means(counts: Int64s, weighted: Float64s, bins: Int64s, n_bins: int) -> Float64s:
    """Means of the bins that have values, in order."""
    mass = np.bincount(bins, weights=counts, minlength=n_bins)
    total = np.bincount(bins, weights=weighted, minlength=n_bins)
    filled = mass > 0
    return total[filled] / mass[filled]
