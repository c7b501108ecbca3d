"""The Viterbi kernel over arrays, for tests and tools; the decoder calls it in place."""

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memset

import numpy as np

from truecase.decode._edges cimport EdgeWeights
from truecase.decode._from_arrays cimport fill_lattice, fill_weights
from truecase.decode._viterbi cimport Viterbi, decode_viterbi, free_viterbi
from truecase.lattice._lattice cimport STATE_START, Lattice, Node, free_lattice
from truecase.ngram._score cimport NgramScorer
from truecase.runtime._status cimport STATUS_OK

__all__ = ["best_path"]


def best_path(NgramScorer scorer, const int32_t[::1] first_node, const uint64_t[::1] form,
              const float[::1] lm, const float[::1] backoff, const float[::1] score,
              uint64_t start_form, float start_backoff, float lm_weight=1.0,
              const uint8_t[::1] state=None, const float[:, ::1] transition=None):
    """Most probable candidate of each word of one sentence.

    Wang, Knight & Marcu (2006), equation 4; exact for the order of the model.

    Parameters
    ----------
    scorer : NgramScorer
        The model's n-gram tables.
    first_node : const int32[::1], shape (n_words + 1,)
        Nodes of word i are ``first_node[i] … first_node[i + 1] - 1``, 1 to 64 of them; the
        last word is ``</s>``.
    form : const uint64[::1], shape (n_nodes,)
    lm, backoff : const float[::1], shape (n_nodes,)
        Unigram log-probabilities and backoffs of the nodes, natural log.
    score : const float[::1], shape (n_nodes,)
        Weighted node features, natural log.
    start_form, start_backoff
        Of ``<s>``, whose state is 5.
    lm_weight : float
    state : const uint8[::1], shape (n_nodes,), optional
        What transition weights tell apart, 0 to 7.
    transition : const float[:, ::1], shape (8, 8), optional
        Weight of each pair of neighbouring states, added to the edges.

    Returns
    -------
    path : int32 ndarray, shape (n_words,)

    Raises
    ------
    ValueError
        If the arrays do not describe a lattice.
    """
    cdef Lattice lattice
    cdef Viterbi viterbi
    cdef EdgeWeights weights
    cdef Node start
    cdef int status
    cdef int32_t i
    memset(&lattice, 0, sizeof(Lattice))
    memset(&viterbi, 0, sizeof(Viterbi))
    memset(&start, 0, sizeof(Node))
    start.form = start_form
    start.backoff = start_backoff
    start.state = STATE_START
    try:
        fill_weights(&weights, lm_weight, transition)
        fill_lattice(&lattice, first_node, form, lm, backoff, score, state)
        with nogil:
            status = decode_viterbi(&scorer.lm, &weights, &lattice, &start, &viterbi)
        if status != STATUS_OK:
            raise MemoryError("no memory left to decode the lattice")
        path = np.empty(lattice.n_words, dtype=np.int32)
        for i in range(lattice.n_words):
            path[i] = viterbi.path[i]
        return path
    finally:
        free_lattice(&lattice)
        free_viterbi(&viterbi)
