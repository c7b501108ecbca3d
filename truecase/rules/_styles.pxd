"""Greek in upper case, without accents, as in CLDR for ``el``; letters of one code point.

A diaeresis stays, and a vowel gets one where the accent before it kept two vowels apart: ``Μάιος``
is ``ΜΑΪΟΣ``. The word ``ή`` (or) keeps the accent that the article ``η`` lacks.
"""

from libc.stdint cimport uint32_t, uint8_t


cdef inline uint8_t without_accent(uint8_t low) noexcept nogil:
    """The last byte of a Greek capital (its first is CE) without accent, Α for Ά; 0: no accent."""
    if low == 0x86:                                        # Ά
        return 0x91
    if low == 0x88:                                        # Έ
        return 0x95
    if low == 0x89:                                        # Ή
        return 0x97
    if low == 0x8a:                                        # Ί
        return 0x99
    if low == 0x8c:                                        # Ό
        return 0x9f
    if low == 0x8e:                                        # Ύ
        return 0xa5
    if low == 0x8f:                                        # Ώ
        return 0xa9
    if low == 0x90:                                        # ΐ, which has no capital by itself
        return 0xaa
    if low == 0xb0:                                        # ΰ
        return 0xab
    return 0


cdef inline void drop_accents(uint8_t* word, uint32_t n) noexcept nogil:
    """Take the accents from an upper-case word of n bytes, whose number stays."""
    cdef uint32_t i = 0
    cdef uint8_t bare
    cdef bint was_accented = False, is_accented
    if n == 2 and word[0] == 0xce and (word[1] == 0x89 or word[1] == 0xae):
        word[1] = 0x89
        return
    while i + 1 < n:
        if word[i] != 0xce:
            was_accented = False
            i += 1
            continue
        bare = without_accent(word[i + 1])
        # Iota and upsilon with a diaeresis are no diphthong already.
        is_accented = bare != 0 and bare != 0xaa and bare != 0xab
        if bare:
            word[i + 1] = bare
        elif was_accented and word[i + 1] == 0x99:
            word[i + 1] = 0xaa
        elif was_accented and word[i + 1] == 0xa5:
            word[i + 1] = 0xab
        was_accented = is_accented
        i += 2
