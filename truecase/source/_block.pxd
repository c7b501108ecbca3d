"""The source of a block of lines as Python hands it in, checked."""

from truecase.source._phrase cimport AlignedText


cdef class AlignedBlock:
    cdef AlignedText aligned
    cdef list _owners            # of the memory that `aligned` points into
