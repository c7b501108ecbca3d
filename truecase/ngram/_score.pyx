"""Scores of n-grams given as word ids, and what leaving one out costs the casing."""

from libc.math cimport exp, log1p
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

import numpy as np

from truecase.ngram._table cimport MAX_ORDER, NgramView, extend_left, find_ngram
from truecase.packed._slots cimport point_at


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


cdef inline double sequence_score(const NgramView* lm, const Vocabulary* vocabulary,
                                  const uint32_t* words, int n) noexcept nogil:
    cdef int j
    cdef double total = 0.0
    for j in range(n):
        total += word_score(lm, vocabulary, words, j)
    return total


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
                scores[i] = word_score(&self.lm, &self.vocabulary, &words[i, skip], k - 1 - skip)
        return out

    def casing_losses(self, const uint32_t[:, ::1] words, const int64_t[::1] counts,
                      const float[::1] backed_off, const int64_t[::1] alternatives_start,
                      const uint32_t[::1] alternatives, const float[::1] node_score,
                      Py_ssize_t begin, Py_ssize_t end):
        """What leaving each n-gram out costs the casing of the training text.

        For each word of the n-gram that has other candidates, the posterior P of the form it
        has is taken within the n-gram, the other words fixed. Without the n-gram the path's
        score falls by d, P becomes P' = P e^-d / (1 - P + P e^-d), and the loss is the
        Kullback-Leibler divergence of the two decisions times the number of times the
        decision is met, count / P.

        Parameters
        ----------
        words : const uint32[:, ::1], shape (n, k)
        counts : const int64[::1], shape (n,)
        backed_off : const float[::1], shape (n,)
            Log-probability of the last word if the n-gram were absent, natural log.
        alternatives_start : const int64[::1], shape (n_words + 1,)
            Other candidates of word id w: ``alternatives[start[w]:start[w + 1]]``.
        node_score : const float[::1], shape (n_words,)
            Node features of each word id, natural log.
        begin, end : int
            Only the n-grams begin … end - 1.

        Returns
        -------
        float32 ndarray, shape (end - begin,)
            Nats over the whole training text; 0 for an n-gram that can change no decision.
        """
        cdef Py_ssize_t i, a, n = words.shape[0]
        cdef int k = <int>words.shape[1], p
        cdef uint32_t changed[MAX_ORDER]
        cdef double own, score, posterior, rest, fall, loss
        cdef int64_t first, last
        cdef bint bad = False
        if not (0 <= begin <= end <= n) or counts.shape[0] != n or backed_off.shape[0] != n:
            raise ValueError("the n-grams' arrays differ in length")
        if alternatives_start.shape[0] != self.n_words + 1 or node_score.shape[0] != self.n_words:
            raise ValueError("the tables of alternatives do not fit the vocabulary")
        out = np.zeros(end - begin, dtype=np.float32)
        if begin == end:
            return out
        self._check(words[begin:end])
        cdef float[::1] losses = out
        with nogil:
            for i in range(begin, end):
                own = 0.0
                loss = 0.0
                for p in range(k):
                    first = alternatives_start[words[i, p]]
                    last = alternatives_start[words[i, p] + 1]
                    if not 0 <= first <= last <= alternatives.shape[0]:
                        bad = True
                        break
                    if first == last:
                        continue
                    if own == 0.0:
                        own = sequence_score(&self.lm, &self.vocabulary, &words[i, 0], k)
                        fall = (word_score(&self.lm, &self.vocabulary, &words[i, 0], k - 1)
                                - backed_off[i])
                    for a in range(k):
                        changed[a] = words[i, a]
                    rest = 0.0
                    for a in range(first, last):
                        if alternatives[a] >= self.n_words:
                            bad = True
                            break
                        changed[p] = alternatives[a]
                        score = (sequence_score(&self.lm, &self.vocabulary, changed, k) - own
                                 + node_score[changed[p]] - node_score[words[i, p]])
                        rest += exp(score if score < 50 else 50)
                    posterior = 1.0 / (1.0 + rest)
                    if posterior < 1e-12:
                        posterior = 1e-12
                    score = posterior * fall + log1p(posterior * (exp(-fall) - 1.0))
                    # However little it is worth, it could change a decision.
                    loss += counts[i] / posterior * score if score > 0 else 0.0
                    if loss < 1e-30:
                        loss = 1e-30
                if bad:
                    break
                losses[i - begin] = <float>loss
        if bad:
            raise ValueError("the tables of alternatives do not fit the vocabulary")
        return out
