"""Moses' view of a line (markup, factors behind words), and the sentences that begin in it.

A sentence begins with the line, and after an end mark such as ``.`` with white space behind it, but
not right after an abbreviation or initial. Where the search has to decide
(`truecase/kernels/_sentences.pxd`), this code may leave it open, so that counts and lasting changes
pass such places by.
"""

from libc.stdint cimport int32_t, uint32_t, uint8_t
from libc.string cimport memchr, memcmp

from truecase.kernels._maps cimport NOT_FOUND, find_key
from truecase.kernels._structs cimport (
    CLASS_QUANTITY, TOKEN_CANONICAL, TOKEN_CLOSES, TOKEN_ENDS_SENTENCE, TOKEN_SPACE_BEFORE,
    KeyIndex, Token
)
from truecase.kernels._unicode cimport (
    CHAR_DIGIT, CHAR_LETTER, MAX_CODE_POINT, TAG_AN, class_of, decode
)


cdef inline bint is_space(uint8_t byte) noexcept nogil:
    return byte == 0x20 or (byte >= 0x09 and byte <= 0x0d)


cdef inline uint32_t find_byte(const uint8_t* text, uint32_t p, uint32_t end,
                               uint8_t byte) noexcept nogil:
    cdef const void* found = memchr(text + p, byte, end - p)
    return end if found == NULL else <uint32_t>(<const uint8_t*>found - text)


cdef inline uint32_t find_markup(const uint8_t* text, uint32_t p, uint32_t end,
                                 uint32_t* markup_end) noexcept nogil:
    """The next ``<…>`` whose second byte is no white space, or `end`."""
    cdef uint32_t close
    while True:
        p = find_byte(text, p, end, 0x3c)
        if end - p < 3:
            markup_end[0] = end
            return end
        if not is_space(text[p + 1]):
            close = find_byte(text, p + 2, end, 0x3e)
            if close < end:
                markup_end[0] = close + 1
                return p
        p += 1


cdef inline bint ends_moses_sentence(const uint8_t* text, uint32_t start,
                                     uint32_t end) noexcept nogil:
    cdef uint8_t byte = text[start]
    return end - start == 1 and (byte == 0x2e or byte == 0x3a or byte == 0x3f or byte == 0x21)


cdef inline bint delays_moses_sentence(const uint8_t* text, uint32_t start,
                                       uint32_t end) noexcept nogil:
    """Whether the word behind this token (quotes, opening brackets) is still the first one."""
    cdef uint8_t byte = text[start]
    cdef uint32_t n = end - start
    if n == 1:
        return byte == 0x28 or byte == 0x5b or byte == 0x22 or byte == 0x27
    if byte != 0x26:
        return False
    if n == 6:
        return memcmp(text + start, b"&apos;", 6) == 0 or memcmp(text + start, b"&quot;", 6) == 0
    return n == 5 and (memcmp(text + start, b"&#91;", 5) == 0
                       or memcmp(text + start, b"&#93;", 5) == 0)


cdef enum Place:
    PLACE_INSIDE = 0             # of a sentence: the case is the word's own
    PLACE_FIRST = 1              # first word of a sentence
    PLACE_UNCLEAR = 2            # of a clause at least: after : or … or ?"
    PLACE_UNKNOWN = 3            # after an abbreviation: often a name, maybe a sentence


cdef enum Kind:
    KIND_MARK = 0
    KIND_WORD = 1
    KIND_NUMBER = 2


cdef struct SentenceState:
    uint8_t place                # of the next word
    bint spaced                  # white space since the last mark that ends something
    bint needs_space
    bint begun                   # the line has had a word or number
    bint asked                   # the end was ? or !
    bint enumerates              # the last token was a number where a word could be first
    bint quote_is_open


cdef inline void begin_line(SentenceState* state) noexcept nogil:
    state.place = PLACE_FIRST
    state.spaced = True
    state.needs_space = False
    state.begun = False
    state.asked = False
    state.enumerates = False
    state.quote_is_open = False


cdef inline uint8_t kind_of(const uint8_t* text, const Token* token) noexcept nogil:
    cdef uint32_t length, cp
    cdef uint8_t bits
    if token.tag != TAG_AN:
        # Escapes of Moses, such as &quot;, look like words when they are tokens of their own.
        if text[token.start] == 0x26 and text[token.end - 1] == 0x3b:
            return KIND_MARK
        return KIND_WORD
    if token.flags & TOKEN_CANONICAL:
        return KIND_MARK
    if token.word_class == CLASS_QUANTITY:
        return KIND_NUMBER
    cp = decode(text + token.start, text + token.end, &length)
    bits = class_of(cp)
    # A byte that is no character is rubbish, not a word.
    if bits & CHAR_LETTER and cp <= MAX_CODE_POINT:
        return KIND_WORD
    return KIND_NUMBER if bits & CHAR_DIGIT else KIND_MARK


cdef inline bint has_byte(const uint8_t* text, const Token* token, uint8_t byte) noexcept nogil:
    cdef uint32_t p
    for p in range(token.start, token.end):
        if text[p] == byte:
            return True
    return False


cdef inline bint is_abbreviation(const uint8_t* text, const Token* token,
                                 const KeyIndex* abbreviations) noexcept nogil:
    """Whether a period right after the word belongs to it: initials, e.g, and known ones."""
    return (token.n_code_points == 1
            or find_key(abbreviations, token.key) != NOT_FOUND
            or has_byte(text, token, 0x2e))


cdef inline bint is_closing(const uint8_t* text, const Token* tokens, int32_t i, int32_t n,
                            bint quote_is_open) noexcept nogil:
    """Whether a token closes a quotation or bracket; the text beside undirected quotes decides."""
    cdef const Token* token = tokens + i
    cdef uint8_t byte = text[token.start]
    if not token.flags & TOKEN_CLOSES:
        return False
    if byte != 0x22 and byte != 0x27 and byte != 0x26:
        return True
    if token.end - token.start == 2:                   # ''
        return True
    if not token.flags & TOKEN_SPACE_BEFORE:
        return True
    if i + 1 < n and not tokens[i + 1].flags & TOKEN_SPACE_BEFORE:
        return False
    return quote_is_open


cdef inline uint8_t next_place(const uint8_t* text, const Token* tokens, int32_t i, int32_t n,
                               const KeyIndex* abbreviations, SentenceState* state) noexcept nogil:
    """Place of token i, given the state after those before it."""
    cdef const Token* token = tokens + i
    cdef uint8_t kind = kind_of(text, token)
    cdef uint8_t byte = text[token.start]
    cdef bint is_attached = not token.flags & TOKEN_SPACE_BEFORE
    cdef bint enumerates = state.enumerates
    cdef uint8_t place
    if not is_attached:
        state.spaced = True
    state.enumerates = False
    if kind != KIND_MARK:
        place = state.place if state.spaced or not state.needs_space else PLACE_INSIDE
        state.enumerates = kind == KIND_NUMBER and place == PLACE_FIRST
        state.begun = True
        state.place = PLACE_INSIDE
        if kind == KIND_WORD and text[token.end - 1] == 0x2e:
            # U.S., e.g., or any Mr. of tokenised text.
            state.place = PLACE_UNKNOWN
            state.spaced = False
            state.needs_space = True
        return place
    if enumerates and is_attached and (byte == 0x2e or byte == 0x29):
        # A number in front of the first word: "1. go", "(2) stay".
        state.place = PLACE_FIRST
        state.spaced = False
        state.needs_space = True
    elif token.flags & TOKEN_ENDS_SENTENCE or byte == 0x2e or byte == 0x21 or byte == 0x3f:
        state.spaced = False
        state.needs_space = byte < 0x80
        state.asked = byte == 0x3f or byte == 0x21
        if (token.flags & TOKEN_CANONICAL
                or byte == 0x2e and (token.end - token.start > 1
                                     or i > 0 and text[tokens[i - 1].start] == 0x2e)):
            # An ellipsis, in whatever spelling.
            state.place = PLACE_UNCLEAR
        elif not state.begun:
            pass
        elif (byte == 0x2e and is_attached and i > 0
                and kind_of(text, tokens + i - 1) == KIND_WORD
                and is_abbreviation(text, tokens + i - 1, abbreviations)):
            state.place = PLACE_UNKNOWN
        else:
            state.place = PLACE_FIRST
    elif not state.begun:
        pass
    elif byte == 0x3a:                                 # :
        state.place = PLACE_UNCLEAR
        state.spaced = False
        state.needs_space = True
    elif byte == 0x2c or byte == 0x3b:                 # , ;
        state.place = PLACE_INSIDE
    elif (state.asked and state.place == PLACE_FIRST
            and is_closing(text, tokens, i, n, state.quote_is_open)):
        # "Why?" he said. / "Why?" The others were silent.
        state.place = PLACE_UNCLEAR
    if byte == 0x22:
        state.quote_is_open = not state.quote_is_open
    return PLACE_INSIDE
