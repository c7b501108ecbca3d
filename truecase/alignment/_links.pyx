"""Links of words in Pharaoh's form, parsed."""

from libc.stdint cimport int32_t, int64_t, uint8_t

from truecase.kernels._unicode cimport ascii_space, find_byte

import numpy as np


cdef enum Problem:
    PROBLEM_NONE = 0
    PROBLEM_FORM = 1
    PROBLEM_PROBABILITY = 2      # no number, or outside of 0 to 1
    PROBLEM_SOURCE = 3           # beyond the words of the source line
    PROBLEM_TARGET = 4


BAD_FORM = PROBLEM_FORM
BAD_PROBABILITY = PROBLEM_PROBABILITY
BAD_SOURCE = PROBLEM_SOURCE


cdef enum:
    MAX_NUMBER = 1 << 30         # larger numbers of words are read as this one
    MAX_EXPONENT = 400           # beyond those of any double


cdef struct ReadLink:            # a link as the text has it
    int32_t source
    int32_t target
    double probability
    bint possible


cdef struct BlockLinks:          # the links so far, and what those of the next line must fit
    int64_t* target              # number of the target word in the block
    int64_t* source              # and of the source word in its line
    int64_t n
    int64_t first_word           # of the line, in the block
    int32_t n_source             # words of the line
    int32_t n_target
    double threshold             # least probability of a link that is kept
    bint keep_possible


cdef inline bint digit(const uint8_t* text, int64_t p, int64_t end) noexcept nogil:
    return p < end and text[p] >= 0x30 and text[p] <= 0x39


cdef inline int64_t read_number(const uint8_t* text, int64_t p, int64_t end,
                                int32_t* number) noexcept nogil:
    """Read the digits at p; return their end, or -1 without digits."""
    cdef int32_t n = 0
    if not digit(text, p, end):
        return -1
    while digit(text, p, end):
        n = n * 10 + (text[p] - 0x30) if n < MAX_NUMBER // 10 - 1 else MAX_NUMBER
        p += 1
    number[0] = n
    return p


cdef inline int64_t read_probability(const uint8_t* text, int64_t p, int64_t end,
                                     double* probability) noexcept nogil:
    """Read the decimal number at p; return its end, or -1 if it is not a number from 0 to 1."""
    cdef double x = 0, scale = 1
    cdef int32_t exponent = 0
    cdef int64_t start = p
    cdef bint negative = False, any_digit = False
    while digit(text, p, end):
        x = x * 10 + (text[p] - 0x30)
        p += 1
        any_digit = True
    if p < end and text[p] == 0x2e:
        p += 1
        while digit(text, p, end):
            # Digits beyond what a double holds change nothing.
            if scale < 1e17:
                x = x * 10 + (text[p] - 0x30)
                scale *= 10
            p += 1
            any_digit = True
    if not any_digit or p - start > MAX_EXPONENT:
        return -1
    x /= scale
    if p < end and (text[p] == 0x65 or text[p] == 0x45):
        p += 1
        if p < end and (text[p] == 0x2b or text[p] == 0x2d):
            negative = text[p] == 0x2d
            p += 1
        p = read_number(text, p, end, &exponent)
        if p < 0 or exponent > MAX_EXPONENT:
            return -1
        while exponent > 0 and x != 0:
            x = x / 10 if negative else x * 10
            exponent -= 1
    # Sums of rounded shares may come out above 1 by a little.
    if not x <= 1.001:
        return -1
    probability[0] = x
    return p


cdef inline int read_link(const uint8_t* text, int64_t begin, int64_t end, const BlockLinks* links,
                          ReadLink* found) noexcept nogil:
    """Read the link text[begin:end]; a Problem."""
    cdef int64_t p = read_number(text, begin, end, &found.source)
    if p < 0 or p >= end or (text[p] != 0x2d and text[p] != 0x3f):
        return PROBLEM_FORM
    found.possible = text[p] == 0x3f
    found.probability = 1
    p = read_number(text, p + 1, end, &found.target)
    if p < 0:
        return PROBLEM_FORM
    if p < end:
        if text[p] != 0x3a and text[p] != 0x2f:
            return PROBLEM_FORM
        p = read_probability(text, p + 1, end, &found.probability)
        if p != end:
            return PROBLEM_PROBABILITY
    if found.source >= links.n_source:
        return PROBLEM_SOURCE
    if found.target >= links.n_target:
        return PROBLEM_TARGET
    return PROBLEM_NONE


cdef int read_line(const uint8_t* text, int64_t* at, int64_t end, BlockLinks* links) noexcept nogil:
    """Append the links from `at` to `end`; a Problem, and `at` is where the bad link begins."""
    cdef int64_t begin, stop
    cdef ReadLink found
    cdef int problem
    while True:
        while at[0] < end and ascii_space(text[at[0]]):
            at[0] += 1
        begin = stop = at[0]
        if begin >= end:
            return PROBLEM_NONE
        while stop < end and not ascii_space(text[stop]):
            stop += 1
        problem = read_link(text, begin, stop, links, &found)
        if problem != PROBLEM_NONE:
            return problem
        if found.probability >= links.threshold and (links.keep_possible or not found.possible):
            links.target[links.n] = links.first_word + found.target
            links.source[links.n] = found.source
            links.n += 1
        at[0] = stop


def parse(
    const uint8_t[::1] block,
    const int32_t[::1] n_source,
    const int32_t[::1] n_target,
    double threshold,
    bint keep_possible,
):
    # A link takes three bytes and what separates it from the next.
    cdef int64_t size = block.shape[0], n_lines = n_source.shape[0], room = size // 4 + 1
    cdef int64_t begin = 0, end, at, number = 0, n_before
    cdef const uint8_t* text
    cdef BlockLinks links
    if n_target.shape[0] != n_lines:
        raise ValueError("the text and its source must have the same number of lines")
    if np.min(n_source, initial=0) < 0 or np.min(n_target, initial=0) < 0:
        raise ValueError("numbers of words must not be negative")
    cdef int64_t[::1] target = np.empty(room, np.int64)
    cdef int64_t[::1] source = np.empty(room, np.int64)
    cdef uint8_t[::1] problem = np.zeros(n_lines, np.uint8)
    cdef int64_t[::1] problem_at = np.zeros(n_lines, np.int64)
    links.target = &target[0]
    links.source = &source[0]
    links.n = links.first_word = 0
    links.threshold = threshold
    links.keep_possible = keep_possible
    with nogil:
        while begin < size and number < n_lines:
            text = &block[0]
            end = find_byte(text, begin, size, 0x0a)
            links.n_source = n_source[number]
            links.n_target = n_target[number]
            at = begin
            n_before = links.n
            problem[number] = <uint8_t>read_line(text, &at, end, &links)
            if problem[number] != PROBLEM_NONE:
                problem_at[number] = at
                links.n = n_before
            links.first_word += links.n_target
            number += 1
            begin = end + 1
    if begin < size or number < n_lines:
        raise ValueError(f"there are {n_lines} lines, but not as many lines of alignment")
    return target.base[:links.n], source.base[:links.n], problem.base, problem_at.base
