"""Guessing the case of an unknown word from how it ends.

A table of suffixes of 1 to 4 letters, learned from rare words, gives log P(tag | suffix) for
AL, IU and AU; the longest suffix in the table decides (the tagger of Brants, 2000, guesses
parts of speech that way). A slot is four bytes: a check byte (0: the slot is empty) and one
code per tag, log P = -code / 16. Two suffixes of the same slot and check byte are one.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from truecase.text._casing cimport to_lower
from truecase.text._hash cimport mix
from truecase.text._token cimport Token
from truecase.text._utf8 cimport decode


cdef enum:
    LONGEST_SUFFIX = 4
    SUFFIX_BITS = 15
    SUFFIX_BYTES = 4 << SUFFIX_BITS


cdef inline int suffix_hashes(const uint8_t* text, uint32_t start, uint32_t end, bint turkic,
                              uint64_t* hashes) noexcept nogil:
    """Hashes of the last 1, 2, … code points of a span, case dropped; how many there are."""
    cdef uint32_t p = end, length
    cdef uint64_t hash = 0
    cdef int n = 0
    while p > start and n < LONGEST_SUFFIX:
        p -= 1
        while p > start and (text[p] & 0xc0) == 0x80:
            p -= 1
        hash = mix(hash * 31 + to_lower(decode(text + p, text + end, &length), turkic) + 1)
        hashes[n] = hash
        n += 1
    return n


cdef inline uint32_t suffix_slot(uint64_t hash) noexcept nogil:
    return 4 * <uint32_t>(hash >> (64 - SUFFIX_BITS))


cdef inline uint8_t suffix_check(uint64_t hash) noexcept nogil:
    return <uint8_t>(1 + hash % 255)


cdef inline const uint8_t* find_suffix(const uint8_t* table, const uint8_t* text,
                                       const Token* token, bint turkic) noexcept nogil:
    """Codes of AL, IU and AU for a word; NULL if no suffix of it is known."""
    cdef uint64_t hashes[LONGEST_SUFFIX]
    cdef int n = suffix_hashes(text, token.start, token.end, turkic, hashes)
    cdef const uint8_t* slot
    while n > 0:
        n -= 1
        slot = table + suffix_slot(hashes[n])
        if slot[0] == suffix_check(hashes[n]):
            return slot + 1
    return NULL
