"""Where the markup of well-formed XML ends.

An end that is missing is -1: whether a file is well-formed or not, nothing here reads behind it.
"""

from libc.stdint cimport int64_t, uint8_t
from libc.string cimport memchr, memcmp


cdef inline int64_t find_byte(const uint8_t* data, int64_t p, int64_t end,
                              uint8_t byte) noexcept nogil:
    """Where a byte stands first in `p` … `end` - 1."""
    cdef const void* found
    if p >= end:
        return -1
    found = memchr(data + p, byte, <size_t>(end - p))
    return -1 if found == NULL else <const uint8_t*>found - data


cdef inline int64_t find_bytes(const uint8_t* data, int64_t p, int64_t end, const char* what,
                               int64_t n) noexcept nogil:
    """Where `n` bytes stand first, whole, in `p` … `end` - 1."""
    while True:
        p = find_byte(data, p, end - n + 1, <uint8_t>what[0])
        if p < 0 or memcmp(data + p, what, <size_t>n) == 0:
            return p
        p += 1


cdef inline bint stands_at(const uint8_t* data, int64_t p, int64_t end, const char* what,
                           int64_t n) noexcept nogil:
    return end - p >= n and memcmp(data + p, what, <size_t>n) == 0


cdef inline int64_t tag_end(const uint8_t* data, int64_t p, int64_t end) noexcept nogil:
    """After the end of the tag, or declaration, that begins before `p`; quotes hide a `>`."""
    cdef uint8_t c
    while p < end:
        c = data[p]
        if c == c'>':
            return p + 1
        if c == c'"' or c == c"'":
            p = find_byte(data, p + 1, end, c)
            if p < 0:
                return -1
        p += 1
    return -1


cdef inline int64_t markup_end(const uint8_t* data, int64_t p, int64_t end) noexcept nogil:
    """After the comment, CDATA section, instruction or declaration that begins at `p`."""
    cdef int64_t last
    if stands_at(data, p, end, b"<!--", 4):
        last = find_bytes(data, p + 4, end, b"-->", 3)
        return -1 if last < 0 else last + 3
    if stands_at(data, p, end, b"<![CDATA[", 9):
        last = find_bytes(data, p + 9, end, b"]]>", 3)
        return -1 if last < 0 else last + 3
    if stands_at(data, p, end, b"<?", 2):
        last = find_bytes(data, p + 2, end, b"?>", 2)
        return -1 if last < 0 else last + 2
    return tag_end(data, p + 1, end)


cdef inline bint ends_name(uint8_t c) noexcept nogil:
    return c == c' ' or c == c'>' or c == c'/' or (c >= 0x09 and c <= 0x0d)


cdef inline int64_t name_end(const uint8_t* data, int64_t p, int64_t end) noexcept nogil:
    """After the name that begins at `p`."""
    while p < end and not ends_name(data[p]):
        p += 1
    return p
