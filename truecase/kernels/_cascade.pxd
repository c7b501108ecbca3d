"""A cascade: a quick estimate decides easy words, which get no other sparse features.

The estimate is the hidden layer and a few templates, each times a learned factor. If a word's best
case leads by the cascade's margin in the max-marginals of these estimates, a bonus fixes it in the
search. Unknown and rare words get all features at once. Viola & Jones (2001); for sequences, Weiss
& Taskar (2010).
"""

from libc.math cimport INFINITY
from libc.stddef cimport size_t
from libc.stdint cimport int32_t, uint64_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memset

from truecase.base._memory cimport STATUS_OK, STATUS_OUT_OF_MEMORY, grow
from truecase.kernels._fields cimport (
    N_NEIGHBOURS, fill_fields, hash_template, hash_templates, is_rare
)
from truecase.kernels._max_marginals cimport bytes_of_max_marginals, free_max_marginals
from truecase.kernels._schema cimport N_FIELDS
from truecase.kernels._sparse cimport (
    MAX_UNITS, SentenceText, WordFeatures, activate, find_weights, has_choice, prefetch_rows,
    prefetch_weights, score_word, tag_number, tags_of, view_with_source, weigh_units
)
from truecase.kernels._structs cimport (
    MAX_EARLY, N_SPARSE_TAGS, CascadeState, Lattice, Node, SentenceView, SparseView
)


cdef enum:
    BONUS = 64                   # nats: no path gives up so much
    IN_FLIGHT = 4                # words whose features are being prefetched


cdef enum WordState:
    WORD_IS_OPEN = 0             # it still needs the scores of its features
    WORD_IS_FIXED = 1            # the estimate has decided it
    WORD_IS_WHOLE = 2            # it has the scores of all its features


cdef inline void free_cascade(CascadeState* cascade) noexcept nogil:
    free(cascade.score)
    free(cascade.word)
    free_max_marginals(&cascade.marginals)
    memset(cascade, 0, sizeof(CascadeState))


cdef inline size_t bytes_of_cascade(const CascadeState* cascade) noexcept nogil:
    return (<size_t>cascade.node_capacity * sizeof(float) + <size_t>cascade.word_capacity
            + bytes_of_max_marginals(&cascade.marginals))


cdef inline int keep_scores(const Lattice* lattice, CascadeState* cascade) noexcept nogil:
    """Copy the nodes' scores; a Status."""
    cdef int32_t i
    if cascade.node_capacity < lattice.n_nodes:
        if grow(<void**>&cascade.score, 2 * <size_t>lattice.n_nodes, sizeof(float)) != STATUS_OK:
            return STATUS_OUT_OF_MEMORY
        cascade.node_capacity = 2 * lattice.n_nodes
    if cascade.word_capacity < lattice.n_words:
        if grow(<void**>&cascade.word, 2 * <size_t>lattice.n_words, 1) != STATUS_OK:
            return STATUS_OUT_OF_MEMORY
        cascade.word_capacity = 2 * lattice.n_words
    for i in range(lattice.n_nodes):
        cascade.score[i] = lattice.nodes[i].score
    return STATUS_OK


cdef inline void prefetch_estimate(const SparseView* sparse, bint is_whole, const uint64_t* fields,
                                   WordFeatures* at) noexcept nogil:
    """Prefetch the features of a word's estimate, or with `is_whole` all its features."""
    cdef int32_t i
    if is_whole:
        at.n_hashes = hash_templates(&sparse.templates, True, fields, at.hashes)
    else:
        at.n_hashes = sparse.cascade.n_early
        for i in range(at.n_hashes):
            at.hashes[i] = hash_template(&sparse.templates, sparse.cascade.early[i], fields)
    prefetch_weights(sparse, at)
    prefetch_rows(&sparse.hidden, fields, at)


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


cdef inline void add_estimates(const SparseView* sparse, float lm_weight,
                               const SentenceText* sentence, SentenceView* view,
                               Lattice* lattice, uint8_t* state) noexcept nogil:
    """Add the estimates of a sentence's words, or all features of rare words; fills `state`."""
    cdef WordFeatures features[IN_FLIGHT]
    cdef WordFeatures* at
    cdef uint64_t fields[N_FIELDS]
    cdef int32_t i = 0, n = sentence.n, left = IN_FLIGHT
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
        fill_fields(view, sentence.text, sentence.tokens, i, i == sentence.first_cased,
                    sentence.turkic, fields)
        prefetch_estimate(sparse, state[i] == WORD_IS_WHOLE, fields, at)
        i += 1


cdef inline int sure_case(const Lattice* lattice, const double* value, int32_t word,
                          double margin) noexcept nogil:
    """Number of the case that leads a word's others by `margin`, -1 for AL; -2: no case does."""
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
    # With NaN on either side, this is false.
    return ahead - 1 if best[ahead] - second >= margin else -2


cdef inline void fix_early_words(const SparseView* sparse, CascadeState* cascade,
                                 Lattice* lattice) noexcept nogil:
    """Restore the original scores; add a bonus to the best case of each decided word."""
    cdef int32_t word, i
    cdef int ahead
    for word in range(lattice.n_words - 1):
        if cascade.word[word] == WORD_IS_WHOLE:
            continue
        ahead = sure_case(lattice, cascade.marginals.value, word, sparse.cascade.margin)
        if ahead != -2:
            cascade.word[word] = WORD_IS_FIXED
        for i in range(lattice.first_node[word], lattice.first_node[word + 1]):
            lattice.nodes[i].score = cascade.score[i]
            if tag_number(lattice.nodes[i].tag) == ahead:
                lattice.nodes[i].score += BONUS


cdef inline int run_estimates(const SparseView* sparse, float lm_weight,
                              const SentenceText* sentence, Lattice* lattice, SentenceView* view,
                              CascadeState* cascade) noexcept nogil:
    """Keep the nodes' scores, fill the view, and add the estimates; a Status.

    `fix_early_words` takes the estimates away again, once max-marginals are computed from them.
    """
    cdef int status = keep_scores(lattice, cascade)
    if status == STATUS_OK:
        status = view_with_source(sparse, sentence, lattice, view)
    if status == STATUS_OK:
        add_estimates(sparse, lm_weight, sentence, view, lattice, cascade.word)
    return status


cdef inline void reopen_words(CascadeState* cascade, Lattice* lattice) noexcept nogil:
    """Remove the bonuses: decided words become open, all others whole."""
    cdef int32_t word, i
    for word in range(lattice.n_words - 1):
        if cascade.word[word] != WORD_IS_FIXED:
            cascade.word[word] = WORD_IS_WHOLE
            continue
        cascade.word[word] = WORD_IS_OPEN
        for i in range(lattice.first_node[word], lattice.first_node[word + 1]):
            lattice.nodes[i].score = cascade.score[i]
