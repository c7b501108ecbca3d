"""How many line feeds there are in bytes."""

from libc.stddef cimport size_t
from libc.stdint cimport int64_t, uint8_t
from libc.string cimport memchr


cdef inline int64_t line_feeds(const uint8_t* text, size_t size) noexcept nogil:
    cdef const uint8_t* end = text + size
    cdef const uint8_t* at = text
    cdef int64_t n = 0
    while at < end:
        at = <const uint8_t*>memchr(at, 0x0a, end - at)
        if at == NULL:
            break
        n += 1
        at += 1
    return n
