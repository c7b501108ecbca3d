"""Segmentation of one line of UTF-8 text, or of any bytes, into tokens.

``space``: tokens are what stands between spaces, tabs, carriage returns, line feeds and NULs,
as KenLM's lmplz splits.

``raw``: natural text, and tokenised text of Penn Treebank or Moses style to the same tokens.
White space of any kind ends a *chunk*; within one:

- an address is one token: URL, e-mail, path, domain or file name with a known suffix, and
  so are #hashtags and @mentions; sentence punctuation after it is not part of it;
- a word is a run of letters, marks, digits and underscores, of any script; inner hyphens
  join (also 20-year-old), as do . , : / between digits, & between letters (AT&T), and ++
  and # in C++, C#; a slash or a trailing hyphen splits;
- acronyms keep their periods (U.S., e.g., M.Sc., Ph.D.), so does an initial (J.) unless it
  closes the line; any other period splits off (Mr | .);
- apostrophes join (O'Brien) but for clitics and elisions: company|'s, do|n't, l'|homme,
  dell'|arte; in Turkish and Azeri the suffix splits: Ankara|'da; 's, 'tis, 'em, 'n' are words;
- ’ and Moses' &apos; count as ', ‐ and ‑ as -; see ``_marks.pxd`` for quotes and brackets;
- any other code point is a token with the marks that follow it; runs of periods, hyphens
  and the like are one. An invalid byte is a token by itself.

Every byte that is not white space belongs to exactly one token.
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

from truecase._status cimport STATUS_OK
from truecase.text._address cimport (
    HINT_AT,
    HINT_DOT,
    HINT_SLASH,
    address_end,
)
from truecase.text._casing cimport (
    CHAR_CLOSES,
    CHAR_ENDS_SENTENCE,
    CHAR_LETTER,
    CHAR_DIGIT,
    CHAR_MARK,
    CHAR_PUNCTUATION,
    CHAR_SPACE,
    CHAR_WORD,
    TAG_AL,
    TAG_AN,
    TAG_AU,
    TAG_IU,
    TAG_MX,
    ascii_bits,
)
from truecase.text._hash cimport (
    HASH_SEED,
    HIGH_BITS,
    ascii_letters,
    first_bytes,
    gather,
    hash_block,
    hash_bytes,
    hash_end,
    load8,
    trailing_zeros,
    upper_letters,
)
from truecase.text._marks cimport (
    Mark,
    bracket_name,
    canonical_surface,
    describe_mark,
    find_mark,
)
from truecase.text._render cimport (
    ROOM_INITIAL,
    ROOM_UPPER,
    case_room,
    hyphenated_parts,
    render_token,
    write_surface,
)
from truecase.text._token cimport (
    CLASS_ACRONYM,
    CLASS_ALPHABETIC,
    CLASS_HYPHENATED,
    CLASS_OTHER,
    CLASS_QUANTITY,
    TOKEN_ASCII,
    TOKEN_CANONICAL,
    TOKEN_CLOSES,
    TOKEN_ENDS_SENTENCE,
    TOKEN_SPACE_BEFORE,
    TOKEN_VARIANT,
    Token,
    TokenArray,
    add_token,
    apostrophe_length,
    form_hash,
    free_tokens,
    reserve_tokens,
)
from truecase.text._word cimport (
    ascii_digit,
    bits_at,
    leading_apostrophe_end,
    word_at,
    word_end,
    word_run,
)


cdef extern from *:
    """
    #define TRUECASE_AFTER_SPACE 1
    #define TRUECASE_AFTER_MARK 2
    #define TRUECASE_AFTER_APOSTROPHE 3
    /* What a byte right after a plain word may lead to without a look at its whole chunk. */
    static const uint8_t truecase_after_word[256] = {
        [9] = 1, [10] = 1, [11] = 1, [12] = 1, [13] = 1, [' '] = 1,
        ['!'] = 2, ['"'] = 2, [')'] = 2, [','] = 2, ['.'] = 2, [':'] = 2, [';'] = 2, ['?'] = 2,
        [']'] = 2, ['}'] = 2, ['\\''] = 3};
    """
    uint8_t AFTER_SPACE "TRUECASE_AFTER_SPACE"
    uint8_t AFTER_MARK "TRUECASE_AFTER_MARK"
    uint8_t AFTER_APOSTROPHE "TRUECASE_AFTER_APOSTROPHE"
    const uint8_t* after_word "truecase_after_word"


cdef enum Segmentation:
    SEGMENT_SPACE = 0
    SEGMENT_RAW = 1


cdef enum:
    MAX_ADDRESS_TRIES = 4        # per chunk: keeps a chunk of any length linear


cdef inline bint ascii_space(uint8_t c) noexcept nogil:
    return c == 0x20 or (c >= 0x09 and c <= 0x0d)


cdef inline uint32_t find_chunk_end(const uint8_t* text, uint32_t p, uint32_t end,
                                    uint32_t* hints) noexcept nogil:
    """End of the chunk at p; `hints` of what is in it."""
    cdef uint32_t length
    cdef uint8_t c
    hints[0] = 0
    while p < end:
        c = text[p]
        if c < 0x80:
            if ascii_space(c):
                break
            if c == 0x2f or c == 0x5c:
                hints[0] |= HINT_SLASH
            elif c == 0x2e:
                hints[0] |= HINT_DOT
            elif c == 0x40:
                hints[0] |= HINT_AT
        elif c == 0xc2 or (c >= 0xe1 and c <= 0xe3):   # first bytes of white space
            if bits_at(text, p, end, &length) & CHAR_SPACE:
                break
        p += 1
    return p


cdef inline bint may_precede_address(uint8_t c) noexcept nogil:
    """After a mark within a chunk an address may start, unless it is one addresses have."""
    return not (c == 0x2f or c == 0x5c or c == 0x2e or c == 0x40 or c == 0x26 or c == 0x23)


cdef inline bint is_run_mark(uint8_t c) noexcept nogil:
    """Marks a run of which is one token: . - = * ~ # _ +"""
    return (c == 0x2e or c == 0x2d or c == 0x3d or c == 0x2a or c == 0x7e or c == 0x23
            or c == 0x2b)


cdef inline int add_mark(TokenArray* out, const uint8_t* text, uint32_t start, Mark mark,
                         uint8_t flags) noexcept nogil:
    cdef int status = reserve_tokens(out, 1)
    cdef Token* token
    if status != STATUS_OK:
        return status
    token = out.tokens + out.n
    out.n += 1
    token.start = start
    token.end = start + mark.length
    token.flags = flags
    describe_mark(token, mark, text[start] < 0x80)
    return STATUS_OK


cdef inline int segment_chunk(const uint8_t* text, uint32_t begin, uint32_t line_end,
                              bint space_before, bint turkic, TokenArray* out,
                              uint32_t* chunk_end) noexcept nogil:
    """Append the tokens of the chunk at `begin`; a Status."""
    cdef uint32_t p = begin, q, length, hints, end, tries = 0
    cdef uint8_t c, bits
    cdef uint8_t flags = TOKEN_SPACE_BEFORE if space_before else 0
    cdef bint after_word = False
    cdef Mark mark
    cdef int status
    end = find_chunk_end(text, begin, line_end, &hints)
    chunk_end[0] = end
    if space_before and end - begin <= 5 and (text[begin] == 0x2d or text[begin] == 0x40):
        mark = bracket_name(text + begin, end - begin)
        if mark.canonical != NULL:
            return add_mark(out, text, begin, mark, flags)
    while p < end:
        c = text[p]
        bits = bits_at(text, p, end, &length)
        q = 0
        if hints and not after_word and tries < MAX_ADDRESS_TRIES and (
                p == begin or may_precede_address(text[p - 1])):
            if bits & CHAR_WORD or c == 0x2f or c == 0x2e or c == 0x7e or c == 0x5c:
                tries += 1
                q = address_end(text, p, end, hints)
        if q == 0:
            if bits & (CHAR_LETTER | CHAR_DIGIT) or c == 0x5f:
                q = word_end(text, p, p, end, line_end, turkic, &flags)
            elif c == 0x2e and not after_word and ascii_digit(text, p + 1, end):
                q = word_end(text, p, p + 1, end, line_end, turkic, &flags)
            elif (c == 0x40 or c == 0x23) and not after_word and word_at(text, p + 1, end):
                q = word_run(text, p + 1, end)
            else:
                length = apostrophe_length(text, p, end)
                if length and not (c == 0x27 and p + 1 < end and text[p + 1] == 0x27):
                    q = leading_apostrophe_end(text, p, length, end, line_end, after_word,
                                               turkic, &flags)
        if q:
            status = add_token(out, text, p, q, flags, turkic)
            after_word = True
        else:
            after_word = False
            mark = find_mark(text + p, end - p, False)
            if mark.canonical != NULL:
                q = p + mark.length
                status = add_mark(out, text, p, mark, flags)
            else:
                bits_at(text, p, end, &length)
                q = p + length
                if is_run_mark(c):
                    while q < end and text[q] == c:
                        q += 1
                if c == 0x2e and q > p + 1:
                    flags |= TOKEN_ENDS_SENTENCE
                while bits_at(text, q, end, &length) & CHAR_MARK:
                    q += length
                status = add_token(out, text, p, q, flags, turkic)
        if status != STATUS_OK:
            return status
        flags = 0
        p = q
    return STATUS_OK


cdef struct PlainWord:           # a run of ASCII letters
    uint64_t key
    uint64_t upper_mask
    uint32_t n
    bint all_upper


cdef inline void long_word(const uint8_t* text, uint32_t p, uint32_t end, uint64_t block,
                           PlainWord* word) noexcept nogil:
    """The run of letters at p, whose first eight are in `block`; it may pass the end."""
    cdef uint64_t letters, uppers = upper_letters(block, HIGH_BITS), state = HASH_SEED, keep
    cdef uint32_t n = 8
    word.upper_mask = gather(uppers)
    word.all_upper = uppers == HIGH_BITS
    block |= uppers >> 2
    while True:
        letters = ascii_letters(load8(text + p + n)) if p + n < end else 0
        if letters & 0x80 == 0:
            word.key = hash_end(state, block, n)
            word.n = n
            return
        state = hash_block(state, block)
        block = load8(text + p + n)
        keep = ~<uint64_t>0
        if letters != HIGH_BITS:
            keep = first_bytes(trailing_zeros(~letters & HIGH_BITS) >> 3)
            letters &= keep
        uppers = upper_letters(block, letters)
        if uppers:
            word.upper_mask |= gather(uppers) << n if n < 64 else <uint64_t>1 << 63
        word.all_upper = word.all_upper and uppers == letters
        block = (block | uppers >> 2) & keep
        if letters != HIGH_BITS:
            word.n = n + (trailing_zeros(~letters & HIGH_BITS) >> 3)
            word.key = hash_end(state, block, word.n)
            return
        n += 8


cdef inline void fill_word(Token* token, uint32_t start, const PlainWord* word,
                           uint8_t flags) noexcept nogil:
    token.key = word.key
    token.upper_mask = word.upper_mask
    token.start = start
    token.end = start + word.n
    token.tag = <uint8_t>(TAG_AL if word.upper_mask == 0 else TAG_IU if word.upper_mask == 1
                          else TAG_AU if word.all_upper else TAG_MX)
    token.word_class = CLASS_ALPHABETIC
    token.flags = flags | TOKEN_ASCII
    token.n_code_points = <uint8_t>(word.n if word.n < 255 else 255)


cdef inline void fill_mark(Token* token, uint32_t start, uint8_t c, uint8_t flags) noexcept nogil:
    """A token of one ASCII mark that stands for itself."""
    token.key = hash_end(HASH_SEED, c, 1)
    token.upper_mask = 0
    token.start = start
    token.end = start + 1
    token.tag = TAG_AN
    token.word_class = CLASS_OTHER
    token.flags = flags | TOKEN_ASCII | (ascii_bits[c] & CHAR_ENDS_SENTENCE) >> 2 | (
        ascii_bits[c] & CHAR_CLOSES) >> 2
    token.n_code_points = 1


cdef inline void fill_possessive(Token* token, uint32_t start) noexcept nogil:
    """The 's of company's."""
    token.key = hash_end(HASH_SEED, 0x7327, 2)
    token.upper_mask = 0
    token.start = start
    token.end = start + 2
    token.tag = TAG_AL
    token.word_class = CLASS_ALPHABETIC
    token.flags = TOKEN_ASCII
    token.n_code_points = 2


cdef inline bint chunk_ends(const uint8_t* text, uint32_t p, uint32_t end) noexcept nogil:
    return p == end or ascii_space(text[p])


cdef inline int segment_raw(const uint8_t* text, uint32_t begin, uint32_t end, bint turkic,
                            TokenArray* out) noexcept nogil:
    """``raw``: plain ASCII words and what usually surrounds them here, other chunks above.

    Whatever is done here, `segment_chunk` would do alike.
    """
    cdef uint32_t p = begin, q, length
    cdef uint64_t block, letters, uppers, keep
    cdef uint8_t flags = TOKEN_SPACE_BEFORE, c
    cdef PlainWord word
    cdef Token* token
    cdef int status
    while True:
        if p >= end:
            return STATUS_OK
        c = text[p]
        if ascii_space(c):
            p += 1
            flags = TOKEN_SPACE_BEFORE
            continue
        if out.capacity - out.n < 2:
            status = reserve_tokens(out, 2)
            if status != STATUS_OK:
                return status
        token = out.tokens + out.n
        block = load8(text + p)
        letters = ascii_letters(block)
        if letters & 0x80:
            if letters != HIGH_BITS:
                word.n = trailing_zeros(~letters & HIGH_BITS) >> 3
                keep = first_bytes(word.n)
                uppers = upper_letters(block, letters & keep)
                word.key = hash_end(HASH_SEED, (block | uppers >> 2) & keep, word.n)
                word.upper_mask = gather(uppers)
                word.all_upper = uppers == (HIGH_BITS & keep)
            else:
                long_word(text, p, end, block, &word)
            q = p + word.n
            if q <= end and not (turkic and word.upper_mask):
                c = after_word[text[q]] if q < end else AFTER_SPACE
                if c == AFTER_SPACE:
                    fill_word(token, p, &word, flags)
                    out.n += 1
                    p = q
                    flags = 0
                    continue
                if c == AFTER_MARK and chunk_ends(text, q + 1, end) and (
                        word.n > 1 or text[q] != 0x2e):
                    fill_word(token, p, &word, flags)
                    fill_mark(token + 1, q, text[q], 0)
                    out.n += 2
                    p = q + 1
                    flags = 0
                    continue
                if c == AFTER_APOSTROPHE and end - q >= 2 and text[q + 1] == 0x73 and chunk_ends(
                        text, q + 2, end):
                    fill_word(token, p, &word, flags)
                    fill_possessive(token + 1, q)
                    out.n += 2
                    p = q + 2
                    flags = 0
                    continue
        elif c < 0x80 and (chunk_ends(text, p + 1, end) or (
                (c == 0x28 or c == 0x22) and text[p + 1] < 0x80)):
            if after_word[c] == AFTER_MARK or c == 0x28:
                fill_mark(token, p, c, flags)
                out.n += 1
                p += 1
                flags = 0
                continue
        elif c >= 0x80 and bits_at(text, p, end, &length) & CHAR_SPACE:
            p += length
            flags = TOKEN_SPACE_BEFORE
            continue
        status = segment_chunk(text, p, end, flags, turkic, out, &q)
        if status != STATUS_OK:
            return status
        p = q
        flags = 0


cdef inline bint separates(uint8_t c) noexcept nogil:
    """The separators of lmplz: space, tab, line feed, carriage return and NUL."""
    return c == 0x20 or c == 0x09 or c == 0x0a or c == 0x0d or c == 0


cdef inline int segment_spaces(const uint8_t* text, uint32_t begin, uint32_t end, bint turkic,
                               TokenArray* out) noexcept nogil:
    cdef uint32_t p = begin, start
    cdef int status
    cdef Mark mark
    cdef Token* token
    cdef uint8_t flags
    while True:
        while p < end and separates(text[p]):
            p += 1
        if p >= end:
            return STATUS_OK
        start = p
        while p < end and not separates(text[p]):
            p += 1
        status = add_token(out, text, start, p, TOKEN_SPACE_BEFORE, turkic)
        if status != STATUS_OK:
            return status
        token = out.tokens + (out.n - 1)
        if token.word_class == CLASS_OTHER and token.flags & (
                TOKEN_ENDS_SENTENCE | TOKEN_CLOSES) == 0:
            # Keys stay those of the bytes, but the marks are known for what they are.
            mark = find_mark(text + start, p - start, True)
            if mark.canonical != NULL and mark.length == p - start:
                token.flags |= mark.flags
            elif text[start] == 0x2e:
                while start < p and text[start] == 0x2e:
                    start += 1
                if start == p:
                    token.flags |= TOKEN_ENDS_SENTENCE


cdef inline int segment_line(const uint8_t* text, uint32_t begin, uint32_t end, int segmentation,
                             bint turkic, TokenArray* out) noexcept nogil:
    """Tokens of the line text[begin:end], given without its terminator; a Status.

    The caller guarantees 16 readable bytes after `end`. What was in `out` before is dropped.
    """
    out.n = 0
    if segmentation == SEGMENT_SPACE:
        return segment_spaces(text, begin, end, turkic, out)
    return segment_raw(text, begin, end, turkic, out)
