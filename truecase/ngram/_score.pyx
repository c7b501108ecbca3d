"""Scores of n-grams given as word ids, and what leaving one out costs the casing."""

from libc.math cimport exp, log1p
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

import numpy as np

from truecase.ngram._table cimport MAX_ORDER, NgramView, extend_left, find_ngram
from truecase.packed._slots cimport point_at, prefetch_slot
from truecase.runtime._memory cimport grow
from truecase.runtime._status cimport STATUS_INVALID, STATUS_OK, STATUS_OUT_OF_MEMORY


cdef enum:
    AHEAD = 16                    # n-grams whose slots are on their way
    LOSSES_AT_ONCE = 32           # n-grams whose losses are found at a time


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


cdef inline void want(const NgramView* lm, Wants* wants, uint64_t hash,
                      int length) noexcept nogil:
    # Invariant: the caller has made room.
    cdef Wanted* wanted = wants.wanted + wants.n
    wanted.hash = hash
    wanted.length = length
    prefetch_slot(&lm.tables[length].slots, hash)
    wants.n += 1


cdef inline void find_wanted(const NgramView* lm, Wants* wants) noexcept nogil:
    """Look up one after the other, what `want` has asked for well before."""
    cdef int64_t i
    cdef Wanted* wanted
    for i in range(wants.n):
        wanted = wants.wanted + i
        wanted.backoff = 0.0
        wanted.found = find_ngram(&lm.tables[wanted.length], wanted.hash, &wanted.probability,
                                  &wanted.backoff)


# The n-grams within k words are numbered by their last word, from the second on, then by length:
# (0, 1), (1, 2), (0, 1, 2), (2, 3), … Those that have a given word are so, too, leaving others out.

cdef inline int first_within(int j) noexcept nogil:
    """Number of the first n-gram that ends at word j."""
    return j * (j - 1) // 2


cdef inline int64_t n_with_word(int k, int p) noexcept nogil:
    """How many of the n-grams within k words have word p."""
    return (p + 1) * (k - p) - 1


cdef inline void want_all(const NgramView* lm, const Vocabulary* vocabulary,
                          const uint32_t* words, int k, uint64_t[MAX_ORDER][MAX_ORDER] hashes,
                          Wants* wants) noexcept nogil:
    """The n-grams within k words; `hashes` are by their last word and their length - 1."""
    cdef int j, m
    for j in range(k):
        hashes[j][0] = vocabulary.form[words[j]]
        for m in range(1, j + 1):
            hashes[j][m] = extend_left(hashes[j][m - 1], vocabulary.form[words[j - m]])
            want(lm, wants, hashes[j][m], m + 1)


cdef inline void want_changed(const NgramView* lm, const Vocabulary* vocabulary,
                              const uint32_t* words, int k, int p, uint32_t instead,
                              const uint64_t[MAX_ORDER][MAX_ORDER] hashes,
                              Wants* wants) noexcept nogil:
    """Those that have word p, with another in its place."""
    cdef int j, m
    cdef uint64_t hash
    for j in range(p, k):
        hash = vocabulary.form[instead]
        if j > p:
            hash = extend_left(hashes[j][j - p - 1], hash)
            want(lm, wants, hash, j - p + 1)
        for m in range(j - p + 1, j + 1):
            hash = extend_left(hash, vocabulary.form[words[j - m]])
            want(lm, wants, hash, m + 1)


cdef inline float score_at(const Vocabulary* vocabulary, const uint32_t* words, int j,
                           int n_before, const Wanted* own) noexcept nogil:
    """log p(word j | the `n_before` words before it), natural log.

    `own` are the n-grams within the words.
    """
    cdef int m
    cdef float score = vocabulary.log_probability[words[j]]
    cdef const Wanted* ending = own + first_within(j) - 1
    cdef const Wanted* before = own + first_within(j - 1) - 2
    for m in range(1, n_before + 1):
        if ending[m].found:
            score = ending[m].probability
        elif m == 1:
            score += vocabulary.log_backoff[words[j - 1]]
        else:
            score += before[m].backoff
    return score


cdef inline double score_changed(const Vocabulary* vocabulary, const uint32_t* words, int k, int p,
                                 uint32_t instead, double score, const Wanted* own,
                                 const Wanted* changed) noexcept nogil:
    """Score of all words, with another in place of word p; `score` is that of the words before."""
    cdef int j, m, shortest
    cdef float of_word
    cdef const Wanted* ending
    cdef const Wanted* changed_ending = changed    # by the number of words before the last
    cdef const Wanted* changed_before = NULL
    for j in range(p, k):
        # The shortest that reaches back to word p.
        shortest = max(1, j - p)
        changed_ending = changed - shortest
        ending = own + first_within(j) - 1
        of_word = vocabulary.log_probability[instead if j == p else words[j]]
        for m in range(1, j + 1):
            if (changed_ending if m >= shortest else ending)[m].found:
                of_word = (changed_ending if m >= shortest else ending)[m].probability
            elif m == 1:
                of_word += vocabulary.log_backoff[instead if j - 1 == p else words[j - 1]]
            elif j > p and m >= j - p:
                of_word += changed_before[m - 1].backoff
            else:
                of_word += (own + first_within(j - 1) - 1)[m - 1].backoff
        score += of_word
        changed_before = changed_ending
        changed += j + 1 - shortest
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

    cdef int want_for_loss(self, const uint32_t* words, int k, const int64_t[::1] start,
                           const uint32_t[::1] alternatives, Wants* wants) noexcept nogil:
        """Ask for what the loss of an n-gram needs; a Status."""
        cdef int p
        cdef int64_t a, first, last, n_needed = 0
        cdef uint64_t[MAX_ORDER][MAX_ORDER] hashes
        for p in range(k):
            first = start[words[p]]
            last = start[words[p] + 1]
            if not 0 <= first <= last <= alternatives.shape[0]:
                return STATUS_INVALID
            n_needed += (last - first) * n_with_word(k, p)
        if not n_needed:
            return STATUS_OK
        n_needed += first_within(k)
        if wants.n + n_needed > wants.capacity:
            if grow(<void**>&wants.wanted, wants.n + 2 * n_needed, sizeof(Wanted)) != STATUS_OK:
                return STATUS_OUT_OF_MEMORY
            wants.capacity = wants.n + 2 * n_needed
        want_all(&self.lm, &self.vocabulary, words, k, hashes, wants)
        for p in range(k):
            for a in range(start[words[p]], start[words[p] + 1]):
                if alternatives[a] >= self.n_words:
                    return STATUS_INVALID
                want_changed(&self.lm, &self.vocabulary, words, k, p, alternatives[a], hashes,
                             wants)
        return STATUS_OK

    cdef double loss_of(self, const uint32_t* words, int k, int64_t count, float context_backoff,
                        const int64_t[::1] start, const uint32_t[::1] alternatives,
                        const float[::1] node_score, const Wanted** found) noexcept nogil:
        """The loss of an n-gram for which `want_for_loss` has asked; moves `found` on."""
        cdef double before[MAX_ORDER]      # score of the words before each
        cdef double whole = 0.0, fall = 0.0, loss = 0.0, score, posterior, rest
        cdef float of_word = 0.0
        cdef const Wanted* own = found[0]
        cdef const Wanted* changed = own + first_within(k)
        cdef int p, j
        cdef int64_t a, first, last
        cdef bint scored = False
        for p in range(k):
            first = start[words[p]]
            last = start[words[p] + 1]
            if first == last:
                continue
            if not scored:
                scored = True
                for j in range(k):
                    before[j] = whole
                    of_word = score_at(&self.vocabulary, words, j, j, own)
                    whole += of_word
                fall = of_word - (score_at(&self.vocabulary, words, k - 1, k - 2, own)
                                  + context_backoff)
            rest = 0.0
            for a in range(first, last):
                score = score_changed(&self.vocabulary, words, k, p, alternatives[a], before[p],
                                      own, changed)
                changed += n_with_word(k, p)
                score = score - whole + node_score[alternatives[a]] - node_score[words[p]]
                rest += exp(score if score < 50 else 50)
            posterior = 1.0 / (1.0 + rest)
            if posterior < 1e-12:
                posterior = 1e-12
            score = posterior * fall + log1p(posterior * (exp(-fall) - 1.0))
            # However little it is worth, it could change a decision.
            loss += count / posterior * score if score > 0 else 0.0
            if loss < 1e-30:
                loss = 1e-30
        if scored:
            found[0] = changed
        return loss

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
        cdef Py_ssize_t i, begin = 0, end, n = words.shape[0]
        cdef int k = <int>words.shape[1], status = STATUS_OK
        cdef Wants wants
        cdef const Wanted* found
        if counts.shape[0] != n or context_backoff.shape[0] != n:
            raise ValueError("the n-grams' arrays differ in length")
        if alternatives_start.shape[0] != self.n_words + 1 or node_score.shape[0] != self.n_words:
            raise ValueError("the tables of alternatives do not fit the vocabulary")
        out = np.zeros(n, dtype=np.float32)
        if n == 0:
            return out
        self._check(words)
        cdef float[::1] losses = out
        wants.wanted = NULL
        wants.capacity = 0
        with nogil:
            while begin < n:
                end = min(begin + LOSSES_AT_ONCE, n)
                wants.n = 0
                for i in range(begin, end):
                    status = self.want_for_loss(&words[i, 0], k, alternatives_start, alternatives,
                                                &wants)
                    if status != STATUS_OK:
                        break
                if status != STATUS_OK:
                    break
                find_wanted(&self.lm, &wants)
                found = wants.wanted
                for i in range(begin, end):
                    losses[i] = <float>self.loss_of(
                        &words[i, 0], k, counts[i], context_backoff[i], alternatives_start,
                        alternatives, node_score, &found)
                begin = end
            free(wants.wanted)
        if status == STATUS_OUT_OF_MEMORY:
            raise MemoryError("no memory for the alternatives of an n-gram")
        if status != STATUS_OK:
            raise ValueError("the tables of alternatives do not fit the vocabulary")
        return out
