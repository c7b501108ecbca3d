"""The base class of all components of a model."""

cdef class Component:
    cdef dict buffers            # the arrays, as they were given
    cdef readonly dict settings
    cdef list kept               # the memory that the component's struct points into
    cpdef object section(self, str name)
