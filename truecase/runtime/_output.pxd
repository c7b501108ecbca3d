"""Bytes that a kernel writes, in memory that grows."""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t
from libc.string cimport memcpy

from truecase.runtime._memory cimport grow
from truecase.runtime._status cimport STATUS_OK, STATUS_OUT_OF_MEMORY


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
