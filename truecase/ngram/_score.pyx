"""Scores of n-grams given as word ids."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memset

import numpy as np

from truecase.ngram._table cimport MAX_ORDER, NgramView, extend_left, find_ngram
from truecase.packed._slots cimport point_at, prefetch_slot


cdef enum:
    AHEAD = 16                    # n-grams whose slots are on their way


cdef inline float word_score(const NgramView* lm, const Vocabulary* vocabulary,
                             const uint32_t* words, int j) noexcept nogil:
    """log p(words[j] | words[0 … j - 1]), natural log."""
    cdef int m
    cdef uint64_t hash = vocabulary.form[words[j]], context = 0
    cdef float score = vocabulary.log_probability[words[j]], backoff, unused = 0.0
    for m in range(1, j + 1):
        if m == 1:
            context = vocabulary.form[words[j - 1]]
            backoff = vocabulary.log_backoff[words[j - 1]]
        else:
            context = extend_left(context, vocabulary.form[words[j - m]])
            backoff = 0.0
            find_ngram(&lm.tables[m], context, &unused, &backoff)
        hash = extend_left(hash, vocabulary.form[words[j - m]])
        if not find_ngram(&lm.tables[m + 1], hash, &score, &unused):
            score += backoff
    return score


cdef class NgramScorer:
    """An n-gram model over word ids, for training and tests.

    Parameters
    ----------
    form : const uint64[::1], shape (n_words,)
        Identity of each word id.
    log_probability, log_backoff : const float[::1], shape (n_words,)
        Unigrams, natural log.
    tables : list of (arrays, settings)
        Of the orders 2, 3, …, as `truecase.ngram.table.pack_order` returns them.
    closed : bool
        Every n-gram's first and last words but one are n-grams too, and a backoff is 0 just
        where no n-gram goes on.
    """

    def __cinit__(self, const uint64_t[::1] form, const float[::1] log_probability,
                  const float[::1] log_backoff, tables, bint closed=False):
        cdef const uint8_t[::1] slots
        cdef const float[::1] book
        cdef int k
        if log_probability.shape[0] != form.shape[0] or log_backoff.shape[0] != form.shape[0]:
            raise ValueError("the vocabulary's arrays differ in length")
        tables = list(tables)
        if len(tables) > MAX_ORDER - 1:
            raise ValueError(f"order {len(tables) + 1} is above {MAX_ORDER}")
        self.owners = [form, log_probability, log_backoff]
        self.n_words = form.shape[0]
        memset(&self.lm, 0, sizeof(NgramView))
        self.lm.order = 1 + len(tables)
        self.lm.closed = closed
        self.vocabulary.form = &form[0]
        self.vocabulary.log_probability = &log_probability[0]
        self.vocabulary.log_backoff = &log_backoff[0]
        for k, (arrays, settings) in enumerate(tables, 2):
            slots = arrays["slots"]
            point_at(&self.lm.tables[k].slots, slots, settings["n_slots"],
                     settings["fingerprint_bits"],
                     settings["probability_bits"] + settings["backoff_bits"],
                     settings["max_probes"])
            self.lm.tables[k].probability_bits = settings["probability_bits"]
            self.lm.tables[k].probability_mask = (1 << settings["probability_bits"]) - 1
            self.lm.tables[k].backoff_mask = (1 << settings["backoff_bits"]) - 1
            book = arrays["probability_ln"]
            if book.shape[0] < 1 << settings["probability_bits"]:
                raise ValueError("a codebook is too short")
            self.lm.tables[k].probability_ln = &book[0]
            self.owners.append((slots, book))
            if settings["backoff_bits"]:
                book = arrays["backoff_ln"]
                if book.shape[0] < 1 << settings["backoff_bits"]:
                    raise ValueError("a codebook is too short")
                self.lm.tables[k].backoff_ln = &book[0]
                self.owners.append(book)

    @property
    def unigram_backoff(self):
        """Unigram backoffs by word id, natural log; float32, shape (n_words,)."""
        return np.asarray(self.owners[2])

    cdef int _check(self, const uint32_t[:, ::1] words, int skip=0) except -1:
        cdef Py_ssize_t i, j
        if not 0 <= skip < words.shape[1] or words.shape[1] - skip > self.lm.order:
            raise ValueError(
                f"{words.shape[1]} - {skip} words in a model of order {self.lm.order}"
            )
        for i in range(words.shape[0]):
            for j in range(words.shape[1]):
                if words[i, j] >= self.n_words:
                    raise ValueError(f"word id {words[i, j]} is not in the vocabulary")
        return 0

    def last_word(self, const uint32_t[:, ::1] words, int skip=0):
        """Log-probability of each n-gram's last word after the others.

        Parameters
        ----------
        words : const uint32[:, ::1], shape (n, k)
        skip : int
            Number of leading words to ignore (1: the history shortened by its oldest word).

        Returns
        -------
        float32 ndarray, shape (n,)
            Natural log.
        """
        self._check(words, skip)
        cdef Py_ssize_t i, n = words.shape[0]
        cdef int k = <int>words.shape[1]
        out = np.empty(n, dtype=np.float32)
        cdef float[::1] scores = out
        with nogil:
            for i in range(n):
                if i + AHEAD < n:
                    self.prefetch_last_word(&words[i + AHEAD, skip], k - 1 - skip)
                scores[i] = word_score(&self.lm, &self.vocabulary, &words[i, skip], k - 1 - skip)
        return out

    cdef inline void prefetch_last_word(self, const uint32_t* words, int j) noexcept nogil:
        cdef int m
        cdef uint64_t hash = self.vocabulary.form[words[j]]
        for m in range(1, j + 1):
            hash = extend_left(hash, self.vocabulary.form[words[j - m]])
            prefetch_slot(&self.lm.tables[m + 1].slots, hash)
