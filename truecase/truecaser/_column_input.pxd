"""The three structs of Arrow's C data interface, and rows of text in the memory of their library.

The layout of the structs is that of the specification (Arrow columnar format, "The Arrow C data
interface" and "The Arrow C stream interface").
"""

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memchr


cdef struct ArrowSchema:
    const char* format
    const char* name
    const char* metadata
    int64_t flags
    int64_t n_children
    ArrowSchema** children
    ArrowSchema* dictionary
    void (*release)(ArrowSchema*) noexcept nogil
    void* private_data


cdef struct ArrowArray:
    int64_t length
    int64_t null_count           # -1: not counted
    int64_t offset
    int64_t n_buffers
    int64_t n_children
    const void** buffers
    ArrowArray** children
    ArrowArray* dictionary
    void (*release)(ArrowArray*) noexcept nogil
    void* private_data


cdef struct ArrowArrayStream:
    int (*get_schema)(ArrowArrayStream*, ArrowSchema*) noexcept nogil
    int (*get_next)(ArrowArrayStream*, ArrowArray*) noexcept nogil
    const char* (*get_last_error)(ArrowArrayStream*) noexcept nogil
    void (*release)(ArrowArrayStream*) noexcept nogil
    void* private_data


cdef enum:
    FLAG_DICTIONARY_ORDERED = 1
    FLAG_NULLABLE = 2


cdef enum TextKind:
    NO_TEXT = 0
    TEXT_32 = 1                  # string: offsets of 32 bits
    TEXT_64 = 2                  # large_string: offsets of 64 bits
    TEXT_VIEW = 3                # string_view: 16 bytes a row, the text in them or elsewhere

cdef enum:
    VIEW_BYTES = 16
    INLINE_BYTES = 12            # texts of up to so many stand in the view itself


cdef struct TextRows:
    TextKind kind
    int64_t n                    # rows
    int64_t first                # of them, in the buffers
    const uint8_t* valid         # a bit a row; NULL: none is null
    const int32_t* offsets_32
    const int64_t* offsets_64
    const uint8_t* data
    const uint8_t* views
    const uint8_t** buffers      # that views point into
    const int64_t* buffer_bytes
    int64_t n_buffers


cdef inline bint is_null(const TextRows* rows, int64_t i) noexcept nogil:
    cdef int64_t at = rows.first + i
    return rows.valid != NULL and not rows.valid[at >> 3] >> (at & 7) & 1


cdef inline size_t row_text(const TextRows* rows, int64_t i, const uint8_t** text) noexcept nogil:
    """Find a row's text; return its bytes. Invariant: `InputChunk` has checked the buffers."""
    cdef int64_t at = rows.first + i
    cdef const int32_t* view
    if rows.kind == TEXT_32:
        text[0] = rows.data + rows.offsets_32[at]
        return rows.offsets_32[at + 1] - rows.offsets_32[at]
    if rows.kind == TEXT_64:
        text[0] = rows.data + rows.offsets_64[at]
        return rows.offsets_64[at + 1] - rows.offsets_64[at]
    view = <const int32_t*>(rows.views + at * <int64_t>VIEW_BYTES)
    if view[0] <= <int32_t>INLINE_BYTES:
        text[0] = <const uint8_t*>(view + 1)
    else:
        text[0] = rows.buffers[view[2]] + view[3]
    return view[0]


cdef inline bint may_have_feeds(const TextRows* rows, int64_t begin, int64_t end) noexcept nogil:
    """Whether a row may have a line feed: adjacent rows are searched as one text.

    Null rows are not read: Arrow leaves their offsets, and the bytes there, undefined.
    """
    cdef const uint8_t* text
    cdef const uint8_t* last
    cdef size_t size
    cdef int64_t i = begin, first
    if rows.kind == TEXT_VIEW:
        return True
    while i < end:
        if is_null(rows, i):
            i += 1
            continue
        first = i
        i = end if rows.valid == NULL else i + 1
        while i < end and not is_null(rows, i):
            i += 1
        row_text(rows, first, &text)
        size = row_text(rows, i - 1, &last)
        size += last - text
        if size > 0 and memchr(text, 0x0a, size) != NULL:
            return True
    return False


cdef class InputChunk:
    cdef readonly object type            # TextType
    cdef readonly int64_t length
    cdef readonly InputChunk dictionary  # the texts of a dictionary; then rows are their numbers
    cdef TextRows rows
    cdef ArrowArray* array
    cdef ArrowArray own
    cdef object keeps
