"""Hashes of n-grams, under which their tables have them."""

from libc.stdint cimport uint32_t, uint64_t

import numpy as np

from truecase.ngram._table cimport extend_left
from truecase.text._hash cimport mix

from truecase.errors import PackingError


def hash_ngrams(const uint32_t[:, ::1] words, const uint64_t[::1] form_hashes):
    """Hashes of n-grams given as word ids.

    Parameters
    ----------
    words : const uint32[:, ::1], shape (n, order)
        Word ids, left to right.
    form_hashes : const uint64[::1], shape (vocabulary size,)
        Identity of each word's surface form.

    Returns
    -------
    uint64 ndarray, shape (n,)

    Raises
    ------
    PackingError
        If a word id is not below ``len(form_hashes)``.
    """
    cdef Py_ssize_t n = words.shape[0], order = words.shape[1], i, k
    cdef uint64_t size = form_hashes.shape[0], h
    out = np.empty(n, dtype=np.uint64)
    cdef uint64_t[::1] hashes = out
    cdef bint bad = False
    with nogil:
        for i in range(n):
            if words[i, order - 1] >= size:
                bad = True
                break
            h = form_hashes[words[i, order - 1]]
            for k in range(order - 2, -1, -1):
                if words[i, k] >= size:
                    bad = True
                    break
                h = extend_left(h, form_hashes[words[i, k]])
            if bad:
                break
            hashes[i] = h
    if bad:
        raise PackingError(f"a word id of n-gram {i} is not in the vocabulary of {size} words")
    return out


def mix_hash(uint64_t x):
    """The 64-bit finaliser of the tables, for tests."""
    return mix(x)
