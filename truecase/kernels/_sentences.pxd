"""Where sentences end within a line, and where their capital stands.

Decoding, learning and counting all use these rules.
"""

from libc.stdint cimport int32_t, uint32_t, uint64_t, uint8_t

from truecase.kernels._structs cimport (
    CLASS_OTHER, CLASS_QUANTITY, TOKEN_CLOSES, TOKEN_CUT_AFTER, TOKEN_ENDS_SENTENCE, TOKEN_MARKUP,
    TOKEN_SPACE_BEFORE, KnownWords, Token, TokenArray
)
from truecase.kernels._tokens cimport in_list
from truecase.kernels._unicode cimport HASH_SEED, TAG_AN, hash_end, is_letter


cdef inline bint is_mark(const Token* token, uint8_t byte) noexcept nogil:
    """Whether a token is one ASCII mark."""
    return token.key == hash_end(HASH_SEED, byte, 1)


cdef inline bint is_closing_guillemet(const Token* token) noexcept nogil:
    return token.key == hash_end(HASH_SEED, 0xbbc2, 2)


cdef inline bint is_quote(const Token* token) noexcept nogil:
    return is_mark(token, 0x22) or is_mark(token, 0x27) or is_closing_guillemet(token)


cdef struct EndScan:             # state of the search, from token `first` to `seen`
    int32_t seen
    int32_t mark                 # last token that is no closing mark, at least `first`
    bint quote_after_mark
    int32_t n_counted            # quotes before this token are counted
    bint quote_is_open
    int32_t word                 # tokens before this one have no case


cdef inline void scan_back(EndScan* scan, const Token* token, int32_t last) noexcept nogil:
    """Advance the scan to token `last`; each token is read once."""
    cdef int32_t i = last
    cdef bint quote = False
    while i > scan.seen and token[i].flags & (TOKEN_CLOSES | TOKEN_MARKUP):
        quote = quote or is_quote(token + i)
        i -= 1
    if i > scan.seen:
        scan.mark = i
        scan.quote_after_mark = quote
    else:
        scan.quote_after_mark = scan.quote_after_mark or quote
    scan.seen = last


cdef inline bint is_quoted(EndScan* scan, const Token* token, int32_t after) noexcept nogil:
    """Whether a quoted question or exclamation ends at the mark: ``"Why?" he asked``.

    `after` is the token behind the closing marks, or an undirected quote.
    """
    if not (is_mark(token + scan.mark, 0x3f) or is_mark(token + scan.mark, 0x21)):
        return False
    if scan.quote_after_mark or is_closing_guillemet(token + after):
        return True
    if not (token[after].flags & TOKEN_CLOSES and is_mark(token + after, 0x22)):
        return False
    # Between spaces, opening and closing quotes look the same.
    while scan.n_counted < scan.mark:
        if is_mark(token + scan.n_counted, 0x22):
            scan.quote_is_open = not scan.quote_is_open
        scan.n_counted += 1
    return scan.quote_is_open


cdef inline bint is_in_brackets(const EndScan* scan, const Token* token,
                                int32_t first) noexcept nogil:
    """Whether a question or exclamation in brackets ends in a sentence: ``he (why?) left``."""
    cdef int32_t i = scan.mark - 1
    if not (is_mark(token + scan.mark, 0x3f) or is_mark(token + scan.mark, 0x21)) or (
            not is_mark(token + scan.mark + 1, 0x29)):
        return False
    while i > first and not (is_mark(token + i, 0x28) or is_mark(token + i, 0x29)):
        i -= 1
    return i > first and is_mark(token + i, 0x28) and token[i - 1].tag != TAG_AN


cdef inline bint stands_alone(EndScan* scan, const KnownWords* words, const Token* token,
                              int32_t after) noexcept nogil:
    """Whether the abbreviation before the mark is a sentence by itself: ``Yes.``, not ``Mr. X``.

    `after` is the first token behind the mark.
    """
    cdef bint is_only
    while scan.word < scan.mark - 1 and token[scan.word].tag == TAG_AN:
        scan.word += 1
    is_only = scan.word >= scan.mark - 1
    # ``He said "no." She left.``
    if not is_only and not (scan.quote_after_mark and is_quote(token + scan.mark - 2)):
        return False
    # Periods are no words, ``. . . or``; a number belongs to its word, ``No. 5``.
    if token[scan.mark - 1].tag == TAG_AN or (
            token[after].flags & (TOKEN_ENDS_SENTENCE | TOKEN_CLOSES)) or (
            token[after].word_class == CLASS_QUANTITY):
        return False
    # The line is a quotation of one word, or the word may stand alone.
    return (is_only and scan.mark + 1 < after) or not words.is_never_alone(
        words.words, token + scan.mark - 1)


cdef inline int32_t sentence_end(const KnownWords* words, const TokenArray* tokens,
                                 int32_t first) noexcept nogil:
    """End of the sentence that token `first` begins: 1 + its last token."""
    cdef const Token* token = tokens.tokens
    cdef EndScan scan
    cdef int32_t i
    scan.seen = scan.mark = scan.n_counted = scan.word = first
    scan.quote_after_mark = scan.quote_is_open = False
    for i in range(first + 1, tokens.n):
        # The rarest condition first.
        if not token[i - 1].flags & (TOKEN_ENDS_SENTENCE | TOKEN_CLOSES | TOKEN_MARKUP
                                     | TOKEN_CUT_AFTER):
            continue
        if not token[i].flags & TOKEN_SPACE_BEFORE:
            continue
        if token[i - 1].flags & TOKEN_CUT_AFTER:
            return i
        scan_back(&scan, token, i - 1)
        if is_quoted(&scan, token, i) or is_in_brackets(&scan, token, first):
            continue
        if (scan.mark > first and token[scan.mark].flags & TOKEN_ENDS_SENTENCE
                and not (not is_mark(token + scan.mark, 0x3f)        # Yahoo!
                         and words.is_abbreviation(words.words, token + scan.mark - 1)
                         and not stands_alone(&scan, words, token, i)
                         and not (words.begins != NULL
                                  and words.begins(words.words, token + i)))):
            return i
    return tokens.n


cdef inline int32_t label_end(const Token* tokens, int32_t first, int32_t last) noexcept nogil:
    """End of a label: ``1)``, ``a)``, ``(12)``, ``[00:12]``; `first` without one."""
    cdef int32_t i = first
    if i + 3 < last and is_mark(tokens + i, 0x5b) and is_mark(tokens + i + 2, 0x5d):
        return i + 3 if tokens[i + 1].word_class == CLASS_QUANTITY and (
            tokens[i + 3].flags & TOKEN_SPACE_BEFORE) else first
    if i < last and is_mark(tokens + i, 0x28):
        i += 1
    # Longer numbers are years and quantities more often than labels.
    if (i + 1 < last and is_mark(tokens + i + 1, 0x29)
            and not tokens[i + 1].flags & TOKEN_SPACE_BEFORE
            and tokens[i].end - tokens[i].start <= (
                2 if tokens[i].word_class == CLASS_QUANTITY
                else 1 if tokens[i].tag != TAG_AN else 0)):
        return i + 2
    return first


cdef inline int32_t first_word(const Token* tokens, int32_t first, int32_t last) noexcept nogil:
    """The word of a sentence that has its capital: the first, if it has letters; else -1."""
    cdef int32_t i
    for i in range(label_end(tokens, first, last), last):
        if tokens[i].flags & TOKEN_MARKUP:
            continue
        if tokens[i].tag != TAG_AN:
            return i if tokens[i].word_class != CLASS_OTHER else -1
        # Numbers, and words without case.
        if tokens[i].word_class != CLASS_OTHER:
            break
    return -1


# Capitals: which letters of a word are raised, and which word of a sentence has the capital.
#
# In most languages it is the first letter of the first word. Dutch writes the digraph ij as one
# letter, ``IJsland``, and passes over short forms, ``'s Avonds``. Irish puts small letters before
# the raised one, ``i mBaile Átha Cliath``; only prefixes that begin no other word are recognised.

cdef enum CapitalRule:           # truecase.kernels.text.CAPITAL_RULES
    CAPITAL_FIRST, CAPITAL_DUTCH, CAPITAL_IRISH


cdef extern from *:
    """
    /* The letters of s, t, k, n, m, r. */
    #define TRUECASE_SHORT_FORMS UINT64_C(0x726d6e6b7473)
    """
    const uint64_t SHORT_FORMS "TRUECASE_SHORT_FORMS"


cdef inline bint is_letter_byte(uint8_t byte) noexcept nogil:
    """Whether the byte may begin a letter: an ASCII letter, or any byte beyond ASCII."""
    return byte >= 0x80 or is_letter(byte)


cdef inline uint32_t irish_prefix(const uint8_t* word, uint32_t n) noexcept nogil:
    """Letters of the eclipsis, or t before s, at the beginning of a word; 0 without one."""
    if n < 3:
        return 0
    if in_list(b" bhf ", word, 3):
        return 2 if n > 3 and is_letter_byte(word[3]) else 0
    return is_letter_byte(word[2]) and in_list(b" mb gc nd ng bp dt ts ", word, 2)


cdef inline uint64_t capital_mask(const uint8_t* word, uint32_t n, int rule) noexcept nogil:
    """Mask of the letters that a capital raises in a word of n bytes; 0: the first only."""
    if rule == CAPITAL_DUTCH:
        # The word ij itself is in upper case then.
        return 3 if n > 2 and word[0] | 0x20 == 0x69 and word[1] | 0x20 == 0x6a else 0
    if rule == CAPITAL_IRISH:
        n = irish_prefix(word, n)
        return <uint64_t>1 << n if n else 0
    return 0


cdef inline bint is_key_of(const Token* token, uint64_t bytes, uint64_t n) noexcept nogil:
    """Whether a token's key is that of these n ASCII bytes, the first one lowest."""
    return token.key == hash_end(HASH_SEED, bytes, n)


cdef inline bint is_dutch_short_form(const Token* tokens, int32_t i) noexcept nogil:
    """Whether token `i` is one of 's, 't, 'k, 'n, 'm and 'r."""
    cdef const Token* token = tokens + i
    cdef bint cut = (i > 0 and not token.flags & TOKEN_SPACE_BEFORE
                     and is_key_of(token - 1, 0x27, 1))
    cdef uint64_t letter
    cdef int k
    for k in range(6):
        letter = SHORT_FORMS >> 8 * k & 0xff
        if is_key_of(token, letter << 8 | 0x27, 2) or (cut and is_key_of(token, letter, 1)):
            return True
    return False


cdef inline int32_t word_with_capital(const Token* tokens, int32_t word, int32_t last,
                                      int rule) noexcept nogil:
    """The word that has the sentence's capital: `word`, the first one, or the next."""
    if (rule == CAPITAL_DUTCH and word >= 0 and word + 1 < last
            and tokens[word + 1].flags & TOKEN_SPACE_BEFORE and tokens[word + 1].tag != TAG_AN
            and tokens[word + 1].word_class != CLASS_OTHER and is_dutch_short_form(tokens, word)):
        return word + 1
    return word
