"""The most probable path through a lattice: exact Viterbi for the order of the model.

Wang, Knight & Marcu (2006), equation 4. A state at a word is the tuple of candidates of the last
order - 1 words, the newest varying fastest. A word passed over (`_edges.pxd`) has one state.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, int64_t, uint32_t, uint8_t
from libc.string cimport memset

from truecase.base._memory cimport STATUS_OK, STATUS_OUT_OF_MEMORY, Arena, reset_arena, take
from truecase.kernels._edges cimport (
    count_edges, count_states, edge_scores, leaving_width, move_transitions
)
from truecase.kernels._lattice cimport MAX_CANDIDATES, candidates_of
from truecase.kernels._structs cimport N_STATES, EdgeWeights, Edges, Lattice, Node, Viterbi


cdef inline int32_t* take_path(Viterbi* viterbi, int32_t n_words) noexcept nogil:
    """Make room for a path; NULL if there is no memory."""
    viterbi.path = <int32_t*>take(&viterbi.edges.arena, n_words, sizeof(int32_t))
    return viterbi.path


cdef inline void best_unigrams(float lm_weight, const Lattice* lattice,
                               int32_t* path) noexcept nogil:
    """Find the best path of a model of order 1."""
    cdef int32_t word, c, best, n
    cdef const Node* candidates
    if lattice.n_nodes == lattice.n_words:
        memset(path, 0, <size_t>lattice.n_words * sizeof(int32_t))
        return
    for word in range(lattice.n_words):
        candidates = candidates_of(lattice, word, &n)
        best = 0
        for c in range(1, n):
            if (lm_weight * candidates[c].lm + candidates[c].score
                    > lm_weight * candidates[best].lm + candidates[best].score):
                best = c
        path[word] = best


cdef inline int weigh_edges(int order, const EdgeWeights* weights, const Lattice* lattice,
                            const Node* sentence_start, Viterbi* viterbi) noexcept nogil:
    """Fill ``viterbi.weighted`` with each edge's log-probability and transition; a Status."""
    cdef Edges* edges = &viterbi.edges
    cdef int32_t word, c, previous, n, n_before, n_cells, cell
    cdef int64_t n_edges
    cdef const Node* candidates
    cdef const Node* before
    cdef const double* transition
    cdef const float* score
    cdef double moves[MAX_CANDIDATES * MAX_CANDIDATES]
    cdef EdgeWeights moved
    cdef double lm_weight = weights.lm
    cdef float* out
    cdef float* end
    cdef const EdgeWeights* own = weights
    viterbi.weighted = <float**>take(&edges.arena, lattice.n_words, sizeof(float*))
    if viterbi.weighted == NULL:
        return STATUS_OUT_OF_MEMORY
    if weights.has_neighbour_case:
        moved = weights[0]
        own = &moved
    for word in range(lattice.n_words):
        if not edges.has_choice[word]:
            continue
        candidates = lattice.nodes + lattice.first_node[word]
        n = edges.width[word]
        before = sentence_start
        n_before = 1
        if word > 0:
            before = lattice.nodes + lattice.first_node[word - 1]
            n_before = edges.width[word - 1]
        if weights.has_neighbour_case and word > 0:
            move_transitions(weights, lattice.neighbour_case + 4 * (word - 1),
                             lattice.neighbour_case + 4 * word, &moved)
        score = edge_scores(edges, order, word)
        n_edges = count_edges(edges, order, word)
        viterbi.weighted[word] = out = <float*>take(&edges.arena, n_edges, sizeof(float))
        if out == NULL:
            return STATUS_OUT_OF_MEMORY
        end = out + n_edges
        n_cells = 0
        for previous in range(n_before):
            transition = own.transition + N_STATES * before[previous].state
            for c in range(n):
                moves[n_cells] = transition[candidates[c].state]
                n_cells += 1
        # The edges are those of each older history in turn.
        while out < end:
            for cell in range(n_cells):
                out[cell] = <float>(lm_weight * score[cell] + moves[cell])
            out += n_cells
            score += n_cells
    return STATUS_OK


cdef inline int search_edges(int order, const EdgeWeights* weights, const Lattice* lattice,
                             const Node* sentence_start, Viterbi* viterbi) noexcept nogil:
    """Find the best path of a sentence, a candidate number per word in ``viterbi.path``; a Status.

    `score_edges` must have scored the edges, unless `order` is 1.
    """
    cdef bint is_weighted = order > 1 and weights.has_transitions
    cdef int status = STATUS_OK
    if order == 1:
        reset_arena(&viterbi.edges.arena)
    if take_path(viterbi, lattice.n_words) == NULL:
        return STATUS_OUT_OF_MEMORY
    if order == 1:
        best_unigrams(<float>weights.lm, lattice, viterbi.path)
        return STATUS_OK
    if is_weighted:
        status = weigh_edges(order, weights, lattice, sentence_start, viterbi)
    if status != STATUS_OK:
        return status
    return search_states(order, 1.0 if is_weighted else <float>weights.lm, is_weighted, lattice,
                         viterbi)


cdef inline int search_states(int order, float lm_weight, bint is_weighted,
                              const Lattice* lattice, Viterbi* viterbi) noexcept nogil:
    """Find the best path over edges that are weighted or have one weight; a Status."""
    cdef int32_t word, c, leaving, n_leaving, best, n_candidates
    cdef int64_t states = 1, s, before_state, per_leaving
    cdef const Node* candidates
    cdef const float* edge_score
    cdef double value, best_value, at_start = 0.0
    # The best log-score of each state.
    cdef const double* value_before
    cdef double* value_now = &at_start
    cdef uint8_t* backpointer
    cdef const Edges* edges = &viterbi.edges
    cdef Arena* arena = &viterbi.edges.arena
    viterbi.backpointer = <uint8_t**>take(arena, lattice.n_words, sizeof(uint8_t*))
    if viterbi.backpointer == NULL:
        return STATUS_OUT_OF_MEMORY
    for word in range(lattice.n_words):
        viterbi.backpointer[word] = NULL
        if not edges.has_choice[word]:
            states = 1
            continue
        candidates = lattice.nodes + lattice.first_node[word]
        n_candidates = edges.width[word]
        edge_score = edge_scores(edges, order, word)
        # A full window loses its oldest word, which this word's states do not have.
        n_leaving = leaving_width(order, edges, word)
        states = count_states(order, edges, word)
        if is_weighted:
            edge_score = viterbi.weighted[word]
        value_before = value_now
        value_now = <double*>take(arena, states, sizeof(double))
        if n_leaving > 1:
            viterbi.backpointer[word] = <uint8_t*>take(arena, states, 1)
        if arena.is_short:
            return STATUS_OUT_OF_MEMORY
        before_state = c = 0
        if n_leaving == 1:
            for s in range(states):
                value_now[s] = (value_before[before_state] + lm_weight * edge_score[s]
                                + candidates[c].score)
                c += 1
                if c == n_candidates:
                    c = 0
                    before_state += 1
            continue
        backpointer = viterbi.backpointer[word]
        per_leaving = <uint32_t>states // <uint32_t>n_candidates
        for s in range(states):
            best = 0
            best_value = value_before[before_state] + lm_weight * edge_score[s]
            for leaving in range(1, n_leaving):
                value = (value_before[before_state + leaving * per_leaving]
                         + lm_weight * edge_score[s + leaving * states])
                if value > best_value:
                    best_value = value
                    best = leaving
            value_now[s] = best_value + candidates[c].score
            backpointer[s] = <uint8_t>best
            c += 1
            if c == n_candidates:
                c = 0
                before_state += 1

    before_state = 0
    for s in range(1, states):
        if value_now[s] > value_now[before_state]:
            before_state = s
    trace_back(order, lattice.n_words, before_state, viterbi)
    return STATUS_OK


cdef inline void trace_back(int order, int32_t n_words, int64_t state,
                            Viterbi* viterbi) noexcept nogil:
    """Fill the path from the best state of the last word back to the first."""
    cdef int32_t word, older, leaving
    cdef const int32_t* width = viterbi.edges.width
    cdef int64_t kept
    for word in range(n_words - 1, -1, -1):
        leaving = 0
        if viterbi.backpointer[word] != NULL:
            leaving = viterbi.backpointer[word][state]
        viterbi.path[word] = 0
        if width[word] > 1:
            # There are fewer states than MAX_EDGES; such numbers are divided faster.
            viterbi.path[word] = <int32_t>(<uint32_t>state % <uint32_t>width[word])
            state = <uint32_t>state // <uint32_t>width[word]
        if leaving:
            kept = 1
            for older in range(word - 1, max(word - order + 1, -1), -1):
                kept *= width[older]
            state += leaving * kept
