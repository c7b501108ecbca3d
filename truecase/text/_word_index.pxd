"""Which tokens of a line are those of which word of an alignment.

A *word* of an alignment is a run of bytes other than ASCII white space (tab, LF, VT, FF, CR,
space); tokens are finer, and where a segmentation knows other white space, or none of these,
neither is a part of the other. So words are counted in the bytes, and a token belongs to the
word in which it starts; a word may be without tokens.
"""

from libc.stdint cimport INT32_MAX, int32_t, uint8_t, uint32_t
from libc.stdlib cimport free
from libc.string cimport memchr, memset

from truecase.runtime._memory cimport grow
from truecase.runtime._status cimport STATUS_OK, STATUS_OUT_OF_MEMORY, STATUS_TOO_LONG
from truecase.text._token cimport SEGMENT_SPACE, Token, TokenArray
from truecase.text._utf8 cimport ascii_space


cdef struct WordIndex:           # which tokens are those of which word
    int32_t* first_token         # n_words + 1 entries; a word without tokens has an empty range
    int32_t n_words
    int32_t capacity


cdef inline int reserve_index(WordIndex* index, int32_t n_words) noexcept nogil:
    """Room for `n_words` words; a Status."""
    cdef size_t wanted = 2 * <size_t>n_words + 64
    if index.capacity > n_words:
        return STATUS_OK
    if wanted > INT32_MAX:
        return STATUS_TOO_LONG
    if grow(<void**>&index.first_token, wanted, sizeof(int32_t)) != STATUS_OK:
        return STATUS_OUT_OF_MEMORY
    index.capacity = <int32_t>wanted
    return STATUS_OK


cdef inline void free_index(WordIndex* index) noexcept nogil:
    free(index.first_token)
    memset(index, 0, sizeof(WordIndex))


cdef inline int add_words(WordIndex* index, const uint8_t* text, uint32_t begin, uint32_t end,
                          int32_t token, bint* inside) noexcept nogil:
    """Append the words that start in text[begin:end]; a Status.

    Their first token, if they have one, is `token`. With `inside`, a word has begun before.
    """
    cdef uint32_t p
    cdef int status
    for p in range(begin, end):
        if ascii_space(text[p]):
            inside[0] = False
        elif not inside[0]:
            inside[0] = True
            status = reserve_index(index, index.n_words + 1)
            if status != STATUS_OK:
                return status
            index.first_token[index.n_words] = token
            index.n_words += 1
    return STATUS_OK


cdef inline int index_words(const uint8_t* text, uint32_t begin, uint32_t end, int segmentation,
                            const TokenArray* tokens, WordIndex* index) noexcept nogil:
    """Words of the line text[begin:end] that `tokens` were made of; a Status."""
    cdef uint32_t p = begin
    cdef int32_t i
    cdef bint inside = False
    # Only tokens between spaces may contain white space: VT and FF.
    cdef bint torn = segmentation == SEGMENT_SPACE and end > begin and (
        memchr(text + begin, 0x0b, end - begin) != NULL
        or memchr(text + begin, 0x0c, end - begin) != NULL)
    cdef const Token* token
    cdef int status = reserve_index(index, tokens.n + 1)
    index.n_words = 0
    for i in range(tokens.n):
        if status != STATUS_OK:
            return status
        token = tokens.tokens + i
        status = add_words(index, text, p, token.start + 1, i, &inside)
        p = token.start + 1
        if torn and status == STATUS_OK:
            status = add_words(index, text, p, token.end, i + 1, &inside)
        p = token.end
    if status == STATUS_OK:
        status = add_words(index, text, p, end, tokens.n, &inside)
    if status == STATUS_OK:
        status = reserve_index(index, index.n_words)
    if status == STATUS_OK:
        index.first_token[index.n_words] = tokens.n
    return status


cdef inline int32_t word_of_token(const WordIndex* index, int32_t token) noexcept nogil:
    """The word that a token is of; -1: none."""
    cdef int32_t low = 0, high = index.n_words, middle
    # Invariant: words before `low` end before the token, those from `high` on begin behind it.
    while low < high:
        middle = (low + high) // 2
        if index.first_token[middle + 1] <= token:
            low = middle + 1
        elif index.first_token[middle] > token:
            high = middle
        else:
            return middle
    return -1
