"""The Viterbi kernel over arrays, for tests and tools; the decoder calls it in place."""

from libc.stdint cimport int32_t, uint64_t
from libc.string cimport memset

import numpy as np

from truecase._status cimport STATUS_OK
from truecase.decode._viterbi cimport Viterbi, decode_viterbi, free_viterbi
from truecase.lattice._lattice cimport (
    MAX_CANDIDATES,
    Lattice,
    Node,
    free_lattice,
    reserve_nodes,
    reserve_words,
)
from truecase.ngram._score cimport NgramScorer


def best_path(NgramScorer scorer, const int32_t[::1] first_node, const uint64_t[::1] form,
              const float[::1] lm, const float[::1] backoff, const float[::1] score,
              uint64_t start_form, float start_backoff, float lm_weight=1.0):
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
        Of ``<s>``.
    lm_weight : float

    Returns
    -------
    path : int32 ndarray, shape (n_words,)

    Raises
    ------
    ValueError
        If the arrays do not describe a lattice.
    """
    cdef int32_t n_words = <int32_t>first_node.shape[0] - 1, i
    cdef Py_ssize_t n_nodes = form.shape[0]
    cdef Lattice lattice
    cdef Viterbi viterbi
    cdef Node start
    cdef int status
    if n_words < 1 or first_node[0] != 0 or first_node[n_words] != n_nodes:
        raise ValueError("first_node does not span the nodes")
    if lm.shape[0] != n_nodes or backoff.shape[0] != n_nodes or score.shape[0] != n_nodes:
        raise ValueError("the nodes' arrays differ in length")
    for i in range(n_words):
        if not 1 <= first_node[i + 1] - first_node[i] <= MAX_CANDIDATES:
            raise ValueError(f"word {i} has {first_node[i + 1] - first_node[i]} candidates")
    memset(&lattice, 0, sizeof(Lattice))
    memset(&viterbi, 0, sizeof(Viterbi))
    memset(&start, 0, sizeof(Node))
    start.form = start_form
    start.backoff = start_backoff
    path = np.zeros(n_words, dtype=np.int32)
    cdef int32_t[::1] chosen = path
    try:
        status = reserve_words(&lattice, n_words)
        if status == STATUS_OK:
            status = reserve_nodes(&lattice, <int32_t>n_nodes)
        if status != STATUS_OK:
            raise MemoryError("no memory left for the lattice")
        lattice.n_words = n_words
        lattice.n_nodes = <int32_t>n_nodes
        for i in range(n_words + 1):
            lattice.first_node[i] = first_node[i]
        for i in range(n_nodes):
            lattice.nodes[i].form = form[i]
            lattice.nodes[i].lm = lm[i]
            lattice.nodes[i].backoff = backoff[i]
            lattice.nodes[i].score = score[i]
        with nogil:
            status = decode_viterbi(&scorer.lm, lm_weight, &lattice, &start, &viterbi)
        if status != STATUS_OK:
            raise MemoryError("no memory left to decode the lattice")
        for i in range(n_words):
            chosen[i] = viterbi.path[i]
        return path
    finally:
        free_lattice(&lattice)
        free_viterbi(&viterbi)
