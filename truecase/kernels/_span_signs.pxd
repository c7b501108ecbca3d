"""Spans that begin with a sign: code in back quotes, tags, placeholders, options, paths.

A function for each sign: where the span ends that begins at p, and its kind; or SPAN_NONE, and how
far the sign was looked at.
"""

from libc.stdint cimport uint32_t, uint8_t

from truecase.kernels._span_atoms cimport (
    APOSTROPHE,
    AT,
    BACKQUOTE,
    BACKSLASH,
    BANG,
    BAR,
    BLANK,
    COLON,
    COMMA,
    CURLY,
    CURLY_END,
    CURRENCIES,
    DOLLAR,
    DOT,
    ELEMENTS,
    EQUALS,
    GREATER,
    HASH,
    HYPHEN,
    LESS,
    MAX_FENCE,
    PERCENT,
    PLUS,
    QUESTION,
    QUOTE,
    ROUND,
    ROUND_END,
    SEMICOLON,
    SHORT_WORDS,
    SLASH,
    SQUARE,
    SQUARE_END,
    STAR,
    TILDE,
    UNDERSCORE,
    Atom,
    Line,
    ascii_run,
    at,
    before,
    body_end,
    is_blank,
    is_digit,
    is_letter,
    is_word,
    scan_atom,
    windows_path_end,
    word_byte,
)
from truecase.kernels._spans cimport SPAN_ADDRESS, SPAN_CODE, SPAN_MARKUP, SPAN_NONE, SPAN_UNSURE
from truecase.kernels._tokens cimport in_list, word_run


cdef enum:
    MAX_INSIDE = 200             # bytes between braces or brackets
    MAX_TAG = 2000               # bytes between < and >
    MAX_NAME = 60
    MAX_ENTITY = 32


cdef inline bint opens_path(const Line* line, uint32_t p) noexcept nogil:
    """Whether a path or an option may begin at p for what is before it."""
    cdef uint8_t c = before(line, p)
    if c >= 0x80:
        return not line.after_word
    return is_blank(c) or c == ROUND or c == SQUARE or c == CURLY or c == LESS or (
        c == GREATER or c == QUOTE or c == APOSTROPHE or c == BACKQUOTE or c == EQUALS
        or c == COLON or c == COMMA or c == BAR or c == STAR)


cdef inline uint32_t quoted_end(Line* line, uint32_t p, int* kind) noexcept nogil:
    """`code` and ``code``; not ``so'', and no apostrophe: end of the run at p if there is none."""
    cdef uint32_t q = p, run, n
    cdef uint8_t c
    while at(line, q) == BACKQUOTE:
        q += 1
    n = q - p
    kind[0] = SPAN_NONE
    if n > MAX_FENCE or line.after_word or is_blank(at(line, q)) or p >= line.no_fence[n]:
        return q
    run = q
    while True:
        while run < line.end and line.text[run] != BACKQUOTE:
            run += 1
        if run >= line.end:
            line.no_fence[n] = q
            return q
        p = run
        while at(line, run) == BACKQUOTE:
            run += 1
        if run - p == n:
            break
    # `foo' or `bar': the second one opens, too. `Foo`s is a plural.
    if is_blank(line.text[p - 1]):
        return q
    c = at(line, run)
    if is_word(line, run) and not (c | 0x20 == 0x73 and not is_word(line, run + 1)):
        return q
    kind[0] = SPAN_CODE
    return run


cdef inline uint32_t tag_end(const Line* line, uint32_t p, int* kind) noexcept nogil:
    """<i>, </i>, <a href="…">, <!DOCTYPE html>, <your name>"""
    cdef uint32_t q = p + 1, name, name_end, limit
    cdef uint8_t c
    kind[0] = SPAN_NONE
    if at(line, q) == SLASH or at(line, q) == BANG or at(line, q) == QUESTION:
        q += 1
    if not is_letter(line, q):
        return p + 1
    name = q
    while q < line.end and word_byte(line.text[q]) and line.text[q] != UNDERSCORE:
        q += 1
    name_end = q
    limit = min(line.end, p + MAX_TAG)
    while q < limit and line.text[q] != LESS and line.text[q] != GREATER:
        q += 1
    if q >= limit or line.text[q] != GREATER:
        return p + 1
    kind[0] = SPAN_CODE
    c = line.text[name_end]
    if name > p + 1 or (c == COLON and is_letter(line, name_end + 1)) or (
            in_list(ELEMENTS, line.text + name, name_end - name)
            and (c == GREATER or c == SLASH or is_blank(c))):
        kind[0] = SPAN_MARKUP
    return q + 1


cdef inline uint32_t entity_end(const Line* line, uint32_t p, int* kind) noexcept nogil:
    """&nbsp; &#160; &#xA0; and not AT&T;"""
    cdef bint numbered = at(line, p + 1) == HASH
    cdef uint32_t name = p + 1 + numbered, q = name
    while q - name < MAX_ENTITY and q < line.end and word_byte(line.text[q]) and (
            line.text[q] != UNDERSCORE):
        q += 1
    kind[0] = SPAN_NONE
    if at(line, q) != SEMICOLON or (q == name if numbered else (
            q < name + 2 or not is_letter(line, name))):
        return p + 1
    kind[0] = SPAN_MARKUP
    return q + 1


cdef inline uint32_t closing(const Line* line, uint32_t p, uint8_t open, uint8_t close,
                             bint blanks) noexcept nogil:
    """Place of the closing sign of what goes on at p, without others within; 0 if there is none."""
    cdef uint32_t q = p, limit = min(line.end, p + MAX_INSIDE)
    while q < limit and line.text[q] != close:
        if line.text[q] == open or (is_blank(line.text[q]) and not blanks):
            return 0
        q += 1
    return q if q < limit and q > p else 0


cdef inline uint32_t braces_end(const Line* line, uint32_t p, int* kind) noexcept nogil:
    r"""{name} {0} {\an8} {{ page.title }} {% if a %}; not \textbf{word}"""
    cdef uint32_t q
    cdef uint8_t c = at(line, p + 1)
    kind[0] = SPAN_CODE
    if c == CURLY:
        q = closing(line, p + 2, CURLY, CURLY_END, True)
        if q and at(line, q + 1) == CURLY_END:
            return q + 2
    elif c == PERCENT or c == BACKSLASH or (is_letter(line, p + 1) and at(line, p + 2) == COLON):
        q = closing(line, p + 1, CURLY, CURLY_END, True)
        if q:
            if c != PERCENT:
                kind[0] = SPAN_MARKUP
            return q + 1
    elif not line.after_word:
        q = closing(line, p + 1, CURLY, CURLY_END, False)
        if q:
            return q + 1
    kind[0] = SPAN_NONE
    return p + 1


cdef inline uint32_t link_end(const Line* line, uint32_t p, int* kind) noexcept nogil:
    """[[Page|text]], and (destination) after [text]"""
    cdef uint32_t q
    kind[0] = SPAN_NONE
    if line.text[p] == SQUARE:
        if at(line, p + 1) != SQUARE:
            return p + 1
        q = closing(line, p + 2, SQUARE, SQUARE_END, True)
        if not q or at(line, q + 1) != SQUARE_END:
            return p + 1
        kind[0] = SPAN_CODE
        return q + 2
    if at(line, p + 1) != ROUND:
        return p + 1
    q = body_end(line, p + 2, p + MAX_TAG)
    if q == p + 2 or not (at(line, q) == ROUND_END or (
            at(line, q) == BLANK and (at(line, q + 1) == QUOTE or at(line, q + 1) == APOSTROPHE))):
        return p + 1
    kind[0] = SPAN_ADDRESS
    return q


cdef inline uint32_t percent_end(const Line* line, uint32_t p, int* kind) noexcept nogil:
    """%s %1$s %-5.2f %(name)s %NAME% %@; not 5%d"""
    cdef uint32_t q = p + 1, end
    cdef uint8_t c
    kind[0] = SPAN_NONE
    if line.after_word or before(line, p) == PERCENT:
        return q
    if at(line, q) == ROUND:
        end = q + 1
        while end - q < MAX_NAME and (word_byte(at(line, end)) or at(line, end) == DOT):
            end += 1
        if end == q + 1 or at(line, end) != ROUND_END:
            return p + 1
        q = end + 1
    elif at(line, q) == UNDERSCORE or is_letter(line, q):
        end = ascii_run(line, q)
        if end - q <= MAX_NAME and at(line, end) == PERCENT:
            kind[0] = SPAN_CODE
            return end + 1
    elif is_digit(line, q):
        end = q
        while is_digit(line, end) and end - q < 4:
            end += 1
        if at(line, end) == DOLLAR:
            q = end + 1
    end = q
    while end - q < 3 and (at(line, end) == HYPHEN or at(line, end) == PLUS
                           or at(line, end) == HASH or at(line, end) == 0x30
                           or at(line, end) == APOSTROPHE):
        end += 1
    q = end
    while is_digit(line, end) and end - q < 4:
        end += 1
    if at(line, end) == DOT and is_digit(line, end + 1):
        end += 1
        q = end
        while is_digit(line, end) and end - q < 4:
            end += 1
    q = end
    c = at(line, q) | 0x20
    if c == 0x68 or c == 0x6c:                                     # h, hh, l, ll, L
        q += 1 + (at(line, q + 1) == at(line, q))
    elif c == 0x71 or c == 0x6a or c == 0x7a or c == 0x74:         # q, j, z, t
        q += 1
    if not is_letter(line, q):
        q = end
    if not (is_letter(line, q) or at(line, q) == AT) or is_word(line, q + 1):
        return p + 1
    kind[0] = SPAN_CODE
    return q + 1


cdef inline uint32_t backslash_end(const Line* line, uint32_t p, int* kind) noexcept nogil:
    r"""\\server\share, \n, \alpha"""
    cdef uint32_t q = p + 1
    kind[0] = SPAN_NONE
    if at(line, q) == BACKSLASH and is_word(line, q + 1) and opens_path(line, p):
        kind[0] = SPAN_ADDRESS
        return windows_path_end(line, q + 1)
    while is_letter(line, q):
        q += 1
    if q > p + 1:
        kind[0] = SPAN_MARKUP if q == p + 2 else SPAN_CODE
    return q


cdef inline uint32_t variable_end(const Line* line, uint32_t p, int* kind) noexcept nogil:
    """$name; not $US, $A50"""
    cdef uint32_t q = p + 1, letters
    kind[0] = SPAN_NONE
    if line.after_word or not (is_letter(line, q) or at(line, q) == UNDERSCORE):
        return q
    letters = q
    while is_letter(line, letters):
        letters += 1
    q = ascii_run(line, q)
    if at(line, letters) != UNDERSCORE and in_list(CURRENCIES, line.text + p + 1, letters - p - 1):
        return q
    kind[0] = SPAN_CODE
    return q


cdef inline uint32_t tagged_end(const Line* line, uint32_t p, int* kind) noexcept nogil:
    """@name, @scope/name, #tag, #see-also; not #1"""
    cdef uint32_t q = word_run(line.text, p + 1, line.end), i
    cdef uint8_t c
    cdef bint letter = False
    kind[0] = SPAN_NONE
    if q == p + 1 or line.after_word or before(line, p) == line.text[p]:
        return q
    for i in range(p + 1, q):
        c = line.text[i]
        letter = letter or c >= 0x80 or is_letter(line, i)
    if not letter:
        return q
    kind[0] = SPAN_ADDRESS
    if is_letter(line, p + 1):
        while is_word(line, q + 1) and (at(line, q) == HYPHEN or (
                line.text[p] == AT and (at(line, q) == DOT or at(line, q) == SLASH))):
            q = word_run(line.text, q + 1, line.end)
    return q


cdef inline bint begins_sentence(const Line* line, uint32_t p) noexcept nogil:
    """Whether nothing, an end mark, a colon or a quote is before p, but for white space."""
    cdef uint8_t c
    while p > line.begin and is_blank(line.text[p - 1]):
        p -= 1
    c = before(line, p)
    return p == line.begin or c == DOT or c == BANG or c == QUESTION or c == COLON or (
        c == QUOTE or c == GREATER or c == APOSTROPHE or c >= 0x80)


cdef inline bint ends_line(const Line* line, uint32_t p) noexcept nogil:
    """Whether nothing but blanks comes from p on."""
    while p < line.end:
        if not is_blank(line.text[p]):
            return False
        p += 1
    return True


cdef inline uint32_t option_end(const Line* line, uint32_t p, int* kind) noexcept nogil:
    """--flag, --key=value, -l, -la; not -Hello or --and with which a line or an aside begins

    And --snip-- at the end of a line, where code is left out.
    """
    cdef uint32_t q = p, name, end
    cdef uint8_t c
    cdef bint letters = True, doubled
    while at(line, q) == HYPHEN:
        q += 1
    kind[0] = SPAN_NONE
    if q - p > 2 or not is_word(line, q) or not opens_path(line, p):
        return q
    doubled = q == p + 2
    name = q
    if not is_letter(line, q):
        return q
    while True:
        q = word_run(line.text, q, line.end)
        c = at(line, q)
        if not (c == HYPHEN or c == DOT or c == COLON) or not is_word(line, q + 1):
            break
        q += 1
    if c == HYPHEN:
        if doubled and at(line, q + 1) == HYPHEN and ends_line(line, q + 2):
            kind[0] = SPAN_CODE
            return q + 2
        return name
    for end in range(name, q):
        letters = letters and is_letter(line, end)
    end = q
    if c == EQUALS:
        end = body_end(line, q + 1, line.end)
    kind[0] = SPAN_CODE
    if doubled or c == EQUALS:
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
    kind[0] = SPAN_NONE
    if not opens_path(line, p) and not (
            line.text[p] == SLASH and before(line, p) == CURLY_END):
        return p + 1
    if line.text[p] == TILDE:
        q += 1
    else:
        while q - p < 2 and at(line, q) == DOT:
            q += 1
    if at(line, q) == SLASH:
        scan_atom(line, q, &atom)
        if atom.n_slashes == 0:
            return atom.end
        kind[0] = SPAN_ADDRESS
        return atom.end
    if q == p + 1 and line.text[p] == DOT:
        if at(line, q) == BACKSLASH and is_word(line, q + 1):
            kind[0] = SPAN_ADDRESS
            return windows_path_end(line, q)
        if is_letter(line, q) and is_word(line, q + 1):
            scan_atom(line, q, &atom)
            kind[0] = SPAN_ADDRESS
            return atom.end
    return max(q, p + 1)
