"""The forward-backward kernel over arrays, for tests and tools."""

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memset

import numpy as np

from truecase.decode._edges cimport EdgeWeights, Edges, free_edges, score_edges
from truecase.decode._forward_backward cimport (
    ForwardBackward,
    forward_backward,
    free_forward_backward,
)
from truecase.decode._from_arrays cimport fill_lattice, fill_weights
from truecase.lattice._lattice cimport N_STATES, STATE_START, Lattice, Node, free_lattice
from truecase.ngram._score cimport NgramScorer
from truecase.runtime._status cimport STATUS_OK

__all__ = ["posteriors"]


def posteriors(NgramScorer scorer, const int32_t[::1] first_node, const uint64_t[::1] form,
               const float[::1] lm, const float[::1] backoff, const float[::1] score,
               uint64_t start_form, float start_backoff, float lm_weight=1.0,
               const uint8_t[::1] state=None, const float[:, ::1] transition=None,
               const uint64_t[::1] allowed=None):
    """Sums over all paths of one sentence's lattice.

    Wang, Knight & Marcu (2006), equation 1, its normaliser, and the expectations that the
    gradient of equation 5 is made of; exact for the order of the model.

    Parameters
    ----------
    scorer, first_node, form, lm, backoff, score, start_form, start_backoff, lm_weight, state, \
transition
        As of `truecase.decode._viterbi.best_path`.
    allowed : const uint64[::1], shape (n_words,), optional
        Bit masks of the candidates that paths may use; 0 allows all.

    Returns
    -------
    log_z : float
        Log-sum-exp of the scores of the (allowed) paths; words that have no choice in their
        window of `order` words are left out.
    posterior : float64 ndarray, shape (n_nodes,)
    expected_lm : float
        Expectation of the sum of the edges' log-probabilities, words without a choice left out.
    expected_transition : float64 ndarray, shape (8, 8)
        Expected number of each pair of neighbouring states, likewise.

    Raises
    ------
    ValueError
        If the arrays do not describe a lattice.
    """
    cdef Lattice lattice
    cdef Edges edges
    cdef ForwardBackward passes
    cdef EdgeWeights weights
    cdef Node start
    cdef const uint64_t* mask = NULL
    cdef int status = STATUS_OK
    cdef int32_t i, j
    memset(&lattice, 0, sizeof(Lattice))
    memset(&edges, 0, sizeof(Edges))
    memset(&passes, 0, sizeof(ForwardBackward))
    memset(&start, 0, sizeof(Node))
    start.form = start_form
    start.backoff = start_backoff
    start.state = STATE_START
    try:
        fill_weights(&weights, lm_weight, transition)
        fill_lattice(&lattice, first_node, form, lm, backoff, score, state)
        if allowed is not None:
            if allowed.shape[0] != lattice.n_words:
                raise ValueError("the masks are not as many as the words")
            mask = &allowed[0]
        with nogil:
            if scorer.lm.order > 1:
                status = score_edges(&scorer.lm, &lattice, &start, &edges)
            if status == STATUS_OK:
                status = forward_backward(scorer.lm.order, &weights, &lattice, &edges, &start,
                                          mask, &passes)
        if status != STATUS_OK:
            raise MemoryError("no memory left for the lattice")
        posterior = np.empty(lattice.n_nodes)
        for i in range(lattice.n_nodes):
            posterior[i] = passes.posterior[i]
        expected = np.empty((N_STATES, N_STATES))
        for i in range(<int>N_STATES):
            for j in range(<int>N_STATES):
                expected[i, j] = passes.expected.transition[N_STATES * i + j]
        return passes.log_z, posterior, passes.expected.lm, expected
    finally:
        free_lattice(&lattice)
        free_edges(&edges)
        free_forward_backward(&passes)
