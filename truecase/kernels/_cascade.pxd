"""A cascade: words that a quick estimate decides surely get no other sparse features.

The estimate of a word is the hidden layer and a few templates, each weighed by a factor that
was learned so that their sum comes near that of all features (`cascade.py` of the training).
Max-marginals over the sentence with these estimates tell how far ahead each word's best case is.
A word that leads by the cascade's margin is settled: a bonus that nothing outweighs keeps its case
in the search. All other words get all their features, and the search goes over all paths as ever.
Unknown and rare words, of which affixes tell most, get all features at once.

`complete_scores` gives settled words, too, the scores of all their features: those of posteriors
and explanations.

Viola & Jones (2001); for sequences: Weiss & Taskar (2010).
"""

from libc.math cimport INFINITY
from libc.stddef cimport size_t
from libc.stdint cimport int32_t, uint32_t, uint64_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memset

from truecase.base._memory cimport STATUS_OK, STATUS_OUT_OF_MEMORY, grow
from truecase.kernels._edges cimport EdgeWeights
from truecase.kernels._fields cimport (
    N_NEIGHBOURS,
    SentenceView,
    fill_fields,
    hash_template,
    hash_templates,
    is_rare,
)
from truecase.kernels._lattice cimport Lattice, Node
from truecase.kernels._max_marginals cimport (
    MaxMarginals,
    bytes_of_max_marginals,
    free_max_marginals,
    max_marginals,
)
from truecase.kernels._schema cimport N_FIELDS
from truecase.kernels._source cimport SourceSide
from truecase.kernels._sparse cimport (
    MAX_EARLY,
    MAX_UNITS,
    N_SPARSE_TAGS,
    SparseView,
    WordFeatures,
    activate,
    ask_for_rows,
    ask_for_weights,
    find_weights,
    has_choice,
    look_at_sentence,
    score_word,
    tag_number,
    tags_of,
    weigh_units,
)
from truecase.kernels._tokens cimport Token
from truecase.kernels._viterbi cimport Viterbi, weigh_edges


cdef enum:
    BONUS = 64                   # nats: no path gives up so much
    IN_FLIGHT = 4                # words whose features are on their way from memory


cdef enum WordState:
    WORD_IS_OPEN = 0             # all its features are still to be looked up
    WORD_IS_SETTLED = 1
    WORD_IS_WHOLE = 2            # it has the scores of all its features


cdef struct Settled:             # of a sentence; the memory of one thread
    bint is_used                 # the cascade was at work: its edges are weighted
    float* score                 # per node: its score without sparse features
    int32_t node_capacity
    uint8_t* word                # WordState
    int32_t word_capacity
    MaxMarginals marginals


cdef inline void free_settled(Settled* settled) noexcept nogil:
    free(settled.score)
    free(settled.word)
    free_max_marginals(&settled.marginals)
    memset(settled, 0, sizeof(Settled))


cdef inline size_t bytes_of_settled(const Settled* settled) noexcept nogil:
    """Memory that is held."""
    return (<size_t>settled.node_capacity * sizeof(float) + <size_t>settled.word_capacity
            + bytes_of_max_marginals(&settled.marginals))


cdef inline bint is_open(const Settled* settled, const Lattice* lattice,
                         int32_t word) noexcept nogil:
    """Whether a word has a choice that the cascade has not settled."""
    return has_choice(lattice, word) and not (
        settled.is_used and settled.word[word] == WORD_IS_SETTLED)


cdef inline int keep_scores(const Lattice* lattice, Settled* settled) noexcept nogil:
    """Copy the nodes' scores; a Status."""
    cdef int32_t i
    if settled.node_capacity < lattice.n_nodes:
        if grow(<void**>&settled.score, 2 * <size_t>lattice.n_nodes, sizeof(float)) != STATUS_OK:
            return STATUS_OUT_OF_MEMORY
        settled.node_capacity = 2 * lattice.n_nodes
    if settled.word_capacity < lattice.n_words:
        if grow(<void**>&settled.word, 2 * <size_t>lattice.n_words, 1) != STATUS_OK:
            return STATUS_OUT_OF_MEMORY
        settled.word_capacity = 2 * lattice.n_words
    for i in range(lattice.n_nodes):
        settled.score[i] = lattice.nodes[i].score
    return STATUS_OK


cdef inline void ask_for_estimate(const SparseView* sparse, bint is_whole, const uint64_t* fields,
                                  WordFeatures* at) noexcept nogil:
    """Ask for what the estimate of a word reads, or for all its features."""
    cdef int32_t i
    if is_whole:
        at.n_hashes = hash_templates(&sparse.templates, True, fields, at.hashes)
    else:
        at.n_hashes = sparse.cascade.n_early
        for i in range(at.n_hashes):
            at.hashes[i] = hash_template(&sparse.templates, sparse.cascade.early[i], fields)
    ask_for_weights(sparse, at)
    ask_for_rows(&sparse.hidden, fields, at)


cdef inline void estimate_word(const SparseView* sparse, float lm_weight, const WordFeatures* at,
                               Lattice* lattice) noexcept nogil:
    """Add the estimate to the scores of a word's nodes."""
    cdef float units[MAX_UNITS]
    cdef float weight[MAX_EARLY]
    cdef float score[1 + N_SPARSE_TAGS]
    cdef int32_t n = sparse.hidden.n_units, i
    cdef int t
    cdef Node* node
    if n:
        activate(&sparse.hidden, at.rows, units)
    score[0] = 0.0
    for t in range(N_SPARSE_TAGS):
        score[1 + t] = sparse.cascade.bias
        if not at.tags >> t & 1:
            continue
        if n:
            score[1 + t] += sparse.cascade.hidden * weigh_units(
                sparse.hidden.out + t * n, units, n)
        find_weights(&sparse.tables[t], at.hashes, at.n_hashes, weight)
        for i in range(at.n_hashes):
            score[1 + t] += sparse.cascade.factor[i] * weight[i]
    for i in range(lattice.first_node[at.word], lattice.first_node[at.word + 1]):
        node = lattice.nodes + i
        node.score += sparse.cascade.prior * lm_weight * node.lm + score[1 + tag_number(node.tag)]


cdef inline void add_estimates(const SparseView* sparse, float lm_weight, const uint8_t* text,
                               const Token* tokens, int32_t n, int32_t first_cased, bint turkic,
                               SentenceView* view, Lattice* lattice,
                               uint8_t* state) noexcept nogil:
    """Estimates of a sentence's n words, of rare ones all features; fills `state`."""
    cdef WordFeatures features[IN_FLIGHT]
    cdef WordFeatures* at
    cdef uint64_t fields[N_FIELDS]
    cdef int32_t i = 0, left = IN_FLIGHT
    cdef int which = 0
    for which in range(IN_FLIGHT):
        features[which].word = -1
    which = 0
    while left:
        at = &features[which]
        which = (which + 1) % IN_FLIGHT
        if at.word >= 0:
            if state[at.word] == WORD_IS_WHOLE:
                score_word(sparse, at, lattice)
            else:
                estimate_word(sparse, lm_weight, at, lattice)
            at.word = -1
        while i < n and not has_choice(lattice, i):
            state[i] = WORD_IS_WHOLE
            i += 1
        if i == n:
            left -= 1
            continue
        at.word = i
        at.tags = tags_of(lattice, i)
        state[i] = WORD_IS_WHOLE if is_rare(view.words[N_NEIGHBOURS + i].prior) else WORD_IS_OPEN
        fill_fields(view, text, tokens, i, i == first_cased, turkic, fields)
        ask_for_estimate(sparse, state[i] == WORD_IS_WHOLE, fields, at)
        i += 1


cdef inline int sure_case(const Lattice* lattice, const double* value, int32_t word,
                          double margin) noexcept nogil:
    """The number of the case that is so far ahead of a word's others, -1 for AL; -2: none is."""
    cdef double best[1 + N_SPARSE_TAGS]
    cdef double second = -INFINITY
    cdef int32_t i
    cdef int t, ahead = 0
    for t in range(1 + N_SPARSE_TAGS):
        best[t] = -INFINITY
    for i in range(lattice.first_node[word], lattice.first_node[word + 1]):
        t = 1 + tag_number(lattice.nodes[i].tag)
        best[t] = max(best[t], value[i])
    for t in range(1, 1 + N_SPARSE_TAGS):
        if best[t] > best[ahead]:
            ahead = t
    for t in range(1 + N_SPARSE_TAGS):
        if t != ahead:
            second = max(second, best[t])
    # Without a number on either side, this is false.
    return ahead - 1 if best[ahead] - second >= margin else -2


cdef inline void settle_words(const SparseView* sparse, Settled* settled,
                              Lattice* lattice) noexcept nogil:
    """Take the estimates away again; words that they decide get a bonus instead."""
    cdef int32_t word, i
    cdef int ahead
    for word in range(lattice.n_words - 1):
        if settled.word[word] == WORD_IS_WHOLE:
            continue
        ahead = sure_case(lattice, settled.marginals.value, word, sparse.cascade.margin)
        if ahead != -2:
            settled.word[word] = WORD_IS_SETTLED
        for i in range(lattice.first_node[word], lattice.first_node[word + 1]):
            lattice.nodes[i].score = settled.score[i]
            if tag_number(lattice.nodes[i].tag) == ahead:
                lattice.nodes[i].score += BONUS


cdef inline int settle_sentence(const SparseView* sparse, const EdgeWeights* weights, int order,
                                const uint8_t* text, const Token* tokens, int32_t first,
                                int32_t n, int32_t first_cased, bint turkic,
                                const SourceSide* side, const Node* sentence_start,
                                Lattice* lattice, SentenceView* view, Viterbi* viterbi,
                                Settled* settled) noexcept nogil:
    """Settle the words of a sentence that need no other features; a Status.

    Arguments are those of `add_sparse_scores`; the edges are scored, and get weighted.
    """
    cdef int status = keep_scores(lattice, settled)
    if status == STATUS_OK:
        status = look_at_sentence(sparse, text, tokens, first, n, side, lattice, view)
    if status == STATUS_OK:
        status = weigh_edges(order, weights, lattice, sentence_start, viterbi)
    if status != STATUS_OK:
        return status
    settled.is_used = True
    add_estimates(sparse, <float>weights.lm, text, tokens + first, n, first_cased, turkic, view,
                  lattice, settled.word)
    status = max_marginals(order, sparse.cascade.edges, viterbi.weighted, viterbi.weighted_start,
                           lattice, &viterbi.edges, &settled.marginals)
    if status == STATUS_OK:
        settle_words(sparse, settled, lattice)
    return status


cdef inline void reopen_words(Settled* settled, Lattice* lattice) noexcept nogil:
    """Take bonuses away again: settled words are open, all others whole."""
    cdef int32_t word, i
    for word in range(lattice.n_words - 1):
        if settled.word[word] != WORD_IS_SETTLED:
            settled.word[word] = WORD_IS_WHOLE
            continue
        settled.word[word] = WORD_IS_OPEN
        for i in range(lattice.first_node[word], lattice.first_node[word + 1]):
            lattice.nodes[i].score = settled.score[i]
