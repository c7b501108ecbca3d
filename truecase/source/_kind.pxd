"""Whether a source line is in a language whose nouns have a capital, as in German.

A capital inside a sentence says much of the same word's case in a translation where it means a
name, and little where every noun has one. The line alone decides: short ones are of unknown kind.
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t

from truecase.source._scripts cimport LETTERS_OTHER
from truecase.text._casing cimport CHAR_LETTER, TAG_AN, class_of
from truecase.text._key_index cimport NOT_FOUND, KeyIndex, find_key
from truecase.text._token cimport CLASS_ALPHABETIC, CLASS_HYPHENATED, TOKEN_ASCII, Token, TokenArray
from truecase.text._utf8 cimport decode


cdef enum SourceKind:
    KIND_UNKNOWN = 0
    KIND_NOUN_CAPITALS = 1
    KIND_OTHER = 2


cdef enum:
    N_KINDS = 3                  # to Cython 3.2, members of named enums are no sizes
    WORD_SURE = 0                # values of the index of words; from 1 on: likely words
    LETTER_LIKELY = 31           # bit of a letter that is like a likely word


cdef struct NounWords:
    KeyIndex words               # key of a word → its value
    int32_t fewest_words[2]      # of another language: without a likely word, and with one


# The one table of them, as long as the process lives.
cdef const NounWords* noun_words() noexcept


cdef inline bint is_german_letter(uint32_t cp) noexcept nogil:
    """Whether a letter is one that German has besides ASCII: ß, ä, ö or ü."""
    return (cp == 0xdf or cp == 0xe4 or cp == 0xf6 or cp == 0xfc
            or cp == 0xc4 or cp == 0xd6 or cp == 0xdc)


cdef inline int kind_of_source(const NounWords* known, const uint8_t* text,
                               const TokenArray* tokens, int letters) noexcept nogil:
    """The SourceKind of a line, whose text is mostly in `letters`."""
    cdef const Token* token
    cdef uint32_t p, length, cp, value, likely = 0
    cdef int32_t i, n = 0
    cdef bint is_foreign = False
    if letters == LETTERS_OTHER:
        return KIND_OTHER
    for i in range(tokens.n):
        token = tokens.tokens + i
        if token.tag == TAG_AN or not (token.word_class == CLASS_ALPHABETIC
                                       or token.word_class == CLASS_HYPHENATED):
            continue
        n += 1
        value = find_key(&known.words, token.key)
        if value == WORD_SURE:
            return KIND_NOUN_CAPITALS
        if value != NOT_FOUND:
            likely |= <uint32_t>1 << value
        if token.flags & TOKEN_ASCII:
            continue
        p = token.start
        while p < token.end:
            cp = decode(text + p, text + token.end, &length)
            if cp >= 0x80 and class_of(cp) & CHAR_LETTER:
                if is_german_letter(cp):
                    likely |= <uint32_t>1 << LETTER_LIKELY
                else:
                    is_foreign = True
            p += length
    if likely & (likely - 1):
        return KIND_NOUN_CAPITALS
    if is_foreign or n >= known.fewest_words[likely != 0]:
        return KIND_OTHER
    return KIND_UNKNOWN
