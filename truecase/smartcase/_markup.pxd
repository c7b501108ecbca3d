"""Moses' view of a line: markup that is no text, factors behind words, where sentences begin."""

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memchr, memcmp


cdef inline bint is_space(uint8_t byte) noexcept nogil:
    return byte == 0x20 or (byte >= 0x09 and byte <= 0x0d)


cdef inline uint32_t find_byte(const uint8_t* text, uint32_t p, uint32_t end,
                               uint8_t byte) noexcept nogil:
    """Position of the next such byte, or `end`."""
    cdef const void* found = memchr(text + p, byte, end - p)
    return end if found == NULL else <uint32_t>(<const uint8_t*>found - text)


cdef inline uint32_t find_markup(const uint8_t* text, uint32_t p, uint32_t end,
                                 uint32_t* markup_end) noexcept nogil:
    """The next ``<…>`` whose second byte is no white space, or `end`."""
    cdef uint32_t close
    while True:
        p = find_byte(text, p, end, 0x3c)
        if end - p < 3:
            markup_end[0] = end
            return end
        if not is_space(text[p + 1]):
            close = find_byte(text, p + 2, end, 0x3e)
            if close < end:
                markup_end[0] = close + 1
                return p
        p += 1


cdef inline bint ends_moses_sentence(const uint8_t* text, uint32_t start,
                                     uint32_t end) noexcept nogil:
    cdef uint8_t byte = text[start]
    return end - start == 1 and (byte == 0x2e or byte == 0x3a or byte == 0x3f or byte == 0x21)


cdef inline bint delays_moses_sentence(const uint8_t* text, uint32_t start,
                                       uint32_t end) noexcept nogil:
    """Whether the word after this token is still the first one: quotes, opening brackets."""
    cdef uint8_t byte = text[start]
    cdef uint32_t n = end - start
    if n == 1:
        return byte == 0x28 or byte == 0x5b or byte == 0x22 or byte == 0x27
    if byte != 0x26:
        return False
    if n == 6:
        return memcmp(text + start, b"&apos;", 6) == 0 or memcmp(text + start, b"&quot;", 6) == 0
    return n == 5 and (memcmp(text + start, b"&#91;", 5) == 0
                       or memcmp(text + start, b"&#93;", 5) == 0)
