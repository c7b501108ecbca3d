"""The training objective: log-likelihood of cased text and its gradient, over flat arrays.

Wang, Knight & Marcu (2006), equation 5 without its prior. Several candidates of a word may give the
text's form (a sentence's first word raised, and its capitalised form), so that the likelihood
sums over a set of paths; the gradient is E[f | paths that give the text] - E[f | all paths].
"""

from libc.math cimport isfinite
from libc.stddef cimport size_t
from libc.stdint cimport INT32_MAX, int32_t, int64_t, uint64_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from truecase._core cimport (
    INPUT_IGNORE, CompiledModel, Walk, Workspace, begin_walk, free_workspace, next_piece,
    next_sentence, score_lm, score_network
)
from truecase.base._memory cimport (
    STATUS_INVALID, STATUS_OK, STATUS_OUT_OF_MEMORY, STATUS_TOO_LONG, grow
)
from truecase.kernels._components cimport fill_edge_weights
from truecase.kernels._dense cimport (
    WordContext, compute_context, copy_neighbour_case, mark_column, node_columns
)
from truecase.kernels._edges cimport count_edges, edge_scores, move_transitions, neighbour_ln
from truecase.kernels._forward_backward cimport (
    Expectations, LatticeWord, backward_word, final_states, forward_word
)
from truecase.kernels._lattice cimport gold_candidates
from truecase.kernels._lexicon cimport known_words
from truecase.kernels._schema cimport N_NODE_COLUMNS, N_SOURCE_COLUMNS
from truecase.kernels._source cimport AlignedBlock
from truecase.kernels._source_features cimport SourceContext, compute_source, source_columns
from truecase.kernels._structs cimport (
    N_STATES, AlignedText, DenseView, EdgeWeights, Edges, Lattice, Node, SourceSide, Token
)
from truecase.model._view cimport ModelView

import numpy as np

from truecase.errors import ModelError
from truecase.kernels import schema as features


cdef inline void free_flat(FlatLattices* flat) noexcept nogil:
    free(flat.first_word)
    free(flat.first_edge)
    free(flat.state_before)
    free(flat.width)
    free(flat.gold)
    free(flat.neighbour_case)
    free(flat.state)
    free(flat.n_values)
    free(flat.column)
    free(flat.value)
    free(flat.lm)
    memset(flat, 0, sizeof(FlatLattices))


cdef inline int resize_flat(FlatLattices* flat, const int64_t* capacity) noexcept nogil:
    """Set the capacities of all arrays; a Status."""
    if (grow(<void**>&flat.first_word, capacity[0] + 1, sizeof(int64_t))
            or grow(<void**>&flat.first_edge, capacity[0] + 1, sizeof(int64_t))
            or grow(<void**>&flat.state_before, capacity[0], 1)
            or grow(<void**>&flat.width, capacity[1], 1)
            or grow(<void**>&flat.gold, capacity[1], sizeof(uint64_t))
            or grow(<void**>&flat.neighbour_case, capacity[1], 4)
            or grow(<void**>&flat.state, capacity[2], 1)
            or grow(<void**>&flat.n_values, capacity[2], 1)
            or grow(<void**>&flat.column, capacity[3], 1)
            or grow(<void**>&flat.value, capacity[3], sizeof(float))
            or grow(<void**>&flat.lm, capacity[4], sizeof(float))):
        return STATUS_OUT_OF_MEMORY
    flat.capacity = [capacity[0], capacity[1], capacity[2], capacity[3], capacity[4]]
    return STATUS_OK


cdef inline int reserve_flat(FlatLattices* flat, const Lattice* lattice,
                             int64_t n_edges) noexcept nogil:
    """Make room for one more sentence; a Status."""
    cdef int64_t[5] wanted = [
        flat.n_stretches + lattice.n_words + 1, flat.n_words + lattice.n_words,
        flat.n_nodes + lattice.n_nodes,
        flat.n_feature_values + lattice.n_nodes * (N_NODE_COLUMNS + N_SOURCE_COLUMNS + 1),
        flat.n_edges + n_edges,
    ]
    cdef int i
    cdef bint fits = True
    for i in range(5):
        if wanted[i] > flat.capacity[i]:
            fits = False
            wanted[i] += (wanted[i] >> 1) + 64
        else:
            wanted[i] = flat.capacity[i]
    return STATUS_OK if fits else resize_flat(flat, wanted)


cdef inline void add_value(FlatLattices* flat, int column, float value) noexcept nogil:
    """Add a value to the newest node, unless it is 0."""
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

    `first` is its first token, with the case to learn; `initial` as in ``score_nodes``. A model
    without dense columns puts its nodes' scores into the column ``base``. `side` is that of `work`,
    NULL without a source.
    """
    cdef const DenseView* dense = &model.dense
    cdef const Lattice* lattice = &work.lattice
    cdef const Edges* edges = &work.viterbi.edges
    cdef const Token* token = work.tokens.tokens + first
    cdef int order = model.lm.order, first_source = N_NODE_COLUMNS + model.n_marks
    cdef int64_t n_edges = 0, before
    cdef int32_t word, c, width
    cdef int status
    cdef bint inside = False
    cdef const Node* node
    cdef WordContext at
    cdef SourceContext source
    flat.n_tokens += lattice.n_words - 1
    memset(&at, 0, sizeof(WordContext))
    for word in range(lattice.n_words):
        if edges.has_choice[word]:
            n_edges += count_edges(edges, order, word)
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
                compute_context(dense, &model.lexicon, lattice, text, token, word, initial,
                                NULL, &at)
            if side != NULL:
                compute_source(&model.source, side, first + word, word == initial, &source)
        flat.neighbour_case[4 * flat.n_words] = lattice.neighbour_case[4 * word]
        flat.neighbour_case[4 * flat.n_words + 1] = lattice.neighbour_case[4 * word + 1]
        # No case stands before the first word.
        for c in range(2):
            flat.neighbour_case[4 * flat.n_words + 2 + c] = (
                lattice.neighbour_case[4 * word - 2 + c] if word > 0 else 128)
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
        n_edges = count_edges(edges, order, word)
        memcpy(flat.lm + flat.n_edges, edge_scores(edges, order, word), n_edges * sizeof(float))
        flat.n_edges += n_edges
    flat.first_word[flat.n_stretches] = flat.n_words
    flat.first_edge[flat.n_stretches] = flat.n_edges
    return STATUS_OK


cdef struct Sums:                # over the edges of the allowed paths
    Expectations expected
    double neighbour_case[2]


cdef struct Scratch:             # for the longest stretch
    double* value[2]
    double* share
    int64_t* share_start
    double* node_score
    double* posterior[2]         # over all paths, and over those that give the text
    Sums sums[2]                 # likewise, of all stretches


cdef struct Totals:
    double log_likelihood
    int64_t n_ambiguous          # words with several candidates, one of them right
    int64_t n_wrong              # of those: the most probable candidate is another


cdef int add_block(FlatLattices* flat, const ModelView* model, const uint8_t* text, size_t size,
                   const AlignedText* aligned, Workspace* work) noexcept nogil:
    """Append the sentences of a block of lines; a Status."""
    cdef Walk walk
    begin_walk(&walk, model, text, size, aligned, INPUT_IGNORE, work)
    walk.words = known_words(&model.lexicon, True)
    while next_piece(&walk, work):
        while next_sentence(&walk, work):
            if model.network.is_active:
                walk.status = score_network(&walk, False, work)
            walk.status = walk.status or score_lm(&walk, work)
            if walk.status == STATUS_OK:
                copy_neighbour_case(&model.dense, &work.lattice, work.tokens.tokens + walk.first)
                walk.status = add_sentence(flat, model, work, walk.text, walk.first,
                                           walk.initial,
                                           &work.side if work.side.aligned != NULL else NULL)
    return walk.status


cdef inline void weigh_nodes(const FlatLattices* flat, int64_t node, int64_t n_nodes,
                             int64_t value, const double* weight, double* score) noexcept nogil:
    cdef int64_t i, end
    for i in range(n_nodes):
        score[i] = 0.0
        end = value + flat.n_values[node + i]
        while value < end:
            score[i] += weight[flat.column[value]] * flat.value[value]
            value += 1


cdef inline int64_t describe_at(const FlatLattices* flat, int64_t first_word, int64_t word,
                                const double* node_score, const uint8_t* state,
                                const uint8_t* state_before, LatticeWord* at) noexcept nogil:
    """Describe a word of a stretch for the two passes; return the number of its edges."""
    cdef int order = flat.order
    cdef int64_t other, states = 1
    at.node_score = node_score
    at.state = state
    at.n_candidates = flat.width[word]
    at.state_before = state_before
    at.n_before = flat.width[word - 1] if word > first_word else 1
    for other in range(max(word - order + 2, first_word), word):
        states *= flat.width[other]
    at.per_leaving = states
    at.leaving_width = 1
    if word - order + 1 >= first_word:
        at.leaving_width = flat.width[word - order + 1]
    at.leaving_is_before = order == 2 and at.leaving_width > 1
    return states * at.n_candidates * at.leaving_width


cdef inline void add_neighbour_case(const double* transition, const uint8_t* codes,
                                    double* neighbour_case) noexcept nogil:
    """Expectations of the two columns of neighbours' case, from a word's transitions."""
    cdef int before, now
    cdef double both = 0.0, after_lower = 0.0, before_lower = 0.0
    for now in range(1, 4):
        after_lower += transition[now]
        before_lower += transition[N_STATES * now]
        for before in range(1, 4):
            both += transition[N_STATES * before + now]
    neighbour_case[0] += both * neighbour_ln(codes[0]) + after_lower * neighbour_ln(codes[1])
    neighbour_case[1] += both * neighbour_ln(codes[2]) + before_lower * neighbour_ln(codes[3])


cdef double both_passes(const FlatLattices* flat, const EdgeWeights* weights, int64_t stretch,
                        int64_t first_node, bint gold, Scratch* scratch) noexcept nogil:
    """log Z of a stretch; fills its posteriors, and adds to the sums.

    With `gold`, only paths that give the text count.
    """
    cdef double* posterior = scratch.posterior[gold]
    cdef Sums* sums = &scratch.sums[gold]
    cdef int64_t first_word = flat.first_word[stretch], end = flat.first_word[stretch + 1]
    cdef int64_t edge = flat.first_edge[stretch], word, node = 0, n_shares = 0, states = 1, n
    cdef int now = 0
    cdef double log_z
    cdef LatticeWord at
    cdef EdgeWeights moved = weights[0]
    cdef Expectations of_word
    cdef int i
    cdef const uint8_t* state_before = flat.state_before + stretch
    cdef const uint8_t* state = flat.state + first_node
    scratch.value[0][0] = 0.0
    at.allowed = ~<uint64_t>0
    for word in range(first_word, end):
        n = describe_at(flat, first_word, word, scratch.node_score + node, state + node,
                        state_before, &at)
        at.lm = flat.lm + edge
        if gold:
            at.allowed = flat.gold[word] if flat.gold[word] else ~<uint64_t>0
        scratch.share_start[word - first_word] = n_shares
        if weights.has_neighbour_case:
            move_transitions(weights, flat.neighbour_case + 4 * word,
                             flat.neighbour_case + 4 * word, &moved)
        forward_word(&at, &moved, scratch.value[now], scratch.value[1 - now],
                     scratch.share + n_shares)
        if at.leaving_width > 1:
            n_shares += n
        states = at.per_leaving * at.n_candidates
        now = 1 - now
        state_before = state + node
        node += at.n_candidates
        edge += n
    log_z = final_states(scratch.value[now], states)
    for word in range(node):
        posterior[word] = 0.0
    for word in range(end - 1, first_word - 1, -1):
        node -= flat.width[word]
        state_before = flat.state_before + stretch
        if word > first_word:
            state_before = state + node - flat.width[word - 1]
        n = describe_at(flat, first_word, word, scratch.node_score + node, state + node,
                        state_before, &at)
        edge -= n
        at.lm = flat.lm + edge
        memset(&of_word, 0, sizeof(Expectations))
        backward_word(&at, scratch.share + scratch.share_start[word - first_word],
                      scratch.value[now], scratch.value[1 - now], posterior + node, &of_word)
        sums.expected.lm += of_word.lm
        for i in range(N_STATES * N_STATES):
            sums.expected.transition[i] += of_word.transition[i]
        add_neighbour_case(of_word.transition, flat.neighbour_case + 4 * word, sums.neighbour_case)
        now = 1 - now
    return log_z


cdef inline void count_decisions(const FlatLattices* flat, int64_t stretch,
                                 const double* posterior, Totals* totals,
                                 uint8_t* chosen) noexcept nogil:
    """Compare the most probable candidate of each word with the text."""
    cdef int64_t word, node = 0
    cdef int32_t c, best
    for word in range(flat.first_word[stretch], flat.first_word[stretch + 1]):
        best = 0
        for c in range(1, flat.width[word]):
            if posterior[node + c] > posterior[node + best]:
                best = c
        if chosen != NULL:
            chosen[word] = <uint8_t>best
        if flat.width[word] > 1 and flat.gold[word] != 0:
            totals.n_ambiguous += 1
            if best >= 64 or not (flat.gold[word] >> best) & 1:
                totals.n_wrong += 1
        node += flat.width[word]


cdef void evaluate_flat(const FlatLattices* flat, const EdgeWeights* weights,
                        const double* node_weight, Scratch* scratch, Totals* totals,
                        double* node_gradient, uint8_t* chosen) noexcept nogil:
    """Evaluate all stretches; the gradients of other weights follow from the sums."""
    cdef int64_t stretch, word, node = 0, value = 0, n_nodes, i, end
    cdef double log_z
    memset(scratch.sums, 0, sizeof(scratch.sums))
    for stretch in range(flat.n_stretches):
        n_nodes = 0
        for word in range(flat.first_word[stretch], flat.first_word[stretch + 1]):
            n_nodes += flat.width[word]
        weigh_nodes(flat, node, n_nodes, value, node_weight, scratch.node_score)
        log_z = both_passes(flat, weights, stretch, node, False, scratch)
        count_decisions(flat, stretch, scratch.posterior[0], totals, chosen)
        totals.log_likelihood += both_passes(flat, weights, stretch, node, True, scratch) - log_z
        for i in range(n_nodes):
            end = value + flat.n_values[node + i]
            while value < end:
                node_gradient[flat.column[value]] += flat.value[value] * (
                    scratch.posterior[1][i] - scratch.posterior[0][i])
                value += 1
        node += n_nodes


cdef class TrainingLattices:
    """The precomputed lattices of a text; they do not change with the weights.

    `model` has a CRF preset and is not kept; `block` has cased lines, separated by LF, below 1 GiB;
    `source` and `phrases` are the source sentences and their alignment.

    Raises
    ------
    ModelError
        The model has no features.
    ValueError
        The block is too long, a sentence has too many paths, or the source has another number of
        lines or words.
    MemoryError
    """

    def __dealloc__(self):
        free_flat(&self.flat)

    def __cinit__(self, CompiledModel model not None, block, source=None, phrases=None):
        cdef Workspace work
        cdef AlignedBlock aligned
        cdef const AlignedText* source_text = NULL
        cdef int status
        cdef bytes text = bytes(block)
        cdef const uint8_t* begin = text
        cdef size_t size = len(text)
        memset(&self.flat, 0, sizeof(FlatLattices))
        if model.model.lm.order < 2 or (source is None and not model.model.dense.is_active):
            raise ModelError("only a model of the preset crf has features whose weights "
                             "can be learned")
        if source is not None:
            aligned = AlignedBlock(text, source, phrases)
            source_text = &aligned.aligned
        if size > 1 << 30:
            raise ValueError("a block of training text is longer than 1 GiB")
        self.flat.order = model.model.lm.order
        self.n_marks = model.model.n_marks
        memset(&work, 0, sizeof(Workspace))
        with nogil:
            status = add_block(&self.flat, &model.model, begin, size, source_text, &work)
            free_workspace(&work)
            if status == STATUS_OK:
                status = resize_flat(&self.flat, [
                    self.flat.n_stretches, self.flat.n_words, self.flat.n_nodes,
                    self.flat.n_feature_values, self.flat.n_edges,
                ])
        if status == STATUS_OUT_OF_MEMORY:
            raise MemoryError("no memory left for the training lattices")
        if status == STATUS_TOO_LONG:
            raise ValueError("a sentence of the training text has too many paths")
        if status == STATUS_INVALID:
            raise ValueError("a line of the training text has not as many words as are aligned")
        self._measure()

    cdef int _measure(self) except -1:
        """Measure the scratch memory that an evaluation needs."""
        cdef const FlatLattices* flat = &self.flat
        cdef int64_t stretch, word, n_nodes, other, states
        self.longest_words = self.most_nodes = self.most_states = self.most_edges = 1
        for stretch in range(flat.n_stretches):
            n_nodes = 0
            for word in range(flat.first_word[stretch], flat.first_word[stretch + 1]):
                n_nodes += flat.width[word]
                states = 1
                for other in range(max(word - flat.order + 2, flat.first_word[stretch]), word + 1):
                    states *= flat.width[other]
                self.most_states = max(self.most_states, states)
            self.most_nodes = max(self.most_nodes, n_nodes)
            self.longest_words = max(self.longest_words,
                                     flat.first_word[stretch + 1] - flat.first_word[stretch])
            self.most_edges = max(self.most_edges,
                                  flat.first_edge[stretch + 1] - flat.first_edge[stretch])
        return 0

    @property
    def sizes(self):
        """Tokens of the text, words of the lattices, and their bytes: dict of str to int."""
        cdef const FlatLattices* flat = &self.flat
        in_use = (17 * flat.n_stretches + 13 * flat.n_words + 2 * flat.n_nodes
                  + 5 * flat.n_feature_values + 4 * flat.n_edges)
        return {"tokens": flat.n_tokens, "words": flat.n_words, "bytes": in_use}

    def evaluate(self, const double[::1] weights, uint8_t[::1] chosen=None):
        """Log-likelihood of the text, and its gradient, float64, shape (n_weights,).

        `weights` are finite, in the order of `truecase.kernels.schema.columns`; `chosen`, if given,
        receives the number of each word's most probable candidate. Also returns how many words have
        several candidates, one of them the text's, and for how many of these another is the most
        probable.
        """
        cdef int n_columns = 1 + N_NODE_COLUMNS + self.n_marks + N_SOURCE_COLUMNS + 1
        cdef int n_weights, i, k, before, now
        cdef EdgeWeights edge_weights
        cdef Scratch scratch
        cdef Totals totals
        cdef Sums* of_all = &scratch.sums[0]
        cdef Sums* of_gold = &scratch.sums[1]
        cdef uint8_t* choices = NULL
        cdef double[::1] values
        cdef int64_t[::1] places
        pairs = features.transition_states()
        n_weights = n_columns + len(pairs) + 2
        if weights.shape[0] != n_weights:
            raise ValueError(f"{weights.shape[0]} weights, expected {n_weights}")
        for i in range(weights.shape[0]):
            if not isfinite(weights[i]):
                raise ValueError("a weight is not a finite number")
        if chosen is not None:
            if chosen.shape[0] != self.flat.n_words:
                raise ValueError("the choices are not as many as the words")
            if chosen.shape[0]:
                choices = &chosen[0]
        memset(&edge_weights, 0, sizeof(EdgeWeights))
        memset(&totals, 0, sizeof(Totals))
        fill_edge_weights(&edge_weights, weights)
        out = np.zeros(weights.shape[0])
        cdef double[::1] gradient = out
        values = np.empty(2 * self.most_states + self.most_edges + 3 * self.most_nodes)
        places = np.empty(self.longest_words, np.int64)
        scratch.value = [&values[0], &values[self.most_states]]
        scratch.share = scratch.value[1] + self.most_states
        scratch.share_start = &places[0]
        scratch.node_score = scratch.share + self.most_edges
        scratch.posterior[0] = scratch.node_score + self.most_nodes
        scratch.posterior[1] = scratch.posterior[0] + self.most_nodes
        with nogil:
            evaluate_flat(&self.flat, &edge_weights, &weights[1], &scratch, &totals, &gradient[1],
                          choices)
        gradient[0] = of_gold.expected.lm - of_all.expected.lm
        for i, (before, now) in enumerate(pairs, n_columns):
            k = N_STATES * before + now
            gradient[i] = of_gold.expected.transition[k] - of_all.expected.transition[k]
        for i in range(2):
            gradient[n_weights - 2 + i] = of_gold.neighbour_case[i] - of_all.neighbour_case[i]
        return totals.log_likelihood, out, totals.n_ambiguous, totals.n_wrong
