"""Writes text that a model has cased as titles or in upper case."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memchr, memcpy, memset

from truecase.base._memory cimport STATUS_OK, STATUS_OUT_OF_MEMORY, TEXT_PADDING, grow
from truecase.kernels._maps cimport NOT_FOUND, add_key, find_key, free_index
from truecase.kernels._render cimport ROOM_INITIAL, case_room, render_token
from truecase.kernels._segment cimport segment_line
from truecase.kernels._sentences cimport CAPITAL_IRISH, capital_mask
from truecase.kernels._structs cimport (
    CLASS_ALPHABETIC, CLASS_HYPHENATED, TOKEN_CANONICAL, TOKEN_ENDS_SENTENCE, TOKEN_KEEPS,
    TOKEN_LOWERS, TOKEN_MARKUP, KeyIndex, Token, TokenArray
)
from truecase.kernels._tokens cimport (
    SEGMENT_RAW, SEGMENT_SPACE, canonical_code_point, fill_token, free_tokens, hyphen_length
)
from truecase.kernels._unicode cimport (
    CHAR_LETTER, MAX_CODE_POINT, TAG_AL, TAG_AN, TAG_AU, TAG_IU, TAG_MX, class_of, has_case,
    has_no_capital, to_lower, to_title
)

from truecase.kernels._segment import SEGMENTATIONS, hash_of
from truecase.kernels.text import CAPITAL_RULES, capital_rule, is_greek, is_turkic


__all__ = ["StyleWriter"]


cdef enum WordKind:              # values of the index of small words
    WORD_SMALL = 0               # lowercase inside a title
    WORD_NEVER = 1               # part of the word before it: 's, n't


cdef struct StyleJob:
    bint upper                   # every line in upper case; else titles
    bint raises_last             # the last word of a title always begins with a capital
    int max_kept                 # only words of more letters have a title's capital; 0: by rules
    int segmentation
    bint turkic
    bint greek                   # upper case has no accents
    int capital_rule             # CapitalRule
    const KeyIndex* words        # hash of a small word → WordKind
    TokenArray tokens
    uint8_t* out
    size_t n
    size_t capacity


cdef inline bint is_break(const uint8_t* text, const Token* token) noexcept nogil:
    """Whether the word after this mark begins a part of the title: colon, dash, end of sentence."""
    cdef uint32_t n = token.end - token.start
    cdef const uint8_t* p = text + token.start
    if token.flags & TOKEN_ENDS_SENTENCE:
        return True
    if n == 1:
        return p[0] == 0x3a
    if n == 2:
        return p[0] == 0x2d and p[1] == 0x2d
    # — and –
    return n == 3 and p[0] == 0xe2 and p[1] == 0x80 and (p[2] == 0x93 or p[2] == 0x94)


cdef inline uint32_t kind_of(const StyleJob* job, uint64_t key) noexcept nogil:
    return find_key(job.words, key)


cdef uint64_t title_parts(const StyleJob* job, const uint8_t* text, const Token* token,
                          int* tag) noexcept nogil:
    """Case of a hyphenated word in a title: each part raised, but for small words inside it."""
    cdef uint32_t p = token.start, part_start = token.start, length, cp, hyphen
    cdef uint32_t i = 0, n_raised = 0
    cdef uint64_t mask = 0
    cdef bint raise_part = True, done = False, is_last, is_first = True, has_initial = False
    cdef Token part
    while p < token.end:
        hyphen = hyphen_length(text, p, token.end)
        if hyphen:
            p += hyphen
            i += 1
            memset(&part, 0, sizeof(Token))
            part_start = p
            part.start = p
            while p < token.end and not hyphen_length(text, p, token.end):
                p += 1
            part.end = p
            is_last = p >= token.end
            p = part_start
            part.flags = token.flags
            raise_part = True
            if part.end > part.start and not is_last:
                fill_token(text, &part, job.turkic)
                raise_part = kind_of(job, part.key) != WORD_SMALL
            done = False
            continue
        cp = canonical_code_point(text, p, token.end, token.flags, &length)
        if not done and has_case(cp, job.turkic):
            done = True
            cp = to_lower(cp, job.turkic)
            # Georgian letters have no capital for a word's start.
            if raise_part and i < 63 and to_title(cp, job.turkic) != cp:
                mask |= <uint64_t>1 << i
                n_raised += 1
                has_initial |= is_first
            is_first = False
        elif cp > MAX_CODE_POINT or (not done and has_no_capital(cp, job.turkic)):
            done = True
            is_first = False
        p += length
        i += 1
    if n_raised > 1 or (n_raised == 1 and not has_initial):
        tag[0] = TAG_MX
    elif n_raised == 1:
        tag[0] = TAG_IU
    else:
        tag[0] = token.tag
    return mask


cdef inline bint takes_capital(const StyleJob* job, const uint8_t* text,
                               const Token* token) noexcept nogil:
    """Whether titles may raise a word: no address, number or clitic, nor what a model decides."""
    if token.flags & (TOKEN_CANONICAL | TOKEN_KEEPS | TOKEN_LOWERS):
        return False
    if token.word_class == CLASS_HYPHENATED:
        return token.tag == TAG_AL or token.tag == TAG_IU
    return (token.word_class == CLASS_ALPHABETIC and token.tag == TAG_AL
            and kind_of(job, token.key) != WORD_NEVER)


cdef int write_token(StyleJob* job, const uint8_t* text, const Token* token, int tag,
                     uint64_t mask, uint32_t* copied) noexcept nogil:
    """Copy the text up to a token, and the token in another case; a Status."""
    cdef uint32_t gap = token.start - copied[0]
    # Rendering may touch 2 * length + 4 bytes, whole words of eight at a time.
    cdef size_t wanted = job.n + gap + 2 * <size_t>(token.end - token.start) + 16
    if wanted > job.capacity:
        wanted += wanted >> 1
        if grow(<void**>&job.out, wanted, 1) != STATUS_OK:
            return STATUS_OUT_OF_MEMORY
        job.capacity = wanted
    memcpy(job.out + job.n, text + copied[0], gap)
    job.n += gap
    job.n += render_token(text, token, tag, mask, job.turkic, job.out + job.n)
    copied[0] = token.end
    return STATUS_OK


cdef inline uint64_t irish_capitals(const uint8_t* text, const Token* token) noexcept nogil:
    """The letters that upper case raises in a word with an Irish prefix; 0: all.

    A prefix shows by its letters, or by the case of the word: ``na hÉireann``.
    """
    cdef uint64_t first = capital_mask(text + token.start, token.end - token.start, CAPITAL_IRISH)
    if token.n_code_points > 62:
        return 0
    if not first and token.tag == TAG_MX and token.upper_mask & 3 == 2 and (
            text[token.start] == 0x68 or text[token.start] == 0x6e or text[token.start] == 0x74):
        first = 2
    return ~(first - 1) if first else 0


cdef int upper_line(StyleJob* job, const uint8_t* text, uint32_t* copied) noexcept nogil:
    cdef int32_t i
    cdef int status
    cdef const Token* token
    cdef uint64_t mask
    cdef size_t written
    for i in range(job.tokens.n):
        token = job.tokens.tokens + i
        if token.tag != TAG_AN and (token.tag != TAG_AU or job.greek) and not (
                token.flags & (TOKEN_KEEPS | TOKEN_LOWERS)):
            mask = irish_capitals(text, token) if job.capital_rule == CAPITAL_IRISH else 0
            written = job.n + (token.start - copied[0])
            status = write_token(job, text, token, TAG_MX if mask else TAG_AU, mask, copied)
            if status != STATUS_OK:
                return status
            if job.greek:
                drop_accents(job.out + written, <uint32_t>(job.n - written))
    return STATUS_OK


cdef inline int count_letters(const StyleJob* job, const uint8_t* text,
                              const Token* token) noexcept nogil:
    """Letters of a word, without apostrophes, hyphens and marks."""
    cdef uint32_t p = token.start, length, cp
    cdef int n = 0
    while p < token.end:
        cp = canonical_code_point(text, p, token.end, token.flags, &length)
        if cp <= MAX_CODE_POINT and class_of(cp) & CHAR_LETTER:
            n += 1
        p += length
    return n


cdef int long_words_line(StyleJob* job, const uint8_t* text, uint32_t* copied) noexcept nogil:
    """Raise the first letter of words that have more than `max_kept` letters; a Status."""
    cdef const Token* token
    cdef uint64_t mask
    cdef int32_t i
    cdef int status
    for i in range(job.tokens.n):
        token = job.tokens.tokens + i
        if token.tag != TAG_AL or not takes_capital(job, text, token) or (
                not case_room(text, token, job.turkic) & ROOM_INITIAL):
            continue
        if count_letters(job, text, token) <= job.max_kept:
            continue
        mask = capital_mask(text + token.start, token.end - token.start, job.capital_rule)
        status = write_token(job, text, token, TAG_MX if mask else TAG_IU, mask, copied)
        if status != STATUS_OK:
            return status
    return STATUS_OK


cdef int title_line(StyleJob* job, const uint8_t* text, uint32_t* copied) noexcept nogil:
    """Raise the words of a line that a title raises; a Status."""
    cdef const Token* token
    cdef int32_t i, last = -1
    cdef bint begins = True
    cdef uint64_t mask
    cdef int tag, status
    for i in range(job.tokens.n):
        token = job.tokens.tokens + i
        if token.tag != TAG_AN and kind_of(job, token.key) != WORD_NEVER and not (
                token.flags & TOKEN_MARKUP):
            last = i
    for i in range(job.tokens.n):
        token = job.tokens.tokens + i
        if token.flags & TOKEN_MARKUP:
            continue
        if token.tag == TAG_AN:
            if is_break(text, token):
                begins = True
            continue
        if takes_capital(job, text, token) and (
                begins or (job.raises_last and i == last) or kind_of(job, token.key) != WORD_SMALL):
            mask = 0
            tag = TAG_IU
            if token.word_class == CLASS_HYPHENATED:
                mask = title_parts(job, text, token, &tag)
            elif not case_room(text, token, job.turkic) & ROOM_INITIAL:
                tag = token.tag
            else:
                mask = capital_mask(text + token.start, token.end - token.start,
                                    job.capital_rule)
                if mask:
                    tag = TAG_MX
            if tag != token.tag or tag == TAG_MX:
                status = write_token(job, text, token, tag, mask, copied)
                if status != STATUS_OK:
                    return status
        begins = False
    return STATUS_OK


cdef int style_lines(StyleJob* job, const uint8_t* text, uint32_t size,
                     const uint8_t* wanted) noexcept nogil:
    """Rewrite every line of a padded text, or those that are `wanted`; a Status."""
    cdef uint32_t begin = 0, end, copied = 0
    cdef int64_t line = 0
    cdef const void* newline
    cdef int status
    while begin < size:
        newline = memchr(text + begin, 0x0a, size - begin)
        end = size if newline == NULL else <uint32_t>(<const uint8_t*>newline - text)
        if wanted == NULL or wanted[line]:
            status = segment_line(text, begin, end, job.segmentation, job.turkic, &job.tokens)
            if status == STATUS_OK:
                if job.upper:
                    status = upper_line(job, text, &copied)
                elif job.max_kept:
                    status = long_words_line(job, text, &copied)
                else:
                    status = title_line(job, text, &copied)
            if status != STATUS_OK:
                return status
        line += 1
        begin = end + 1
    if job.n + (size - copied) > job.capacity:
        if grow(<void**>&job.out, job.n + (size - copied), 1) != STATUS_OK:
            return STATUS_OUT_OF_MEMORY
    memcpy(job.out + job.n, text + copied, size - copied)
    job.n += size - copied
    return STATUS_OK


cdef class StyleWriter:
    """Rewrites the case of lines that a model has cased as sentences.

    Parameters
    ----------
    segmentation : {"raw", "space"}
    language : str
        It chooses case mappings (Turkish, Azeri), capitals (Dutch, Irish) and accents (Greek).
    small_words, clitics : iterable of bytes
        Lowercase words that stay so inside titles, and words that belong to the word before.
    raises_last, max_kept
        As for `truecase.rules.styles.TitleGuide`.
    """

    cdef KeyIndex words
    cdef int segmentation
    cdef bint turkic
    cdef bint greek
    cdef int capital_rule
    cdef bint raises_last
    cdef int max_kept

    def __cinit__(self, str segmentation="raw", str language="", small_words=(), clitics=(),
                  bint raises_last=True, int max_kept=0):
        if segmentation not in SEGMENTATIONS:
            raise ValueError(f"segmentation {segmentation!r}: expected 'space' or 'raw'")
        self.segmentation = SEGMENT_RAW if segmentation == "raw" else SEGMENT_SPACE
        self.turkic = is_turkic(language)
        self.greek = is_greek(language)
        self.capital_rule = CAPITAL_RULES[capital_rule(language)]
        self.raises_last = raises_last
        self.max_kept = max_kept
        for kind, words in ((WORD_SMALL, small_words), (WORD_NEVER, clitics)):
            for word in words:
                key = hash_of(word)
                if find_key(&self.words, key) == NOT_FOUND:
                    if add_key(&self.words, key, kind) != STATUS_OK:
                        raise MemoryError

    def __dealloc__(self):
        free_index(&self.words)

    cdef object _run(self, bytes block, bint upper, const uint8_t[::1] lines):
        cdef StyleJob job
        cdef size_t n = len(block)
        cdef const uint8_t* data = block
        cdef const uint8_t* wanted = NULL
        cdef uint8_t* text
        cdef int status = STATUS_OUT_OF_MEMORY
        if n > <size_t>0x7fffff00:
            raise ValueError("a block of 2 GiB or more: hand over fewer lines at a time")
        if lines is not None:
            if lines.shape[0] != block.count(b"\n") + (n > 0 and not block.endswith(b"\n")):
                raise ValueError("one entry for each line expected")
            if lines.shape[0]:
                wanted = &lines[0]
        if n == 0:
            return b""
        memset(&job, 0, sizeof(StyleJob))
        job.upper = upper
        job.raises_last = self.raises_last
        job.max_kept = self.max_kept
        job.segmentation = self.segmentation
        job.turkic = self.turkic
        job.greek = self.greek
        job.capital_rule = self.capital_rule
        job.words = &self.words
        try:
            with nogil:
                text = <uint8_t*>malloc(n + TEXT_PADDING)
                if text != NULL:
                    memcpy(text, data, n)
                    memset(text + n, 0x0a, TEXT_PADDING)
                    status = style_lines(&job, text, <uint32_t>n, wanted)
                free(text)
                free_tokens(&job.tokens)
            if status != STATUS_OK:
                raise MemoryError("out of memory while changing case")
            return PyBytes_FromStringAndSize(<char*>job.out, job.n)
        finally:
            free(job.out)

    def title(self, bytes block not None, const uint8_t[::1] lines=None):
        """Lines as titles, all or those whose entry in `lines` is not 0."""
        return self._run(block, False, lines)

    def upper(self, bytes block not None):
        """Lines in upper case."""
        return self._run(block, True, None)
