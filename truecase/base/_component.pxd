"""What all components of a model have: arrays, settings, and a struct that points into them."""

cdef class Component:
    cdef dict buffers            # the arrays, as they were given
    cdef readonly dict settings
    cdef list kept               # what the struct points into, whatever becomes of `arrays`
    # The arrays and settings, each to be checked as it is taken.
    cpdef object section(self, str name)
