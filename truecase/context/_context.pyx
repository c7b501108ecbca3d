"""The layer that decides words in doubt by their sentence, as a part of a model."""

from libc.math cimport lround
from libc.stdint cimport int16_t, int32_t, uint8_t
from libc.stdlib cimport free, malloc

from truecase.context._gru cimport MAX_STATE, ONE_BITS, WEIGHT_BITS, Recurrent

from truecase.errors import ModelError

__all__ = ["FARTHEST_LEAD", "INPUTS", "JOINED", "MAX_UNITS", "PRIORS", "ContextLayer"]

#: Numbers that a word, its usual case and its cases give; and those of all.
INPUTS = (WORD_SIZE, PRIOR_SIZE, N_CASES, N_CASES)
#: Units of the layer that joins both directions.
JOINED = N_JOINED
#: Units of a direction, at most.
MAX_UNITS = MAX_STATE
#: Codes of usual cases.
PRIORS = N_PRIORS
#: A case that is farther behind the best, in nats, is as if it were this far.
FARTHEST_LEAD = float(FARTHEST)

cdef double _MAX_WEIGHT = 8.0
cdef double _MAX_BIAS = 64.0


cdef void lay_pairs(const float[::1] matrix, int n_rows, int n_columns, int16_t* out) noexcept:
    """The numbers of a matrix in the order in which `add_product` reads them."""
    cdef int row, column
    cdef double value
    for row in range(n_rows):
        for column in range(n_columns):
            value = min(max(matrix[row * n_columns + column], -_MAX_WEIGHT), _MAX_WEIGHT)
            out[2 * ((column // 2) * n_rows + row) + column % 2] = <int16_t>min(
                lround(value * (1 << WEIGHT_BITS)), 32767)


cdef void lay_sums(const float[::1] bias, int32_t* out) noexcept:
    cdef Py_ssize_t i
    cdef double value
    for i in range(bias.shape[0]):
        value = min(max(bias[i], -_MAX_BIAS), _MAX_BIAS)
        out[i] = <int32_t>lround(value * (1 << (WEIGHT_BITS + ONE_BITS)))


cdef class ContextLayer(Component):
    """Recurrent units over a sentence, and what they add to the cases of words in doubt.

    Arrays: ``words`` and ``priors``, rows of bytes; of ``forward`` and ``backward``, the weights
    ``.inputs`` and ``.state`` and the ``.bias``, of z, r and c; ``joined``, ``joined.bias``,
    ``out`` and ``out.bias``; see `truecase/context/_context.pxd`.
    """

    about = "a recurrent layer that decides words in doubt by their sentence"

    def __cinit__(self, arrays, settings=None):
        cdef ContextView* view = &self.view
        cdef const uint8_t[::1] numbers
        cdef const float[::1] values
        section = self.section("context")
        cdef int n = int(section.number("n_units", 8, MAX_STATE)), width = 2 * n + <int>N_INPUTS
        if n % 8:
            raise ModelError(f"the setting context.n_units is {n}: expected a multiple of 8")
        cdef size_t n_weights = 2 * 3 * n * (<size_t>N_INPUTS + n) + <size_t>N_JOINED * width
        cdef size_t n_biases = 2 * 3 * n + N_JOINED
        self.weights = <int16_t*>malloc(n_weights * sizeof(int16_t))
        self.biases = <int32_t*>malloc(n_biases * sizeof(int32_t))
        if self.weights == NULL or self.biases == NULL:
            raise MemoryError("no memory for a context layer")
        cdef int16_t* weight = self.weights
        cdef int32_t* bias = self.biases
        cdef Recurrent* unit
        view.doubt = section.number("doubt", 0, 1e3)
        view.n_rows = int(section.number("n_rows", 1, 2**32 - 1))
        numbers = section.array("words", "uint8", view.n_rows * WORD_SIZE)
        view.words = &numbers[0]
        numbers = section.array("priors", "uint8", N_PRIORS * PRIOR_SIZE)
        view.priors = &numbers[0]
        for name in ("forward", "backward"):
            unit = &view.forward if name == "forward" else &view.backward
            unit.n_inputs = N_INPUTS
            unit.n_units = n
            values = section.weights(f"{name}.inputs", 3 * n * <int>N_INPUTS)
            lay_pairs(values, 3 * n, N_INPUTS, weight)
            unit.of_inputs = weight
            weight += 3 * n * <int>N_INPUTS
            values = section.weights(f"{name}.state", 3 * n * n)
            # Of c apart from the others, whose products are added to those of the inputs.
            lay_pairs(values[:2 * n * n], 2 * n, n, weight)
            lay_pairs(values[2 * n * n:], n, n, weight + 2 * n * n)
            unit.of_state = weight
            weight += 3 * n * n
            values = section.weights(f"{name}.bias", 3 * n)
            lay_sums(values, bias)
            unit.bias = bias
            bias += 3 * n
        values = section.weights("joined", <int>N_JOINED * width)
        lay_pairs(values, N_JOINED, width, weight)
        view.joined = weight
        values = section.weights("joined.bias", N_JOINED)
        lay_sums(values, bias)
        view.joined_bias = bias
        values = section.weights("out", N_CASES * N_JOINED)
        view.out = &values[0]
        values = section.weights("out.bias", N_CASES)
        view.out_bias = &values[0]
        view.is_active = True

    def __dealloc__(self):
        free(self.weights)
        free(self.biases)

    def info(self):
        """What it is, in a few words and numbers."""
        return {
            **super().info(),
            "units": self.view.forward.n_units,
            "words": self.view.n_rows,
            "doubt": round(self.view.doubt, 3),
        }
