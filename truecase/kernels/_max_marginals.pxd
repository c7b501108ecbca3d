"""Exact max-marginals: the score of the best path through each candidate of a lattice.

A forward pass keeps the best score up to each state (of `_viterbi.pxd`), a backward pass that of
what follows. A candidate's max-marginal is the largest sum of both among its states.
"""

from libc.math cimport INFINITY
from libc.stddef cimport size_t
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free
from libc.string cimport memset

from truecase.base._memory cimport STATUS_OK, STATUS_OUT_OF_MEMORY, grow
from truecase.kernels._edges cimport count_states, leaving_width
from truecase.kernels._structs cimport Edges, Lattice, MaxMarginals, Node, Viterbi


cdef inline void free_max_marginals(MaxMarginals* at) noexcept nogil:
    free(at.value)
    free(at.forward)
    free(at.backward)
    free(at.first_state)
    memset(at, 0, sizeof(MaxMarginals))


cdef inline size_t bytes_of_max_marginals(const MaxMarginals* at) noexcept nogil:
    return (<size_t>at.node_capacity * sizeof(double)
            + 2 * <size_t>at.state_capacity * sizeof(double)
            + <size_t>at.word_capacity * sizeof(int64_t))


cdef inline int reserve_max_marginals(int order, const Lattice* lattice, const Edges* edges,
                                      MaxMarginals* at) noexcept nogil:
    """Make room for a sentence, and find where each word's states begin; a Status."""
    cdef int32_t word
    cdef int64_t n_states = 1
    cdef size_t wanted
    if at.word_capacity < lattice.n_words:
        wanted = 2 * <size_t>lattice.n_words
        if grow(<void**>&at.first_state, wanted, sizeof(int64_t)) != STATUS_OK:
            return STATUS_OUT_OF_MEMORY
        at.word_capacity = <int32_t>wanted
    for word in range(lattice.n_words):
        at.first_state[word] = n_states
        if edges.has_choice[word]:
            n_states += count_states(order, edges, word)
        else:
            n_states += 1
    if at.node_capacity < lattice.n_nodes:
        wanted = 2 * <size_t>lattice.n_nodes
        if grow(<void**>&at.value, wanted, sizeof(double)) != STATUS_OK:
            return STATUS_OUT_OF_MEMORY
        at.node_capacity = <int32_t>wanted
    if at.state_capacity < n_states:
        wanted = 2 * <size_t>n_states
        if (grow(<void**>&at.forward, wanted, sizeof(double)) != STATUS_OK
                or grow(<void**>&at.backward, wanted, sizeof(double)) != STATUS_OK):
            return STATUS_OUT_OF_MEMORY
        at.state_capacity = <int64_t>wanted
    return STATUS_OK


cdef inline void run_forward(int order, float scale, const Lattice* lattice,
                             const Viterbi* viterbi, MaxMarginals* at) noexcept nogil:
    """Fill the best scores up to each state."""
    cdef const Edges* edges = &viterbi.edges
    cdef int32_t word, n, leaving, width, c
    cdef int64_t states, s, b, per_leaving
    cdef const float* edge
    cdef const Node* node
    cdef double* now
    cdef const double* before = at.forward
    cdef double best, x
    at.forward[0] = 0.0
    for word in range(lattice.n_words):
        now = at.forward + at.first_state[word]
        if not edges.has_choice[word]:
            now[0] = 0.0
            before = now
            continue
        edge = viterbi.weighted + viterbi.weighted_start[word]
        node = lattice.nodes + lattice.first_node[word]
        n = edges.width[word]
        width = leaving_width(order, edges, word)
        states = count_states(order, edges, word)
        per_leaving = states // n if n > 1 else states
        b = c = 0
        for s in range(states):
            best = before[b] + scale * edge[s]
            for leaving in range(1, width):
                x = before[b + leaving * per_leaving] + scale * edge[s + leaving * states]
                best = x if x > best else best
            now[s] = best + node[c].score
            c += 1
            if c == n:
                c = 0
                b += 1
        before = now


cdef inline void run_backward(int order, float scale, const Lattice* lattice,
                              const Viterbi* viterbi, MaxMarginals* at) noexcept nogil:
    """Fill the best scores behind each state, and the max-marginals."""
    cdef const Edges* edges = &viterbi.edges
    cdef int32_t word, n, leaving, width, c
    cdef int64_t states, s, b, per_leaving
    cdef const float* edge
    cdef const Node* node
    cdef double* now
    cdef double* left
    cdef double* value
    cdef const double* before
    cdef double best, x
    word = lattice.n_words - 1
    if edges.has_choice[word]:
        now = at.backward + at.first_state[word]
        for s in range(count_states(order, edges, word)):
            now[s] = 0.0
    for word in range(lattice.n_words - 1, -1, -1):
        now = at.backward + at.first_state[word]
        value = at.value + lattice.first_node[word]
        left = at.backward + (at.first_state[word - 1] if word else 0)
        if not edges.has_choice[word]:
            for c in range(lattice.first_node[word + 1] - lattice.first_node[word]):
                value[c] = 0.0
            # The words before it have no effect on those behind it.
            for s in range(at.first_state[word] - (at.first_state[word - 1] if word else 0)):
                left[s] = 0.0
            continue
        n = edges.width[word]
        width = leaving_width(order, edges, word)
        states = count_states(order, edges, word)
        per_leaving = states // n if n > 1 else states
        edge = viterbi.weighted + viterbi.weighted_start[word]
        node = lattice.nodes + lattice.first_node[word]
        before = at.forward + at.first_state[word]
        for c in range(lattice.first_node[word + 1] - lattice.first_node[word]):
            value[c] = -INFINITY
        b = c = 0
        for s in range(states):
            x = before[s] + now[s]
            value[c] = x if x > value[c] else value[c]
            x = now[s] + node[c].score
            for leaving in range(width):
                best = x + scale * edge[s + leaving * states]
                if c == 0 or best > left[b + leaving * per_leaving]:
                    left[b + leaving * per_leaving] = best
            c += 1
            if c == n:
                c = 0
                b += 1


cdef inline int max_marginals(int order, float scale, const Lattice* lattice,
                              const Viterbi* viterbi, MaxMarginals* at) noexcept nogil:
    """Fill ``at.value`` for one sentence; a Status.

    Parameters
    ----------
    order
        Of the language model, 2 or more.
    scale
        Factor of the edges' scores.
    lattice
        See `score_edges`; the nodes' scores are not scaled.
    viterbi
        Its edges are weighted.
    at
        Candidates that the edges left out get minus infinity, those of words passed over 0.
    """
    cdef int status = reserve_max_marginals(order, lattice, &viterbi.edges, at)
    if status == STATUS_OK:
        run_forward(order, scale, lattice, viterbi, at)
        run_backward(order, scale, lattice, viterbi, at)
    return status


cdef inline void trace_best_path(int order, float scale, const Lattice* lattice,
                                 const MaxMarginals* at, Viterbi* viterbi) noexcept nogil:
    """Find the path of `search_edges`, in ``viterbi.path``, from the pass of `max_marginals`."""
    cdef const Edges* edges = &viterbi.edges
    cdef int32_t word, width, n_leaving, leaving, best_leaving
    cdef int64_t states, s, b, per_leaving, state = 0
    cdef const float* edge
    cdef const double* before
    cdef double best, x
    word = lattice.n_words - 1
    before = at.forward + at.first_state[word]
    states = 1
    if edges.has_choice[word]:
        states = count_states(order, edges, word)
    for s in range(1, states):
        if before[s] > before[state]:
            state = s
    for word in range(lattice.n_words - 1, -1, -1):
        width = edges.width[word]
        viterbi.path[word] = <int32_t>(state % width)
        if not edges.has_choice[word]:
            continue
        b = state // width
        n_leaving = leaving_width(order, edges, word)
        if n_leaving > 1:
            states = count_states(order, edges, word)
            per_leaving = states // width
            before = at.forward + at.first_state[word - 1]
            edge = viterbi.weighted + viterbi.weighted_start[word]
            best = before[b] + scale * edge[state]
            best_leaving = 0
            for leaving in range(1, n_leaving):
                x = before[b + leaving * per_leaving] + scale * edge[state + leaving * states]
                if x > best:
                    best = x
                    best_leaving = leaving
            b += best_leaving * per_leaving
        state = b
