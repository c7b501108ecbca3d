"""The forms of a word by their probability, and how often a form of that probability is right.

The latter is Platt scaling (1999): a logistic regression on the log-odds of the probability, on how
well training knew the word, and on the sentence, as models are too sure of unfamiliar, short and
doubtful ones. Words with one form have no log-odds, and weights of their own.
"""

from libc.math cimport exp, log, log2
from libc.stdint cimport int32_t, uint64_t

from truecase.kernels._structs cimport N_SEVERAL, CalibrationView, Node
from truecase.kernels._unicode cimport TAG_MX


cdef struct Form:                # candidates of a word that are written alike
    int tag
    uint64_t upper_mask          # of a mixed form
    double posterior


cdef struct SentenceTraits:      # what a calibration reads of a sentence
    double familiar              # mean familiarity of its words with case
    double length                # logarithm of their number, scaled
    double doubt                 # logarithm of their mean probability of being wrong


cdef enum:
    MOST_LOG2 = 32               # counts are below 2 to this power (truecase/kernels/_lexicon.pxd)
    COMMON_LOG2 = 12             # higher counts make a sentence no more familiar
    LENGTH_LOG2 = 8
    MODERATE_LOG_ODDS = 4
    PER_LEAST_DOUBT = 500        # one wrong word in so many is added to the doubt

cdef enum:                       # places of weights of words with several forms
    SEVERAL_RARE_LOG_ODDS = 1    # of a word that was never seen
    SEVERAL_COMMON_LOG_ODDS = 2  # of the most frequent; words between have parts of both
    SEVERAL_MODERATE_LOG_ODDS = 9    # limited ones, as those beyond say less


cdef inline double familiar_of(double count) noexcept nogil:
    """A word's part in the familiarity of its sentence, the mean over words with case."""
    return min(1.0, log2(1.0 + count) / COMMON_LOG2)


cdef inline SentenceTraits traits_of(int32_t n, double familiar, double doubt) noexcept nogil:
    """The traits of a sentence with n words with case, of sums over these words."""
    cdef SentenceTraits traits
    traits.familiar = familiar / max(n, 1)
    traits.length = log2(1.0 + n) / LENGTH_LOG2
    traits.doubt = log(1.0 / PER_LEAST_DOUBT + doubt / max(n, 1))
    return traits


cdef inline double log_odds(double probability) noexcept nogil:
    """Log-odds of a probability, which is limited to one in a million."""
    probability = min(max(probability, 1e-6), 1.0 - 1e-6)
    return log(probability / (1.0 - probability))


cdef inline int compute_inputs(bint is_one, double probability, double count,
                               const SentenceTraits* sentence, double* value) noexcept nogil:
    """Fill `value` with the inputs of the regression, in the order of the weights; their number.

    `probability` is that of a form, `count` the word's training count; `is_one` if the word has one
    form.
    """
    cdef double seen = min(1.0, log2(1.0 + count) / MOST_LOG2), odds = 0.0
    cdef int n = 1
    value[0] = 1.0
    if not is_one:
        odds = log_odds(probability)
        value[SEVERAL_RARE_LOG_ODDS] = (1.0 - seen) * odds
        value[SEVERAL_COMMON_LOG_ODDS] = seen * odds
        n = 3
    value[n] = seen
    value[n + 1] = seen * seen
    value[n + 2] = count == 0.0
    value[n + 3] = sentence.familiar
    value[n + 4] = sentence.length
    value[n + 5] = sentence.doubt
    value[SEVERAL_MODERATE_LOG_ODDS] = min(max(odds, -MODERATE_LOG_ODDS), MODERATE_LOG_ODDS)
    return n + 6 if is_one else N_SEVERAL


cdef inline double calibrated(const CalibrationView* weights, bint is_one, double probability,
                              double count, const SentenceTraits* sentence) noexcept nogil:
    """How often a form of this probability is right; see `compute_inputs`."""
    cdef double[N_SEVERAL] value
    cdef const double* weight = &weights.several[0]
    cdef double z = 0.0
    cdef int i
    if is_one:
        weight = &weights.one[0]
    for i in range(compute_inputs(is_one, probability, count, sentence, value)):
        z += weight[i] * value[i]
    return 1.0 / (1.0 + exp(-z))


cdef inline uint64_t mask_of(const Node* node) noexcept nogil:
    """The mask of a mixed form; the tag alone distinguishes all others."""
    return node.upper_mask if node.tag == TAG_MX else 0


cdef inline bint is_before(const Form* one, const Form* other) noexcept nogil:
    if one.posterior != other.posterior:
        return one.posterior > other.posterior
    if one.tag != other.tag:
        return one.tag < other.tag
    return one.upper_mask < other.upper_mask


cdef inline int rank_forms(const Node* node, const double* p, int32_t n, int32_t chosen,
                           Form* forms) noexcept nogil:
    """Fill in the forms of n candidates, the chosen one first, then by posterior; their number.

    Without posteriors `p`, there is only the chosen form.
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
    """Change the probability of the chosen form, the first; scale the others to share the rest."""
    cdef double others = 0.0
    cdef int i
    for i in range(1, n):
        others += forms[i].posterior
    forms[0].posterior = probability
    if others > 0.0:
        for i in range(1, n):
            forms[i].posterior *= (1.0 - probability) / others
