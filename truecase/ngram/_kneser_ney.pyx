"""Passes over sorted n-grams: counts, probabilities, casing losses; numbers of n-grams.

The arrays of one call describe the same records, in lexicographic order. A *context* is an n-gram
without its last word; calls that work on whole contexts get arrays that end where a context ends.
`keys` are packed n-grams (`_keys.pxd`) of `order` word ids of `bits` bits each.

A casing loss takes a dozen look-ups in tables of hundreds of megabytes. So blocks of n-grams are
worked on in passes: each pass prefetches what the next one reads.
"""

from libc.math cimport exp, log1p
from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from truecase.base._check cimport prefetch
from truecase.base._memory cimport STATUS_OK, STATUS_OUT_OF_MEMORY, reserve
from truecase.kernels._maps cimport find_slot, prefetch_slot
from truecase.kernels._ngrams cimport NgramScorer, extend_left
from truecase.kernels._structs cimport MAX_ORDER, NgramTable, NgramView
from truecase.ngram._keys cimport (
    Key128, key_at, key_width, mask128, masked, push_word, same_key, same_prefix, set_key, word_of
)

import numpy as np


cdef enum:
    AHEAD = 24                    # how many look-ups ahead slots are prefetched


cdef int64_t n_records(const uint64_t[::1] keys, int width) except -1:
    if keys.shape[0] % width:
        raise ValueError("half a key at the end of an array of keys")
    return keys.shape[0] // width


cdef int same_length(str name, int64_t length, int64_t expected) except -1:
    if length != expected:
        raise ValueError(f"{name}: {length} values for {expected} n-grams")
    return 0


def last_words(const uint64_t[::1] keys not None, int order, int new_order, int bits):
    """The last `new_order` words of each n-gram, as keys of that order."""
    cdef int width = key_width(order, bits), new_width = key_width(new_order, bits)
    cdef int64_t i, n = n_records(keys, width)
    cdef Key128 mask
    cdef uint64_t[::1] out = np.empty(n * new_width, dtype=np.uint64)
    with nogil:
        mask = mask128(new_order * bits)
        for i in range(n):
            set_key(&out[0], i, new_width, masked(key_at(&keys[0], i, width), mask))
    return out.base


def pack(const uint32_t[:, :] words not None, int bits):
    """The keys of n-grams given as word ids, an array of shape (n, order)."""
    cdef int order = <int>words.shape[1], width = key_width(order, bits), j
    cdef int64_t i, n = words.shape[0]
    cdef Key128 key, mask
    cdef uint64_t[::1] keys = np.empty(n * width, dtype=np.uint64)
    with nogil:
        mask = mask128(order * bits)
        for i in range(n):
            key.hi = key.lo = 0
            for j in range(order):
                key = push_word(key, words[i, j], bits, mask)
            set_key(&keys[0], i, width, key)
    return keys.base


def unpack(const uint64_t[::1] keys not None, int order, int bits):
    """The word ids of each n-gram, as a uint32 array of shape (n, order)."""
    cdef int width = key_width(order, bits), j
    cdef int64_t i, n = n_records(keys, width)
    cdef Key128 key
    cdef uint32_t[:, ::1] words = np.empty((n, order), dtype=np.uint32)
    with nogil:
        for i in range(n):
            key = key_at(&keys[0], i, width)
            for j in range(order):
                words[i, order - 1 - j] = word_of[Key128](key, j, bits)
    return words.base


def count_words(const uint64_t[::1] keys not None, int order, int bits, int place,
                int64_t[::1] of_words not None, const uint32_t[::1] counts=None):
    """Add the count of each n-gram, 1 without `counts`, to that of one of its words.

    `place` is counted from the last word. ValueError if a word is unknown.
    """
    cdef int width = key_width(order, bits)
    cdef int64_t i, n = n_records(keys, width), n_words = of_words.shape[0], bad = -1
    cdef uint32_t word
    cdef bint counted = counts is not None
    if not 0 <= place < order:
        raise ValueError(f"there is no such place in {order}-grams")
    if counted:
        same_length("counts", counts.shape[0], n)
    with nogil:
        for i in range(n):
            word = word_of[Key128](key_at(&keys[0], i, width), place, bits)
            if word >= n_words:
                bad = word
                break
            of_words[word] += counts[i] if counted else 1
    if bad >= 0:
        raise ValueError(f"word id {bad} in an n-gram: expected 2 … {n_words - 1}")


def normalise(const uint64_t[::1] keys not None, const uint32_t[::1] adjusted not None,
              const uint32_t[::1] raw not None, const float[::1] lower not None, int order,
              int bits, smoothing):
    """Interpolated probabilities of one order's n-grams, and the backoffs of their contexts.

    Parameters
    ----------
    keys, adjusted, raw : arrays
        The n-grams of whole contexts, with their adjusted counts and their counts in the corpus.
    lower : float32 array
        Probability of each n-gram without its first word.
    smoothing : (int, (float, float, float))
        N-grams that occur at most so many times in the corpus are pruned: they give all their mass
        to the backoff. Then the discounts for adjusted counts of 1, 2, and 3 or more.

    Returns
    -------
    probability : float32 ndarray, shape (n,)
    backoff : float32 ndarray, shape (n_contexts,)
    """
    cdef int width = key_width(order, bits)
    cdef int64_t i, j, end, n = n_records(keys, width), m = 0, threshold = smoothing[0]
    cdef int64_t by_count[4]
    cdef double discount[4]
    cdef double total, pruned, backoff
    cdef Key128 context
    same_length("adjusted", adjusted.shape[0], n)
    same_length("raw", raw.shape[0], n)
    same_length("lower", lower.shape[0], n)
    discount[0] = 0
    discount[1], discount[2], discount[3] = smoothing[1]
    cdef float[::1] probabilities = np.empty(n, dtype=np.float32)
    cdef float[::1] backoffs = np.empty(n, dtype=np.float32)
    with nogil:
        i = 0
        while i < n:
            context = key_at(&keys[0], i, width)
            total = pruned = 0
            by_count[1] = by_count[2] = by_count[3] = 0
            end = i
            while end < n and same_prefix(key_at(&keys[0], end, width), context, bits):
                total += adjusted[end]
                if raw[end] <= threshold:
                    pruned += adjusted[end]
                else:
                    by_count[min(adjusted[end], <uint32_t>3)] += 1
                end += 1
            backoff = (discount[1] * by_count[1] + discount[2] * by_count[2]
                       + discount[3] * by_count[3] + pruned) / total
            for j in range(i, end):
                probabilities[j] = <float>(
                    (adjusted[j] - discount[min(adjusted[j], <uint32_t>3)]) / total
                    + backoff * lower[j])
            backoffs[m] = <float>backoff
            m += 1
            i = end
    return probabilities.base, backoffs.base[:m].copy()


cdef inline uint64_t hash_key(Key128 key) noexcept nogil:
    cdef uint64_t hash = key.lo ^ (key.hi * <uint64_t>0xd6e8feb86659fd93)
    hash *= <uint64_t>0x9e3779b97f4a7c15
    hash ^= hash >> 32
    return hash * <uint64_t>0xd6e8feb86659fd93


#: What a table has for an n-gram that it lacks: -1 as int32, no number as float32.
NOT_THERE = 0xffffffff


cdef class NgramNumbers:
    """Hash table from distinct n-grams, all of an order or a range of it, to numbers of 32 bits."""

    # A slot is a key, and the number with bit 32 set; 0 in an empty slot.
    cdef uint64_t[::1] slots
    cdef uint64_t n_slots
    cdef int width

    def __cinit__(self, const uint64_t[::1] keys not None, const uint32_t[::1] numbers not None,
                  int order, int bits):
        cdef int width = key_width(order, bits)
        cdef int64_t i, n = n_records(keys, width)
        cdef uint64_t* slot
        same_length("numbers", numbers.shape[0], n)
        self.width = width
        # At most 5 slots in 8 are taken, so a search always ends.
        self.n_slots = <uint64_t>(n + n * 3 // 5 + 8)
        if self.n_slots >> 32:
            raise MemoryError(f"{n} {order}-grams are too many for one table")
        # NumPy asks for huge pages, without which a look-up costs a walk through page tables too.
        memory = np.empty(self.n_slots * (width + 1), dtype=np.uint64)
        memory.fill(0)
        self.slots = memory
        with nogil:
            for i in range(n):
                if i + AHEAD < n:
                    prefetch(self.home(key_at(&keys[0], i + AHEAD, width)))
                slot = self.find(key_at(&keys[0], i, width))
                set_key(slot, 0, width, key_at(&keys[0], i, width))
                slot[width] = <uint64_t>1 << 32 | numbers[i]

    cdef inline uint64_t* home(self, Key128 key) noexcept nogil:
        cdef uint64_t index = ((hash_key(key) >> 32) * self.n_slots) >> 32
        return &self.slots[index * (self.width + 1)]

    cdef inline uint64_t* find(self, Key128 key) noexcept nogil:
        """The slot of an n-gram, or the empty slot where it belongs."""
        cdef uint64_t* slot = self.home(key)
        while slot[self.width] and not same_key(key_at(slot, 0, self.width), key):
            slot += self.width + 1
            if slot == &self.slots[0] + self.slots.shape[0]:
                slot = &self.slots[0]
        return slot

    def of(self, const uint64_t[::1] keys not None):
        """The number of each n-gram in `keys`, uint32; `NOT_THERE` if the table lacks it."""
        cdef int width = self.width
        cdef int64_t i, n = n_records(keys, width)
        cdef uint64_t slot
        cdef uint32_t[::1] out = np.empty(n, dtype=np.uint32)
        with nogil:
            for i in range(n):
                if i + AHEAD < n:
                    prefetch(self.home(key_at(&keys[0], i + AHEAD, width)))
                slot = self.find(key_at(&keys[0], i, width))[width]
                out[i] = <uint32_t>slot if slot else <uint32_t>0xffffffff
        return out.base


# Casing losses

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


cdef inline void want(const NgramView* lm, Wants* wants, uint64_t hash, int length) noexcept nogil:
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
    cdef uint64_t[::1] memory
    cdef const Word* words
    cdef const uint32_t[::1] alternatives

    def __cinit__(self, NgramScorer scorer not None, const int64_t[::1] alternatives_start not None,
                  const uint32_t[::1] alternatives not None,
                  const float[::1] node_score not None):
        cdef int64_t i, n = scorer.n_words, first, last, n_alternatives = alternatives.shape[0]
        cdef Word* word
        cdef bint bad = alternatives_start.shape[0] != n + 1 or node_score.shape[0] != n
        self.scorer = scorer
        self.alternatives = alternatives
        self.memory = np.empty(n * (sizeof(Word) // 8), np.uint64)
        word = <Word*>&self.memory[0]
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
        cdef float[::1] losses = np.zeros(n, dtype=np.float32)
        if n == 0:
            return losses.base
        self.scorer._check(words)
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
        return losses.base

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
        if reserve(<void**>&wants.wanted, &wants.capacity, wants.n + n_needed,
                   sizeof(Wanted)) != STATUS_OK:
            return STATUS_OUT_OF_MEMORY
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
