"""Weights of training as the whole numbers that `_gru.pxd` reads."""

from libc.math cimport lround
from libc.stdint cimport int16_t, int32_t

from truecase.recurrent._gru cimport MAX_STATE, ONE_BITS, WEIGHT_BITS, Recurrent


cdef enum:
    MAX_WEIGHT = 8
    MAX_BIAS = 64


cdef inline double bounded(double weight) noexcept:
    """A weight as far as the numbers of a model go."""
    return min(max(weight, -<double>MAX_WEIGHT), <double>MAX_WEIGHT)


cdef inline void lay_pairs(const float[::1] matrix, int n_rows, int n_columns,
                           int16_t* out) noexcept:
    """The numbers of a matrix in the order in which `add_product` reads them."""
    cdef int row, column
    cdef double value
    for row in range(n_rows):
        for column in range(n_columns):
            value = bounded(matrix[row * n_columns + column])
            out[2 * ((column // 2) * n_rows + row) + column % 2] = <int16_t>min(
                lround(value * (1 << WEIGHT_BITS)), 32767)


cdef inline void lay_sums(const float[::1] bias, int32_t* out) noexcept:
    cdef Py_ssize_t i
    cdef double value
    for i in range(bias.shape[0]):
        value = min(max(bias[i], -<double>MAX_BIAS), <double>MAX_BIAS)
        out[i] = <int32_t>lround(value * (1 << (WEIGHT_BITS + ONE_BITS)))


cdef inline int take_n_units(object section) except -1:
    """Units of a direction, as the settings have them."""
    cdef int n = int(section.number("n_units", 8, MAX_STATE))
    if n % 8:
        # Here, as the names of a module that includes this are its own.
        from truecase.errors import ModelError

        raise ModelError(f"the setting {section.name}.n_units is {n}: expected a multiple of 8")
    return n


cdef inline int lay_unit(object section, str name, int n_inputs, int n_units, Recurrent* unit,
                         int16_t* weight, int32_t* bias) except -1:
    """Take a direction's arrays from a section, and lay them out from `weight` and `bias` on.

    3 * n_units * (n_inputs + n_units) weights, 3 * n_units numbers of the bias.
    """
    cdef int n = n_units
    cdef const float[::1] values
    unit.n_inputs = n_inputs
    unit.n_units = n
    values = section.array(f"{name}.inputs", "float32", 3 * n * n_inputs)
    lay_pairs(values, 3 * n, n_inputs, weight)
    unit.of_inputs = weight
    weight += 3 * n * n_inputs
    values = section.array(f"{name}.state", "float32", 3 * n * n)
    # Of c apart from the others, whose products are added to those of the inputs.
    lay_pairs(values[:2 * n * n], 2 * n, n, weight)
    lay_pairs(values[2 * n * n:], n, n, weight + 2 * n * n)
    unit.of_state = weight
    values = section.array(f"{name}.bias", "float32", 3 * n)
    lay_sums(values, bias)
    unit.bias = bias
    return 0


cdef inline int lay_directions(object section, int n_inputs, int n_units, Recurrent* forward,
                               Recurrent* backward, int16_t* weight, int32_t* bias) except -1:
    """Take the arrays of both directions, twice what `lay_unit` says of one."""
    lay_unit(section, "forward", n_inputs, n_units, forward, weight, bias)
    lay_unit(section, "backward", n_inputs, n_units, backward,
             weight + 3 * n_units * (n_inputs + n_units), bias + 3 * n_units)
    return 0
