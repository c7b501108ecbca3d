"""Lines and words of a block of text, counted as alignments count them."""

from libc.stdint cimport INT32_MAX, int32_t, int64_t, uint8_t
from libc.string cimport memchr

from truecase.text._line_feeds cimport line_feeds
from truecase.text._utf8 cimport ascii_space

__all__ = ["count_lines", "count_words", "find_line_end", "has_as_many_lines"]


cdef int64_t n_lines_in(const uint8_t* text, int64_t size) noexcept nogil:
    # The last line needs no line feed.
    return line_feeds(text, size) + (size > 0 and text[size - 1] != 0x0a)


cdef bint words_per_line(const uint8_t* text, int64_t size, int64_t n_lines,
                         int32_t* n_words) noexcept nogil:
    """Fill in the words of each line; whether all numbers fit.

    The text may be another than the one in which `n_lines` were counted, if another thread changes
    it: of lines beyond these nothing is said.
    """
    cdef int64_t p, line = 0, n = 0
    cdef bint inside = False, fits = True
    cdef uint8_t c
    for p in range(size):
        c = text[p]
        if c > 0x20:
            n += not inside
            inside = True
        elif c == 0x0a:
            if line == n_lines:
                return fits
            fits = fits and n <= INT32_MAX
            n_words[line] = <int32_t>n
            line += 1
            n = 0
            inside = False
        elif ascii_space(c):
            inside = False
        else:
            n += not inside
            inside = True
    if size > 0 and text[size - 1] != 0x0a and line < n_lines:
        fits = fits and n <= INT32_MAX
        n_words[line] = <int32_t>n
    return fits


def count_lines(const uint8_t[::1] block) -> int:
    cdef int64_t size = block.shape[0], n = 0
    if size > 0:
        with nogil:
            n = n_lines_in(&block[0], size)
    return n


def has_as_many_lines(const uint8_t[::1] block, const uint8_t[::1] source) -> bool:
    cdef int64_t size = block.shape[0], n_source = count_lines(source)
    cdef int64_t n_lines = count_lines(block)
    if n_source == n_lines:
        return True
    # Texts whose last line has no end: an empty one cannot be seen.
    return (n_source + 1 == n_lines and block[size - 1] != 0x0a
            and (source.shape[0] == 0 or source[source.shape[0] - 1] == 0x0a))


def count_words(const uint8_t[::1] block):
    cdef int64_t size = block.shape[0]
    cdef int32_t[::1] n_words
    cdef bint fits
    import numpy as np

    counts = np.zeros(count_lines(block), np.int32)
    if len(counts):
        n_words = counts
        with nogil:
            fits = words_per_line(&block[0], size, n_words.shape[0], &n_words[0])
        if not fits:
            raise ValueError("a line has more than 2147483647 words")
    return counts


def find_line_end(const uint8_t[::1] block, int64_t n_lines) -> tuple[int, int]:
    cdef int64_t size = block.shape[0], p = 0, n = 0
    cdef const void* newline
    with nogil:
        while n < n_lines and p < size:
            newline = memchr(&block[p], 0x0a, <size_t>(size - p))
            if newline == NULL:
                break
            p = <const uint8_t*>newline - &block[0] + 1
            n += 1
    return p, n
