"""URLs, e-mail addresses, paths, domain and file names, for segmentation.

Each function gives the end of an address at p in a chunk without white space, or 0.
"""

from libc.stdint cimport uint32_t, uint8_t
from libc.string cimport memset

from truecase.kernels._tokens cimport ascii_digit, ascii_letter, bits_at, in_list, word_at
from truecase.kernels._unicode cimport CHAR_LETTER, CHAR_MARK, CHAR_WORD


cdef extern from *:
    """
    /* Top-level domains and file name extensions that are no common English words. */
    static const char truecase_suffixes[] =
        " com org net edu gov mil int info biz io co uk us de fr es pt nl se dk fi pl cz ru"
        " ua eu ch ca br mx ar au nz jp cn kr tv fm ai ie gr hu ro tr az ly gg app dev xyz"
        " txt pdf doc docx xls xlsx ppt pptx odt csv tsv xml html htm css js ts json yaml"
        " yml toml ini cfg conf log md rst tex py pyx pxd ipynb java jar cpp cc hpp hxx cs"
        " vb ps psm psd php rb rs lua sh bat exe dll lib sql db zip tar gz bz xz rar iso"
        " png jpg jpeg gif svg bmp ico wav avi mov mkv flac ogg aspx asp jsp cgi ";
    """
    const char* KNOWN_SUFFIXES "truecase_suffixes"


cdef enum AddressHint:           # bytes of the chunk that addresses have
    HINT_DOT = 1
    HINT_SLASH = 2
    HINT_AT = 4


cdef inline bint alphanumeric(const uint8_t* text, uint32_t p, uint32_t end) noexcept nogil:
    return ascii_letter(text, p, end) or ascii_digit(text, p, end)


cdef inline int bracket(uint8_t c) noexcept nogil:
    """1, 2, 3 for an opening bracket, -1, -2, -3 for the closing ones, else 0."""
    if c == c'(':
        return 1
    if c == c')':
        return -1
    if c == c'[':
        return 2
    if c == c']':
        return -2
    if c == c'{':
        return 3
    return -3 if c == c'}' else 0


cdef inline uint32_t url_body_end(const uint8_t* text, uint32_t p, uint32_t end) noexcept nogil:
    """End of a URL's rest from p: before a quote or angle bracket, and final punctuation."""
    cdef uint32_t q = p
    cdef int depth[4]
    cdef int kind
    cdef uint8_t c
    memset(depth, 0, sizeof(depth))
    while q < end:
        c = text[q]
        if c in b'"<>`|^':
            break
        if c == 0xe2 and end - q >= 3 and text[q + 1] == 0x80:         # curly quotes, dashes
            break
        if c == 0xc2 and end - q >= 2 and text[q + 1] in (0xab, 0xbb):
            break
        kind = bracket(c)
        if kind > 0:
            depth[kind] += 1
        elif kind < 0:
            depth[-kind] -= 1
        q += 1
    while q > p:
        c = text[q - 1]
        kind = bracket(c)
        if kind < 0 and depth[-kind] < 0:
            depth[-kind] += 1
        elif c not in b".,;:!?'*":
            break
        q -= 1
    return q


cdef inline uint32_t url_end(const uint8_t* text, uint32_t p, uint32_t end) noexcept nogil:
    """scheme://…, www.…"""
    cdef uint32_t q = p, after
    if end - p > 4 and in_list(" www ", text + p, 3) and text[p + 3] == c'.':
        if alphanumeric(text, p + 4, end):
            return url_body_end(text, p, end)
    if not ascii_letter(text, p, end):
        return 0
    while q - p < 16 and (alphanumeric(text, q, end) or (q < end and (
            text[q] == c'+' or text[q] == c'-'))):
        q += 1
    if end - q > 3 and text[q] == c':' and text[q + 1] == c'/' and text[q + 2] == c'/':
        after = url_body_end(text, q + 3, end)
        return after if after > q + 3 else 0
    return 0


cdef inline uint32_t email_end(const uint8_t* text, uint32_t p, uint32_t end) noexcept nogil:
    cdef uint32_t q = p, label
    cdef bint dotted = False
    if not alphanumeric(text, p, end):
        return 0
    while q < end and (alphanumeric(text, q, end) or text[q] in b"._+-%"):
        q += 1
    if q >= end or text[q] != c'@':
        return 0
    while True:
        q += 1                                             # past @ or a period
        label = q
        while alphanumeric(text, q, end) or (q < end and text[q] == c'-' and q > label
                                             and alphanumeric(text, q + 1, end)):
            q += 1
        if q == label:
            return 0
        if not (q < end and text[q] == c'.' and alphanumeric(text, q + 1, end)):
            break
        dotted = True
    return q if dotted and not word_at(text, q, end) else 0


cdef inline uint32_t name_end(const uint8_t* text, uint32_t p, uint32_t end) noexcept nogil:
    """End of one label of a domain or file name: word characters and inner hyphens."""
    cdef uint32_t q = p, length
    while q < end:
        if text[q] == c'-':
            if q == p or not word_at(text, q + 1, end):
                break
            q += 1
        elif text[q] == c'_':
            q += 1
        else:
            if not bits_at(text, q, end, &length) & CHAR_WORD:
                break
            q += length
    return q


cdef inline uint32_t ascii_label(const uint8_t* text, uint32_t p, uint32_t end) noexcept nogil:
    """Length of a label of ASCII letters only; else 0."""
    cdef uint32_t q
    for q in range(p, end):
        if not ascii_letter(text, q, end):
            return 0
    return end - p


cdef inline uint32_t dotted_name_end(const uint8_t* text, uint32_t p, uint32_t end) noexcept nogil:
    """example.com, main.cpp, .net, os.path.join; with /… after a domain."""
    cdef uint32_t q, label = p, n_labels = 1, shortest
    cdef bint known
    if text[p] == c'.':
        q = name_end(text, p + 1, end)
        known = in_list(KNOWN_SUFFIXES, text + p + 1, ascii_label(text, p + 1, q))
        return q if known else 0
    q = name_end(text, p, end)
    if q == p:
        return 0
    shortest = q - p
    while q + 1 < end and text[q] == c'.' and word_at(text, q + 1, end):
        label = q + 1
        q = name_end(text, label, end)
        n_labels += 1
        if q - label < shortest:
            shortest = q - label
    if n_labels == 1:
        return 0
    known = in_list(KNOWN_SUFFIXES, text + label, ascii_label(text, label, q))
    if not known and (n_labels < 3 or shortest < 2 or not ascii_letter(text, label, end)):
        return 0
    if known and q + 1 < end and (text[q] == c'/' or (
            text[q] == c':' and ascii_digit(text, q + 1, end))):
        return url_body_end(text, q, end)
    return q


cdef inline bint path_character(uint8_t c) noexcept nogil:
    return c in b"._~%+-@#$"


cdef inline bint only_words(const uint8_t* text, uint32_t p, uint32_t end) noexcept nogil:
    """Whether text[p:end] has only letters, slashes and hyphens: violin/viola/cello."""
    cdef uint32_t length
    while p < end:
        if text[p] == c'/' or text[p] == c'-':
            p += 1
        elif bits_at(text, p, end, &length) & (CHAR_LETTER | CHAR_MARK):
            p += length
        else:
            return False
    return True


cdef inline bint ends_in_suffix(const uint8_t* text, uint32_t p, uint32_t end) noexcept nogil:
    """Whether text[p:end] ends in a known suffix."""
    cdef uint32_t dot = end
    while dot > p and text[dot - 1] != c'.':
        dot -= 1
    return dot > p and in_list(KNOWN_SUFFIXES, text + dot, ascii_label(text, dot, end))


cdef inline bint is_rooted(const uint8_t* text, uint32_t p, uint32_t end, uint32_t* root_end,
                           bint* windows) noexcept nogil:
    """Whether a rooted path is at p; `root_end` is behind its drive, dots or tilde."""
    cdef uint32_t q = p
    windows[0] = False
    if (ascii_letter(text, p, end) and end - p > 3 and text[p + 1] == c':'
            and text[p + 2] in b"\\/" and word_at(text, p + 3, end)) or (
            text[p] == c'\\' and end - p > 2 and text[p + 1] == c'\\'
            and word_at(text, p + 2, end)):
        windows[0] = True
        root_end[0] = p + 2
        return True
    while q - p < 2 and q < end and (text[q] == c'.' or (text[q] == c'~' and q == p)):
        q += 1
    root_end[0] = q
    return q < end and text[q] == c'/' and (word_at(text, q + 1, end) or (
        q + 1 < end and text[q + 1] == c'.'))


cdef inline uint32_t path_end(const uint8_t* text, uint32_t p, uint32_t end) noexcept nogil:
    """/usr/lib, ./a, ../a, ~/a, C:\\a, a/b_c/d, 1/2/1999, a/b.txt; not he/she/it."""
    cdef uint32_t q, length, last_start = p, n_slashes = 0
    cdef bint windows, doubled = False
    cdef bint rooted = is_rooted(text, p, end, &q, &windows)
    cdef uint8_t c
    if not rooted and (q > p or text[p] == c'/'):
        return 0
    while q < end:
        c = text[q]
        if c == c'/' or (c == c'\\' and windows):
            if last_start == q and q > p:
                doubled = True
            n_slashes += 1
            last_start = q + 1
            q += 1
        elif path_character(c):
            q += 1
        elif bits_at(text, q, end, &length) & CHAR_WORD:
            q += length
        else:
            break
    while q > last_start and path_character(text[q - 1]) and text[q - 1] != c'_':
        q -= 1
    if rooted:
        return q
    if n_slashes == 0 or doubled:
        return 0
    if last_start == q:                                    # a closing slash does not count
        q -= 1
        n_slashes -= 1
    if n_slashes >= 2 and not only_words(text, p, q):
        return q
    return q if last_start <= q and ends_in_suffix(text, last_start, q) else 0


cdef inline uint32_t address_end(const uint8_t* text, uint32_t p, uint32_t end,
                                 uint32_t hints) noexcept nogil:
    """End of the address that starts at p, or 0."""
    cdef uint32_t q = 0
    if hints & HINT_SLASH or hints & HINT_DOT:
        q = url_end(text, p, end)
    if q == 0 and hints & HINT_AT:
        q = email_end(text, p, end)
    if q == 0 and hints & HINT_DOT:
        q = dotted_name_end(text, p, end)
    if q == 0 and hints & HINT_SLASH:
        q = path_end(text, p, end)
    return q
