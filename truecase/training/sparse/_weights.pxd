"""Sparse weights in training: a hash table of features, moved by FTRL-Proximal.

McMahan et al. (2013), algorithm 1: AdaGrad's rates per weight, and an L1 norm that keeps most
weights at 0. A feature gets its weights when it has been seen `min_count` times; a table of
saturating 8-bit counters, shared by features of the same hash, counts up to there.

The tables are cut into shards by the first bits of the hash: a feature, its slot and its counter
are all of one shard, so that shards can be changed by different threads at a time.
"""

from libc.math cimport copysignf, fabs, fabsf, sqrt, sqrtf
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t

from truecase.features._fields cimport MAX_TEMPLATES
from truecase.features._sparse cimport N_SPARSE_TAGS
from truecase.runtime._check cimport prefetch
from truecase.runtime._status cimport STATUS_OK, STATUS_OUT_OF_MEMORY
from truecase.training.sparse._gradients cimport (
    N_SHARDS,
    NO_WORD,
    SHARD_BITS,
    Entries,
    Entry,
    Gradients,
    NewEntries,
    NewEntry,
    WordGradient,
    add_entry,
    add_new_entry,
    hash_of_entry,
    reserve_entries,
    reserve_new_entries,
)
from truecase.training.sparse._sums cimport FeatureSums, add_to_feature


cdef enum:
    MAX_PROBES = 16              # a feature that finds no place in so many slots gets no weights
    COUNTERS_AHEAD = 32          # so many entries ahead, they are asked for from memory
    FEATURES_AT_A_TIME = 32


cdef extern from *:
    """
    /* A gradient below it moves no weight: it costs more than it teaches. */
    #define TRUECASE_NEGLIGIBLE 1e-4
    #define TRUECASE_POSITIVE(x) ((x) > 0.0f ? (x) : 0.0f)
    """
    double NEGLIGIBLE "TRUECASE_NEGLIGIBLE"
    float positive "TRUECASE_POSITIVE"(float x) noexcept nogil


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
    uint64_t n_slots             # a multiple of N_SHARDS
    uint64_t n_used[N_SHARDS]
    uint8_t* counters            # 2**counter_bits
    int counter_bits
    int min_count
    bint is_closed               # no more features get weights


cdef inline float weight_of(const Rates* rates, float z, float n) noexcept nogil:
    """The weight that a feature's sums stand for."""
    cdef double excess = fabs(z) - rates.l1
    if excess <= 0.0:
        return 0.0
    excess /= (rates.beta + sqrt(n)) / rates.alpha + rates.l2
    return <float>(-excess if z > 0 else excess)


cdef inline uint64_t hash_of(uint64_t hash) noexcept nogil:
    """The hash of a feature in the table, where 0 is that of a free slot."""
    return hash if hash else 1


cdef inline int shard_of(uint64_t hash) noexcept nogil:
    return <int>(hash >> (64 - SHARD_BITS))


cdef inline uint64_t home_of(const SparseInTraining* sparse, uint64_t hash) noexcept nogil:
    return ((hash >> 32) * sparse.n_slots) >> 32


cdef inline uint8_t* counter_of(const SparseInTraining* sparse, uint64_t hash) noexcept nogil:
    cdef int bits = sparse.counter_bits - SHARD_BITS
    return (sparse.counters + (<uint64_t>shard_of(hash) << bits)
            + ((hash * <uint64_t>0x9e3779b97f4a7c15) >> 1 >> (63 - bits)))


cdef inline WeightSlot* place_of(const SparseInTraining* sparse, uint64_t hash) noexcept nogil:
    """The slot of a feature, or the free one that it may get; NULL if there is neither."""
    cdef uint64_t n = sparse.n_slots // N_SHARDS
    cdef uint64_t end = (<uint64_t>shard_of(hash) + 1) * n, index = home_of(sparse, hash)
    cdef WeightSlot* slot
    cdef int _
    for _ in range(MAX_PROBES):
        slot = sparse.slots + index
        if slot.hash == hash or slot.hash == 0:
            return slot
        index += 1
        if index == end:
            index -= n
    return NULL


cdef inline WeightSlot* known_slot(const SparseInTraining* sparse, uint64_t hash) noexcept nogil:
    """The slot of a feature; NULL if it has none."""
    cdef WeightSlot* slot = place_of(sparse, hash)
    return slot if slot != NULL and slot.hash == hash else NULL


cdef inline bint is_frequent(SparseInTraining* sparse, uint64_t hash) noexcept nogil:
    """Count a feature that had no slot when the batch began; whether it may have one now."""
    cdef uint8_t* counter
    if sparse.min_count <= 1:
        return True
    counter = counter_of(sparse, hash)
    counter[0] += counter[0] < 255
    return counter[0] >= sparse.min_count


cdef inline WeightSlot* new_slot(SparseInTraining* sparse, uint64_t hash) noexcept nogil:
    """The slot of a frequent feature, if need be a new one; NULL if there is no place for it."""
    cdef WeightSlot* slot = place_of(sparse, hash)
    if slot != NULL and slot.hash == 0:
        slot.hash = hash
        sparse.n_used[shard_of(hash)] += 1
    return slot


cdef inline void take_sums(const WeightSlot* slot, float* z, float* n) noexcept nogil:
    """The sums of a slot's tags."""
    cdef int k
    for k in range(N_SPARSE_TAGS):
        z[k] = slot.z[k]
        n[k] = slot.n[k]


cdef inline void weights_of(const Rates* rates, const float* z, const float* n, int32_t m,
                            float* w) noexcept nogil:
    """`weight_of` without branches, so that a compiler works on several sums at a time.

    Where that is 0, this may be -0, which makes no difference in a sum.
    """
    cdef float beta = <float>rates.beta, l1 = <float>rates.l1, l2 = <float>rates.l2
    cdef float by_alpha = <float>(1 / rates.alpha), excess
    cdef int32_t j
    for j in range(m):
        excess = fabsf(z[j]) - l1
        excess = positive(excess)
        w[j] = -copysignf(excess / ((beta + sqrtf(n[j])) * by_alpha + l2), z[j])


cdef inline void score_features(const SparseInTraining* sparse, WeightSlot** slots,
                                int64_t n_slots, float* score) noexcept nogil:
    """Sum the weights of some features for each tag."""
    cdef float z[MAX_TEMPLATES * N_SPARSE_TAGS]
    cdef float n[MAX_TEMPLATES * N_SPARSE_TAGS]
    cdef float w[MAX_TEMPLATES * N_SPARSE_TAGS]
    cdef float total[N_SPARSE_TAGS]
    cdef int32_t i = 0, m = 0
    cdef int64_t j
    cdef int k
    for j in range(n_slots):
        if slots[j] != NULL:
            take_sums(slots[j], z + m, n + m)
            m += N_SPARSE_TAGS
    weights_of(&sparse.rates, z, n, m, w)
    for k in range(N_SPARSE_TAGS):
        total[k] = 0.0
    while i < m:
        for k in range(N_SPARSE_TAGS):
            total[k] += w[i + k]
        i += N_SPARSE_TAGS
    for k in range(N_SPARSE_TAGS):
        score[k] = total[k]


cdef inline int add_features(const SparseInTraining* sparse, WeightSlot** slots,
                             const uint64_t* hashes, int64_t n, uint32_t word,
                             Gradients* gradients) noexcept nogil:
    """Note that a word has some features, and which of its piece's gradients they get; a Status.

    The word may be NO_WORD; then features are only counted.
    """
    cdef int64_t j
    if (reserve_entries(gradients.known, n) != STATUS_OK
            or reserve_new_entries(gradients.unknown, n) != STATUS_OK):
        return STATUS_OUT_OF_MEMORY
    for j in range(n):
        if slots[j] == NULL:
            if gradients.admits and not sparse.is_closed:
                add_new_entry(gradients.unknown + shard_of(hashes[j]), hashes[j], word)
        elif word != NO_WORD:
            add_entry(gradients.known + shard_of(hashes[j]),
                      <uint32_t>(slots[j] - sparse.slots), word)
    return STATUS_OK


cdef inline void sum_known(const Entries* known, const WordGradient* words,
                           FeatureSums* sums) noexcept nogil:
    """Add up what a piece has for the features of a shard that had weights."""
    cdef const Entry* entry = known.entries
    cdef const Entry* end = entry + known.n
    while entry < end:
        add_to_feature(sums, entry.key, words + entry.word)
        entry += 1


cdef inline void count_unknown(SparseInTraining* sparse, NewEntries* unknown) noexcept nogil:
    """Count the features of a piece that had no slot; only those that get one are left.

    Their slots come from memory while others are counted.
    """
    cdef NewEntry* entries = unknown.entries
    cdef uint64_t hash
    cdef int64_t i, n = 0
    for i in range(unknown.n):
        if i + COUNTERS_AHEAD < unknown.n:
            prefetch(counter_of(sparse, hash_of_entry(entries + i + COUNTERS_AHEAD)))
        hash = hash_of_entry(entries + i)
        if is_frequent(sparse, hash):
            prefetch(sparse.slots + home_of(sparse, hash))
            entries[n] = entries[i]
            n += 1
    unknown.n = n


cdef inline void sum_unknown(SparseInTraining* sparse, const NewEntries* unknown,
                             const WordGradient* words, FeatureSums* sums) noexcept nogil:
    """Give slots to features that are left, and add up what there is for them."""
    cdef const NewEntry* entry = unknown.entries
    cdef const NewEntry* end = entry + unknown.n
    cdef WeightSlot* slot
    while entry < end:
        slot = new_slot(sparse, hash_of_entry(entry))
        if slot != NULL and entry.word != NO_WORD:
            add_to_feature(sums, <uint32_t>(slot - sparse.slots), words + entry.word)
        entry += 1


cdef inline void step_sums(const Rates* rates, const float* g, int32_t m, float* z,
                           float* n) noexcept nogil:
    """Move weights against their gradients; without branches, for several at a time."""
    cdef float beta = <float>rates.beta, l1 = <float>rates.l1, l2 = <float>rates.l2
    cdef float by_alpha = <float>(1 / rates.alpha)
    cdef float nothing = 1e-30   # no quotient of 0 and 0
    cdef float excess, w, root, square, squares
    cdef int32_t j
    for j in range(m):
        root = sqrtf(n[j])
        excess = fabsf(z[j]) - l1
        excess = positive(excess)
        w = -copysignf(excess / ((beta + root) * by_alpha + l2), z[j])
        square = g[j] * g[j]
        squares = n[j] + square
        # A difference of roots loses the digits that this quotient, which is the same, has.
        z[j] += g[j] - square / (sqrtf(squares) + root + nothing) * by_alpha * w
        n[j] = squares


cdef inline void step_features(SparseInTraining* sparse, const FeatureSums* sums) noexcept nogil:
    """Move the weights of features by what a batch has for them."""
    cdef float g[FEATURES_AT_A_TIME * N_SPARSE_TAGS]
    cdef float z[FEATURES_AT_A_TIME * N_SPARSE_TAGS]
    cdef float n[FEATURES_AT_A_TIME * N_SPARSE_TAGS]
    cdef uint32_t first = 0, last, i
    cdef int32_t m
    cdef int k
    while first < sums.n:
        last = min(sums.n, first + <uint32_t>FEATURES_AT_A_TIME)
        m = 0
        for i in range(first, last):
            if i + FEATURES_AT_A_TIME < sums.n:
                prefetch(sparse.slots + sums.sums[i + FEATURES_AT_A_TIME].slot)
            take_sums(sparse.slots + sums.sums[i].slot, z + m, n + m)
            for k in range(N_SPARSE_TAGS):
                g[m + k] = sums.sums[i].gradient.of_tag[k]
            m += N_SPARSE_TAGS
        step_sums(&sparse.rates, g, m, z, n)
        m = 0
        for i in range(first, last):
            for k in range(N_SPARSE_TAGS):
                sparse.slots[sums.sums[i].slot].z[k] = z[m + k]
                sparse.slots[sums.sums[i].slot].n[k] = n[m + k]
            m += N_SPARSE_TAGS
        first = last
