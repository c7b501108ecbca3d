"""Marks that stand for others: PTB brackets and quotes, Moses escapes, typographic signs.

Their key, class and surface are those of what they stand for, so that one model serves
natural text and both styles of tokenised text. Curly and low quotes count as the straight
ones: corpora mix both, and which way they face is told by ``TOKEN_CLOSES``. Guillemets are
never spelled otherwise and keep their own keys.
"""

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memcmp, strlen

from truecase.text._casing cimport TAG_AN
from truecase.text._hash cimport hash_bytes
from truecase.text._token cimport (
    CLASS_OTHER,
    TOKEN_ASCII,
    TOKEN_CANONICAL,
    TOKEN_CLOSES,
    TOKEN_ENDS_SENTENCE,
    Token,
)


cdef struct Mark:
    const char* canonical
    uint32_t length              # bytes in the text; 0: no such mark
    uint8_t flags                # ENDS_SENTENCE, CLOSES


cdef inline bint same(const uint8_t* p, uint32_t available, const char* literal,
                      uint32_t length) noexcept nogil:
    return available >= length and memcmp(p, literal, length) == 0


cdef inline Mark mark_of(const char* canonical, uint32_t length, uint8_t flags) noexcept nogil:
    cdef Mark mark
    mark.canonical = canonical
    mark.length = length
    mark.flags = flags
    return mark


cdef inline Mark no_mark() noexcept nogil:
    # A string and not NULL: line tracing makes Python objects of what functions return.
    return mark_of("", 0, 0)


cdef inline Mark bracket_name(const uint8_t* p, uint32_t n) noexcept nogil:
    """-LRB- and its kin in any case, and Moses' @-@ and @/@: chunks of their own."""
    cdef uint8_t second, side
    if n == 3 and p[0] == 0x40 and p[2] == 0x40:
        if p[1] == 0x2d:
            return mark_of("-", 3, 0)
        if p[1] == 0x2f:
            return mark_of("/", 3, 0)
    if n == 5 and p[0] == 0x2d and p[4] == 0x2d and (p[3] | 0x20) == 0x62:
        side = p[1] | 0x20
        second = p[2] | 0x20
        if second == 0x72:
            if side == 0x6c:
                return mark_of("(", 5, 0)
            if side == 0x72:
                return mark_of(")", 5, TOKEN_CLOSES)
        if second == 0x73:
            if side == 0x6c:
                return mark_of("[", 5, 0)
            if side == 0x72:
                return mark_of("]", 5, TOKEN_CLOSES)
        if second == 0x63:
            if side == 0x6c:
                return mark_of("{", 5, 0)
            if side == 0x72:
                return mark_of("}", 5, TOKEN_CLOSES)
    return no_mark()


cdef inline Mark escape(const uint8_t* p, uint32_t n) noexcept nogil:
    """Moses' escapes of special characters."""
    if same(p, n, "&quot;", 6):
        return mark_of("\"", 6, TOKEN_CLOSES)
    if same(p, n, "&apos;", 6):
        return mark_of("'", 6, TOKEN_CLOSES)
    if same(p, n, "&amp;", 5):
        return mark_of("&", 5, 0)
    if same(p, n, "&#91;", 5):
        return mark_of("[", 5, 0)
    if same(p, n, "&#93;", 5):
        return mark_of("]", 5, TOKEN_CLOSES)
    if same(p, n, "&bar;", 5):
        return mark_of("|", 5, 0)
    if same(p, n, "&#124;", 6):
        return mark_of("|", 6, 0)
    if same(p, n, "&lt;", 4):
        return mark_of("<", 4, 0)
    if same(p, n, "&gt;", 4):
        return mark_of(">", 4, 0)
    return no_mark()


cdef inline Mark typographic(const uint8_t* p, uint32_t n) noexcept nogil:
    """Signs of the block of general punctuation, U+2010 … U+2026."""
    if n < 3 or p[1] != 0x80:
        return no_mark()
    if p[2] >= 0x93 and p[2] <= 0x95:                  # – — ―
        return mark_of("--", 3, 0)
    if p[2] == 0x99:                                   # ’
        return mark_of("'", 3, TOKEN_CLOSES)
    if p[2] == 0x98 or p[2] == 0x9a or p[2] == 0x9b:   # ‘ ‚ ‛
        return mark_of("'", 3, 0)
    if p[2] == 0x9d:                                   # ”
        return mark_of("\"", 3, TOKEN_CLOSES)
    if p[2] == 0x9c or p[2] == 0x9e or p[2] == 0x9f:   # “ „ ‟
        return mark_of("\"", 3, 0)
    if p[2] == 0x90 or p[2] == 0x91:                   # ‐ ‑
        return mark_of("-", 3, 0)
    if p[2] == 0xa6:                                   # …
        return mark_of("...", 3, TOKEN_ENDS_SENTENCE)
    return no_mark()


cdef inline Mark find_mark(const uint8_t* p, uint32_t n, bint whole_chunk) noexcept nogil:
    """The mark at the start of these n bytes that stands for another, if one is there."""
    cdef uint32_t length
    if n == 0:
        return no_mark()
    if p[0] == 0xe2:
        return typographic(p, n)
    if p[0] == 0x26:
        return escape(p, n)
    if p[0] == 0x60:
        if n >= 2 and p[1] == 0x60:
            return mark_of("\"", 2, 0)
        return mark_of("'", 1, 0)
    if p[0] == 0x27 and n >= 2 and p[1] == 0x27:
        return mark_of("\"", 2, TOKEN_CLOSES)
    if p[0] == 0x2d:
        length = 1
        while length < n and p[length] == 0x2d:
            length += 1
        if length > 2:
            return mark_of("--", length, 0)
    if whole_chunk:
        return bracket_name(p, n)
    return no_mark()


cdef inline void describe_mark(Token* token, Mark mark, bint ascii) noexcept nogil:
    """Fill in a token that is such a mark."""
    cdef uint32_t n = <uint32_t>strlen(mark.canonical)
    token.key = hash_bytes(<const uint8_t*>mark.canonical, n)
    token.upper_mask = 0
    token.tag = TAG_AN
    token.word_class = CLASS_OTHER
    token.flags |= TOKEN_CANONICAL | mark.flags
    if ascii:
        token.flags |= TOKEN_ASCII
    token.n_code_points = <uint8_t>n


cdef inline const char* canonical_surface(const uint8_t* text, const Token* token,
                                          uint32_t* length) noexcept nogil:
    """Bytes of the surface form: the text's own, or those of what a mark stands for.

    A variant (``TOKEN_VARIANT``) needs ``write_surface``: here it gives the text's own bytes.
    """
    cdef Mark mark
    if token.flags & TOKEN_CANONICAL:
        mark = find_mark(text + token.start, token.end - token.start, True)
        if mark.length > 0:
            length[0] = <uint32_t>strlen(mark.canonical)
            return mark.canonical
    length[0] = token.end - token.start
    return <const char*>(text + token.start)
