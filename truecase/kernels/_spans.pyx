"""Finds addresses, code and markup in a line, in one pass from left to right.

The first byte of a span tells what it may be. Where none begins, the scan goes on behind it, or
behind the whole atom that was looked at, so that time is linear in the length of the line. Letters
count alike in either case, but for base64.
"""

from libc.stdint cimport int32_t, uint16_t, uint32_t, uint8_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from truecase.base._check cimport check
from truecase.base._memory cimport TEXT_PADDING
from truecase.kernels._plain cimport sixteen
from truecase.kernels._render cimport ROOM_UPPER, case_room
from truecase.kernels._span_atoms cimport (
    AMPERSAND,
    AT,
    BACKQUOTE,
    BACKSLASH,
    BLANK,
    CURLY,
    DOLLAR,
    DOT,
    HASH,
    HYPHEN,
    LESS,
    PERCENT,
    SLASH,
    SQUARE,
    SQUARE_END,
    TILDE,
    Atom,
    Line,
    at,
    atom_kind,
    scan_atom,
    word_byte,
)
from truecase.kernels._span_signs cimport (
    backslash_end,
    braces_end,
    entity_end,
    link_end,
    option_end,
    percent_end,
    quoted_end,
    rooted_end,
    tag_end,
    tagged_end,
    variable_end,
)
from truecase.kernels._tokens cimport (
    TOKEN_ADDRESS,
    TOKEN_KEEPS,
    TOKEN_LOWERS,
    TOKEN_MARKUP,
    TOKEN_UNSURE,
    Token,
    TokenArray,
    bits_at,
    word_run,
)
from truecase.kernels._unicode cimport (
    CHAR_WORD,
    TAG_AL,
    TAG_AN,
    TAG_AU,
    TAG_IU,
    TAG_MX,
    trailing_zeros,
)

from typing import NamedTuple


__all__ = ["KINDS", "Span", "find_spans"]

KINDS = ("", "address", "code", "markup")


class Span(NamedTuple):
    start: int
    end: int
    kind: str
    unsure: bool


cdef inline bint ends_in_word(const Line* line, uint32_t q) noexcept nogil:
    """Whether the code point that ends at q is of a word."""
    cdef uint32_t p = q - 1, length
    if line.text[p] < 0x80:
        return word_byte(line.text[p])
    while p > line.begin and q - p < 4 and (line.text[p] & 0xc0) == 0x80:
        p -= 1
    if bits_at(line.text, p, q, &length) & CHAR_WORD and length == q - p:
        return True
    # Where it is the end of none, the last byte stands for itself.
    return length != q - p and bits_at(line.text, q - 1, q, &length) & CHAR_WORD


cdef inline uint32_t letters_end(const Line* line, uint32_t p) noexcept nogil:
    """End of the ASCII letters from p, where the line goes on."""
    cdef uint32_t letters
    while p < line.end:
        # Invariant: 16 bytes behind the line can be read, as the caller of `mark_spans` says.
        letters = sixteen(line.text + p).letters
        if letters != 0xffff:
            return min(p + <uint32_t>trailing_zeros(~letters), line.end)
        p += 16
    return line.end


cdef uint32_t next_span(Line* line, uint32_t p, uint32_t* start, int* kind) noexcept nogil:
    """The first span from p on: its end; `kind` is SPAN_NONE if there is none to the line's end."""
    cdef uint32_t q, length
    cdef uint8_t c
    cdef Atom atom
    kind[0] = SPAN_NONE
    while p < line.end:
        c = line.text[p]
        start[0] = p
        if c >= 0x80 and not bits_at(line.text, p, line.end, &length) & CHAR_WORD:
            q = p + length
        elif c >= 0x80 or word_byte(c):
            q = letters_end(line, p)
            if q > p and at(line, q) == BLANK:                     # a plain word
                p = q + 1
                line.after_word = False
                continue
            # After a word only where a sign's scan ended within one.
            if line.after_word:
                q = word_run(line.text, p, line.end)
            else:
                scan_atom(line, p, &atom)
                kind[0] = atom_kind(line, &atom)
                start[0] = atom.start
                q = atom.end
        elif c == BLANK:
            q = p + 1
        elif c == BACKQUOTE:
            q = quoted_end(line, p, kind)
        elif c == LESS:
            q = tag_end(line, p, kind)
        elif c == AMPERSAND:
            q = entity_end(line, p, kind)
        elif c == CURLY:
            q = braces_end(line, p, kind)
        elif c == SQUARE or c == SQUARE_END:
            q = link_end(line, p, kind)
        elif c == PERCENT:
            q = percent_end(line, p, kind)
        elif c == BACKSLASH:
            q = backslash_end(line, p, kind)
        elif c == DOLLAR:
            q = variable_end(line, p, kind)
        elif c == AT or c == HASH:
            q = tagged_end(line, p, kind)
        elif c == HYPHEN:
            q = option_end(line, p, kind)
        elif c == SLASH or c == TILDE or c == DOT:
            q = rooted_end(line, p, kind)
        else:
            q = p + 1
        line.after_word = ends_in_word(line, q)
        p = q
        if kind[0]:
            return p
    return p


cdef inline void flag_tokens(TokenArray* tokens, int32_t* first, uint32_t start, uint32_t end,
                             int kind) noexcept nogil:
    """Flag the tokens that a span touches, from `first` on, which is moved behind them."""
    cdef uint16_t flags = TOKEN_UNSURE if kind & SPAN_UNSURE else TOKEN_KEEPS
    cdef Token* token
    if kind == SPAN_ADDRESS:
        flags |= TOKEN_ADDRESS
    while first[0] < tokens.n and tokens.tokens[first[0]].end <= start:
        first[0] += 1
    while first[0] < tokens.n and tokens.tokens[first[0]].start < end:
        token = tokens.tokens + first[0]
        token.flags |= flags
        if kind == SPAN_MARKUP and start <= token.start and token.end <= end:
            token.flags |= TOKEN_MARKUP
        if token.end > end:
            return
        first[0] += 1


cdef inline bint has_letters_of_both_cases(const uint8_t* text, const TokenArray* tokens,
                                           bint turkic, bint* lower) noexcept nogil:
    """`lower` tells whether there is a small letter."""
    cdef bint upper = False
    cdef int32_t i
    cdef int tag
    lower[0] = False
    for i in range(tokens.n):
        tag = tokens.tokens[i].tag
        if tag == TAG_AN:
            continue
        if tag != TAG_AL:
            upper = True
        if tag == TAG_AL or tag == TAG_MX or (
                tag == TAG_IU and case_room(text, tokens.tokens + i, turkic) & ROOM_UPPER):
            lower[0] = True
        if upper and lower[0]:
            return True
    return False


cdef inline void start_line(Line* line, const uint8_t* text, uint32_t begin,
                            uint32_t end) noexcept nogil:
    line.text = text
    line.begin = begin
    line.end = end
    line.after_word = False
    memset(line.no_fence, 0xff, sizeof(line.no_fence))


cdef inline bint is_first(const uint8_t* text, uint32_t begin, uint32_t end, uint32_t first,
                          int kind) noexcept nogil:
    """Whether the whole line's first span, if there is one, begins at `first`."""
    cdef Line line
    cdef uint32_t start
    cdef int found
    start_line(&line, text, begin, end)
    next_span(&line, begin, &start, &found)
    return found == kind and (kind == SPAN_NONE or start == first)


cdef void mark_spans(const uint8_t* text, uint32_t begin, uint32_t end, bint turkic,
                     TokenArray* tokens) noexcept nogil:
    cdef Line line
    cdef uint32_t p = tokens.spans_from, start
    cdef int32_t first = 0, i
    cdef int kind
    cdef bint mixed, lower, in_capitals = False
    cdef Token* token
    start_line(&line, text, begin, end)
    p = next_span(&line, p, &start, &kind)
    check(is_first(text, begin, end, start, kind))
    if kind == SPAN_NONE:
        return
    while kind != SPAN_NONE:
        flag_tokens(tokens, &first, start, p, kind)
        p = next_span(&line, p, &start, &kind)
    mixed = has_letters_of_both_cases(text, tokens, turkic, &lower)
    if not mixed and not lower:
        # NASA says that a line is in capitals, MAX_SIZE alone does not.
        for i in range(tokens.n):
            token = tokens.tokens + i
            in_capitals = in_capitals or (token.tag == TAG_AU and not token.flags & TOKEN_KEEPS)
    for i in range(tokens.n):
        token = tokens.tokens + i
        if token.flags & (TOKEN_KEEPS | TOKEN_UNSURE) == 0:
            continue
        if not mixed and token.flags & TOKEN_KEEPS and (
                lower or in_capitals or token.flags & TOKEN_ADDRESS):
            token.flags |= TOKEN_LOWERS
        if mixed:
            token.flags |= TOKEN_KEEPS
        elif token.flags & TOKEN_LOWERS or not token.flags & TOKEN_KEEPS:
            token.flags &= <uint16_t>~TOKEN_KEEPS
        token.flags &= <uint16_t>~(TOKEN_UNSURE | TOKEN_ADDRESS)


def find_spans(line: bytes) -> list[Span]:
    cdef const uint8_t* data = line
    cdef size_t n = len(line)
    cdef uint8_t* text
    cdef Line state
    cdef uint32_t p = 0, start
    cdef int kind
    if n > <size_t>0x7fffff00:
        raise ValueError("a line of 2 GiB or more")
    text = <uint8_t*>malloc(n + TEXT_PADDING)
    if text == NULL:
        raise MemoryError
    memcpy(text, data, n)
    # Letters, so that a scan that takes them for part of the line is found out.
    memset(text + n, 0x41, TEXT_PADDING)
    start_line(&state, text, 0, <uint32_t>n)
    spans = []
    while True:
        p = next_span(&state, p, &start, &kind)
        if kind == SPAN_NONE:
            break
        spans.append(Span(start, p, KINDS[kind & SPAN_KIND], bool(kind & SPAN_UNSURE)))
    free(text)
    return spans
