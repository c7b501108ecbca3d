"""A lattice from NumPy arrays, for tests and tools."""

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memset

from truecase.decode._edges cimport EdgeWeights
from truecase.lattice._lattice cimport (
    MAX_CANDIDATES,
    N_STATES,
    Lattice,
    reserve_nodes,
    reserve_words,
)
from truecase.runtime._status cimport STATUS_OK


cdef inline int fill_lattice(Lattice* lattice, const int32_t[::1] first_node,
                             const uint64_t[::1] form, const float[::1] lm,
                             const float[::1] backoff, const float[::1] score,
                             const uint8_t[::1] state) except -1:
    """Check the arrays and copy them to an empty lattice, which the caller frees."""
    cdef int32_t n_words = <int32_t>first_node.shape[0] - 1, i
    cdef Py_ssize_t n_nodes = form.shape[0]
    cdef int status
    if n_words < 1 or first_node[0] != 0 or first_node[n_words] != n_nodes:
        raise ValueError("first_node does not span the nodes")
    if (lm.shape[0] != n_nodes or backoff.shape[0] != n_nodes or score.shape[0] != n_nodes
            or (state is not None and state.shape[0] != n_nodes)):
        raise ValueError("the nodes' arrays differ in length")
    for i in range(n_words):
        if not 1 <= first_node[i + 1] - first_node[i] <= MAX_CANDIDATES:
            raise ValueError(f"word {i} has {first_node[i + 1] - first_node[i]} candidates")
    status = reserve_words(lattice, n_words)
    if status == STATUS_OK:
        status = reserve_nodes(lattice, <int32_t>n_nodes)
    if status != STATUS_OK:
        raise MemoryError("no memory left for the lattice")
    lattice.n_words = n_words
    lattice.n_nodes = <int32_t>n_nodes
    for i in range(n_words + 1):
        lattice.first_node[i] = first_node[i]
    for i in range(n_nodes):
        lattice.nodes[i].form = form[i]
        lattice.nodes[i].lm = lm[i]
        lattice.nodes[i].backoff = backoff[i]
        lattice.nodes[i].score = score[i]
        lattice.nodes[i].state = 0
        if state is not None:
            if state[i] >= N_STATES:
                raise ValueError(f"node {i} has the state {state[i]}")
            lattice.nodes[i].state = state[i]
    return 0


cdef inline int fill_weights(EdgeWeights* weights, float lm,
                             const float[:, ::1] transition) except -1:
    cdef int i, j
    memset(weights, 0, sizeof(EdgeWeights))
    weights.lm = lm
    if transition is not None:
        if transition.shape[0] != N_STATES or transition.shape[1] != N_STATES:
            raise ValueError(f"transition weights: expected {N_STATES} x {N_STATES}")
        weights.has_transitions = True
        for i in range(<int>N_STATES):
            for j in range(<int>N_STATES):
                weights.transition[N_STATES * i + j] = transition[i, j]
    return 0
