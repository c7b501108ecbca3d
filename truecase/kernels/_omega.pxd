"""Portage's scoring function Ω on a lattice (Agbago, Kuhn & Foster 2005, 3.5 and 5).

Ω of a known word joins θ, the probability of its case given the words before, and Φ, given the word
alone: as a product θ · Φ, interpolated as λ θ + (1 - λ) Φ, or as powers θ^α · Φ^β / K, with α
and β by the word's count. Ω of an unknown word is Π, the probability of its case given its class.
"""

from libc.math cimport exp, expf, log, logf
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from truecase.base._memory cimport STATUS_OK, STATUS_OUT_OF_MEMORY
from truecase.kernels._edges cimport count_edges, edge_scores, scores_after
from truecase.kernels._lattice cimport MAX_CANDIDATES, candidates_of, tag_code
from truecase.kernels._lexicon cimport FORM_TAG, mask_of_record, next_record
from truecase.kernels._structs cimport (
    NODE_PARTS, N_BANDS, Edges, Lattice, LexiconView, Node, Omega, Token, Viterbi
)
from truecase.kernels._unicode cimport TAG_MX
from truecase.kernels._viterbi cimport take_path


cdef enum:
    MAX_FORMS = MAX_CANDIDATES + 8    # more than GEN ever proposes for one word


cdef enum Variant:
    OMEGA_PRODUCT, OMEGA_INTERPOLATED, OMEGA_POWERS


cdef inline int count_band(const Omega* omega, const Node* node, int32_t n) noexcept nogil:
    """Band of a word's training count, all forms together."""
    cdef float total = 1.0
    cdef int32_t c
    cdef int band = 0
    for c in range(n):
        total += omega.count[node[c].count]
    while total >= 4.0 and band < N_BANDS - 1:
        total *= 0.5
        band += 1
    return band


cdef inline void score_known(const Omega* omega, const LexiconView* lexicon, uint32_t index,
                             Node* node, int32_t n) noexcept nogil:
    """Set the node scores of a known word to log Φ; `index` by `first_record`."""
    cdef uint64_t mask
    cdef int32_t c, seen = 0
    cdef int tag
    for c in range(n):
        node[c].score = omega.unseen_ln
    # Invariant: case_code is as long as the records (checked at load).
    while index and seen < MAX_CANDIDATES:
        tag = lexicon.records[index - 1] & FORM_TAG
        mask = mask_of_record(lexicon, index) if tag == TAG_MX else 0
        for c in range(n):
            if tag_code(node[c].state) == tag and (tag != TAG_MX or node[c].upper_mask == mask):
                node[c].score = omega.case_ln[omega.case_code[index - 1]]
                break
        index = next_record(lexicon, index)
        seen += 1


cdef inline void score_cases(const Omega* omega, const LexiconView* lexicon,
                             const Token* tokens, Lattice* lattice) noexcept nogil:
    """Score the nodes of all words that have a choice; `tokens` are the lattice's."""
    cdef int32_t word, c, n
    cdef Node* node
    cdef float beta
    for word in range(lattice.n_words - 1):
        node = candidates_of(lattice, word, &n)
        if n == 1:
            node.score = 0.0
        elif lattice.record[word] == 0:
            for c in range(n):
                node[c].score = omega.unknown_ln[tokens[word].word_class][tag_code(node[c].state)]
                if node[c].flags & NODE_PARTS:
                    node[c].score += lexicon.parts_bonus
        else:
            score_known(omega, lexicon, lattice.record[word], node, n)
            if omega.variant == OMEGA_POWERS:
                beta = omega.beta[count_band(omega, node, n)]
                for c in range(n):
                    node[c].score *= beta


cdef inline float log_sum(const float* value, int32_t n) noexcept nogil:
    cdef float top = value[0]
    cdef double total = 0.0
    cdef int32_t c
    for c in range(1, n):
        top = max(top, value[c])
    for c in range(n):
        total += expf(value[c] - top)
    return top + <float>log(total)


cdef inline void combine(const Omega* omega, const Node* node, int32_t n, float alpha,
                         float* edge) noexcept nogil:
    """Turn log p of a known word's `n` forms after one history into the edges of Ω."""
    cdef float total = log_sum(edge, n), theta, case
    cdef float joined[MAX_FORMS]
    cdef int32_t c
    if omega.variant == OMEGA_PRODUCT:
        if not omega.joint:
            for c in range(n):
                edge[c] -= total
        return
    if omega.variant == OMEGA_INTERPOLATED:
        for c in range(n):
            # log(λ θ + (1 - λ) Φ), from the larger of the two terms; the node adds log Φ again.
            theta = edge[c] - total + logf(omega.lm_share)
            case = node[c].score + logf(1.0 - omega.lm_share)
            if theta > case:
                edge[c] = theta + <float>log(1.0 + exp(case - theta))
            else:
                edge[c] = case + <float>log(1.0 + exp(theta - case))
            edge[c] -= node[c].score
    else:
        for c in range(n):
            edge[c] = alpha * (edge[c] - total)
            joined[c] = edge[c] + node[c].score
        case = log_sum(joined, n)
        for c in range(n):
            edge[c] -= case
    if omega.joint:
        for c in range(n):
            edge[c] += total


cdef inline void combine_unigrams(const Omega* omega, Lattice* lattice) noexcept nogil:
    """Rewrite p on the nodes of a sentence, for an order of 1."""
    cdef int32_t word, c, n
    cdef Node* node
    cdef float p[MAX_FORMS]
    cdef float alpha
    for word in range(lattice.n_words - 1):
        node = candidates_of(lattice, word, &n)
        if n == 1:
            continue
        for c in range(n):
            p[c] = node[c].lm if lattice.record[word] else 0.0
        if lattice.record[word]:
            alpha = omega.alpha[count_band(omega, node, n)]
            combine(omega, node, n, alpha, p)
        for c in range(n):
            node[c].lm = p[c]


cdef inline void combine_edges(const Omega* omega, int order, Lattice* lattice,
                               Edges* edges) noexcept nogil:
    """Rewrite the edges of a sentence whose edges and nodes are scored."""
    cdef int32_t word, c, n
    cdef float alpha
    cdef float* edge
    cdef float* end
    cdef const Node* node
    if order == 1:
        combine_unigrams(omega, lattice)
        return
    for word in range(lattice.n_words):
        if not edges.has_choice[word]:
            continue
        n = edges.width[word]
        node = lattice.nodes + lattice.first_node[word]
        edge = edge_scores(edges, order, word)
        end = edge + count_edges(edges, order, word)
        alpha = 1.0
        if word == lattice.n_words - 1 or n == 1:
            if omega.joint:
                continue
            alpha = 0.0
        elif lattice.record[word] == 0:
            alpha = 0.0
        elif omega.variant == OMEGA_POWERS:
            alpha = omega.alpha[count_band(omega, node, n)]
        elif omega.variant == OMEGA_PRODUCT and omega.joint:
            continue
        while edge < end:
            if alpha == 0.0:
                for c in range(n):
                    edge[c] = 0.0
            else:
                combine(omega, node, n, alpha, edge)
            edge += n


cdef inline int walk_left_to_right(int order, const Lattice* lattice,
                                   Viterbi* viterbi) noexcept nogil:
    """Choose the best candidate word after word, given those chosen before; a Status.

    For an order above 1; fills ``viterbi.path``.
    """
    cdef const Edges* edges = &viterbi.edges
    cdef int32_t* path = take_path(viterbi, lattice.n_words)
    cdef int32_t word, c, n
    cdef const float* edge
    cdef const Node* node
    if path == NULL:
        return STATUS_OUT_OF_MEMORY
    for word in range(lattice.n_words):
        path[word] = 0
        n = edges.width[word]
        if not edges.has_choice[word] or n == 1:
            continue
        node = lattice.nodes + lattice.first_node[word]
        edge = scores_after(edges, order, word, path)
        for c in range(1, n):
            if edge[c] + node[c].score > edge[path[word]] + node[path[word]].score:
                path[word] = c
    return STATUS_OK
