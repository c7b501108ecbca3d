"""What the marks between words are decided by: words, folded and hashed, and the marks they carry.

A word is what stands between white space. Signs around it are no part of what is hashed; those
behind it may be marks. What has neither letter nor digit is no word: it stands between words, where
then no mark is missing.
"""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint32_t, uint64_t

from truecase.text._casing cimport (
    CHAR_DIGIT,
    CHAR_LETTER,
    CHAR_SPACE,
    CHAR_WORD,
    class_of,
    to_fold,
)
from truecase.text._hash cimport hash_bytes
from truecase.text._utf8 cimport ascii_space, decode, encode


cdef enum:
    MAX_CLOSINGS = 8             # no mark behind a word, and up to seven
    MAX_OPENINGS = 3             # none in front of the next, and up to two
    MAX_LABELS = 16              # of a gap: what stands behind the one, and in front of the other
    MAX_SIGNS = 32               # that stand for them
    HASHED_BYTES = 64            # of a word, folded; what is behind them does not count
    ENDING_LENGTH = 3            # characters


cdef enum MarkWordFlag:
    WORD_IS_SIGN = 1             # neither letter nor digit
    WORD_HAS_STOP = 2            # a full stop behind it may be that of an abbreviation
    WORD_IS_UPPER = 4            # begins in upper case
    WORD_TRAILS = 8              # behind it are three dots
    WORD_ENDS_LINE = 16
    WORD_ENDS_TEXT = 32          # a blank line follows, or the end
    WORD_IS_CLOSED = 64          # a mark stands behind it: nothing is missing there
    WORD_STOPS = 128             # behind it is one full stop


cdef struct Signs:               # marks, and what stands for them
    int n_labels                 # n_closings * n_openings, at most MAX_LABELS
    int n_closings               # marks behind words, with none, 0
    uint8_t mark[MAX_CLOSINGS][4]
    uint8_t mark_size[MAX_CLOSINGS]
    uint8_t ends_sentence[MAX_CLOSINGS]
    int n_openings               # marks in front of words, with none, 0
    uint32_t opening[MAX_OPENINGS]
    uint8_t opening_mark[MAX_OPENINGS][4]
    uint8_t opening_size[MAX_OPENINGS]
    int n_signs
    uint32_t sign[MAX_SIGNS]
    uint8_t label[MAX_SIGNS]


cdef struct MarkWord:
    size_t start                 # in the text
    size_t end                   # with the signs around it
    uint64_t key                 # hash of the folded word
    uint64_t before              # that of the word before it, 0 for none
    uint32_t ending              # hash of its last letters
    uint8_t given                # number of the mark behind it
    uint8_t opening              # number of that in front of it
    uint8_t flags
    float pause                  # seconds to the next word, less than 0 if they are not known


cdef inline uint8_t label_of_sign(const Signs* signs, uint32_t sign) noexcept nogil:
    cdef int k
    for k in range(signs.n_signs):
        if signs.sign[k] == sign:
            return signs.label[k]
    return 0


cdef inline uint8_t number_of_opening(const Signs* signs, uint32_t sign) noexcept nogil:
    cdef int k
    for k in range(1, signs.n_openings):
        if signs.opening[k] == sign:
            return <uint8_t>k
    return 0


cdef inline bint is_space(uint32_t c) noexcept nogil:
    if c < 0x80:
        return ascii_space(<uint8_t>c)
    return (class_of(c) & <uint8_t>CHAR_SPACE) != 0


cdef inline const uint8_t* find_space(const uint8_t* p, const uint8_t* end) noexcept nogil:
    """The next white space, or the end."""
    cdef uint32_t length
    while p < end and not is_space(decode(p, end, &length)):
        p += length
    return p


cdef inline const uint8_t* skip_space(const uint8_t* p, const uint8_t* end,
                                      int* n_lines) noexcept nogil:
    """The next word, or the end; line feeds on the way are counted."""
    cdef uint32_t length, c
    while p < end:
        c = decode(p, end, &length)
        if not is_space(c):
            break
        n_lines[0] += c == 0x0a
        p += length
    return p


cdef inline void read_word(const Signs* signs, bint turkic, const uint8_t* text, size_t start,
                           size_t n, MarkWord* word) noexcept nogil:
    """The word that begins at `start` of a text of n bytes.

    Invariant: start < n, and no white space stands there.
    """
    cdef const uint8_t* p = text + start
    cdef const uint8_t* end = text + n
    cdef uint8_t folded[HASHED_BYTES + 4]
    cdef uint32_t n_folded = 0, length, c, of_word = 0, at = 0, k
    cdef uint32_t place[ENDING_LENGTH]   # where the last characters begin, in a circle
    cdef uint8_t bits, label, given = 0
    cdef bint is_full = False, dotted = False, first = True
    cdef int dots = 0, signs_behind = 0
    cdef uint32_t n_characters = 0
    word.start = start
    word.flags = 0
    word.opening = 0
    word.before = 0
    word.pause = -1
    while p < end:
        c = decode(p, end, &length)
        if is_space(c):
            break
        p += length
        bits = class_of(c)
        if bits & <uint8_t>CHAR_WORD == 0:
            if n_characters == 0:
                given = max(given, label_of_sign(signs, c))
                word.opening = max(word.opening, number_of_opening(signs, c))
                continue
            label = label_of_sign(signs, c)
            given = max(given, label)
            signs_behind += label > 0
            dots += 1 if c == 0x2e else (3 if c == 0x2026 else 0)
            # A sign within the word belongs to it: don't, co-op, u.s
            if not is_full:
                if c == 0x2019:
                    c = 0x27
                n_folded += encode(c, folded + n_folded)
                is_full = n_folded > <uint32_t>HASHED_BYTES - 4
            continue
        if first:
            first = False
            if bits & <uint8_t>CHAR_LETTER and to_fold(c, turkic) != c:
                word.flags |= WORD_IS_UPPER
        if n_characters and n_folded > of_word and dots:
            dotted = True
        given = 0
        signs_behind = 0
        dots = 0
        if n_characters == 0:
            n_folded = 0
        n_characters += 1
        if is_full:
            of_word = n_folded
            continue
        c = 0x30 if bits & <uint8_t>CHAR_DIGIT else to_fold(c, turkic)
        place[at] = n_folded
        at = (at + 1) % <uint32_t>ENDING_LENGTH
        n_folded += encode(c, folded + n_folded)
        is_full = n_folded > <uint32_t>HASHED_BYTES - 4
        of_word = n_folded
    word.end = p - text
    word.given = given
    if n_characters == 0:
        word.flags |= WORD_IS_SIGN
        word.key = 0
        word.ending = 0
        return
    if signs_behind:
        word.flags |= WORD_IS_CLOSED
    if dots == 1:
        word.flags |= WORD_STOPS
    if dots == 1 and (dotted or n_characters == 1):
        word.flags |= WORD_HAS_STOP
    if dots >= 3:
        word.flags |= WORD_TRAILS
    word.key = hash_bytes(folded, of_word)
    # The oldest of the places that are kept.
    k = place[at] if n_characters >= <uint32_t>ENDING_LENGTH else 0
    if k > of_word:
        k = 0
    word.ending = <uint32_t>(hash_bytes(folded + k, of_word - k) >> 32)
