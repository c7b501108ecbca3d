"""Radix sort of packed n-grams."""

from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memset

from truecase.ngram._keys cimport Key128


cdef enum:
    RADIX = 256


cdef struct Counted64:            # an n-gram, and how often it occurs
    uint64_t key
    uint64_t count


cdef struct Counted128:
    Key128 key
    uint64_t count


ctypedef fused Sortable:
    uint64_t
    Key128
    Counted64
    Counted128


cdef inline int digit(Sortable record, int at) noexcept nogil:
    """Byte number `at` of the key, from the lowest."""
    cdef Key128 key
    if Sortable is uint64_t:
        return <int>((record >> (8 * at)) & 255)
    elif Sortable is Counted64:
        return <int>((record.key >> (8 * at)) & 255)
    else:
        if Sortable is Key128:
            key = record
        else:
            key = record.key
        return <int>(((key.lo >> (8 * at)) if at < 8 else (key.hi >> (8 * at - 64))) & 255)


cdef inline Sortable* radix_sort(Sortable* keys, Sortable* scratch, int64_t n,
                                 int n_bits) noexcept nogil:
    """Sort by the lowest `n_bits` bits; returns where the sorted keys are, keys or scratch.

    Least significant digit first, stable.
    """
    cdef int64_t histogram[16][RADIX]
    cdef int64_t i, total, here
    cdef int at, value, n_digits = (n_bits + 7) // 8
    cdef Sortable* other
    cdef Sortable key
    memset(histogram, 0, sizeof(histogram))
    for i in range(n):
        key = keys[i]
        for at in range(n_digits):
            histogram[at][digit(key, at)] += 1
    for at in range(n_digits):
        if n == 0 or histogram[at][digit(keys[0], at)] == n:
            continue
        total = 0
        for value in range(RADIX):
            here = histogram[at][value]
            histogram[at][value] = total
            total += here
        for i in range(n):
            key = keys[i]
            value = digit(key, at)
            scratch[histogram[at][value]] = key
            histogram[at][value] += 1
        other = keys
        keys = scratch
        scratch = other
    return keys
