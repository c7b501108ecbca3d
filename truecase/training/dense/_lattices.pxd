"""Training lattices as flat arrays: everything the objective needs, computed once.

Only words that have a choice are kept, in *stretches*: runs of them that no word without a
choice interrupts. Before a stretch, as after it, there is one state, so that stretches
are independent of each other. The arrays hold, one after the other,

======== ===========================================================================
stretch  its first word, its first edge, the state of the node before it
word     number of candidates, bit mask of those that are as the text has it, codes of what
         the case of the word before does to its own, and its case to that of the word before
node     its state, how many feature values it has
value    column and value of a feature, zeros left out
edge     log-probability of the language model, in the order of `_edges.pxd`
======== ===========================================================================
"""

from libc.stdint cimport INT32_MAX, int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from truecase._core cimport Workspace
from truecase.decode._edges cimport Edges, n_context
from truecase.features._dense cimport (
    DenseView,
    WordContext,
    describe_context,
    mark_column,
    node_columns,
)
from truecase.features._schema cimport N_NODE_COLUMNS, N_SOURCE_COLUMNS
from truecase.features._source cimport (
    SourceContext,
    describe_source,
    source_columns,
)
from truecase.lattice._gen cimport gold_candidates
from truecase.lattice._lattice cimport Lattice, Node
from truecase.model._view cimport ModelView
from truecase.runtime._memory cimport grow
from truecase.runtime._status cimport STATUS_OK, STATUS_OUT_OF_MEMORY, STATUS_TOO_LONG
from truecase.source._phrase cimport SourceSide
from truecase.text._token cimport Token


cdef struct FlatLattices:
    int64_t* first_word          # n_stretches + 1 entries are valid
    int64_t* first_edge
    uint8_t* state_before
    uint8_t* width
    uint64_t* gold               # 0: no candidate is as the text has it, the word tells nothing
    uint8_t* beside              # 4 per word: its own two after a case, the two of the word before
    uint8_t* state
    uint8_t* n_values
    uint8_t* column              # of the node columns, marks, source columns, base score
    float* value
    float* lm
    int64_t n_stretches
    int64_t n_words
    int64_t n_nodes
    int64_t n_feature_values
    int64_t n_edges
    int64_t capacity[5]          # in the order of the five numbers
    int64_t n_tokens             # of the text, words without a choice included


cdef inline void free_flat(FlatLattices* flat) noexcept nogil:
    free(flat.first_word)
    free(flat.first_edge)
    free(flat.state_before)
    free(flat.width)
    free(flat.gold)
    free(flat.beside)
    free(flat.state)
    free(flat.n_values)
    free(flat.column)
    free(flat.value)
    free(flat.lm)
    memset(flat, 0, sizeof(FlatLattices))


cdef inline int64_t flat_bytes(const FlatLattices* flat) noexcept nogil:
    """Memory of the entries in use."""
    return (17 * flat.n_stretches + 13 * flat.n_words + 2 * flat.n_nodes
            + 5 * flat.n_feature_values + 4 * flat.n_edges)


cdef inline int64_t room(int64_t capacity, int64_t wanted) noexcept nogil:
    return wanted + (wanted >> 1) + 64 if wanted > capacity else capacity


cdef inline int resize_flat(FlatLattices* flat, const int64_t* capacity) noexcept nogil:
    """Set the capacities of all arrays; a Status."""
    cdef int status = grow(<void**>&flat.first_word, capacity[0] + 1, sizeof(int64_t))
    if status == STATUS_OK:
        status = grow(<void**>&flat.first_edge, capacity[0] + 1, sizeof(int64_t))
    if status == STATUS_OK:
        status = grow(<void**>&flat.state_before, capacity[0], 1)
    if status == STATUS_OK:
        status = grow(<void**>&flat.width, capacity[1], 1)
    if status == STATUS_OK:
        status = grow(<void**>&flat.gold, capacity[1], sizeof(uint64_t))
    if status == STATUS_OK:
        status = grow(<void**>&flat.beside, capacity[1], 4)
    if status == STATUS_OK:
        status = grow(<void**>&flat.state, capacity[2], 1)
    if status == STATUS_OK:
        status = grow(<void**>&flat.n_values, capacity[2], 1)
    if status == STATUS_OK:
        status = grow(<void**>&flat.column, capacity[3], 1)
    if status == STATUS_OK:
        status = grow(<void**>&flat.value, capacity[3], sizeof(float))
    if status == STATUS_OK:
        status = grow(<void**>&flat.lm, capacity[4], sizeof(float))
    if status == STATUS_OK:
        flat.capacity = [capacity[0], capacity[1], capacity[2], capacity[3], capacity[4]]
    return status


cdef inline int reserve_flat(FlatLattices* flat, const Lattice* lattice,
                             int64_t n_edges) noexcept nogil:
    """Room for one more sentence; a Status."""
    cdef int64_t wanted[5]
    cdef int i
    cdef bint fits = True
    wanted[0] = flat.n_stretches + lattice.n_words + 1
    wanted[1] = flat.n_words + lattice.n_words
    wanted[2] = flat.n_nodes + lattice.n_nodes
    wanted[3] = flat.n_feature_values + lattice.n_nodes * (N_NODE_COLUMNS + N_SOURCE_COLUMNS + 1)
    wanted[4] = flat.n_edges + n_edges
    for i in range(5):
        if wanted[i] > flat.capacity[i]:
            fits = False
        wanted[i] = room(flat.capacity[i], wanted[i])
    return STATUS_OK if fits else resize_flat(flat, wanted)


cdef inline void add_value(FlatLattices* flat, int column, float value) noexcept nogil:
    """One value of the node that is being added, unless it is 0."""
    if value != 0.0:
        flat.column[flat.n_feature_values] = <uint8_t>column
        flat.value[flat.n_feature_values] = value
        flat.n_feature_values += 1


cdef inline void add_dense_values(FlatLattices* flat, const WordContext* at,
                                  const Node* node) noexcept nogil:
    cdef float value[N_NODE_COLUMNS]
    cdef int k, mark = mark_column(at, node)
    node_columns(at, node, value)
    for k in range(N_NODE_COLUMNS):
        add_value(flat, k, value[k])
    if mark >= 0:
        add_value(flat, N_NODE_COLUMNS + mark, 1.0)


cdef inline void add_source_values(FlatLattices* flat, const SourceContext* at, int first_column,
                                   const Node* node) noexcept nogil:
    cdef float value[N_SOURCE_COLUMNS]
    cdef int k
    source_columns(at, node, value)
    for k in range(N_SOURCE_COLUMNS):
        add_value(flat, first_column + k, value[k])


cdef inline int add_sentence(FlatLattices* flat, const ModelView* model, const Workspace* work,
                             const uint8_t* text, int32_t first, int32_t initial,
                             SourceSide* side) noexcept nogil:
    """Append the sentence of ``work.lattice``, whose edges are scored; a Status.

    `first` is its first token, with the case that is to be learned; `initial` as in
    ``score_nodes``. A model without dense columns has its nodes' scores as the column ``base``.
    `side` is that of `work`, NULL without a source.
    """
    cdef const DenseView* dense = &model.dense
    cdef const Lattice* lattice = &work.lattice
    cdef const Edges* edges = &work.viterbi.edges
    cdef const Token* token = work.tokens.tokens + first
    cdef int order = model.lm.order, first_source = N_NODE_COLUMNS + model.n_marks
    cdef int64_t n_edges = 0, e, before
    cdef int32_t word, c, width
    cdef int context, status
    cdef bint inside = False
    cdef const Node* node
    cdef const float* lm
    cdef WordContext at
    cdef SourceContext source
    flat.n_tokens += lattice.n_words - 1
    memset(&at, 0, sizeof(WordContext))
    for word in range(lattice.n_words):
        if edges.has_choice[word]:
            context = n_context(order, word)
            n_edges += edges.level[context].start[word + 1] - edges.level[context].start[word]
    if n_edges > INT32_MAX:
        return STATUS_TOO_LONG
    status = reserve_flat(flat, lattice, n_edges)
    if status != STATUS_OK:
        return status
    for word in range(lattice.n_words):
        if not edges.has_choice[word]:
            inside = False
            continue
        node = lattice.nodes + lattice.first_node[word]
        width = edges.width[word]
        if not inside:
            flat.first_word[flat.n_stretches] = flat.n_words
            flat.first_edge[flat.n_stretches] = flat.n_edges
            flat.state_before[flat.n_stretches] = model.start.state
            if word > 0:
                flat.state_before[flat.n_stretches] = (
                    lattice.nodes + lattice.first_node[word - 1]).state
            flat.n_stretches += 1
            inside = True
        flat.width[flat.n_words] = <uint8_t>width
        flat.gold[flat.n_words] = 1
        if width > 1:
            flat.gold[flat.n_words] = gold_candidates(lattice, word, token + word)
            if width < 64:
                flat.gold[flat.n_words] &= (<uint64_t>1 << width) - 1
            if dense.is_active:
                describe_context(dense, &model.lexicon, lattice, text, token, word, initial,
                                 NULL, &at)
            if side != NULL:
                describe_source(&model.source, side, text, work.tokens.tokens, work.tokens.n,
                                first + word, word == initial, &source)
        flat.beside[4 * flat.n_words] = lattice.beside[4 * word]
        flat.beside[4 * flat.n_words + 1] = lattice.beside[4 * word + 1]
        # Before the first word there is no case.
        flat.beside[4 * flat.n_words + 2] = lattice.beside[4 * word - 2] if word > 0 else 128
        flat.beside[4 * flat.n_words + 3] = lattice.beside[4 * word - 1] if word > 0 else 128
        flat.n_words += 1
        for c in range(width):
            flat.state[flat.n_nodes] = node[c].state
            before = flat.n_feature_values
            if width > 1 and dense.is_active:
                add_dense_values(flat, &at, node + c)
            if width > 1 and side != NULL:
                add_source_values(flat, &source, first_source, node + c)
            if width > 1 and not dense.is_active:
                add_value(flat, first_source + N_SOURCE_COLUMNS, node[c].score)
            flat.n_values[flat.n_nodes] = <uint8_t>(flat.n_feature_values - before)
            flat.n_nodes += 1
        context = n_context(order, word)
        lm = edges.level[context].score + edges.level[context].start[word]
        for e in range(edges.level[context].start[word + 1] - edges.level[context].start[word]):
            flat.lm[flat.n_edges] = lm[e]
            flat.n_edges += 1
    flat.first_word[flat.n_stretches] = flat.n_words
    flat.first_edge[flat.n_stretches] = flat.n_edges
    return STATUS_OK
