"""Memory of kernels: status codes, arrays that grow, checked offsets, what is written there."""

from libc.stddef cimport size_t
from libc.stdint cimport INT32_MAX, SIZE_MAX, int32_t, int64_t, uint64_t, uint8_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy, memset

from truecase.base._check cimport CACHE_LINE


# Exceptions to be raised by `_core` and the Python sides of nogil kernels. OK is 0, so that
# `f() or g()` is the first status that is not OK; what stands behind it is not done.
cdef enum Status:
    STATUS_OK = 0
    STATUS_OUT_OF_MEMORY = 1
    STATUS_TOO_LONG = 2          # a line or a table beyond the 32-bit limits of its kernel
    STATUS_INVALID = 3           # an argument or array that breaks a stated invariant


cdef enum:
    # readable bytes behind every text: kernels read at most so far
    TEXT_PADDING = 16


cdef inline int grow(void** array, size_t n, size_t item) noexcept nogil:
    """Resize an allocated array, or NULL, to `n` items, keeping its contents; a Status.

    The array is unchanged if there is no memory or the size overflows, as negative numbers do. An
    array of no items is not NULL.
    """
    cdef void* held
    if n > SIZE_MAX // 2 // item:
        return STATUS_OUT_OF_MEMORY
    # Copied, since C does not let a pointer to another type be accessed as `void*`.
    memcpy(&held, array, sizeof(void*))
    held = realloc(held, n * item if n > 0 else 1)
    if held == NULL:
        return STATUS_OUT_OF_MEMORY
    memcpy(array, &held, sizeof(void*))
    return STATUS_OK


cdef inline int reserve(void** array, int64_t* capacity, int64_t n, size_t item) noexcept nogil:
    """Make room for `n` items in all, and as many more; a Status."""
    if capacity[0] >= n:
        return STATUS_OK
    if grow(array, 2 * <size_t>n, item) != STATUS_OK:
        return STATUS_OUT_OF_MEMORY
    capacity[0] = 2 * n
    return STATUS_OK


cdef inline int reserve_counted(void** array, int32_t* capacity, int64_t n,
                                size_t item) noexcept nogil:
    """`reserve` for an array whose items are counted in 32 bits."""
    cdef int64_t wanted = 2 * n + 64
    if capacity[0] >= n:
        return STATUS_OK
    if wanted > INT32_MAX:
        return STATUS_TOO_LONG
    if grow(array, <size_t>wanted, item) != STATUS_OK:
        return STATUS_OUT_OF_MEMORY
    capacity[0] = <int32_t>wanted
    return STATUS_OK


# Between arrays of an arena, the address sanitizer sees a gap that nobody may touch.
cdef extern from *:
    """
    #if defined(__has_feature)
    #if __has_feature(address_sanitizer)
    #define TRUECASE_HAS_GAPS
    #endif
    #elif defined(__SANITIZE_ADDRESS__)
    #define TRUECASE_HAS_GAPS
    #endif
    #ifdef TRUECASE_HAS_GAPS
    #include <sanitizer/asan_interface.h>
    #define TRUECASE_GAP 64
    #define TRUECASE_CLOSE(start, n) __asan_poison_memory_region(start, n)
    #define TRUECASE_OPEN(start, n) __asan_unpoison_memory_region(start, n)
    #else
    #define TRUECASE_GAP 0
    #define TRUECASE_CLOSE(start, n) ((void)0)
    #define TRUECASE_OPEN(start, n) ((void)0)
    #endif
    """
    const size_t GAP "TRUECASE_GAP"
    void close_gap "TRUECASE_CLOSE"(void* start, size_t n) noexcept nogil
    void open_gaps "TRUECASE_OPEN"(void* start, size_t n) noexcept nogil


cdef struct Chunk:               # its memory follows it
    Chunk* older


cdef struct Arena:               # arrays of one thread that are freed together; zeros: none
    Chunk* newest
    size_t used                  # bytes of the newest chunk
    size_t size
    bint is_short                # there was no memory for an array


cdef inline void reset_arena(Arena* arena) noexcept nogil:
    """Give all arrays back; the newest chunk, which is the largest, stays for others."""
    cdef Chunk* older
    arena.used = CACHE_LINE
    arena.is_short = False
    while arena.newest != NULL and arena.newest.older != NULL:
        older = arena.newest.older
        arena.newest.older = older.older
        free(older)
    if arena.newest != NULL:
        open_gaps(arena.newest, arena.size)


cdef inline void free_arena(Arena* arena) noexcept nogil:
    reset_arena(arena)
    free(arena.newest)
    memset(arena, 0, sizeof(Arena))


cdef inline void* take(Arena* arena, size_t n, size_t item) noexcept nogil:
    """An array of `n` items, whatever they hold; NULL, and `is_short`, if there is no memory."""
    cdef size_t size
    cdef Chunk* chunk
    cdef uint8_t* array
    if n >= SIZE_MAX // 8 // item or arena.size >= SIZE_MAX // 8:
        arena.is_short = True
        return NULL
    size = (n * item + GAP + CACHE_LINE - 1) // CACHE_LINE * CACHE_LINE
    if arena.newest == NULL or arena.size - arena.used < size:
        chunk = <Chunk*>malloc(CACHE_LINE + 2 * arena.size + size)
        if chunk == NULL:
            arena.is_short = True
            return NULL
        chunk.older = arena.newest
        arena.newest = chunk
        arena.size = CACHE_LINE + 2 * arena.size + size
        arena.used = CACHE_LINE
    array = <uint8_t*>arena.newest + arena.used
    arena.used += size
    close_gap(array + n * item, size - n * item)
    return array


cdef inline bint rise(const int64_t[::1] offsets, int64_t n) noexcept nogil:
    """Whether offsets begin at 0, never fall, and end at `n` or before."""
    cdef Py_ssize_t i, last = offsets.shape[0] - 1
    if last < 0 or offsets[0] != 0 or offsets[last] > n:
        return False
    for i in range(last):
        if offsets[i + 1] < offsets[i]:
            return False
    return True


cdef struct Output:
    uint8_t* bytes
    size_t size
    size_t capacity


cdef inline int reserve_output(Output* out, size_t extra) noexcept nogil:
    """Make room for `extra` more bytes, and an eighth more; a Status.

    So bytes that come one by one are copied a few times only, and the buffer is not much too large.
    """
    cdef size_t wanted
    if out.capacity - out.size >= extra:
        return STATUS_OK
    wanted = out.size + extra
    wanted += wanted >> 3
    if grow(<void**>&out.bytes, wanted, 1) != STATUS_OK:
        return STATUS_OUT_OF_MEMORY
    out.capacity = wanted
    return STATUS_OK


cdef inline size_t write_decimal(uint64_t number, uint8_t* out) noexcept nogil:
    """Write a number above 0, of 20 digits at most; return how many it has."""
    cdef uint8_t[20] digits
    cdef int n = 0, i
    while number:
        digits[n] = <uint8_t>(0x30 + number % 10)
        number //= 10
        n += 1
    for i in range(n):
        out[i] = digits[n - 1 - i]
    return n


cdef inline int append_output(Output* out, const void* bytes, size_t n) noexcept nogil:
    """Append n bytes; a Status."""
    cdef int status = reserve_output(out, n)
    if status == STATUS_OK and n:
        memcpy(out.bytes + out.size, bytes, n)
        out.size += n
    return status
