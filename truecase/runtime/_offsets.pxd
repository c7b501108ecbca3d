"""Offsets that cut an array into parts, checked before a kernel follows them."""

from libc.stdint cimport int64_t


cdef inline bint rise(const int64_t[::1] offsets, int64_t n) noexcept nogil:
    """Whether offsets begin at 0 and never fall, and the last is at most `n`."""
    cdef Py_ssize_t i, last = offsets.shape[0] - 1
    if last < 0 or offsets[0] != 0 or offsets[last] > n:
        return False
    for i in range(last):
        if offsets[i + 1] < offsets[i]:
            return False
    return True
