"""Observations for Ω's parameters: θ and Φ of every candidate, and which of them is right.

The lattices are those of decoding; the history of each word is the text's case.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, int64_t, uint64_t, uint8_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from truecase._core cimport (
    INPUT_IGNORE, CompiledModel, Walk, Workspace, begin_walk, free_workspace, next_piece,
    next_sentence
)
from truecase.base._memory cimport STATUS_OK, STATUS_OUT_OF_MEMORY, grow
from truecase.kernels._edges cimport n_context, score_edges
from truecase.kernels._lattice cimport gold_candidates
from truecase.kernels._omega cimport MAX_FORMS, OMEGA_PRODUCT, count_band, log_sum, score_cases
from truecase.kernels._structs cimport Node, Omega, Token
from truecase.kernels._unicode cimport TAG_AL, TAG_IU
from truecase.model._view cimport ModelView

import numpy as np


__all__ = ["observe"]


cdef struct Observations:        # growing columns
    float* theta_ln              # of each candidate
    float* case_ln
    int64_t n_values
    int64_t value_capacity
    int64_t* start               # of each word; its candidates
    uint8_t* gold
    uint8_t* band
    int64_t n_words
    int64_t word_capacity


cdef void free_observations(Observations* seen) noexcept nogil:
    free(seen.theta_ln)
    free(seen.case_ln)
    free(seen.start)
    free(seen.gold)
    free(seen.band)
    memset(seen, 0, sizeof(Observations))


cdef int reserve_word(Observations* seen, int32_t n_values) noexcept nogil:
    """Make room for one more word of `n_values` candidates; a Status."""
    cdef size_t wanted
    if seen.n_values + n_values > seen.value_capacity:
        wanted = 2 * <size_t>(seen.n_values + n_values) + 1024
        if (grow(<void**>&seen.theta_ln, wanted, sizeof(float)) != STATUS_OK
                or grow(<void**>&seen.case_ln, wanted, sizeof(float)) != STATUS_OK):
            return STATUS_OUT_OF_MEMORY
        seen.value_capacity = <int64_t>wanted
    if seen.n_words == seen.word_capacity:
        wanted = 2 * <size_t>seen.n_words + 256
        if (grow(<void**>&seen.start, wanted, sizeof(int64_t)) != STATUS_OK
                or grow(<void**>&seen.gold, wanted, 1) != STATUS_OK
                or grow(<void**>&seen.band, wanted, 1) != STATUS_OK):
            return STATUS_OUT_OF_MEMORY
        seen.word_capacity = <int64_t>wanted
    return STATUS_OK


cdef int32_t lowest_bit(uint64_t mask) noexcept nogil:
    cdef int32_t place = 0
    while not mask & 1:
        mask >>= 1
        place += 1
    return place


cdef int observe_sentence(const Walk* walk, const Omega* omega, int32_t* history,
                          Workspace* work, Observations* seen) noexcept nogil:
    """Append the words of the walk's sentence; `history` has room for its words; a Status."""
    cdef const ModelView* model = walk.model
    cdef const Token* tokens = work.tokens.tokens + walk.first
    cdef int32_t word, c, n, older
    cdef int64_t state
    cdef int context, order = model.lm.order
    cdef uint64_t gold
    cdef const Node* node
    cdef const float* edge
    cdef float p[MAX_FORMS]
    cdef float total
    cdef int status = STATUS_OK
    score_cases(omega, &model.lexicon, tokens, &work.lattice)
    if order > 1:
        status = score_edges(&model.lm, &work.lattice, &model.start, &work.viterbi.edges)
        if status != STATUS_OK:
            return status
    for word in range(work.lattice.n_words - 1):
        node = work.lattice.nodes + work.lattice.first_node[word]
        n = work.lattice.first_node[word + 1] - work.lattice.first_node[word]
        history[word] = 0
        gold = gold_candidates(&work.lattice, word, tokens + word)
        if word == walk.initial:
            # Its capital may come from its place and is no evidence. As history it gets its usual
            # case elsewhere, unless that is lowercase and the text has more than a capital.
            if gold and not (node[0].tag == TAG_AL
                             and tokens[word].tag == TAG_IU):
                history[word] = lowest_bit(gold)
            continue
        if gold:
            history[word] = lowest_bit(gold)
        if n == 1 or not gold or work.lattice.record[word] == 0:
            continue
        if order > 1:
            n = work.viterbi.edges.width[word]
            if history[word] >= n or n == 1:
                history[word] = 0
                continue
            context = n_context(order, word)
            state = 0
            for older in range(max(word - context, 0), word):
                state = state * work.viterbi.edges.width[older] + history[older]
            edge = (work.viterbi.edges.level[context].score
                    + work.viterbi.edges.level[context].start[word] + state * n)
            for c in range(n):
                p[c] = edge[c]
        else:
            for c in range(n):
                p[c] = node[c].lm
        status = reserve_word(seen, n)
        if status != STATUS_OK:
            return status
        total = log_sum(p, n)
        seen.start[seen.n_words] = seen.n_values
        seen.gold[seen.n_words] = <uint8_t>history[word]
        seen.band[seen.n_words] = <uint8_t>count_band(omega, node, n)
        seen.n_words += 1
        for c in range(n):
            seen.theta_ln[seen.n_values] = p[c] - total
            seen.case_ln[seen.n_values] = node[c].score
            seen.n_values += 1
    return STATUS_OK


cdef int observe_line(const ModelView* model, const uint8_t* line, size_t size, Workspace* work,
                      Observations* seen) noexcept nogil:
    cdef Omega omega = model.omega
    cdef Walk walk
    cdef int32_t* history
    omega.variant = OMEGA_PRODUCT
    begin_walk(&walk, model, line, size, NULL, INPUT_IGNORE, work)
    while next_piece(&walk, work):
        history = <int32_t*>malloc((<size_t>work.tokens.n + 1) * sizeof(int32_t))
        if history == NULL:
            return STATUS_OUT_OF_MEMORY
        while next_sentence(&walk, work):
            walk.status = observe_sentence(&walk, &omega, history, work, seen)
        free(history)
    return walk.status


def observe(CompiledModel compiled not None, lines):
    """θ and Φ of the words of a correctly cased text with several forms in the lexicon.

    Unknown words and first words of sentences are left out; `compiled` has preset ``portage``.

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
    cdef Observations seen
    cdef Workspace work
    cdef bytes text
    cdef const uint8_t* begin
    cdef size_t size
    cdef int status
    cdef int64_t i
    if not compiled.model.omega.is_active:
        raise ValueError("observing needs a model of preset portage")
    memset(&seen, 0, sizeof(Observations))
    memset(&work, 0, sizeof(Workspace))
    try:
        for line in lines:
            text = line
            begin = text
            size = len(text)
            with nogil:
                status = observe_line(&compiled.model, begin, size, &work, &seen)
            if status != STATUS_OK:
                raise MemoryError("no memory left to observe the development text")
        start = np.empty(seen.n_words + 1, np.int64)
        gold = np.empty(seen.n_words, np.int64)
        band = np.empty(seen.n_words, np.uint8)
        theta_ln = np.empty(seen.n_values, np.float32)
        case_ln = np.empty(seen.n_values, np.float32)
        start[seen.n_words] = seen.n_values
        for i in range(seen.n_words):
            start[i] = seen.start[i]
            gold[i] = seen.gold[i]
            band[i] = seen.band[i]
        for i in range(seen.n_values):
            theta_ln[i] = seen.theta_ln[i]
            case_ln[i] = seen.case_ln[i]
        return start, gold, band, theta_ln, case_ln
    finally:
        free_observations(&seen)
        free_workspace(&work)
