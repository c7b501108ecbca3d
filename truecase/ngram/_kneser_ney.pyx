"""Passes over the sorted n-grams of one order: counts in the corpus, probabilities, lower orders.

The arrays of one call describe the same records, in lexicographic order. A *context* is an n-gram
without its last word; calls that work on whole contexts get arrays that end where a context ends.
`keys` are packed n-grams (`_keys.pxd`) of `order` word ids of `bits` bits each.
"""

from libc.math cimport log
from libc.stdint cimport int64_t, uint32_t, uint64_t, uint8_t

from truecase.base._check cimport check, prefetch
from truecase.ngram._keys cimport (
    BOS, EOS, Key128, key_at, key_width, less_key, mask128, ones, same_key, same_prefix, word_of
)

import numpy as np


cdef enum:
    AHEAD = 24                    # how many look-ups ahead slots are prefetched
    LOG10_ZERO = -99


cdef int64_t n_records(const uint64_t[::1] keys, int width) except -1:
    if keys.shape[0] % width:
        raise ValueError("half a key at the end of an array of keys")
    return keys.shape[0] // width


cdef int same_length(str name, int64_t length, int64_t expected) except -1:
    if length != expected:
        raise ValueError(f"{name}: {length} values for {expected} n-grams")
    return 0


cdef Key128 from_int(object key):
    cdef Key128 out
    out.hi = key >> 64
    out.lo = key & 0xffffffffffffffff
    return out


cdef object to_int(Key128 key):
    return (int(key.hi) << 64) | int(key.lo)


def lower_bound(const uint64_t[::1] keys not None, int width, key):
    """Index of the first record that is not less than `key` (a Python integer)."""
    cdef int64_t low = 0, high = n_records(keys, width), middle
    cdef Key128 wanted = from_int(key)
    if high == 0:
        return 0
    cdef const uint64_t* data = &keys[0]
    while low < high:
        middle = (low + high) // 2
        if less_key[Key128](key_at(data, middle, width), wanted):
            low = middle + 1
        else:
            high = middle
    return low


def last_words(const uint64_t[::1] keys not None, int order, int new_order, int bits):
    """The last `new_order` words of each n-gram, as keys of that order."""
    cdef int width = key_width(order, bits), new_width = key_width(new_order, bits)
    cdef int64_t i, n = n_records(keys, width)
    cdef Key128 key, mask
    out_array = np.empty(n * new_width, dtype=np.uint64)
    cdef uint64_t[::1] out = out_array
    with nogil:
        mask = mask128(new_order * bits)
        for i in range(n):
            key = key_at(&keys[0], i, width)
            if new_width == 2:
                out[2 * i] = key.hi & mask.hi
            out[i * new_width + new_width - 1] = key.lo & mask.lo
    return out_array


def unpack(const uint64_t[::1] keys not None, int order, int bits):
    """The word ids of each n-gram, as a uint32 array of shape (n, order)."""
    cdef int width = key_width(order, bits), j
    cdef int64_t i, n = n_records(keys, width)
    cdef Key128 key
    words_array = np.empty((n, order), dtype=np.uint32)
    cdef uint32_t[:, ::1] words = words_array
    with nogil:
        for i in range(n):
            key = key_at(&keys[0], i, width)
            for j in range(order):
                words[i, order - 1 - j] = word_of[Key128](key, j, bits)
    return words_array


def last_context_start(const uint64_t[::1] keys not None, int order, int bits):
    """Index of the first record of the last context."""
    cdef int width = key_width(order, bits)
    cdef int64_t i = n_records(keys, width) - 1
    if i < 0:
        return 0
    cdef Key128 last = key_at(&keys[0], i, width)
    while i > 0 and same_prefix[Key128](key_at(&keys[0], i - 1, width), last, bits):
        i -= 1
    return i


def greatest_reversed(const uint64_t[::1] keys not None, int order, int bits):
    """The n-gram that is greatest when words are compared from the last to the first."""
    cdef int width = key_width(order, bits), j
    cdef int64_t i, n = n_records(keys, width)
    cdef Key128 best, key
    cdef uint32_t a, b
    if n == 0:
        return 0
    with nogil:
        best = key_at(&keys[0], 0, width)
        for i in range(1, n):
            key = key_at(&keys[0], i, width)
            for j in range(order):
                a = word_of[Key128](key, j, bits)
                b = word_of[Key128](best, j, bits)
                if a != b:
                    if a > b:
                        best = key
                    break
    return to_int(best)


def count_left_contexts(const uint64_t[::1] keys not None, int bits, uint32_t[::1] counts not None):
    """Add to each word's count the number of bigrams in `keys` that end in it."""
    cdef int64_t i, n = keys.shape[0]
    cdef uint64_t mask = ones(bits)
    with nogil:
        for i in range(n):
            if (keys[i] & mask) < <uint64_t>counts.shape[0]:
                counts[keys[i] & mask] += 1


def count_last_words(const uint64_t[::1] keys not None, const uint32_t[::1] counts not None,
                     int order, int bits, int64_t[::1] of_words not None):
    """Add the count of each n-gram to that of its last word; ValueError if a word is unknown."""
    cdef int width = key_width(order, bits)
    cdef int64_t i, n = n_records(keys, width), n_words = of_words.shape[0], bad = -1
    cdef uint32_t word
    same_length("counts", counts.shape[0], n)
    with nogil:
        for i in range(n):
            word = word_of[Key128](key_at(&keys[0], i, width), 0, bits)
            if word >= n_words:
                bad = word
                break
            of_words[word] += counts[i]
    if bad >= 0:
        raise ValueError(f"word id {bad} in an n-gram: expected 2 … {n_words - 1}")


def context_sums(const uint64_t[::1] keys not None, const uint32_t[::1] counts not None,
                 int order, int bits):
    """Sum of the counts of each context's n-grams."""
    cdef int width = key_width(order, bits)
    cdef int64_t i, n = n_records(keys, width), m = 0
    cdef uint64_t total = 0
    cdef bint overflow = False
    cdef Key128 key, context
    same_length("counts", counts.shape[0], n)
    out_array = np.empty(n, dtype=np.uint32)
    cdef uint32_t[::1] out = out_array
    if n:
        with nogil:
            context = key_at(&keys[0], 0, width)
            for i in range(n):
                key = key_at(&keys[0], i, width)
                if not same_prefix[Key128](key, context, bits):
                    out[m] = <uint32_t>total
                    overflow |= total >> 32 != 0
                    m += 1
                    total = 0
                    context = key
                total += counts[i]
            out[m] = <uint32_t>total
            overflow |= total >> 32 != 0
            m += 1
    if overflow:
        raise OverflowError("an n-gram occurs 2**32 times or more")
    return out_array[:m].copy()


def count_kinds(const uint64_t[::1] keys not None, int order, int bits):
    """Number of n-grams that do not end in </s>, and of those that do but do not begin with <s>."""
    cdef int width = key_width(order, bits)
    cdef int64_t i, n = n_records(keys, width), n_continued = 0, n_ends = 0
    cdef Key128 key
    with nogil:
        for i in range(n):
            key = key_at(&keys[0], i, width)
            if word_of[Key128](key, 0, bits) != EOS:
                n_continued += 1
            elif word_of[Key128](key, order - 1, bits) != BOS:
                n_ends += 1
    return n_continued, n_ends


def join_raw_counts(const uint64_t[::1] keys not None, const uint32_t[::1] adjusted not None,
                    int order, int bits, const uint32_t[::1] continued not None,
                    const uint32_t[::1] ends not None):
    """How often each n-gram of a lower order occurs in the corpus.

    An n-gram that begins with <s> occurs `adjusted` times. Of the others, those that end in </s>
    have the counts `ends`; the rest have `continued`, summed over the n-grams that continue them.
    """
    cdef int width = key_width(order, bits)
    cdef int64_t i, n = n_records(keys, width), at_continued = 0, at_ends = 0
    cdef Key128 key
    cdef bint initial, end
    same_length("adjusted", adjusted.shape[0], n)
    out_array = np.empty(n, dtype=np.uint32)
    cdef uint32_t[::1] out = out_array
    with nogil:
        for i in range(n):
            key = key_at(&keys[0], i, width)
            end = word_of[Key128](key, 0, bits) == EOS
            initial = word_of[Key128](key, order - 1, bits) == BOS
            if not end:
                if at_continued == continued.shape[0]:
                    break
                out[i] = continued[at_continued]
                at_continued += 1
            elif not initial:
                if at_ends == ends.shape[0]:
                    break
                out[i] = ends[at_ends]
                at_ends += 1
            if initial:
                out[i] = adjusted[i]
        else:
            i = n
    if i != n or at_continued != continued.shape[0] or at_ends != ends.shape[0]:
        raise ValueError(f"{order}-grams and their continuations do not match")
    return out_array


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
        `truecase.ngram.kneser_ney.Smoothing`. N-grams that it prunes give all their mass to the
        backoff.

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
    probability_array = np.empty(n, dtype=np.float32)
    backoff_array = np.empty(n, dtype=np.float32)
    cdef float[::1] probabilities = probability_array
    cdef float[::1] backoffs = backoff_array
    with nogil:
        i = 0
        while i < n:
            context = key_at(&keys[0], i, width)
            total = pruned = 0
            by_count[1] = by_count[2] = by_count[3] = 0
            end = i
            while end < n and same_prefix[Key128](key_at(&keys[0], end, width), context, bits):
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
    return probability_array, backoff_array[:m].copy()


def context_words(const uint64_t[::1] keys not None, int bits):
    """The context of each bigram, one word, without repetitions."""
    cdef int64_t i, n = keys.shape[0], m = 0
    cdef uint32_t word_id, last = 0
    out_array = np.empty(n, dtype=np.uint32)
    cdef uint32_t[::1] out = out_array
    with nogil:
        for i in range(n):
            word_id = <uint32_t>(keys[i] >> bits)
            if m == 0 or word_id != last:
                out[m] = last = word_id
                m += 1
    return out_array[:m].copy()


def join_backoffs(const uint64_t[::1] keys not None, int order, int bits,
                  const float[::1] backoffs not None):
    """Backoff of each n-gram: the next of `backoffs`, or 1 for an n-gram that ends in </s>."""
    cdef int width = key_width(order, bits)
    cdef int64_t i, n = n_records(keys, width), m = 0
    out_array = np.empty(n, dtype=np.float32)
    cdef float[::1] out = out_array
    with nogil:
        for i in range(n):
            if word_of[Key128](key_at(&keys[0], i, width), 0, bits) == EOS:
                out[i] = 1
            elif m < backoffs.shape[0]:
                out[i] = backoffs[m]
                m += 1
            else:
                m = -1
                break
    if m != backoffs.shape[0]:
        raise ValueError(f"{order}-grams and the contexts of the next order do not match")
    return out_array


def log10_clipped(const float[::1] values not None, bint at_most_0):
    """log10 as float32, at least -99 (which stands for 0) and, if `at_most_0`, at most 0."""
    cdef int64_t i, n = values.shape[0]
    # log is several times faster than log10, and in double precision exact enough for float32.
    cdef double per_ln = 0.43429448190325182765
    cdef float value
    out_array = np.empty(n, dtype=np.float32)
    cdef float[::1] out = out_array
    with nogil:
        for i in range(n):
            value = <float>(log(values[i]) * per_ln) if values[i] > 0 else LOG10_ZERO
            if value < LOG10_ZERO:
                value = LOG10_ZERO
            out[i] = 0 if at_most_0 and value > 0 else value
    return out_array


def probabilities_of_last_word(const uint64_t[::1] keys not None, int bits,
                               const float[::1] unigrams not None):
    """Unigram probability of the last word of each bigram."""
    cdef int64_t i, n = keys.shape[0]
    cdef uint64_t mask = ones(bits), word_id
    out_array = np.empty(n, dtype=np.float32)
    cdef float[::1] out = out_array
    with nogil:
        for i in range(n):
            word_id = keys[i] & mask
            out[i] = unigrams[word_id] if word_id < <uint64_t>unigrams.shape[0] else 0
    return out_array


cdef struct NarrowSlot:
    uint64_t key                  # 0: empty; no n-gram ends in <unk>, so none is 0
    float probability


cdef struct WideSlot:
    Key128 key                    # low half 0: empty
    float probability


cdef inline uint64_t hash_key(Key128 key) noexcept nogil:
    cdef uint64_t hash = key.lo ^ (key.hi * <uint64_t>0xd6e8feb86659fd93)
    hash *= <uint64_t>0x9e3779b97f4a7c15
    hash ^= hash >> 32
    return hash * <uint64_t>0xd6e8feb86659fd93


cdef class LowerOrder:
    """Hash table from distinct n-grams, all of one order or a range of it, to probabilities."""

    cdef object memory
    cdef NarrowSlot* narrow       # the same memory as `wide`: one of the two is used
    cdef WideSlot* wide
    cdef uint64_t n_slots
    cdef int width
    cdef int order
    cdef int bits

    def __cinit__(self, const uint64_t[::1] keys not None, const float[::1] probabilities not None,
                  int order, int bits):
        cdef int width = key_width(order, bits)
        cdef int64_t i, n = n_records(keys, width)
        cdef uint64_t index
        cdef uint64_t[::1] slots
        cdef Key128 key
        same_length("probabilities", probabilities.shape[0], n)
        self.width = width
        self.order = order
        self.bits = bits
        # At most 5 slots in 8 are taken, so a search always ends.
        self.n_slots = <uint64_t>(n + n * 3 // 5 + 8)
        if self.n_slots >> 32:
            raise MemoryError(f"{n} {order}-grams are too many for one table")
        # NumPy asks for huge pages, without which a look-up costs a walk through page tables too.
        per_slot = (sizeof(NarrowSlot) if width == 1 else sizeof(WideSlot)) // 8
        self.memory = np.empty(self.n_slots * per_slot, dtype=np.uint64)
        self.memory.fill(0)
        slots = self.memory
        self.narrow = <NarrowSlot*>&slots[0]
        self.wide = <WideSlot*>&slots[0]
        with nogil:
            for i in range(n):
                if i + AHEAD < n:
                    self.prefetch_slot(key_at(&keys[0], i + AHEAD, width))
                key = key_at(&keys[0], i, width)
                index = ((hash_key(key) >> 32) * self.n_slots) >> 32
                if width == 1:
                    while self.narrow[index].key:
                        index = index + 1 if index + 1 < self.n_slots else 0
                    self.narrow[index].key = key.lo
                    self.narrow[index].probability = probabilities[i]
                else:
                    while self.wide[index].key.lo:
                        index = index + 1 if index + 1 < self.n_slots else 0
                    self.wide[index].key = key
                    self.wide[index].probability = probabilities[i]

    cdef inline void prefetch_slot(self, Key128 key) noexcept nogil:
        cdef uint64_t index = ((hash_key(key) >> 32) * self.n_slots) >> 32
        if self.width == 1:
            prefetch(&self.narrow[index])
        else:
            prefetch(&self.wide[index])

    cdef inline float find(self, Key128 key) noexcept nogil:
        """Probability of an n-gram; -1 if the table does not have it."""
        cdef uint64_t index = ((hash_key(key) >> 32) * self.n_slots) >> 32
        if self.width == 1:
            while self.narrow[index].key:
                if self.narrow[index].key == key.lo:
                    return self.narrow[index].probability
                index = index + 1 if index + 1 < self.n_slots else 0
        else:
            while self.wide[index].key.lo:
                if same_key[Key128](self.wide[index].key, key):
                    return self.wide[index].probability
                index = index + 1 if index + 1 < self.n_slots else 0
        return -1

    def probabilities(self, const uint64_t[::1] keys not None):
        """Probability of each n-gram in `keys`; KeyError if the table lacks one of them."""
        cdef int width = self.width
        cdef int64_t i, n = n_records(keys, width)
        cdef bint missing = False
        out_array = np.empty(n, dtype=np.float32)
        cdef float[::1] out = out_array
        with nogil:
            for i in range(n):
                if i + AHEAD < n:
                    self.prefetch_slot(key_at(&keys[0], i + AHEAD, width))
                out[i] = self.find(key_at(&keys[0], i, width))
                missing |= out[i] < 0
        if missing:
            raise KeyError(f"not all of these n-grams are among the {self.order}-grams")
        return out_array


def deal_out(const uint64_t[::1] keys not None, int order, int bits,
             const uint64_t[::1] first_keys not None):
    """Sort n-grams by the range they are in, keeping their order within each range.

    Parameters
    ----------
    keys : uint64 array
    order, bits : int
    first_keys : uint64 array
        First n-gram of each range, rising; at most 256. The first range also takes what is before.

    Returns
    -------
    numbers : uint8 ndarray, shape (n,)
        Range of each n-gram.
    sizes : int64 ndarray, shape (n_ranges,)
        N-grams in each range.
    dealt : uint64 ndarray
        The n-grams, range by range.
    """
    cdef int width = key_width(order, bits)
    cdef int64_t i, n = n_records(keys, width), to
    cdef int n_ranges = <int>n_records(first_keys, width), low, high, middle
    cdef int64_t[257] ends
    cdef Key128 key
    if not 1 <= n_ranges <= 256:
        raise ValueError(f"{n_ranges} ranges: expected 1 … 256")
    numbers_array = np.empty(n, dtype=np.uint8)
    dealt_array = np.empty(n * width, dtype=np.uint64)
    cdef uint8_t[::1] numbers = numbers_array
    cdef uint64_t[::1] dealt = dealt_array
    with nogil:
        for i in range(257):
            ends[i] = 0
        for i in range(n):
            key = key_at(&keys[0], i, width)
            low = 0
            high = n_ranges
            while high - low > 1:
                middle = (low + high) // 2
                if less_key[Key128](key, key_at(&first_keys[0], middle, width)):
                    high = middle
                else:
                    low = middle
            numbers[i] = <uint8_t>low
            ends[low + 1] += 1
    sizes = np.array([ends[i + 1] for i in range(n_ranges)], dtype=np.int64)
    with nogil:
        for i in range(n_ranges):
            ends[i + 1] += ends[i]
        for i in range(n):
            key = key_at(&keys[0], i, width)
            to = ends[numbers[i]]
            ends[numbers[i]] += 1
            if width == 2:
                dealt[2 * to] = key.hi
            dealt[to * width + width - 1] = key.lo
    return numbers_array, sizes, dealt_array


def collect(const uint8_t[::1] numbers not None, const float[::1] values not None):
    """Bring values of n-grams that `deal_out` has sorted back into the n-grams' own order."""
    cdef int64_t i, n = numbers.shape[0]
    cdef int64_t[257] ends
    same_length("values", values.shape[0], n)
    out_array = np.empty(n, dtype=np.float32)
    cdef float[::1] out = out_array
    with nogil:
        for i in range(257):
            ends[i] = 0
        for i in range(n):
            ends[numbers[i] + 1] += 1
        for i in range(256):
            ends[i + 1] += ends[i]
        # Invariant: the ends are sums of the numbers' own counts, so they stay below n.
        for i in range(n):
            check(ends[numbers[i]] < n)
            out[i] = values[ends[numbers[i]]]
            ends[numbers[i]] += 1
    return out_array


def add_masses(const int64_t[::1] contexts not None, const double[::1] probability not None,
               const double[::1] shorter not None, double[::1] kept_mass not None,
               double[::1] shorter_mass not None):
    """Add up the probabilities of each context's n-grams.

    Parameters
    ----------
    contexts : const int64[::1], shape (n,)
        Index of each n-gram's context; negative if the model does not have it.
    probability, shorter : const double[::1], shape (n,)
        Probability of the last word after its context, and after the shortened context.
    kept_mass, shorter_mass : double[::1], shape (n_contexts,)
        The sums, added to in place.

    Raises
    ------
    ValueError
        The arrays do not fit together.
    """
    cdef Py_ssize_t i, n = contexts.shape[0]
    cdef int64_t n_contexts = kept_mass.shape[0]
    cdef bint bad = False
    if not probability.shape[0] == shorter.shape[0] == n:
        raise ValueError("the n-grams' arrays differ in length")
    if shorter_mass.shape[0] != n_contexts:
        raise ValueError("the contexts' arrays differ in length")
    with nogil:
        for i in range(n):
            if contexts[i] >= n_contexts:
                bad = True
                break
            if contexts[i] >= 0:
                kept_mass[contexts[i]] += probability[i]
                shorter_mass[contexts[i]] += shorter[i]
    if bad:
        raise ValueError(f"context {contexts[i]} is not one of {n_contexts}")
