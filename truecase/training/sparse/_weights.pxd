"""Sparse weights in training: a hash table of features, moved by FTRL-Proximal.

McMahan et al. (2013), algorithm 1: AdaGrad's rates per weight, and an L1 norm that keeps most
weights at 0. A feature gets its weights when it has been seen `min_count` times; a table of
saturating 8-bit counters, shared by features of the same hash, counts up to there.
"""

from libc.math cimport copysign, fabs, sqrt
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t

from truecase.features._fields cimport MAX_TEMPLATES
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
    #define TRUECASE_POSITIVE(x) ((x) > 0.0 ? (x) : 0.0)
    """
    double NEGLIGIBLE "TRUECASE_NEGLIGIBLE"
    double positive "TRUECASE_POSITIVE"(double x) noexcept nogil


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


cdef inline WeightSlot* place_of(const SparseInTraining* sparse, uint64_t hash) noexcept nogil:
    """The slot of a feature, or the free one that it may get; NULL if there is neither.

    `hash` is not 0, which is that of a free slot.
    """
    cdef uint64_t index = home_of(sparse, hash)
    cdef WeightSlot* slot
    cdef int _
    for _ in range(MAX_PROBES):
        slot = sparse.slots + index
        if slot.hash == hash or slot.hash == 0:
            return slot
        index += 1
        if index == sparse.n_slots:
            index = 0
    return NULL


cdef inline WeightSlot* known_slot(const SparseInTraining* sparse, uint64_t hash) noexcept nogil:
    """The slot of a feature; if it has none, NULL, and its counter is asked for."""
    cdef WeightSlot* slot
    if hash == 0:
        hash = 1
    slot = place_of(sparse, hash)
    if slot != NULL and slot.hash == hash:
        return slot
    if not sparse.is_closed:
        prefetch(counter_of(sparse, hash))
    return NULL


cdef inline WeightSlot* slot_of(SparseInTraining* sparse, uint64_t hash,
                                bint admit) noexcept nogil:
    """The slot of a feature; NULL if it has none, a new one if it has now been seen enough."""
    cdef WeightSlot* slot
    cdef uint8_t* counter
    if hash == 0:
        hash = 1
    slot = place_of(sparse, hash)
    if slot == NULL or slot.hash == hash:
        return slot
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


cdef inline int32_t take_sums(WeightSlot** slots, int64_t start, int64_t end, int k, float* z,
                              float* n) noexcept nogil:
    """The sums of one tag of those features that have a slot, side by side; how many."""
    cdef int32_t m = 0
    cdef int64_t j
    for j in range(start, end):
        if slots[j] != NULL:
            z[m] = slots[j].z[k]
            n[m] = slots[j].n[k]
            m += 1
    return m


cdef inline void weights_of(const Rates* rates, const float* z, const float* n, int32_t m,
                            float* w) noexcept nogil:
    """`weight_of` without branches, so that a compiler works on several features at a time.

    Where that is 0, this may be -0, which makes no difference in a sum.
    """
    cdef double alpha = rates.alpha, beta = rates.beta, l1 = rates.l1, l2 = rates.l2
    cdef double excess, size
    cdef int32_t j
    for j in range(m):
        excess = fabs(<double>z[j]) - l1
        excess = positive(excess)
        size = excess / ((beta + sqrt(<double>n[j])) / alpha + l2)
        w[j] = <float>-copysign(size, <double>z[j])


cdef inline void score_features(SparseInTraining* sparse, int64_t start, int64_t end,
                                uint32_t tags, bint admit, float* score) noexcept nogil:
    """Sum the weights of some features for the tags that are wanted.

    The slots that they had when the sentence began are known; others may have got one since.
    """
    cdef float z[MAX_TEMPLATES]
    cdef float n[MAX_TEMPLATES]
    cdef float w[MAX_TEMPLATES]
    cdef float total
    cdef int64_t j
    cdef int32_t i, m
    cdef int k
    for j in range(start, end):
        if sparse.features[j] == NULL:
            sparse.features[j] = slot_of(sparse, sparse.hashes[j], admit)
    for k in range(N_SPARSE_TAGS):
        total = 0.0
        if tags >> k & 1:
            m = take_sums(sparse.features, start, end, k, z, n)
            weights_of(&sparse.rates, z, n, m, w)
            for i in range(m):
                total += w[i]
        score[k] = total


cdef inline void step_features(SparseInTraining* sparse, int64_t start, int64_t end,
                               uint32_t tags, const double* gradient) noexcept nogil:
    """Move the weights of some features against the gradient of each tag."""
    cdef float z[MAX_TEMPLATES]
    cdef float n[MAX_TEMPLATES]
    cdef float w[MAX_TEMPLATES]
    cdef WeightSlot* slot
    cdef double g, squares, alpha = sparse.rates.alpha
    cdef int64_t j
    cdef int32_t i, m
    cdef int k
    for k in range(N_SPARSE_TAGS):
        g = gradient[k]
        if not tags >> k & 1 or fabs(g) < NEGLIGIBLE:
            continue
        m = take_sums(sparse.features, start, end, k, z, n)
        weights_of(&sparse.rates, z, n, m, w)
        for i in range(m):
            squares = n[i] + g * g
            z[i] += <float>(g - (sqrt(squares) - sqrt(<double>n[i])) / alpha * w[i])
            n[i] = <float>squares
        m = 0
        for j in range(start, end):
            slot = sparse.features[j]
            if slot != NULL:
                slot.z[k] = z[m]
                slot.n[k] = n[m]
                m += 1
