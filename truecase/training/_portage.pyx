"""Observations for Ω's parameters: θ and Φ of every candidate, and which of them is right.

The lattices are those of decoding; the history of each word is the text's case.
"""

from libc.stdint cimport int32_t, int64_t, uint64_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from truecase._core cimport (
    INPUT_IGNORE, CompiledModel, Walk, Workspace, begin_walk, check_status, free_workspace,
    next_piece, next_sentence
)
from truecase.base._memory cimport STATUS_OK, STATUS_OUT_OF_MEMORY, Output, append_output, reserve
from truecase.kernels._edges cimport score_edges, scores_after
from truecase.kernels._lattice cimport candidates_of, gold_candidates
from truecase.kernels._omega cimport MAX_FORMS, OMEGA_PRODUCT, count_band, log_sum, score_cases
from truecase.kernels._structs cimport Node, Omega, Token
from truecase.kernels._unicode cimport TAG_AL, TAG_IU, trailing_zeros
from truecase.model._view cimport ModelView

import numpy as np


cdef enum:
    THETA_LN, CASE_LN            # float, of each candidate
    N_CANDIDATES, GOLD, BAND     # uint8_t, of each word
    N_COLUMNS


cdef int observe_sentence(const Walk* walk, const Omega* omega, int32_t* history,
                          Workspace* work, Output* columns) noexcept nogil:
    """Append the words of the walk's sentence; `history` has room for its words; a Status."""
    cdef const ModelView* model = walk.model
    cdef const Token* tokens = work.tokens.tokens + walk.first
    cdef int32_t word, c, n
    cdef int order = model.lm.order
    cdef uint64_t gold
    cdef const Node* node
    cdef float p[MAX_FORMS]
    cdef float total
    cdef uint8_t[3] of_word
    cdef int column, status = STATUS_OK
    score_cases(omega, &model.lexicon, tokens, &work.lattice)
    if order > 1:
        status = score_edges(&model.lm, &work.lattice, &model.start, &work.viterbi.edges)
        if status != STATUS_OK:
            return status
    for word in range(work.lattice.n_words - 1):
        node = candidates_of(&work.lattice, word, &n)
        history[word] = 0
        gold = gold_candidates(&work.lattice, word, tokens + word)
        if word == walk.initial:
            # Its capital may come from its place and is no evidence. As history it gets its usual
            # case elsewhere, unless that is lowercase and the text has more than a capital.
            if gold and not (node[0].tag == TAG_AL
                             and tokens[word].tag == TAG_IU):
                history[word] = trailing_zeros(gold)
            continue
        if gold:
            history[word] = trailing_zeros(gold)
        if n == 1 or not gold or work.lattice.record[word] == 0:
            continue
        if order > 1:
            n = work.viterbi.edges.width[word]
            if history[word] >= n or n == 1:
                history[word] = 0
                continue
            memcpy(p, scores_after(&work.viterbi.edges, order, word, history), n * sizeof(float))
        else:
            for c in range(n):
                p[c] = node[c].lm
        of_word = [<uint8_t>n, <uint8_t>history[word], <uint8_t>count_band(omega, node, n)]
        for column in range(N_CANDIDATES, N_COLUMNS):
            status |= append_output(columns + column, of_word + (column - N_CANDIDATES), 1)
        total = log_sum(p, n)
        for c in range(n):
            p[c] -= total
            status |= append_output(columns + THETA_LN, p + c, sizeof(float))
            status |= append_output(columns + CASE_LN, &node[c].score, sizeof(float))
        if status != STATUS_OK:
            return STATUS_OUT_OF_MEMORY
    return STATUS_OK


cdef void observe_text(Walk* walk, Workspace* work, Output* columns) noexcept nogil:
    """Append the words of a text; the walk has the Status."""
    cdef Omega omega = walk.model.omega
    cdef int32_t* history = NULL
    cdef int64_t capacity = 0
    omega.variant = OMEGA_PRODUCT
    while next_piece(walk, work):
        walk.status = reserve(<void**>&history, &capacity, work.tokens.n + 1, sizeof(int32_t))
        while next_sentence(walk, work):
            walk.status = observe_sentence(walk, &omega, history, work, columns)
    free(history)


cdef values_of(const Output* column, dtype):
    return np.frombuffer((<const char*>column.bytes)[:column.size], dtype)


def observe(CompiledModel compiled not None, bytes text not None):
    """θ and Φ of the words of a correctly cased text with several forms in the lexicon.

    Unknown words and first words of sentences are left out; `compiled` has preset ``portage``, and
    `text` is lines of UTF-8.

    Returns
    -------
    start, gold : int64 ndarray, shapes (n_words + 1,) and (n_words,)
        Candidates of word i are ``start[i] … start[i + 1] - 1``; gold is the place of the text's
        candidate among them.
    band : uint8 ndarray, shape (n_words,)
        Band of the word's training count.
    theta_ln, case_ln : float32 ndarray, shape (n_candidates,)
        log θ and log Φ, natural log.
    """
    cdef Output columns[N_COLUMNS]
    cdef Workspace work
    cdef Walk walk
    cdef int column
    if not compiled.model.omega.is_active:
        raise ValueError("observing needs a model of preset portage")
    memset(columns, 0, sizeof(columns))
    memset(&work, 0, sizeof(Workspace))
    begin_walk(&walk, &compiled.model, <const uint8_t*><const char*>text, len(text), NULL,
               INPUT_IGNORE, &work)
    try:
        with nogil:
            observe_text(&walk, &work, columns)
        check_status(&walk)
        ends = np.cumsum(values_of(columns + N_CANDIDATES, np.uint8), dtype=np.int64)
        return (
            np.concatenate([np.zeros(1, np.int64), ends]),
            values_of(columns + GOLD, np.uint8).astype(np.int64),
            values_of(columns + BAND, np.uint8),
            values_of(columns + THETA_LN, np.float32),
            values_of(columns + CASE_LN, np.float32),
        )
    finally:
        for column in range(N_COLUMNS):
            free(columns[column].bytes)
        free_workspace(&work)
