"""Sparse weights in training: a hash table of features, moved by FTRL-Proximal.

McMahan et al. (2013), algorithm 1: AdaGrad's rates per weight, and an L1 norm that keeps most
weights at 0. A feature gets its weights when it has been seen `min_count` times; a table of
saturating 8-bit counters, shared by features of the same hash, counts up to there.

The tables are cut into shards by the first bits of the hash: a feature, its slot and its counter
are all of one shard, so that shards can be changed by different threads at a time.
"""

from libc.math cimport copysign, fabs, sqrt
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
    WordGradient,
    add_entry,
    reserve_entries,
)
from truecase.training.sparse._sums cimport FeatureSums, add_to_feature


cdef enum:
    MAX_PROBES = 16              # a feature that finds no place in so many slots gets no weights
    ENTRIES_AHEAD = 12           # so many, what they change is asked for from memory


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


cdef inline int32_t take_sums(WeightSlot** slots, int64_t n_slots, int k, float* z,
                              float* n) noexcept nogil:
    """The sums of one tag of those features that have a slot, side by side; how many."""
    cdef int32_t m = 0
    cdef int64_t j
    for j in range(n_slots):
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


cdef inline void score_features(const SparseInTraining* sparse, WeightSlot** slots,
                                int64_t n_slots, uint32_t tags, float* score) noexcept nogil:
    """Sum the weights of some features for the tags that are wanted."""
    cdef float z[MAX_TEMPLATES]
    cdef float n[MAX_TEMPLATES]
    cdef float w[MAX_TEMPLATES]
    cdef float total
    cdef int32_t i, m
    cdef int k
    for k in range(N_SPARSE_TAGS):
        total = 0.0
        if tags >> k & 1:
            m = take_sums(slots, n_slots, k, z, n)
            weights_of(&sparse.rates, z, n, m, w)
            for i in range(m):
                total += w[i]
        score[k] = total


cdef inline int add_features(const SparseInTraining* sparse, WeightSlot** slots,
                             const uint64_t* hashes, int64_t n, uint32_t word,
                             Gradients* gradients) noexcept nogil:
    """Note that a word has some features, and which of its piece's gradients they get; a Status.

    The word may be NO_WORD; then features are only counted.
    """
    cdef int64_t j
    if (reserve_entries(gradients.known, n) != STATUS_OK
            or reserve_entries(gradients.unknown, n) != STATUS_OK):
        return STATUS_OUT_OF_MEMORY
    for j in range(n):
        if slots[j] == NULL:
            if gradients.admits and not sparse.is_closed:
                add_entry(gradients.unknown + shard_of(hashes[j]), hashes[j], word)
        elif word != NO_WORD:
            add_entry(gradients.known + shard_of(hashes[j]), slots[j] - sparse.slots, word)
    return STATUS_OK


cdef inline void step_slot(const Rates* rates, WeightSlot* slot,
                           const WordGradient* gradient) noexcept nogil:
    """Move a feature's weights against the gradient of each tag."""
    cdef double g, squares
    cdef int k
    for k in range(N_SPARSE_TAGS):
        g = gradient.of_tag[k]
        if g != 0.0:
            squares = slot.n[k] + g * g
            slot.z[k] += <float>(g - (sqrt(squares) - sqrt(<double>slot.n[k])) / rates.alpha
                                 * weight_of(rates, slot.z[k], slot.n[k]))
            slot.n[k] = <float>squares


cdef inline void sum_known(const Entries* known, const WordGradient* words,
                           FeatureSums* sums) noexcept nogil:
    """Add up what a piece has for the features of a shard that had weights."""
    cdef const Entry* entry = known.entries
    cdef const Entry* end = entry + known.n
    while entry < end:
        add_to_feature(sums, entry.key, words + entry.word)
        entry += 1


cdef inline void sum_unknown(SparseInTraining* sparse, Entries* unknown,
                             const WordGradient* words, FeatureSums* sums) noexcept nogil:
    """Count those that had none, and add up what there is for those that get some.

    Only these are left among the entries: their slots come from memory while others are counted.
    """
    cdef Entry* entries = unknown.entries
    cdef WeightSlot* slot
    cdef int64_t i, n = 0
    for i in range(unknown.n):
        if i + ENTRIES_AHEAD < unknown.n:
            prefetch(counter_of(sparse, entries[i + ENTRIES_AHEAD].key))
        if is_frequent(sparse, entries[i].key):
            prefetch(sparse.slots + home_of(sparse, entries[i].key))
            entries[n] = entries[i]
            n += 1
    unknown.n = n
    for i in range(n):
        slot = new_slot(sparse, entries[i].key)
        if slot != NULL and entries[i].word != NO_WORD:
            add_to_feature(sums, slot - sparse.slots, words + entries[i].word)


cdef inline void step_features(SparseInTraining* sparse, const FeatureSums* sums) noexcept nogil:
    """Move the weights of features by what a batch has for them."""
    cdef uint32_t i
    for i in range(sums.places.n):
        if i + ENTRIES_AHEAD < sums.places.n:
            prefetch(sparse.slots + sums.places.keys[i + ENTRIES_AHEAD])
        step_slot(&sparse.rates, sparse.slots + sums.places.keys[i], sums.values + i)
