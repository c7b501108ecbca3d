"""Sums of the gradients that a batch has for each feature, and each row, of a shard."""

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from truecase.features._sparse cimport N_SPARSE_TAGS
from truecase.runtime._memory cimport grow
from truecase.runtime._status cimport STATUS_OK, STATUS_OUT_OF_MEMORY
from truecase.training.sparse._gradients cimport WordGradient, reserve


cdef struct FeatureSum:          # 16 bytes, none of which lie in two lines of the cache
    uint32_t slot
    WordGradient gradient


cdef struct FeatureSums:         # memory of one thread
    FeatureSum* sums             # in the order in which features first occur
    uint32_t n
    int64_t capacity
    uint32_t* table              # hash table: 1 + the number of a sum; 0: free
    int bits                     # log2 of its size
    int64_t table_capacity


cdef struct RowSums:             # memory of one thread
    uint32_t* rows               # in the order in which they first occur
    uint32_t n
    int64_t capacity
    float* values                # of these rows, side by side
    int64_t value_capacity
    uint32_t* place_of           # by row: 1 + its number among these; 0: not among them
    int64_t place_capacity


cdef inline void free_feature_sums(FeatureSums* sums) noexcept nogil:
    free(sums.sums)
    free(sums.table)


cdef inline void free_row_sums(RowSums* sums) noexcept nogil:
    free(sums.rows)
    free(sums.values)
    free(sums.place_of)


cdef inline int begin_features(FeatureSums* sums, int64_t n) noexcept nogil:
    """Forget all, and make room for `n` features; a Status."""
    sums.n = 0
    sums.bits = 1
    # Most features occur more than once: so large a table is rarely more than half full.
    while (<int64_t>1 << sums.bits) * 4 < 5 * n:
        sums.bits += 1
    if (reserve(<void**>&sums.sums, &sums.capacity, n, sizeof(FeatureSum)) != STATUS_OK
            or reserve(<void**>&sums.table, &sums.table_capacity, <int64_t>1 << sums.bits,
                       sizeof(uint32_t)) != STATUS_OK):
        return STATUS_OUT_OF_MEMORY
    memset(sums.table, 0, (<size_t>1 << sums.bits) * sizeof(uint32_t))
    return STATUS_OK


cdef inline void add_to_feature(FeatureSums* sums, uint32_t slot,
                                const WordGradient* gradient) noexcept nogil:
    """Add a word's gradient to that of a feature, for which there is room."""
    cdef uint32_t mask = (<uint32_t>1 << sums.bits) - 1
    cdef uint32_t at = (slot * <uint32_t>0x9e3779b9) >> (32 - sums.bits)
    cdef FeatureSum* own
    cdef int k
    while sums.table[at]:
        own = sums.sums + (sums.table[at] - 1)
        if own.slot == slot:
            for k in range(N_SPARSE_TAGS):
                own.gradient.of_tag[k] += gradient.of_tag[k]
            return
        at = (at + 1) & mask
    own = sums.sums + sums.n
    own.slot = slot
    own.gradient = gradient[0]
    sums.n += 1
    sums.table[at] = sums.n


cdef inline int begin_rows(RowSums* sums, int64_t n, int64_t n_rows,
                           int32_t n_units) noexcept nogil:
    """Forget all, and make room for `n` of `n_rows` rows; a Status."""
    cdef int64_t i, known = sums.place_capacity
    for i in range(sums.n):
        sums.place_of[sums.rows[i]] = 0
    sums.n = 0
    if known < n_rows:
        if grow(<void**>&sums.place_of, n_rows, sizeof(uint32_t)) != STATUS_OK:
            return STATUS_OUT_OF_MEMORY
        memset(sums.place_of + known, 0, (n_rows - known) * sizeof(uint32_t))
        sums.place_capacity = n_rows
    n = min(n, n_rows)
    if (reserve(<void**>&sums.rows, &sums.capacity, n, sizeof(uint32_t)) != STATUS_OK
            or reserve(<void**>&sums.values, &sums.value_capacity, n * n_units,
                       sizeof(float)) != STATUS_OK):
        return STATUS_OUT_OF_MEMORY
    return STATUS_OK


cdef inline void add_to_row(RowSums* sums, uint32_t row, const float* gradient,
                            int32_t n_units) noexcept nogil:
    """Add a word's gradient by unit to that of a row, for which there is room."""
    cdef uint32_t place = sums.place_of[row]
    cdef float* own
    cdef int32_t k
    if place == 0:
        memcpy(sums.values + <int64_t>sums.n * n_units, gradient, n_units * sizeof(float))
        sums.rows[sums.n] = row
        sums.n += 1
        sums.place_of[row] = sums.n
        return
    own = sums.values + <int64_t>(place - 1) * n_units
    for k in range(n_units):
        own[k] += gradient[k]
