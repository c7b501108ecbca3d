"""Sparse weights in training: a hash table of features, moved by FTRL-Proximal.

McMahan et al. (2013), algorithm 1: AdaGrad's rates per weight, and an L1 norm that keeps most
weights at 0. A feature gets its weights when it has been seen `min_count` times; a table of
saturating 8-bit counters, shared by features of the same hash, counts up to there.
"""

from libc.math cimport fabs, sqrt
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

from truecase.features._sparse cimport N_SPARSE_TAGS
from truecase.runtime._check cimport prefetch
from truecase.runtime._memory cimport grow
from truecase.runtime._status cimport STATUS_OK, STATUS_OUT_OF_MEMORY


cdef enum:
    MAX_PROBES = 16              # a feature that finds no place in so many slots gets no weights


cdef extern from *:
    """
    /* A gradient below it moves no weight: it costs more than it teaches. */
    #define TRUECASE_NEGLIGIBLE 1e-4
    """
    double NEGLIGIBLE "TRUECASE_NEGLIGIBLE"


cdef struct WeightSlot:          # 32 bytes, two to a cache line
    uint64_t hash                # 0: free
    float z[N_SPARSE_TAGS]         # sum of gradients, corrected for the weight's way
    float n[N_SPARSE_TAGS]         # sum of squared gradients


cdef struct Rates:               # names of McMahan et al.
    double alpha
    double beta
    double l1
    double l2


cdef struct SparseInTraining:
    Rates rates
    WeightSlot* slots
    uint64_t n_slots
    uint64_t n_used
    uint8_t* counters            # 2**counter_bits
    int counter_bits
    int min_count
    bint is_closed               # no more features get weights
    WeightSlot** features        # of all words with a choice, side by side
    uint64_t* hashes
    int64_t feature_capacity


cdef inline float weight_of(const Rates* rates, float z, float n) noexcept nogil:
    """The weight that a feature's sums stand for."""
    cdef double excess = fabs(z) - rates.l1
    if excess <= 0.0:
        return 0.0
    excess /= (rates.beta + sqrt(n)) / rates.alpha + rates.l2
    return <float>(-excess if z > 0 else excess)


cdef inline uint64_t home_of(const SparseInTraining* sparse, uint64_t hash) noexcept nogil:
    return ((hash >> 32) * sparse.n_slots) >> 32


cdef inline uint8_t* counter_of(const SparseInTraining* sparse, uint64_t hash) noexcept nogil:
    return sparse.counters + ((hash * <uint64_t>0x9e3779b97f4a7c15) >> (64 - sparse.counter_bits))


cdef inline WeightSlot* known_slot(const SparseInTraining* sparse, uint64_t hash) noexcept nogil:
    """The slot of a feature; if it has none, NULL, and its counter is asked for."""
    cdef uint64_t index = home_of(sparse, hash)
    cdef WeightSlot* slot
    cdef int _
    if hash == 0:
        hash = 1
    for _ in range(MAX_PROBES):
        slot = sparse.slots + index
        if slot.hash == hash:
            return slot
        if slot.hash == 0:
            break
        index += 1
        if index == sparse.n_slots:
            index = 0
    if not sparse.is_closed:
        prefetch(counter_of(sparse, hash))
    return NULL


cdef inline WeightSlot* slot_of(SparseInTraining* sparse, uint64_t hash,
                                bint admit) noexcept nogil:
    """The slot of a feature; NULL if it has none, a new one if it has now been seen enough."""
    cdef uint64_t index = home_of(sparse, hash)
    cdef WeightSlot* slot
    cdef uint8_t* counter
    cdef int _
    if hash == 0:
        hash = 1
    for _ in range(MAX_PROBES):
        slot = sparse.slots + index
        if slot.hash == hash:
            return slot
        if slot.hash == 0:
            break
        index += 1
        if index == sparse.n_slots:
            index = 0
    else:
        return NULL
    if not admit or sparse.is_closed:
        return NULL
    if sparse.min_count > 1:
        counter = counter_of(sparse, hash)
        counter[0] += counter[0] < 255
        if counter[0] < sparse.min_count:
            return NULL
    slot.hash = hash
    sparse.n_used += 1
    return slot


cdef inline int reserve_features(SparseInTraining* sparse, int64_t n) noexcept nogil:
    if sparse.feature_capacity < n:
        if (grow(<void**>&sparse.features, 2 * <size_t>n, sizeof(WeightSlot*)) != STATUS_OK
                or grow(<void**>&sparse.hashes, 2 * <size_t>n, sizeof(uint64_t)) != STATUS_OK):
            return STATUS_OUT_OF_MEMORY
        sparse.feature_capacity = 2 * n
    return STATUS_OK


cdef inline void score_features(SparseInTraining* sparse, int64_t start, int64_t end,
                                uint32_t tags, bint admit, float* score) noexcept nogil:
    """Sum the weights of some features for the tags that are wanted.

    The slots that they had when the sentence began are known; others may have got one since.
    """
    cdef int64_t j
    cdef int k
    cdef WeightSlot* slot
    for k in range(N_SPARSE_TAGS):
        score[k] = 0.0
    for j in range(start, end):
        slot = sparse.features[j]
        if slot == NULL:
            slot = slot_of(sparse, sparse.hashes[j], admit)
            sparse.features[j] = slot
        if slot != NULL:
            for k in range(N_SPARSE_TAGS):
                if tags >> k & 1:
                    score[k] += weight_of(&sparse.rates, slot.z[k], slot.n[k])


cdef inline void step_features(SparseInTraining* sparse, int64_t start, int64_t end,
                               uint32_t tags, const double* gradient) noexcept nogil:
    """Move the weights of some features against the gradient of each tag."""
    cdef int64_t j
    cdef int k
    cdef WeightSlot* slot
    cdef double g, w, squares
    for k in range(N_SPARSE_TAGS):
        g = gradient[k]
        if not tags >> k & 1 or fabs(g) < NEGLIGIBLE:
            continue
        for j in range(start, end):
            slot = sparse.features[j]
            if slot == NULL:
                continue
            w = weight_of(&sparse.rates, slot.z[k], slot.n[k])
            squares = slot.n[k] + g * g
            slot.z[k] += <float>(
                g - (sqrt(squares) - sqrt(slot.n[k])) / sparse.rates.alpha * w
            )
            slot.n[k] = <float>squares
