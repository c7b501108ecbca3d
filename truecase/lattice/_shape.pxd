"""What case a word could take: which tags differ, and the capitals of a hyphenated word."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from truecase.text._casing cimport has_case, to_lower, to_title, to_upper
from truecase.text._segment cimport Token
from truecase.text._utf8 cimport decode


cdef enum CaseRoom:
    ROOM_INITIAL = 1             # IU differs from AL
    ROOM_UPPER = 2               # AU differs from AL and from IU


cdef inline uint32_t case_room(const uint8_t* text, const Token* token, bint turkic) noexcept nogil:
    """The tags besides AL that change the word, as CaseRoom bits."""
    cdef const uint8_t* p = text + token.start
    cdef const uint8_t* end = text + token.end
    cdef uint32_t cp, length, room = 0
    cdef bint first = True
    while p < end:
        cp = to_lower(decode(p, end, &length), turkic)
        p += length
        if not has_case(cp, turkic):
            continue
        if first:
            if to_title(cp, turkic) != cp:
                room |= ROOM_INITIAL
            first = False
        elif to_upper(cp, turkic) != cp:
            return room | ROOM_UPPER
    return room


cdef inline uint64_t hyphenated_parts(const uint8_t* text, const Token* token,
                                      bint turkic) noexcept nogil:
    """Mask of the first letter of each hyphenated part; 0 unless two of them can be raised."""
    cdef const uint8_t* p = text + token.start
    cdef const uint8_t* end = text + token.end
    cdef uint32_t cp, length, i = 0, n = 0
    cdef uint64_t mask = 0
    cdef bint at_start = True
    while p < end and i < 63:
        cp = to_lower(decode(p, end, &length), turkic)
        p += length
        if cp == 0x2d or cp == 0x2010 or cp == 0x2011:
            at_start = True
        elif has_case(cp, turkic):
            if at_start and to_upper(cp, turkic) != cp:
                mask |= <uint64_t>1 << i
                n += 1
            at_start = False
        i += 1
    return mask if n > 1 else 0
