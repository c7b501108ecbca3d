"""Where the shorter n-grams inside each n-gram are, in the sorted order below."""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

import numpy as np

from truecase.runtime._check cimport check, prefetch
from truecase.text._hash cimport mix

from truecase.base.threads import ordered_map


cdef enum:
    AHEAD = 16                    # n-grams between asking for a slot, for a row, and reading it
    RING = 64                     # a power of two, more than twice as many
    CHUNK = 1 << 18               # n-grams that one thread works on at a time


cdef inline int compare(const uint32_t* a, const uint32_t* b, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        if a[i] != b[i]:
            return -1 if a[i] < b[i] else 1
    return 0


cdef inline uint64_t home_of(const uint32_t* row, Py_ssize_t width,
                             uint64_t n_slots) noexcept nogil:
    cdef Py_ssize_t i
    cdef uint64_t hash = row[0]
    for i in range(1, width):
        hash = hash * <uint64_t>0x9e3779b97f4a7c15 + row[i]
    return ((mix(hash) >> 32) * n_slots) >> 32


cdef void index_rows(const uint32_t* rows, int64_t m, Py_ssize_t width, uint32_t* slots,
                     uint64_t n_slots) noexcept nogil:
    """Put the number of each row, plus one, into a hash table of zeros."""
    cdef int64_t i
    cdef uint64_t home
    for i in range(m):
        if i + AHEAD < m:
            prefetch(slots + home_of(rows + (i + AHEAD) * width, width, n_slots))
        home = home_of(rows + i * width, width, n_slots)
        while slots[home]:
            home = home + 1 if home + 1 < n_slots else 0
        slots[home] = <uint32_t>(i + 1)


cdef void find_contexts(const uint32_t* words, int64_t n, const uint32_t* rows, int64_t m,
                        Py_ssize_t width, int32_t* contexts) noexcept nogil:
    """Both are sorted: a context's place never moves back."""
    cdef int64_t i, place = 0, end = m, middle
    cdef int order
    # No context is before the first one.
    while place < end:
        middle = (place + end) // 2
        if compare(rows + middle * width, words, width) < 0:
            place = middle + 1
        else:
            end = middle
    for i in range(n):
        order = 1
        while place < m:
            order = compare(rows + place * width, words + i * (width + 1), width)
            if order >= 0:
                break
            place += 1
        contexts[i] = <int32_t>place if order == 0 else -1


cdef void find_suffixes(const uint32_t* words, int64_t n, const uint32_t* rows, Py_ssize_t width,
                        const uint32_t* slots, uint64_t n_slots, int32_t* suffixes) noexcept nogil:
    cdef int64_t i, place
    cdef uint64_t[RING] homes
    cdef uint64_t home
    cdef const uint32_t* suffix
    for i in range(-2 * AHEAD, n):
        if i + 2 * AHEAD < n:
            home = home_of(words + (i + 2 * AHEAD) * (width + 1) + 1, width, n_slots)
            homes[(i + 2 * AHEAD) & (RING - 1)] = home
            prefetch(slots + home)
        if 0 <= i + AHEAD < n:
            place = slots[homes[(i + AHEAD) & (RING - 1)]]
            if place:
                prefetch(rows + (place - 1) * width)
        if i < 0:
            continue
        home = homes[i & (RING - 1)]
        suffix = words + i * (width + 1) + 1
        place = slots[home]
        # Invariant: some slots are empty, so the search ends.
        while place and compare(rows + (place - 1) * width, suffix, width):
            home = home + 1 if home + 1 < n_slots else 0
            place = slots[home]
        check(home < n_slots)
        suffixes[i] = <int32_t>(place - 1)


cdef class _Below:
    """The n-grams of the order below, indexed."""

    cdef const uint32_t[:, ::1] rows
    cdef uint32_t[::1] slots

    def __cinit__(self, const uint32_t[:, ::1] rows):
        cdef int64_t m = rows.shape[0]
        self.rows = rows
        # NumPy asks for huge pages here, but not in `zeros`.
        index = np.empty(2 * m + 8, dtype=np.uint32)
        index.fill(0)
        self.slots = index
        with nogil:
            index_rows(&rows[0, 0], m, rows.shape[1], &self.slots[0], self.slots.shape[0])

    def find(self, const uint32_t[:, ::1] words):
        """Contexts and suffixes of consecutive n-grams, one at least."""
        cdef Py_ssize_t n = words.shape[0], m = self.rows.shape[0], width = self.rows.shape[1]
        contexts = np.empty(n, np.int32)
        suffixes = np.empty(n, np.int32)
        cdef int32_t[::1] context = contexts, suffix = suffixes
        with nogil:
            find_contexts(&words[0, 0], n, &self.rows[0, 0], m, width, &context[0])
            find_suffixes(&words[0, 0], n, &self.rows[0, 0], width, &self.slots[0],
                          self.slots.shape[0], &suffix[0])
        return contexts, suffixes


def find_shorter(const uint32_t[:, ::1] words, const uint32_t[:, ::1] below, int threads=1):
    """Places in `below` of each n-gram's words but the last, and of those but the first.

    Parameters
    ----------
    words : const uint32[:, ::1], shape (n, k)
        Sorted lexicographically, k >= 2.
    below : const uint32[:, ::1], shape (m, k - 1)
        Sorted lexicographically, each n-gram once.
    threads : int
        The result does not depend on it.

    Returns
    -------
    context, suffix : int32 ndarray, shape (n,)
        -1 where the shorter n-gram is absent.

    Raises
    ------
    MemoryError
        If `below` has 2**31 n-grams or more.
    ValueError
        If the widths do not fit each other.
    """
    cdef Py_ssize_t n = words.shape[0], m = below.shape[0], width = below.shape[1], begin
    if words.shape[1] != width + 1 or width < 1:
        raise ValueError(f"n-grams of {words.shape[1]} words above n-grams of {width}")
    if m >= <int64_t>1 << 31:
        raise MemoryError(f"{m} {width}-grams are too many for one table")
    if n == 0 or m == 0:
        return np.full(n, -1, np.int32), np.full(n, -1, np.int32)
    contexts = np.empty(n, np.int32)
    suffixes = np.empty(n, np.int32)
    rows = np.asarray(words)
    starts = range(0, n, CHUNK)
    parts = [rows[begin : begin + CHUNK] for begin in starts]
    found = ordered_map(_Below(below).find, parts, threads)
    for begin, (context, suffix) in zip(starts, found):
        contexts[begin : begin + CHUNK] = context
        suffixes[begin : begin + CHUNK] = suffix
    return contexts, suffixes


def raise_to(const int32_t[::1] places not None, const float[::1] values not None,
             float[::1] below not None):
    """Raise what n-grams below have to the most that the n-grams have that point at them.

    Parameters
    ----------
    places : const int32[::1], shape (n,)
        Where each n-gram points; nowhere if negative.
    values : const float[::1], shape (n,)
    below : float[::1], shape (m,)
        Raised in place.

    Raises
    ------
    ValueError
        If the arrays do not fit each other.
    """
    cdef int64_t i, n = places.shape[0], m = below.shape[0]
    cdef int32_t place
    cdef bint bad = False
    if values.shape[0] != n:
        raise ValueError("the n-grams' arrays differ in length")
    with nogil:
        for i in range(n):
            if i + AHEAD < n and 0 <= places[i + AHEAD] < m:
                prefetch(&below[places[i + AHEAD]])
            place = places[i]
            if place < 0:
                continue
            if place >= m:
                bad = True
                break
            if values[i] > below[place]:
                below[place] = values[i]
    if bad:
        raise ValueError(f"place {place} is not one of {m}")
