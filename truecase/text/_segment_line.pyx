"""The compiled copy of ``_segment.pxd``'s kernel that other modules call through a pointer."""

from libc.stdint cimport uint8_t, uint32_t

from truecase.text._segment cimport segment_line as segment_line_inline
from truecase.text._token cimport TokenArray

__all__: list[str] = []


cdef int segment_line(const uint8_t* text, uint32_t begin, uint32_t end, int segmentation,
                      bint turkic, TokenArray* out) noexcept nogil:
    return segment_line_inline(text, begin, end, segmentation, turkic, out)
