"""Segmentation of one line of UTF-8 text, or of any bytes, into tokens.

Every byte that is not white space belongs to exactly one token; `mark_spans` then flags the tokens
of addresses, code and markup. A byte order mark at the start of a line counts as white space.
"""

from libc.stdint cimport INT32_MAX, int32_t, int64_t
from libc.string cimport memchr, memcmp, memset

from truecase.base._memory cimport STATUS_OK, TEXT_PADDING
from truecase.kernels._addresses cimport address_end
from truecase.kernels._plain cimport (
    AFTER_MARK, AFTER_SPACE, Mark, PlainWord, after_word, bracket_name, fill_canonical,
    fill_letters, fill_mark, fill_number, fill_word, find_mark, plain_word
)
from truecase.kernels._spans cimport (
    ADDRESS_HINTS, HINT_PAIR, HINT_SPACE, HINT_SPAN, chunk_hint, mark_spans, pair_hint, span_hint
)
from truecase.kernels._structs cimport (
    CLASS_OTHER, TOKEN_CLOSES, TOKEN_ENDS_SENTENCE, TOKEN_KEEPS, TOKEN_LOWERS, TOKEN_MARKUP,
    TOKEN_SPACE_BEFORE, Token
)
from truecase.kernels._tokens cimport (
    SEGMENT_SPACE, add_token, ascii_digit, bits_at, free_tokens, leading_apostrophe_end,
    reserve_tokens, word_at, word_end, word_run
)
from truecase.kernels._unicode cimport (
    CHAR_DIGIT, CHAR_LETTER, CHAR_MARK, CHAR_SPACE, CHAR_WORD, TAG_AN, ascii_space, line_feeds
)

from truecase.kernels.text import is_turkic

cdef bytes _PADDING = bytes(TEXT_PADDING)


# ``raw``: natural text; text in Penn Treebank or Moses tokens gets the same tokens. White space of
# any kind ends a *chunk*. In a chunk
# - an address is one token: URL, e-mail, path, domain or file name with a known suffix, #hashtag,
#   @mention; sentence punctuation after it is not part of it;
# - a word is a run of letters, marks, digits and underscores, of any script; inner hyphens join
#   (also 20-year-old), as do . , : / between digits, & between letters (AT&T), and ++ and # in C++,
#   C#; a slash or a trailing hyphen splits;
# - acronyms keep their periods (U.S., e.g., M.Sc., Ph.D.), and so does an initial (J.) unless it
#   closes the line; any other period splits off (Mr | .);
# - apostrophes join (O'Brien), except in clitics and elisions: company|'s, do|n't, l'|homme,
#   dell'|arte; in Turkish and Azeri the suffix splits: Ankara|'da; 's, 'tis, 'em, 'n' are words;
# - ’ and Moses' &apos; count as ', ‐ and ‑ as -; `_plain.pxd` has quotes and brackets;
# - any other code point is a token with the marks that follow it; equal periods, hyphens and the
#   like in a row are one;
# - an invalid byte is a letter without case of the word that it touches, so that no later letter
#   counts as the first (``montr\xe9al``).

cdef enum:
    MAX_ADDRESS_TRIES = 4        # per chunk: keeps a chunk of any length linear


cdef inline void expect_spans(TokenArray* out, uint32_t begin) noexcept nogil:
    """Record that the chunk at `begin` may have spans."""
    if not out.may_have_spans:
        out.may_have_spans = True
        out.spans_from = begin


cdef inline uint32_t find_chunk_end(const uint8_t* text, uint32_t p, uint32_t end,
                                    uint32_t* hints, TokenArray* out) noexcept nogil:
    """End of the chunk at p; `hints` gets the hints of its bytes."""
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


cdef inline bint may_precede_address(uint8_t before, uint8_t c) noexcept nogil:
    """Whether an address may start with c: not after a mark that addresses have inside, nor -/."""
    return before not in b"/\\.@&#" and not (before == c'-' and c == c'/')


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


cdef inline int add_sign(TokenArray* out, const uint8_t* text, uint32_t p, uint32_t end,
                         uint8_t flags, bint turkic, uint32_t* sign_end) noexcept nogil:
    """Append the mark, run of equal marks or other sign at p; a Status."""
    cdef Mark mark = find_mark(text + p, end - p, False)
    cdef uint32_t q, length
    if mark.length > 0:
        sign_end[0] = p + mark.length
        return add_mark(out, text, p, mark, flags)
    bits_at(text, p, end, &length)
    q = p + length
    if text[p] in b".-=*~#+":
        while q < end and text[q] == text[p]:
            q += 1
    if text[p] == 0x2e and q > p + 1:
        flags |= TOKEN_ENDS_SENTENCE
    while bits_at(text, q, end, &length) & CHAR_MARK:
        q += length
    sign_end[0] = q
    return add_token(out, text, p, q, flags, turkic)


cdef inline int segment_chunk(const uint8_t* text, uint32_t begin, uint32_t line_end,
                              bint space_before, bint turkic, TokenArray* out,
                              uint32_t* chunk_end) noexcept nogil:
    """Append the tokens of the chunk at `begin`; a Status."""
    cdef uint32_t p = begin, q, length, hints, end, tries = 0
    cdef uint8_t c, bits, flags = TOKEN_SPACE_BEFORE if space_before else 0
    cdef bint follows_word = False
    cdef Mark mark
    cdef int status
    end = find_chunk_end(text, begin, line_end, &hints, out)
    chunk_end[0] = end
    if space_before and end - begin <= 5 and text[begin] in (0x2d, 0x40):
        mark = bracket_name(text + begin, end - begin)
        if mark.length > 0:
            return add_mark(out, text, begin, mark, flags)
    while p < end:
        c = text[p]
        bits = bits_at(text, p, end, &length)
        q = 0
        if hints and not follows_word and tries < MAX_ADDRESS_TRIES and (
                p == begin or may_precede_address(text[p - 1], c)):
            if bits & CHAR_WORD or c in (0x2f, 0x2e, 0x7e, 0x5c):
                tries += 1
                q = address_end(text, p, end, hints)
        if q == 0:
            if bits & (CHAR_LETTER | CHAR_DIGIT) or c == 0x5f:
                q = word_end(text, p, p, end, line_end, turkic, &flags)
            elif c == 0x2e and not follows_word and ascii_digit(text, p + 1, end):
                q = word_end(text, p, p + 1, end, line_end, turkic, &flags)
            elif c in (0x40, 0x23) and not follows_word and word_at(text, p + 1, end):
                q = word_run(text, p + 1, end)
            else:
                q = leading_apostrophe_end(text, p, end, line_end, follows_word, turkic, &flags)
        if q:
            status = add_token(out, text, p, q, flags, turkic)
            follows_word = True
        else:
            follows_word = False
            status = add_sign(out, text, p, end, flags, turkic, &q)
        if status != STATUS_OK:
            return status
        flags = 0
        p = q
    return STATUS_OK


cdef inline bint chunk_ends(const uint8_t* text, uint32_t p, uint32_t end) noexcept nogil:
    return p == end or ascii_space(text[p])


cdef inline uint32_t end_chunk(const uint8_t* text, uint32_t q, uint32_t end, bint is_initial,
                               Token** token) noexcept nogil:
    """Append the token that ends at q, and the mark there, if they end a chunk; its end, or 0."""
    cdef uint8_t c = after_word(text[q]) if q < end else AFTER_SPACE
    if c == 0 or c == AFTER_MARK and (not chunk_ends(text, q + 1, end)
                                      or (is_initial and text[q] == 0x2e)):
        return 0
    token[0] += 1
    if c == AFTER_MARK:
        fill_mark(token[0], q, text[q], 0)
        token[0] += 1
        q += 1
    return q + 1


cdef inline uint32_t take_word(const uint8_t* text, uint32_t p, uint32_t end,
                               const PlainWord* word, uint8_t flags,
                               Token** token) noexcept nogil:
    """Append a word and the mark after it, if they are a chunk; end of the chunk, or 0."""
    if p + word.n > end:
        return 0
    fill_word(token[0], p, word, flags)
    return end_chunk(text, p + word.n, end, word.n == 1, token)


cdef inline uint32_t take_number(const uint8_t* text, uint32_t p, uint32_t end, uint8_t flags,
                                 Token** token) noexcept nogil:
    """`take_word` for ASCII digits."""
    cdef uint32_t q = p + 1
    while q < end and text[q] >= 0x30 and text[q] <= 0x39:
        q += 1
    if q - p > 8:
        return 0
    fill_number(token[0], text, p, q, flags)
    return end_chunk(text, q, end, False, token)


cdef inline int segment_raw(const uint8_t* text, uint32_t begin, uint32_t end, bint turkic,
                            TokenArray* out) noexcept nogil:
    """Tokens of natural text: common chunks here, with the same result as by `segment_chunk`."""
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
        q = 0
        if plain_word(text, p, &word):
            if p + word.n < end and text[p + word.n] >= 0x80 or turkic and word.upper_mask:
                c = 0x80                                   # taken as letters below
            else:
                q = take_word(text, p, end, &word, flags, &token)
        elif c >= 0x30 and c <= 0x39:
            q = take_number(text, p, end, flags, &token)
        elif c < 0x80 and (chunk_ends(text, p + 1, end) or (
                (c == 0x28 or c == 0x22) and text[p + 1] < 0x80)):
            if after_word(c) == AFTER_MARK or c == 0x28:
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
                q = end_chunk(text, q, end, token.n_code_points == 1, &token)
        if q:
            p = q
            flags = TOKEN_SPACE_BEFORE
            continue
        out.n = <int32_t>(token - out.tokens)
        status = segment_chunk(text, p, end, flags, turkic, out, &p)
        if status != STATUS_OK:
            return status
        token = out.tokens + out.n
        limit = out.tokens + out.capacity
        flags = 0
    out.n = <int32_t>(token - out.tokens)
    return STATUS_OK


# ``space``: tokens are what stands between the separators of KenLM's lmplz.

cdef inline bint separates(uint8_t c) noexcept nogil:
    """Whether KenLM's lmplz splits here: space, tab, line feed, carriage return and NUL."""
    return c in (0x20, 0x09, 0x0a, 0x0d, 0)


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
        if plain_word(text, p, &word) and not (turkic and word.upper_mask):
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
            # The key is that of the bytes, the flags are those of the mark.
            mark = find_mark(text + start, p - start, True)
            if mark.length == p - start:
                token.flags |= mark.flags
            elif text[start] == 0x2e:
                while start < p and text[start] == 0x2e:
                    start += 1
                if start == p:
                    token.flags |= TOKEN_ENDS_SENTENCE


cdef int segment_line(const uint8_t* text, uint32_t begin, uint32_t end, int segmentation,
                      bint turkic, TokenArray* out) noexcept nogil:
    cdef int status
    out.n = 0
    if end > begin + 2 and memcmp(text + begin, b"\xef\xbb\xbf", 3) == 0:
        begin += 3
    out.may_have_spans = False
    if segmentation == SEGMENT_SPACE:
        status = segment_spaces(text, begin, end, turkic, out)
    else:
        status = segment_raw(text, begin, end, turkic, out)
    if out.may_have_spans and status == STATUS_OK:
        mark_spans(text, begin, end, turkic, out)
    return status


cdef class OwnedTokens:
    """Owner of the tokens of a text."""

    def __dealloc__(self):
        free_tokens(&self.tokens)


cdef bint find_word(bytes word, bint turkic, int segmentation, Token* token) except -1:
    cdef bytes text = word + _PADDING
    cdef TokenArray tokens
    cdef size_t n = len(word)
    cdef int status
    cdef bint is_one
    if n > 0xffffff:
        return False
    memset(&tokens, 0, sizeof(TokenArray))
    status = segment_line(text, 0, <uint32_t>n, segmentation, turkic, &tokens)
    is_one = status == STATUS_OK and tokens.n == 1
    if is_one:
        token[0] = tokens.tokens[0]
    free_tokens(&tokens)
    if status != STATUS_OK:
        raise MemoryError("no memory left for a word")
    return is_one


cdef uint64_t key_of(str word) except? 0:
    cdef Token token
    return token.key if find_word(word.encode(), False, SEGMENT_SPACE, &token) else 0


# For Python: tokens, and the lines and words of a block of text as alignments count them.

SEGMENTATIONS = ("space", "raw")
WORD_CLASSES = ("quantity", "acronym", "hyphenated", "alphabetic", "other")


def token_spans(
    line: bytes, segmentation: str, language: str, cased: bool = False
) -> list[tuple[int, int]]:
    if segmentation not in SEGMENTATIONS:
        raise ValueError(f"segmentation {segmentation!r}: expected 'space' or 'raw'")
    cdef bytes padded = line + bytes(TEXT_PADDING)
    cdef OwnedTokens words = OwnedTokens()
    cdef Token* token
    cdef int i
    cdef bint only_cased = cased
    if segment_line(padded, 0, <uint32_t>len(line), SEGMENTATIONS.index(segmentation),
                    is_turkic(language), &words.tokens) != STATUS_OK:
        raise MemoryError("out of memory while segmenting a line")
    spans = []
    for i in range(words.tokens.n):
        token = words.tokens.tokens + i
        if not only_cased or (token.tag != TAG_AN and not token.flags & (
                TOKEN_KEEPS | TOKEN_LOWERS | TOKEN_MARKUP)):
            spans.append((token.start, token.end))
    return spans


cdef bint words_per_line(const uint8_t* text, int64_t size, int64_t n_lines,
                         int32_t* n_words) noexcept nogil:
    """Count the words of each line; whether all numbers fit.

    Another thread may have changed the text since `n_lines` were counted: further lines are left.
    """
    cdef int64_t p, line = 0, n = 0
    cdef bint inside = False, fits = True
    cdef uint8_t c
    for p in range(size):
        c = text[p]
        if c == 0x0a:
            if line == n_lines:
                return fits
            fits = fits and n <= INT32_MAX
            n_words[line] = <int32_t>n
            line += 1
            n = 0
            inside = False
        elif c <= 0x20 and ascii_space(c):
            inside = False
        else:
            n += not inside
            inside = True
    if size > 0 and text[size - 1] != 0x0a and line < n_lines:
        fits = fits and n <= INT32_MAX
        n_words[line] = <int32_t>n
    return fits


def count_lines(const uint8_t[::1] block) -> int:
    cdef int64_t size = block.shape[0], n = 0
    if size > 0:
        with nogil:
            # The last line needs no line feed.
            n = line_feeds(&block[0], size) + (block[size - 1] != 0x0a)
    return n


def has_as_many_lines(const uint8_t[::1] block, const uint8_t[::1] source) -> bool:
    cdef int64_t size = block.shape[0], n_source = count_lines(source)
    cdef int64_t n_lines = count_lines(block)
    if n_source == n_lines:
        return True
    # After a block without a final line feed, an empty last line cannot be seen.
    return (n_source + 1 == n_lines and block[size - 1] != 0x0a
            and (source.shape[0] == 0 or source[source.shape[0] - 1] == 0x0a))


def count_words(const uint8_t[::1] block):
    cdef int64_t size = block.shape[0]
    cdef int32_t[::1] n_words
    cdef bint fits
    import numpy as np

    counts = np.zeros(count_lines(block), np.int32)
    if len(counts):
        n_words = counts
        with nogil:
            fits = words_per_line(&block[0], size, n_words.shape[0], &n_words[0])
        if not fits:
            raise ValueError("a line has more than 2147483647 words")
    return counts


def find_line_end(const uint8_t[::1] block, int64_t n_lines) -> tuple[int, int]:
    cdef int64_t size = block.shape[0], p = 0, n = 0
    cdef const void* newline
    with nogil:
        while n < n_lines and p < size:
            newline = memchr(&block[p], 0x0a, <size_t>(size - p))
            if newline == NULL:
                break
            p = <const uint8_t*>newline - &block[0] + 1
            n += 1
    return p, n
