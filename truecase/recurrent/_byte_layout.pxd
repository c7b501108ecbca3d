"""Weights of training as the bytes that `_byte_unit.pxd` reads."""

from libc.math cimport fabs, lround
from libc.stddef cimport size_t
from libc.stdint cimport int8_t, int32_t, uint32_t

from truecase.recurrent._byte_unit cimport ByteUnit, rounded_up
from truecase.recurrent._bytes cimport BYTE_ZERO, MAX_BYTE_WEIGHT, ByteMatrix, byte_place
from truecase.recurrent._gru cimport ONE_BITS, WEIGHT_BITS
from truecase.recurrent._layout cimport bounded, lay_sums


cdef enum:
    STATE_BITS = 7               # what a byte of a state counts, and of inputs
    INPUT_BITS = 5
    SUM_BITS = ONE_BITS + WEIGHT_BITS


cdef struct Place:               # where the next numbers are laid, zeros as yet
    int8_t* weights              # on a line of the cache
    int32_t* sums


cdef inline void lay_bytes(const float[::1] matrix, int first_row, int n_rows, int n_columns,
                           int first_column, int n_used, int value_bits, int32_t* bias,
                           Place* place, ByteMatrix* out) noexcept:
    """Some rows and columns of a matrix, n_used a multiple of 4.

    Takes 4 * out.n_quads * out.n_rows weights, and out.n_rows shifts. From `bias`, n_rows sums,
    goes what the zeros of a vector add.
    """
    cdef int row, column, bits
    cdef double most, value
    cdef int32_t weight, total
    cdef int8_t* weights = place.weights
    cdef int32_t* shifts = place.sums
    out.n_quads = n_used // 4
    out.n_rows = rounded_up(n_rows)
    out.weights = weights
    out.shifts = shifts
    for row in range(n_rows):
        most = 0
        for column in range(n_used):
            value = bounded(matrix[(first_row + row) * n_columns + first_column + column])
            most = max(most, fabs(value))
        bits = SUM_BITS - value_bits
        while lround(most * (1 << bits)) > MAX_BYTE_WEIGHT:
            bits -= 1
        shifts[row] = SUM_BITS - value_bits - bits
        total = 0
        for column in range(n_used):
            value = bounded(matrix[(first_row + row) * n_columns + first_column + column])
            weight = <int32_t>lround(value * (1 << bits))
            weights[byte_place(out.n_rows, row, column)] = <int8_t>weight
            total += weight
        bias[row] = <int32_t>(<uint32_t>bias[row]
                              - (<uint32_t>(total * <int32_t>BYTE_ZERO) << shifts[row]))
    place.weights += 4 * <size_t>out.n_quads * out.n_rows
    place.sums += out.n_rows


cdef inline void lay_given(const float[::1] matrix, int n_rows, int n_columns, int first_column,
                           int n_given, Place* place) noexcept:
    """What each of the last columns adds to the rows where its input is 1: n_given vectors.

    Rows are rounded up. The first column stands for nothing.
    """
    cdef int row, given
    cdef double value
    for given in range(n_given):
        for row in range(n_rows):
            value = matrix[row * n_columns + first_column + given] if given else 0
            place.sums[row] = <int32_t>lround(bounded(value) * (1 << SUM_BITS))
        place.sums += rounded_up(n_rows)


cdef inline int lay_byte_unit(object section, str name, int n_inputs, int n_given, int n_units,
                              Place* place, ByteUnit* unit) except -1:
    """Take a direction's arrays from a section, and lay them out.

    Of the n_inputs the last n_given are those of which at most one is 1. See `byte_unit_sizes`.
    """
    cdef int n = n_units, n_bytes = n_inputs - n_given
    cdef const float[::1] values
    cdef int32_t* bias = place.sums
    cdef int32_t* proposed_bias
    unit.n_units = n
    unit.n_sums = rounded_up(3 * n)
    unit.bias = bias
    place.sums += unit.n_sums
    proposed_bias = place.sums
    unit.proposed_bias = proposed_bias
    place.sums += rounded_up(n)
    values = section.array(f"{name}.bias", "float32", 3 * n)
    lay_sums(values, bias)
    values = section.array(f"{name}.inputs", "float32", 3 * n * n_inputs)
    lay_bytes(values, 0, 3 * n, n_inputs, 0, n_bytes, INPUT_BITS, bias, place, &unit.of_inputs)
    unit.of_given = place.sums
    lay_given(values, 3 * n, n_inputs, n_bytes, n_given, place)
    values = section.array(f"{name}.state", "float32", 3 * n * n)
    lay_bytes(values, 0, 2 * n, n, 0, n, STATE_BITS, bias, place, &unit.of_gates)
    lay_bytes(values, 2 * n, n, n, 0, n, STATE_BITS, proposed_bias, place, &unit.of_proposed)
    return 0


cdef inline void byte_unit_sizes(int n_inputs, int n_given, int n_units, size_t* n_weights,
                                 size_t* n_sums) noexcept:
    """Adds how many weights and sums a direction takes."""
    cdef size_t n_rows = rounded_up(3 * n_units), n_proposed = rounded_up(n_units)
    n_weights[0] += n_rows * (n_inputs - n_given) + (2 * n_units + n_proposed) * n_units
    # Biases, shifts, and what is given.
    n_sums[0] += 2 * n_rows + n_given * n_rows + 2 * n_proposed + 2 * n_units
