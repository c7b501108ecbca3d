"""Scores of n-grams given as word ids, and what leaving one out costs the casing."""

from libc.math cimport exp, log1p
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

import numpy as np

from truecase.ngram._table cimport MAX_ORDER, NgramView, extend_left, find_ngram
from truecase.packed._slots cimport point_at, prefetch_slot


cdef enum:
    AHEAD = 16                    # n-grams whose slots are on their way
    LOSSES_AHEAD = 12            # the same, where each needs many


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


cdef struct Gram:                  # the n-gram of some words that ends at one of them
    uint64_t hash
    bint found
    float probability             # natural log, as the backoff; 0 if it was not found
    float backoff


cdef struct Window:                # some words, and all n-grams within them
    int k
    uint32_t words[MAX_ORDER]
    Gram grams[MAX_ORDER][MAX_ORDER + 1]     # by the last word's place, and by length from 2 on


cdef inline void find_grams(const NgramView* lm, const Vocabulary* vocabulary, Window* window,
                            int changed) noexcept nogil:
    """Look up the n-grams that the word at `changed` is in; -1: all of them."""
    cdef int j, m, shortest
    cdef uint64_t hash
    cdef Gram* gram
    for j in range(max(changed, 1), window.k):
        shortest = max(1, j - changed) if changed >= 0 else 1
        hash = window.grams[j][shortest].hash if shortest > 1 else vocabulary.form[window.words[j]]
        for m in range(shortest, j + 1):
            hash = extend_left(hash, vocabulary.form[window.words[j - m]])
            gram = &window.grams[j][m + 1]
            gram.hash = hash
            gram.backoff = 0.0
            gram.found = find_ngram(&lm.tables[m + 1], hash, &gram.probability, &gram.backoff)


cdef inline void prefetch_grams(const NgramView* lm, const Vocabulary* vocabulary,
                                const uint32_t* words, int k, int changed,
                                uint32_t instead) noexcept nogil:
    """Ask for what `find_grams` reads with another word at `changed`; -1: with none."""
    cdef int j, m
    cdef uint64_t hash
    for j in range(max(changed, 1), k):
        hash = vocabulary.form[instead if j == changed else words[j]]
        for m in range(1, j + 1):
            hash = extend_left(hash,
                               vocabulary.form[instead if j - m == changed else words[j - m]])
            if changed < 0 or j - m <= changed:
                prefetch_slot(&lm.tables[m + 1].slots, hash)


cdef inline float score_at(const Vocabulary* vocabulary, const Window* window, int j,
                           int n_before) noexcept nogil:
    """log p(word j | the `n_before` words before it), natural log, once n-grams are looked up."""
    cdef int m
    cdef float score = vocabulary.log_probability[window.words[j]]
    for m in range(1, n_before + 1):
        if window.grams[j][m + 1].found:
            score = window.grams[j][m + 1].probability
        elif m == 1:
            score += vocabulary.log_backoff[window.words[j - 1]]
        else:
            score += window.grams[j - 1][m].backoff
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

    cdef void prefetch_losses(self, const uint32_t* words, int k, const int64_t[::1] start,
                              const uint32_t[::1] alternatives) noexcept nogil:
        """Ask for what the loss of an n-gram needs; data out of range is left to the caller."""
        cdef int p
        cdef int64_t a, first, last
        cdef bint alone = True
        for p in range(k):
            first = start[words[p]]
            last = start[words[p] + 1]
            if not 0 <= first <= last <= alternatives.shape[0]:
                return
            if first == last:
                continue
            if alone:
                prefetch_grams(&self.lm, &self.vocabulary, words, k, -1, 0)
                alone = False
            for a in range(first, last):
                if alternatives[a] >= self.n_words:
                    return
                prefetch_grams(&self.lm, &self.vocabulary, words, k, p, alternatives[a])

    def casing_losses(self, const uint32_t[:, ::1] words, const int64_t[::1] counts,
                      const float[::1] context_backoff, const int64_t[::1] alternatives_start,
                      const uint32_t[::1] alternatives, const float[::1] node_score):
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
        context_backoff : const float[::1], shape (n,)
            Backoff of the n-gram's words but the last, natural log; 0 if it has none.
        alternatives_start : const int64[::1], shape (n_words + 1,)
            Other candidates of word id w: ``alternatives[start[w]:start[w + 1]]``.
        alternatives : const uint32[::1]
        node_score : const float[::1], shape (n_words,)
            Node features of each word id, natural log.

        Returns
        -------
        float32 ndarray, shape (n,)
            Nats over the whole training text; 0 for an n-gram that can change no decision.
        """
        cdef Py_ssize_t i, n = words.shape[0]
        cdef int k = <int>words.shape[1], p, j
        cdef Window own, changed
        cdef double before[MAX_ORDER]      # score of the words before each
        cdef double whole, score, posterior, rest, fall, loss
        cdef float of_word
        cdef int64_t a, first, last
        cdef bint bad = False, scored
        if counts.shape[0] != n or context_backoff.shape[0] != n:
            raise ValueError("the n-grams' arrays differ in length")
        if alternatives_start.shape[0] != self.n_words + 1 or node_score.shape[0] != self.n_words:
            raise ValueError("the tables of alternatives do not fit the vocabulary")
        out = np.zeros(n, dtype=np.float32)
        if n == 0:
            return out
        self._check(words)
        cdef float[::1] losses = out
        own.k = k
        whole = fall = 0.0
        with nogil:
            for i in range(n):
                if i + LOSSES_AHEAD < n:
                    self.prefetch_losses(&words[i + LOSSES_AHEAD, 0], k, alternatives_start,
                                         alternatives)
                loss = 0.0
                scored = False
                for p in range(k):
                    first = alternatives_start[words[i, p]]
                    last = alternatives_start[words[i, p] + 1]
                    if not 0 <= first <= last <= alternatives.shape[0]:
                        bad = True
                        break
                    if first == last:
                        continue
                    if not scored:
                        scored = True
                        memcpy(own.words, &words[i, 0], k * sizeof(uint32_t))
                        find_grams(&self.lm, &self.vocabulary, &own, -1)
                        whole = 0.0
                        of_word = 0.0
                        for j in range(k):
                            before[j] = whole
                            of_word = score_at(&self.vocabulary, &own, j, j)
                            whole += of_word
                        fall = of_word - (score_at(&self.vocabulary, &own, k - 1, k - 2)
                                          + context_backoff[i])
                    rest = 0.0
                    changed = own
                    for a in range(first, last):
                        if alternatives[a] >= self.n_words:
                            bad = True
                            break
                        changed.words[p] = alternatives[a]
                        find_grams(&self.lm, &self.vocabulary, &changed, p)
                        score = before[p]
                        for j in range(p, k):
                            score += score_at(&self.vocabulary, &changed, j, j)
                        score = (score - whole
                                 + node_score[changed.words[p]] - node_score[words[i, p]])
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
                losses[i] = <float>loss
        if bad:
            raise ValueError("the tables of alternatives do not fit the vocabulary")
        return out
