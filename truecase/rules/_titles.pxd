"""Features of a line as a whole: how much of it is upper case, and its form."""

from libc.math cimport exp
from libc.stdint cimport int32_t, uint32_t, uint64_t, uint8_t

from truecase.kernels._structs cimport (
    CLASS_ALPHABETIC, CLASS_HYPHENATED, CLASS_OTHER, CLASS_QUANTITY, TOKEN_ENDS_SENTENCE, Token,
    TokenArray
)
from truecase.kernels._unicode cimport TAG_AL, TAG_AN, TAG_AU, mix


cdef enum:
    N_TITLE_WEIGHTS = 1 << 15
    MAX_WORDS_SEEN = 64          # of a line, from its start
    MAX_LINE_FEATURES = MAX_WORDS_SEEN + 8
    LONG_WORD = 4                # letters; shorter words are lowercase in many titles


cdef enum LineKind:              # by the case of its words
    LINE_BODY = 0
    LINE_TITLE = 1
    LINE_UNCLEAR = 2


cdef enum FeatureRole:
    ROLE_BIAS = 0
    ROLE_WORD = 1
    ROLE_FIRST = 2
    ROLE_LAST = 3
    ROLE_LENGTH = 4
    ROLE_END = 5
    ROLE_QUANTITIES = 6
    ROLE_MARKS = 7
    ROLE_SHORT = 8


cdef inline bint is_mostly_upper(const TokenArray* tokens) noexcept nogil:
    """Whether two words or more, and most of those with case, are all upper case."""
    cdef int32_t i, n_cased = 0, n_upper = 0
    for i in range(tokens.n):
        if tokens.tokens[i].tag != TAG_AN:
            n_cased += 1
            if tokens.tokens[i].tag == TAG_AU:
                n_upper += 1
    return n_upper >= 2 and 2 * n_upper > n_cased


cdef inline int line_kind(const TokenArray* tokens) noexcept nogil:
    """The kind of a line by the case of its long words, without the first word."""
    cdef int32_t i, n_long = 0, n_raised = 0
    cdef bint is_first = True
    cdef const Token* token
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
