"""The base class of a model's components: arrays, settings, and a struct that points into them.

The arrays come from a mapped file, so that a line can be cased without NumPy, or from training as
NumPy's.
"""

from cpython.buffer cimport (
    PyBUF_FORMAT, PyBUF_STRIDED_RO, PyBuffer_IsContiguous, PyBuffer_Release, PyObject_GetBuffer
)
from libc.stddef cimport size_t

from truecase.errors import WrongTypeError


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

    For long work between a step that frees much and one that needs long arrays.
    """
    with nogil:
        trim()


cdef class Component:
    """A part of a model: arrays, and settings that describe them.

    All arrays and settings are checked at construction, so that no kernel can read outside its
    arrays.

    Parameters
    ----------
    arrays : mapping of str to buffer
        NumPy arrays, or memoryviews of a mapped file; not copied.
    settings : mapping, optional
        JSON-able.

    Raises
    ------
    ModelError
        An array is missing or has the wrong type or length, or a setting is out of range.
    """

    about = "a part of a model"

    def __cinit__(self, arrays, settings=None):
        if not hasattr(arrays, "keys"):
            raise WrongTypeError("arrays: expected them by name; name_list makes a list of names")
        self.buffers = dict(arrays)
        self.settings = dict(settings or {})
        self.kept = []

    def __reduce__(self):
        return type(self), (self.arrays, self.settings)

    def __repr__(self):
        return f"<{type(self).__name__}: {self.about}, {self.n_bytes:,} bytes>"

    @property
    def arrays(self):
        """NumPy views of the arrays by name."""
        import numpy as np

        return {name: np.asarray(buffer) for name, buffer in self.buffers.items()}

    cpdef object section(self, str name):
        """The arrays and settings, for checking."""
        # It imports this module.
        from truecase.base.model_file import Section

        return Section(name, self.buffers, self.settings, self.kept)

    @property
    def n_bytes(self):
        """Size of the arrays."""
        return sum([memoryview(buffer).nbytes for buffer in self.buffers.values()])

    def info(self):
        """A description and some figures."""
        return {"is": self.about, "bytes": self.n_bytes}
