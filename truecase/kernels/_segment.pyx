"""Segmentation for tests and tools; the kernels are inline in the ``.pxd`` files.

Lines and words of a block of text, counted as alignments count them.
"""

from libc.stdint cimport INT32_MAX, int32_t, int64_t, uint32_t, uint8_t
from libc.stdlib cimport free, malloc
from libc.string cimport memchr, memcpy, memset

from truecase.base._memory cimport STATUS_OK, TEXT_PADDING
from truecase.kernels._render cimport case_room, hyphenated_parts, render_token, write_surface
from truecase.kernels._tokens cimport Token, TokenArray, free_tokens
from truecase.kernels._unicode cimport ascii_space, line_feeds

from typing import NamedTuple

from truecase.kernels.text import TAGS, is_turkic


__all__ = ["SEGMENTATIONS", "SegmentedToken", "WORD_CLASSES", "count_lines", "count_tokens", "count_words", "find_line_end", "form_identity", "has_as_many_lines", "hash_of", "render", "segment"]


SEGMENTATIONS = ("space", "raw")
WORD_CLASSES = ("quantity", "acronym", "hyphenated", "alphabetic", "other")


class SegmentedToken(NamedTuple):
    start: int
    end: int
    key: int
    tag: str
    upper_mask: int
    word_class: str
    flags: int
    n_code_points: int
    surface: bytes
    case_room: int
    hyphenated_parts: int
    held: str
    markup: bool


cdef enum:
    OWN_FLAGS = 0x3f             # of TokenFlag those that segmentation itself gives


cdef int segmentation_code(str name) except -1:
    if name not in SEGMENTATIONS:
        raise ValueError(f"segmentation {name!r}: expected 'space' or 'raw'")
    return SEGMENTATIONS.index(name)


cdef uint8_t* padded(const uint8_t* data, size_t n) except NULL:
    """A copy with the readable bytes after its end that the kernels ask for."""
    cdef uint8_t* text = <uint8_t*>malloc(n + TEXT_PADDING)
    if text == NULL:
        raise MemoryError
    memcpy(text, data, n)
    # Letters, so that a kernel that takes them for part of the line is found out.
    memset(text + n, 0x41, TEXT_PADDING)
    return text


cdef int raise_status(int status) except -1:
    if status != STATUS_OK:
        raise MemoryError("out of memory while segmenting a line")
    return 0


def segment(line: bytes, segmentation: str = "raw", language: str = "") -> list[SegmentedToken]:
    cdef int kind = segmentation_code(segmentation)
    cdef bint turkic = is_turkic(language)
    cdef const uint8_t* data = line
    cdef size_t n = len(line)
    cdef uint8_t* text = padded(data, n)
    cdef uint8_t* buffer = NULL
    cdef TokenArray array
    cdef Token* token
    cdef uint32_t length
    cdef int i
    array.tokens = NULL
    array.n = 0
    array.capacity = 0
    try:
        buffer = <uint8_t*>malloc(n + 8)
        if buffer == NULL:
            raise MemoryError
        raise_status(segment_line(text, 0, <uint32_t>n, kind, turkic, &array))
        tokens = []
        for i in range(array.n):
            token = array.tokens + i
            length = write_surface(text, token, buffer)
            tokens.append(
                SegmentedToken(
                    token.start,
                    token.end,
                    token.key,
                    TAGS[token.tag],
                    token.upper_mask,
                    WORD_CLASSES[token.word_class],
                    token.flags & OWN_FLAGS,
                    token.n_code_points,
                    <bytes>buffer[:length],
                    case_room(text, token, turkic),
                    hyphenated_parts(text, token, turkic),
                    "keeps" if token.flags & TOKEN_KEEPS
                    else "lowers" if token.flags & TOKEN_LOWERS else "",
                    bool(token.flags & TOKEN_MARKUP),
                )
            )
        return tokens
    finally:
        free_tokens(&array)
        free(buffer)
        free(text)


def render(
    line: bytes,
    start: int,
    end: int,
    tag: str,
    upper_mask: int = 0,
    segmentation: str = "raw",
    language: str = "",
) -> bytes:
    cdef int kind = segmentation_code(segmentation)
    cdef bint turkic = is_turkic(language)
    cdef const uint8_t* data = line
    cdef size_t n = len(line)
    cdef uint8_t* text = padded(data, n)
    cdef uint8_t* out = NULL
    cdef TokenArray array
    cdef uint32_t length
    cdef int i
    array.tokens = NULL
    array.n = 0
    array.capacity = 0
    try:
        raise_status(segment_line(text, 0, <uint32_t>n, kind, turkic, &array))
        for i in range(array.n):
            if array.tokens[i].start == start and array.tokens[i].end == end:
                out = <uint8_t*>malloc(2 * <size_t>(end - start) + 4)
                if out == NULL:
                    raise MemoryError
                length = render_token(text, array.tokens + i, TAGS.index(tag), upper_mask,
                                      turkic, out)
                return <bytes>out[:length]
        raise ValueError(f"no token spans bytes {start} to {end}")
    finally:
        free_tokens(&array)
        free(out)
        free(text)


def hash_of(data: bytes) -> int:
    return hash_bytes(<const uint8_t*>data, <uint32_t>len(data))


def form_identity(key: int, tag: str, upper_mask: int = 0) -> int:
    return form_hash(key, TAGS.index(tag), upper_mask)


def count_tokens(block: bytes, segmentation: str = "raw", language: str = "") -> int:
    cdef int kind = segmentation_code(segmentation)
    cdef bint turkic = is_turkic(language)
    cdef const uint8_t* text = block
    cdef size_t n = len(block)
    cdef TokenArray array
    cdef size_t p = 0, line_end
    cdef const void* newline
    cdef long long total = 0
    cdef int status = STATUS_OK
    if n > 0xffffffff - TEXT_PADDING:
        raise ValueError(f"a block of {n} bytes: expected less than 4 GiB")
    memset(&array, 0, sizeof(TokenArray))
    with nogil:
        while p < n and status == STATUS_OK:
            newline = memchr(text + p, 0x0a, n - p)
            line_end = <const uint8_t*>newline - text if newline != NULL else n
            if line_end + TEXT_PADDING > n:
                break            # the kernels want readable bytes after the line
            status = segment_line(text, <uint32_t>p, <uint32_t>line_end, kind, turkic, &array)
            total += array.n
            p = line_end + 1
    free_tokens(&array)
    raise_status(status)
    for line in block[p:].split(b"\n"):
        total += len(segment(line, segmentation, language))
    return total


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
