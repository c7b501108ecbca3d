"""Casing losses of n-grams, and the shorter n-grams inside each n-gram.

An n-gram's loss takes a dozen look-ups in tables of hundreds of megabytes. So blocks of n-grams are
worked on in passes: each pass prefetches what the next one reads.
"""

from libc.math cimport exp, log1p
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from truecase.base._check cimport check, prefetch
from truecase.base._memory cimport STATUS_OK, STATUS_OUT_OF_MEMORY, grow
from truecase.kernels._maps cimport find_slot, prefetch_slot
from truecase.kernels._ngrams cimport NgramScorer, extend_left
from truecase.kernels._structs cimport MAX_ORDER, NgramTable, NgramView
from truecase.kernels._unicode cimport mix

import numpy as np

from truecase.base.threads import ordered_map


__all__ = ["CasingLosses", "find_shorter", "raise_to"]


cdef enum:
    AT_ONCE = 64                  # n-grams whose losses are found at a time


cdef struct Word:                 # a word id's numbers, in half a cache line
    uint64_t form                 # identity in the tables
    int64_t first_alternative
    uint32_t n_alternatives
    float log_probability         # natural log, as the rest
    float log_backoff
    float node_score


cdef struct Wanted:               # an n-gram to look up, and the result
    uint64_t hash
    int length
    uint32_t payload              # 0: the table does not have it
    float probability             # natural log, as the backoff
    float backoff                 # 0 if the table does not have it


cdef struct Wants:                # the look-ups for a block of losses, in the order of use
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
    """Look up all wanted n-grams, then their values in the codebooks."""
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
        # Every codebook has an entry 0; that of backoffs is 0.
        wanted.probability = table.probability_ln[wanted.payload & table.probability_mask]
        wanted.backoff = 0.0
        if table.backoff_mask:
            wanted.backoff = table.backoff_ln[
                (wanted.payload >> table.probability_bits) & table.backoff_mask]


# The n-grams within k words are numbered by last word, from the second on, then by length:
# (0, 1), (1, 2), (0, 1, 2), (2, 3), … Those that contain a given word keep this order.

cdef inline int first_within(int j) noexcept nogil:
    """Index of the first n-gram that ends at word j."""
    return j * (j - 1) // 2


cdef inline int64_t n_with_word(int k, int p) noexcept nogil:
    """Number of n-grams within k words that contain word p."""
    return (p + 1) * (k - p) - 1


cdef inline void want_all(const NgramView* lm, const Word** words, int k,
                          uint64_t[MAX_ORDER][MAX_ORDER] hashes, Wants* wants) noexcept nogil:
    """Want the n-grams within k words; `hashes` are by last word and length - 1."""
    cdef int j, m
    for j in range(k):
        hashes[j][0] = words[j].form
        for m in range(1, j + 1):
            hashes[j][m] = extend_left(hashes[j][m - 1], words[j - m].form)
            want(lm, wants, hashes[j][m], m + 1)


cdef inline void want_changed(const NgramView* lm, const Word** words, int k, int p,
                              const Word* instead, const uint64_t[MAX_ORDER][MAX_ORDER] hashes,
                              Wants* wants) noexcept nogil:
    """Want the n-grams that contain word p, with `instead` in its place."""
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
    """log p(word j | the `n_before` words before it); `own` are the n-grams within the words."""
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
    """Score of all words with `instead` as word p; `score` is that of the words before p."""
    cdef int j, m, shortest
    cdef float of_word
    cdef const Wanted* ending
    cdef const Wanted* wanted
    cdef const Wanted* changed_ending = changed   # by the number of words before the last
    cdef const Wanted* changed_before = NULL
    for j in range(p, k):
        # Length, less 1, of the shortest n-gram that reaches back to word p.
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
    """What the casing of the training text loses without an n-gram.

    For each word of the n-gram that has other candidates, P is the posterior of the word's form
    within the n-gram, the other words fixed. Without the n-gram the path's score falls by d, and P
    becomes P' = P e^-d / (1 - P + P e^-d). The loss is the Kullback-Leibler divergence of the two
    decisions, times the number of decisions, count / P.

    Parameters
    ----------
    scorer : NgramScorer
    alternatives_start : const int64[::1], shape (n_words + 1,)
        Other candidates of word id w: ``alternatives[start[w]:start[w + 1]]``.
    alternatives : const uint32[::1]
    node_score : const float[::1], shape (n_words,)
        Node score of each word id, natural log.

    Raises
    ------
    ValueError
        The tables do not fit the scorer's vocabulary.
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
            Backoff of the n-gram without its last word, natural log; 0 if it has none.

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
        """Want what the loss of an n-gram needs; a Status."""
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
        """The loss of an n-gram, after `want_for`; advances `found`."""
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
            # Not 0, since it could change a decision.
            loss += count / posterior * score if score > 0 else 0.0
            if loss < 1e-30:
                loss = 1e-30
        if scored:
            found[0] = changed
        return loss


# Contexts and suffixes of n-grams

cdef enum:
    AHEAD = 16                    # n-grams between two of: prefetch of slot, of row, use
    RING = 64                     # a power of two, more than twice as many
    CHUNK = 1 << 18               # n-grams that one thread works on at a time


cdef inline int compare(const uint32_t* a, const uint32_t* b, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        if a[i] != b[i]:
            return -1 if a[i] < b[i] else 1
    return 0


cdef inline uint64_t home_of(const uint32_t* row, Py_ssize_t width,
                             uint64_t n_slots) noexcept nogil:
    cdef Py_ssize_t i
    cdef uint64_t hash = row[0]
    for i in range(1, width):
        hash = hash * <uint64_t>0x9e3779b97f4a7c15 + row[i]
    return ((mix(hash) >> 32) * n_slots) >> 32


cdef void index_rows(const uint32_t* rows, int64_t m, Py_ssize_t width, uint32_t* slots,
                     uint64_t n_slots) noexcept nogil:
    """Put the index of each row, plus one, into a hash table of zeros."""
    cdef int64_t i
    cdef uint64_t home
    for i in range(m):
        if i + AHEAD < m:
            prefetch(slots + home_of(rows + (i + AHEAD) * width, width, n_slots))
        home = home_of(rows + i * width, width, n_slots)
        while slots[home]:
            home = home + 1 if home + 1 < n_slots else 0
        slots[home] = <uint32_t>(i + 1)


cdef void find_contexts(const uint32_t* words, int64_t n, const uint32_t* rows, int64_t m,
                        Py_ssize_t width, int32_t* contexts) noexcept nogil:
    """Find the contexts of sorted n-grams among sorted rows: the place never moves back."""
    cdef int64_t i, place = 0, end = m, middle
    cdef int order
    # No context is before the first one.
    while place < end:
        middle = (place + end) // 2
        if compare(rows + middle * width, words, width) < 0:
            place = middle + 1
        else:
            end = middle
    for i in range(n):
        order = 1
        while place < m:
            order = compare(rows + place * width, words + i * (width + 1), width)
            if order >= 0:
                break
            place += 1
        contexts[i] = <int32_t>place if order == 0 else -1


cdef void find_suffixes(const uint32_t* words, int64_t n, const uint32_t* rows, Py_ssize_t width,
                        const uint32_t* slots, uint64_t n_slots, int32_t* suffixes) noexcept nogil:
    cdef int64_t i, place
    cdef uint64_t[RING] homes
    cdef uint64_t home
    cdef const uint32_t* suffix
    for i in range(-2 * AHEAD, n):
        if i + 2 * AHEAD < n:
            home = home_of(words + (i + 2 * AHEAD) * (width + 1) + 1, width, n_slots)
            homes[(i + 2 * AHEAD) & (RING - 1)] = home
            prefetch(slots + home)
        if 0 <= i + AHEAD < n:
            place = slots[homes[(i + AHEAD) & (RING - 1)]]
            if place:
                prefetch(rows + (place - 1) * width)
        if i < 0:
            continue
        home = homes[i & (RING - 1)]
        suffix = words + i * (width + 1) + 1
        place = slots[home]
        # Invariant: some slots are empty, so the search ends.
        while place and compare(rows + (place - 1) * width, suffix, width):
            home = home + 1 if home + 1 < n_slots else 0
            place = slots[home]
        check(home < n_slots)
        suffixes[i] = <int32_t>(place - 1)


cdef class _Below:
    """The n-grams of the order below, indexed."""

    cdef const uint32_t[:, ::1] rows
    cdef uint32_t[::1] slots

    def __cinit__(self, const uint32_t[:, ::1] rows):
        cdef int64_t m = rows.shape[0]
        self.rows = rows
        # NumPy asks for huge pages here, but not in `zeros`.
        index = np.empty(2 * m + 8, dtype=np.uint32)
        index.fill(0)
        self.slots = index
        with nogil:
            index_rows(&rows[0, 0], m, rows.shape[1], &self.slots[0], self.slots.shape[0])

    def find(self, const uint32_t[:, ::1] words):
        """Contexts and suffixes of consecutive n-grams, at least one."""
        cdef Py_ssize_t n = words.shape[0], m = self.rows.shape[0], width = self.rows.shape[1]
        contexts = np.empty(n, np.int32)
        suffixes = np.empty(n, np.int32)
        cdef int32_t[::1] context = contexts, suffix = suffixes
        with nogil:
            find_contexts(&words[0, 0], n, &self.rows[0, 0], m, width, &context[0])
            find_suffixes(&words[0, 0], n, &self.rows[0, 0], width, &self.slots[0],
                          self.slots.shape[0], &suffix[0])
        return contexts, suffixes


def find_shorter(const uint32_t[:, ::1] words, const uint32_t[:, ::1] below, int threads=1):
    """Find, for each n-gram, the rows of `below` without its last word and without its first word.

    Parameters
    ----------
    words : const uint32[:, ::1], shape (n, k)
        Sorted lexicographically, k >= 2.
    below : const uint32[:, ::1], shape (m, k - 1)
        Sorted lexicographically, each n-gram once.
    threads : int
        The result does not depend on it.

    Returns
    -------
    context, suffix : int32 ndarray, shape (n,)
        -1 where the shorter n-gram is absent.

    Raises
    ------
    MemoryError
        `below` has 2**31 n-grams or more.
    ValueError
        The widths do not fit together.
    """
    cdef Py_ssize_t n = words.shape[0], m = below.shape[0], width = below.shape[1], begin
    if words.shape[1] != width + 1 or width < 1:
        raise ValueError(f"n-grams of {words.shape[1]} words above n-grams of {width}")
    if m >= <int64_t>1 << 31:
        raise MemoryError(f"{m} {width}-grams are too many for one table")
    if n == 0 or m == 0:
        return np.full(n, -1, np.int32), np.full(n, -1, np.int32)
    contexts = np.empty(n, np.int32)
    suffixes = np.empty(n, np.int32)
    rows = np.asarray(words)
    starts = range(0, n, CHUNK)
    parts = [rows[begin : begin + CHUNK] for begin in starts]
    found = ordered_map(_Below(below).find, parts, threads)
    for begin, (context, suffix) in zip(starts, found):
        contexts[begin : begin + CHUNK] = context
        suffixes[begin : begin + CHUNK] = suffix
    return contexts, suffixes


def raise_to(const int32_t[::1] places not None, const float[::1] values not None,
             float[::1] below not None):
    """Raise each entry of `below`, in place, to the largest of the values that point to it.

    Parameters
    ----------
    places : const int32[::1], shape (n,)
        Index that each value points to; negative for none.
    values : const float[::1], shape (n,)
    below : float[::1], shape (m,)

    Raises
    ------
    ValueError
        The arrays do not fit together.
    """
    cdef int64_t i, n = places.shape[0], m = below.shape[0]
    cdef int32_t place
    cdef bint bad = False
    if values.shape[0] != n:
        raise ValueError("the n-grams' arrays differ in length")
    with nogil:
        for i in range(n):
            if i + AHEAD < n and 0 <= places[i + AHEAD] < m:
                prefetch(&below[places[i + AHEAD]])
            place = places[i]
            if place < 0:
                continue
            if place >= m:
                bad = True
                break
            if values[i] > below[place]:
                below[place] = values[i]
    if bad:
        raise ValueError(f"place {place} is not one of {m}")
