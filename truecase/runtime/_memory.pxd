"""Memory of kernels."""

from libc.stdint cimport SIZE_MAX
from libc.stdlib cimport realloc
from libc.string cimport memcpy

from truecase.runtime._status cimport STATUS_OK, STATUS_OUT_OF_MEMORY

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
