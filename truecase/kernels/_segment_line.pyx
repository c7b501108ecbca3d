"""The compiled copy of ``_segment.pxd``'s kernel that other modules call through a pointer."""

from libc.stdint cimport uint32_t, uint64_t, uint8_t
from libc.string cimport memset

from truecase.base._memory cimport STATUS_OK, TEXT_PADDING
from truecase.kernels._segment cimport segment_line as segment_line_inline
from truecase.kernels._tokens cimport SEGMENT_SPACE, TokenArray, free_tokens


__all__: list[str] = []


cdef int segment_line(const uint8_t* text, uint32_t begin, uint32_t end, int segmentation,
                      bint turkic, TokenArray* out) noexcept nogil:
    return segment_line_inline(text, begin, end, segmentation, turkic, out)


cdef uint64_t key_of(str word) except? 0:
    cdef bytes padded = word.encode() + bytes(TEXT_PADDING)
    cdef const uint8_t* text = padded
    cdef uint32_t size = <uint32_t>(len(padded) - TEXT_PADDING)
    cdef TokenArray tokens
    cdef uint64_t key = 0
    memset(&tokens, 0, sizeof(TokenArray))
    if segment_line_inline(text, 0, size, SEGMENT_SPACE, False, &tokens) != STATUS_OK:
        raise MemoryError(f"no memory left for the word {word}")
    if tokens.n == 1:
        key = tokens.tokens[0].key
    free_tokens(&tokens)
    return key
