"""Forms whose case follows from the word itself and the words beside it, by rule.

Units (``50Hz``), plurals of acronyms, letters with a slash (``w/o``), ``v.``, keys, heads of mail,
labels of lists, days and months; to n-grams, single letters are initials and articles. Rules also
find the head of a sentence (``Re:``), the period of a date, and the beginning of a quotation.
"""

from libc.stdint cimport int32_t, uint32_t, uint8_t

from truecase.kernels._structs cimport (
    CLASS_ALPHABETIC, CLASS_QUANTITY, TOKEN_ASCII, TOKEN_KEEPS, TOKEN_LOWERS, TOKEN_VARIANT,
    Lattice, LexiconView, Token
)
from truecase.kernels._unicode cimport TAG_AN
from truecase.rules._table cimport Line, RulesView, may_have_case


cdef inline bint is_plain(const Token* token) noexcept nogil:
    """Whether a word is of ASCII characters as they are, few enough for a mask."""
    return (token.end - token.start <= 63 and token.tag != TAG_AN
            and token.flags & (TOKEN_ASCII | TOKEN_KEEPS | TOKEN_LOWERS | TOKEN_VARIANT)
            == TOKEN_ASCII)


cdef inline bint may_be_new(const uint8_t* text, const Token* token,
                            uint32_t index) noexcept nogil:
    """Whether the lexicon lacks a word (`index` is 0) that may be made of others."""
    return index == 0 and token.end - token.start >= 3 and (
        token.word_class != CLASS_ALPHABETIC or text[token.end - 1] | 0x20 == 0x73) and (
        is_plain(token))


cdef inline bint may_be_unit(const uint8_t* text, const Token* token) noexcept nogil:
    """Whether a word may be a number with a unit; the lexicon has seen few of any one number."""
    return (token.word_class == CLASS_QUANTITY and 0x30 <= text[token.start] <= 0x39
            and 0x61 <= text[token.end - 1] | 0x20 <= 0x7a and is_plain(token))


cdef inline bint may_be_short(const RulesView* rules, const uint8_t* text,
                              const Token* token) noexcept nogil:
    """Whether `short_case` may favour a case for a word, for its letters or the marks beside it."""
    cdef uint8_t after = text[token.end]
    cdef uint8_t before = text[token.start - 1] if token.start > 0 else 0
    if token.tag == TAG_AN:
        return False
    if after == 0x2b or after == 0x3a or before == 0x2b:
        return True
    if token.end - token.start == 1:
        return after == 0x2f or after == 0x29 or before == 0x2f
    return may_have_case(rules, token)


# Favour the forms that rules have for token `i`, whose nodes begin at `first_node`; `index` is that
# of `add_form`; a Status.
cdef int favour_forms(const RulesView* rules, const LexiconView* lexicon, const Line* line,
                      int32_t i, uint32_t index, int32_t first_node,
                      Lattice* lattice) noexcept nogil

# The end of a sentence's head (``Re:``, ``P.S.``) that begins at token `first`; else `first`.
cdef int32_t head_end(const RulesView* rules, const Line* line, int32_t first) noexcept nogil

# Whether the period before token `end` belongs to a date, after which the sentence goes on.
cdef bint goes_on_after_date(const RulesView* rules, const Line* line, int32_t end) noexcept nogil

# Whether token `i`, behind a quotation mark in the sentence from `first`, begins direct speech:
# ``he asked, "Are``.
cdef bint begins_speech(const RulesView* rules, const Line* line, int32_t first,
                        int32_t i) noexcept nogil
