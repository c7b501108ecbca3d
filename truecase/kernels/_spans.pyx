"""Finds addresses, code and markup in a line, in one pass from left to right.

The first byte of a span gives its possible kinds. If no span begins there, the scan continues after
the byte, or after the atom that it has read, so that time is linear in the length of the line.
Only base64 depends on the case of letters.
"""

from libc.stdint cimport int32_t, uint16_t
from libc.string cimport memset

from truecase.base._check cimport check
from truecase.base._memory cimport TEXT_PADDING
from truecase.kernels._plain cimport sixteen
from truecase.kernels._render cimport SEEN_LOWER, SEEN_UPPER, cases_of
from truecase.kernels._span_atoms cimport (
    CURRENCIES, ELEMENTS, KEY_COMMANDS, MAX_FENCE, SHORT_WORDS, TEXT_COMMANDS, Atom, Line,
    ascii_run, at, atom_kind, before, body_end, is_digit, is_letter, is_word, scan_atom,
    windows_path_end, word_byte
)
from truecase.kernels._structs cimport (
    TOKEN_ADDRESS, TOKEN_KEEPS, TOKEN_LOWERS, TOKEN_MARKUP, TOKEN_UNSURE, Token
)
from truecase.kernels._tokens cimport bits_at, in_list, word_run
from truecase.kernels._unicode cimport CHAR_WORD, TAG_AU, ascii_space, trailing_zeros

from typing import NamedTuple


KINDS = ("", "address", "code", "markup")


class Span(NamedTuple):
    start: int
    end: int
    kind: str
    unsure: bool


# A function for each sign that begins spans: the end of the span at p and its kind, which is
# SPAN_NONE before; if it stays so, the end of the bytes that were read.

cdef enum:
    MAX_INSIDE = 200             # bytes between braces or brackets
    MAX_TAG = 2000               # bytes between < and >
    MAX_NAME = 60
    MAX_ENTITY = 32


cdef inline bint opens_path(const Line* line, uint32_t p) noexcept nogil:
    """Whether the byte before p allows a path or an option at p."""
    cdef uint8_t c = before(line, p)
    if c >= 0x80:
        return not line.after_word
    return ascii_space(c) or c in b"([{<>\"'`=:,|*"


cdef inline uint32_t quoted_end(Line* line, uint32_t p, int* kind) noexcept nogil:
    """`code` and ``code``; not ``so'', and no apostrophe."""
    cdef uint32_t q = p, run, n
    cdef uint8_t c
    while at(line, q) == c'`':
        q += 1
    n = q - p
    if n > MAX_FENCE or line.after_word or ascii_space(at(line, q)) or p >= line.no_fence[n]:
        return q
    run = q
    while True:
        while run < line.end and line.text[run] != c'`':
            run += 1
        if run >= line.end:
            line.no_fence[n] = q
            return q
        p = run
        while at(line, run) == c'`':
            run += 1
        if run - p == n:
            break
    # `foo' or `bar': the second quote opens, too. `Foo`s is a plural.
    if ascii_space(line.text[p - 1]):
        return q
    c = at(line, run)
    if is_word(line, run) and not (c | 0x20 == c's' and not is_word(line, run + 1)):
        return q
    kind[0] = SPAN_CODE
    return run


cdef inline uint32_t tag_end(const Line* line, uint32_t p, int* kind) noexcept nogil:
    """<i>, </i>, <a href="…">, <!DOCTYPE html>, <your name>"""
    cdef uint32_t q = p + 1, name, name_end, limit
    cdef uint8_t c
    if at(line, q) in b"/!?":
        q += 1
    if not is_letter(line, q):
        return p + 1
    name = q
    while q < line.end and word_byte(line.text[q]) and line.text[q] != c'_':
        q += 1
    name_end = q
    limit = min(line.end, p + MAX_TAG)
    while q < limit and line.text[q] != c'<' and line.text[q] != c'>':
        q += 1
    if q >= limit or line.text[q] != c'>':
        return p + 1
    kind[0] = SPAN_CODE
    c = line.text[name_end]
    if name > p + 1 or (c == c':' and is_letter(line, name_end + 1)) or (
            in_list(ELEMENTS, line.text + name, name_end - name)
            and (c == c'>' or c == c'/' or ascii_space(c))):
        kind[0] = SPAN_MARKUP
    return q + 1


cdef inline uint32_t entity_end(const Line* line, uint32_t p, int* kind) noexcept nogil:
    """&nbsp; &#160; &#xA0; and not AT&T;"""
    cdef bint numbered = at(line, p + 1) == c'#'
    cdef uint32_t name = p + 1 + numbered, q = name
    while q - name < MAX_ENTITY and q < line.end and word_byte(line.text[q]) and (
            line.text[q] != c'_'):
        q += 1
    if at(line, q) != c';' or (q == name if numbered else (
            q < name + 2 or not is_letter(line, name))):
        return p + 1
    kind[0] = SPAN_MARKUP
    return q + 1


cdef inline uint32_t closing(const Line* line, uint32_t p, uint8_t open, uint8_t close,
                             bint blanks) noexcept nogil:
    """Place of the closing sign after p, if no opening one is before it; else 0."""
    cdef uint32_t q = p, limit = min(line.end, p + MAX_INSIDE)
    while q < limit and line.text[q] != close:
        if line.text[q] == open or (ascii_space(line.text[q]) and not blanks):
            return 0
        q += 1
    return q if q < limit and q > p else 0


cdef inline uint32_t braces_end(const Line* line, uint32_t p, int* kind) noexcept nogil:
    r"""{name} {0} {\an8} {{ page.title }} {% if a %}; not \textbf{word}"""
    cdef uint32_t q
    cdef uint8_t c = at(line, p + 1)
    kind[0] = SPAN_CODE
    if c == c'{':
        q = closing(line, p + 2, c'{', c'}', True)
        if q and at(line, q + 1) == c'}':
            return q + 2
    elif c == c'%' or c == c'\\' or (is_letter(line, p + 1) and at(line, p + 2) == c':'):
        q = closing(line, p + 1, c'{', c'}', True)
        if q:
            if c != c'%':
                kind[0] = SPAN_MARKUP
            return q + 1
    elif not line.after_word:
        q = closing(line, p + 1, c'{', c'}', False)
        if q:
            return q + 1
    kind[0] = SPAN_NONE
    return p + 1


cdef inline uint32_t link_end(const Line* line, uint32_t p, int* kind) noexcept nogil:
    """[[Page|text]], [!NOTE], and (destination) after [text]"""
    cdef uint32_t q
    if line.text[p] == c'[':
        if at(line, p + 1) == c'!':
            q = letters_end(line, p + 2)
            if q > p + 2 and at(line, q) == c']':
                kind[0] = SPAN_MARKUP
                return q + 1
        if at(line, p + 1) != c'[':
            return p + 1
        q = closing(line, p + 2, c'[', c']', True)
        if not q or at(line, q + 1) != c']':
            return p + 1
        kind[0] = SPAN_CODE
        return q + 2
    if at(line, p + 1) != c'(':
        return p + 1
    q = body_end(line, p + 2, p + MAX_TAG)
    if q == p + 2 or not (at(line, q) == c')' or (
            at(line, q) == c' ' and at(line, q + 1) in b"\"'")):
        return p + 1
    kind[0] = SPAN_ADDRESS
    return q


cdef inline uint32_t few_digits_end(const Line* line, uint32_t p) noexcept nogil:
    """End of up to four digits."""
    cdef uint32_t q = p
    while is_digit(line, q) and q - p < 4:
        q += 1
    return q


cdef inline uint32_t percent_end(const Line* line, uint32_t p, int* kind) noexcept nogil:
    """%s %1$s %-5.2f %(name)s %NAME% %@; not 5%d"""
    cdef uint32_t q = p + 1, end
    cdef uint8_t c
    if line.after_word or before(line, p) == c'%':
        return q
    if at(line, q) == c'(':
        end = q + 1
        while end - q < MAX_NAME and (word_byte(at(line, end)) or at(line, end) == c'.'):
            end += 1
        if end == q + 1 or at(line, end) != c')':
            return p + 1
        q = end + 1
    elif at(line, q) == c'_' or is_letter(line, q):
        end = ascii_run(line, q)
        if end - q <= MAX_NAME and at(line, end) == c'%':
            kind[0] = SPAN_CODE
            return end + 1
    elif is_digit(line, q):
        end = few_digits_end(line, q)
        if at(line, end) == c'$':
            q = end + 1
    end = q
    while end - q < 3 and at(line, end) in b"-+#0'":
        end += 1
    end = few_digits_end(line, end)
    if at(line, end) == c'.' and is_digit(line, end + 1):
        end = few_digits_end(line, end + 1)
    q = end
    c = at(line, q) | 0x20
    if c in b"hl":                                                 # h, hh, l, ll, L
        q += 1 + (at(line, q + 1) == at(line, q))
    elif c in b"qjzt":
        q += 1
    if not is_letter(line, q):
        q = end
    if not (is_letter(line, q) or at(line, q) == c'@') or is_word(line, q + 1):
        return p + 1
    kind[0] = SPAN_CODE
    return q + 1


cdef inline bint is_maths(const Line* line, uint32_t p, uint32_t end) noexcept nogil:
    """Whether there is a sign of maths, or no word of two letters."""
    cdef bint has_word = False
    for p in range(p, end):
        if line.text[p] in b"\\^_{=<>":
            return True
        has_word = has_word or line.text[p] >= 0x80 or (
            is_letter(line, p) and p + 1 < end and is_letter(line, p + 1))
    return not has_word


cdef inline uint32_t dollars_end(const Line* line, uint32_t p) noexcept nogil:
    """$E = mc^2$ $$x$$; not $5 and $10; 0 for no maths"""
    cdef uint32_t n = 1 + (at(line, p + 1) == c'$'), q = p + n
    cdef uint32_t limit = min(line.end, q + MAX_INSIDE)
    if n == 1 and not (at(line, q) < 0x80 and span_hint[at(line, q)] & (HINT_SPAN | HINT_LETTER)):
        return 0
    while q < limit and line.text[q] != c'$':
        q += 1
    if at(line, q) != c'$' or q == p + n or (at(line, q + 1) == c'$') != (n == 2):
        return 0
    if n == 1 and (ascii_space(line.text[q - 1]) or is_word(line, q + 1)):
        return 0
    return q + n if is_maths(line, p + n, q) else 0


cdef inline uint32_t formula_end(const Line* line, uint32_t p) noexcept nogil:
    r"""End of \(x_i\) or \[x_i\] from its bracket at p; 0 for no maths"""
    cdef uint8_t close = c')' if line.text[p] == c'(' else c']'
    cdef uint32_t q
    for q in range(p + 1, min(line.end, p + MAX_INSIDE)):
        if line.text[q] == c'\\' and at(line, q + 1) == close:
            return q + 2
    return 0


cdef inline uint32_t command_end(const Line* line, uint32_t p, uint32_t q,
                                 int* kind) noexcept nogil:
    r"""\cite[p. 3]{Key}, \begin{name}, \emph{ from p, whose name ends at q; else q"""
    cdef uint32_t n = q - p - 1, brace = q + (at(line, q) == c'*'), close, i
    cdef bint is_key = in_list(KEY_COMMANDS, line.text + p + 1, n) or (
        n > 2 and in_list(b" ref ", line.text + q - 3, 3))         # autoref
    for i in range(p + 1, q - 3 if n > 3 else p + 1):
        is_key = is_key or in_list(b" cite ", line.text + i, 4)    # parencite
    if at(line, brace) == c'{' and in_list(TEXT_COMMANDS, line.text + p + 1, n):
        kind[0] = SPAN_MARKUP
        return brace + 1
    while at(line, brace) == c'[':
        close = closing(line, brace + 1, c'[', c']', True)
        if not close:
            break
        brace = close + 1
    if at(line, brace) != c'{' or n == 1:
        return q
    # Of other commands, one word is a name: \olimport{vn}.
    close = closing(line, brace + 1, c'{', c'}', is_key)
    return close + 1 if close else q


cdef inline uint32_t backslash_end(const Line* line, uint32_t p, int* kind) noexcept nogil:
    r"""\\server\share, \n, \alpha, \cite{Key}, \(x_i\)"""
    cdef uint32_t q = p + 1
    if at(line, q) == c'\\' and is_word(line, q + 1) and opens_path(line, p):
        kind[0] = SPAN_ADDRESS
        return windows_path_end(line, q + 1)
    if at(line, q) in b"([":
        q = formula_end(line, q)
        kind[0] = SPAN_CODE if q else SPAN_NONE
        return q if q else p + 1
    while is_letter(line, q):
        q += 1
    if q > p + 1:
        kind[0] = SPAN_MARKUP if q == p + 2 else SPAN_CODE
        q = command_end(line, p, q, kind)
    return q


cdef inline uint32_t variable_end(const Line* line, uint32_t p, int* kind) noexcept nogil:
    """$name, $x_i$; not $US, $A50"""
    cdef uint32_t q = p + 1, letters
    letters = 0 if line.after_word else dollars_end(line, p)
    if letters:
        kind[0] = SPAN_CODE
        return letters
    if line.after_word or not (is_letter(line, q) or at(line, q) == c'_'):
        return q
    letters = q
    while is_letter(line, letters):
        letters += 1
    q = ascii_run(line, q)
    if at(line, letters) != c'_' and in_list(CURRENCIES, line.text + p + 1, letters - p - 1):
        return q
    kind[0] = SPAN_CODE
    return q


cdef inline uint32_t tagged_end(const Line* line, uint32_t p, int* kind) noexcept nogil:
    """@name, @scope/name, #tag, #see-also; not #1"""
    cdef uint32_t q = word_run(line.text, p + 1, line.end), i
    cdef uint8_t c
    cdef bint letter = False
    if q == p + 1 or line.after_word or before(line, p) == line.text[p]:
        return q
    for i in range(p + 1, q):
        c = line.text[i]
        letter = letter or c >= 0x80 or is_letter(line, i)
    if not letter:
        return q
    kind[0] = SPAN_ADDRESS
    if is_letter(line, p + 1):
        while is_word(line, q + 1) and (at(line, q) == c'-' or (
                line.text[p] == c'@' and (at(line, q) == c'.' or at(line, q) == c'/'))):
            q = word_run(line.text, q + 1, line.end)
    return q


cdef inline uint32_t emoji_end(const Line* line, uint32_t p, int* kind) noexcept nogil:
    """:smile:, :net:download; not 10:30:15 or a::b"""
    cdef uint32_t q = p + 1
    if line.after_word or before(line, p) == c':' or not is_letter(line, q):
        return q
    while word_byte(at(line, q)) or at(line, q) in b"-+":
        q += 1
    if at(line, q) != c':' or at(line, q + 1) == c':':
        return p + 1
    kind[0] = SPAN_CODE if is_word(line, q + 1) else SPAN_MARKUP
    return word_run(line.text, q + 1, line.end)


cdef inline bint begins_sentence(const Line* line, uint32_t p) noexcept nogil:
    """Whether before p and white space there is an end mark, colon, quote or nothing."""
    cdef uint8_t c
    while p > line.begin and ascii_space(line.text[p - 1]):
        p -= 1
    c = before(line, p)
    return p == line.begin or c >= 0x80 or c in b".!?:\">'"


cdef inline bint ends_line(const Line* line, uint32_t p) noexcept nogil:
    """Whether the line has only white space from p on."""
    while p < line.end:
        if not ascii_space(line.text[p]):
            return False
        p += 1
    return True


cdef inline uint32_t option_end(const Line* line, uint32_t p, int* kind) noexcept nogil:
    """--flag, --key=value, -l, -la, --snip-- at the end of a line; not -Hello or --and of prose"""
    cdef uint32_t q = p, name, end
    cdef uint8_t c
    cdef bint letters = True, doubled
    while at(line, q) == c'-':
        q += 1
    if q - p > 2 or not is_word(line, q) or not opens_path(line, p):
        return q
    doubled = q == p + 2
    name = q
    if not is_letter(line, q):
        return q
    while True:
        q = word_run(line.text, q, line.end)
        c = at(line, q)
        if c not in b"-.:" or not is_word(line, q + 1):
            break
        q += 1
    if c == c'-':
        if doubled and at(line, q + 1) == c'-' and ends_line(line, q + 2):
            kind[0] = SPAN_CODE
            return q + 2
        return name
    for end in range(name, q):
        letters = letters and is_letter(line, end)
    end = q
    if c == c'=':
        end = body_end(line, q + 1, line.end)
    kind[0] = SPAN_CODE
    if doubled or c == c'=':
        return end
    if begins_sentence(line, p):
        if not letters:
            kind[0] = SPAN_CODE | SPAN_UNSURE
        elif end - name > 2 or in_list(SHORT_WORDS, line.text + name, end - name):
            kind[0] = SPAN_NONE
            return name
    elif letters and end - name > 3:
        kind[0] = SPAN_CODE | SPAN_UNSURE
    return end


cdef inline uint32_t rooted_end(const Line* line, uint32_t p, int* kind) noexcept nogil:
    """/home/Doc, ~/x, ./x, ../x, .gitignore, {base}/Doc"""
    cdef uint32_t q = p
    cdef Atom atom
    if not opens_path(line, p) and not (line.text[p] == c'/' and before(line, p) == c'}'):
        return p + 1
    if line.text[p] == c'~':
        q += 1
    else:
        while q - p < 2 and at(line, q) == c'.':
            q += 1
    if at(line, q) == c'/':
        scan_atom(line, q, &atom)
        if atom.n_slashes:
            kind[0] = SPAN_ADDRESS
        return atom.end
    if q == p + 1 and line.text[p] == c'.':
        if at(line, q) == c'\\' and is_word(line, q + 1):
            kind[0] = SPAN_ADDRESS
            return windows_path_end(line, q)
        if is_letter(line, q) and is_word(line, q + 1):
            scan_atom(line, q, &atom)
            kind[0] = SPAN_ADDRESS
            return atom.end
    return max(q, p + 1)


# The scan of a line.

cdef inline bint ends_in_word(const Line* line, uint32_t q) noexcept nogil:
    """Whether the code point before q belongs to a word."""
    cdef uint32_t p = q - 1, length
    if line.text[p] < 0x80:
        return word_byte(line.text[p])
    while p > line.begin and q - p < 4 and (line.text[p] & 0xc0) == 0x80:
        p -= 1
    if bits_at(line.text, p, q, &length) & CHAR_WORD and length == q - p:
        return True
    # The last byte may be invalid, and stands for itself.
    return length != q - p and bits_at(line.text, q - 1, q, &length) & CHAR_WORD


cdef inline uint32_t letters_end(const Line* line, uint32_t p) noexcept nogil:
    """End of the ASCII letters from p."""
    cdef uint32_t letters
    while p < line.end:
        # Invariant: 16 bytes behind the line can be read; the caller of `mark_spans` ensures it.
        letters = sixteen(line.text + p).letters
        if letters != 0xffff:
            return min(p + <uint32_t>trailing_zeros(~letters), line.end)
        p += 16
    return line.end


cdef uint32_t next_span(Line* line, uint32_t p, uint32_t* start, int* kind) noexcept nogil:
    """End of the first span from p on; `kind` is SPAN_NONE if the rest of the line has none."""
    cdef uint32_t q, length
    cdef uint8_t c
    cdef Atom atom
    kind[0] = SPAN_NONE
    while p < line.end and not kind[0]:
        c = line.text[p]
        start[0] = p
        if c >= 0x80 and not bits_at(line.text, p, line.end, &length) & CHAR_WORD:
            q = p + length
        elif c >= 0x80 or word_byte(c):
            q = letters_end(line, p)
            if q > p and at(line, q) == c' ':                      # a plain word
                p = q + 1
                line.after_word = False
                continue
            # It is so if the scan of a sign ended within a word.
            if line.after_word:
                q = word_run(line.text, p, line.end)
            else:
                scan_atom(line, p, &atom)
                kind[0] = atom_kind(line, &atom)
                start[0] = atom.start
                q = atom.end
        elif c == c' ':
            q = p + 1
        elif c == c'`':
            q = quoted_end(line, p, kind)
        elif c == c'<':
            q = tag_end(line, p, kind)
        elif c == c'&':
            q = entity_end(line, p, kind)
        elif c == c'{':
            q = braces_end(line, p, kind)
        elif c in b"[]":
            q = link_end(line, p, kind)
        elif c == c'%':
            q = percent_end(line, p, kind)
        elif c == c'\\':
            q = backslash_end(line, p, kind)
        elif c == c'$':
            q = variable_end(line, p, kind)
        elif c == c':':
            q = emoji_end(line, p, kind)
        elif c in b"@#":
            q = tagged_end(line, p, kind)
        elif c == c'-':
            q = option_end(line, p, kind)
        elif c in b"/~.":
            q = rooted_end(line, p, kind)
        else:
            q = p + 1
        line.after_word = ends_in_word(line, q)
        p = q
    return p


cdef inline void flag_tokens(TokenArray* tokens, int32_t* first, uint32_t start, uint32_t end,
                             int kind) noexcept nogil:
    """Flag the tokens that a span touches, from `first` on, and move `first` behind them."""
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


cdef inline void start_line(Line* line, const uint8_t* text, uint32_t begin,
                            uint32_t end) noexcept nogil:
    line.text = text
    line.begin = begin
    line.end = end
    line.after_word = False
    memset(line.no_fence, 0xff, sizeof(line.no_fence))


cdef inline bint is_first(const uint8_t* text, uint32_t begin, uint32_t end, uint32_t first,
                          int kind) noexcept nogil:
    """Whether a scan of the whole line finds the same first span."""
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
    cdef int kind, seen
    cdef bint mixed, lower, in_capitals = False
    cdef Token* token
    start_line(&line, text, begin, end)
    p = next_span(&line, p, &start, &kind)
    check(is_first(text, begin, end, start, kind))
    if kind == SPAN_NONE:
        return
    while kind != SPAN_NONE:
        # A line that is nothing else: no prose.
        if start == begin and p == end:
            kind &= ~<int>SPAN_UNSURE
        flag_tokens(tokens, &first, start, p, kind)
        p = next_span(&line, p, &start, &kind)
    seen = cases_of(text, tokens.tokens, tokens.n, 0, turkic)
    mixed = seen == SEEN_LOWER | SEEN_UPPER
    lower = seen & SEEN_LOWER != 0
    if not mixed and not lower:
        # A line with NASA is in capitals, one with MAX_SIZE only may be not.
        for i in range(tokens.n):
            token = tokens.tokens + i
            in_capitals = in_capitals or (token.tag == TAG_AU and not token.flags & TOKEN_KEEPS)
    for i in range(tokens.n):
        token = tokens.tokens + i
        if token.flags & (TOKEN_KEEPS | TOKEN_UNSURE) == 0:
            continue
        if mixed:
            token.flags |= TOKEN_KEEPS
        elif token.flags & TOKEN_KEEPS and (lower or in_capitals or token.flags & TOKEN_ADDRESS):
            token.flags |= TOKEN_LOWERS
            token.flags &= <uint16_t>~TOKEN_KEEPS
        token.flags &= <uint16_t>~(TOKEN_UNSURE | TOKEN_ADDRESS)


def find_spans(line: bytes) -> list[Span]:
    # Letters after the line expose a scan that reads past its end.
    cdef bytes text = line + b"A" * TEXT_PADDING
    cdef Line state
    cdef uint32_t p = 0, start
    cdef int kind
    if len(line) > 0x7fffff00:
        raise ValueError("a line of 2 GiB or more")
    start_line(&state, text, 0, <uint32_t>len(line))
    spans = []
    while True:
        p = next_span(&state, p, &start, &kind)
        if kind == SPAN_NONE:
            break
        spans.append(Span(start, p, KINDS[kind & SPAN_KIND], bool(kind & SPAN_UNSURE)))
    return spans
