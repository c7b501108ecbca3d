"""Memory that was freed, back to the system."""

__all__ = ["give_back_memory"]


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
