"""Suffixes of a vocabulary, for training the table that `_suffix.pxd` reads."""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

import numpy as np

from truecase.features._suffix cimport (
    LONGEST_SUFFIX,
    SUFFIX_BYTES,
    suffix_check,
    suffix_hashes,
    suffix_slot,
)
from truecase.runtime._offsets cimport rise

from truecase.lexicon._forms import padded

__all__ = ["N_BYTES", "hash_suffixes", "slots_and_checks"]

N_BYTES = SUFFIX_BYTES


def hash_suffixes(blob, const int64_t[::1] offsets, const int64_t[::1] ids, bint turkic):
    """Hashes of the suffixes of some surface forms.

    Parameters
    ----------
    blob, offsets
        The surface forms, one after the other.
    ids : const int64[::1], shape (n,)
    turkic : bool

    Returns
    -------
    uint64 ndarray, shape (n, 4)
        Of the last 1 to 4 letters; 0 where the word is shorter.
    """
    cdef Py_ssize_t i, n = ids.shape[0], n_forms = offsets.shape[0] - 1
    if not rise(offsets, len(blob)):
        raise ValueError("offsets do not fit the blob of surface forms")
    out = np.zeros((n, LONGEST_SUFFIX), dtype=np.uint64)
    cdef const uint8_t[::1] text = padded(blob)
    cdef uint64_t[:, ::1] hashes = out
    for i in range(n):
        if not 0 <= ids[i] < n_forms:
            raise ValueError(f"id {ids[i]} is not in the vocabulary of {n_forms} forms")
        suffix_hashes(&text[0], <uint32_t>offsets[ids[i]], <uint32_t>offsets[ids[i] + 1], turkic,
                      &hashes[i, 0])
    return out


def slots_and_checks(const uint64_t[::1] hashes):
    """Place of each suffix in the table, in bytes, and its check byte."""
    places = np.zeros(hashes.shape[0], dtype=np.int64)
    checks = np.zeros(hashes.shape[0], dtype=np.uint8)
    cdef int64_t[::1] place = places
    cdef uint8_t[::1] check = checks
    cdef Py_ssize_t i
    for i in range(hashes.shape[0]):
        place[i] = suffix_slot(hashes[i])
        check[i] = suffix_check(hashes[i])
    return places, checks
