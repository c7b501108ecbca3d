"""Checks of vectors that buffers do not state, and freed memory given back to the system.

A model's arrays come from a mapped file, so that a line can be cased without NumPy, or from
training as NumPy's.
"""

from cpython.buffer cimport (
    PyBUF_FORMAT, PyBUF_STRIDED_RO, PyBuffer_IsContiguous, PyBuffer_Release, PyObject_GetBuffer
)
from libc.stddef cimport size_t


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
