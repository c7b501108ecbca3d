"""Passes over a stream of word ids: counts by place in the sentence, and rewriting."""

import numpy as np

from libc.stdint cimport int64_t, uint8_t, uint32_t

from truecase.text._casing cimport TAG_AN
from truecase.text._token cimport CLASS_OTHER, CLASS_QUANTITY, TOKEN_CLOSES, TOKEN_ENDS_SENTENCE

cdef enum:
    END_OF_LINE = 2
    # Beside TokenFlag, as `truecase.lexicon.lexicon.place_flags` sets them.
    WORD_ABBREVIATION = 64
    WORD_ASKS = 128              # ? and !


cdef struct Place:               # in a line, of the next word
    bint at_start                # of a sentence: no word with a letter has been there yet
    bint has_ended               # the sentence before, but for what closes it
    bint asked                   # by ? or !
    uint32_t before              # the word before


cdef inline void begin_line(Place* place) noexcept nogil:
    place.at_start = True
    place.has_ended = False
    place.asked = False
    place.before = END_OF_LINE


cdef inline bint is_first_word(Place* place, uint32_t word, uint8_t tag, uint8_t word_class,
                               const uint8_t[::1] flags) noexcept nogil:
    """Whether a word is the first with a letter of its sentence; moves on behind it.

    As `truecase._core.sentence_end` has it, as far as words alone tell.
    """
    cdef bint is_first = False
    if flags[word] & TOKEN_ENDS_SENTENCE:
        place.asked = (flags[word] & WORD_ASKS) != 0
        place.has_ended = place.before != END_OF_LINE and (
            place.asked or not flags[place.before] & WORD_ABBREVIATION)
    elif place.has_ended and flags[word] & TOKEN_CLOSES:
        # "Why?" he asked.
        place.has_ended = not place.asked
    elif place.has_ended:
        place.has_ended = False
        place.at_start = True
    place.before = word
    if place.at_start:
        if tag != TAG_AN:
            is_first = word_class != CLASS_OTHER
            place.at_start = False
        elif word_class == CLASS_QUANTITY:
            place.at_start = False
    return is_first


cdef inline Py_ssize_t past_closing(const uint32_t[::1] stream, Py_ssize_t i,
                                    const uint8_t[::1] flags) noexcept nogil:
    """The first word from i on that closes no quotation or bracket."""
    while i < stream.shape[0] and flags[stream[i]] & TOKEN_CLOSES:
        i += 1
    return i


def tally(const uint32_t[::1] stream, const uint8_t[::1] tag, const uint8_t[::1] word_class,
          const uint8_t[::1] flags, int64_t[:, ::1] counts):
    """Add a stream's counts of words to `counts`.

    Parameters
    ----------
    stream : const uint32[::1]
        Word ids of whole lines; each line ends with id 2.
    tag, word_class, flags : const uint8[::1], shape (n_words,)
        Of each word id, as `truecase.lexicon.lexicon.describe_vocabulary` and `place_flags`
        give them.
    counts : int64[:, ::1], shape (2, n_words)
        Rows: occurrences; occurrences as the first word with a letter of a sentence.
    """
    cdef Py_ssize_t i, n = stream.shape[0]
    cdef uint32_t word, n_words = <uint32_t>tag.shape[0]
    cdef bint bad = False
    cdef Place place
    begin_line(&place)
    if counts.shape[0] != 2 or counts.shape[1] != n_words or word_class.shape[0] != n_words \
            or flags.shape[0] != n_words:
        raise ValueError("the tables of words differ in length")
    with nogil:
        for i in range(n):
            word = stream[i]
            if word >= n_words:
                bad = True
                break
            counts[0, word] += 1
            if word == END_OF_LINE:
                begin_line(&place)
            elif is_first_word(&place, word, tag[word], word_class[word], flags):
                counts[1, word] += 1
    if bad:
        raise ValueError(f"word id {word} is not in the vocabulary of {n_words} words")


def tally_stops(const uint32_t[::1] stream, const uint8_t[::1] flags, const uint8_t[::1] begins,
                int64_t[:, ::1] counts):
    """Add to `counts` how often sentences end with a word, as far as the next word tells.

    Parameters
    ----------
    stream : const uint32[::1]
        Word ids of whole lines; each line ends with id 2.
    flags, begins : const uint8[::1], shape (n_words,)
        Of each word id: flags of tokens, and whether the form tells that a sentence begins with
        it.
    counts : int64[:, ::1], shape (2, n_words)
        Rows: occurrences right before a mark that ends sentences; those of them where the line
        ends with it, or where it is followed by a word of `begins`.
    """
    cdef Py_ssize_t i, following, n = stream.shape[0]
    cdef uint32_t n_words = <uint32_t>flags.shape[0]
    if counts.shape[0] != 2 or counts.shape[1] != n_words or begins.shape[0] != n_words:
        raise ValueError("the tables of words differ in length")
    if n and np.asarray(stream).max() >= n_words:
        raise ValueError(f"a word id is not in the vocabulary of {n_words} words")
    with nogil:
        for i in range(n - 1):
            if stream[i] == END_OF_LINE or not flags[stream[i + 1]] & TOKEN_ENDS_SENTENCE:
                continue
            counts[0, stream[i]] += 1
            following = past_closing(stream, i + 2, flags)
            counts[1, stream[i]] += (following == n or stream[following] == END_OF_LINE
                                     or begins[stream[following]])


def rewrite(const uint32_t[::1] stream, const uint8_t[::1] tag, const uint8_t[::1] word_class,
            const uint8_t[::1] flags, const uint32_t[::1] inside,
            const uint32_t[::1] initial, uint32_t[::1] out):
    """Replace word ids by their place in the sentence.

    Parameters
    ----------
    stream : const uint32[::1]
        Word ids of whole lines.
    tag, word_class, flags : const uint8[::1], shape (n_words,)
    inside : const uint32[::1], shape (n_words,)
        Replacement of each id away from the start of a sentence.
    initial : const uint32[::1], shape (n_words,)
        Replacement of each id that is the first word with a letter of its sentence.
    out : uint32[::1]
        As long as `stream`, may be the same memory.
    """
    cdef Py_ssize_t i, n = stream.shape[0]
    cdef uint32_t word, n_words = <uint32_t>tag.shape[0]
    cdef bint bad = False, is_initial
    cdef Place place
    begin_line(&place)
    if inside.shape[0] != n_words or initial.shape[0] != n_words or out.shape[0] != n \
            or word_class.shape[0] != n_words or flags.shape[0] != n_words:
        raise ValueError("the tables of words differ in length")
    with nogil:
        for i in range(n):
            word = stream[i]
            if word >= n_words:
                bad = True
                break
            is_initial = False
            if word == END_OF_LINE:
                begin_line(&place)
            else:
                is_initial = is_first_word(&place, word, tag[word], word_class[word], flags)
            out[i] = initial[word] if is_initial else inside[word]
    if bad:
        raise ValueError(f"word id {word} is not in the vocabulary of {n_words} words")
