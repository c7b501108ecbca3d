"""Lines as their tokens with one space between them, and the word that each token belongs to."""

from libc.stdint cimport UINT32_MAX, int32_t, int64_t, uint8_t, uint32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memchr, memcpy, memset

from cpython.bytes cimport PyBytes_FromStringAndSize

import numpy as np

from truecase.runtime._memory cimport TEXT_PADDING
from truecase.runtime._status cimport STATUS_OK
from truecase.text._segment_line cimport segment_line
from truecase.text._token cimport SEGMENT_RAW, SEGMENT_SPACE
from truecase.text._token cimport Token, TokenArray, free_tokens
from truecase.text._utf8 cimport ascii_space
from truecase.text._word_index cimport WordIndex, free_index, index_words

from truecase.text.casing import is_turkic
from truecase.text._segment import SEGMENTATIONS
from truecase.text._words import count_lines

__all__ = ["split_tokens"]


cdef struct Output:
    uint8_t* text                # a token takes its bytes and one more
    int32_t* word                # of each token; room for as many as there are bytes
    int64_t n_bytes
    int64_t n_tokens


cdef void write_line(const uint8_t* text, const TokenArray* tokens, const WordIndex* words,
                     Output* out) noexcept nogil:
    cdef int32_t i, word = -1
    cdef uint32_t p
    cdef const Token* token
    for i in range(tokens.n):
        token = tokens.tokens + i
        # Words without tokens of their own begin where the one before does not end.
        while word + 1 < words.n_words and words.first_token[word + 1] <= i:
            word += 1
        if i > 0:
            out.text[out.n_bytes] = 0x20
            out.n_bytes += 1
        for p in range(token.start, token.end):
            out.text[out.n_bytes] = 0x5f if ascii_space(text[p]) else text[p]
            out.n_bytes += 1
        out.word[out.n_tokens] = max(word, 0)
        out.n_tokens += 1
    out.text[out.n_bytes] = 0x0a
    out.n_bytes += 1


cdef int split_lines(const uint8_t* text, uint32_t size, int segmentation, bint turkic,
                     Output* out, int64_t* line_offsets) noexcept nogil:
    """All lines of a padded text; a Status."""
    cdef TokenArray tokens
    cdef WordIndex words
    cdef uint32_t begin = 0, end
    cdef int64_t line = 0
    cdef const void* newline
    cdef int status = STATUS_OK
    memset(&tokens, 0, sizeof(TokenArray))
    memset(&words, 0, sizeof(WordIndex))
    line_offsets[0] = 0
    while begin < size and status == STATUS_OK:
        newline = memchr(text + begin, 0x0a, size - begin)
        end = size if newline == NULL else <uint32_t>(<const uint8_t*>newline - text)
        status = segment_line(text, begin, end, segmentation, turkic, &tokens)
        if status == STATUS_OK:
            status = index_words(text, begin, end, segmentation, &tokens, &words)
        if status == STATUS_OK:
            write_line(text, &tokens, &words, out)
            line += 1
            line_offsets[line] = out.n_tokens
        begin = end + 1
    free_tokens(&tokens)
    free_index(&words)
    return status


def split_tokens(bytes block not None, str segmentation="raw", str language=""):
    cdef int64_t size = len(block), n_lines
    cdef const uint8_t* data = block
    cdef uint8_t* text = NULL
    cdef int64_t[::1] line_offsets
    cdef int32_t[::1] word
    cdef Output out
    cdef int kind, status
    cdef bint turkic = is_turkic(language)
    if segmentation not in SEGMENTATIONS:
        raise ValueError(f"segmentation {segmentation!r}: expected 'space' or 'raw'")
    if size >= UINT32_MAX // 2:
        raise ValueError("a block must be smaller than 2 GB")
    kind = SEGMENT_RAW if segmentation == "raw" else SEGMENT_SPACE
    n_lines = count_lines(block)
    offsets = np.zeros(n_lines + 1, np.int64)
    words = np.empty(size + 1, np.int32)
    line_offsets, word = offsets, words
    memset(&out, 0, sizeof(Output))
    out.word = &word[0]
    text = <uint8_t*>malloc(size + TEXT_PADDING)
    out.text = <uint8_t*>malloc(2 * size + n_lines + 1)
    try:
        if text == NULL or out.text == NULL:
            raise MemoryError
        memcpy(text, data, size)
        memset(text + size, 0, TEXT_PADDING)
        with nogil:
            status = split_lines(text, <uint32_t>size, kind, turkic, &out, &line_offsets[0])
        if status != STATUS_OK:
            raise MemoryError("out of memory while segmenting a line")
        tokens = PyBytes_FromStringAndSize(<char*>out.text, out.n_bytes)
    finally:
        free(text)
        free(out.text)
    return tokens, offsets, words[:out.n_tokens].copy()
