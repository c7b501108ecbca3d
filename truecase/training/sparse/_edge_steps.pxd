"""Weights of the language model and of tag transitions in training, moved by AdaGrad."""

from libc.math cimport sqrt
from libc.stdint cimport int64_t

from truecase.decode._edges cimport EdgeWeights
from truecase.decode._forward_backward cimport ForwardBackward
from truecase.lattice._lattice cimport N_STATES
from truecase.runtime._status cimport STATUS_OK, STATUS_OUT_OF_MEMORY
from truecase.training.sparse._gradients cimport EdgeGradient, Gradients, reserve


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
    """Move the weights by what a sentence has taught."""
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
