"""Sums of a network for words that were seen, kept as most words return; the memory of one thread.

A word has one of the four places of a set, found by its key. A new word takes the place of the one
that likely returns last, predicted as by Jaleel et al. (2010): less with each return.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int16_t, uint32_t, uint64_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memset

from truecase.base._memory cimport STATUS_OK, STATUS_OUT_OF_MEMORY, grow


cdef enum:
    MOST_KEPT_WORDS = 8192       # a power of two
    KEPT_TOGETHER = 4            # words of a set
    FARTHEST_RETURN = 7          # the longest wait that is predicted: of a word that is new


cdef struct KeptSums:
    size_t n_words               # a power of two
    size_t n_sums                # of a word
    uint64_t* key                # of each word, 0 for none
    uint8_t* distance            # how late each likely returns
    int16_t* sums


cdef inline int reserve_sums(KeptSums* kept, size_t n_sums) noexcept nogil:
    """Make room for the sums of words, `n_sums` each, unless there is; a Status."""
    if kept.key != NULL:
        return STATUS_OK
    kept.n_words, kept.n_sums = MOST_KEPT_WORDS, n_sums
    # Where memory is short, fewer words are kept.
    while grow(<void**>&kept.sums, kept.n_words, n_sums * sizeof(int16_t)) != STATUS_OK:
        kept.n_words //= 2
        if kept.n_words < KEPT_TOGETHER:
            return STATUS_OUT_OF_MEMORY
    if (grow(<void**>&kept.distance, kept.n_words, sizeof(uint8_t)) != STATUS_OK
            or grow(<void**>&kept.key, kept.n_words, sizeof(uint64_t)) != STATUS_OK):
        return STATUS_OUT_OF_MEMORY
    memset(kept.distance, FARTHEST_RETURN + 1, kept.n_words)
    memset(kept.key, 0, kept.n_words * sizeof(uint64_t))
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


cdef inline void give_place(KeptSums* kept, uint64_t key, uint32_t* place) noexcept nogil:
    """Give a new word the place of one of its set, in which `place` is."""
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
