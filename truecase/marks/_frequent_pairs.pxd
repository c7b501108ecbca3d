"""Rows of the most frequent pairs of words that follow each other.

A pair is looked for among the four of its bucket, by 16 bits of its hash. One that is not there has
no row; one in some ten thousand of these gets that of another.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from truecase.runtime._check cimport prefetch
from truecase.text._hash cimport HASH_LENGTH, scramble


cdef enum:
    PAIR_SIZE = 8                # numbers of a row
    CHECK_SIZE = 2               # bytes in front of them, the lowest first
    IN_BUCKET = 4                # rows


cdef struct FrequentPairs:
    uint32_t n_rows              # a multiple of IN_BUCKET; 0: there are none
    # CHECK_SIZE bytes each, zeros for a row of no pair, and PAIR_SIZE numbers, 128 more than what
    # they stand for.
    const uint8_t* rows


cdef inline uint64_t pair_key(uint64_t before, uint64_t key) noexcept nogil:
    """Of the keys of two words."""
    return scramble((before * HASH_LENGTH) ^ key)


cdef inline uint16_t pair_check(uint64_t key) noexcept nogil:
    return <uint16_t>key if <uint16_t>key else 1


cdef inline uint32_t pair_bucket(uint64_t key, uint32_t n_rows) noexcept nogil:
    """The first row of a pair's bucket; n_rows > 0."""
    return <uint32_t>(((key >> 32) * (n_rows // IN_BUCKET)) >> 32) * IN_BUCKET


cdef inline void prefetch_pair(const FrequentPairs* pairs, uint64_t key) noexcept nogil:
    if pairs.n_rows:
        prefetch(pairs.rows
                 + <uint64_t>pair_bucket(key, pairs.n_rows) * (CHECK_SIZE + PAIR_SIZE))


cdef inline const uint8_t* find_pair(const FrequentPairs* pairs, uint64_t key) noexcept nogil:
    """The numbers of a pair, NULL if it has none."""
    cdef uint16_t wanted = pair_check(key)
    cdef const uint8_t* row
    cdef int _k
    if pairs.n_rows == 0:
        return NULL
    row = pairs.rows + <uint64_t>pair_bucket(key, pairs.n_rows) * (CHECK_SIZE + PAIR_SIZE)
    for _k in range(IN_BUCKET):
        if (row[0] | <uint16_t>row[1] << 8) == wanted:
            return row + <int>CHECK_SIZE
        row += <int>(CHECK_SIZE + PAIR_SIZE)
    return NULL
