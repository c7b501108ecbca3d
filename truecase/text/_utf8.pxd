"""UTF-8 that is safe on any bytes: what cannot be decoded is an invalid byte by itself."""

from libc.stdint cimport uint8_t, uint32_t

from truecase.runtime._check cimport check


cdef enum:
    INVALID_BYTE = 0x80000000    # + the byte: the "code point" of a byte outside UTF-8


cdef inline bint ascii_space(uint8_t c) noexcept nogil:
    return c == 0x20 or (c >= 0x09 and c <= 0x0d)


cdef inline uint32_t decode_long(const uint8_t* p, const uint8_t* end,
                                 uint32_t* length) noexcept nogil:
    """Code point of three or four bytes at `p`, or an invalid byte."""
    cdef uint32_t first = p[0], cp
    length[0] = 1
    if first < 0xe0 or first > 0xf4 or end - p < 3:
        return INVALID_BYTE + first
    if (p[1] & 0xc0) != 0x80 or (p[2] & 0xc0) != 0x80:
        return INVALID_BYTE + first
    if first < 0xf0:
        cp = ((first & 0x0f) << 12) | (<uint32_t>(p[1] & 0x3f) << 6) | (p[2] & 0x3f)
        if cp < 0x800 or (cp >= 0xd800 and cp < 0xe000):
            return INVALID_BYTE + first
        length[0] = 3
        return cp
    if end - p < 4 or (p[3] & 0xc0) != 0x80:
        return INVALID_BYTE + first
    cp = (((first & 0x07) << 18) | (<uint32_t>(p[1] & 0x3f) << 12)
          | (<uint32_t>(p[2] & 0x3f) << 6) | (p[3] & 0x3f))
    if cp < 0x10000 or cp > 0x10ffff:
        return INVALID_BYTE + first
    length[0] = 4
    return cp


cdef inline uint32_t decode(const uint8_t* p, const uint8_t* end, uint32_t* length) noexcept nogil:
    """Code point at `p` and its length in bytes. Invariant: p < end.

    Overlong forms, surrogates and values above U+10FFFF are invalid, byte by byte.
    """
    cdef uint32_t first = p[0]
    check(p < end)
    if first < 0x80:
        length[0] = 1
        return first
    if first >= 0xc2 and first < 0xe0 and end - p >= 2 and (p[1] & 0xc0) == 0x80:
        length[0] = 2
        return ((first & 0x1f) << 6) | (p[1] & 0x3f)
    return decode_long(p, end, length)


cdef inline uint32_t encode(uint32_t cp, uint8_t* out) noexcept nogil:
    """Writes a code point, or an invalid byte as it was; bytes written (1 … 4)."""
    if cp < 0x80:
        out[0] = <uint8_t>cp
        return 1
    if cp < 0x800:
        out[0] = <uint8_t>(0xc0 | (cp >> 6))
        out[1] = <uint8_t>(0x80 | (cp & 0x3f))
        return 2
    if cp < 0x10000:
        out[0] = <uint8_t>(0xe0 | (cp >> 12))
        out[1] = <uint8_t>(0x80 | ((cp >> 6) & 0x3f))
        out[2] = <uint8_t>(0x80 | (cp & 0x3f))
        return 3
    if cp <= 0x10ffff:
        out[0] = <uint8_t>(0xf0 | (cp >> 18))
        out[1] = <uint8_t>(0x80 | ((cp >> 12) & 0x3f))
        out[2] = <uint8_t>(0x80 | ((cp >> 6) & 0x3f))
        out[3] = <uint8_t>(0x80 | (cp & 0x3f))
        return 4
    out[0] = <uint8_t>(cp & 0xff)
    return 1
