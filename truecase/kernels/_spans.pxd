"""Spans whose case the model does not decide: addresses, code, markup.

`mark_spans` flags their tokens. ``TOKEN_KEEPS``: render the input bytes, as the line has letters of
both cases. ``TOKEN_LOWERS``: render in lower case, or as the source or lexicon has it, as the line
has letters of one case (or is a title, which `weigh_case` sees). ``TOKEN_MARKUP``, with one of
these: a sentence may begin after it. An *unsure* span may be prose (``end.The``, ``-year``): it is
kept in a line of both cases only.
"""

from libc.stdint cimport uint32_t, uint8_t

from truecase.kernels._structs cimport TokenArray


cdef extern from *:
    """
    /* SpanHint of the ASCII bytes, in rows of 16. */
    static const uint8_t truecase_span_hint[256] = {
        0, 0, 0, 0, 0, 0, 0, 0, 0, 16, 16, 16, 16, 16, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        16, 0, 0, 2, 2, 2, 1, 0, 2, 0, 0, 2, 0, 2, 34, 65,
        4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 2, 0, 1, 0, 0, 0,
        130, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8,
        8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 1, 65, 1, 0, 1,
        1, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8,
        8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 1, 0, 0, 1, 0};
    """
    const uint8_t* span_hint "truecase_span_hint"


cdef enum SpanHint:              # of a byte about its chunk
    HINT_SPAN = 1                # one of ` < & { [ ] \\ / _ ~: there may be a span
    HINT_PAIR = 2                # one of . ( : + - @ # $ %: the same if `pair_hint` allows
    HINT_DIGIT = 4
    HINT_LETTER = 8              # of ASCII
    HINT_SPACE = 16


cdef enum:
    ADDRESS_HINTS = 5            # shift of the bits of AddressHint


cdef enum SpanKind:
    SPAN_NONE = 0
    SPAN_ADDRESS = 1             # URLs, e-mail, @names, #tags, paths, file and domain names
    SPAN_CODE = 2                # identifiers, options, placeholders, back-quoted text, hashes
    SPAN_MARKUP = 3              # tags, entities, escapes: no words of the text
    SPAN_KIND = 3
    SPAN_UNSURE = 4              # added to a kind: may be prose


cdef enum:
    MIN_HASH = 7                 # bytes of the shortest hash: git's short ones
    MIN_BASE64 = 16


cdef inline bint pair_hint(const uint8_t* text, uint32_t begin, uint32_t p,
                           uint32_t end) noexcept nogil:
    """Whether a span may be around the sign at p, one of ``. ( : + - @ # $ %``.

    It is not in U.S., 3.5, state-of-the-art, 10:30 and $5.
    """
    cdef uint8_t after = text[p + 1] if p + 1 < end else 0x20
    cdef uint8_t hint = span_hint[after]
    if text[p] == 0x28:
        return after == 0x29
    if text[p] == 0x2d:
        if p > begin and span_hint[text[p - 1]] & (HINT_DIGIT | HINT_LETTER):
            return after == 0x3e
        return after == 0x3e or after == 0x2d or (hint & HINT_LETTER) != 0
    if text[p] == 0x2e:
        if hint & HINT_LETTER:
            return p + 2 >= end or text[p + 2] != 0x2e or (
                p > begin + 1 and (
                    text[p - 2] >= 0x80 or span_hint[text[p - 2]] & (HINT_DIGIT | HINT_LETTER)))
        return after >= 0x80 or after == 0x2e or (hint & HINT_SPAN) != 0
    if text[p] == 0x3a or text[p] == 0x24:
        return after >= 0x80 or after in (0x24, 0x3a) or (hint & (HINT_LETTER | HINT_SPAN)) != 0
    return after > 0x20


cdef inline bint chunk_hint(uint8_t seen, uint32_t n) noexcept nogil:
    """Whether a chunk of n bytes with these hints may have a span."""
    return seen & HINT_SPAN or (n >= MIN_HASH and seen & HINT_DIGIT and seen & HINT_LETTER)


# Flag the tokens of a line's spans from `tokens.spans_from` on; reads up to 16 bytes past its end.
cdef void mark_spans(const uint8_t* text, uint32_t begin, uint32_t end, bint turkic,
                     TokenArray* tokens) noexcept nogil
