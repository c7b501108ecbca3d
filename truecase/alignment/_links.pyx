"""Parses and writes links in Pharaoh's form; splits lines into tokens with the word of each."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport INT32_MAX, UINT32_MAX, int32_t, int64_t, uint32_t, uint8_t
from libc.stdlib cimport free, malloc
from libc.string cimport memchr, memcpy, memset

from truecase.base._check cimport check
from truecase.base._memory cimport STATUS_INVALID, STATUS_OK, TEXT_PADDING
from truecase.kernels._segment cimport segment_line
from truecase.kernels._structs cimport Token, TokenArray, WordIndex
from truecase.kernels._tokens cimport (
    SEGMENT_RAW, SEGMENT_SPACE, free_index, free_tokens, index_words
)
from truecase.kernels._unicode cimport ascii_space

import numpy as np

from truecase.kernels._segment import SEGMENTATIONS, count_lines
from truecase.kernels.text import is_turkic


__all__ = [
    "BAD_FORM",
    "BAD_PROBABILITY",
    "BAD_SOURCE",
    "BAD_TARGET",
    "parse",
    "split_tokens",
    "write",
]


cdef enum Problem:
    PROBLEM_NONE = 0
    PROBLEM_FORM = 1
    PROBLEM_PROBABILITY = 2      # no number, or outside of 0 to 1
    PROBLEM_SOURCE = 3           # beyond the words of the source line
    PROBLEM_TARGET = 4


BAD_FORM = PROBLEM_FORM
BAD_PROBABILITY = PROBLEM_PROBABILITY
BAD_SOURCE = PROBLEM_SOURCE
BAD_TARGET = PROBLEM_TARGET


cdef enum:
    MAX_NUMBER = 1 << 30         # larger numbers of words are read as this one
    MAX_EXPONENT = 400           # beyond those of any double


cdef struct Link:
    int32_t source
    int32_t target


cdef struct ReadLink:            # a link as the text has it
    Link link
    double probability
    bint possible


cdef struct Block:               # lines of links
    const uint8_t* text
    int64_t size
    int64_t n_lines
    const int32_t* n_source      # words of each line
    const int32_t* n_target
    double threshold             # least probability of a link that is kept
    bint keep_possible


cdef struct Parsed:              # as `Phrases`, and the first bad link of each line
    int64_t* line_offsets
    int64_t* offsets
    int32_t* source
    uint8_t* problem
    int64_t* problem_at


cdef struct Scratch:
    Link* links                  # of one line, in the order of the text, later by source
    Link* sorted
    int32_t* count               # of one line's words, of the longer side


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


cdef inline int read_link(const uint8_t* text, int64_t begin, int64_t end, int32_t n_source,
                          int32_t n_target, ReadLink* found) noexcept nogil:
    """Read the link text[begin:end]; a Problem."""
    cdef int64_t p = read_number(text, begin, end, &found.link.source)
    if p < 0 or p >= end or (text[p] != 0x2d and text[p] != 0x3f):
        return PROBLEM_FORM
    found.possible = text[p] == 0x3f
    found.probability = 1
    p = read_number(text, p + 1, end, &found.link.target)
    if p < 0:
        return PROBLEM_FORM
    if p < end:
        if text[p] != 0x3a and text[p] != 0x2f:
            return PROBLEM_FORM
        p = read_probability(text, p + 1, end, &found.probability)
        if p != end:
            return PROBLEM_PROBABILITY
    if found.link.source >= n_source:
        return PROBLEM_SOURCE
    if found.link.target >= n_target:
        return PROBLEM_TARGET
    return PROBLEM_NONE


cdef void sort_by_source(Scratch* scratch, int64_t n, int32_t n_source) noexcept nogil:
    """Sort the links of a line by source word, by counting."""
    cdef int64_t i
    cdef int32_t word, at = 0, here
    cdef Link* swap
    memset(scratch.count, 0, n_source * sizeof(int32_t))
    for i in range(n):
        scratch.count[scratch.links[i].source] += 1
    for word in range(n_source):
        here = scratch.count[word]
        scratch.count[word] = at
        at += here
    for i in range(n):
        word = scratch.links[i].source
        scratch.sorted[scratch.count[word]] = scratch.links[i]
        scratch.count[word] += 1
    swap = scratch.links
    scratch.links = scratch.sorted
    scratch.sorted = swap


cdef int64_t place_links(Scratch* scratch, int64_t n, int32_t n_source, int32_t n_target,
                         int64_t n_before, int64_t* offsets, int32_t* source) noexcept nogil:
    """Store the links of a line by target word, without duplicates; return their number.

    `offsets` gets the end of each of the line's words; the first begins at `n_before`.
    """
    cdef int64_t i, kept = n_before, begin, end
    cdef int32_t word
    cdef bint rising = True
    for i in range(1, n):
        rising = rising and scratch.links[i - 1].source <= scratch.links[i].source
    if not rising:
        sort_by_source(scratch, n, n_source)
    memset(scratch.count, 0, n_target * sizeof(int32_t))
    for i in range(n):
        scratch.count[scratch.links[i].target] += 1
    end = n_before
    for word in range(n_target):
        end += scratch.count[word]
        offsets[word] = end
        scratch.count[word] = 0
    for i in range(n):
        word = scratch.links[i].target
        begin = n_before if word == 0 else offsets[word - 1]
        source[begin + scratch.count[word]] = scratch.links[i].source
        scratch.count[word] += 1
    begin = n_before
    for word in range(n_target):
        end = offsets[word]
        for i in range(begin, end):
            if i == begin or source[i] != source[i - 1]:
                scratch.sorted[kept - n_before].source = source[i]
                kept += 1
        offsets[word] = kept
        begin = end
    for i in range(kept - n_before):
        source[n_before + i] = scratch.sorted[i].source
    return kept - n_before


cdef int parse_lines(const Block* block, Scratch* scratch, Parsed* out) noexcept nogil:
    """Parse all lines of a block; a Status."""
    cdef int64_t begin = 0, end, p, q, line = 0, n, n_words = 0, n_links = 0, word
    cdef const uint8_t* text = block.text
    cdef const void* newline
    cdef ReadLink found
    cdef int problem
    out.line_offsets[0] = 0
    out.offsets[0] = 0
    while begin < block.size:
        if line >= block.n_lines:
            return STATUS_INVALID
        newline = memchr(text + begin, 0x0a, <size_t>(block.size - begin))
        end = block.size if newline == NULL else <const uint8_t*>newline - text
        n = 0
        p = begin
        problem = PROBLEM_NONE
        while problem == PROBLEM_NONE:
            while p < end and ascii_space(text[p]):
                p += 1
            if p >= end:
                break
            q = p
            while q < end and not ascii_space(text[q]):
                q += 1
            problem = read_link(text, p, q, block.n_source[line], block.n_target[line], &found)
            if problem != PROBLEM_NONE:
                out.problem[line] = <uint8_t>problem
                out.problem_at[line] = p
            elif found.probability >= block.threshold and (
                    block.keep_possible or not found.possible):
                scratch.links[n] = found.link
                n += 1
            p = q
        if problem == PROBLEM_NONE:
            n_links += place_links(scratch, n, block.n_source[line], block.n_target[line], n_links,
                                   out.offsets + n_words + 1, out.source)
        else:
            for word in range(block.n_target[line]):
                out.offsets[n_words + 1 + word] = n_links
        n_words += block.n_target[line]
        line += 1
        out.line_offsets[line] = n_words
        begin = end + 1
    return STATUS_OK if line == block.n_lines else STATUS_INVALID


def parse(
    const uint8_t[::1] block,
    const int32_t[::1] n_source,
    const int32_t[::1] n_target,
    double threshold,
    bint keep_possible,
):
    cdef int64_t size = block.shape[0], n_lines = n_source.shape[0]
    cdef int64_t room, n_words, widest
    cdef int64_t[::1] line_offsets, offsets, problem_at
    cdef int32_t[::1] source
    cdef uint8_t[::1] problem
    cdef Block lines
    cdef Parsed out
    cdef Scratch scratch
    cdef Link* first
    cdef Link* second
    cdef int status
    if n_target.shape[0] != n_lines:
        raise ValueError("both sides must have the same number of lines")
    if n_lines and (np.min(n_source) < 0 or np.min(n_target) < 0):
        raise ValueError("numbers of words must not be negative")
    n_words = int(np.sum(n_target, dtype=np.int64))
    widest = max(int(np.max(n_source)), int(np.max(n_target))) if n_lines else 0
    # A link takes three bytes and what separates it from the next.
    room = size // 4 + 1
    if room > INT32_MAX:
        raise ValueError("a block of alignments must be smaller than 8 GB")
    arrays = (np.zeros(n_lines + 1, np.int64), np.zeros(n_words + 1, np.int64),
              np.empty(room, np.int32), np.zeros(n_lines, np.uint8), np.zeros(n_lines, np.int64))
    if n_lines == 0 or size == 0:
        if n_lines or size:
            raise ValueError("the block does not have as many lines as there are counts")
        return (*arrays[:2], arrays[2][:0], *arrays[3:])
    line_offsets, offsets, source, problem, problem_at = arrays
    out.line_offsets = &line_offsets[0]
    out.offsets = &offsets[0]
    out.source = &source[0]
    out.problem = &problem[0]
    out.problem_at = &problem_at[0]
    lines.text = &block[0]
    lines.size = size
    lines.n_lines = n_lines
    lines.n_source = &n_source[0]
    lines.n_target = &n_target[0]
    lines.threshold = threshold
    lines.keep_possible = keep_possible
    first = <Link*>malloc(room * sizeof(Link))
    second = <Link*>malloc(room * sizeof(Link))
    scratch.links = first
    scratch.sorted = second
    scratch.count = <int32_t*>malloc((widest + 1) * sizeof(int32_t))
    try:
        if first == NULL or second == NULL or scratch.count == NULL:
            raise MemoryError
        with nogil:
            status = parse_lines(&lines, &scratch, &out)
    finally:
        free(first)
        free(second)
        free(scratch.count)
    if status != STATUS_OK:
        raise ValueError("the block does not have as many lines as there are counts")
    return (*arrays[:2], arrays[2][:offsets[n_words]].copy(), *arrays[3:])


cdef inline int64_t write_number(int64_t number, uint8_t* out) noexcept nogil:
    """Write the digits of a number from 0 on, unless `out` is NULL; return their number."""
    cdef uint8_t[20] digits
    cdef int n = 0, i
    while True:
        digits[n] = <uint8_t>(0x30 + number % 10)
        n += 1
        number //= 10
        if number == 0:
            break
    if out != NULL:
        for i in range(n):
            out[i] = digits[n - 1 - i]
    return n


cdef int64_t write_lines(const int64_t* line_offsets, int64_t n_lines, const int64_t* offsets,
                         const int32_t* source, uint8_t* out) noexcept nogil:
    """Write all lines, unless `out` is NULL; return the number of bytes."""
    cdef int64_t line, word, i, n = 0, n_before
    for line in range(n_lines):
        n_before = n
        for word in range(line_offsets[line], line_offsets[line + 1]):
            check(offsets[word] <= offsets[word + 1])
            for i in range(offsets[word], offsets[word + 1]):
                if n > n_before:
                    if out != NULL:
                        out[n] = 0x20
                    n += 1
                n += write_number(source[i], NULL if out == NULL else out + n)
                if out != NULL:
                    out[n] = 0x2d
                n += 1
                n += write_number(word - line_offsets[line], NULL if out == NULL else out + n)
        if out != NULL:
            out[n] = 0x0a
        n += 1
    return n


def write(
    const int64_t[::1] line_offsets, const int64_t[::1] offsets, const int32_t[::1] source
) -> bytes:
    cdef int64_t n_lines = line_offsets.shape[0] - 1, n
    # Copies, since they are read twice, and another thread may change the caller's.
    cdef const int64_t[::1] of_lines = np.array(line_offsets)
    cdef const int64_t[::1] of_words = np.array(offsets)
    cdef const int32_t[::1] numbers = np.array(source)
    cdef const int32_t* links = &numbers[0] if numbers.shape[0] else NULL
    cdef bytes out
    cdef uint8_t* start
    if n_lines < 0 or offsets.shape[0] == 0:
        raise ValueError("offsets have one entry more than there are lines and words")
    # `Phrases` checked this, but the arrays may have changed since.
    if not (_leads_through(of_lines, of_words.shape[0] - 1)
            and _leads_through(of_words, numbers.shape[0])):
        raise ValueError("offsets do not lead through the words and their links")
    with nogil:
        n = write_lines(&of_lines[0], n_lines, &of_words[0], links, NULL)
    out = PyBytes_FromStringAndSize(NULL, n)
    start = <uint8_t*><char*>out
    with nogil:
        write_lines(&of_lines[0], n_lines, &of_words[0], links, start)
    return out


def _leads_through(const int64_t[::1] offsets, int64_t n):
    values = np.asarray(offsets)
    return bool(values[0] >= 0 and values[len(values) - 1] <= n
                and (values[1:] >= values[:len(values) - 1]).all())


cdef struct Output:
    uint8_t* text                # a token takes its bytes and one more
    int32_t* word                # of each token; room for as many as there are bytes
    int64_t n_bytes
    int64_t n_tokens


cdef void write_line(const uint8_t* text, const TokenArray* tokens, const WordIndex* words,
                     Output* out) noexcept nogil:
    cdef int32_t i, word = -1
    cdef uint32_t p
    cdef const Token* token
    for i in range(tokens.n):
        token = tokens.tokens + i
        # Words without tokens of their own begin where the one before does not end.
        while word + 1 < words.n_words and words.first_token[word + 1] <= i:
            word += 1
        if i > 0:
            out.text[out.n_bytes] = 0x20
            out.n_bytes += 1
        for p in range(token.start, token.end):
            out.text[out.n_bytes] = 0x5f if ascii_space(text[p]) else text[p]
            out.n_bytes += 1
        out.word[out.n_tokens] = max(word, 0)
        out.n_tokens += 1
    out.text[out.n_bytes] = 0x0a
    out.n_bytes += 1


cdef int split_lines(const uint8_t* text, uint32_t size, int segmentation, bint turkic,
                     Output* out, int64_t* line_offsets) noexcept nogil:
    """Split all lines of a padded text; a Status."""
    cdef TokenArray tokens
    cdef WordIndex words
    cdef uint32_t begin = 0, end
    cdef int64_t line = 0
    cdef const void* newline
    cdef int status = STATUS_OK
    memset(&tokens, 0, sizeof(TokenArray))
    memset(&words, 0, sizeof(WordIndex))
    line_offsets[0] = 0
    while begin < size and status == STATUS_OK:
        newline = memchr(text + begin, 0x0a, size - begin)
        end = size if newline == NULL else <uint32_t>(<const uint8_t*>newline - text)
        status = segment_line(text, begin, end, segmentation, turkic, &tokens)
        if status == STATUS_OK:
            status = index_words(text, begin, end, segmentation, &tokens, &words)
        if status == STATUS_OK:
            write_line(text, &tokens, &words, out)
            line += 1
            line_offsets[line] = out.n_tokens
        begin = end + 1
    free_tokens(&tokens)
    free_index(&words)
    return status


def split_tokens(bytes block not None, str segmentation="raw", str language=""):
    cdef int64_t size = len(block), n_lines
    cdef const uint8_t* data = block
    cdef uint8_t* text = NULL
    cdef int64_t[::1] line_offsets
    cdef int32_t[::1] word
    cdef Output out
    cdef int kind, status
    cdef bint turkic = is_turkic(language)
    if segmentation not in SEGMENTATIONS:
        raise ValueError(f"segmentation {segmentation!r}: expected 'space' or 'raw'")
    if size >= UINT32_MAX // 2:
        raise ValueError("a block must be smaller than 2 GB")
    kind = SEGMENT_RAW if segmentation == "raw" else SEGMENT_SPACE
    n_lines = count_lines(block)
    offsets = np.zeros(n_lines + 1, np.int64)
    words = np.empty(size + 1, np.int32)
    line_offsets, word = offsets, words
    memset(&out, 0, sizeof(Output))
    out.word = &word[0]
    text = <uint8_t*>malloc(size + TEXT_PADDING)
    out.text = <uint8_t*>malloc(2 * size + n_lines + 1)
    try:
        if text == NULL or out.text == NULL:
            raise MemoryError
        memcpy(text, data, size)
        memset(text + size, 0, TEXT_PADDING)
        with nogil:
            status = split_lines(text, <uint32_t>size, kind, turkic, &out, &line_offsets[0])
        if status != STATUS_OK:
            raise MemoryError("out of memory while segmenting a line")
        tokens = PyBytes_FromStringAndSize(<char*>out.text, out.n_bytes)
    finally:
        free(text)
        free(out.text)
    return tokens, offsets, words[:out.n_tokens].copy()
