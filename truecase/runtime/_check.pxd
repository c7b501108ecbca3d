"""Hints to the compiler, and the assertion of the checked build: a broken invariant aborts."""


cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define TRUECASE_PREFETCH(p) __builtin_prefetch(p)
    #define TRUECASE_LIKELY(x) __builtin_expect(!!(x), 1)
    #else
    #define TRUECASE_PREFETCH(p) ((void)0)
    #define TRUECASE_LIKELY(x) (x)
    #endif
    #ifdef TRUECASE_CHECKED
    #include <stdio.h>
    #include <stdlib.h>
    #define TRUECASE_ASSERT(c) do { if (!(c)) { \\
        fprintf(stderr, "%s:%d: broken invariant: %s\\n", __FILE__, __LINE__, #c); \\
        abort(); } } while (0)
    #else
    #define TRUECASE_ASSERT(c) ((void)0)
    #endif
    """
    void prefetch "TRUECASE_PREFETCH"(const void* address) noexcept nogil
    bint likely "TRUECASE_LIKELY"(bint condition) noexcept nogil
    void check "TRUECASE_ASSERT"(bint condition) noexcept nogil
