"""The hidden layer in training: floats where the model has bytes, moved by AdaGrad.

Rows, like the sparse weights, are cut into shards; outputs and biases are few, and each tag's
outputs, or all biases, are changed at a time.
"""

from libc.math cimport fabs, sqrt
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from truecase.features._sparse cimport MAX_ROWS, N_SPARSE_TAGS, row_of, weigh_units
from truecase.runtime._check cimport prefetch
from truecase.runtime._memory cimport grow
from truecase.runtime._status cimport STATUS_OK, STATUS_OUT_OF_MEMORY
from truecase.training.sparse._gradients cimport (
    N_SHARDS,
    Entries,
    Entry,
    Gradients,
    LayerGradient,
    add_entry,
    reserve_entries,
)
from truecase.training.sparse._sums cimport RowSums, add_to_row


cdef extern from *:
    """
    /* A gradient below it moves nothing: it costs more than it teaches. */
    #define TRUECASE_NEGLIGIBLE_IN_LAYER 1e-3
    """
    double NEGLIGIBLE_IN_LAYER "TRUECASE_NEGLIGIBLE_IN_LAYER"


cdef enum:
    FLOATS_PER_LINE = 16         # of the cache
    ROWS_AHEAD = 6               # so many entries ahead, rows are asked for from memory


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


cdef inline void ask_for_row(const HiddenInTraining* hidden, uint64_t row) noexcept nogil:
    cdef const float* p = hidden.rows + row * hidden.n_units
    cdef const float* end = p + hidden.n_units
    while p < end:
        prefetch(p)
        p += FLOATS_PER_LINE


cdef inline void find_rows(const HiddenInTraining* hidden, UnitsOfSentence* seen, int32_t i,
                           const uint64_t* fields) noexcept nogil:
    """The rows of word i, on their way from memory."""
    cdef int32_t f
    cdef uint32_t* rows = seen.row_of + <int64_t>i * hidden.n_fields
    for f in range(hidden.n_fields):
        rows[f] = row_of(hidden.n_rows, fields[hidden.field[f]])
        ask_for_row(hidden, rows[f])


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
    """Room for one more word; a Status."""
    cdef int64_t wanted = 2 * (gradients.n_layer + 1)
    if gradients.layer_capacity > gradients.n_layer:
        return STATUS_OK
    if (grow(<void**>&gradients.layer, wanted, sizeof(LayerGradient)) != STATUS_OK
            or grow(<void**>&gradients.units, wanted * 2 * n_units, sizeof(float)) != STATUS_OK):
        return STATUS_OUT_OF_MEMORY
    gradients.layer_capacity = wanted
    return STATUS_OK


cdef inline bint moves_layer(double gradient) noexcept nogil:
    return fabs(gradient) >= NEGLIGIBLE_IN_LAYER


cdef inline int add_units(const HiddenInTraining* hidden, const UnitsOfSentence* seen, int32_t i,
                          uint32_t word, Gradients* gradients) noexcept nogil:
    """Back-propagate the gradient of word i of the sentence, which is `word` of its piece.

    Nothing is changed; a Status.
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
            or reserve_entries(gradients.rows, hidden.n_fields) != STATUS_OK):
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
    gradients.layer[gradients.n_layer].word = word
    for f in range(hidden.n_fields):
        add_entry(gradients.rows + rows[f] * <uint64_t>N_SHARDS // hidden.n_rows, rows[f],
                  <uint32_t>gradients.n_layer)
    gradients.n_layer += 1
    return STATUS_OK


cdef inline void sum_outputs(const HiddenInTraining* hidden, int t, const Gradients* gradients,
                             float* total) noexcept nogil:
    """Add up what a piece has for the outputs of a tag."""
    cdef const float* units = gradients.units
    cdef float g
    cdef int64_t i
    cdef int32_t k, n = hidden.n_units
    for i in range(gradients.n_layer):
        g = gradients.words[gradients.layer[i].word].of_tag[t]
        if moves_layer(g):
            for k in range(n):
                total[k] += g * units[k]
        units += 2 * n


cdef inline void step_outputs(HiddenInTraining* hidden, int t, const float* total) noexcept nogil:
    """Move the outputs of a tag by what a batch has for them; AdaGrad."""
    cdef float* out = hidden.out + t * hidden.n_units
    cdef float* square = hidden.out_squares + t * hidden.n_units
    cdef int32_t k
    for k in range(hidden.n_units):
        square[k] += total[k] * total[k]
        out[k] -= <float>(hidden.rate * total[k] / sqrt(1e-4 + square[k]))


cdef inline void sum_biases(const HiddenInTraining* hidden, const Gradients* gradients,
                            float* total) noexcept nogil:
    """Add up what a piece has for the biases."""
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
    """Move a row, or the biases, by what a batch has for it; AdaGrad, with one rate for all."""
    cdef int32_t k
    square[0] += mean_square(total, n)
    rate /= <float>sqrt(1e-4 + square[0])
    for k in range(n):
        row[k] -= rate * total[k]


cdef inline void sum_rows(const HiddenInTraining* hidden, const Entries* rows,
                          const Gradients* gradients, RowSums* sums) noexcept nogil:
    """Add up what a piece has for the rows of a shard."""
    cdef const Entry* entry = rows.entries
    cdef const Entry* end = entry + rows.n
    while entry < end:
        add_to_row(sums, entry.key,
                   gradients.units + (2 * <int64_t>entry.word + 1) * hidden.n_units,
                   hidden.n_units)
        entry += 1


cdef inline void step_rows(HiddenInTraining* hidden, const RowSums* sums) noexcept nogil:
    """Move rows by what a batch has for them."""
    cdef int32_t n = hidden.n_units
    cdef uint32_t i
    for i in range(sums.n):
        if i + ROWS_AHEAD < sums.n:
            ask_for_row(hidden, sums.rows[i + ROWS_AHEAD])
        step_row(<float>hidden.rate, hidden.rows + <int64_t>sums.rows[i] * n,
                 hidden.row_squares + sums.rows[i], sums.values + <int64_t>i * n, n)
