"""Beginnings of sentences in a line, features of the line's form, and Greek in upper case.

A sentence begins with the line, and after an end mark such as ``.`` with white space behind it, but
not right after an abbreviation or initial. Where the search has to decide
(`truecase/kernels/_sentences.pxd`), this code may leave it open, so that counts and lasting changes
pass such places by.

Greek capitals have no accents, as in CLDR for ``el``; letters are of one code point. A diaeresis
stays, and a vowel gets one where the accent before it kept two vowels apart: ``Μάιος`` is
``ΜΑΪΟΣ``. The word ``ή`` (or) keeps the accent that the article ``η`` lacks.
"""

from libc.stdint cimport int32_t, uint32_t, uint64_t, uint8_t
from libc.string cimport memcmp

from truecase.kernels._maps cimport NOT_FOUND, find_key
from truecase.kernels._structs cimport (
    CLASS_ALPHABETIC, CLASS_HYPHENATED, CLASS_OTHER, CLASS_QUANTITY, TOKEN_CANONICAL, TOKEN_CLOSES,
    TOKEN_ENDS_SENTENCE, TOKEN_SPACE_BEFORE, KeyIndex, Token, TokenArray
)
from truecase.kernels._unicode cimport (
    CHAR_DIGIT, CHAR_LETTER, MAX_CODE_POINT, TAG_AL, TAG_AN, TAG_AU, ascii_space, class_of, decode,
    find_byte, mix
)


cdef inline uint32_t find_markup(const uint8_t* text, uint32_t p, uint32_t end,
                                 uint32_t* markup_end) noexcept nogil:
    """The next ``<…>`` whose second byte is no white space, or `end`."""
    cdef uint32_t close
    while True:
        p = find_byte(text, p, end, 0x3c)
        if end - p < 3:
            markup_end[0] = end
            return end
        if not ascii_space(text[p + 1]):
            close = find_byte(text, p + 2, end, 0x3e)
            if close < end:
                markup_end[0] = close + 1
                return p
        p += 1


cdef inline bint delays_moses_sentence(const uint8_t* text, uint32_t start,
                                       uint32_t end) noexcept nogil:
    """Whether the word behind this token (quotes, opening brackets) is still the first one."""
    cdef uint8_t byte = text[start]
    cdef uint32_t n = end - start
    if n == 1:
        return byte in (0x28, 0x5b, 0x22, 0x27)
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
    KIND_MARK, KIND_WORD, KIND_NUMBER


cdef struct SentenceState:
    uint8_t place                # of the next word
    bint spaced                  # white space since the last mark that ends something
    bint needs_space
    bint begun                   # the line has had a word or number
    bint asked                   # the end was ? or !
    bint enumerates              # the last token was a number where a word could be first
    bint quote_is_open


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


cdef inline bint is_abbreviation(const uint8_t* text, const Token* token,
                                 const KeyIndex* abbreviations) noexcept nogil:
    """Whether a period right after the word belongs to it: initials, e.g, and known ones."""
    return (token.n_code_points == 1
            or find_key(abbreviations, token.key) != NOT_FOUND
            or find_byte(text, token.start, token.end, 0x2e) < token.end)


cdef inline bint is_closing(const uint8_t* text, const Token* tokens, int32_t i, int32_t n,
                            bint quote_is_open) noexcept nogil:
    """Whether a token closes a quotation or bracket; the text beside undirected quotes decides."""
    cdef const Token* token = tokens + i
    cdef uint8_t byte = text[token.start]
    if not token.flags & TOKEN_CLOSES:
        return False
    # Two apostrophes have a direction.
    if byte not in (0x22, 0x27, 0x26) or token.end - token.start == 2 or (
            not token.flags & TOKEN_SPACE_BEFORE):
        return True
    if i + 1 < n and not tokens[i + 1].flags & TOKEN_SPACE_BEFORE:
        return False
    return quote_is_open


cdef inline void expect(SentenceState* state, uint8_t place, bint needs_space) noexcept nogil:
    """The next word has a place if white space stands before it, or no matter what does."""
    state.place = place
    state.spaced = False
    state.needs_space = needs_space


cdef inline uint8_t place_of_word(const uint8_t* text, const Token* token, uint8_t kind,
                                  SentenceState* state) noexcept nogil:
    cdef uint8_t place = PLACE_INSIDE
    if state.spaced or not state.needs_space:
        place = state.place
    state.enumerates = kind == KIND_NUMBER and place == PLACE_FIRST
    state.begun = True
    state.place = PLACE_INSIDE
    if kind == KIND_WORD and text[token.end - 1] == 0x2e:
        # U.S., e.g., or any Mr. of tokenised text.
        expect(state, PLACE_UNKNOWN, True)
    return place


cdef inline uint8_t place_after_end(const uint8_t* text, const Token* tokens, int32_t i,
                                    const KeyIndex* abbreviations,
                                    const SentenceState* state) noexcept nogil:
    """Place of the word behind token `i`, an end mark."""
    cdef const Token* token = tokens + i
    cdef bint is_period = text[token.start] == 0x2e
    if token.flags & TOKEN_CANONICAL or is_period and (
            token.end - token.start > 1 or i > 0 and text[tokens[i - 1].start] == 0x2e):
        # An ellipsis, in whatever spelling.
        return PLACE_UNCLEAR
    if not state.begun:
        return state.place
    if (is_period and i > 0 and not token.flags & TOKEN_SPACE_BEFORE
            and kind_of(text, tokens + i - 1) == KIND_WORD
            and is_abbreviation(text, tokens + i - 1, abbreviations)):
        return PLACE_UNKNOWN
    return PLACE_FIRST


cdef inline uint8_t next_place(const uint8_t* text, const Token* tokens, int32_t i, int32_t n,
                               const KeyIndex* abbreviations, SentenceState* state) noexcept nogil:
    """Place of token i, given the state after those before it."""
    cdef const Token* token = tokens + i
    cdef uint8_t kind = kind_of(text, token)
    cdef uint8_t byte = text[token.start]
    cdef bint is_attached = not token.flags & TOKEN_SPACE_BEFORE
    cdef bint enumerates = state.enumerates
    if not is_attached:
        state.spaced = True
    state.enumerates = False
    if kind != KIND_MARK:
        return place_of_word(text, token, kind, state)
    if enumerates and is_attached and byte in (0x2e, 0x29):
        # A number in front of the first word: "1. go", "(2) stay".
        expect(state, PLACE_FIRST, True)
    elif token.flags & TOKEN_ENDS_SENTENCE or byte in (0x2e, 0x21, 0x3f):
        state.asked = byte in (0x3f, 0x21)
        expect(state, place_after_end(text, tokens, i, abbreviations, state), byte < 0x80)
    elif not state.begun:
        pass
    elif byte == 0x3a:                                 # :
        expect(state, PLACE_UNCLEAR, True)
    elif byte in (0x2c, 0x3b):                         # , ;
        state.place = PLACE_INSIDE
    elif (state.asked and state.place == PLACE_FIRST
            and is_closing(text, tokens, i, n, state.quote_is_open)):
        # "Why?" he said. / "Why?" The others were silent.
        state.place = PLACE_UNCLEAR
    if byte == 0x22:
        state.quote_is_open = not state.quote_is_open
    return PLACE_INSIDE


cdef enum:
    N_TITLE_WEIGHTS = 1 << 15
    MAX_WORDS_SEEN = 64          # of a line, from its start
    MAX_LINE_FEATURES = MAX_WORDS_SEEN + 8
    LONG_WORD = 4                # letters; shorter words are lowercase in many titles


cdef enum LineKind:              # by the case of its words
    LINE_BODY, LINE_TITLE, LINE_UNCLEAR


cdef enum FeatureRole:
    ROLE_BIAS, ROLE_WORD, ROLE_FIRST, ROLE_LAST, ROLE_LENGTH, ROLE_END, ROLE_QUANTITIES,
    ROLE_MARKS, ROLE_SHORT


cdef inline bint is_mostly_upper(const TokenArray* tokens) noexcept nogil:
    """Whether two words or more, and most of those with case, are all upper case."""
    cdef int32_t i, n_cased = 0, n_upper = 0
    for i in range(tokens.n):
        if tokens.tokens[i].tag != TAG_AN:
            n_cased += 1
            if tokens.tokens[i].tag == TAG_AU:
                n_upper += 1
    return n_upper >= 2 and 2 * n_upper > n_cased


cdef inline int line_kind(const uint8_t* text, const TokenArray* tokens) noexcept nogil:
    """The kind of a line by the case of its long words but the first; body, with a period."""
    cdef int32_t i, n_long = 0, n_raised = 0
    cdef bint is_first = True
    cdef const Token* token
    for i in range(tokens.n - 1, -1, -1):
        token = tokens.tokens + i
        if token.word_class != CLASS_OTHER:
            break
        if token.end - token.start == 1 and text[token.start] == 0x2e:
            return LINE_BODY
    for i in range(tokens.n):
        token = tokens.tokens + i
        if token.tag == TAG_AN:
            continue
        if is_first:
            is_first = False
            continue
        if token.n_code_points >= LONG_WORD and (
                token.word_class == CLASS_ALPHABETIC or token.word_class == CLASS_HYPHENATED):
            n_long += 1
            if token.tag != TAG_AL:
                n_raised += 1
    if 2 * n_raised < n_long:
        return LINE_BODY
    if n_long >= 2 and 5 * n_raised >= 4 * n_long:
        return LINE_TITLE
    return LINE_UNCLEAR


cdef inline int32_t title_weight(int role, uint64_t what) noexcept nogil:
    return <int32_t>(mix(what * 16 + <uint64_t>role) & (N_TITLE_WEIGHTS - 1))


cdef inline int line_features(const TokenArray* tokens, int32_t* feature) noexcept nogil:
    """Weights of the detector for a line's form, case ignored; returns how many."""
    cdef const Token* token
    cdef int32_t i, n = 0, n_quantities = 0, n_marks = 0, n_words = 0, n_short = 0
    if tokens.n == 0:
        return 0
    for i in range(min(tokens.n, MAX_WORDS_SEEN)):
        token = tokens.tokens + i
        feature[n] = title_weight(ROLE_WORD, token.key)
        n += 1
        if token.word_class == CLASS_QUANTITY:
            n_quantities += 1
        elif token.word_class == CLASS_OTHER:
            n_marks += 1
        else:
            n_words += 1
            if token.n_code_points < LONG_WORD:
                n_short += 1
    token = tokens.tokens + tokens.n - 1
    feature[n] = title_weight(ROLE_BIAS, 0)
    feature[n + 1] = title_weight(ROLE_FIRST, tokens.tokens[0].key)
    feature[n + 2] = title_weight(ROLE_LAST, token.key)
    feature[n + 3] = title_weight(ROLE_LENGTH, <uint64_t>min(tokens.n, 24))
    feature[n + 4] = title_weight(
        ROLE_END, 8 if token.flags & TOKEN_ENDS_SENTENCE else token.word_class)
    feature[n + 5] = title_weight(ROLE_QUANTITIES, <uint64_t>min(n_quantities, 3))
    feature[n + 6] = title_weight(ROLE_MARKS, <uint64_t>min(n_marks, 5))
    feature[n + 7] = title_weight(ROLE_SHORT, <uint64_t>(8 * n_short // max(n_words, 1)))
    return n + 8


cdef inline float line_score(const float* weight, const int32_t* feature, int n) noexcept nogil:
    """Log-odds that the line is a title."""
    cdef float score = 0.0
    cdef int i
    for i in range(n):
        score += weight[feature[i]]
    return score


cdef inline uint8_t without_accent(uint8_t low) noexcept nogil:
    """The last byte of a Greek capital (its first is CE) without accent, Α for Ά; 0: no accent."""
    # ΆΑ ΈΕ ΉΗ ΊΙ ΌΟ ΎΥ ΏΩ ΐΪ ΰΫ; ΐ and ΰ have no capitals by themselves.
    cdef const uint8_t* pair = <const uint8_t*>(
        b"\x86\x91\x88\x95\x89\x97\x8a\x99\x8c\x9f\x8e\xa5\x8f\xa9\x90\xaa\xb0\xab")
    while pair[0] and pair[0] != low:
        pair += 2
    return pair[1] if pair[0] else 0


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
