"""Greek in upper case: without accents, as CLDR has it for the language ``el``.

Of the letters of modern Greek, each of which is one code point. A diaeresis stays, and one comes
where an accent told two vowels apart: ``Μάιος`` is ``ΜΑΪΟΣ``. The word ``ή``, or, keeps its accent,
which tells it from the article.
"""

from libc.stdint cimport uint32_t, uint8_t


cdef inline uint8_t without_accent(uint8_t low) noexcept nogil:
    """The last byte of a capital, after CE, without its accent: of Ά that of Α; 0: it has none."""
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
    """Take the accents from a word of n bytes in upper case; as many bytes remain."""
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
        # Iota and upsilon with a diaeresis already tell that they are no diphthong.
        is_accented = bare != 0 and bare != 0xaa and bare != 0xab
        if bare:
            word[i + 1] = bare
        elif was_accented and word[i + 1] == 0x99:
            word[i + 1] = 0xaa
        elif was_accented and word[i + 1] == 0xa5:
            word[i + 1] = 0xab
        was_accented = is_accented
        i += 2
