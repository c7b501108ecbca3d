"""The most probable path through a lattice: exact Viterbi for the order of the model.

Wang, Knight & Marcu (2006), equation 4. A state at word i is the tuple of candidates of
the last order - 1 words, the newest varying fastest. Where all the words of a window have
one candidate, every path gains the same: no table is probed there, and states collapse to
one.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport free, realloc

from truecase._status cimport STATUS_OK, STATUS_OUT_OF_MEMORY
from truecase.decode._edges cimport (
    Levels,
    free_levels,
    prefetch_bigrams,
    score_edges,
    score_single,
)
from truecase.lattice._lattice cimport Lattice, Node
from truecase.ngram._table cimport MAX_ORDER, NgramView


cdef enum:
    # Edges of one position: beyond it the last candidates of its widest word are dropped.
    MAX_EDGES = 1 << 20


cdef struct Viterbi:
    Levels levels[2]             # of the position before and of this one, in turn
    double* value[2]             # best log-score of each state
    int64_t value_capacity[2]
    uint8_t* backpointer         # the candidate that leaves the window, per state
    int64_t backpointer_capacity
    int64_t* backpointer_start   # per word; -1: the word that leaves has one candidate
    uint64_t* bigrams            # hashes of the bigrams of all positions that need them
    int64_t bigram_capacity
    int64_t* bigram_start        # per word; -1: all words of its window have one candidate
    int32_t word_capacity
    int32_t* path                # chosen candidate per word
    int32_t* width               # candidates considered per word


cdef inline void free_viterbi(Viterbi* viterbi) noexcept nogil:
    free_levels(&viterbi.levels[0])
    free_levels(&viterbi.levels[1])
    free(viterbi.value[0])
    free(viterbi.value[1])
    free(viterbi.backpointer)
    free(viterbi.backpointer_start)
    free(viterbi.bigrams)
    free(viterbi.bigram_start)
    free(viterbi.path)
    free(viterbi.width)


cdef inline int reserve_path(Viterbi* viterbi, int32_t n_words) noexcept nogil:
    cdef void* grown
    cdef size_t wanted
    if viterbi.word_capacity < n_words:
        wanted = <size_t>n_words * 2
        grown = realloc(viterbi.backpointer_start, wanted * sizeof(int64_t))
        if grown == NULL:
            return STATUS_OUT_OF_MEMORY
        viterbi.backpointer_start = <int64_t*>grown
        grown = realloc(viterbi.bigram_start, wanted * sizeof(int64_t))
        if grown == NULL:
            return STATUS_OUT_OF_MEMORY
        viterbi.bigram_start = <int64_t*>grown
        grown = realloc(viterbi.path, wanted * sizeof(int32_t))
        if grown == NULL:
            return STATUS_OUT_OF_MEMORY
        viterbi.path = <int32_t*>grown
        grown = realloc(viterbi.width, wanted * sizeof(int32_t))
        if grown == NULL:
            return STATUS_OUT_OF_MEMORY
        viterbi.width = <int32_t*>grown
        viterbi.word_capacity = <int32_t>wanted
    return STATUS_OK


cdef inline int reserve_value(Viterbi* viterbi, int which, int64_t n_states) noexcept nogil:
    cdef void* grown
    if viterbi.value_capacity[which] < n_states:
        grown = realloc(viterbi.value[which], <size_t>n_states * 2 * sizeof(double))
        if grown == NULL:
            return STATUS_OUT_OF_MEMORY
        viterbi.value[which] = <double*>grown
        viterbi.value_capacity[which] = 2 * n_states
    return STATUS_OK


cdef inline int reserve_backpointers(Viterbi* viterbi, int64_t n) noexcept nogil:
    cdef void* grown
    if viterbi.backpointer_capacity < n:
        grown = realloc(viterbi.backpointer, <size_t>n * 2)
        if grown == NULL:
            return STATUS_OUT_OF_MEMORY
        viterbi.backpointer = <uint8_t*>grown
        viterbi.backpointer_capacity = 2 * n
    return STATUS_OK


cdef inline int reserve_bigrams(Viterbi* viterbi, int64_t n) noexcept nogil:
    cdef void* grown
    if viterbi.bigram_capacity < n:
        grown = realloc(viterbi.bigrams, <size_t>n * 2 * sizeof(uint64_t))
        if grown == NULL:
            return STATUS_OUT_OF_MEMORY
        viterbi.bigrams = <uint64_t*>grown
        viterbi.bigram_capacity = 2 * n
    return STATUS_OK


cdef inline void narrow(int32_t* width, int32_t start, int32_t word, int order) noexcept nogil:
    """Drop candidates of `word`, the rarest first, until its window has at most MAX_EDGES edges.

    Words before it keep theirs: states already count on them.
    """
    cdef int64_t others = 1
    cdef int32_t i
    if width[word] == 1:
        return
    for i in range(max(word - order + 1, start), word):
        others *= width[i]
    while width[word] > 1 and others * width[word] > MAX_EDGES:
        width[word] -= 1


cdef inline int find_bigrams(const NgramView* lm, const Lattice* lattice, int32_t start,
                             int32_t end, const Node* sentence_start,
                             Viterbi* viterbi) noexcept nogil:
    """Hash and prefetch the bigrams of every position whose window has a choice; a Status.

    The slots of a whole sentence are asked for before the first is needed: look-ups cost
    the memory's throughput instead of its latency. Widths are final when this is called.
    """
    cdef int32_t word, single = 0
    cdef int64_t n = 0, size
    cdef const int32_t* width = viterbi.width
    cdef const Node* history
    cdef int status
    for word in range(start, end):
        # `single` words in a row up to this one have one candidate; <s> and before count.
        single = single + 1 if width[word] == 1 else 0
        viterbi.bigram_start[word] = -1
        if single >= lm.order or single == word - start + 1:
            continue
        history = sentence_start
        size = width[word]
        if word > start:
            history = lattice.nodes + lattice.first_node[word - 1]
            size *= width[word - 1]
        status = reserve_bigrams(viterbi, n + size)
        if status != STATUS_OK:
            return status
        prefetch_bigrams(lm, lattice.nodes + lattice.first_node[word], width[word], history,
                         width[word - 1] if word > start else 1, viterbi.bigrams + n)
        viterbi.bigram_start[word] = n
        n += size
    return STATUS_OK


cdef inline int decode_viterbi(const NgramView* lm, float lm_weight, const Lattice* lattice,
                               int32_t start, int32_t end, const Node* sentence_start,
                               Viterbi* viterbi) noexcept nogil:
    """Best path of the sentence made of the words start … end - 1; a Status.

    The last word is ``</s>``, `sentence_start` the node of ``<s>``, the history of the
    first word. Fills ``viterbi.path[start:end]`` with candidate numbers; the caller has
    reserved the path for `end` words.
    """
    cdef int order = lm.order
    cdef int status, k, n_context, now = 0, before
    cdef int32_t word, c, leaving, leaving_width, best
    cdef int32_t n_candidates
    cdef int64_t size, states = 1, s, edge, before_state, per_leaving, n_backpointers = 0
    cdef int32_t n_history[MAX_ORDER]
    cdef const Node* history[MAX_ORDER]
    cdef const Node* candidates
    cdef const float* edge_score
    cdef const double* value_before
    cdef double* value_now
    cdef double value
    cdef int32_t* width = viterbi.width

    for word in range(start, end):
        width[word] = lattice.first_node[word + 1] - lattice.first_node[word]
    if order == 1:
        for word in range(start, end):
            candidates = lattice.nodes + lattice.first_node[word]
            best = 0
            for c in range(1, width[word]):
                if (lm_weight * candidates[c].lm + candidates[c].score
                        > lm_weight * candidates[best].lm + candidates[best].score):
                    best = c
            viterbi.path[word] = best
        return STATUS_OK

    for word in range(start, end):
        narrow(width, start, word, order)
    status = find_bigrams(lm, lattice, start, end, sentence_start, viterbi)
    if status == STATUS_OK:
        status = reserve_value(viterbi, 0, 1)
    if status != STATUS_OK:
        return status
    viterbi.value[0][0] = 0.0
    viterbi.levels[0].top = -1
    for word in range(start, end):
        viterbi.backpointer_start[word] = -1
        before = now
        if viterbi.bigram_start[word] < 0:
            # One path in this window: all that it adds is a constant.
            viterbi.levels[before].top = -1
            states = 1
            continue
        n_context = order - 1 if word - start + 1 > order - 1 else word - start + 1
        candidates = lattice.nodes + lattice.first_node[word]
        size = width[word]
        for k in range(1, n_context + 1):
            if word - k >= start:
                history[k - 1] = lattice.nodes + lattice.first_node[word - k]
                n_history[k - 1] = width[word - k]
            else:
                history[k - 1] = sentence_start
                n_history[k - 1] = 1
            size *= n_history[k - 1]
        if viterbi.levels[before].top < n_context - 1:
            # The position before was passed over: all words of its window are single.
            status = score_single(lm, history, n_context, &viterbi.levels[before])
            if status != STATUS_OK:
                return status
        now = 1 - before
        status = score_edges(lm, candidates, width[word], history, n_history, n_context,
                             viterbi.bigrams + viterbi.bigram_start[word],
                             &viterbi.levels[before], &viterbi.levels[now])
        if status != STATUS_OK:
            return status
        edge_score = viterbi.levels[now].level[n_context].score

        # A full window loses its oldest word, a state of this word does not know it.
        leaving_width = n_history[n_context - 1] if n_context == order - 1 else 1
        states = size // leaving_width
        status = reserve_value(viterbi, now, states)
        if status == STATUS_OK and leaving_width > 1:
            status = reserve_backpointers(viterbi, n_backpointers + states)
            viterbi.backpointer_start[word] = n_backpointers
            n_backpointers += states
        if status != STATUS_OK:
            return status
        value_before = viterbi.value[before]
        value_now = viterbi.value[now]
        n_candidates = width[word]
        per_leaving = states // n_candidates
        s = 0
        for before_state in range(per_leaving):
            for c in range(n_candidates):
                best = 0
                value_now[s] = value_before[before_state] + lm_weight * edge_score[s]
                for leaving in range(1, leaving_width):
                    value = (value_before[before_state + leaving * per_leaving]
                             + lm_weight * edge_score[s + leaving * states])
                    if value > value_now[s]:
                        value_now[s] = value
                        best = leaving
                value_now[s] += candidates[c].score
                if leaving_width > 1:
                    viterbi.backpointer[viterbi.backpointer_start[word] + s] = <uint8_t>best
                s += 1

    edge = 0
    for s in range(1, states):
        if viterbi.value[now][s] > viterbi.value[now][edge]:
            edge = s
    trace_back(order, start, end, edge, viterbi)
    return STATUS_OK


cdef inline void trace_back(int order, int32_t start, int32_t end, int64_t state,
                            Viterbi* viterbi) noexcept nogil:
    """Fill the path from the best state of the last word back to the first."""
    cdef int32_t word, older, leaving
    cdef int64_t kept
    for word in range(end - 1, start - 1, -1):
        leaving = 0
        if viterbi.backpointer_start[word] >= 0:
            leaving = viterbi.backpointer[viterbi.backpointer_start[word] + state]
        viterbi.path[word] = <int32_t>(state % viterbi.width[word])
        state = state // viterbi.width[word]
        kept = 1
        for older in range(word - 1, max(word - order + 1, start - 1), -1):
            kept *= viterbi.width[older]
        state += leaving * kept
