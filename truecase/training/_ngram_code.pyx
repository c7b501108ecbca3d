"""Sorted n-grams and their counts as bytes.

Each record holds the difference of its key to the previous one, then the count, both as numbers of
seven bits a byte, the lowest first; the high bit of a byte announces another one. Neither number is
ever 0.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

from truecase.ngram._keys cimport Key128, key_at, less_key

import numpy as np


cdef enum:
    LONGEST = 24                  # bytes of a record: 128 bits in 19, 32 in 5

# What is wrong with n-grams, from "its n-grams" on.
cdef const char* TRUNCATED = b"end too early"
cdef const char* TOO_LARGE = b"have a number that is too large"


cdef inline uint8_t* write_number(uint8_t* out, uint64_t hi, uint64_t lo) noexcept nogil:
    while hi or lo >= 128:
        out[0] = <uint8_t>(lo & 127) | 128
        out += 1
        lo = (lo >> 7) | (hi << 57)
        hi >>= 7
    out[0] = <uint8_t>lo
    return out + 1


cdef inline const uint8_t* read_number(const uint8_t* p, const uint8_t* end, Key128* number,
                                       const char** fault) noexcept nogil:
    cdef int shift = 0
    cdef uint8_t byte
    cdef uint64_t bits
    number.hi = number.lo = 0
    while p < end:
        byte = p[0]
        p += 1
        bits = byte & 127
        # The 19th byte has the last two of 128 bits.
        if shift > 126 or (shift == 126 and bits > 3):
            fault[0] = TOO_LARGE
            return p
        if shift < 64:
            number.lo |= bits << shift
            if shift > 57:
                number.hi |= bits >> (64 - shift)
        else:
            number.hi |= bits << (shift - 64)
        if not byte & 128:
            return p
        shift += 7
    fault[0] = TRUNCATED
    return p


cdef Key128 key_of(tuple previous):
    cdef Key128 key
    key.hi, key.lo = previous
    return key


def encode(const uint64_t[::1] keys not None, int width, const uint32_t[::1] counts not None,
           tuple previous):
    """Encode records.

    Parameters
    ----------
    keys : const uint64[::1], shape (n * width,)
        Ascending.
    width : {1, 2}
    counts : const uint32[::1], shape (n,)
        Positive; ValueError for 0, or if the keys do not ascend.
    previous : (int, int)
        High and low half of the key before the first record; 0 at the beginning.
    """
    cdef int64_t i, n = counts.shape[0]
    cdef Key128 last = key_of(previous), key
    cdef bint good = True
    cdef uint8_t* p
    if width not in (1, 2) or keys.shape[0] != n * width:
        raise ValueError("there are not as many keys as counts")
    coded = np.empty(n * LONGEST + 1, np.uint8)
    cdef uint8_t[::1] out = coded
    with nogil:
        p = &out[0]
        for i in range(n):
            key = key_at(&keys[0], i, width)
            if not less_key(last, key) or counts[i] == 0:
                good = False
                break
            p = write_number(p, key.hi - last.hi - (key.lo < last.lo), key.lo - last.lo)
            p = write_number(p, 0, counts[i])
            last = key
    if not good:
        raise ValueError("n-grams are not in their order, or one has no count")
    return coded[: p - &out[0]]


def decode(const uint8_t[::1] coded not None, int64_t n, int width, tuple previous):
    """Decode `n` records to keys and counts; see `encode`. ValueError for any other bytes."""
    cdef int64_t i
    cdef const char* fault = NULL
    cdef Key128 key = key_of(previous), step, count
    cdef uint64_t low, high
    cdef const uint8_t* p
    cdef const uint8_t* end
    # A record has at least two bytes: no memory for numbers that a damaged file makes up.
    if width not in (1, 2) or not 0 <= n <= coded.shape[0] // 2:
        raise ValueError("its n-grams are too few")
    keys = np.empty(n * width, np.uint64)
    counts = np.empty(n, np.uint32)
    cdef uint64_t[::1] keys_out = keys
    cdef uint32_t[::1] counts_out = counts
    if not coded.shape[0]:
        return keys, counts
    with nogil:
        p = &coded[0]
        end = p + coded.shape[0]
        for i in range(n):
            p = read_number(p, end, &step, &fault)
            if fault == NULL:
                p = read_number(p, end, &count, &fault)
            if fault != NULL:
                break
            if count.hi or count.lo >> 32:
                fault = TOO_LARGE
                break
            if count.lo == 0:
                fault = b"have one without a count"
                break
            if step.hi == 0 and step.lo == 0:
                fault = b"have one twice"
                break
            low = key.lo + step.lo
            high = key.hi + step.hi
            if high < key.hi or (low < key.lo and high == <uint64_t>-1):
                fault = TOO_LARGE
                break
            key.hi = high + (low < key.lo)   # before key.lo changes
            key.lo = low
            if width == 1 and key.hi:
                fault = TOO_LARGE
                break
            if width == 2:
                keys_out[2 * i] = key.hi
            keys_out[i * width + width - 1] = key.lo
            counts_out[i] = <uint32_t>count.lo
        if fault == NULL and p != end:
            fault = b"are too many"
    if fault != NULL:
        raise ValueError(f"its n-grams {fault.decode()}")
    return keys, counts
