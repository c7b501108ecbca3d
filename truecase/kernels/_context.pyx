"""The context layer as a component of a model."""

from libc.stdint cimport int16_t, int32_t, uint8_t
from libc.stdlib cimport free, malloc

from truecase.kernels._recurrent cimport (
    MAX_STATE, lay_directions, lay_pairs, lay_sums, take_n_units
)


__all__ = ["FARTHEST_LEAD", "INPUTS", "JOINED", "MAX_UNITS", "PRIORS", "ContextLayer"]

#: Sizes of the inputs: of the word, its usual case, its leads, and the cases it has.
INPUTS = (WORD_SIZE, PRIOR_SIZE, N_CASES, N_CASES)
#: Units of the layer that joins both directions.
JOINED = N_JOINED
#: Units of a direction, at most.
MAX_UNITS = MAX_STATE
#: Codes of usual cases.
PRIORS = N_PRIORS
#: The largest distance from the best case, in nats, that the layer reads.
FARTHEST_LEAD = float(FARTHEST)

cdef class ContextLayer(Component):
    """Recurrent units over a sentence, which score the cases of words in doubt.

    Arrays: ``words`` and ``priors``, rows of bytes; of ``forward`` and ``backward``, the weights
    ``.inputs`` and ``.state`` and the ``.bias``, of z, r and c; ``joined``, ``joined.bias``,
    ``out`` and ``out.bias``; see `truecase/kernels/_context.pxd`.
    """

    about = "a recurrent layer that decides words in doubt by their sentence"

    def __cinit__(self, arrays, settings=None):
        cdef ContextView* view = &self.view
        cdef const uint8_t[::1] numbers
        cdef const float[::1] values
        section = self.section("context")
        cdef int n = take_n_units(section), width = 2 * n + <int>N_INPUTS
        cdef size_t n_weights = 2 * 3 * n * (<size_t>N_INPUTS + n) + <size_t>N_JOINED * width
        cdef size_t n_biases = 2 * 3 * n + N_JOINED
        self.weights = <int16_t*>malloc(n_weights * sizeof(int16_t))
        self.biases = <int32_t*>malloc(n_biases * sizeof(int32_t))
        if self.weights == NULL or self.biases == NULL:
            raise MemoryError("no memory for a context layer")
        cdef int16_t* weight = self.weights
        cdef int32_t* bias = self.biases
        view.doubt = section.number("doubt", 0, 1e3)
        view.n_rows = int(section.number("n_rows", 1, 2**32 - 1))
        numbers = section.array("words", "uint8", view.n_rows * WORD_SIZE)
        view.words = &numbers[0]
        numbers = section.array("priors", "uint8", N_PRIORS * PRIOR_SIZE)
        view.priors = &numbers[0]
        lay_directions(section, N_INPUTS, n, &view.forward, &view.backward, weight, bias)
        weight += 2 * 3 * n * (<int>N_INPUTS + n)
        bias += 2 * 3 * n
        values = section.array("joined", "float32", <int>N_JOINED * width)
        lay_pairs(values, N_JOINED, width, weight)
        view.joined = weight
        values = section.array("joined.bias", "float32", N_JOINED)
        lay_sums(values, bias)
        view.joined_bias = bias
        values = section.array("out", "float32", N_CASES * N_JOINED)
        view.out = &values[0]
        values = section.array("out.bias", "float32", N_CASES)
        view.out_bias = &values[0]
        view.is_active = True

    def __dealloc__(self):
        free(self.weights)
        free(self.biases)

    def info(self):
        return {
            **super().info(),
            "units": self.view.forward.n_units,
            "words": self.view.n_rows,
            "doubt": round(self.view.doubt, 3),
        }
