"""The most probable path through a lattice: exact Viterbi for the order of the model.

Wang, Knight & Marcu (2006), equation 4. A state at a word is the tuple of candidates of the last
order - 1 words, the newest varying fastest. A word passed over (`_edges.pxd`) has one state.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memset

from truecase.base._memory cimport STATUS_OK, STATUS_OUT_OF_MEMORY, grow, reserve
from truecase.kernels._edges cimport (
    bytes_of_edges, count_edges, count_states, free_edges, leaving_width, move_transitions,
    n_context, score_edges
)
from truecase.kernels._lattice cimport MAX_CANDIDATES
from truecase.kernels._structs cimport N_STATES, EdgeWeights, Edges, Lattice, Node, Viterbi


cdef inline void free_viterbi(Viterbi* viterbi) noexcept nogil:
    free_edges(&viterbi.edges)
    free(viterbi.value[0])
    free(viterbi.value[1])
    free(viterbi.backpointer)
    free(viterbi.weighted)
    free(viterbi.weighted_start)
    free(viterbi.backpointer_start)
    free(viterbi.path)
    memset(viterbi, 0, sizeof(Viterbi))


cdef inline size_t bytes_of_viterbi(const Viterbi* viterbi) noexcept nogil:
    return (bytes_of_edges(&viterbi.edges)
            + <size_t>(viterbi.value_capacity[0] + viterbi.value_capacity[1]) * sizeof(double)
            + <size_t>viterbi.backpointer_capacity
            + <size_t>viterbi.weighted_capacity * sizeof(float)
            + <size_t>viterbi.word_capacity * (2 * sizeof(int64_t) + sizeof(int32_t)))


cdef inline int reserve_path(Viterbi* viterbi, int32_t n_words) noexcept nogil:
    cdef size_t wanted = 2 * <size_t>n_words
    if viterbi.word_capacity >= n_words:
        return STATUS_OK
    if (grow(<void**>&viterbi.backpointer_start, wanted, sizeof(int64_t)) != STATUS_OK
            or grow(<void**>&viterbi.weighted_start, wanted, sizeof(int64_t)) != STATUS_OK
            or grow(<void**>&viterbi.path, wanted, sizeof(int32_t)) != STATUS_OK):
        return STATUS_OUT_OF_MEMORY
    viterbi.word_capacity = <int32_t>wanted
    return STATUS_OK


cdef inline int reserve_states(Viterbi* viterbi, int which, int64_t n_states) noexcept nogil:
    return reserve(<void**>&viterbi.value[which], &viterbi.value_capacity[which], n_states,
                   sizeof(double))


cdef inline void best_unigrams(float lm_weight, const Lattice* lattice,
                               int32_t* path) noexcept nogil:
    """Find the best path of a model of order 1."""
    cdef int32_t word, c, best, n
    cdef const Node* candidates
    if lattice.n_nodes == lattice.n_words:
        memset(path, 0, <size_t>lattice.n_words * sizeof(int32_t))
        return
    for word in range(lattice.n_words):
        candidates = lattice.nodes + lattice.first_node[word]
        n = lattice.first_node[word + 1] - lattice.first_node[word]
        best = 0
        for c in range(1, n):
            if (lm_weight * candidates[c].lm + candidates[c].score
                    > lm_weight * candidates[best].lm + candidates[best].score):
                best = c
        path[word] = best


cdef inline int weigh_edges(int order, const EdgeWeights* weights, const Lattice* lattice,
                            const Node* sentence_start, Viterbi* viterbi) noexcept nogil:
    """Fill ``viterbi.weighted``: the weighted log-probability and transition of each edge.

    A Status. The edges of word i begin at ``weighted_start[i]``.
    """
    cdef const Edges* edges = &viterbi.edges
    cdef int32_t word, c, previous, n, n_before, n_cells, cell
    cdef int64_t n_edges = 0
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
    cdef int status = reserve_path(viterbi, lattice.n_words)
    if status != STATUS_OK:
        return status
    for word in range(lattice.n_words):
        viterbi.weighted_start[word] = n_edges
        if edges.has_choice[word]:
            n_edges += count_edges(edges, order, word)
    if reserve(<void**>&viterbi.weighted, &viterbi.weighted_capacity, n_edges,
               sizeof(float)) != STATUS_OK:
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
        score = edges.level[n_context(order, word)].score + (
            edges.level[n_context(order, word)].start[word])
        out = viterbi.weighted + viterbi.weighted_start[word]
        end = out + count_edges(edges, order, word)
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
    cdef int status = reserve_path(viterbi, lattice.n_words)
    if status == STATUS_OK and is_weighted:
        status = weigh_edges(order, weights, lattice, sentence_start, viterbi)
    if status != STATUS_OK:
        return status
    if order == 1:
        best_unigrams(<float>weights.lm, lattice, viterbi.path)
        return STATUS_OK
    return search_states(order, 1.0 if is_weighted else <float>weights.lm, is_weighted, lattice,
                         viterbi)


cdef inline int search_states(int order, float lm_weight, bint is_weighted,
                              const Lattice* lattice, Viterbi* viterbi) noexcept nogil:
    """Find the best path over edges that are weighted or have one weight; a Status."""
    cdef int now = 0, before, context
    cdef int32_t word, c, leaving, n_leaving, best, n_candidates
    cdef int64_t states = 1, s, before_state, per_leaving, n_backpointers = 0
    cdef const Node* candidates
    cdef const float* edge_score
    cdef const double* value_before
    cdef double* value_now
    cdef double value, best_value
    cdef uint8_t* backpointer
    cdef const Edges* edges = &viterbi.edges
    cdef int status = reserve_states(viterbi, 0, 1)
    if status != STATUS_OK:
        return status
    viterbi.value[0][0] = 0.0
    for word in range(lattice.n_words):
        viterbi.backpointer_start[word] = -1
        if not edges.has_choice[word]:
            states = 1
            continue
        before = now
        now = 1 - before
        candidates = lattice.nodes + lattice.first_node[word]
        n_candidates = edges.width[word]
        context = n_context(order, word)
        edge_score = edges.level[context].score + edges.level[context].start[word]
        # A full window loses its oldest word, which this word's states do not have.
        n_leaving = leaving_width(order, edges, word)
        states = count_states(order, edges, word)
        if is_weighted:
            edge_score = viterbi.weighted + viterbi.weighted_start[word]
        status = reserve_states(viterbi, now, states)
        if status == STATUS_OK and n_leaving > 1:
            status = reserve(<void**>&viterbi.backpointer, &viterbi.backpointer_capacity,
                             n_backpointers + states, 1)
            viterbi.backpointer_start[word] = n_backpointers
            n_backpointers += states
        if status != STATUS_OK:
            return status
        value_before = viterbi.value[before]
        value_now = viterbi.value[now]
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
        backpointer = viterbi.backpointer + viterbi.backpointer_start[word]
        per_leaving = states // n_candidates if n_candidates > 1 else states
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
        if viterbi.value[now][s] > viterbi.value[now][before_state]:
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
        if viterbi.backpointer_start[word] >= 0:
            leaving = viterbi.backpointer[viterbi.backpointer_start[word] + state]
        viterbi.path[word] = 0
        if width[word] > 1:
            viterbi.path[word] = <int32_t>(state % width[word])
            state = state // width[word]
        if leaving:
            kept = 1
            for older in range(word - 1, max(word - order + 1, -1), -1):
                kept *= width[older]
            state += leaving * kept
