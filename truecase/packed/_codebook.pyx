"""What making a codebook does with every value."""

from libc.stdint cimport int64_t, uint32_t

import numpy as np

__all__ = ["bin_means", "nearest"]


cdef inline uint32_t n_below(const double* bounds, uint32_t n, double value) noexcept nogil:
    """How many of the sorted bounds are less than `value`; without branches on the value."""
    cdef const double* base = bounds
    cdef uint32_t half
    if n == 0:
        return 0
    while n > 1:
        half = n >> 1
        base = base + half if base[half - 1] < value else base
        n -= half
    return <uint32_t>(base - bounds) + (base[0] < value)


def nearest(const double[::1] bounds not None, const float[::1] values not None,
            uint32_t first_code):
    """Number of the bin of each value, counted from `first_code`.

    Parameters
    ----------
    bounds : const double[::1]
        Between bins, rising; a value that is one of them belongs to the bin below.
    values : const float[::1], shape (n,)
    first_code : int

    Returns
    -------
    uint32 ndarray, shape (n,)
    """
    cdef Py_ssize_t i, n = values.shape[0]
    cdef uint32_t n_bounds = <uint32_t>bounds.shape[0]
    cdef const double* first = &bounds[0] if n_bounds else NULL
    out = np.empty(n, dtype=np.uint32)
    cdef uint32_t[::1] codes = out
    with nogil:
        for i in range(n):
            codes[i] = first_code + n_below(first, n_bounds, values[i])
    return out


def bin_means(const double[::1] bounds not None, const float[::1] values not None,
              const int64_t[::1] counts not None, const double[::1] weighted not None):
    """Mean of the values of each bin that has one, in order.

    Parameters
    ----------
    bounds : const double[::1]
        As for `nearest`.
    values : const float[::1], shape (n,)
        Rising.
    counts : const int64[::1], shape (n,)
        How often each value is there.
    weighted : const double[::1], shape (n,)
        Each value times its count.

    Returns
    -------
    float64 ndarray
    """
    cdef Py_ssize_t i = 0, n = values.shape[0], n_bins = bounds.shape[0] + 1, of_bin, m = 0
    cdef double mass, total
    if counts.shape[0] != n or weighted.shape[0] != n:
        raise ValueError("the arrays of values differ in length")
    out = np.empty(n_bins, dtype=np.float64)
    cdef double[::1] means = out
    with nogil:
        for of_bin in range(n_bins):
            mass = total = 0.0
            while i < n and (of_bin + 1 == n_bins or values[i] <= bounds[of_bin]):
                mass += counts[i]
                total += weighted[i]
                i += 1
            if mass > 0:
                means[m] = total / mass
                m += 1
    return out[:m].copy()
