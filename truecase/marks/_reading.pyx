"""Words of punctuated text, as marks are learned from them."""

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from truecase.marks._frequent_pairs cimport IN_BUCKET as PAIRS_IN_BUCKET
from truecase.marks._frequent_pairs cimport pair_bucket, pair_check, pair_key
from truecase.marks._network cimport word_row
from truecase.marks._word cimport (
    MAX_OPENINGS,
    MAX_SIGNS,
    WORD_ENDS_LINE,
    WORD_HAS_STOP,
    WORD_IS_SIGN,
    WORD_IS_UPPER,
    WORD_STOPS,
    WORD_TRAILS,
    MarkWord,
    Signs,
    read_word,
    skip_space,
)
from truecase.runtime._check cimport check

import numpy as np

__all__ = [
    "FLAGS",
    "IN_BUCKET",
    "pair_keys",
    "pair_rows",
    "place_pairs",
    "read_words",
    "word_rows",
]

#: Pairs whose rows are looked through for one.
IN_BUCKET = PAIRS_IN_BUCKET

#: What is said of a word.
FLAGS = {
    "is sign": WORD_IS_SIGN,
    "has stop": WORD_HAS_STOP,
    "is upper": WORD_IS_UPPER,
    "trails": WORD_TRAILS,
    "ends line": WORD_ENDS_LINE,
    "stops": WORD_STOPS,
}


def read_words(text not None, dict signs not None, bint turkic=False, openings=()):
    """The words of a text, for training.

    Parameters
    ----------
    text : bytes-like
    signs : dict of str to int
        Labels of signs of one character that count as marks.
    turkic : bool
        How words are folded.
    openings : iterable of str
        Marks in front of words.

    Returns
    -------
    keys : uint64 ndarray
        Hashes of folded words.
    endings : uint32 ndarray
        Hashes of their last letters.
    labels : uint8 ndarray
        Of the strongest sign behind each, 0 if there is none.
    flags : uint8 ndarray
        See `FLAGS`.
    before : uint8 ndarray
        Number of the opening mark in front of each, from 1 on, 0 if there is none.
    """
    # Another thread may change what is no bytes, and words that begin twice are more than fit.
    cdef const uint8_t[::1] view = text if type(text) is bytes else bytes(memoryview(text))
    cdef Signs held
    cdef MarkWord word
    cdef size_t n = view.shape[0], at = 0, count = 0
    cdef int n_lines
    cdef const uint8_t* p
    memset(&held, 0, sizeof(held))
    held.n_openings = 1
    for sign in openings:
        if held.n_openings == MAX_OPENINGS:
            raise ValueError("too many marks in front of words")
        held.opening[held.n_openings] = ord(sign)
        held.n_openings += 1
    for sign, label in signs.items():
        if held.n_signs == MAX_SIGNS:
            raise ValueError("too many signs")
        held.sign[held.n_signs] = ord(sign)
        held.label[held.n_signs] = label
        held.n_signs += 1
    # A word has a byte, and white space behind it.
    keys = np.empty(n // 2 + 1, np.uint64)
    endings = np.empty(n // 2 + 1, np.uint32)
    labels = np.empty(n // 2 + 1, np.uint8)
    flags = np.empty(n // 2 + 1, np.uint8)
    before = np.empty(n // 2 + 1, np.uint8)
    cdef uint64_t[::1] key_view = keys
    cdef uint32_t[::1] ending_view = endings
    cdef uint8_t[::1] label_view = labels, flag_view = flags, before_view = before
    if n:
        with nogil:
            p = skip_space(&view[0], &view[0] + n, &n_lines)
            at = p - &view[0]
            while at < n:
                read_word(&held, turkic, &view[0], at, n, &word)
                n_lines = 0
                p = skip_space(&view[0] + word.end, &view[0] + n, &n_lines)
                at = p - &view[0]
                if n_lines or at == n:
                    word.flags |= WORD_ENDS_LINE
                check(count < <size_t>key_view.shape[0])
                key_view[count] = word.key
                ending_view[count] = word.ending
                label_view[count] = word.given
                flag_view[count] = word.flags
                before_view[count] = word.opening
                count += 1
    return keys[:count], endings[:count], labels[:count], flags[:count], before[:count]


def word_rows(const uint64_t[::1] keys, uint64_t n_rows):
    """Rows of words, by their keys: an int32 ndarray."""
    rows = np.empty(keys.shape[0], np.int32)
    cdef int32_t[::1] view = rows
    cdef Py_ssize_t i
    for i in range(keys.shape[0]):
        view[i] = <int32_t>word_row(keys[i], n_rows)
    return rows


def pair_keys(const uint64_t[::1] before, const uint64_t[::1] keys):
    """Keys of pairs, of those of two words each: a uint64 ndarray."""
    joined = np.empty(keys.shape[0], np.uint64)
    cdef uint64_t[::1] view = joined
    cdef Py_ssize_t i
    if before.shape[0] != keys.shape[0]:
        raise ValueError("before: expected as many keys")
    with nogil:
        for i in range(keys.shape[0]):
            view[i] = pair_key(before[i], keys[i])
    return joined


def place_pairs(const uint64_t[::1] keys, uint32_t n_rows):
    """Give each pair a row, the first ones first, as long as its bucket has one.

    One that has the hash of another in its bucket gets none.

    Returns
    -------
    uint16 ndarray, shape (n_rows,)
        What each row is found by, 0 for those of no pair.
    """
    checks = np.zeros(n_rows, np.uint16)
    cdef uint16_t[::1] view = checks
    cdef Py_ssize_t i
    cdef uint32_t row, k
    if n_rows % <uint32_t>PAIRS_IN_BUCKET:
        raise ValueError("n_rows: expected a multiple of 4")
    if n_rows:
        with nogil:
            for i in range(keys.shape[0]):
                row = pair_bucket(keys[i], n_rows)
                for k in range(row, row + <uint32_t>PAIRS_IN_BUCKET):
                    if view[k] == 0 or view[k] == pair_check(keys[i]):
                        view[k] = pair_check(keys[i])
                        break
    return checks


def pair_rows(const uint64_t[::1] keys, const uint16_t[::1] checks):
    """Rows of pairs, as many as there are rows for those that have none: an int32 ndarray."""
    rows = np.full(keys.shape[0], checks.shape[0], np.int32)
    cdef int32_t[::1] view = rows
    cdef Py_ssize_t i
    cdef uint32_t n_rows = <uint32_t>checks.shape[0], row, k
    if n_rows == 0:
        return rows
    if n_rows % <uint32_t>PAIRS_IN_BUCKET:
        raise ValueError("checks: expected a multiple of 4")
    with nogil:
        for i in range(keys.shape[0]):
            row = pair_bucket(keys[i], n_rows)
            for k in range(row, row + <uint32_t>PAIRS_IN_BUCKET):
                if checks[k] == pair_check(keys[i]):
                    view[i] = <int32_t>k
                    break
    return rows
