"""Sums of a network for words that were seen, kept as most words return; the memory of one thread.

A word has one of the four places of a set, found by its key. A new word takes the place of the one
that likely returns last, predicted as by Jaleel et al. (2010): less with each return.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int16_t, int32_t, uint32_t, uint64_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memset

from truecase.base._check cimport check
from truecase.base._memory cimport STATUS_OK, STATUS_OUT_OF_MEMORY, grow
from truecase.kernels._recurrent cimport SUM_SHIFT, ByteMatrix, GroupedUnits, round_byte_products
from truecase.kernels._structs cimport KeptSums


cdef enum:
    MOST_KEPT_WORDS = 8192       # a power of two
    KEPT_TOGETHER = 4            # words of a set
    FARTHEST_RETURN = 7          # the longest wait that is predicted: of a word that is new
    WORDS_TOGETHER = 16          # whose products are added together, a multiple of 4


cdef inline int reserve_sums(KeptSums* kept, size_t n_words, size_t n_sums) noexcept nogil:
    """Make room for so many words, a power of two, of `n_sums` each, and forget others; a Status.

    Where memory is short, there is room for fewer, but as many as before: places stay within.
    """
    cdef size_t least = max(kept.n_words, <size_t>KEPT_TOGETHER)
    kept.n_sums = n_sums
    while (grow(<void**>&kept.sums, n_words, n_sums * sizeof(int16_t)) != STATUS_OK
            or grow(<void**>&kept.distance, n_words, sizeof(uint8_t)) != STATUS_OK
            or grow(<void**>&kept.key, n_words, sizeof(uint64_t)) != STATUS_OK):
        n_words //= 2
        if n_words < least:
            return STATUS_OUT_OF_MEMORY
    kept.n_words = n_words
    memset(kept.distance, FARTHEST_RETURN + 1, n_words)
    memset(kept.key, 0, n_words * sizeof(uint64_t))
    return STATUS_OK


cdef inline void free_sums(KeptSums* kept) noexcept nogil:
    free(kept.key)
    free(kept.distance)
    free(kept.sums)


cdef inline int16_t* sums_at(const KeptSums* kept, uint32_t place) noexcept nogil:
    return kept.sums + place * kept.n_sums


cdef inline bint find_sums(const KeptSums* kept, uint64_t key, uint32_t* place) noexcept nogil:
    """Find the place of a word's sums, or one of its set; whether they are kept.

    `place` says where they were last; `key` is not 0.
    """
    cdef uint32_t k, first = <uint32_t>(key >> 32) & <uint32_t>(kept.n_words - KEPT_TOGETHER)
    if kept.key[place[0]] == key:
        return True
    for k in range(first, first + <uint32_t>KEPT_TOGETHER):
        place[0] = k
        if kept.key[k] == key:
            return True
    return False


cdef inline bint meet_word(KeptSums* kept, uint64_t key, uint32_t* place) noexcept nogil:
    """Find a word that returns; whether its sums are kept."""
    place[0] = 0
    if not find_sums(kept, key, place):
        return False
    kept.distance[place[0]] -= kept.distance[place[0]] > 0
    return True


cdef struct NewWords:            # whose sums are computed together
    int n                        # at most WORDS_TOGETHER
    uint32_t place[WORDS_TOGETHER]
    const uint8_t* inputs[WORDS_TOGETHER]


cdef inline void add_new_word(KeptSums* kept, uint64_t key, const uint8_t* inputs,
                              uint32_t* place, NewWords* words) noexcept nogil:
    """Append a word, and give it the place of one of its set, in which `place` is."""
    cdef uint32_t first = place[0] & ~(<uint32_t>KEPT_TOGETHER - 1), k
    cdef uint8_t more
    place[0] = first
    for k in range(first, first + <uint32_t>KEPT_TOGETHER):
        if kept.distance[k] > kept.distance[place[0]]:
            place[0] = k
    more = FARTHEST_RETURN - min(kept.distance[place[0]], <uint8_t>FARTHEST_RETURN)
    for k in range(first, first + <uint32_t>KEPT_TOGETHER):
        kept.distance[k] += more
    kept.distance[place[0]] = FARTHEST_RETURN
    kept.key[place[0]] = key
    check(words.n < WORDS_TOGETHER)
    words.place[words.n] = place[0]
    words.inputs[words.n] = inputs
    words.n += 1


cdef struct JoinedInputs:        # of a layer that joins two directions
    ByteMatrix of_inputs         # of those that are kept
    const int32_t* bias


cdef inline void keep_sums(const GroupedUnits* units, const JoinedInputs* joined, int n_joined,
                           NewWords* words, KeptSums* kept) noexcept nogil:
    """Compute the sums of new words, those of two directions first, and forget the list."""
    cdef int16_t* into[WORDS_TOGETHER]
    cdef int d, k
    for k in range(words.n):
        into[k] = sums_at(kept, words.place[k])
    for d in range(2):
        round_byte_products(&units[d].of_inputs, words.inputs, words.n, units[d].bias,
                            SUM_SHIFT - 2, into)
        for k in range(words.n):
            into[k] += 3 * units[d].n_units
    for d in range(n_joined):
        round_byte_products(&joined[d].of_inputs, words.inputs, words.n, joined[d].bias,
                            SUM_SHIFT, into)
        for k in range(words.n):
            into[k] += joined[d].of_inputs.n_rows
    words.n = 0
