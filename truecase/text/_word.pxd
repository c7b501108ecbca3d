"""Where a word of natural text ends: hyphens, acronyms, numbers, apostrophes.

All functions work within one chunk (a run of bytes without white space) that ends at
`end`; positions are byte offsets.
"""

from libc.stdint cimport uint8_t, uint32_t

from truecase.text._casing cimport (
    CHAR_CLOSES,
    CHAR_DIGIT,
    CHAR_LETTER,
    CHAR_MARK,
    CHAR_SPACE,
    CHAR_WORD,
    ascii_bits,
    class_of,
)
from truecase.text._token cimport TOKEN_VARIANT, apostrophe_length, hyphen_length
from truecase.text._utf8 cimport decode


cdef extern from *:
    """
    /* Lists are space-separated, ASCII, lower case. */
    static const char truecase_clitics[] = " s m d re ve ll ";
    static const char truecase_leading[] =
        " s t m d re ve ll em tis twas twere twill til cause bout round neath n ";
    static const char truecase_elisions[] =
        " c d j l m n s t v qu jusqu lorsqu puisqu quoiqu quelqu un all agl dall dagl"
        " dell degl nell negl sull sugl coll quell quegl quest bell begl sant tutt mezz"
        " anch com dov cos senz nient neanch nessun alcun ciascun qualcun ognun grand ";
    """
    const char* CLITICS "truecase_clitics"
    const char* LEADING "truecase_leading"
    const char* ELISIONS "truecase_elisions"


cdef inline bint in_list(const char* words, const uint8_t* p, uint32_t n) noexcept nogil:
    """Whether n ASCII letters at p, in any case, are one of the words of a list."""
    cdef const char* word = words + 1
    cdef uint32_t i
    if n == 0:
        return False
    while word[0]:
        i = 0
        while i < n and <uint8_t>word[i] == (p[i] | 0x20):
            i += 1
        if i == n and word[n] == 0x20:
            return True
        while word[0] != 0x20:
            word += 1
        word += 1
    return False


cdef inline uint8_t bits_at(const uint8_t* text, uint32_t p, uint32_t end,
                            uint32_t* length) noexcept nogil:
    """Class bits and length of the code point at p; 0 and 0 at the end."""
    if p >= end:
        length[0] = 0
        return 0
    if text[p] < 0x80:
        length[0] = 1
        return ascii_bits[text[p]]
    return class_of(decode(text + p, text + end, length))


cdef inline bint word_at(const uint8_t* text, uint32_t p, uint32_t end) noexcept nogil:
    """Whether a letter, mark, digit or underscore is at p."""
    cdef uint32_t length
    return (bits_at(text, p, end, &length) & CHAR_WORD) != 0 or (p < end and text[p] == 0x5f)


cdef inline bint ascii_digit(const uint8_t* text, uint32_t p, uint32_t end) noexcept nogil:
    return p < end and text[p] >= 0x30 and text[p] <= 0x39


cdef inline bint ascii_letter(const uint8_t* text, uint32_t p, uint32_t end) noexcept nogil:
    return p < end and (text[p] | 0x20) >= 0x61 and (text[p] | 0x20) <= 0x7a


cdef inline uint32_t word_run(const uint8_t* text, uint32_t p, uint32_t end) noexcept nogil:
    """End of the run of letters, marks, digits and underscores from p."""
    cdef uint32_t length
    while p < end:
        if text[p] < 0x80:
            if not ascii_bits[text[p]] & CHAR_WORD and text[p] != 0x5f:
                break
            p += 1
        else:
            if not class_of(decode(text + p, text + end, &length)) & CHAR_WORD:
                break
            p += length
    return p


cdef inline uint32_t ascii_word(const uint8_t* text, uint32_t p, uint32_t end) noexcept nogil:
    """Number of ASCII letters at p, if at most 8 and nothing of a word follows them; else 0."""
    cdef uint32_t n = 0
    while n <= 8 and ascii_letter(text, p + n, end):
        n += 1
    return 0 if n > 8 or word_at(text, p + n, end) else n


cdef inline bint closes_line(const uint8_t* text, uint32_t p, uint32_t end,
                             uint32_t line_end) noexcept nogil:
    """Whether only closing marks follow in the chunk and only white space after it."""
    cdef uint32_t length
    while p < end:
        if not bits_at(text, p, end, &length) & CHAR_CLOSES:
            return False
        p += length
    while p < line_end:
        if not bits_at(text, p, line_end, &length) & CHAR_SPACE:
            return False
        p += length
    return True


cdef inline uint32_t letters_from(const uint8_t* text, uint32_t p, uint32_t end, uint32_t most,
                                  uint32_t* n) noexcept nogil:
    """End and number of the letters from p, at most `most` of them; marks go with theirs."""
    cdef uint32_t length
    cdef uint8_t bits
    n[0] = 0
    while True:
        bits = bits_at(text, p, end, &length)
        if bits & CHAR_LETTER:
            if n[0] == most:
                return p
            n[0] += 1
        elif not (bits & CHAR_MARK and n[0]):
            return p
        p += length


cdef inline uint32_t acronym_end(const uint8_t* text, uint32_t p, uint32_t end,
                                 uint32_t line_end) noexcept nogil:
    """End of the acronym or initial at p (U.S., e.g., M.Sc., J.); 0 if there is none.

    A single letter before a period that closes the line is a word ("vitamin C."); so is
    one before an ellipsis.
    """
    cdef uint32_t q, after, n, n_labels = 1
    q = letters_from(text, p, end, 2, &n)
    if n == 2:
        if ((text[p] | 0x20) == 0x70 and (text[p + 1] | 0x20) == 0x68 and q == p + 2
                and q + 1 < end and text[q] == 0x2e and (text[q + 1] | 0x20) == 0x64
                and not word_at(text, q + 2, end)):
            q += 2
            return q + 1 if q < end and text[q] == 0x2e else q
        return 0
    if n != 1 or q >= end or text[q] != 0x2e:
        return 0
    q += 1
    while True:
        after = letters_from(text, q, end, 3, &n)
        if (n == 1 or n == 2) and after < end and text[after] == 0x2e:
            q = after + 1
            n_labels += 1
        elif n == 1 and not word_at(text, after, end):
            return after
        else:
            break
    if n_labels == 1:
        if q < end and text[q] == 0x2e:
            return 0
        if closes_line(text, q, end, line_end):
            return 0
    return q


cdef inline bint entity_at(const uint8_t* text, uint32_t p, uint32_t end) noexcept nogil:
    """Whether the ampersand at p begins something like &amp;"""
    cdef uint32_t n = 1
    while n < 10 and ascii_letter(text, p + n, end):
        n += 1
    return n > 1 and p + n < end and text[p + n] == 0x3b


cdef inline uint32_t word_end(const uint8_t* text, uint32_t start, uint32_t q, uint32_t end,
                              uint32_t line_end, bint turkic, uint8_t* flags) noexcept nogil:
    """End of the word that starts at `start`, scanned from q on (start <= q).

    May add ``TOKEN_VARIANT`` to `flags`.
    """
    cdef uint32_t after, length, n
    cdef bint part_starts = q == start
    cdef uint8_t c
    while True:
        if part_starts:
            part_starts = False
            after = acronym_end(text, q, end, line_end)
            if after:
                q = after
                if text[q - 1] == 0x2e and not hyphen_length(text, q, end):
                    return q
            else:
                q = word_run(text, q, end)
        else:
            q = word_run(text, q, end)
        if q >= end:
            return q
        c = text[q]
        length = hyphen_length(text, q, end)
        if length:
            if not word_at(text, q + length, end):
                return q
            if length > 1:
                flags[0] |= TOKEN_VARIANT
            q += length
            part_starts = True
            continue
        if c == 0x2e or c == 0x2c or c == 0x3a or c == 0x2f:      # . , : / between digits
            if not (ascii_digit(text, q - 1, end) and ascii_digit(text, q + 1, end)):
                return q
            q += 1
            continue
        if c == 0x2b:                                             # C++
            if not (ascii_letter(text, q - 1, end) and q + 1 < end and text[q + 1] == 0x2b):
                return q
            q += 2
            continue
        if c == 0x23:                                             # C#
            if q == start + 1 and ascii_letter(text, start, end) and not word_at(text, q + 1, end):
                q += 1
            return q
        length = apostrophe_length(text, q, end)
        if length == 0:
            if c == 0x26 and ascii_letter(text, q - 1, end) and ascii_letter(
                    text, q + 1, end) and not entity_at(text, q, end):   # AT&T
                q += 1
                continue
            return q
        if turkic:                                                # Ankara'da: the suffix splits
            return q
        n = ascii_word(text, q + length, end)
        if n == 1 and (text[q + length] | 0x20) == 0x74 and q > start and (
                text[q - 1] | 0x20) == 0x6e:                      # do|n't
            if q - 1 > start:
                return q - 1
            after = q + length + 1
        elif in_list(CLITICS, text + q + length, n):
            return q
        elif q - start <= 8 and in_list(ELISIONS, text + start, q - start) and not (
                apostrophe_length(text, q + length, end)):        # l'|homme
            after = q + length
        elif letter_before(text, q) and letter_at(text, q + length, end):
            if length > 1:
                flags[0] |= TOKEN_VARIANT
            q += length
            continue
        else:
            return q
        if length > 1:
            flags[0] |= TOKEN_VARIANT
        return after


cdef inline bint letter_at(const uint8_t* text, uint32_t p, uint32_t end) noexcept nogil:
    cdef uint32_t length
    return (bits_at(text, p, end, &length) & CHAR_LETTER) != 0


cdef inline bint letter_before(const uint8_t* text, uint32_t q) noexcept nogil:
    """Whether the word's last code point before q is no ASCII digit, sign or underscore."""
    return text[q - 1] >= 0x80 or (ascii_bits[text[q - 1]] & CHAR_LETTER) != 0


cdef inline uint32_t leading_apostrophe_end(const uint8_t* text, uint32_t p, uint32_t length,
                                            uint32_t end, uint32_t line_end, bint glued,
                                            bint turkic, uint8_t* flags) noexcept nogil:
    """End of a word that begins with the apostrophe at p ('s, 'tis, 'n'); 0 if none does.

    `glued`: it follows a word without white space.
    """
    cdef uint32_t q = p + length, n
    if turkic and glued:
        if not letter_at(text, q, end):
            return 0
        q = word_run(text, q, end)
    else:
        n = ascii_word(text, q, end)
        if not in_list(LEADING, text + q, n):
            return 0
        q += n
        if n == 1 and (text[q - 1] | 0x20) == 0x6e:
            n = apostrophe_length(text, q, end)
            if n > 1:
                flags[0] |= TOKEN_VARIANT
            q += n
        elif not glued and hyphen_length(text, q, end):           # 's-Hertogenbosch
            q = word_end(text, p, q, end, line_end, turkic, flags)
    if length > 1:
        flags[0] |= TOKEN_VARIANT
    return q
