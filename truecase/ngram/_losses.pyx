"""What leaving an n-gram out costs the casing of the training text.

An n-gram's loss takes a dozen look-ups in tables of hundreds of megabytes. So the n-grams are
worked on some at a time, in passes over what each has asked for: what is read in one pass was
fetched in the one before.
"""

from libc.math cimport exp, log1p
from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

import numpy as np

from truecase.ngram._score cimport NgramScorer
from truecase.ngram._table cimport MAX_ORDER, NgramTable, NgramView, extend_left
from truecase.packed._slots cimport find_slot, prefetch_slot
from truecase.runtime._check cimport prefetch
from truecase.runtime._memory cimport grow
from truecase.runtime._status cimport STATUS_OK, STATUS_OUT_OF_MEMORY

__all__ = ["CasingLosses"]

cdef enum:
    AT_ONCE = 64                  # n-grams whose losses are found at a time


cdef struct Word:                  # what is asked of a word id, in half a line of the cache
    uint64_t form                 # identity in the tables
    int64_t first_alternative
    uint32_t n_alternatives
    float log_probability         # natural log, as all that follows
    float log_backoff
    float node_score


cdef struct Wanted:                # an n-gram to be looked up, and what is found
    uint64_t hash
    int length
    uint32_t payload              # 0: it is not there
    float probability             # natural log, as the backoff
    float backoff                 # 0 if the n-gram is not there


cdef struct Wants:                 # those of some n-grams' losses, in the order of their use
    Wanted* wanted
    int64_t n
    int64_t capacity


cdef inline void want(const NgramView* lm, Wants* wants, uint64_t hash,
                      int length) noexcept nogil:
    # Invariant: the caller has made room.
    cdef Wanted* wanted = wants.wanted + wants.n
    wanted.hash = hash
    wanted.length = length
    prefetch_slot(&lm.tables[length].slots, hash)
    wants.n += 1


cdef inline void find_wanted(const NgramView* lm, Wants* wants) noexcept nogil:
    """Look up what `want` has asked for, then what it is worth: no search waits for a codebook."""
    cdef int64_t i
    cdef Wanted* wanted
    cdef const NgramTable* table
    for i in range(wants.n):
        wanted = wants.wanted + i
        table = &lm.tables[wanted.length]
        wanted.payload = <uint32_t>find_slot(&table.slots, wanted.hash, table.probability_mask)
    for i in range(wants.n):
        wanted = wants.wanted + i
        table = &lm.tables[wanted.length]
        # Entry 0 of a codebook is there, and that of backoffs is 0.
        wanted.probability = table.probability_ln[wanted.payload & table.probability_mask]
        wanted.backoff = 0.0
        if table.backoff_mask:
            wanted.backoff = table.backoff_ln[
                (wanted.payload >> table.probability_bits) & table.backoff_mask]


# The n-grams within k words are numbered by their last word, from the second on, then by length:
# (0, 1), (1, 2), (0, 1, 2), (2, 3), … Those that have a given word are so, too, leaving others out.

cdef inline int first_within(int j) noexcept nogil:
    """Number of the first n-gram that ends at word j."""
    return j * (j - 1) // 2


cdef inline int64_t n_with_word(int k, int p) noexcept nogil:
    """How many of the n-grams within k words have word p."""
    return (p + 1) * (k - p) - 1


cdef inline void want_all(const NgramView* lm, const Word** words, int k,
                          uint64_t[MAX_ORDER][MAX_ORDER] hashes, Wants* wants) noexcept nogil:
    """The n-grams within k words; `hashes` are by their last word and their length - 1."""
    cdef int j, m
    for j in range(k):
        hashes[j][0] = words[j].form
        for m in range(1, j + 1):
            hashes[j][m] = extend_left(hashes[j][m - 1], words[j - m].form)
            want(lm, wants, hashes[j][m], m + 1)


cdef inline void want_changed(const NgramView* lm, const Word** words, int k, int p,
                              const Word* instead, const uint64_t[MAX_ORDER][MAX_ORDER] hashes,
                              Wants* wants) noexcept nogil:
    """Those that have word p, with another in its place."""
    cdef int j, m
    cdef uint64_t hash
    for j in range(p, k):
        hash = instead.form
        if j > p:
            hash = extend_left(hashes[j][j - p - 1], hash)
            want(lm, wants, hash, j - p + 1)
        for m in range(j - p + 1, j + 1):
            hash = extend_left(hash, words[j - m].form)
            want(lm, wants, hash, m + 1)


cdef inline float score_at(const Word** words, int j, int n_before,
                           const Wanted* own) noexcept nogil:
    """log p(word j | the `n_before` words before it), natural log.

    `own` are the n-grams within the words.
    """
    cdef int m
    cdef float score = words[j].log_probability
    cdef const Wanted* ending = own + first_within(j) - 1
    cdef const Wanted* before = own + first_within(j - 1) - 2
    for m in range(1, n_before + 1):
        if ending[m].payload:
            score = ending[m].probability
        elif m == 1:
            score += words[j - 1].log_backoff
        else:
            score += before[m].backoff
    return score


cdef inline double score_changed(const Word** words, int k, int p, const Word* instead,
                                 double score, const Wanted* own,
                                 const Wanted* changed) noexcept nogil:
    """Score of all words, with another in place of word p; `score` is that of the words before."""
    cdef int j, m, shortest
    cdef float of_word
    cdef const Wanted* ending
    cdef const Wanted* wanted
    cdef const Wanted* changed_ending = changed    # by the number of words before the last
    cdef const Wanted* changed_before = NULL
    for j in range(p, k):
        # The shortest that reaches back to word p.
        shortest = max(1, j - p)
        changed_ending = changed - shortest
        ending = own + first_within(j) - 1
        of_word = (instead if j == p else words[j]).log_probability
        for m in range(1, j + 1):
            wanted = (changed_ending if m >= shortest else ending) + m
            if wanted.payload:
                of_word = wanted.probability
            elif m == 1:
                of_word += (instead if j - 1 == p else words[j - 1]).log_backoff
            elif j > p and m >= j - p:
                of_word += changed_before[m - 1].backoff
            else:
                of_word += (own + first_within(j - 1) - 1)[m - 1].backoff
        score += of_word
        changed_before = changed_ending
        changed += j + 1 - shortest
    return score


cdef class CasingLosses:
    """What leaving n-grams out costs the casing of the training text.

    For each word of an n-gram that has other candidates, the posterior P of the form it has is
    taken within the n-gram, the other words fixed. Without the n-gram the path's score falls by
    d, P becomes P' = P e^-d / (1 - P + P e^-d), and the loss is the Kullback-Leibler divergence
    of the two decisions times the number of times the decision is met, count / P.

    Parameters
    ----------
    scorer : NgramScorer
    alternatives_start : const int64[::1], shape (n_words + 1,)
        Other candidates of word id w: ``alternatives[start[w]:start[w + 1]]``.
    alternatives : const uint32[::1]
    node_score : const float[::1], shape (n_words,)
        Node features of each word id, natural log.

    Raises
    ------
    ValueError
        If the tables do not fit the scorer's vocabulary.
    """

    cdef NgramScorer scorer
    cdef object memory
    cdef const Word* words
    cdef const uint32_t[::1] alternatives

    def __cinit__(self, NgramScorer scorer not None, const int64_t[::1] alternatives_start not None,
                  const uint32_t[::1] alternatives not None,
                  const float[::1] node_score not None):
        cdef int64_t i, n = scorer.n_words, first, last, n_alternatives = alternatives.shape[0]
        cdef uint64_t[::1] memory
        cdef Word* word
        cdef bint bad = alternatives_start.shape[0] != n + 1 or node_score.shape[0] != n
        self.scorer = scorer
        self.alternatives = alternatives
        self.memory = memory = np.empty(n * (sizeof(Word) // 8), np.uint64)
        word = <Word*>&memory[0]
        self.words = word
        if not bad:
            with nogil:
                for i in range(n):
                    first = alternatives_start[i]
                    last = alternatives_start[i + 1]
                    if not 0 <= first <= last <= n_alternatives:
                        bad = True
                        break
                    word[i].form = scorer.vocabulary.form[i]
                    word[i].first_alternative = first
                    word[i].n_alternatives = <uint32_t>(last - first)
                    word[i].log_probability = scorer.vocabulary.log_probability[i]
                    word[i].log_backoff = scorer.vocabulary.log_backoff[i]
                    word[i].node_score = node_score[i]
                for i in range(n_alternatives):
                    bad |= alternatives[i] >= n
        if bad:
            raise ValueError("the tables of alternatives do not fit the vocabulary")

    def of(self, const uint32_t[:, ::1] words not None, const uint32_t[::1] counts not None,
           const float[::1] context_backoff not None):
        """The losses of some n-grams.

        Parameters
        ----------
        words : const uint32[:, ::1], shape (n, k)
        counts : const uint32[::1], shape (n,)
        context_backoff : const float[::1], shape (n,)
            Backoff of the n-gram's words but the last, natural log; 0 if it has none.

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
        out = np.zeros(n, dtype=np.float32)
        if n == 0:
            return out
        self.scorer._check(words)
        cdef float[::1] losses = out
        memset(&wants, 0, sizeof(Wants))
        with nogil:
            while begin < n:
                end = min(begin + AT_ONCE, n)
                wants.n = 0
                for i in range(begin, end):
                    if i + AT_ONCE < n:
                        self.prefetch_words(&words[i + AT_ONCE, 0], k)
                    if i + AT_ONCE // 2 < n:
                        self.prefetch_alternatives(&words[i + AT_ONCE // 2, 0], k)
                    status = self.want_for(&words[i, 0], k, &wants)
                    if status != STATUS_OK:
                        break
                if status != STATUS_OK:
                    break
                find_wanted(&self.scorer.lm, &wants)
                found = wants.wanted
                for i in range(begin, end):
                    losses[i] = <float>self.loss_of(&words[i, 0], k, counts[i], context_backoff[i],
                                                    &found)
                begin = end
            free(wants.wanted)
        if status == STATUS_OUT_OF_MEMORY:
            raise MemoryError("no memory for the alternatives of an n-gram")
        return out

    cdef inline void prefetch_words(self, const uint32_t* ids, int k) noexcept nogil:
        cdef int p
        for p in range(k):
            prefetch(self.words + ids[p])

    cdef inline void prefetch_alternatives(self, const uint32_t* ids, int k) noexcept nogil:
        cdef int p
        cdef const Word* word
        for p in range(k):
            word = self.words + ids[p]
            if word.n_alternatives:
                prefetch(self.words + self.alternatives[word.first_alternative])

    cdef int want_for(self, const uint32_t* ids, int k, Wants* wants) noexcept nogil:
        """Ask for what the loss of an n-gram needs; a Status."""
        cdef int p
        cdef int64_t a, n_needed = 0
        cdef uint64_t[MAX_ORDER][MAX_ORDER] hashes
        cdef const Word* words[MAX_ORDER]
        cdef const Word* word
        for p in range(k):
            words[p] = self.words + ids[p]
            n_needed += words[p].n_alternatives * n_with_word(k, p)
        if not n_needed:
            return STATUS_OK
        n_needed += first_within(k)
        if wants.n + n_needed > wants.capacity:
            if grow(<void**>&wants.wanted, 2 * (wants.n + n_needed), sizeof(Wanted)) != STATUS_OK:
                return STATUS_OUT_OF_MEMORY
            wants.capacity = 2 * (wants.n + n_needed)
        want_all(&self.scorer.lm, words, k, hashes, wants)
        for p in range(k):
            word = words[p]
            for a in range(word.first_alternative, word.first_alternative + word.n_alternatives):
                want_changed(&self.scorer.lm, words, k, p, self.words + self.alternatives[a],
                             hashes, wants)
        return STATUS_OK

    cdef double loss_of(self, const uint32_t* ids, int k, uint32_t count, float context_backoff,
                        const Wanted** found) noexcept nogil:
        """The loss of an n-gram for which `want_for` has asked; moves `found` on."""
        cdef double before[MAX_ORDER]      # score of the words before each
        cdef double whole = 0.0, fall = 0.0, loss = 0.0, score, posterior, rest, after = 0.0
        cdef float of_word = 0.0
        cdef const Wanted* own = found[0]
        cdef const Wanted* changed = own + first_within(k)
        cdef int p, j
        cdef int64_t a
        cdef bint scored = False
        cdef const Word* words[MAX_ORDER]
        cdef const Word* word
        cdef const Word* other
        for p in range(k):
            words[p] = self.words + ids[p]
        for p in range(k):
            word = words[p]
            if not word.n_alternatives:
                continue
            if not scored:
                scored = True
                for j in range(k):
                    before[j] = whole
                    of_word = score_at(words, j, j, own)
                    whole += of_word
                fall = of_word - (score_at(words, k - 1, k - 2, own) + context_backoff)
                after = exp(-fall)
            rest = 0.0
            for a in range(word.first_alternative, word.first_alternative + word.n_alternatives):
                other = self.words + self.alternatives[a]
                score = score_changed(words, k, p, other, before[p], own, changed)
                changed += n_with_word(k, p)
                score = score - whole + other.node_score - word.node_score
                rest += exp(score if score < 50 else 50)
            posterior = 1.0 / (1.0 + rest)
            if posterior < 1e-12:
                posterior = 1e-12
            score = posterior * fall + log1p(posterior * (after - 1.0))
            # However little it is worth, it could change a decision.
            loss += count / posterior * score if score > 0 else 0.0
            if loss < 1e-30:
                loss = 1e-30
        if scored:
            found[0] = changed
        return loss
