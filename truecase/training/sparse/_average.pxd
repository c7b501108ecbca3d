"""Averages of weights over the last part of training.

Online learning ends with what the last lines taught; the average of the weights that it passes
on its way is nearer to the best ones (Polyak & Juditsky 1992; Collins 2002).
"""

from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport calloc

from truecase.decode._edges cimport EdgeWeights
from truecase.features._sparse cimport N_SPARSE_TAGS
from truecase.lattice._lattice cimport N_STATES
from truecase.runtime._status cimport STATUS_OK, STATUS_OUT_OF_MEMORY
from truecase.training.sparse._gradients cimport N_SHARDS
from truecase.training.sparse._hidden_layer cimport HiddenInTraining
from truecase.training.sparse._weights cimport SparseInTraining, WeightSlot, weight_of


cdef struct AveragedWeights:
    int64_t n                    # weights that were added; 0: the arrays are not there yet
    float* sparse                # N_SPARSE_TAGS a slot: sums, as all of these
    float* rows
    float* out
    float* bias
    double lm
    double transition[N_STATES * N_STATES]


cdef inline int reserve_average(AveragedWeights* average, const SparseInTraining* sparse,
                                const HiddenInTraining* hidden) noexcept nogil:
    cdef size_t n_units = hidden.n_units
    if average.n > 0:
        return STATUS_OK
    if average.sparse == NULL:
        average.sparse = <float*>calloc(sparse.n_slots * N_SPARSE_TAGS, sizeof(float))
    if average.rows == NULL:
        average.rows = <float*>calloc(max(1, hidden.n_rows * n_units), sizeof(float))
    if average.out == NULL:
        average.out = <float*>calloc(max(1, N_SPARSE_TAGS * n_units), sizeof(float))
    if average.bias == NULL:
        average.bias = <float*>calloc(max(1, n_units), sizeof(float))
    if (average.sparse == NULL or average.rows == NULL or average.out == NULL
            or average.bias == NULL):
        return STATUS_OUT_OF_MEMORY
    return STATUS_OK


cdef inline void add_floats(float* total, const float* values, size_t n, int shard) noexcept nogil:
    """Add a shard's part of some values."""
    cdef size_t i
    for i in range(n * shard // N_SHARDS, n * (shard + 1) // N_SHARDS):
        total[i] += values[i]


cdef inline void add_to_average(AveragedWeights* average, const SparseInTraining* sparse,
                                const HiddenInTraining* hidden, const EdgeWeights* edges,
                                int shard) noexcept nogil:
    """Add the weights of a shard as they are now; there is room for them."""
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
    if shard == 0:
        for k in range(<int>(N_SPARSE_TAGS * n_units)):
            average.out[k] += hidden.out[k]
        for k in range(<int>n_units):
            average.bias[k] += hidden.bias[k]
        average.lm += edges.lm
        for k in range(N_STATES * N_STATES):
            average.transition[k] += edges.transition[k]
        average.n += 1
