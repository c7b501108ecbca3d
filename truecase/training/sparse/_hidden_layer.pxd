"""The hidden layer in training: floats where `_weights.pxd` has bytes, moved by AdaGrad."""

from libc.math cimport fabs, sqrt
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from truecase.features._sparse cimport MAX_ROWS, MAX_UNITS, N_SPARSE_TAGS, row_of, weigh_units
from truecase.runtime._check cimport prefetch
from truecase.runtime._memory cimport grow
from truecase.runtime._status cimport STATUS_OK, STATUS_OUT_OF_MEMORY


cdef extern from *:
    """
    /* A gradient below it moves nothing: it costs more than it teaches. */
    #define TRUECASE_NEGLIGIBLE_IN_LAYER 1e-3
    """
    double NEGLIGIBLE_IN_LAYER "TRUECASE_NEGLIGIBLE_IN_LAYER"


cdef enum:
    FLOATS_PER_LINE = 16         # of the cache


cdef struct HiddenInTraining:
    int32_t n_units              # 0: there is none
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
    uint32_t* row_of             # per word of the sentence: its n_fields rows
    float* units                 # per word of the sentence: its n_units values
    int32_t word_capacity


cdef inline int reserve_hidden(HiddenInTraining* hidden, int32_t n_words) noexcept nogil:
    cdef size_t wanted = 2 * <size_t>n_words
    if hidden.n_units == 0 or hidden.word_capacity >= n_words:
        return STATUS_OK
    if (grow(<void**>&hidden.row_of, wanted * hidden.n_fields, sizeof(uint32_t)) != STATUS_OK
            or grow(<void**>&hidden.units, wanted * hidden.n_units, sizeof(float)) != STATUS_OK):
        return STATUS_OUT_OF_MEMORY
    hidden.word_capacity = 2 * n_words
    return STATUS_OK


cdef inline void find_rows(HiddenInTraining* hidden, int32_t i,
                           const uint64_t* fields) noexcept nogil:
    """The rows of word i, on their way from memory."""
    cdef int32_t f
    cdef const float* p
    cdef const float* end
    cdef uint32_t* rows = hidden.row_of + <int64_t>i * hidden.n_fields
    for f in range(hidden.n_fields):
        rows[f] = row_of(hidden.n_rows, fields[hidden.field[f]])
        p = hidden.rows + <int64_t>rows[f] * hidden.n_units
        end = p + hidden.n_units
        while p < end:
            prefetch(p)
            p += FLOATS_PER_LINE


cdef inline void score_units(HiddenInTraining* hidden, int32_t i, float* score) noexcept nogil:
    """Add the output of the hidden layer to the scores of a word's tags."""
    cdef int32_t f, k, n = hidden.n_units
    cdef float* units = hidden.units + <int64_t>i * n
    cdef const uint32_t* rows = hidden.row_of + <int64_t>i * hidden.n_fields
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


cdef inline void step_units(HiddenInTraining* hidden, int32_t i, uint32_t tags,
                            const double* gradient) noexcept nogil:
    """Back-propagate the gradient of a word's tags; AdaGrad, with one rate for a row."""
    cdef float back[MAX_UNITS]
    cdef int32_t f, k, n = hidden.n_units
    cdef const float* units = hidden.units + <int64_t>i * n
    cdef const uint32_t* rows = hidden.row_of + <int64_t>i * hidden.n_fields
    cdef float* row
    cdef float* out
    cdef float* square
    cdef float g, step, rate, mean = 0.0
    cdef int t
    memset(back, 0, sizeof(back))
    for t in range(N_SPARSE_TAGS):
        g = <float>gradient[t]
        if not tags >> t & 1 or fabs(g) < NEGLIGIBLE_IN_LAYER:
            continue
        out = hidden.out + t * n
        square = hidden.out_squares + t * n
        for k in range(n):
            if units[k] > 0.0:
                back[k] += g * out[k]
        for k in range(n):
            step = g * units[k]
            square[k] += step * step
            out[k] -= <float>(hidden.rate * step / sqrt(1e-4 + square[k]))
    for k in range(n):
        mean += back[k] * back[k]
    if mean == 0.0:
        return
    mean /= n
    hidden.bias_squares += mean
    rate = <float>(hidden.rate / sqrt(1e-4 + hidden.bias_squares))
    for k in range(n):
        hidden.bias[k] -= rate * back[k]
    for f in range(hidden.n_fields):
        row = hidden.rows + <int64_t>rows[f] * n
        square = hidden.row_squares + rows[f]
        square[0] += mean
        rate = <float>(hidden.rate / sqrt(1e-4 + square[0]))
        for k in range(n):
            row[k] -= rate * back[k]
