"""What buffers do not tell of vectors: whether kernels may read them, and their range.

Arrays of a model come from a mapped file, so that a line can be cased without NumPy, or from
training as NumPy's.

Memory that was freed, back to the system.

What all components of a model have: arrays, settings, and a struct that points into them.
"""

from cpython.buffer cimport (
    PyBUF_FORMAT,
    PyBUF_STRIDED_RO,
    PyBuffer_IsContiguous,
    PyBuffer_Release,
    PyObject_GetBuffer,
)
from libc.stddef cimport size_t

from truecase.base.section import Section


__all__ = ["Component", "all_between", "give_back_memory", "is_laid_out"]


def is_laid_out(buffer):
    """Whether the entries lie one after the other, each where its type may lie."""
    cdef Py_buffer view
    PyObject_GetBuffer(buffer, &view, PyBUF_STRIDED_RO | PyBUF_FORMAT)
    try:
        return PyBuffer_IsContiguous(&view, b"C") and <size_t>view.buf % view.itemsize == 0
    finally:
        PyBuffer_Release(&view)


def all_between(const float[::1] values, float low, float high):
    """Whether all entries are numbers within bounds; no NaN is."""
    cdef Py_ssize_t i
    for i in range(values.shape[0]):
        if not low <= values[i] <= high:
            return False
    return True


cdef extern from *:
    """
    #if defined(__GLIBC__)
    #include <malloc.h>
    #define TRUECASE_TRIM() malloc_trim(0)
    #else
    #define TRUECASE_TRIM() ((void)0)
    #endif
    """
    void trim "TRUECASE_TRIM"() noexcept nogil


def give_back_memory():
    """Give freed memory back to the system where the allocator keeps it (glibc's does).

    For a step of long work that frees much and before one that needs much: what lies between
    pieces in use is of no use to long arrays.
    """
    with nogil:
        trim()


cdef class Component:
    """A part of a model: its arrays, and settings that say what they mean.

    Made whole or not at all: a part is checked as it is made, so that nothing in it can make a
    kernel read outside its arrays.

    Parameters
    ----------
    arrays : mapping of str to buffer
        NumPy's, or memoryviews of a mapped file; kept, not copied.
    settings : mapping, optional
        JSON-able.

    Raises
    ------
    ModelError
        If an array is missing, of the wrong type or length, or a setting is out of range.
    """

    about = "a part of a model"

    def __cinit__(self, arrays, settings=None):
        self.buffers = dict(arrays)
        self.settings = dict(settings or {})
        self.kept = []

    def __reduce__(self):
        return type(self), (self.arrays, self.settings)

    def __repr__(self):
        return f"<{type(self).__name__}: {self.about}, {self.n_bytes:,} bytes>"

    @property
    def arrays(self):
        """By name; what they hold is not copied."""
        import numpy as np

        return {name: np.asarray(buffer) for name, buffer in self.buffers.items()}

    cpdef object section(self, str name):
        """The arrays and settings, each to be checked as it is taken."""
        return Section(name, self.buffers, self.settings, self.kept)

    @property
    def n_bytes(self):
        """Size of the arrays."""
        return sum([memoryview(buffer).nbytes for buffer in self.buffers.values()])

    def info(self):
        """What it is, in a few words and numbers."""
        return {"is": self.about, "bytes": self.n_bytes}
