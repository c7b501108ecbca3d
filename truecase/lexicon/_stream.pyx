"""Passes over a stream of word ids: counts by place in the sentence, and rewriting."""

from libc.stdint cimport int64_t, uint8_t, uint32_t

from truecase.text._casing cimport TAG_AN
from truecase.text._segment cimport (
    CLASS_OTHER,
    CLASS_QUANTITY,
    TOKEN_CLOSES,
    TOKEN_ENDS_SENTENCE,
)

cdef enum:
    END_OF_LINE = 2


def tally(const uint32_t[::1] stream, const uint8_t[::1] tag, const uint8_t[::1] word_class,
          const uint8_t[::1] flags, int64_t[:, ::1] counts):
    """Add a stream's counts to `counts`.

    Parameters
    ----------
    stream : const uint32[::1]
        Word ids of whole lines; each line ends with id 2.
    tag, word_class, flags : const uint8[::1], shape (n_words,)
        Of each word id, as `truecase.lexicon._forms.describe` gives them.
    counts : int64[:, ::1], shape (4, n_words)
        Rows: occurrences; occurrences as the first word with a letter of a line;
        occurrences right before a full stop; those where it ends the line.
    """
    cdef Py_ssize_t i, j, n = stream.shape[0]
    cdef uint32_t word, n_words = <uint32_t>tag.shape[0]
    cdef bint at_start = True, bad = False
    if counts.shape[0] != 4 or counts.shape[1] != n_words or word_class.shape[0] != n_words \
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
                at_start = True
                continue
            if at_start:
                if tag[word] != TAG_AN:
                    if word_class[word] != CLASS_OTHER:
                        counts[1, word] += 1
                    at_start = False
                elif word_class[word] == CLASS_QUANTITY:
                    at_start = False
            if i + 1 < n and stream[i + 1] < n_words and flags[stream[i + 1]] & TOKEN_ENDS_SENTENCE:
                counts[2, word] += 1
                j = i + 2
                while j < n and stream[j] < n_words and flags[stream[j]] & TOKEN_CLOSES:
                    j += 1
                if j >= n or stream[j] == END_OF_LINE:
                    counts[3, word] += 1
    if bad:
        raise ValueError(f"word id {word} is not in the vocabulary of {n_words} words")


def rewrite(const uint32_t[::1] stream, const uint8_t[::1] tag, const uint8_t[::1] word_class,
            const uint32_t[::1] inside, const uint32_t[::1] initial, uint32_t[::1] out):
    """Replace word ids by their place in the sentence.

    Parameters
    ----------
    stream : const uint32[::1]
        Word ids of whole lines.
    tag, word_class : const uint8[::1], shape (n_words,)
    inside : const uint32[::1], shape (n_words,)
        Replacement of each id away from the start of a line.
    initial : const uint32[::1], shape (n_words,)
        Replacement of each id that is the first word with a letter of its line.
    out : uint32[::1]
        As long as `stream`, may be the same memory.
    """
    cdef Py_ssize_t i, n = stream.shape[0]
    cdef uint32_t word, n_words = <uint32_t>tag.shape[0]
    cdef bint at_start = True, bad = False, is_initial
    if inside.shape[0] != n_words or initial.shape[0] != n_words or out.shape[0] != n \
            or word_class.shape[0] != n_words:
        raise ValueError("the tables of words differ in length")
    with nogil:
        for i in range(n):
            word = stream[i]
            if word >= n_words:
                bad = True
                break
            is_initial = False
            if word == END_OF_LINE:
                at_start = True
            elif at_start:
                if tag[word] != TAG_AN:
                    is_initial = word_class[word] != CLASS_OTHER
                    at_start = False
                elif word_class[word] == CLASS_QUANTITY:
                    at_start = False
            out[i] = initial[word] if is_initial else inside[word]
    if bad:
        raise ValueError(f"word id {word} is not in the vocabulary of {n_words} words")
