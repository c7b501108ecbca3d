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
  and the like are one;
- a byte that is no UTF-8 is a letter without case of the word that it touches, so that no
  other letter of it is taken for the first (``montr\xe9al``).

A byte order mark at the start of a line counts as white space, whatever the segmentation.

Every byte that is not white space belongs to exactly one token. In both kinds the tokens of
addresses, code and markup are flagged, see ``_spans.pxd``.

All of this is inline and long. Other rooms cimport `segment_line` from ``_segment_line.pxd``, which
compiles it once.
"""

from libc.stdint cimport int32_t, uint32_t, uint64_t, uint8_t

from truecase.base._memory cimport STATUS_OK
from truecase.kernels._addresses cimport address_end
from truecase.kernels._plain cimport (
    AFTER_APOSTROPHE,
    AFTER_MARK,
    AFTER_SPACE,
    Mark,
    PlainWord,
    after_word,
    bracket_name,
    canonical_surface,
    fill_canonical,
    fill_letters,
    fill_mark,
    fill_number,
    fill_possessive,
    fill_word,
    find_mark,
    plain_word,
)
from truecase.kernels._spans cimport (
    ADDRESS_HINTS,
    HINT_PAIR,
    HINT_SPACE,
    HINT_SPAN,
    chunk_hint,
    mark_spans,
    pair_hint,
    span_hint,
)
from truecase.kernels._tokens cimport (
    CLASS_ACRONYM,
    CLASS_ALPHABETIC,
    CLASS_HYPHENATED,
    CLASS_OTHER,
    CLASS_QUANTITY,
    SEGMENT_SPACE,
    TOKEN_ASCII,
    TOKEN_CANONICAL,
    TOKEN_CLOSES,
    TOKEN_ENDS_SENTENCE,
    TOKEN_KEEPS,
    TOKEN_LOWERS,
    TOKEN_MARKUP,
    TOKEN_SPACE_BEFORE,
    TOKEN_VARIANT,
    Token,
    TokenArray,
    add_token,
    apostrophe_length,
    ascii_digit,
    bits_at,
    form_hash,
    free_tokens,
    leading_apostrophe_end,
    reserve_tokens,
    word_at,
    word_end,
    word_run,
)
from truecase.kernels._unicode cimport (
    CHAR_DIGIT,
    CHAR_LETTER,
    CHAR_MARK,
    CHAR_SPACE,
    CHAR_WORD,
    ascii_space,
    hash_bytes,
)


cdef enum:
    MAX_ADDRESS_TRIES = 4        # per chunk: keeps a chunk of any length linear


cdef inline void expect_spans(TokenArray* out, uint32_t begin) noexcept nogil:
    """Note that spans may be in the chunk at `begin`."""
    if not out.may_have_spans:
        out.may_have_spans = True
        out.spans_from = begin


cdef inline uint32_t find_chunk_end(const uint8_t* text, uint32_t p, uint32_t end,
                                    uint32_t* hints, TokenArray* out) noexcept nogil:
    """End of the chunk at p; `hints` of what is in it."""
    cdef uint32_t length, begin = p
    cdef uint8_t c, hint, seen = 0
    while p < end:
        c = text[p]
        if c < 0x80:
            hint = span_hint[c]
            if hint & (HINT_SPACE | HINT_PAIR):
                if hint & HINT_SPACE:
                    break
                if pair_hint(text, begin, p, end):
                    seen |= HINT_SPAN
            seen |= hint
        elif c == 0xc2 or (c >= 0xe1 and c <= 0xe3):   # first bytes of white space
            if bits_at(text, p, end, &length) & CHAR_SPACE:
                break
        p += 1
    hints[0] = seen >> ADDRESS_HINTS
    if chunk_hint(seen, p - begin):
        expect_spans(out, begin)
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
    fill_canonical(token, mark, text[start] < 0x80)
    return STATUS_OK


cdef inline int segment_chunk(const uint8_t* text, uint32_t begin, uint32_t line_end,
                              bint space_before, bint turkic, TokenArray* out,
                              uint32_t* chunk_end) noexcept nogil:
    """Append the tokens of the chunk at `begin`; a Status."""
    cdef uint32_t p = begin, q, length, hints, end, tries = 0
    cdef uint8_t c, bits
    cdef uint8_t flags = TOKEN_SPACE_BEFORE if space_before else 0
    cdef bint follows_word = False
    cdef Mark mark
    cdef int status
    end = find_chunk_end(text, begin, line_end, &hints, out)
    chunk_end[0] = end
    if space_before and end - begin <= 5 and (text[begin] == 0x2d or text[begin] == 0x40):
        mark = bracket_name(text + begin, end - begin)
        if mark.length > 0:
            return add_mark(out, text, begin, mark, flags)
    while p < end:
        c = text[p]
        bits = bits_at(text, p, end, &length)
        q = 0
        if hints and not follows_word and tries < MAX_ADDRESS_TRIES and (
                p == begin or may_precede_address(text[p - 1])):
            if bits & CHAR_WORD or c == 0x2f or c == 0x2e or c == 0x7e or c == 0x5c:
                tries += 1
                q = address_end(text, p, end, hints)
        if q == 0:
            if bits & (CHAR_LETTER | CHAR_DIGIT) or c == 0x5f:
                q = word_end(text, p, p, end, line_end, turkic, &flags)
            elif c == 0x2e and not follows_word and ascii_digit(text, p + 1, end):
                q = word_end(text, p, p + 1, end, line_end, turkic, &flags)
            elif (c == 0x40 or c == 0x23) and not follows_word and word_at(text, p + 1, end):
                q = word_run(text, p + 1, end)
            else:
                length = apostrophe_length(text, p, end)
                if length and not (c == 0x27 and p + 1 < end and text[p + 1] == 0x27):
                    q = leading_apostrophe_end(text, p, length, end, line_end, follows_word,
                                               turkic, &flags)
        if q:
            status = add_token(out, text, p, q, flags, turkic)
            follows_word = True
        else:
            follows_word = False
            mark = find_mark(text + p, end - p, False)
            if mark.length > 0:
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


cdef inline bint chunk_ends(const uint8_t* text, uint32_t p, uint32_t end) noexcept nogil:
    return p == end or ascii_space(text[p])


cdef inline int segment_raw(const uint8_t* text, uint32_t begin, uint32_t end, bint turkic,
                            TokenArray* out) noexcept nogil:
    """``raw``: plain ASCII words and what usually surrounds them here, other chunks above.

    Whatever is done here, `segment_chunk` would do alike.
    """
    cdef uint32_t p = begin, q, length
    cdef uint8_t flags = TOKEN_SPACE_BEFORE, c
    cdef PlainWord word
    cdef Token* token = out.tokens + out.n
    cdef Token* limit = out.tokens + out.capacity
    cdef int status
    while p < end:
        c = text[p]
        if ascii_space(c):
            p += 1
            flags = TOKEN_SPACE_BEFORE
            continue
        if limit - token < 2:
            out.n = <int32_t>(token - out.tokens)
            status = reserve_tokens(out, 2)
            if status != STATUS_OK:
                return status
            token = out.tokens + out.n
            limit = out.tokens + out.capacity
        if plain_word(text, p, end, &word):
            q = p + word.n
            if q < end and text[q] >= 0x80 or turkic and word.upper_mask:
                c = 0x80                                   # to the end of the loop
            elif q <= end:
                c = after_word[text[q]] if q < end else AFTER_SPACE
                if c == AFTER_SPACE:
                    fill_word(token, p, &word, flags)
                    token += 1
                    p = q + 1
                    flags = TOKEN_SPACE_BEFORE
                    continue
                if c == AFTER_MARK and chunk_ends(text, q + 1, end) and (
                        word.n > 1 or text[q] != 0x2e):
                    fill_word(token, p, &word, flags)
                    fill_mark(token + 1, q, text[q], 0)
                    token += 2
                    p = q + 2
                    flags = TOKEN_SPACE_BEFORE
                    continue
                if c == AFTER_APOSTROPHE and end - q >= 2 and text[q + 1] == 0x73 and chunk_ends(
                        text, q + 2, end):
                    fill_word(token, p, &word, flags)
                    fill_possessive(token + 1, q)
                    token += 2
                    p = q + 3
                    flags = TOKEN_SPACE_BEFORE
                    continue
        elif c >= 0x30 and c <= 0x39:
            q = p + 1
            while q < end and text[q] >= 0x30 and text[q] <= 0x39:
                q += 1
            c = after_word[text[q]] if q < end else AFTER_SPACE
            if q - p <= 8 and (c == AFTER_SPACE or (
                    c == AFTER_MARK and chunk_ends(text, q + 1, end))):
                fill_number(token, text, p, q, flags)
                token += 1
                flags = TOKEN_SPACE_BEFORE
                if c == AFTER_MARK:
                    fill_mark(token, q, text[q], 0)
                    token += 1
                    q += 1
                p = q + 1
                continue
        elif c < 0x80 and (chunk_ends(text, p + 1, end) or (
                (c == 0x28 or c == 0x22) and text[p + 1] < 0x80)):
            if after_word[c] == AFTER_MARK or c == 0x28:
                fill_mark(token, p, c, flags)
                token += 1
                p += 1
                flags = 0
                continue
        elif c >= 0x80 and bits_at(text, p, end, &length) & CHAR_SPACE:
            p += length
            flags = TOKEN_SPACE_BEFORE
            continue
        if c >= 0x80:
            q = fill_letters(token, text, p, end, flags, turkic)
            if q:
                c = after_word[text[q]] if q < end else AFTER_SPACE
                if c == AFTER_SPACE or (c == AFTER_MARK and chunk_ends(text, q + 1, end) and (
                        token.n_code_points > 1 or text[q] != 0x2e)):
                    token += 1
                    flags = TOKEN_SPACE_BEFORE
                    if c == AFTER_MARK:
                        fill_mark(token, q, text[q], 0)
                        token += 1
                        q += 1
                    p = q + 1
                    continue
        out.n = <int32_t>(token - out.tokens)
        status = segment_chunk(text, p, end, flags, turkic, out, &q)
        if status != STATUS_OK:
            return status
        token = out.tokens + out.n
        limit = out.tokens + out.capacity
        p = q
        flags = 0
    out.n = <int32_t>(token - out.tokens)
    return STATUS_OK


cdef inline bint separates(uint8_t c) noexcept nogil:
    """The separators of lmplz: space, tab, line feed, carriage return and NUL."""
    return c == 0x20 or c == 0x09 or c == 0x0a or c == 0x0d or c == 0


cdef inline int segment_spaces(const uint8_t* text, uint32_t begin, uint32_t end, bint turkic,
                               TokenArray* out) noexcept nogil:
    cdef uint32_t p = begin, start
    cdef uint8_t seen
    cdef int status
    cdef Mark mark
    cdef PlainWord word
    cdef Token* token
    while True:
        while p < end and separates(text[p]):
            p += 1
        if p >= end:
            return STATUS_OK
        start = p
        if plain_word(text, p, end, &word) and not (turkic and word.upper_mask):
            p += word.n
            if p == end or (p < end and separates(text[p])):
                status = reserve_tokens(out, 1)
                if status != STATUS_OK:
                    return status
                fill_word(out.tokens + out.n, start, &word, TOKEN_SPACE_BEFORE)
                out.n += 1
                p += 1
                continue
            p = start
        seen = 0
        while p < end and not separates(text[p]):
            seen |= span_hint[text[p]]
            if span_hint[text[p]] & HINT_PAIR and pair_hint(text, start, p, end):
                seen |= HINT_SPAN
            p += 1
        if chunk_hint(seen, p - start):
            expect_spans(out, start)
        status = add_token(out, text, start, p, TOKEN_SPACE_BEFORE, turkic)
        if status != STATUS_OK:
            return status
        token = out.tokens + (out.n - 1)
        if token.word_class == CLASS_OTHER and token.flags & (
                TOKEN_ENDS_SENTENCE | TOKEN_CLOSES) == 0:
            # Keys stay those of the bytes, but the marks are known for what they are.
            mark = find_mark(text + start, p - start, True)
            if mark.length == p - start:
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
    cdef int status
    out.n = 0
    if (end > begin + 2 and text[begin] == 0xef and text[begin + 1] == 0xbb
            and text[begin + 2] == 0xbf):
        begin += 3
    out.may_have_spans = False
    if segmentation == SEGMENT_SPACE:
        status = segment_spaces(text, begin, end, turkic, out)
    else:
        status = segment_raw(text, begin, end, turkic, out)
    if out.may_have_spans and status == STATUS_OK:
        mark_spans(text, begin, end, turkic, out)
    return status
