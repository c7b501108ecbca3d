"""The gradients of a piece of text, and their sums over a batch.

A piece is read with the weights as its batch found them. Its words' gradients are kept by *shard*:
a fixed part of the sparse weights and of the rows of the hidden layer. Each shard then sums the
gradients of all pieces in the order of the text. So several threads can read pieces and change
shards, and no number depends on how many they are.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from truecase.base._check cimport prefetch
from truecase.base._memory cimport STATUS_OK, STATUS_OUT_OF_MEMORY, grow
from truecase.kernels._lattice cimport N_STATES
from truecase.kernels._sparse cimport N_SPARSE_TAGS


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
    EdgeGradient* edges
    int64_t n_edges
    int64_t edge_capacity
    Figures figures
    bint admits                  # features that have no weights yet may get some


cdef inline int reserve(void** array, int64_t* capacity, int64_t n, size_t item) noexcept nogil:
    """Make room for `n` items; a Status."""
    if capacity[0] >= n:
        return STATUS_OK
    if grow(array, 2 * <size_t>n, item) != STATUS_OK:
        return STATUS_OUT_OF_MEMORY
    capacity[0] = 2 * n
    return STATUS_OK


cdef inline int reserve_entries(Entries* of_shard, int64_t n) noexcept nogil:
    """Make room for `n` more entries in each shard; a Status."""
    cdef int shard
    for shard in range(N_SHARDS):
        if reserve(<void**>&of_shard[shard].entries, &of_shard[shard].capacity,
                   of_shard[shard].n + n, sizeof(Entry)) != STATUS_OK:
            return STATUS_OUT_OF_MEMORY
    return STATUS_OK


cdef inline int reserve_new_entries(NewEntries* of_shard, int64_t n) noexcept nogil:
    """Make room for `n` more entries in each shard; a Status."""
    cdef int shard
    for shard in range(N_SHARDS):
        if reserve(<void**>&of_shard[shard].entries, &of_shard[shard].capacity,
                   of_shard[shard].n + n, sizeof(NewEntry)) != STATUS_OK:
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
