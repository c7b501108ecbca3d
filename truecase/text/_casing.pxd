"""Case of single code points: tags, simple mappings, character classes.

The tables are generated at build time from ``unicode.txt``, see ``case_tables.py``. Values above
U+10FFFF stand for invalid bytes: letters, since they are what is left of some, which map to
themselves.
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t


cdef extern from "_case_tables.h" nogil:
    ctypedef struct CaseRecord:
        int32_t lower            # differences to add to the code point
        int32_t upper
        int32_t title
        uint8_t bits             # CharacterClass
        uint8_t no_capital       # in lower case a letter of which no capital is made: ﬁ, µ, ẞ
    const CaseRecord* case_record
    const uint8_t* case_block
    const uint8_t* case_entry
    const uint8_t* ascii_bits
    const char* TRUECASE_UNICODE     # the version of Unicode of these tables


cdef extern from *:
    """
    static const CaseRecord truecase_broken = {0, 0, 0, 1, 0};   /* CHAR_LETTER */
    """
    const CaseRecord* broken_record "&truecase_broken"


cdef enum Tag:
    TAG_AL = 0                   # all lowercase
    TAG_IU = 1                   # first cased letter upper, the rest lower
    TAG_AU = 2                   # all cased letters upper, at least two of them
    TAG_MX = 3                   # any other mixture
    TAG_AN = 4                   # no cased letter


cdef enum CharacterClass:
    CHAR_LETTER = 1
    CHAR_MARK = 2                # combining mark, joiner or soft hyphen
    CHAR_DIGIT = 4
    CHAR_SPACE = 8
    CHAR_PUNCTUATION = 16
    CHAR_ENDS_SENTENCE = 32
    CHAR_CLOSES = 64
    CHAR_CASED = 128
    CHAR_WORD = 7                # letter, mark or digit


cdef enum:
    MAX_CODE_POINT = 0x10ffff


cdef inline const CaseRecord* case_of(uint32_t cp) noexcept nogil:
    if cp > MAX_CODE_POINT:
        return broken_record
    return &case_record[case_entry[(<uint32_t>case_block[cp >> 7] << 7) | (cp & 127)]]


cdef inline uint8_t class_of(uint32_t cp) noexcept nogil:
    return ascii_bits[cp] if cp < 128 else case_of(cp).bits


cdef inline uint32_t to_lower(uint32_t cp, bint turkic) noexcept nogil:
    """Simple lower case; Σ becomes σ, whatever follows."""
    if turkic:
        if cp == 0x49:
            return 0x131
        if cp == 0x130:
            return 0x69
    return cp + case_of(cp).lower


cdef inline uint32_t to_fold(uint32_t cp, bint turkic) noexcept nogil:
    """Lower case with ς as σ: what keys are made of."""
    return 0x3c3 if cp == 0x3c2 else to_lower(cp, turkic)


cdef inline uint32_t to_upper(uint32_t cp, bint turkic) noexcept nogil:
    if turkic:
        if cp == 0x69:
            return 0x130
        if cp == 0x131:
            return 0x49
    return cp + case_of(cp).upper


cdef inline uint32_t to_title(uint32_t cp, bint turkic) noexcept nogil:
    if turkic:
        if cp == 0x69:
            return 0x130
        if cp == 0x131:
            return 0x49
    return cp + case_of(cp).title


cdef inline bint has_case(uint32_t cp, bint turkic) noexcept nogil:
    """Whether some mapping changes the code point or another one into it."""
    if turkic and (cp == 0x130 or cp == 0x131):
        return True
    return (class_of(cp) & CHAR_CASED) != 0


cdef inline bint has_no_capital(uint32_t cp, bint turkic) noexcept nogil:
    """Whether no capital is made of it in lower case; what comes after it stays, too."""
    return cp >= 0x80 and case_of(cp).no_capital and not has_case(cp, turkic)


cdef struct CaseShape:           # the case of a word, gathered code point by code point
    uint64_t upper_mask          # bit i < 63: code point i is upper or title; bit 63: a later one
    uint32_t n                   # code points so far
    uint32_t n_cased
    uint32_t n_raised            # in upper or title case
    uint32_t n_upper             # in upper case as `to_upper` makes it
    bint first_is_title          # the first cased one is as `to_title` makes it, and raised
    bint is_broken               # an invalid byte was among them: what follows is no beginning


cdef inline void clear_shape(CaseShape* shape) noexcept nogil:
    shape.upper_mask = 0
    shape.n = 0
    shape.n_cased = 0
    shape.n_raised = 0
    shape.n_upper = 0
    shape.first_is_title = False
    shape.is_broken = False


cdef inline void add_raised(CaseShape* shape, uint32_t cp, bint turkic) noexcept nogil:
    """Count a code point whose lower case is another, before it is counted in n and n_cased."""
    shape.n_raised += 1
    shape.n_upper += to_upper(cp, turkic) == cp
    if shape.n_cased == 0:
        shape.first_is_title = to_title(cp, turkic) == cp and not shape.is_broken
    shape.upper_mask |= <uint64_t>1 << (shape.n if shape.n < 63 else 63)


cdef inline void add_to_shape(CaseShape* shape, uint32_t cp, bint turkic) noexcept nogil:
    if has_case(cp, turkic):
        if to_lower(cp, turkic) != cp:
            add_raised(shape, cp, turkic)
        shape.n_cased += 1
    elif cp > MAX_CODE_POINT:
        shape.is_broken = True
    shape.n += 1


cdef inline uint8_t shape_tag(const CaseShape* shape) noexcept nogil:
    """The tag whose rendering of the folded word gives the word back, or MX.

    A lone capital is IU unless title case does not make it (Georgian capitals, Ǆ), or
    a byte that is no character comes before it.
    """
    if shape.n_cased == 0:
        return TAG_AN
    if shape.n_raised == 0:
        return TAG_AL
    if shape.n_raised == 1 and shape.first_is_title:
        return TAG_IU
    if shape.n_upper == shape.n_cased:
        return TAG_AU
    return TAG_MX


cdef inline bint ends_word_sigma(uint32_t before, uint32_t after) noexcept nogil:
    """Whether a sigma between these code points (marks skipped, 0 for none) is the final ς."""
    return ((class_of(before) & CHAR_LETTER) != 0
            and (class_of(after) & CHAR_LETTER) == 0)
