"""Weights in training: their gradients over a piece of text and their sums over a batch; averages.

A piece is read with the weights as its batch found them. Its words' gradients are kept by *shard*:
a fixed part of the sparse weights and of the rows of the hidden layer. Each shard then sums the
gradients of all pieces in the order of the text. So several threads can read pieces and change
shards, and no number depends on how many they are. Outputs and biases are few, and each tag's
outputs, or all biases, change at a time.

A hash table holds the sparse weights, which FTRL-Proximal moves (McMahan et al. 2013, algorithm 1);
AdaGrad moves the other weights.
"""

from libc.math cimport copysignf, fabs, fabsf, sqrt, sqrtf
from libc.stddef cimport size_t
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from truecase.base._check cimport prefetch
from truecase.base._memory cimport STATUS_OK, STATUS_OUT_OF_MEMORY, grow, reserve
from truecase.kernels._forward_backward cimport ForwardBackward
from truecase.kernels._sparse cimport row_of, weigh_units
from truecase.kernels._structs cimport MAX_ROWS, MAX_TEMPLATES, N_SPARSE_TAGS, N_STATES, EdgeWeights


cdef enum:
    SHARD_BITS = 4
    N_SHARDS = 16
    ENTRIES_TO_COME = 8          # memory is asked for before so many entries are written
    NO_WORD = 0xffffffff         # of an entry: the feature occurs, but there is nothing to learn


cdef struct Entry:               # a word has a feature, or chooses a row
    uint32_t key                 # number of the slot, or of the row
    uint32_t word                # whose gradient it gets: its place among those of the piece


cdef struct NewEntry:            # a word has a feature without a slot; 12 bytes, none unused
    uint32_t high                # of the hash
    uint32_t low
    uint32_t word


cdef struct Entries:
    Entry* entries
    int64_t n
    int64_t capacity


cdef struct NewEntries:
    NewEntry* entries
    int64_t n
    int64_t capacity


cdef struct WordGradient:
    float of_tag[N_SPARSE_TAGS]  # of the loss by the score of a tag; 0: not worth a step


cdef struct EdgeGradient:
    double lm
    double transition[N_STATES * N_STATES]


cdef struct Figures:
    int64_t n_words
    int64_t n_choices
    int64_t n_errors             # choices whose most probable tag is not the gold one
    double loss                  # sum of -log p(gold tag), nats


cdef struct Gradients:           # of a piece
    Entries known[N_SHARDS]      # features that have weights, by slot
    NewEntries unknown[N_SHARDS]  # features that have none yet
    Entries rows[N_SHARDS]       # of the hidden layer; `word` is the place in `layer`
    WordGradient* words
    int64_t n_words
    int64_t word_capacity
    uint32_t* layer              # words that move the hidden layer
    float* units                 # and its values by unit, then their gradients
    int64_t n_layer
    int64_t layer_capacity
    int64_t unit_capacity
    EdgeGradient* edges
    int64_t n_edges
    int64_t edge_capacity
    Figures figures
    bint admits                  # features that have no weights yet may get some


ctypedef fused AnyEntries:
    Entries
    NewEntries


cdef inline int reserve_entries(AnyEntries* of_shard, int64_t n) noexcept nogil:
    """Make room for `n` more entries in each shard; a Status."""
    cdef int shard
    for shard in range(N_SHARDS):
        if reserve(<void**>&of_shard[shard].entries, &of_shard[shard].capacity,
                   of_shard[shard].n + n, sizeof(of_shard.entries[0])) != STATUS_OK:
            return STATUS_OUT_OF_MEMORY
    return STATUS_OK


cdef inline void add_entry(Entries* entries, uint32_t key, uint32_t word) noexcept nogil:
    """Add an entry, for which there is room."""
    cdef Entry* entry = entries.entries + entries.n
    prefetch(entry + ENTRIES_TO_COME)
    entry.key = key
    entry.word = word
    entries.n += 1


cdef inline void add_new_entry(NewEntries* entries, uint64_t hash, uint32_t word) noexcept nogil:
    """Add an entry, for which there is room."""
    cdef NewEntry* entry = entries.entries + entries.n
    prefetch(entry + ENTRIES_TO_COME)
    entry.high = <uint32_t>(hash >> 32)
    entry.low = <uint32_t>hash
    entry.word = word
    entries.n += 1


cdef inline uint64_t hash_of_entry(const NewEntry* entry) noexcept nogil:
    return <uint64_t>entry.high << 32 | entry.low


cdef inline void clear_gradients(Gradients* gradients) noexcept nogil:
    """Forget the piece, and keep the memory."""
    cdef int shard
    for shard in range(N_SHARDS):
        gradients.known[shard].n = 0
        gradients.unknown[shard].n = 0
        gradients.rows[shard].n = 0
    gradients.n_words = 0
    gradients.n_layer = 0
    gradients.n_edges = 0
    memset(&gradients.figures, 0, sizeof(Figures))


cdef inline void free_gradients(Gradients* gradients) noexcept nogil:
    cdef int shard
    for shard in range(N_SHARDS):
        free(gradients.known[shard].entries)
        free(gradients.unknown[shard].entries)
        free(gradients.rows[shard].entries)
    free(gradients.words)
    free(gradients.layer)
    free(gradients.units)
    free(gradients.edges)
    memset(gradients, 0, sizeof(Gradients))


# Sums over a batch
cdef struct FeatureSum:          # 16 bytes: never in two lines of the cache
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
    # Most features occur more than once: a table of this size is rarely more than half full.
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


# Sparse weights. FTRL-Proximal has AdaGrad's rates per weight, and an L1 norm that keeps most
# weights at 0. A feature gets its weights when it has been seen `min_count` times; until then a
# table of saturating 8-bit counters, which features of the same hash share, counts it. The first
# bits of the hash give a feature, its slot and its counter the same shard.
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
    """The hash of a feature in the table, where 0 marks a free slot."""
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
    """The slot of a frequent feature, if need be a new one; NULL if no slot is free."""
    cdef WeightSlot* slot = place_of(sparse, hash)
    if slot != NULL and slot.hash == 0:
        slot.hash = hash
        sparse.n_used[shard_of(hash)] += 1
    return slot


cdef inline void take_sums(const WeightSlot* slot, float* z, float* n) noexcept nogil:
    """Copy the sums of a slot's tags."""
    cdef int k
    for k in range(N_SPARSE_TAGS):
        z[k] = slot.z[k]
        n[k] = slot.n[k]


cdef inline void weights_of(const Rates* rates, const float* z, const float* n, int32_t m,
                            float* w) noexcept nogil:
    """`weight_of` without branches, so that a compiler processes several sums at a time.

    It may return -0 for 0, which makes no difference in a sum.
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
    """Note the features of a word, and its place among its piece's gradients; a Status.

    If the word is NO_WORD, its features are only counted.
    """
    cdef int64_t j
    if (reserve_entries[Entries](gradients.known, n) != STATUS_OK
            or reserve_entries[NewEntries](gradients.unknown, n) != STATUS_OK):
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
    """Add up a piece's gradients for the features of a shard that had weights."""
    cdef const Entry* entry = known.entries
    cdef const Entry* end = entry + known.n
    while entry < end:
        add_to_feature(sums, entry.key, words + entry.word)
        entry += 1


cdef inline void count_unknown(SparseInTraining* sparse, NewEntries* unknown) noexcept nogil:
    """Count the features of a piece that had no slot; drop those that get none.

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
    """Give slots to the features that are left, and add up their gradients."""
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
        # A difference of roots would lose digits that this equal quotient keeps.
        z[j] += g[j] - square / (sqrtf(squares) + root + nothing) * by_alpha * w
        n[j] = squares


cdef inline void step_features(SparseInTraining* sparse, const FeatureSums* sums) noexcept nogil:
    """Move the weights of features by a batch's sums."""
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


cdef extern from *:
    """
    /* A gradient below it moves nothing: it costs more than it teaches. */
    #define TRUECASE_NEGLIGIBLE_IN_LAYER 1e-3
    """
    double NEGLIGIBLE_IN_LAYER "TRUECASE_NEGLIGIBLE_IN_LAYER"


cdef enum:
    FLOATS_PER_LINE = 16         # of the cache
    ROWS_AHEAD = 6               # so many entries ahead, rows are asked for from memory


# The hidden layer, with floats in place of the model's bytes
cdef struct HiddenInTraining:
    int32_t n_units              # 0: no hidden layer
    int32_t n_fields
    uint64_t n_rows
    double rate
    uint8_t field[MAX_ROWS]
    float* rows                  # n_rows * n_units
    float* row_squares           # n_rows: AdaGrad's sums, one for a row
    float* out                   # N_SPARSE_TAGS * n_units
    float* out_squares
    float* bias                  # n_units
    float bias_squares


cdef struct UnitsOfSentence:     # memory of one thread
    uint32_t* row_of             # per word: its n_fields rows
    float* units                 # per word: its n_units values
    int32_t word_capacity


cdef inline int reserve_units(UnitsOfSentence* seen, const HiddenInTraining* hidden,
                              int32_t n_words) noexcept nogil:
    cdef size_t wanted = 2 * <size_t>n_words
    if hidden.n_units == 0 or seen.word_capacity >= n_words:
        return STATUS_OK
    if (grow(<void**>&seen.row_of, wanted * hidden.n_fields, sizeof(uint32_t)) != STATUS_OK
            or grow(<void**>&seen.units, wanted * hidden.n_units, sizeof(float)) != STATUS_OK):
        return STATUS_OUT_OF_MEMORY
    seen.word_capacity = 2 * n_words
    return STATUS_OK


cdef inline void prefetch_row(const HiddenInTraining* hidden, uint64_t row) noexcept nogil:
    cdef const float* p = hidden.rows + row * hidden.n_units
    cdef const float* end = p + hidden.n_units
    while p < end:
        prefetch(p)
        p += FLOATS_PER_LINE


cdef inline void find_rows(const HiddenInTraining* hidden, UnitsOfSentence* seen, int32_t i,
                           const uint64_t* fields) noexcept nogil:
    """Find the rows of word i, and request them from memory."""
    cdef int32_t f
    cdef uint32_t* rows = seen.row_of + <int64_t>i * hidden.n_fields
    for f in range(hidden.n_fields):
        rows[f] = row_of(hidden.n_rows, fields[hidden.field[f]])
        prefetch_row(hidden, rows[f])


cdef inline void score_units(const HiddenInTraining* hidden, UnitsOfSentence* seen, int32_t i,
                             float* score) noexcept nogil:
    """Add the output of the hidden layer to the scores of a word's tags."""
    cdef int32_t f, k, n = hidden.n_units
    cdef float* units = seen.units + <int64_t>i * n
    cdef const uint32_t* rows = seen.row_of + <int64_t>i * hidden.n_fields
    cdef const float* row
    cdef int t
    if n == 0:
        return
    for k in range(n):
        units[k] = hidden.bias[k]
    for f in range(hidden.n_fields):
        row = hidden.rows + <int64_t>rows[f] * n
        for k in range(n):
            units[k] += row[k]
    for k in range(n):
        units[k] = units[k] if units[k] > 0.0 else 0.0
    for t in range(N_SPARSE_TAGS):
        score[t] += weigh_units(hidden.out + t * n, units, n)


cdef inline int reserve_layer(Gradients* gradients, int32_t n_units) noexcept nogil:
    """Make room for one more word; a Status."""
    cdef int64_t n = gradients.n_layer + 1
    cdef int status = reserve(<void**>&gradients.layer, &gradients.layer_capacity, n,
                              sizeof(uint32_t))
    return status if status != STATUS_OK else reserve(
        <void**>&gradients.units, &gradients.unit_capacity, n * 2 * n_units, sizeof(float))


cdef inline bint moves_layer(double gradient) noexcept nogil:
    return fabs(gradient) >= NEGLIGIBLE_IN_LAYER


cdef inline int add_units(const HiddenInTraining* hidden, const UnitsOfSentence* seen, int32_t i,
                          uint32_t word, Gradients* gradients) noexcept nogil:
    """Back-propagate the gradient of word i of the sentence, which is `word` of its piece.

    The weights do not change; a Status.
    """
    cdef const float* gradient = gradients.words[word].of_tag
    cdef const uint32_t* rows = seen.row_of + <int64_t>i * hidden.n_fields
    cdef const float* units = seen.units + <int64_t>i * hidden.n_units
    cdef const float* out
    cdef float* back
    cdef float g
    cdef int32_t f, k, n = hidden.n_units
    cdef bint moves = False
    cdef int t
    if n == 0:
        return STATUS_OK
    for t in range(N_SPARSE_TAGS):
        moves |= moves_layer(gradient[t])
    if not moves:
        return STATUS_OK
    if (reserve_layer(gradients, n) != STATUS_OK
            or reserve_entries[Entries](gradients.rows, hidden.n_fields) != STATUS_OK):
        return STATUS_OUT_OF_MEMORY
    back = gradients.units + (2 * gradients.n_layer + 1) * n
    memcpy(back - n, units, n * sizeof(float))
    memset(back, 0, n * sizeof(float))
    for t in range(N_SPARSE_TAGS):
        if moves_layer(gradient[t]):
            g = gradient[t]
            out = hidden.out + t * n
            for k in range(n):
                if units[k] > 0.0:
                    back[k] += g * out[k]
    gradients.layer[gradients.n_layer] = word
    for f in range(hidden.n_fields):
        add_entry(gradients.rows + rows[f] * <uint64_t>N_SHARDS // hidden.n_rows, rows[f],
                  <uint32_t>gradients.n_layer)
    gradients.n_layer += 1
    return STATUS_OK


cdef inline void sum_outputs(const HiddenInTraining* hidden, int t, const Gradients* gradients,
                             float* total) noexcept nogil:
    """Add up a piece's gradients for the outputs of a tag."""
    cdef const float* units = gradients.units
    cdef float g
    cdef int64_t i
    cdef int32_t k, n = hidden.n_units
    for i in range(gradients.n_layer):
        g = gradients.words[gradients.layer[i]].of_tag[t]
        if moves_layer(g):
            for k in range(n):
                total[k] += g * units[k]
        units += 2 * n


cdef inline void step_outputs(HiddenInTraining* hidden, int t, const float* total) noexcept nogil:
    """Move the outputs of a tag by a batch's sums; AdaGrad."""
    cdef float* out = hidden.out + t * hidden.n_units
    cdef float* square = hidden.out_squares + t * hidden.n_units
    cdef int32_t k
    for k in range(hidden.n_units):
        square[k] += total[k] * total[k]
        out[k] -= <float>(hidden.rate * total[k] / sqrt(1e-4 + square[k]))


cdef inline void sum_biases(const HiddenInTraining* hidden, const Gradients* gradients,
                            float* total) noexcept nogil:
    """Add up a piece's gradients for the biases."""
    cdef const float* back = gradients.units + hidden.n_units
    cdef int64_t _
    cdef int32_t k, n = hidden.n_units
    for _ in range(gradients.n_layer):
        for k in range(n):
            total[k] += back[k]
        back += 2 * n


cdef inline float mean_square(const float* values, int32_t n) noexcept nogil:
    cdef float total = 0.0
    cdef int32_t k
    for k in range(n):
        total += values[k] * values[k]
    return total / n


cdef inline void step_row(float rate, float* row, float* square, const float* total,
                          int32_t n) noexcept nogil:
    """Move a row, or the biases, by a batch's sum; AdaGrad, with one rate for all."""
    cdef int32_t k
    square[0] += mean_square(total, n)
    rate /= <float>sqrt(1e-4 + square[0])
    for k in range(n):
        row[k] -= rate * total[k]


cdef inline void sum_rows(const HiddenInTraining* hidden, const Entries* rows,
                          const Gradients* gradients, RowSums* sums) noexcept nogil:
    """Add up a piece's gradients for the rows of a shard."""
    cdef const Entry* entry = rows.entries
    cdef const Entry* end = entry + rows.n
    while entry < end:
        add_to_row(sums, entry.key,
                   gradients.units + (2 * <int64_t>entry.word + 1) * hidden.n_units,
                   hidden.n_units)
        entry += 1


cdef inline void step_rows(HiddenInTraining* hidden, const RowSums* sums) noexcept nogil:
    """Move rows by a batch's sums."""
    cdef int32_t n = hidden.n_units
    cdef uint32_t i
    for i in range(sums.n):
        if i + ROWS_AHEAD < sums.n:
            prefetch_row(hidden, sums.rows[i + ROWS_AHEAD])
        step_row(<float>hidden.rate, hidden.rows + <int64_t>sums.rows[i] * n,
                 hidden.row_squares + sums.rows[i], sums.values + <int64_t>i * n, n)


# Weights of edges
cdef struct EdgesInTraining:
    EdgeWeights weights
    double rate                  # 0: they stay as they are
    double lm_squares            # AdaGrad's sums
    double squares[N_STATES * N_STATES]


cdef inline int add_edges(const ForwardBackward* passes, const ForwardBackward* gold,
                          Gradients* gradients) noexcept nogil:
    """Keep the gradient of a sentence's edges; a Status."""
    cdef EdgeGradient* gradient
    cdef int i
    if reserve(<void**>&gradients.edges, &gradients.edge_capacity, gradients.n_edges + 1,
               sizeof(EdgeGradient)) != STATUS_OK:
        return STATUS_OUT_OF_MEMORY
    gradient = gradients.edges + gradients.n_edges
    gradient.lm = passes.expected.lm - gold.expected.lm
    for i in range(N_STATES * N_STATES):
        gradient.transition[i] = passes.expected.transition[i] - gold.expected.transition[i]
    gradients.n_edges += 1
    return STATUS_OK


cdef inline void step_edges(EdgesInTraining* edges, const EdgeGradient* gradient) noexcept nogil:
    """Move the weights by a sentence's gradient."""
    cdef int i
    cdef double g = gradient.lm
    edges.lm_squares += g * g
    if edges.lm_squares > 0:
        edges.weights.lm -= 0.1 * edges.rate * g / sqrt(edges.lm_squares)
    if not edges.weights.has_transitions:
        return
    for i in range(N_STATES * N_STATES):
        g = gradient.transition[i]
        edges.squares[i] += g * g
        if g != 0.0:
            edges.weights.transition[i] -= edges.rate * g / sqrt(1.0 + edges.squares[i])


# Averages. Online learning ends with what the last lines taught; the average of the weights on its
# way is nearer to the best ones (Polyak & Juditsky 1992; Collins 2002).
cdef struct AveragedWeights:
    int64_t n                    # weights that were added
    float* sparse                # N_SPARSE_TAGS a slot: sums, as all of these
    float* rows
    float* out
    float* bias
    double lm
    double transition[N_STATES * N_STATES]


cdef inline void add_floats(float* total, const float* values, size_t n, int shard) noexcept nogil:
    """Add a shard's part of some values."""
    cdef size_t i
    for i in range(n * shard // N_SHARDS, n * (shard + 1) // N_SHARDS):
        total[i] += values[i]


cdef inline void add_to_average(AveragedWeights* average, const SparseInTraining* sparse,
                                const HiddenInTraining* hidden, const EdgeWeights* edges,
                                int shard) noexcept nogil:
    """Add the current weights of a shard, for which there is room."""
    cdef size_t n_units = hidden.n_units
    cdef uint64_t n_slots = sparse.n_slots // N_SHARDS
    cdef const WeightSlot* slot
    cdef uint64_t i
    cdef int k
    for i in range(shard * n_slots, (shard + 1) * n_slots):
        slot = sparse.slots + i
        if slot.hash != 0:
            for k in range(N_SPARSE_TAGS):
                average.sparse[i * N_SPARSE_TAGS + k] += weight_of(
                    &sparse.rates, slot.z[k], slot.n[k])
    add_floats(average.rows, hidden.rows, hidden.n_rows * n_units, shard)
    add_floats(average.out, hidden.out, N_SPARSE_TAGS * n_units, shard)
    add_floats(average.bias, hidden.bias, n_units, shard)
    if shard == 0:
        average.lm += edges.lm
        for k in range(N_STATES * N_STATES):
            average.transition[k] += edges.transition[k]
        average.n += 1
