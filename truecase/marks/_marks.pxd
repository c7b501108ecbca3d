"""What marks between words are decided by, as a part of a model."""

from libc.stdint cimport int8_t, int32_t

from truecase.marks._network cimport MarksView
from truecase.modelfile._component cimport Component


cdef class Marks(Component):
    cdef MarksView view
    cdef int8_t* weights         # what the view's pointers lead to
    cdef int32_t* sums
    cdef float* out
    cdef readonly tuple marks    # behind words, from number 1 on
    cdef readonly tuple openings
    cdef readonly tuple pairs
