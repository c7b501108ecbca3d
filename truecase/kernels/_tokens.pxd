"""Tokens: span, key, case and word class; where words end; which tokens are one word."""

from libc.stdint cimport int32_t, int64_t, uint16_t, uint32_t, uint64_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memchr, memcmp, memset

from truecase.base._memory cimport STATUS_OK, reserve_counted
from truecase.kernels._structs cimport (
    CLASS_ACRONYM, CLASS_ALPHABETIC, CLASS_HYPHENATED, CLASS_OTHER, CLASS_QUANTITY, TOKEN_ASCII,
    TOKEN_CLOSES, TOKEN_ENDS_SENTENCE, TOKEN_LETTERS, TOKEN_SHARP_S, TOKEN_VARIANT, Token,
    TokenArray, WordIndex
)
from truecase.kernels._unicode cimport (
    CHAR_CASED, CHAR_CLOSES, CHAR_DIGIT, CHAR_ENDS_SENTENCE, CHAR_LETTER, CHAR_MARK, CHAR_SPACE,
    CHAR_WORD, HASH_LENGTH, HASH_SEED, HIGH_BITS, MAX_CODE_POINT, TAG_AL, TAG_AN, TAG_AU, TAG_IU,
    TAG_MX, CaseRecord, CaseShape, Hasher, add_raised, ascii_bits, ascii_letters, ascii_space,
    case_of, class_of, clear_shape, decode, each_byte, encode, feed_hash, finish_hash, first_bytes,
    gather, has_case, hash_block, hash_end, is_digit, is_letter, load8, scramble, shape_tag,
    start_hash, to_lower, upper_letters
)


cdef enum Segmentation:
    SEGMENT_SPACE, SEGMENT_RAW


cdef inline void free_tokens(TokenArray* array) noexcept nogil:
    free(array.tokens)
    memset(array, 0, sizeof(TokenArray))


cdef inline int reserve_tokens(TokenArray* array, int32_t extra) noexcept nogil:
    """Room for `extra` more tokens; a Status."""
    return reserve_counted(<void**>&array.tokens, &array.capacity, <int64_t>array.n + extra,
                           sizeof(Token))


cdef inline uint64_t form_hash(uint64_t key, int tag, uint64_t upper_mask) noexcept nogil:
    """Identity of a surface form. AL and AN have the same; the mask counts for MX only."""
    if tag == TAG_AL or tag == TAG_AN:
        return key
    if tag == TAG_MX:
        key ^= scramble(upper_mask)
    return scramble(key + <uint64_t>tag * HASH_LENGTH)


# Spellings of apostrophes and hyphens.

cdef inline uint32_t apostrophe_length(const uint8_t* text, uint32_t p,
                                       uint32_t end) noexcept nogil:
    """Bytes of the apostrophe at p: ' or ’ or &apos;; 0 without one."""
    if p >= end:
        return 0
    if text[p] == 0x27:
        return 1
    if text[p] == 0xe2:
        return 3 if end - p >= 3 and text[p + 1] == 0x80 and text[p + 2] == 0x99 else 0
    return 6 if text[p] == c'&' and end - p >= 6 and memcmp(text + p, b"&apos;", 6) == 0 else 0


cdef inline bint is_hyphen(uint32_t cp) noexcept nogil:
    return cp == 0x2d or cp == 0x2010 or cp == 0x2011


cdef inline uint32_t hyphen_length(const uint8_t* text, uint32_t p, uint32_t end) noexcept nogil:
    """Bytes of the hyphen at p: - or ‐ or ‑; 0 without one."""
    if p >= end:
        return 0
    if text[p] == 0x2d:
        return 1
    if (text[p] == 0xe2 and end - p >= 3 and text[p + 1] == 0x80
            and (text[p + 2] == 0x90 or text[p + 2] == 0x91)):
        return 3
    return 0


cdef inline uint32_t canonical_code_point(const uint8_t* text, uint32_t p, uint32_t end,
                                          uint8_t flags, uint32_t* length) noexcept nogil:
    """Next code point of a token's canonical form, and its bytes in the text."""
    cdef uint32_t n
    if flags & TOKEN_VARIANT and (text[p] == 0x26 or text[p] == 0xe2):
        n = apostrophe_length(text, p, end)
        if n:
            length[0] = n
            return 0x27
        n = hyphen_length(text, p, end)
        if n:
            length[0] = n
            return 0x2d
    return decode(text + p, text + end, length)


cdef struct ClassState:          # properties that give the word class, built up by code points
    uint32_t n
    uint32_t run                 # letters, marks and digits since the last other
    uint32_t n_letters           # since the last hyphen
    uint32_t n_hyphens
    bint starts_with_digit
    bint ends_with_digit
    bint alphabetic              # nothing but letters, marks, apostrophes and good hyphens
    bint single                  # a single letter was followed by a period
    bint address                 # has / @ or :


cdef inline void clear_class(ClassState* state) noexcept nogil:
    memset(state, 0, sizeof(ClassState))
    state.alphabetic = True


cdef inline void add_to_class(ClassState* state, uint32_t cp, uint8_t bits) noexcept nogil:
    state.ends_with_digit = (bits & CHAR_DIGIT) != 0
    if state.n == 0:
        state.starts_with_digit = state.ends_with_digit
    state.n += 1
    if bits & CHAR_MARK:
        return
    if bits & CHAR_LETTER:
        state.run += 1
        state.n_letters += 1
        return
    if bits & CHAR_DIGIT:
        state.run += 2
        state.alphabetic = False
        return
    if cp == 0x2e and state.run == 1:
        state.single = True
    if cp == 0x2f or cp == 0x40 or cp == 0x3a:
        state.address = True
    if is_hyphen(cp):
        state.n_hyphens += 1
        if state.n_letters == 0:
            state.alphabetic = False
        state.n_letters = 0
    elif cp != 0x27 and cp != 0x2019:
        state.alphabetic = False
    state.run = 0


cdef inline uint8_t class_from(const ClassState* state) noexcept nogil:
    if state.starts_with_digit or state.ends_with_digit:
        return CLASS_QUANTITY
    if state.single and not state.address:
        return CLASS_ACRONYM
    if not state.alphabetic or state.n_letters == 0:
        return CLASS_OTHER
    return CLASS_HYPHENATED if state.n_hyphens else CLASS_ALPHABETIC


cdef inline void fill_ascii(const uint8_t* text, Token* token) noexcept nogil:
    """Key, mask, tag and class of an ASCII token. Reads up to 7 bytes past its end."""
    cdef uint32_t n = token.end - token.start, left = n, at = 0, n_letters = 0, n_upper = 0, i
    cdef uint64_t state = HASH_SEED, block, letters, uppers, mask = 0
    cdef bint first_is_upper = False
    cdef ClassState word
    cdef const uint8_t* p = text + token.start
    while True:
        block = load8(p)
        if left <= 8:
            block &= first_bytes(left)
        letters = ascii_letters(block)
        uppers = upper_letters(block, letters)
        if n_letters == 0:
            first_is_upper = (letters & (~letters + 1) & uppers) != 0
        if uppers:
            if at < 64:
                mask |= gather(uppers) << at
            else:
                mask |= <uint64_t>1 << 63
        n_letters += <uint32_t>(((letters >> 7) * each_byte(1)) >> 56)
        n_upper += <uint32_t>(((uppers >> 7) * each_byte(1)) >> 56)
        block |= uppers >> 2
        if left <= 8:
            break
        state = hash_block(state, block)
        p += 8
        left -= 8
        at += 8
    token.key = hash_end(state, block, n)
    token.upper_mask = mask
    token.n_code_points = <uint8_t>(n if n < 255 else 255)
    if n_letters == 0:
        token.tag = TAG_AN
    elif n_upper == 0:
        token.tag = TAG_AL
    elif n_upper == 1 and first_is_upper:
        token.tag = TAG_IU
    elif n_upper == n_letters:
        token.tag = TAG_AU
    else:
        token.tag = TAG_MX
    if n_letters == n:
        token.word_class = CLASS_ALPHABETIC
        token.flags |= TOKEN_LETTERS
    else:
        clear_class(&word)
        p = text + token.start
        for i in range(n):
            add_to_class(&word, p[i], ascii_bits[p[i]])
        token.word_class = class_from(&word)


cdef struct FoldedForm:          # key and case of a word, built up by code points
    Hasher hasher
    CaseShape shape
    bint has_sharp_s


cdef inline void clear_form(FoldedForm* form) noexcept nogil:
    start_hash(&form.hasher)
    clear_shape(&form.shape)
    form.has_sharp_s = False


cdef inline void add_to_form(FoldedForm* form, uint32_t cp, const CaseRecord* record,
                             bint turkic) noexcept nogil:
    cdef uint32_t low = cp + record.lower, length
    cdef uint64_t bytes
    cdef uint8_t encoded[4]
    if record.bits & CHAR_CASED or (turkic and has_case(cp, turkic)):
        if turkic:
            low = to_lower(cp, turkic)
        if low != cp:
            add_raised(&form.shape, cp, turkic)
        form.shape.n_cased += 1
    elif low != cp:
        form.has_sharp_s = True
    form.shape.n += 1
    if low < 0x80:
        feed_hash(&form.hasher, low, 1)
    elif low < 0x800:
        if low == 0x3c2:                                   # ς is σ in keys
            low = 0x3c3
        feed_hash(&form.hasher, 0x80c0 | (low >> 6) | ((low & 0x3f) << 8), 2)
    else:
        if cp > MAX_CODE_POINT:
            form.shape.is_broken = True
        length = encode(low, encoded)
        bytes = encoded[0]
        if length > 1:
            bytes |= <uint64_t>encoded[1] << 8 | <uint64_t>encoded[2] << 16
        if length > 3:
            bytes |= <uint64_t>encoded[3] << 24
        feed_hash(&form.hasher, bytes, length)


cdef inline void set_form(Token* token, const FoldedForm* form) noexcept nogil:
    token.key = finish_hash(&form.hasher)
    token.upper_mask = form.shape.upper_mask
    token.tag = shape_tag(&form.shape)
    token.n_code_points = <uint8_t>(form.shape.n if form.shape.n < 255 else 255)


cdef inline void fill_any(const uint8_t* text, Token* token, bint turkic) noexcept nogil:
    """`fill_ascii` for any token."""
    cdef uint32_t p = token.start, cp, length
    cdef const CaseRecord* record
    cdef FoldedForm form
    cdef ClassState word
    clear_form(&form)
    clear_class(&word)
    while p < token.end:
        cp = canonical_code_point(text, p, token.end, token.flags, &length)
        p += length
        record = case_of(cp)
        add_to_class(&word, cp, record.bits)
        add_to_form(&form, cp, record, turkic)
    set_form(token, &form)
    if form.has_sharp_s:
        token.flags |= TOKEN_SHARP_S
    token.word_class = class_from(&word)


cdef inline void fill_token(const uint8_t* text, Token* token, bint turkic) noexcept nogil:
    """Set key, mask, tag, class, and the flags that depend on the span."""
    cdef uint32_t p = token.start
    cdef uint32_t n = token.end - token.start, length
    cdef uint64_t high = 0
    cdef uint8_t bits
    while n > 8:
        high |= load8(text + p)
        p += 8
        n -= 8
    high |= load8(text + p) & first_bytes(n)
    if high & HIGH_BITS == 0:
        token.flags |= TOKEN_ASCII
    # Turkish folds I to ı.
    if token.flags & TOKEN_ASCII and not token.flags & TOKEN_VARIANT and not (
            turkic and memchr(text + token.start, 0x49, token.end - token.start) != NULL):
        fill_ascii(text, token)
    else:
        fill_any(text, token, turkic)
    if token.n_code_points == 1:
        bits = class_of(decode(text + token.start, text + token.end, &length))
        if bits & CHAR_ENDS_SENTENCE:
            token.flags |= TOKEN_ENDS_SENTENCE
        if bits & CHAR_CLOSES:
            token.flags |= TOKEN_CLOSES


cdef inline Token token_of(const uint8_t* text, uint32_t start, uint32_t end, uint16_t flags,
                           bint turkic) noexcept nogil:
    """The token of a span by itself."""
    cdef Token token
    memset(&token, 0, sizeof(Token))
    token.start = start
    token.end = end
    token.flags = flags
    fill_token(text, &token, turkic)
    return token


cdef inline int add_token(TokenArray* array, const uint8_t* text, uint32_t start, uint32_t end,
                          uint8_t flags, bint turkic) noexcept nogil:
    """Append the token of a non-empty span; a Status."""
    cdef Token* token
    cdef int status = reserve_tokens(array, 1)
    if status != STATUS_OK:
        return status
    token = array.tokens + array.n
    array.n += 1
    token.start = start
    token.end = end
    token.flags = flags
    fill_token(text, token, turkic)
    return STATUS_OK


# Where a word of natural text ends. Functions work in a chunk, which ends at `end`.

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
    """Whether n ASCII letters at p are a word of a list, in any case."""
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
    return p < end and is_digit(text[p])


cdef inline bint ascii_letter(const uint8_t* text, uint32_t p, uint32_t end) noexcept nogil:
    return p < end and is_letter(text[p])


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
    """Number of ASCII letters at p, if at most 8 and the word ends there; else 0."""
    cdef uint32_t n = 0
    while n <= 8 and ascii_letter(text, p + n, end):
        n += 1
    return 0 if n > 8 or word_at(text, p + n, end) else n


cdef inline bint closes_line(const uint8_t* text, uint32_t p, uint32_t end,
                             uint32_t line_end) noexcept nogil:
    """Whether the line goes on with closing marks and white space only."""
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
    """End and number of the letters from p, at most `most`, with their combining marks."""
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
    """End of the acronym or initial at p (U.S., e.g., M.Sc., J.); 0 without one.

    A single letter is a word before an ellipsis, or a period that closes the line ("vitamin C.").
    """
    cdef uint32_t q, after, n, n_labels = 1
    q = letters_from(text, p, end, 2, &n)
    if n == 2:
        if q == p + 2 and in_list(b" ph ", text + p, 2) and q + 1 < end and text[q] == c'.' and (
                text[q + 1] | 0x20 == c'd' and not word_at(text, q + 2, end)):
            return q + 3 if q + 2 < end and text[q + 2] == 0x2e else q + 2
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
    if n_labels == 1 and ((q < end and text[q] == 0x2e) or closes_line(text, q, end, line_end)):
        return 0
    return q


cdef inline bint entity_at(const uint8_t* text, uint32_t p, uint32_t end) noexcept nogil:
    """Whether the ampersand at p begins an entity: &amp;"""
    cdef uint32_t n = 1
    while n < 10 and ascii_letter(text, p + n, end):
        n += 1
    return n > 1 and p + n < end and text[p + n] == 0x3b


cdef inline uint32_t inner_sign(const uint8_t* text, uint32_t q, uint32_t end) noexcept nogil:
    """Length of the sign at q that joins what is on its sides: 3.5, C++, AT&T; 0 if none does."""
    cdef uint8_t c = text[q]
    if c in (0x2e, 0x2c, 0x3a, 0x2f):                             # . , : / between digits
        return ascii_digit(text, q - 1, end) and ascii_digit(text, q + 1, end)
    if c == 0x2b:
        return 2 if ascii_letter(text, q - 1, end) and q + 1 < end and text[q + 1] == 0x2b else 0
    return c == 0x26 and ascii_letter(text, q - 1, end) and ascii_letter(
        text, q + 1, end) and not entity_at(text, q, end)


cdef inline bint letter_at(const uint8_t* text, uint32_t p, uint32_t end) noexcept nogil:
    cdef uint32_t length
    return (bits_at(text, p, end, &length) & CHAR_LETTER) != 0


cdef inline uint32_t split_at_apostrophe(const uint8_t* text, uint32_t start, uint32_t q,
                                         uint32_t length, uint32_t end) noexcept nogil:
    """End of a word with an apostrophe at q: do|n't, company|'s, l'|homme; 0 if it goes on."""
    cdef uint32_t n = ascii_word(text, q + length, end)
    if n == 1 and (text[q + length] | 0x20) == 0x74 and q > start and (text[q - 1] | 0x20) == 0x6e:
        return q - 1 if q - 1 > start else q + length + 1
    if in_list(CLITICS, text + q + length, n):
        return q
    if q - start <= 8 and in_list(ELISIONS, text + start, q - start) and not (
            apostrophe_length(text, q + length, end)):
        return q + length
    # A letter may be before it, not an ASCII digit, sign or underscore.
    if (text[q - 1] >= 0x80 or ascii_bits[text[q - 1]] & CHAR_LETTER) and (
            letter_at(text, q + length, end)):
        return 0
    return q


cdef inline uint32_t word_end(const uint8_t* text, uint32_t start, uint32_t q, uint32_t end,
                              uint32_t line_end, bint turkic, uint8_t* flags) noexcept nogil:
    """End of the word from `start`, which is at least q; may add ``TOKEN_VARIANT`` to `flags`."""
    cdef uint32_t after, length
    cdef bint part_starts = q == start
    while True:
        after = acronym_end(text, q, end, line_end) if part_starts else 0
        part_starts = False
        if after == 0:
            q = word_run(text, q, end)
        elif text[after - 1] == 0x2e and not hyphen_length(text, after, end):
            return after
        else:
            q = after
        if q >= end:
            return q
        length = hyphen_length(text, q, end)
        if length:
            if not word_at(text, q + length, end):
                return q
            if length > 1:
                flags[0] |= TOKEN_VARIANT
            q += length
            part_starts = True
            continue
        length = inner_sign(text, q, end)
        if length:
            q += length
            continue
        length = apostrophe_length(text, q, end)
        if length == 0:
            if text[q] == 0x23 and q == start + 1 and ascii_letter(text, start, end) and not (
                    word_at(text, q + 1, end)):                   # C#
                q += 1
            return q
        # In Turkish and Azeri the suffix splits: Ankara'da.
        after = q if turkic else split_at_apostrophe(text, start, q, length, end)
        if length > 1 and (after == 0 or after > q):
            flags[0] |= TOKEN_VARIANT
        if after:
            return after
        q += length


cdef inline uint32_t leading_apostrophe_end(const uint8_t* text, uint32_t p, uint32_t end,
                                            uint32_t line_end, bint glued, bint turkic,
                                            uint8_t* flags) noexcept nogil:
    """End of a word that begins with an apostrophe at p ('s, 'tis, 'n'), or 0.

    `glued`: it follows a word without white space.
    """
    cdef uint32_t length = apostrophe_length(text, p, end), q = p + length, n
    if length == 0 or (text[p] == 0x27 and p + 1 < end and text[p + 1] == 0x27):
        return 0
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


# The tokens of each word of an alignment.
#
# A *word* of an alignment is a run of bytes other than ASCII white space (tab, LF, VT, FF, CR,
# space). Tokens may be parts of words; where a segmentation splits at other white space, or not at
# ASCII white space, they may also cross words. So words are counted in the bytes, and a token
# belongs to the word in which it starts; a word may have no token.


cdef inline int reserve_index(WordIndex* index, int32_t n_words) noexcept nogil:
    """Room for `n_words` words and their end; a Status."""
    return reserve_counted(<void**>&index.first_token, &index.capacity, <int64_t>n_words + 1,
                           sizeof(int32_t))


cdef inline void free_index(WordIndex* index) noexcept nogil:
    free(index.first_token)
    memset(index, 0, sizeof(WordIndex))


cdef inline int add_words(WordIndex* index, const uint8_t* text, uint32_t begin, uint32_t end,
                          int32_t token, bint* inside) noexcept nogil:
    """Append the words that start in text[begin:end]; a Status.

    `token` is the first token they can have; with `inside`, a word is going on at `begin`.
    """
    cdef uint32_t p
    cdef int status
    for p in range(begin, end):
        if ascii_space(text[p]):
            inside[0] = False
        elif not inside[0]:
            inside[0] = True
            status = reserve_index(index, index.n_words + 1)
            if status != STATUS_OK:
                return status
            index.first_token[index.n_words] = token
            index.n_words += 1
    return STATUS_OK


cdef inline int index_words(const uint8_t* text, uint32_t begin, uint32_t end, int segmentation,
                            const TokenArray* tokens, WordIndex* index) noexcept nogil:
    """Index the words of the line text[begin:end], whose tokens are `tokens`; a Status."""
    cdef uint32_t p = begin
    cdef int32_t i
    cdef bint inside = False
    # Only tokens of the segmentation `space` may contain white space: VT and FF.
    cdef bint torn = segmentation == SEGMENT_SPACE and end > begin and (
        memchr(text + begin, 0x0b, end - begin) != NULL
        or memchr(text + begin, 0x0c, end - begin) != NULL)
    cdef const Token* token
    cdef int status = reserve_index(index, tokens.n + 1)
    index.n_words = 0
    for i in range(tokens.n):
        if status != STATUS_OK:
            return status
        token = tokens.tokens + i
        status = add_words(index, text, p, token.start + 1, i, &inside)
        p = token.start + 1
        if torn and status == STATUS_OK:
            status = add_words(index, text, p, token.end, i + 1, &inside)
        p = token.end
    status = (status or add_words(index, text, p, end, tokens.n, &inside)
              or reserve_index(index, index.n_words))
    if status == STATUS_OK:
        index.first_token[index.n_words] = tokens.n
    return status


cdef inline int32_t word_of_token(const WordIndex* index, int32_t token) noexcept nogil:
    """The word of a token, or -1."""
    cdef int32_t low = 0, high = index.n_words, middle
    # Invariant: words before `low` end before the token, those from `high` on begin behind it.
    while low < high:
        middle = (low + high) // 2
        if index.first_token[middle + 1] <= token:
            low = middle + 1
        elif index.first_token[middle] > token:
            high = middle
        else:
            return middle
    return -1
