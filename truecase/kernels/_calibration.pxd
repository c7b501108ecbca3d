"""How often a word is right, given its probability by the model: Platt scaling (1999).

A logistic regression on the log-odds of that probability and on how well training knew the word and
its sentence, as models are too sure of unfamiliar text. Words with one form have no log-odds, and
weights of their own.
"""

from libc.math cimport exp, log, log2

from truecase.kernels._structs cimport N_ONE, N_SEVERAL, CalibrationView


cdef enum:
    MOST_LOG2 = 32               # counts are below 2 to this power (truecase/kernels/_lexicon.pxd)
    COMMON_LOG2 = 12             # higher counts make a sentence no more familiar

cdef enum SeveralWeight:         # places of weights: of words with several forms
    SEVERAL_CONSTANT = 0
    SEVERAL_RARE_LOG_ODDS = 1    # of a word that was never seen
    SEVERAL_COMMON_LOG_ODDS = 2  # of the most frequent; words between have parts of both
    SEVERAL_SEEN = 3
    SEVERAL_SEEN_SQUARED = 4
    SEVERAL_UNSEEN = 5
    SEVERAL_FAMILIAR = 6

cdef enum OneWeight:             # of words with one form
    ONE_CONSTANT = 0
    ONE_SEEN = 1
    ONE_SEEN_SQUARED = 2
    ONE_UNSEEN = 3
    ONE_FAMILIAR = 4


cdef inline double seen_of(double count) noexcept nogil:
    """Logarithm of a training count, scaled to 0 … 1."""
    return min(1.0, log2(1.0 + count) / MOST_LOG2)


cdef inline double familiar_of(double count) noexcept nogil:
    """A word's part in the familiarity of its sentence, the mean over words with case."""
    return min(1.0, log2(1.0 + count) / COMMON_LOG2)


cdef inline double log_odds(double probability) noexcept nogil:
    """Log-odds of a probability, which is limited to one in a million."""
    probability = min(max(probability, 1e-6), 1.0 - 1e-6)
    return log(probability / (1.0 - probability))


cdef inline int compute_inputs(bint is_one, double probability, double count, double familiar,
                               double* value) noexcept nogil:
    """Fill `value` with the inputs of the regression, in the order of the weights; their number.

    `probability` is that of a form, `count` the word's training count, `familiar` the familiarity
    of its sentence; `is_one` if the word has one form.
    """
    cdef double seen = seen_of(count), odds
    if is_one:
        value[<int>ONE_CONSTANT] = 1.0
        value[<int>ONE_SEEN] = seen
        value[<int>ONE_SEEN_SQUARED] = seen * seen
        value[<int>ONE_UNSEEN] = count == 0.0
        value[<int>ONE_FAMILIAR] = familiar
        return N_ONE
    odds = log_odds(probability)
    value[<int>SEVERAL_CONSTANT] = 1.0
    value[<int>SEVERAL_RARE_LOG_ODDS] = (1.0 - seen) * odds
    value[<int>SEVERAL_COMMON_LOG_ODDS] = seen * odds
    value[<int>SEVERAL_SEEN] = seen
    value[<int>SEVERAL_SEEN_SQUARED] = seen * seen
    value[<int>SEVERAL_UNSEEN] = count == 0.0
    value[<int>SEVERAL_FAMILIAR] = familiar
    return N_SEVERAL


cdef inline double calibrated(const CalibrationView* weights, bint is_one, double probability,
                              double count, double familiar) noexcept nogil:
    """How often a form of this probability is right; see `compute_inputs`."""
    cdef double[N_SEVERAL] value
    cdef const double* weight = &weights.several[0]
    cdef double z = 0.0
    cdef int i
    if is_one:
        weight = &weights.one[0]
    for i in range(compute_inputs(is_one, probability, count, familiar, value)):
        z += weight[i] * value[i]
    return 1.0 / (1.0 + exp(-z))
