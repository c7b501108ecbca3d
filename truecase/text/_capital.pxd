"""Which letters the capital of a word raises, and which word takes that of its sentence.

In most languages the first letter, of the first word. Dutch writes the digraph ij as one letter,
``IJsland``, and passes over short forms, ``'s Avonds``. Irish puts small letters before the one
that is raised, ``i mBaile Átha Cliath``; those that begin no other word are known by themselves.
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

from truecase.text._casing cimport TAG_AN
from truecase.text._hash cimport HASH_SEED, hash_end
from truecase.text._token cimport CLASS_OTHER, TOKEN_SPACE_BEFORE, Token


cdef enum CapitalRule:           # truecase.text.casing.CAPITAL_RULES
    CAPITAL_FIRST = 0
    CAPITAL_DUTCH = 1
    CAPITAL_IRISH = 2


cdef extern from *:
    """
    /* The letters of s, t, k, n, m, r. */
    #define TRUECASE_SHORT_FORMS UINT64_C(0x726d6e6b7473)
    """
    const uint64_t SHORT_FORMS "TRUECASE_SHORT_FORMS"


cdef inline bint is_letter_byte(uint8_t byte) noexcept nogil:
    """Whether a letter may begin with the byte: ASCII ones do, and all beyond ASCII."""
    return byte >= 0x80 or 0x61 <= byte | 0x20 <= 0x7a


cdef inline uint32_t irish_prefix(const uint8_t* word, uint32_t n) noexcept nogil:
    """Number of the letters of an eclipsis, or of t before s, that a word begins with; or 0."""
    cdef uint8_t first, second
    if n < 3:
        return 0
    first = word[0] | 0x20
    second = word[1] | 0x20
    if first == 0x62 and second == 0x68:                   # bhf
        return 2 if n > 3 and word[2] | 0x20 == 0x66 and is_letter_byte(word[3]) else 0
    if not is_letter_byte(word[2]):
        return 0
    if ((first == 0x6d and second == 0x62)                 # mb
            or (first == 0x67 and second == 0x63)          # gc
            or (first == 0x6e and (second == 0x64 or second == 0x67))      # nd, ng
            or (first == 0x62 and second == 0x70)          # bp
            or (first == 0x64 and second == 0x74)          # dt
            or (first == 0x74 and second == 0x73)):        # ts
        return 1
    return 0


cdef inline uint64_t capital_mask(const uint8_t* word, uint32_t n, int rule) noexcept nogil:
    """The letters that the capital of a word of n bytes raises; 0 for the first one alone."""
    if rule == CAPITAL_DUTCH:
        # The word ij itself is in upper case then.
        return 3 if n > 2 and word[0] | 0x20 == 0x69 and word[1] | 0x20 == 0x6a else 0
    if rule == CAPITAL_IRISH:
        n = irish_prefix(word, n)
        return <uint64_t>1 << n if n else 0
    return 0


cdef inline bint is_key_of(const Token* token, uint64_t bytes, uint64_t n) noexcept nogil:
    """Whether a token is these n bytes of ASCII in lower case, the first byte lowest."""
    return token.key == hash_end(HASH_SEED, bytes, n)


cdef inline bint is_dutch_short_form(const Token* tokens, int32_t i) noexcept nogil:
    """Whether token `i` is one of 's, 't, 'k, 'n, 'm and 'r."""
    cdef const Token* token = tokens + i
    cdef bint cut = (i > 0 and not token.flags & TOKEN_SPACE_BEFORE
                     and is_key_of(token - 1, 0x27, 1))
    cdef uint64_t letter
    cdef int k
    for k in range(6):
        letter = SHORT_FORMS >> 8 * k & 0xff
        if is_key_of(token, letter << 8 | 0x27, 2) or (cut and is_key_of(token, letter, 1)):
            return True
    return False


cdef inline int32_t word_with_capital(const Token* tokens, int32_t word, int32_t last,
                                      int rule) noexcept nogil:
    """The word of a sentence that takes its capital: `word`, its first, or the one behind that."""
    if (rule == CAPITAL_DUTCH and word >= 0 and word + 1 < last
            and tokens[word + 1].flags & TOKEN_SPACE_BEFORE and tokens[word + 1].tag != TAG_AN
            and tokens[word + 1].word_class != CLASS_OTHER and is_dutch_short_form(tokens, word)):
        return word + 1
    return word
