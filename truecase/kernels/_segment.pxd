"""Segmentation of a line into tokens, compiled once; modules call it through a pointer."""

from libc.stdint cimport uint32_t, uint64_t, uint8_t

from truecase.kernels._structs cimport Token, TokenArray


# Tokens of the line text[begin:end], given without its terminator; a Status. The caller guarantees
# 16 readable bytes after `end`. The tokens replace those in `out`.
cdef int segment_line(const uint8_t* text, uint32_t begin, uint32_t end, int segmentation,
                      bint turkic, TokenArray* out) noexcept nogil

cdef class OwnedTokens:
    cdef TokenArray tokens       # freed with it

# Whether bytes are one token, which goes to `token`.
cdef bint find_word(bytes word, bint turkic, int segmentation, Token* token) except -1

# Key of one word without white space, by the casing of most languages.
cdef uint64_t key_of(str word) except? 0
