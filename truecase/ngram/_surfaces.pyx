"""Surface forms of a vocabulary, and where sentences begin and end in a stream of word ids."""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t, uint8_t
from libc.stdlib cimport free, malloc, qsort
from libc.string cimport memcmp, memcpy

from truecase.base._memory cimport STATUS_INVALID, STATUS_OK, STATUS_OUT_OF_MEMORY, grow, rise
from truecase.kernels._sentences cimport first_word, is_mark, sentence_end
from truecase.kernels._structs cimport (
    TOKEN_CLOSES, TOKEN_ENDS_SENTENCE, TOKEN_SPACE_BEFORE, KnownWords, Token, TokenArray
)
from truecase.kernels._tokens cimport free_tokens
from truecase.kernels._unicode cimport TAG_IU
from truecase.ngram._keys cimport EOS

import numpy as np


__all__ = ["by_place", "first_words", "surface_order", "take_surfaces", "tally_stops"]


# Order of surface forms

cdef enum:
    SURFACE_BYTES = 8


cdef struct Surface:
    uint64_t head                 # the first bytes, big-endian, padded with zeros
    const uint8_t* start
    uint32_t length
    uint32_t word_id


cdef uint64_t head_of(const uint8_t* start, uint32_t length) noexcept nogil:
    cdef uint64_t head = 0
    cdef uint32_t i
    for i in range(SURFACE_BYTES):
        head = (head << 8) | (start[i] if i < length else 0)
    return head


cdef int compare(const void* a, const void* b) noexcept nogil:
    cdef const Surface* left = <const Surface*>a
    cdef const Surface* right = <const Surface*>b
    cdef uint32_t shorter
    cdef int order
    if left.head != right.head:
        return -1 if left.head < right.head else 1
    shorter = min(left.length, right.length)
    order = memcmp(left.start, right.start, shorter)
    if order:
        return order
    if left.length != right.length:
        return -1 if left.length < right.length else 1
    # qsort is not stable everywhere, and a caller's words may repeat.
    return -1 if left.word_id < right.word_id else 1


def surface_order(const uint8_t[::1] blob not None, const int64_t[::1] offsets not None,
                  uint32_t first=0):
    """Return the ids of words in the order of the words' bytes.

    Parameters
    ----------
    blob : const uint8[::1]
    offsets : const int64[::1], shape (n + 1,)
        Word i is ``blob[offsets[i]:offsets[i + 1]]``.
    first : int
        Ids below this one are left out.

    Returns
    -------
    uint32 ndarray, shape (n - first,)
    """
    cdef int64_t n = offsets.shape[0] - 1, i
    cdef Surface* words
    cdef const uint8_t* text = &blob[0] if blob.shape[0] else NULL
    if not rise(offsets, blob.shape[0]):
        raise ValueError("offsets do not fit the blob of words")
    if n >= <int64_t>1 << 32:
        raise OverflowError("more than 2**32 words")
    order = np.empty(max(n - first, 0), np.uint32)
    if not len(order):
        return order
    cdef uint32_t[::1] ids = order
    words = <Surface*>malloc((n - first) * sizeof(Surface))
    if words == NULL:
        raise MemoryError(f"no memory to sort {n} words")
    with nogil:
        for i in range(n - first):
            words[i].start = text + offsets[first + i]
            words[i].length = <uint32_t>(offsets[first + i + 1] - offsets[first + i])
            words[i].head = head_of(words[i].start, words[i].length)
            words[i].word_id = <uint32_t>(first + i)
        qsort(words, n - first, sizeof(Surface), compare)
        for i in range(n - first):
            ids[i] = words[i].word_id
    free(words)
    return order


def take_surfaces(const uint8_t[::1] blob not None, const int64_t[::1] offsets not None,
                  const uint32_t[::1] ids not None):
    """Return the words of some ids, in the order of `ids`, as a blob and int64 offsets.

    Raises
    ------
    IndexError
        An id is not in the vocabulary.
    """
    cdef int64_t i, at = 0, n = ids.shape[0], n_words = offsets.shape[0] - 1, length
    cdef bint good = True
    if not rise(offsets, blob.shape[0]):
        raise ValueError("offsets do not fit the blob of words")
    starts = np.zeros(n + 1, np.int64)
    cdef int64_t[::1] new_offsets = starts
    with nogil:
        for i in range(n):
            if ids[i] >= n_words:
                good = False
                break
            new_offsets[i + 1] = new_offsets[i] + offsets[ids[i] + 1] - offsets[ids[i]]
    if not good:
        raise IndexError(f"an id is not below the {n_words} of the vocabulary")
    taken = np.empty(starts[n], np.uint8)
    cdef uint8_t[::1] out = taken
    with nogil:
        for i in range(n):
            length = new_offsets[i + 1] - new_offsets[i]
            if length:
                memcpy(&out[at], &blob[offsets[ids[i]]], length)
            at += length
    return taken, starts


# Sentences in a stream of word ids

cdef enum:
    # With TokenFlag, the bits that `truecase.ngram.lexicon.place_flags` sets.
    WORD_ABBREVIATION = 64
    WORD_NAME = 128              # mostly in upper case


cdef struct VocabularyView:      # by word id
    const uint64_t* key
    const uint8_t* tag
    const uint8_t* word_class
    const uint8_t* flags
    uint32_t n


# The tokens of a line have their word id as `start`, since there is no text.

cdef bint is_abbreviation(const void* table, const Token* token) noexcept nogil:
    return ((<const VocabularyView*>table).flags[token.start] & WORD_ABBREVIATION) != 0


cdef bint is_name(const void* table, const Token* token) noexcept nogil:
    return ((<const VocabularyView*>table).flags[token.start] & WORD_NAME) != 0


cdef bint begins(const void* table, const Token* token) noexcept nogil:
    return token.tag == TAG_IU and not is_name(table, token)


cdef inline int view_vocabulary(VocabularyView* table, const uint64_t[::1] key,
                                const uint8_t[::1] tag, const uint8_t[::1] word_class,
                                const uint8_t[::1] flags) except -1:
    if not key.shape[0] == tag.shape[0] == word_class.shape[0] == flags.shape[0] > 0:
        raise ValueError("the tables of words differ in length")
    table.key = &key[0]
    table.tag = &tag[0]
    table.word_class = &word_class[0]
    table.flags = &flags[0]
    table.n = <uint32_t>key.shape[0]
    return 0


cdef int read_line(const VocabularyView* table, const uint32_t* stream, Py_ssize_t n,
                   TokenArray* line) noexcept nogil:
    """Read the words of `stream` up to the next line end; a Status.

    The ids lack white space: it is assumed before every token, except tokens that end or close
    something and commas, colons and semicolons.
    """
    cdef Token* token
    cdef uint32_t word
    cdef Py_ssize_t i
    line.n = 0
    for i in range(n):
        word = stream[i]
        if word == EOS:
            break
        if word >= table.n:
            return STATUS_INVALID
        if line.n == line.capacity:
            if grow(<void**>&line.tokens, 2 * <size_t>line.n + 64, sizeof(Token)) != STATUS_OK:
                return STATUS_OUT_OF_MEMORY
            line.capacity = 2 * line.n + 64
        token = line.tokens + line.n
        token.start = word
        token.key = table.key[word]
        token.tag = table.tag[word]
        token.word_class = table.word_class[word]
        token.flags = table.flags[word] & (TOKEN_ENDS_SENTENCE | TOKEN_CLOSES)
        if not (token.flags or is_mark(token, 0x2c) or is_mark(token, 0x3a)
                or is_mark(token, 0x3b)):                  # , : ;
            token.flags = TOKEN_SPACE_BEFORE
        line.n += 1
    return STATUS_OK


cdef inline Py_ssize_t past_closing(const uint32_t[::1] stream, Py_ssize_t i,
                                    const uint8_t[::1] flags) noexcept nogil:
    """Index of the first word from i on that closes no quotation or bracket."""
    while i < stream.shape[0] and flags[stream[i]] & TOKEN_CLOSES:
        i += 1
    return i


cdef int mark_first_words(const VocabularyView* table, const uint32_t[::1] stream,
                          uint8_t[::1] is_first) noexcept nogil:
    """Set `is_first` for the first word with letters of each sentence; a Status."""
    cdef TokenArray line
    cdef KnownWords words
    cdef Py_ssize_t at = 0, n = stream.shape[0]
    cdef int32_t first, last, word
    cdef int status = STATUS_OK
    words.words = table
    words.is_abbreviation = is_abbreviation
    words.is_name = is_name
    words.begins = begins
    line.tokens = NULL
    line.n = line.capacity = 0
    while at < n:
        status = read_line(table, &stream[at], n - at, &line)
        if status != STATUS_OK:
            break
        first = 0
        while first < line.n:
            last = sentence_end(&words, &line, first)
            word = first_word(line.tokens, first, last)
            if word >= 0:
                is_first[at + word] = 1
            first = last
        at += line.n + 1
    free_tokens(&line)
    return status


def first_words(const uint32_t[::1] stream, const uint64_t[::1] key, const uint8_t[::1] tag,
                const uint8_t[::1] word_class, const uint8_t[::1] flags):
    """Return which words of a stream are the first word with letters of a sentence.

    Parameters
    ----------
    stream : const uint32[::1]
        Word ids of whole lines; each line ends with id 2.
    key : const uint64[::1], shape (n_words,)
    tag, word_class, flags : const uint8[::1], shape (n_words,)
        As in `truecase.ngram.lexicon.Forms`, with the flags of `place_flags`.

    Returns
    -------
    bool ndarray
        As long as `stream`.
    """
    cdef VocabularyView table
    cdef int status
    view_vocabulary(&table, key, tag, word_class, flags)
    found = np.zeros(stream.shape[0], np.uint8)
    cdef uint8_t[::1] is_first = found
    with nogil:
        status = mark_first_words(&table, stream, is_first)
    if status == STATUS_OUT_OF_MEMORY:
        raise MemoryError("no memory for a line of the text")
    if status != STATUS_OK:
        raise ValueError(f"a word id is not in the vocabulary of {table.n} words")
    return found.view(np.bool_)


def by_place(const uint32_t[::1] stream not None, const uint8_t[::1] is_first not None,
             const uint32_t[::1] inside not None, const uint32_t[::1] initial not None):
    """Renumber a stream, giving the first words of sentences ids of their own.

    Parameters
    ----------
    stream : const uint32[::1], shape (n,)
    is_first : const bool[::1], shape (n,)
    inside, initial : const uint32[::1], shape (n_words,)
        New id of each word elsewhere, and as a first word.

    Returns
    -------
    uint32 ndarray, shape (n,)

    Raises
    ------
    ValueError
        The arrays differ in length, or a word id is not in the vocabulary.
    """
    cdef Py_ssize_t i, n = stream.shape[0]
    cdef uint32_t n_words = <uint32_t>inside.shape[0]
    cdef bint bad = False
    if is_first.shape[0] != n or initial.shape[0] != n_words:
        raise ValueError("the arrays of words differ in length")
    ids = np.empty(n, np.uint32)
    cdef uint32_t[::1] out = ids
    with nogil:
        for i in range(n):
            if stream[i] >= n_words:
                bad = True
                break
            out[i] = initial[stream[i]] if is_first[i] else inside[stream[i]]
    if bad:
        raise ValueError(f"a word id is not in the vocabulary of {n_words} words")
    return ids


def tally_stops(const uint32_t[::1] stream, const uint8_t[::1] flags, const uint8_t[::1] tag,
                int64_t[:, ::1] counts):
    """Count how often each word stands before a token that ends sentences, and what follows.

    Parameters
    ----------
    stream : const uint32[::1]
        Word ids of whole lines; each line ends with id 2.
    flags, tag : const uint8[::1], shape (n_words,)
    counts : int64[:, ::1], shape (2, n_words)
        Added to. Row 0: occurrences before such a token; row 1: those where the line ends with it.

    Returns
    -------
    uint64 ndarray
        ``word << 32 | next word`` for each occurrence that a capitalised word follows.
    """
    cdef Py_ssize_t i, following, n_found = 0, n = stream.shape[0]
    cdef uint32_t n_words = <uint32_t>flags.shape[0]
    cdef uint64_t[::1] found
    if counts.shape[0] != 2 or counts.shape[1] != n_words or tag.shape[0] != n_words:
        raise ValueError("the tables of words differ in length")
    if n and np.asarray(stream).max() >= n_words:
        raise ValueError(f"a word id is not in the vocabulary of {n_words} words")
    pairs = np.empty(n + 1, np.uint64)
    found = pairs
    with nogil:
        for i in range(n - 1):
            if stream[i] == EOS or not flags[stream[i + 1]] & TOKEN_ENDS_SENTENCE:
                continue
            counts[0, stream[i]] += 1
            following = past_closing(stream, i + 2, flags)
            if following == n or stream[following] == EOS:
                counts[1, stream[i]] += 1
            elif tag[stream[following]] == TAG_IU:
                found[n_found] = (<uint64_t>stream[i] << 32) | stream[following]
                n_found += 1
    return pairs[:n_found].copy()
