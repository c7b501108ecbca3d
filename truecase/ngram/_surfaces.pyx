"""The surface forms of a vocabulary: their order, and some of them by themselves."""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc, qsort
from libc.string cimport memcmp, memcpy

from truecase.runtime._offsets cimport rise

import numpy as np

__all__ = ["surface_order", "take_surfaces"]

cdef enum:
    HEAD_BYTES = 8


cdef struct Surface:
    uint64_t head                 # the first bytes, the first of them highest, zeros after the end
    const uint8_t* start
    uint32_t length
    uint32_t word_id


cdef uint64_t head_of(const uint8_t* start, uint32_t length) noexcept nogil:
    cdef uint64_t head = 0
    cdef uint32_t i
    for i in range(HEAD_BYTES):
        head = (head << 8) | (start[i] if i < length else 0)
    return head


cdef int compare(const void* a, const void* b) noexcept nogil:
    cdef const Surface* left = <const Surface*>a
    cdef const Surface* right = <const Surface*>b
    cdef uint32_t shorter
    cdef int order
    if left.head != right.head:
        return -1 if left.head < right.head else 1
    shorter = min(left.length, right.length)
    order = memcmp(left.start, right.start, shorter)
    if order:
        return order
    if left.length != right.length:
        return -1 if left.length < right.length else 1
    # qsort is not stable everywhere; no two words are the same, but a caller's might be.
    return -1 if left.word_id < right.word_id else 1


def surface_order(const uint8_t[::1] blob not None, const int64_t[::1] offsets not None,
                  uint32_t first=0):
    """Ids of words, in the order of the words' bytes.

    Parameters
    ----------
    blob : const uint8[::1]
        The words, one after the other.
    offsets : const int64[::1], shape (n + 1,)
        Word i is ``blob[offsets[i]:offsets[i + 1]]``.
    first : int
        Ids below this one are left out.

    Returns
    -------
    uint32 ndarray, shape (n - first,)
    """
    cdef int64_t n = offsets.shape[0] - 1, i
    cdef Surface* words
    cdef const uint8_t* text = &blob[0] if blob.shape[0] else NULL
    if not rise(offsets, blob.shape[0]):
        raise ValueError("offsets do not fit the blob of words")
    if n >= <int64_t>1 << 32:
        raise OverflowError("more than 2**32 words")
    order = np.empty(max(n - first, 0), np.uint32)
    if not len(order):
        return order
    cdef uint32_t[::1] ids = order
    words = <Surface*>malloc((n - first) * sizeof(Surface))
    if words == NULL:
        raise MemoryError(f"no memory to sort {n} words")
    with nogil:
        for i in range(n - first):
            words[i].start = text + offsets[first + i]
            words[i].length = <uint32_t>(offsets[first + i + 1] - offsets[first + i])
            words[i].head = head_of(words[i].start, words[i].length)
            words[i].word_id = <uint32_t>(first + i)
        qsort(words, n - first, sizeof(Surface), compare)
        for i in range(n - first):
            ids[i] = words[i].word_id
    free(words)
    return order


def take_surfaces(const uint8_t[::1] blob not None, const int64_t[::1] offsets not None,
                  const uint32_t[::1] ids not None):
    """Some words of a vocabulary, in the order of `ids`.

    Returns
    -------
    blob : uint8 ndarray
    offsets : int64 ndarray, shape (n + 1,)

    Raises
    ------
    IndexError
        An id is no word of the vocabulary.
    """
    cdef int64_t i, at = 0, n = ids.shape[0], n_words = offsets.shape[0] - 1, length
    cdef bint good = True
    if not rise(offsets, blob.shape[0]):
        raise ValueError("offsets do not fit the blob of words")
    starts = np.zeros(n + 1, np.int64)
    cdef int64_t[::1] new_offsets = starts
    with nogil:
        for i in range(n):
            if ids[i] >= n_words:
                good = False
                break
            new_offsets[i + 1] = new_offsets[i] + offsets[ids[i] + 1] - offsets[ids[i]]
    if not good:
        raise IndexError(f"an id is not below the {n_words} of the vocabulary")
    taken = np.empty(starts[n], np.uint8)
    cdef uint8_t[::1] out = taken
    with nogil:
        for i in range(n):
            length = new_offsets[i + 1] - new_offsets[i]
            if length:
                memcpy(&out[at], &blob[offsets[ids[i]]], length)
            at += length
    return taken, starts
