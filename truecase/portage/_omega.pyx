"""The scoring function Ω over arrays, for tests and tools; the decoder calls it in place."""

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memset

import numpy as np

from truecase.decode._edges cimport EdgeWeights, score_edges
from truecase.decode._from_arrays cimport fill_lattice, fill_weights
from truecase.decode._viterbi cimport Viterbi, free_viterbi, search_edges
from truecase.lattice._lattice cimport Lattice, Node, free_lattice
from truecase.ngram._score cimport NgramScorer
from truecase.ngram._table cimport NgramView
from truecase.portage._omega cimport N_BANDS, Omega, combine_edges, walk_left_to_right
from truecase.runtime._status cimport STATUS_OK

__all__ = ["VARIANTS", "best_path"]

VARIANTS = ("product", "interpolated", "powers")


cdef int decode_omega(const Omega* omega, const NgramView* lm, const EdgeWeights* weights,
                      Lattice* lattice, const Node* sentence_start,
                      Viterbi* viterbi) noexcept nogil:
    cdef int status = STATUS_OK
    if lm.order > 1:
        status = score_edges(lm, lattice, sentence_start, &viterbi.edges)
    if status != STATUS_OK:
        return status
    combine_edges(omega, lm.order, lattice, &viterbi.edges)
    if omega.left_to_right and lm.order > 1:
        return walk_left_to_right(lm.order, lattice, viterbi)
    return search_edges(lm.order, weights, lattice, sentence_start, viterbi)


def best_path(NgramScorer scorer, const int32_t[::1] first_node, const uint64_t[::1] form,
              const float[::1] lm, const float[::1] backoff, const float[::1] case_ln,
              const uint8_t[::1] known, uint64_t start_form, float start_backoff,
              str variant="product", bint joint=True, bint left_to_right=False,
              float lm_share=0.5, float alpha=1.0):
    """Candidates that Ω chooses for each word of one sentence.

    Agbago, Kuhn & Foster (2005), 3.5 and 5.

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
    case_ln : const float[::1], shape (n_nodes,)
        log Φ, or for unknown words log Π; with ``powers`` β times it.
    known : const uint8[::1], shape (n_words,)
        0 for words that training has not seen.
    start_form, start_backoff
        Of ``<s>``.
    variant : {"product", "interpolated", "powers"}
    joint, left_to_right : bool
        See `truecase/portage/_omega.pxd`.
    lm_share, alpha : float
        λ and α.

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
    cdef Omega omega
    cdef Node start
    cdef int status
    cdef int32_t i
    memset(&lattice, 0, sizeof(Lattice))
    memset(&viterbi, 0, sizeof(Viterbi))
    memset(&start, 0, sizeof(Node))
    memset(&omega, 0, sizeof(Omega))
    start.form = start_form
    start.backoff = start_backoff
    omega.is_active = True
    omega.variant = VARIANTS.index(variant)
    omega.joint = joint
    omega.left_to_right = left_to_right
    omega.lm_share = lm_share
    for i in range(N_BANDS):
        omega.alpha[i] = alpha
    try:
        fill_weights(&weights, 1.0, None)
        fill_lattice(&lattice, first_node, form, lm, backoff, case_ln, None)
        if known.shape[0] != lattice.n_words:
            raise ValueError("one entry of known for each word expected")
        for i in range(lattice.n_words):
            lattice.record[i] = known[i]
        for i in range(lattice.n_nodes):
            lattice.nodes[i].count = 0
        with nogil:
            status = decode_omega(&omega, &scorer.lm, &weights, &lattice, &start, &viterbi)
        if status != STATUS_OK:
            raise MemoryError("no memory left to decode the lattice")
        path = np.empty(lattice.n_words, dtype=np.int32)
        for i in range(lattice.n_words):
            path[i] = viterbi.path[i]
        return path
    finally:
        free_lattice(&lattice)
        free_viterbi(&viterbi)
