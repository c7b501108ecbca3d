"""What becomes of a line before weights learn from it: left out, or without punctuation."""

from libc.stdint cimport int32_t, uint64_t

from truecase.text._casing cimport TAG_AN, TAG_AU
from truecase.text._sentence cimport KnownWords, sentence_end
from truecase.text._token cimport (
    CLASS_OTHER,
    TOKEN_CUT_AFTER,
    TOKEN_SPACE_BEFORE,
    TokenArray,
)


cdef inline bint is_all_caps(const TokenArray* tokens) noexcept nogil:
    """Whether most words of a line are all upper case: nothing is to be learned from it."""
    cdef int32_t i, n_upper = 0, n_other = 0
    for i in range(tokens.n):
        if tokens.tokens[i].tag == TAG_AU:
            n_upper += 1
        elif tokens.tokens[i].tag != TAG_AN and tokens.tokens[i].n_code_points > 1:
            n_other += 1
    return n_upper > 1 and n_upper > n_other


cdef inline void remove_punctuation(const KnownWords* words, TokenArray* tokens) noexcept nogil:
    """Take away what has neither letters nor digits, as speech recognition gives its text.

    Sentences stay cut where the marks cut them: a capital in the middle of a line, with no mark
    before it, would teach that any word may have one.
    """
    cdef int32_t i, begin, last, first = 0, kept = 0
    while first < tokens.n:
        last = sentence_end(words, tokens, first)
        begin = kept
        for i in range(first, last):
            if tokens.tokens[i].tag != TAG_AN or tokens.tokens[i].word_class != CLASS_OTHER:
                tokens.tokens[kept] = tokens.tokens[i]
                kept += 1
        if kept > begin:
            tokens.tokens[begin].flags |= TOKEN_SPACE_BEFORE
            tokens.tokens[kept - 1].flags |= TOKEN_CUT_AFTER
        first = last
    tokens.n = kept


cdef inline uint64_t draw(uint64_t* state) noexcept nogil:
    """A random number by SplitMix64."""
    cdef uint64_t x
    state[0] += <uint64_t>0x9e3779b97f4a7c15
    x = state[0]
    x = (x ^ (x >> 30)) * <uint64_t>0xbf58476d1ce4e5b9
    x = (x ^ (x >> 27)) * <uint64_t>0x94d049bb133111eb
    return x ^ (x >> 31)
