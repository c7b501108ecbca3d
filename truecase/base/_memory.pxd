"""Status codes of nogil kernels; `_core` and the Python sides turn them into exceptions.

Memory of kernels.

Offsets that cut an array into parts, checked before a kernel follows them.

Bytes that a kernel writes, in memory that grows.
"""

from libc.stddef cimport size_t
from libc.stdint cimport SIZE_MAX, int64_t, uint8_t
from libc.stdlib cimport realloc
from libc.string cimport memcpy


cdef enum Status:
    STATUS_OK = 0
    STATUS_OUT_OF_MEMORY = 1
    STATUS_TOO_LONG = 2          # a line or a table beyond the 32-bit limits of its kernel
    STATUS_INVALID = 3           # an argument or array that breaks a stated invariant


cdef enum:
    # readable bytes behind every text: what kernels may read after its last line, at most
    TEXT_PADDING = 16


cdef inline int grow(void** array, size_t n, size_t item) noexcept nogil:
    """Make room for `n` items in an allocated array, or NULL, and keep what it holds; a Status.

    The array stays as it is where there is no memory, or the size overflows, as do negative
    numbers. An array of no items is not NULL.
    """
    cdef void* held
    if n > SIZE_MAX // 2 // item:
        return STATUS_OUT_OF_MEMORY
    # Copied, since to C a pointer to something is another type than `void*`.
    memcpy(&held, array, sizeof(void*))
    held = realloc(held, n * item if n > 0 else 1)
    if held == NULL:
        return STATUS_OUT_OF_MEMORY
    memcpy(array, &held, sizeof(void*))
    return STATUS_OK


cdef inline bint rise(const int64_t[::1] offsets, int64_t n) noexcept nogil:
    """Whether offsets begin at 0 and never fall, and the last is at most `n`."""
    cdef Py_ssize_t i, last = offsets.shape[0] - 1
    if last < 0 or offsets[0] != 0 or offsets[last] > n:
        return False
    for i in range(last):
        if offsets[i + 1] < offsets[i]:
            return False
    return True


cdef struct Output:
    uint8_t* bytes
    size_t size
    size_t capacity


cdef inline int reserve_output(Output* out, size_t extra) noexcept nogil:
    """Make room for `extra` more bytes; a Status.

    An eighth more than is asked for, so that bytes that come one by one are copied a few times
    only, and a buffer that is kept is not much larger than what it was needed for.
    """
    cdef size_t wanted
    if out.capacity - out.size >= extra:
        return STATUS_OK
    wanted = out.size + extra
    wanted += wanted >> 3
    if grow(<void**>&out.bytes, wanted, 1) != STATUS_OK:
        return STATUS_OUT_OF_MEMORY
    out.capacity = wanted
    return STATUS_OK


cdef inline int append_output(Output* out, const void* bytes, size_t n) noexcept nogil:
    """Write n bytes behind what is there; a Status."""
    if reserve_output(out, n) != STATUS_OK:
        return STATUS_OUT_OF_MEMORY
    if n:
        memcpy(out.bytes + out.size, bytes, n)
    out.size += n
    return STATUS_OK
