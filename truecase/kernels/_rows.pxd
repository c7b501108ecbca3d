"""Rows of numbers for frequent words and pairs of words.

A key has one of the four rows of its bucket, found by 16 bits of the key; one of some ten thousand
keys without a row gets that of another.
"""

from libc.stdint cimport uint16_t, uint32_t, uint64_t, uint8_t

from truecase.base._check cimport prefetch
from truecase.kernels._unicode cimport HASH_LENGTH, scramble


cdef enum:
    CHECK_SIZE = 2               # bytes in front of a row's numbers, the lowest first
    ROWS_IN_BUCKET = 4


cdef struct FrequentRows:
    uint32_t n_rows              # a multiple of ROWS_IN_BUCKET; may be 0
    uint32_t n_bytes             # of a row, with its check
    # CHECK_SIZE bytes each, zeros for an empty row, and numbers, counted from 128.
    const uint8_t* rows


cdef inline uint64_t pair_key(uint64_t before, uint64_t key) noexcept nogil:
    """Key of a pair, from those of its words."""
    return scramble((before * HASH_LENGTH) ^ key)


cdef inline uint16_t row_check(uint64_t key) noexcept nogil:
    return <uint16_t>key if <uint16_t>key else 1


cdef inline uint32_t row_bucket(uint64_t key, uint32_t n_rows) noexcept nogil:
    """First row of a key's bucket; n_rows > 0."""
    return <uint32_t>(((key >> 32) * (n_rows // ROWS_IN_BUCKET)) >> 32) * ROWS_IN_BUCKET


cdef inline void prefetch_row(const FrequentRows* table, uint64_t key) noexcept nogil:
    if table.n_rows:
        prefetch(table.rows + <uint64_t>row_bucket(key, table.n_rows) * table.n_bytes)


cdef inline const uint8_t* find_row(const FrequentRows* table, uint64_t key) noexcept nogil:
    """Numbers of a key; NULL if it has none."""
    cdef uint16_t wanted = row_check(key)
    cdef const uint8_t* row
    cdef int _k
    if table.n_rows == 0:
        return NULL
    row = table.rows + <uint64_t>row_bucket(key, table.n_rows) * table.n_bytes
    for _k in range(ROWS_IN_BUCKET):
        if (row[0] | <uint16_t>row[1] << 8) == wanted:
            return row + <int>CHECK_SIZE
        row += table.n_bytes
    return NULL
