"""Tokens that need no look at their chunk: spellings of marks, and plain words and numbers."""

from libc.stdint cimport uint32_t, uint64_t, uint8_t
from libc.string cimport strlen

from truecase.kernels._structs cimport (
    CLASS_ALPHABETIC, CLASS_OTHER, CLASS_QUANTITY, TOKEN_ASCII, TOKEN_CANONICAL, TOKEN_LETTERS,
    Token
)
from truecase.kernels._tokens cimport FoldedForm, add_to_form, clear_form, set_form
from truecase.kernels._unicode cimport (
    CHAR_CLOSES, CHAR_ENDS_SENTENCE, CHAR_LETTER, HASH_SEED, TAG_AL, TAG_AN, TAG_AU, TAG_IU,
    TAG_MX, CaseRecord, ascii_bits, ascii_letters, case_of, first_bytes, hash_block, hash_bytes,
    hash_end, load8, trailing_zeros
)


# Spellings of marks: PTB brackets and quotes, Moses escapes, typographic signs.
#
# They have the key, class and surface of the mark that they stand for, so that one model serves
# natural text and both styles of tokens. Curly and low quotes count as straight ones, because
# corpora mix both; ``TOKEN_CLOSES`` says which way they face. Guillemets have their own keys.

cdef extern from *:
    """
    typedef struct {
        const char *written, *canonical;
        uint8_t flags;           /* TOKEN_CLOSES is 16, TOKEN_ENDS_SENTENCE 8 */
    } truecase_Spelling;
    #define TRUECASE_N_SPELLINGS 26
    static const truecase_Spelling truecase_spellings[TRUECASE_N_SPELLINGS] = {
        {"\\xe2\\x80\\x90", "-", 0}, {"\\xe2\\x80\\x91", "-", 0}, {"\\xe2\\x80\\x93", "--", 0},
        {"\\xe2\\x80\\x94", "--", 0}, {"\\xe2\\x80\\x95", "--", 0}, {"\\xe2\\x80\\xa6", "...", 8},
        {"\\xe2\\x80\\x98", "'", 0}, {"\\xe2\\x80\\x99", "'", 16}, {"\\xe2\\x80\\x9a", "'", 0},
        {"\\xe2\\x80\\x9b", "'", 0}, {"\\xe2\\x80\\x9c", "\\"", 0}, {"\\xe2\\x80\\x9d", "\\"", 16},
        {"\\xe2\\x80\\x9e", "\\"", 0}, {"\\xe2\\x80\\x9f", "\\"", 0},
        /* Moses' escapes of special characters, and quotes of the Penn Treebank. */
        {"&quot;", "\\"", 16}, {"&apos;", "'", 16}, {"&amp;", "&", 0}, {"&lt;", "<", 0},
        {"&gt;", ">", 0}, {"&#91;", "[", 0}, {"&#93;", "]", 16}, {"&bar;", "|", 0},
        {"&#124;", "|", 0}, {"``", "\\"", 0}, {"`", "'", 0}, {"''", "\\"", 16}};
    /* Whole chunks, in any case. */
    #define TRUECASE_N_NAMES 8
    static const truecase_Spelling truecase_names[TRUECASE_N_NAMES] = {
        {"-lrb-", "(", 0}, {"-rrb-", ")", 16}, {"-lsb-", "[", 0}, {"-rsb-", "]", 16},
        {"-lcb-", "{", 0}, {"-rcb-", "}", 16}, {"@-@", "-", 0}, {"@/@", "/", 0}};
    """
    ctypedef struct Spelling "truecase_Spelling":
        const char* written
        const char* canonical
        uint8_t flags
    enum:
        N_SPELLINGS "TRUECASE_N_SPELLINGS"
        N_NAMES "TRUECASE_N_NAMES"
    const Spelling* spellings "truecase_spellings"
    const Spelling* bracket_names "truecase_names"


cdef struct Mark:
    const char* canonical
    uint32_t length              # bytes in the text; 0: no mark
    uint8_t flags                # ENDS_SENTENCE, CLOSES


cdef inline Mark mark_of(const char* canonical, uint32_t length, uint8_t flags) noexcept nogil:
    cdef Mark mark
    mark.canonical = canonical
    mark.length = length
    mark.flags = flags
    return mark


cdef inline Mark no_mark() noexcept nogil:
    # No NULL: line tracing makes a Python string of it.
    return mark_of("", 0, 0)


cdef inline Mark bracket_name(const uint8_t* p, uint32_t n) noexcept nogil:
    """-LRB- and its kin in any case, and Moses' @-@ and @/@, which are whole chunks."""
    cdef const Spelling* name
    cdef uint32_t k, i
    for k in range(<uint32_t>N_NAMES):
        name = bracket_names + k
        i = 0
        if n == strlen(name.written):
            while i < n and (p[i] == name.written[i] or (
                    ascii_letters(p[i]) and p[i] | 0x20 == name.written[i])):
                i += 1
        if n and i == n:
            return mark_of(name.canonical, n, name.flags)
    return no_mark()


cdef inline Mark find_mark(const uint8_t* p, uint32_t n, bint whole_chunk) noexcept nogil:
    """The spelling of a mark at the start of these n bytes, if there is one."""
    cdef const Spelling* spelling
    cdef uint32_t length = 0, k
    while length < n and p[length] == 0x2d:
        length += 1
    if length > 2:
        return mark_of("--", length, 0)
    if n and p[0] in (0xe2, 0x26, 0x27, 0x60):
        for k in range(<uint32_t>N_SPELLINGS):
            spelling = spellings + k
            length = 0
            while length < n and spelling.written[length] and (
                    p[length] == <uint8_t>spelling.written[length]):
                length += 1
            if spelling.written[length] == 0:
                return mark_of(spelling.canonical, length, spelling.flags)
    return bracket_name(p, n) if whole_chunk else no_mark()


cdef inline void fill_canonical(Token* token, Mark mark, bint ascii) noexcept nogil:
    """Set a token that is such a mark, except for its span."""
    cdef uint32_t n = <uint32_t>strlen(mark.canonical)
    token.key = hash_bytes(<const uint8_t*>mark.canonical, n)
    token.upper_mask = 0
    token.tag = TAG_AN
    token.word_class = CLASS_OTHER
    token.flags |= TOKEN_CANONICAL | mark.flags
    if ascii:
        token.flags |= TOKEN_ASCII
    token.n_code_points = <uint8_t>n


cdef inline const char* canonical_surface(const uint8_t* text, const Token* token,
                                          uint32_t* length) noexcept nogil:
    """Bytes of the surface form: the text's, or the canonical mark's.

    Of a variant (``TOKEN_VARIANT``) it gives the text's bytes; use `write_surface` for those.
    """
    cdef Mark mark
    if token.flags & TOKEN_CANONICAL:
        mark = find_mark(text + token.start, token.end - token.start, True)
        if mark.length > 0:
            length[0] = <uint32_t>strlen(mark.canonical)
            return mark.canonical
    length[0] = token.end - token.start
    return <const char*>(text + token.start)


# Plain tokens, the common case: words of letters, numbers, single ASCII marks. One read of 16 bytes
# has all of an ASCII word of up to 15 letters.

cdef extern from *:
    """
    /* Sixteen bytes with their ASCII letters in lower case; a bit per byte for letters, and for
       upper-case letters. */
    typedef struct { uint64_t low, high; uint32_t letters, uppers; } truecase_Sixteen;
    #ifdef TRUECASE_SSE2
    static inline truecase_Sixteen truecase_sixteen(const uint8_t *p) {
        truecase_Sixteen s;
        const __m128i case_bit = _mm_set1_epi8(0x20);
        __m128i bytes = _mm_loadu_si128((const __m128i *)p);
        __m128i place = _mm_sub_epi8(_mm_or_si128(bytes, case_bit), _mm_set1_epi8('a'));
        __m128i letters = _mm_cmpeq_epi8(_mm_min_epu8(place, _mm_set1_epi8(25)), place);
        __m128i folded = _mm_or_si128(bytes, _mm_and_si128(letters, case_bit));
        s.letters = (uint32_t)_mm_movemask_epi8(letters);
        s.uppers = s.letters & ~(uint32_t)_mm_movemask_epi8(_mm_slli_epi16(bytes, 2));
        memcpy(&s.low, &folded, 8);
        memcpy(&s.high, (const uint8_t *)&folded + 8, 8);
        return s;
    }
    #else
    static inline truecase_Sixteen truecase_sixteen(const uint8_t *p) {
        truecase_Sixteen s;
        int half;
        s.letters = s.uppers = 0;
        for (half = 0; half < 2; half++) {
            uint64_t block = truecase_load8(p + 8 * half);
            uint64_t folded = (block | TRUECASE_EACH(0x20)) & ~TRUECASE_HIGH;
            uint64_t letters = (folded + TRUECASE_EACH(0x80 - 'a'))
                & ~(folded + TRUECASE_EACH(0x80 - 'z' - 1)) & ~block & TRUECASE_HIGH;
            uint64_t uppers = letters & ~(block << 2);
            s.letters |= (uint32_t)(((letters >> 7) * TRUECASE_GATHER) >> 56) << (8 * half);
            s.uppers |= (uint32_t)(((uppers >> 7) * TRUECASE_GATHER) >> 56) << (8 * half);
            block |= uppers >> 2;
            if (half) s.high = block; else s.low = block;
        }
        return s;
    }
    #endif
    #define TRUECASE_AFTER_SPACE 1
    #define TRUECASE_AFTER_MARK 2
    /* Class of a byte right after a plain word, if the rest of the chunk may be plain, too. */
    static inline uint8_t truecase_after_word(uint8_t c) {
        static const uint8_t classes[256] = {
            [9] = 1, [10] = 1, [11] = 1, [12] = 1, [13] = 1, [' '] = 1,
            ['!'] = 2, ['"'] = 2, [')'] = 2, [','] = 2, ['.'] = 2, [':'] = 2, [';'] = 2, ['?'] = 2,
            [']'] = 2, ['}'] = 2};
        return classes[c];
    }
    """
    ctypedef struct Sixteen "truecase_Sixteen":
        uint64_t low
        uint64_t high
        uint32_t letters
        uint32_t uppers
    Sixteen sixteen "truecase_sixteen"(const uint8_t* p) noexcept nogil
    uint8_t AFTER_SPACE "TRUECASE_AFTER_SPACE"
    uint8_t AFTER_MARK "TRUECASE_AFTER_MARK"
    uint8_t after_word "truecase_after_word"(uint8_t c) noexcept nogil


cdef struct PlainWord:           # a run of up to 15 ASCII letters
    uint64_t key
    uint64_t upper_mask
    uint32_t n
    bint all_upper


cdef inline bint plain_word(const uint8_t* text, uint32_t p, PlainWord* word) noexcept nogil:
    """The run of up to 15 ASCII letters from p, which may pass the end; False if there is none."""
    cdef Sixteen s = sixteen(text + p)
    cdef uint32_t n, ones
    if s.letters & 1 == 0 or s.letters == 0xffff:
        return False
    n = <uint32_t>trailing_zeros(~s.letters)
    ones = (<uint32_t>1 << n) - 1
    word.n = n
    word.upper_mask = s.uppers & ones
    word.all_upper = word.upper_mask == ones
    if n <= 8:
        word.key = hash_end(HASH_SEED, s.low & first_bytes(n), n)
    else:
        word.key = hash_end(hash_block(HASH_SEED, s.low), s.high & first_bytes(n - 8), n)
    return True


cdef inline void fill_word(Token* token, uint32_t start, const PlainWord* word,
                           uint8_t flags) noexcept nogil:
    token.key = word.key
    token.upper_mask = word.upper_mask
    token.start = start
    token.end = start + word.n
    token.tag = <uint8_t>(TAG_AL if word.upper_mask == 0 else TAG_IU if word.upper_mask == 1
                          else TAG_AU if word.all_upper else TAG_MX)
    token.word_class = CLASS_ALPHABETIC
    token.flags = flags | TOKEN_ASCII | TOKEN_LETTERS
    token.n_code_points = <uint8_t>word.n


cdef inline void fill_uncased(Token* token, uint32_t start, uint32_t n, uint64_t block,
                              uint8_t word_class, uint8_t flags) noexcept nogil:
    """A token of n <= 8 ASCII bytes without letters, which are in `block`."""
    token.key = hash_end(HASH_SEED, block, n)
    token.upper_mask = 0
    token.start = start
    token.end = start + n
    token.tag = TAG_AN
    token.word_class = word_class
    token.flags = flags | TOKEN_ASCII
    token.n_code_points = <uint8_t>n


cdef inline void fill_mark(Token* token, uint32_t start, uint8_t c, uint8_t flags) noexcept nogil:
    """One ASCII mark that stands for itself."""
    # The two class bits and the two flags have the same order.
    fill_uncased(token, start, 1, c, CLASS_OTHER,
                 flags | (ascii_bits[c] & (CHAR_ENDS_SENTENCE | CHAR_CLOSES)) >> 2)


cdef inline void fill_number(Token* token, const uint8_t* text, uint32_t start, uint32_t end,
                             uint8_t flags) noexcept nogil:
    """Up to eight ASCII digits."""
    fill_uncased(token, start, end - start, load8(text + start) & first_bytes(end - start),
                 CLASS_QUANTITY, flags)


cdef inline uint32_t fill_letters(Token* token, const uint8_t* text, uint32_t start,
                                  uint32_t end, uint8_t flags, bint turkic) noexcept nogil:
    """Set the token of the letters of one or two bytes from `start`; its end, or 0."""
    cdef uint32_t p = start, cp, length
    cdef const CaseRecord* record
    cdef FoldedForm form
    cdef bint ascii = True
    clear_form(&form)
    while p < end:
        cp = text[p]
        length = 1
        if cp >= 0x80:
            if cp < 0xc2 or cp > 0xdf or end - p < 2 or (text[p + 1] & 0xc0) != 0x80:
                break
            cp = ((cp & 0x1f) << 6) | (text[p + 1] & 0x3f)
            length = 2
            ascii = False
        record = case_of(cp)
        if not record.bits & CHAR_LETTER:
            break
        p += length
        add_to_form(&form, cp, record, turkic)
    if p == start:
        return 0
    set_form(token, &form)
    token.start = start
    token.end = p
    token.word_class = CLASS_ALPHABETIC
    token.flags = flags | TOKEN_LETTERS | (TOKEN_ASCII if ascii else 0)
    return p
