"""Where the shorter n-grams inside each n-gram are, in the sorted order below."""

from libc.stdint cimport int64_t, uint32_t

import numpy as np


cdef inline int compare(const uint32_t* a, const uint32_t* b, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        if a[i] != b[i]:
            return -1 if a[i] < b[i] else 1
    return 0


cdef inline int64_t search(const uint32_t* rows, int64_t low, int64_t high, Py_ssize_t width,
                           const uint32_t* wanted) noexcept nogil:
    """Place of `wanted` in the sorted rows low … high - 1, or -1."""
    cdef int64_t middle
    cdef int order
    while low < high:
        middle = low + (high - low) // 2
        order = compare(rows + middle * width, wanted, width)
        if order == 0:
            return middle
        if order < 0:
            low = middle + 1
        else:
            high = middle
    return -1


def find_shorter(const uint32_t[:, ::1] words, const uint32_t[:, ::1] below):
    """Places in `below` of each n-gram's words but the last, and of those but the first.

    Parameters
    ----------
    words : const uint32[:, ::1], shape (n, k)
        Sorted lexicographically, k >= 2.
    below : const uint32[:, ::1], shape (m, k - 1)
        Sorted lexicographically.

    Returns
    -------
    context, suffix : int64 ndarray, shape (n,)
        -1 where the shorter n-gram is absent.

    Raises
    ------
    ValueError
        If the widths do not fit each other.
    """
    cdef Py_ssize_t n = words.shape[0], m = below.shape[0], width = below.shape[1]
    if words.shape[1] != width + 1 or width < 1:
        raise ValueError(f"n-grams of {words.shape[1]} words above n-grams of {width}")
    contexts = np.full(n, -1, dtype=np.int64)
    suffixes = np.full(n, -1, dtype=np.int64)
    if n == 0 or m == 0:
        return contexts, suffixes
    cdef uint32_t n_words = 1 + max(int(np.max(words)), int(np.max(below)))
    # Rows of `below` whose first word is w are starts[w] … starts[w + 1] - 1.
    cdef int64_t[::1] starts = np.searchsorted(
        np.ascontiguousarray(below[:, 0]), np.arange(n_words + 1, dtype=np.uint32)
    ).astype(np.int64)
    cdef int64_t[::1] context = contexts, suffix = suffixes
    cdef const uint32_t* rows = &below[0, 0]
    cdef const uint32_t* row
    cdef int64_t place = 0
    cdef Py_ssize_t i
    with nogil:
        for i in range(n):
            row = &words[i, 0]
            # Both are sorted: the context's place never moves back.
            while place < m and compare(rows + place * width, row, width) < 0:
                place += 1
            if place < m and compare(rows + place * width, row, width) == 0:
                context[i] = place
            suffix[i] = search(rows, starts[row[1]], starts[row[1] + 1], width, row + 1)
    return contexts, suffixes
