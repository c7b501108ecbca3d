"""House style after a colon: which colons introduce something, and which word comes behind one.

``He had one wish: to go home``. Not those within times, addresses and code, nor behind a label,
which is one word and perhaps a number: ``Note:``, ``Step 1:``.
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t

from truecase.lattice._initial cimport is_joined, is_one_of
from truecase.text._casing cimport CHAR_CASED, TAG_AN, case_of
from truecase.text._hash cimport HASH_SEED, hash_end
from truecase.text._sentence cimport is_mark
from truecase.text._token cimport (
    CLASS_OTHER,
    CLASS_QUANTITY,
    TOKEN_CANONICAL,
    TOKEN_ENDS_SENTENCE,
    TOKEN_KEEPS,
    TOKEN_LOWERS,
    TOKEN_MARKUP,
    TOKEN_SPACE_BEFORE,
    Token,
)
from truecase.text._utf8 cimport decode


cdef enum AfterColon:
    COLON_AS_LEARNED = 0
    COLON_CAPITAL = 1
    COLON_LOWER = 2

cdef enum:
    MAX_OPENING = 3              # marks between a colon and the word behind it


cdef inline bint introduces(const Token* tokens, int32_t n, int32_t first,
                            int32_t i) noexcept nogil:
    """Whether token `i` of a line of n is such a colon; `first` begins its sentence."""
    cdef int32_t k, n_words = 0
    if not is_mark(tokens + i, 0x3a) or tokens[i].flags & (TOKEN_KEEPS | TOKEN_LOWERS):
        return False
    if i + 1 >= n or not tokens[i + 1].flags & TOKEN_SPACE_BEFORE:
        return False
    for k in range(first, i):
        n_words += tokens[k].tag != TAG_AN
        if n_words > 1:
            return True
    return False


cdef inline bint is_after_colon(const uint8_t* text, const Token* tokens, int32_t n, int32_t first,
                                int32_t i) noexcept nogil:
    """Whether token `i` is the word that such a colon introduces, also behind quotes."""
    cdef int32_t k = i - 1
    cdef uint32_t length
    while k > first and k > i - 1 - MAX_OPENING and not is_mark(tokens + k, 0x3a):
        if tokens[k].tag != TAG_AN or tokens[k].flags & TOKEN_ENDS_SENTENCE:
            return False
        if not (text[tokens[k].start] >= 0x80 or is_one_of(text[tokens[k].start], b"\"'`([")
                or tokens[k].flags & (TOKEN_CANONICAL | TOKEN_MARKUP)):
            return False
        k -= 1
    if k <= first or not introduces(tokens, n, first, k):
        return False
    if tokens[i].word_class == CLASS_OTHER or tokens[i].word_class == CLASS_QUANTITY:
        return False
    return (case_of(decode(text + tokens[i].start, text + tokens[i].end, &length)).bits
            & CHAR_CASED) != 0 and not is_joined(text, tokens, n, i)


cdef inline void hide_colons(Token* tokens, int32_t n, int32_t first, int32_t last) noexcept nogil:
    """Have the model see commas in place of such colons of the sentence from `first` to `last`.

    So that what is behind one has the case that it has inside a sentence.
    """
    cdef int32_t i
    for i in range(first + 1, last):
        if introduces(tokens, n, first, i):
            tokens[i].key = hash_end(HASH_SEED, 0x2c, 1)
