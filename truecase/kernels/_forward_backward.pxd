"""Partition function, posteriors and expectations of a lattice, in log space.

The forward pass keeps the *share* of each edge: the probability of the word that leaves the window
(the states are those of `_viterbi.pxd`), given the state entered. The backward pass then needs
neither exponentials nor scores: p(edge) = p(state entered) · share(edge), and p(state left) is
their sum. Words passed over add a constant to every path, which log Z leaves out.
"""

from libc.math cimport INFINITY, exp, log
from libc.stdint cimport int32_t, int64_t, uint64_t, uint8_t
from libc.string cimport memset

from truecase.base._memory cimport STATUS_OK, STATUS_OUT_OF_MEMORY, Arena, reset_arena, take
from truecase.kernels._edges cimport count_edges, edge_scores, leaving_width, move_transitions
from truecase.kernels._lattice cimport candidates_of
from truecase.kernels._structs cimport N_STATES, EdgeWeights, Edges, Lattice, Node


cdef struct LatticeWord:         # one word and the edges that end there
    const float* lm              # per edge: log-probability; edge = state + states · leaving
    const double* node_score     # per candidate
    const uint8_t* state         # per candidate: NodeState
    const uint8_t* state_before  # per candidate of the word before
    uint64_t allowed             # bit mask of candidates that paths may use; ~0: all
    int32_t n_candidates
    int32_t n_before             # candidates of the word before
    int32_t leaving_width        # candidates of the word that leaves the window; 1: none leaves
    int64_t per_leaving          # states left that share one leaving candidate
    bint leaving_is_before       # order 2: the word that leaves is the word before


cdef struct Expectations:
    double lm                                    # of the sum of all edges' log-probabilities
    double transition[N_STATES * N_STATES]       # [state of the word before, of the word]


cdef struct ForwardBackward:     # results, and the memory of one thread
    double log_z                 # log-sum-exp of all (allowed) paths, words passed over left out
    Expectations expected
    double* posterior            # per node of the lattice
    double* node_score           # copies of what the nodes hold, side by side
    uint8_t* node_state
    Arena arena                  # of these arrays


cdef inline uint64_t usable(uint64_t allowed, int32_t n_candidates) noexcept nogil:
    """Make a mask that allows no candidate allow all."""
    if n_candidates < 64 and allowed & ((<uint64_t>1 << n_candidates) - 1) == 0:
        return ~<uint64_t>0
    return allowed if allowed else ~<uint64_t>0


cdef inline void forward_word(const LatticeWord* word, const EdgeWeights* weights,
                              const double* before, double* now, double* share) noexcept nogil:
    """Compute the log-sums of the states that the word enters, and the shares of its edges.

    `share` stays as it is if no word leaves the window, as each state then has one edge.
    """
    cdef int32_t c, leaving, n = word.n_candidates, previous = 0
    cdef int64_t states = word.per_leaving * n, n_edges = states * word.leaving_width
    cdef int64_t b, s = 0, edge
    cdef double lm_weight = weights.lm, value, best, total, scale
    cdef const double* transition = NULL
    for b in range(word.per_leaving):
        if weights.has_transitions:
            transition = weights.transition + N_STATES * word.state_before[previous]
        for c in range(n):
            if not (word.allowed >> (c & 63)) & 1:
                now[s] = -INFINITY
            elif word.leaving_width == 1:
                now[s] = before[b] + lm_weight * word.lm[s] + word.node_score[c]
                if weights.has_transitions:
                    now[s] += transition[word.state[c]]
            else:
                best = -INFINITY
                edge = s
                for leaving in range(word.leaving_width):
                    value = before[b + leaving * word.per_leaving] + lm_weight * word.lm[edge]
                    if weights.has_transitions:
                        if word.leaving_is_before:
                            transition = weights.transition + N_STATES * word.state_before[leaving]
                        value += transition[word.state[c]]
                    share[edge] = value
                    if value > best:
                        best = value
                    edge += states
                if best == -INFINITY:
                    now[s] = best
                else:
                    total = 0.0
                    edge = s
                    while edge < n_edges:
                        share[edge] = exp(share[edge] - best)
                        total += share[edge]
                        edge += states
                    scale = 1.0 / total
                    edge = s
                    while edge < n_edges:
                        share[edge] *= scale
                        edge += states
                    now[s] = best + log(total) + word.node_score[c]
            s += 1
        previous += 1
        if previous == word.n_before:
            previous = 0


cdef inline void backward_word(const LatticeWord* word, const double* share, const double* now,
                               double* before, double* posterior,
                               Expectations* expected) noexcept nogil:
    """Compute the probabilities of the states left from those of the states entered.

    Adds to the posteriors of the word's candidates and to the expectations over its edges.
    """
    cdef int32_t c, leaving, n = word.n_candidates, previous = 0
    cdef int64_t states = word.per_leaving * n, b, s = 0, edge
    cdef double p, lm = 0.0
    cdef double* transition = expected.transition
    for b in range(word.per_leaving * word.leaving_width):
        before[b] = 0.0
    for b in range(word.per_leaving):
        for c in range(n):
            p = now[s]
            if p > 0.0:
                posterior[c] += p
                if word.leaving_width == 1:
                    before[b] += p
                    lm += p * word.lm[s]
                    transition[N_STATES * word.state_before[previous] + word.state[c]] += p
                else:
                    edge = s
                    for leaving in range(word.leaving_width):
                        p = now[s] * share[edge]
                        before[b + leaving * word.per_leaving] += p
                        lm += p * word.lm[edge]
                        if word.leaving_is_before:
                            previous = leaving
                        transition[N_STATES * word.state_before[previous] + word.state[c]] += p
                        edge += states
            s += 1
        previous += 1
        if previous >= word.n_before or word.leaving_is_before:
            previous = 0
    expected.lm += lm


cdef inline double final_states(double* value, int64_t n_states) noexcept nogil:
    """Turn the last states into probabilities; returns their log-sum-exp."""
    cdef int64_t s
    cdef double best = value[0], total = 0.0
    for s in range(1, n_states):
        if value[s] > best:
            best = value[s]
    for s in range(n_states):
        value[s] = exp(value[s] - best)
        total += value[s]
    for s in range(n_states):
        value[s] /= total
    return best + log(total)


cdef inline void summarise_word(int order, const Lattice* lattice, const Edges* edges,
                                const Node* sentence_start, int32_t word,
                                const ForwardBackward* passes, LatticeWord* out) noexcept nogil:
    """Collect what the two passes read of a word whose edges are scored."""
    out.lm = edge_scores(edges, order, word)
    out.node_score = passes.node_score + lattice.first_node[word]
    out.state = passes.node_state + lattice.first_node[word]
    out.n_candidates = edges.width[word]
    out.state_before = &sentence_start.state
    out.n_before = 1
    if word > 0:
        out.state_before = passes.node_state + lattice.first_node[word - 1]
        out.n_before = edges.width[word - 1]
    out.leaving_width = leaving_width(order, edges, word)
    out.leaving_is_before = order == 2 and out.leaving_width > 1
    out.per_leaving = count_edges(edges, order, word) // out.n_candidates // out.leaving_width
    out.allowed = ~<uint64_t>0


cdef inline void softmax_words(const EdgeWeights* weights, const Lattice* lattice,
                               const uint64_t* allowed, ForwardBackward* passes) noexcept nogil:
    """Order 1: there are no edges, and so no transitions."""
    cdef int32_t word, c, n
    cdef uint64_t mask = ~<uint64_t>0
    cdef const Node* node
    cdef double* p
    for word in range(lattice.n_words):
        node = candidates_of(lattice, word, &n)
        p = passes.posterior + lattice.first_node[word]
        if n == 1:
            p[0] = 1.0
            continue
        if allowed != NULL:
            mask = usable(allowed[word], n)
        for c in range(n):
            p[c] = -INFINITY
            if (mask >> (c & 63)) & 1:
                p[c] = weights.lm * node[c].lm + node[c].score
        passes.log_z += final_states(p, n)
        for c in range(n):
            passes.expected.lm += p[c] * node[c].lm


cdef inline int forward_backward(int order, const EdgeWeights* weights, const Lattice* lattice,
                                 const Edges* edges, const Node* sentence_start,
                                 const uint64_t* allowed,
                                 ForwardBackward* passes) noexcept nogil:
    """Compute posteriors and expectations of one sentence; a Status.

    Parameters
    ----------
    order
        Of the language model; 1 reads no edges.
    weights
        Of the edges; the nodes' scores are weighted.
    lattice, edges, sentence_start
        See `score_edges`.
    allowed
        NULL, or for each word a bit mask of the candidates that paths may use, of the first 64; 0
        allows all.
    passes
        Gets ``log_z``, ``expected`` and ``posterior``. A word passed over has the posterior 1 and
        is left out of all sums, whatever `allowed` says.
    """
    cdef Arena* arena = &passes.arena
    cdef int32_t i, word
    cdef int64_t states = 1
    cdef LatticeWord at
    cdef EdgeWeights moved = weights[0]
    cdef double at_start = 0.0
    cdef double* before
    cdef double* now = &at_start
    cdef double** share          # per word the shares of its edges
    reset_arena(arena)
    passes.posterior = <double*>take(arena, lattice.n_nodes, sizeof(double))
    passes.node_score = <double*>take(arena, lattice.n_nodes, sizeof(double))
    passes.node_state = <uint8_t*>take(arena, lattice.n_nodes, 1)
    share = <double**>take(arena, lattice.n_words, sizeof(double*))
    if arena.is_short:
        return STATUS_OUT_OF_MEMORY
    passes.log_z = 0.0
    memset(&passes.expected, 0, sizeof(Expectations))
    memset(passes.posterior, 0, <size_t>lattice.n_nodes * sizeof(double))
    if order == 1:
        softmax_words(weights, lattice, allowed, passes)
        return STATUS_OK
    for i in range(lattice.n_nodes):
        passes.node_score[i] = lattice.nodes[i].score
        passes.node_state[i] = lattice.nodes[i].state
    for word in range(lattice.n_words):
        if not edges.has_choice[word]:
            # The window has run out of choices: its one state weighs what all paths weigh.
            states = 1
            continue
        summarise_word(order, lattice, edges, sentence_start, word, passes, &at)
        if allowed != NULL:
            at.allowed = usable(allowed[word], at.n_candidates)
        states = at.per_leaving * at.n_candidates
        before = now
        now = <double*>take(arena, states, sizeof(double))
        share[word] = NULL
        if at.leaving_width > 1:
            share[word] = <double*>take(arena, states * at.leaving_width, sizeof(double))
        if arena.is_short:
            return STATUS_OUT_OF_MEMORY
        if weights.has_neighbour_case and word > 0:
            move_transitions(weights, lattice.neighbour_case + 4 * (word - 1),
                             lattice.neighbour_case + 4 * word, &moved)
        forward_word(&at, &moved, before, now, share[word])
    passes.log_z = final_states(now, states)

    for word in range(lattice.n_words - 1, -1, -1):
        if not edges.has_choice[word]:
            passes.posterior[lattice.first_node[word]] = 1.0
            continue
        summarise_word(order, lattice, edges, sentence_start, word, passes, &at)
        before = <double*>take(arena, at.per_leaving * at.leaving_width, sizeof(double))
        if before == NULL:
            return STATUS_OUT_OF_MEMORY
        backward_word(&at, share[word], now, before, passes.posterior + lattice.first_node[word],
                      &passes.expected)
        now = before
    return STATUS_OK
