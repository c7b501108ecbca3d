"""Tokens: their span, the hash of their folded form, their case, their word class."""

from libc.stdint cimport INT32_MAX, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free

from truecase.runtime._memory cimport grow
from truecase.runtime._status cimport STATUS_OK, STATUS_OUT_OF_MEMORY, STATUS_TOO_LONG
from truecase.text._casing cimport (
    CHAR_CASED,
    CHAR_CLOSES,
    CHAR_DIGIT,
    CHAR_ENDS_SENTENCE,
    CHAR_LETTER,
    CHAR_MARK,
    MAX_CODE_POINT,
    TAG_AL,
    TAG_AN,
    TAG_AU,
    TAG_IU,
    TAG_MX,
    CaseRecord,
    CaseShape,
    add_raised,
    ascii_bits,
    case_of,
    class_of,
    clear_shape,
    has_case,
    shape_tag,
    to_lower,
)
from truecase.text._hash cimport (
    HASH_LENGTH,
    HASH_SEED,
    HIGH_BITS,
    Hasher,
    ascii_letters,
    each_byte,
    feed_hash,
    finish_hash,
    first_bytes,
    gather,
    hash_block,
    hash_end,
    load8,
    scramble,
    start_hash,
    upper_letters,
)
from truecase.text._utf8 cimport decode, encode


cdef enum Segmentation:
    SEGMENT_SPACE = 0
    SEGMENT_RAW = 1


cdef enum WordClass:             # Agbago, Kuhn & Foster (2005), 3.4, in this precedence
    CLASS_QUANTITY = 0           # starts or ends with a digit
    CLASS_ACRONYM = 1            # has a single letter followed by a period: u.s.-based
    CLASS_HYPHENATED = 2         # alphabetic parts joined by hyphens
    CLASS_ALPHABETIC = 3         # letters, marks and apostrophes
    CLASS_OTHER = 4


cdef enum TokenFlag:
    TOKEN_SPACE_BEFORE = 1       # white space right before it, or it starts the line
    TOKEN_ASCII = 2              # every byte < 0x80
    TOKEN_CANONICAL = 4          # stands for another mark, without case; rendered unchanged
    TOKEN_ENDS_SENTENCE = 8      # . ! ? … 。 and kin, as a token of its own
    TOKEN_CLOSES = 16            # closing quote or bracket, or undirected quote
    TOKEN_VARIANT = 32           # has a ’ or &apos; that stands for ', or a ‐ or ‑ for -
    # of spans that are no text, see _spans.pxd
    TOKEN_KEEPS = 64             # rendered as given
    TOKEN_LOWERS = 128           # rendered in lower case, or as a source or the lexicon has it
    TOKEN_MARKUP = 256           # a sentence may begin after it
    TOKEN_UNSURE = 512           # these two only within mark_spans
    TOKEN_ADDRESS = 1024
    TOKEN_CUT_AFTER = 2048       # a sentence ends with it, though its mark is gone
    TOKEN_SHARP_S = 4096         # has a ẞ, whose lower case no rendering raises again
    TOKEN_LETTERS = 8192         # nothing but letters; not all such tokens have it


cdef struct Token:
    uint64_t key                 # hash of the folded canonical form; invalid bytes as they are
    uint64_t upper_mask          # bit i < 63: code point i is upper or title; bit 63: a later one
    uint32_t start               # half-open byte span in the block
    uint32_t end
    uint8_t tag                  # Tag of the given case
    uint8_t word_class
    uint8_t n_code_points        # of the canonical form; saturates at 255
    uint16_t flags


cdef struct TokenArray:          # freed by its owner
    Token* tokens
    int32_t n
    int32_t capacity
    bint may_have_spans          # these two are set by segmentation for mark_spans
    uint32_t spans_from          # none begins before this byte


cdef inline void free_tokens(TokenArray* array) noexcept nogil:
    free(array.tokens)
    array.tokens = NULL
    array.n = 0
    array.capacity = 0


cdef inline int reserve_tokens(TokenArray* array, int32_t extra) noexcept nogil:
    """Room for `extra` more tokens; a Status."""
    cdef int64_t wanted
    if array.capacity - array.n >= extra:
        return STATUS_OK
    wanted = 2 * (<int64_t>array.capacity + extra) + 64
    if wanted > INT32_MAX:
        return STATUS_TOO_LONG
    if grow(<void**>&array.tokens, <size_t>wanted, sizeof(Token)) != STATUS_OK:
        return STATUS_OUT_OF_MEMORY
    array.capacity = <int32_t>wanted
    return STATUS_OK


cdef inline uint64_t form_hash(uint64_t key, int tag, uint64_t upper_mask) noexcept nogil:
    """Identity of a surface form. AL and AN are alike; the mask counts only for MX."""
    if tag == TAG_AL or tag == TAG_AN:
        return key
    if tag == TAG_MX:
        key ^= scramble(upper_mask)
    return scramble(key + <uint64_t>tag * HASH_LENGTH)


# Apostrophes and hyphens have several spellings.

cdef inline uint32_t apostrophe_length(const uint8_t* text, uint32_t p,
                                       uint32_t end) noexcept nogil:
    """Bytes of the apostrophe at p: ' or ’ or &apos;; 0 if there is none."""
    if p >= end:
        return 0
    if text[p] == 0x27:
        return 1
    if text[p] == 0xe2:
        return 3 if end - p >= 3 and text[p + 1] == 0x80 and text[p + 2] == 0x99 else 0
    if (text[p] == 0x26 and end - p >= 6 and text[p + 1] == 0x61 and text[p + 2] == 0x70
            and text[p + 3] == 0x6f and text[p + 4] == 0x73 and text[p + 5] == 0x3b):
        return 6
    return 0


cdef inline uint32_t hyphen_length(const uint8_t* text, uint32_t p, uint32_t end) noexcept nogil:
    """Bytes of the hyphen at p: - or ‐ or ‑; 0 if there is none."""
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
    """Next code point of a token and its bytes; in a variant, of its canonical form."""
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


cdef struct ClassState:          # what the word class depends on, gathered code point by code point
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
    state.n = 0
    state.run = 0
    state.n_letters = 0
    state.n_hyphens = 0
    state.starts_with_digit = False
    state.ends_with_digit = False
    state.alphabetic = True
    state.single = False
    state.address = False


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
    if cp == 0x2d or cp == 0x2010 or cp == 0x2011:
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


cdef inline void describe_ascii(const uint8_t* text, Token* token) noexcept nogil:
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


cdef struct FoldedForm:          # key and case of a word, gathered code point by code point
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


cdef inline void describe_any(const uint8_t* text, Token* token, bint turkic) noexcept nogil:
    """The same for any token, code point by code point."""
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


cdef inline void describe(const uint8_t* text, Token* token, bint turkic) noexcept nogil:
    """Fill in key, mask, tag, class and the flags that depend on the span alone."""
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
    if token.flags & TOKEN_ASCII and not token.flags & TOKEN_VARIANT and not (
            turkic and has_dotless_upper(text, token.start, token.end)):
        describe_ascii(text, token)
    else:
        describe_any(text, token, turkic)
    if token.n_code_points == 1:
        bits = class_of(decode(text + token.start, text + token.end, &length))
        if bits & CHAR_ENDS_SENTENCE:
            token.flags |= TOKEN_ENDS_SENTENCE
        if bits & CHAR_CLOSES:
            token.flags |= TOKEN_CLOSES


cdef inline bint has_dotless_upper(const uint8_t* text, uint32_t start,
                                   uint32_t end) noexcept nogil:
    """Whether an ASCII I is there, which Turkish folds to ı."""
    cdef uint32_t p
    for p in range(start, end):
        if text[p] == 0x49:
            return True
    return False


cdef inline int add_token(TokenArray* array, const uint8_t* text, uint32_t start, uint32_t end,
                          uint8_t flags, bint turkic) noexcept nogil:
    """Append the token of a span, not empty; a Status."""
    cdef Token* token
    cdef int status = reserve_tokens(array, 1)
    if status != STATUS_OK:
        return status
    token = array.tokens + array.n
    array.n += 1
    token.start = start
    token.end = end
    token.flags = flags
    describe(text, token, turkic)
    return STATUS_OK
