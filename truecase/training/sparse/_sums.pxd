"""Sums of the gradients that a batch has for each feature, and each row, of a shard."""

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from truecase.features._sparse cimport N_SPARSE_TAGS
from truecase.runtime._memory cimport grow
from truecase.runtime._status cimport STATUS_OK, STATUS_OUT_OF_MEMORY
from truecase.training.sparse._gradients cimport WordGradient, reserve


cdef struct Places:              # numbers of keys, in the order in which they first occur
    uint64_t* keys
    uint32_t n
    int64_t capacity
    uint32_t* table              # hash table: 1 + the number of a key; 0: free
    int bits                     # log2 of its size
    int64_t table_capacity


cdef struct FeatureSums:         # memory of one thread
    Places places                # by slot
    WordGradient* values
    int64_t capacity


cdef struct RowSums:             # memory of one thread
    Places places                # by row
    float* values                # side by side
    int64_t capacity


cdef inline void free_places(Places* places) noexcept nogil:
    free(places.keys)
    free(places.table)


cdef inline int begin_places(Places* places, int64_t n) noexcept nogil:
    """Forget all, and make room for `n` keys; a Status."""
    places.n = 0
    places.bits = 1
    while <int64_t>1 << places.bits < 2 * n:
        places.bits += 1
    if (reserve(<void**>&places.keys, &places.capacity, n, sizeof(uint64_t)) != STATUS_OK
            or reserve(<void**>&places.table, &places.table_capacity,
                       <int64_t>1 << places.bits, sizeof(uint32_t)) != STATUS_OK):
        return STATUS_OUT_OF_MEMORY
    memset(places.table, 0, (<size_t>1 << places.bits) * sizeof(uint32_t))
    return STATUS_OK


cdef inline uint32_t place_of_key(Places* places, uint64_t key) noexcept nogil:
    """The number of a key, for which there is room."""
    cdef uint64_t mask = (<uint64_t>1 << places.bits) - 1
    cdef uint64_t at = (key * <uint64_t>0x9e3779b97f4a7c15) >> (64 - places.bits)
    while places.table[at] and places.keys[places.table[at] - 1] != key:
        at = (at + 1) & mask
    if places.table[at] == 0:
        places.keys[places.n] = key
        places.n += 1
        places.table[at] = places.n
    return places.table[at] - 1


cdef inline int begin_features(FeatureSums* sums, int64_t n) noexcept nogil:
    """Forget all, and make room for `n` features; a Status."""
    if reserve(<void**>&sums.values, &sums.capacity, n, sizeof(WordGradient)) != STATUS_OK:
        return STATUS_OUT_OF_MEMORY
    return begin_places(&sums.places, n)


cdef inline void add_to_feature(FeatureSums* sums, uint64_t slot,
                                const WordGradient* gradient) noexcept nogil:
    """Add a word's gradient to that of a feature, for which there is room."""
    cdef uint32_t n = sums.places.n, place = place_of_key(&sums.places, slot)
    cdef int k
    if place == n:
        sums.values[place] = gradient[0]
        return
    for k in range(N_SPARSE_TAGS):
        sums.values[place].of_tag[k] += gradient.of_tag[k]


cdef inline int begin_rows(RowSums* sums, int64_t n, int32_t n_units) noexcept nogil:
    """Forget all, and make room for `n` rows; a Status."""
    if reserve(<void**>&sums.values, &sums.capacity, n * n_units, sizeof(float)) != STATUS_OK:
        return STATUS_OUT_OF_MEMORY
    return begin_places(&sums.places, n)


cdef inline void add_to_row(RowSums* sums, uint64_t row, const float* gradient,
                            int32_t n_units) noexcept nogil:
    """Add a word's gradient by unit to that of a row, for which there is room."""
    cdef uint32_t n = sums.places.n, place = place_of_key(&sums.places, row)
    cdef float* own = sums.values + <int64_t>place * n_units
    cdef int32_t k
    if place == n:
        for k in range(n_units):
            own[k] = gradient[k]
        return
    for k in range(n_units):
        own[k] += gradient[k]
