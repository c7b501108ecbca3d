"""Hints to the compiler, vectors, and assertions of the checked build: a broken one aborts."""

cdef extern from *:
    """
    /* Here, as blocks of C stand in the order of the modules that they are of. */
    #if defined(__SSE2__) || defined(_M_X64)
    #include <emmintrin.h>
    #define TRUECASE_SSE2 1
    #endif
    #if defined(__GNUC__) || defined(__clang__)
    /* GCC drops calls of functions that only prefetch, unless they contain something volatile. */
    #define TRUECASE_PREFETCH(p) do { __builtin_prefetch(p); __asm__ volatile(""); } while (0)
    #define TRUECASE_LIKELY(x) __builtin_expect(!!(x), 1)
    #else
    #define TRUECASE_PREFETCH(p) ((void)0)
    #define TRUECASE_LIKELY(x) (x)
    #endif
    #ifdef TRUECASE_CHECKED
    #include <math.h>
    #include <stdio.h>
    #include <stdlib.h>
    static inline void truecase_forget(float* value, int n) {
        for (int i = 0; i < n; i++) value[i] = NAN;
    }
    static inline int truecase_are_finite(const float* value, int n) {
        for (int i = 0; i < n; i++) if (!isfinite(value[i])) return 0;
        return 1;
    }
    #define TRUECASE_FORGET(v, n) truecase_forget(v, n)
    #define TRUECASE_ARE_FINITE(v, n) truecase_are_finite(v, n)
    #define TRUECASE_ASSERT(c) do { if (!(c)) { \\
        fprintf(stderr, "%s:%d: broken invariant: %s\\n", __FILE__, __LINE__, #c); \\
        abort(); } } while (0)
    #else
    #define TRUECASE_FORGET(v, n) ((void)0)
    #define TRUECASE_ARE_FINITE(v, n) 1
    #define TRUECASE_ASSERT(c) ((void)0)
    #endif
    """
    void prefetch "TRUECASE_PREFETCH"(const void* address) noexcept nogil
    bint likely "TRUECASE_LIKELY"(bint condition) noexcept nogil
    void check "TRUECASE_ASSERT"(bint condition) noexcept nogil
    # Fill an array with NaN; whether all its numbers are finite.
    void forget "TRUECASE_FORGET"(float* value, int n) noexcept nogil
    bint are_finite "TRUECASE_ARE_FINITE"(const float* value, int n) noexcept nogil


cdef enum:
    CACHE_LINE = 64              # bytes


cdef inline void prefetch_bytes(const void* start, size_t n) noexcept nogil:
    """Prefetch the lines of n bytes, n > 0."""
    cdef const char* address = <const char*>start
    cdef const char* last = address + n - 1
    while address < last:
        prefetch(address)
        address += CACHE_LINE
    prefetch(last)
