"""Words in letters with case within a text in a script that has none.

Chinese, Japanese or Thai stands without spaces: 腾讯与NBA签署了协议 is one token, whose only
letters with case are those of an acronym. Runs of letters with case are words of such a source by
themselves; the rest of the token has no case and says nothing of it.
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t
from libc.string cimport memmove

from truecase.runtime._status cimport STATUS_OK
from truecase.text._casing cimport CHAR_CASED, CHAR_LETTER, TAG_AN, class_of
from truecase.text._token cimport (
    CLASS_OTHER,
    CLASS_QUANTITY,
    TOKEN_ADDRESS,
    TOKEN_ASCII,
    TOKEN_CANONICAL,
    TOKEN_KEEPS,
    TOKEN_LOWERS,
    TOKEN_MARKUP,
    TOKEN_SPACE_BEFORE,
    TOKEN_VARIANT,
    Token,
    TokenArray,
    describe,
    reserve_tokens,
)
from truecase.text._utf8 cimport decode


cdef enum:
    # Letters without case before it are parts of Latin words: the ʻ of Hawaiʻi, the º of 2º.
    FIRST_CASELESS = 0x590


cdef enum Script:
    SCRIPT_NONE = 0              # marks and digits: they go with the letters before them
    SCRIPT_CASED = 1
    SCRIPT_CASELESS = 2


cdef enum Letters:
    LETTERS_NONE = 0
    LETTERS_LATIN = 1
    LETTERS_OTHER = 2


cdef inline int script_of(uint32_t cp) noexcept nogil:
    cdef uint8_t bits = class_of(cp)
    if bits & CHAR_CASED:
        return SCRIPT_CASED
    return SCRIPT_CASELESS if bits & CHAR_LETTER and cp >= FIRST_CASELESS else SCRIPT_NONE


cdef inline bint is_latin(uint32_t cp) noexcept nogil:
    """Whether a letter is Latin."""
    return (cp < 0x370 or 0x1e00 <= cp < 0x1f00 or 0x2c60 <= cp < 0x2c80 or 0xa720 <= cp < 0xa800
            or 0xff21 <= cp < 0xff5b)


cdef inline int letters_of(const uint8_t* text, const Token* token) noexcept nogil:
    """The Letters that a token begins with; LETTERS_NONE if it has none."""
    cdef uint32_t p = token.start, length, cp
    if token.word_class == CLASS_QUANTITY or (token.tag == TAG_AN
                                              and token.word_class == CLASS_OTHER):
        return LETTERS_NONE
    if token.flags & TOKEN_ASCII:
        return LETTERS_LATIN
    while p < token.end:
        cp = decode(text + p, text + token.end, &length)
        if class_of(cp) & CHAR_LETTER:
            return LETTERS_LATIN if is_latin(cp) else LETTERS_OTHER
        p += length
    return LETTERS_NONE


cdef inline int other_letters(int letters) noexcept nogil:
    """Latin for other letters, and the other way round."""
    if letters == LETTERS_NONE:
        return LETTERS_NONE
    return LETTERS_OTHER if letters == LETTERS_LATIN else LETTERS_LATIN


cdef inline uint32_t run_end(const uint8_t* text, uint32_t begin, uint32_t end) noexcept nogil:
    """End of the letters of one kind that begin at `begin`, with what follows up to other ones."""
    cdef uint32_t p = begin, length
    cdef int kind = SCRIPT_NONE, script
    while p < end:
        script = script_of(decode(text + p, text + end, &length))
        if script != SCRIPT_NONE:
            if kind != SCRIPT_NONE and script != kind:
                return p
            kind = script
        p += length
    return end


cdef inline int32_t n_runs(const uint8_t* text, const Token* token) noexcept nogil:
    """Tokens that a token is cut into."""
    cdef uint32_t p = token.start
    cdef int32_t n = 0
    if token.tag == TAG_AN or token.flags & (
            TOKEN_ASCII | TOKEN_CANONICAL | TOKEN_KEEPS | TOKEN_LOWERS | TOKEN_MARKUP
            | TOKEN_ADDRESS):
        return 1
    while p < token.end:
        p = run_end(text, p, token.end)
        n += 1
    return n


cdef inline int split_scripts(const uint8_t* text, bint turkic,
                              TokenArray* tokens) noexcept nogil:
    """Cut tokens between letters with case and letters of a script without; a Status."""
    cdef int32_t i, at = 0, extra = 0, n
    cdef uint32_t p, end
    cdef Token token
    cdef Token* run
    cdef int status
    for i in range(tokens.n):
        extra += n_runs(text, tokens.tokens + i) - 1
    if extra == 0:
        return STATUS_OK
    status = reserve_tokens(tokens, extra)
    if status != STATUS_OK:
        return status
    # From the end of the room on: what is written never overtakes what is read.
    memmove(tokens.tokens + extra, tokens.tokens, tokens.n * sizeof(Token))
    n = tokens.n
    tokens.n += extra
    for i in range(extra, extra + n):
        token = tokens.tokens[i]
        if n_runs(text, &token) == 1:
            tokens.tokens[at] = token
            at += 1
            continue
        p = token.start
        while p < token.end:
            end = run_end(text, p, token.end)
            run = tokens.tokens + at
            run.start = p
            run.end = end
            run.flags = token.flags & TOKEN_VARIANT
            if p == token.start:
                run.flags |= token.flags & TOKEN_SPACE_BEFORE
            describe(text, run, turkic)
            at += 1
            p = end
    return STATUS_OK
