"""The forms of a word: its candidates, those that are written alike as one, with probabilities."""

from libc.stdint cimport int32_t, uint64_t

from truecase.lattice._lattice cimport Node
from truecase.text._casing cimport TAG_MX


cdef struct Form:                # what candidates that are rendered alike are to whoever reads them
    int tag
    uint64_t upper_mask
    double posterior


cdef inline uint64_t mask_of(const Node* node) noexcept nogil:
    """The mask that tells mixed forms apart; of all others the tag says everything."""
    return node.upper_mask if node.tag == TAG_MX else 0


cdef inline bint is_before(const Form* one, const Form* other) noexcept nogil:
    if one.posterior != other.posterior:
        return one.posterior > other.posterior
    if one.tag != other.tag:
        return one.tag < other.tag
    return one.upper_mask < other.upper_mask


cdef inline int rank_forms(const Node* node, const double* p, int32_t n, int32_t chosen,
                           Form* forms) noexcept nogil:
    """The forms of a word's n candidates, how many there are: the chosen one, then by posterior.

    Without posteriors `p`, that one alone.
    """
    cdef int32_t c
    cdef int n_forms = 1, i
    cdef Form form
    forms[0].tag = node[chosen].tag
    forms[0].upper_mask = mask_of(node + chosen)
    forms[0].posterior = 1.0
    if p == NULL:
        return 1
    forms[0].posterior = 0.0
    for c in range(n):
        i = 0
        while i < n_forms and (forms[i].tag != node[c].tag
                               or forms[i].upper_mask != mask_of(node + c)):
            i += 1
        if i == n_forms:
            forms[i].tag = node[c].tag
            forms[i].upper_mask = mask_of(node + c)
            forms[i].posterior = 0.0
            n_forms += 1
        forms[i].posterior += p[c]
    for c in range(2, n_forms):
        form = forms[c]
        i = c
        while i > 1 and is_before(&form, &forms[i - 1]):
            forms[i] = forms[i - 1]
            i -= 1
        forms[i] = form
    for i in range(n_forms):
        forms[i].posterior = min(1.0, forms[i].posterior)
    return n_forms


cdef inline void give_probability(Form* forms, int n, double probability) noexcept nogil:
    """Give the chosen form, the first, another probability, and the others what is left.

    They keep their proportions. Of a word with one form, what is left is that of forms that were
    not considered.
    """
    cdef double others = 0.0
    cdef int i
    for i in range(1, n):
        others += forms[i].posterior
    forms[0].posterior = probability
    if others > 0.0:
        for i in range(1, n):
            forms[i].posterior *= (1.0 - probability) / others
