"""A recurrent layer that decides words in doubt once more, by their whole sentence.

Max-marginals (`_max_marginals.pxd`) say how far each case of a word is behind the best. Two gated
recurrent units read, for each word, these leads, a row of the word and one of its usual case; for
words in doubt, a layer that joins both states adds a score, in nats, to each case. Two-stage
decoding as of Krishnan & Manning (2006); the layer is that of Huang, Xu & Yu (2015).
"""

from libc.math cimport INFINITY
from libc.stddef cimport size_t
from libc.stdint cimport int16_t, int32_t, uint64_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from truecase.base._check cimport check
from truecase.base._memory cimport STATUS_OK, STATUS_OUT_OF_MEMORY, grow
from truecase.kernels._cascade cimport is_open
from truecase.kernels._fields cimport N_NEIGHBOURS, PRIOR_OUTSIDE
from truecase.kernels._recurrent cimport MAX_STATE, ONE, WEIGHT_BITS, add_product, next_state
from truecase.kernels._sparse cimport row_of, tag_number
from truecase.kernels._structs cimport (
    N_SPARSE_TAGS, CascadeState, ContextView, Lattice, SentenceContext, SentenceView, WordView
)
from truecase.kernels._unicode cimport TAG_AN, scramble


cdef enum:
    N_CASES = 1 + N_SPARSE_TAGS    # AL, IU, AU, MX
    WORD_SIZE = 16               # numbers of a word
    PRIOR_SIZE = 8               # and of a usual case
    N_PRIORS = PRIOR_OUTSIDE     # codes of a word of a sentence are below it
    N_INPUTS = WORD_SIZE + PRIOR_SIZE + 2 * N_CASES
    N_JOINED = 32                # units of the layer that joins both directions
    MAX_ROW = N_INPUTS + 2 * MAX_STATE
    ROW_STEP = ONE // 32         # what a number of a row counts
    FARTHEST = 6                 # nats: the largest lead that the layer reads


cdef inline void free_context(SentenceContext* at) noexcept nogil:
    free(at.rows)
    free(at.lead)
    free(at.score)
    memset(at, 0, sizeof(SentenceContext))


cdef inline size_t bytes_of_context(const SentenceContext* at) noexcept nogil:
    return (<size_t>at.word_capacity * (MAX_ROW * sizeof(int16_t) + N_CASES * sizeof(float))
            + <size_t>at.node_capacity * sizeof(float))


cdef inline int reserve_context(SentenceContext* at, const Lattice* lattice) noexcept nogil:
    cdef size_t wanted
    if at.word_capacity < lattice.n_words:
        wanted = 2 * <size_t>lattice.n_words
        if (grow(<void**>&at.rows, wanted, MAX_ROW * sizeof(int16_t)) != STATUS_OK
                or grow(<void**>&at.lead, wanted, N_CASES * sizeof(float)) != STATUS_OK):
            return STATUS_OUT_OF_MEMORY
        at.word_capacity = <int32_t>wanted
    if at.node_capacity < lattice.n_nodes:
        wanted = 2 * <size_t>lattice.n_nodes
        if grow(<void**>&at.score, wanted, sizeof(float)) != STATUS_OK:
            return STATUS_OUT_OF_MEMORY
        at.node_capacity = <int32_t>wanted
    return STATUS_OK


cdef inline void find_leads(const Lattice* lattice, const int32_t* width, const double* value,
                            int32_t word, float* lead) noexcept nogil:
    """Compute each case's lead: its best max-marginal, less the best of all cases.

    The edges know the first `width` candidates. A case without candidates has the lead -inf.
    """
    cdef int32_t c, first = lattice.first_node[word]
    cdef int32_t end = min(first + width[word], lattice.first_node[word + 1])
    cdef double best = -INFINITY
    cdef int t
    for t in range(N_CASES):
        lead[t] = -INFINITY
    for c in range(first, end):
        best = max(best, value[c])
    for c in range(first, end):
        t = 1 + tag_number(lattice.nodes[c].tag)
        lead[t] = max(lead[t], <float>(value[c] - best))


cdef inline float second_lead(const float* lead) noexcept nogil:
    """The lead of the second-best case, or -inf."""
    cdef float second = -INFINITY
    cdef bint has_best = False
    cdef int t
    for t in range(N_CASES):
        if lead[t] == 0.0 and not has_best:
            has_best = True
        else:
            second = max(second, lead[t])
    return second


cdef inline bint has_case(const Lattice* lattice, int32_t word) noexcept nogil:
    return lattice.nodes[lattice.first_node[word]].tag != TAG_AN


cdef inline void fill_inputs(const ContextView* net, const WordView* word, bint cased,
                             const float* lead, int16_t* out) noexcept nogil:
    """Fill the inputs of the recurrent units for a word."""
    cdef const uint8_t* row = net.words + WORD_SIZE * <uint64_t>row_of(
        net.n_rows, scramble(word.key))
    # Invariant: the code of a word of a sentence is below PRIOR_OUTSIDE.
    cdef const uint8_t* prior = net.priors + PRIOR_SIZE * word.prior
    cdef float behind
    cdef int k
    check(0 <= word.prior < N_PRIORS)
    for k in range(WORD_SIZE):
        out[k] = <int16_t>((<int32_t>row[k] - 128) * ROW_STEP)
    out += <int>WORD_SIZE
    for k in range(PRIOR_SIZE):
        out[k] = <int16_t>((<int32_t>prior[k] - 128) * ROW_STEP)
    out += <int>PRIOR_SIZE
    for k in range(N_CASES):
        behind = lead[k] if cased else -INFINITY
        out[<int>N_CASES + k] = ONE if behind > -INFINITY else 0
        # Differences of huge weights may be NaN, which counts as the farthest.
        if not behind > -<float>FARTHEST:
            behind = -<float>FARTHEST
        # Four nats count 1.
        out[k] = <int16_t>(behind * (ONE // 4))


cdef inline bint is_in_doubt(const ContextView* net, const CascadeState* cascade,
                             const Lattice* lattice, int32_t word,
                             const float* lead) noexcept nogil:
    return is_open(cascade, lattice, word) and second_lead(lead) >= -net.doubt


cdef inline void join(const ContextView* net, const int16_t* row, float* score) noexcept nogil:
    """Compute the score of each case of a word from its row."""
    cdef int32_t sums[N_JOINED]
    cdef float unit[N_JOINED]
    cdef int t, k
    for k in range(N_JOINED):
        sums[k] = net.joined_bias[k]
    add_product(net.joined, row, (2 * net.forward.n_units + N_INPUTS) // 2, N_JOINED, sums)
    for k in range(N_JOINED):
        unit[k] = <float>(sums[k] if sums[k] > 0 else 0) * <float>(1.0 / (ONE << WEIGHT_BITS))
    for t in range(N_CASES):
        score[t] = net.out_bias[t]
        for k in range(N_JOINED):
            score[t] += net.out[t * <int>N_JOINED + k] * unit[k]


cdef inline void run_passes(const ContextView* net, int32_t n, int32_t first, int32_t last,
                            int16_t* rows, int32_t size) noexcept nogil:
    """Run both recurrent units over n words, as far as words in doubt need their states."""
    cdef int16_t state[MAX_STATE]
    cdef int32_t i, units = net.forward.n_units
    cdef int16_t* row
    memset(state, 0, sizeof(state))
    for i in range(last + 1):
        row = rows + i * size
        next_state(&net.forward, row + 2 * units, state, state)
        memcpy(row, state, units * sizeof(int16_t))
    memset(state, 0, sizeof(state))
    for i in range(n - 1, first - 1, -1):
        row = rows + i * size
        next_state(&net.backward, row + 2 * units, state, state)
        memcpy(row + units, state, units * sizeof(int16_t))


cdef inline int add_context_scores(const ContextView* net, const int32_t* width,
                                   const CascadeState* cascade, const SentenceView* view,
                                   Lattice* lattice, SentenceContext* at) noexcept nogil:
    """Add the context layer's scores to the candidates of words in doubt; a Status.

    Parameters
    ----------
    net
        Active.
    width
        Per word, the number of candidates that the edges know.
    cascade, view
        Of this sentence; the cascade has its max-marginals.
    lattice
        One sentence; its last word is ``</s>``.
    """
    cdef int32_t n = lattice.n_words - 1, size = 2 * net.forward.n_units + N_INPUTS
    cdef int32_t i, c, first_doubt = n, last_doubt = -1
    cdef float score[N_CASES]
    cdef float* lead
    cdef int status = reserve_context(at, lattice)
    at.has_max_marginals = True
    at.is_active = False
    if status != STATUS_OK:
        return status
    for i in range(n):
        lead = at.lead + i * <int>N_CASES
        find_leads(lattice, width, cascade.marginals.value, i, lead)
        if is_in_doubt(net, cascade, lattice, i, lead):
            first_doubt = min(first_doubt, i)
            last_doubt = i
    if last_doubt < 0:
        return STATUS_OK
    at.is_active = True
    memset(at.score, 0, lattice.n_nodes * sizeof(float))
    for i in range(n):
        fill_inputs(net, view.words + N_NEIGHBOURS + i, has_case(lattice, i),
                    at.lead + i * <int>N_CASES, at.rows + i * size + 2 * net.forward.n_units)
    run_passes(net, n, first_doubt, last_doubt, at.rows, size)
    for i in range(first_doubt, last_doubt + 1):
        lead = at.lead + i * <int>N_CASES
        if not is_in_doubt(net, cascade, lattice, i, lead):
            continue
        join(net, at.rows + i * size, score)
        for c in range(lattice.first_node[i], lattice.first_node[i + 1]):
            at.score[c] = score[1 + tag_number(lattice.nodes[c].tag)]
            lattice.nodes[c].score += at.score[c]
    return STATUS_OK
