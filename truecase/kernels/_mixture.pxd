"""A domain's language model, mixed into the general one by linear interpolation.

Model files hold fingerprints and no words, so both models are asked: the edges get
log((1 - m) p_base(form | history) + m p_domain(form | history)), and the domain's lexicon adds
candidates. A word that one lexicon lacks is left to the other model, whose class tokens say nothing
of its case. If both know the word and one lacks a form, its class token and `unseen_form` price it.
"""

from libc.math cimport exp, fabs, log1p, log2
from libc.stdint cimport int32_t, int64_t, uint32_t, uint8_t

from truecase.base._memory cimport STATUS_OK
from truecase.kernels._edges cimport count_edges, edge_scores, score_edges
from truecase.kernels._lattice cimport (
    MAX_CANDIDATES, MAX_LEXICON_FORMS, class_node, record_node, reserve_nodes, reserve_words,
    tag_code
)
from truecase.kernels._lexicon cimport first_record
from truecase.kernels._structs cimport (
    NODE_CLASS, NODE_UNSEEN, DomainView, Edges, Lattice, LexiconView, Node, Token
)
from truecase.kernels._unicode cimport TAG_AN, TAG_MX


cdef inline bint same_form(const Node* a, const Node* b) noexcept nogil:
    return tag_code(a.state) == tag_code(b.state) and (
        a.state != TAG_MX or a.upper_mask == b.upper_mask)


cdef inline uint8_t sum_of_counts(uint8_t code, uint8_t other) noexcept nogil:
    """Add two training counts, by their codes."""
    cdef double total
    if code == 0 or other == 0:
        return code | other
    total = 8.0 * log2(2.0 ** (code / 8.0) + 2.0 ** (other / 8.0) - 1.0)
    return <uint8_t>(total + 0.5) if total < 254.0 else 255


cdef inline int add_domain_forms(Lattice* lattice, const LexiconView* base,
                                 const LexiconView* domain, const Token* token,
                                 int32_t first) noexcept nogil:
    """Add the domain's forms to a word's candidates, which begin at node `first`; a Status."""
    cdef uint32_t index = first_record(domain, token.key)
    cdef bint base_knows
    cdef int32_t c, n_forms = 0
    cdef Node form
    cdef Node* node
    cdef int status
    if index == 0:
        return STATUS_OK
    status = reserve_nodes(lattice, MAX_CANDIDATES)
    if status != STATUS_OK:
        return status
    base_knows = first_record(base, token.key) != 0
    while index and n_forms < MAX_CANDIDATES:
        index = record_node(&form, domain, token, index)
        n_forms += 1
        node = NULL
        for c in range(first, lattice.n_nodes):
            if same_form(lattice.nodes + c, &form):
                node = lattice.nodes + c
                break
        if node == NULL:
            # AL, IU and AU are added to the lexicon's forms.
            if lattice.n_nodes - first >= MAX_LEXICON_FORMS + 3:
                break
            node = lattice.nodes + lattice.n_nodes
            lattice.n_nodes += 1
            class_node(node, base, token.word_class, form.tag, form.upper_mask, base_knows)
        # The features see a form that is known.
        node.flags &= ~<int>(NODE_CLASS | NODE_UNSEEN)
        node.count = sum_of_counts(node.count, form.count)
        node.score = node.form_bonus = 0.0
    return STATUS_OK


cdef inline int mirror_lattice(const LexiconView* domain, const Lattice* lattice,
                               const Node* end, const Token* token,
                               Lattice* mirror) noexcept nogil:
    """Copy the candidates with the domain's identities and unigrams; a Status.

    `token` is the sentence's first. ``mirror.record`` is 0 for words that the domain does not know.
    """
    cdef int32_t word, c, n_forms
    cdef uint32_t index
    cdef Node form
    cdef Node* node
    cdef int status
    mirror.n_nodes = 0
    status = reserve_words(mirror, lattice.n_words) or reserve_nodes(mirror, lattice.n_nodes)
    if status != STATUS_OK:
        return status
    mirror.n_words = lattice.n_words
    mirror.n_nodes = lattice.n_nodes
    for word in range(lattice.n_words):
        mirror.first_node[word] = lattice.first_node[word]
        if word == lattice.n_words - 1:
            mirror.nodes[lattice.first_node[word]] = end[0]
            break
        mirror.record[word] = first_record(domain, token[word].key)
        for c in range(lattice.first_node[word], lattice.first_node[word + 1]):
            node = mirror.nodes + c
            class_node(node, domain, token[word].word_class, lattice.nodes[c].state,
                       lattice.nodes[c].upper_mask, mirror.record[word] != 0)
            node.state = lattice.nodes[c].state
            if node.state == TAG_AN:
                node.tag = TAG_AN
        index = mirror.record[word]
        n_forms = 0
        while index and n_forms < MAX_CANDIDATES:
            index = record_node(&form, domain, token + word, index)
            n_forms += 1
            for c in range(lattice.first_node[word], lattice.first_node[word + 1]):
                if same_form(lattice.nodes + c, &form):
                    mirror.nodes[c] = form
    mirror.first_node[lattice.n_words] = lattice.n_nodes
    return STATUS_OK


cdef inline double sum_of_logs(double a, double b) noexcept nogil:
    return (a if a > b else b) + log1p(exp(-fabs(a - b)))


cdef inline void mix_edges(const DomainView* domain, const Lattice* lattice,
                           const LexiconView* base, const Token* token, const Lattice* mirror,
                           const Edges* other, Edges* edges) noexcept nogil:
    """Replace the edges' scores by those of the mixture."""
    cdef int32_t word, c, n
    cdef int64_t e, n_edges
    cdef float* score
    cdef const float* added
    cdef const Node* node
    cdef double base_price[MAX_CANDIDATES + 8]
    cdef double domain_price[MAX_CANDIDATES + 8]
    for word in range(lattice.n_words):
        if not edges.has_choice[word]:
            continue
        n_edges = count_edges(edges, domain.lm.order, word)
        score = edge_scores(edges, domain.lm.order, word)
        added = edge_scores(other, domain.lm.order, word)
        n = edges.width[word]
        if word < lattice.n_words - 1:
            if mirror.record[word] == 0:
                continue
            if lattice.record[word] == 0:
                for e in range(n_edges):
                    score[e] = added[e]
                continue
        for c in range(n):
            base_price[c] = domain.rest_ln
            domain_price[c] = domain.weight_ln
            if word == lattice.n_words - 1:
                continue
            node = mirror.nodes + mirror.first_node[word] + c
            if node.flags & NODE_CLASS:
                domain_price[c] += node.score
            node = lattice.nodes + lattice.first_node[word] + c
            if node.form == base.classes[token[word].word_class][tag_code(node.state)].form:
                base_price[c] += base.unseen_form + base.classes[token[word].word_class][
                    tag_code(node.state)].log_word_given_class
        c = 0
        for e in range(n_edges):
            score[e] = <float>sum_of_logs(base_price[c] + score[e], domain_price[c] + added[e])
            c += 1
            if c == n:
                c = 0


cdef inline int score_mixture(const DomainView* domain, const LexiconView* base,
                              const Lattice* lattice, const Token* token, Lattice* mirror,
                              Edges* other, Edges* edges) noexcept nogil:
    """Mix the domain's probabilities into scored edges; a Status."""
    cdef int status = (mirror_lattice(&domain.lexicon, lattice, &domain.end, token, mirror)
                       or score_edges(&domain.lm, mirror, &domain.start, other))
    if status == STATUS_OK:
        mix_edges(domain, lattice, base, token, mirror, other, edges)
    return status
