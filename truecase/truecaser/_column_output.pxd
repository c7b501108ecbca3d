"""Columns that are offered to others."""

from libc.stdint cimport int64_t

from truecase.truecaser._column_input cimport ArrowArray


cdef class Memory:
    cdef void* bytes


cdef class ArrowChunk:
    cdef readonly int64_t length
    cdef readonly int64_t null_count
    cdef readonly ArrowChunk dictionary
    cdef readonly object numbers  # ndarray, where the chunk is one of numbers
    cdef list keeps              # Memory, or bytes-like objects, whose memory the buffers are
    cdef const void** buffers
    cdef int64_t n_buffers

    cdef void offer(self, ArrowArray* array) except *
