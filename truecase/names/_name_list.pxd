"""A list of names as a component of a model."""

from truecase.modelfile._component cimport Component


cdef enum:
    LONGEST_NAME = 1000          # bytes


cdef class NameList(Component):
    cdef const unsigned char[::1] text
    cdef const unsigned int[::1] starts
    cdef const unsigned char[::1] forced
    cdef float[2][2] bonus
    cdef float lower_bonus
    # Whether names begin and end where they may, before anything reads them.
    cdef int _check_places(self) except -1
