"""Segmentation of one line of UTF-8 text, or of any bytes, into tokens.

``space``: tokens are what stands between ASCII white space, as KenLM's lmplz splits.

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


cdef inline int segment_raw(const uint8_t* text, uint32_t begin, uint32_t end, bint turkic,
                            TokenArray* out) noexcept nogil:
    """``raw``: plain ASCII words and what usually surrounds them here, chunks else there."""
    cdef uint32_t p = begin, q, length
    cdef bint space_before = True
    cdef int status
    while True:
        while p < end and ascii_space(text[p]):
            p += 1
            space_before = True
        if p >= end:
            return STATUS_OK
        if text[p] >= 0x80 and bits_at(text, p, end, &length) & CHAR_SPACE:
            p += length
            space_before = True
            continue
        status = segment_chunk(text, p, end, space_before, turkic, out, &q)
        if status != STATUS_OK:
            return status
        p = q
        space_before = False


cdef inline int segment_spaces(const uint8_t* text, uint32_t begin, uint32_t end, bint turkic,
                               TokenArray* out) noexcept nogil:
    cdef uint32_t p = begin, start
    cdef int status
    cdef Mark mark
    cdef Token* token
    cdef uint8_t flags
    while True:
        while p < end and ascii_space(text[p]):
            p += 1
        if p >= end:
            return STATUS_OK
        start = p
        while p < end and not ascii_space(text[p]):
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
