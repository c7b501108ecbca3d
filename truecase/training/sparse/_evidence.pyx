"""What a trained model's sparse features say of the words of a text, template by template.

The stages of a cascade are learned from it (`cascade.py`).
"""

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from truecase._core cimport (
    INPUT_IGNORE,
    CompiledModel,
    Walk,
    Workspace,
    begin_walk,
    edge_weights_of,
    find_best_path,
    free_workspace,
    next_piece,
    next_sentence,
    score,
)
from truecase.decode._edges cimport EdgeWeights, Edges, n_context
from truecase.features._cascade cimport WORD_IS_SETTLED
from truecase.features._fields cimport (
    MAX_TEMPLATES,
    N_NEIGHBOURS,
    fill_fields,
    hash_templates,
    is_rare,
)
from truecase.features._schema cimport N_FIELDS
from truecase.features._sparse cimport (
    MAX_ROWS,
    MAX_UNITS,
    N_SPARSE_TAGS,
    SparseView,
    activate,
    find_weights,
    has_choice,
    row_of,
    tag_number,
    tags_of,
    weigh_units,
)
from truecase.lattice._lattice cimport N_STATES, Lattice, Node
from truecase.runtime._status cimport STATUS_OK, STATUS_OUT_OF_MEMORY
from truecase.source._block cimport AlignedBlock
from truecase.source._phrase cimport AlignedText

from typing import NamedTuple

import numpy as np

__all__ = ["Evidence", "count_settled", "word_evidence"]


class Evidence(NamedTuple):
    """What speaks for each case of some words.

    Of the cases AL, IU, AU and MX, each with its best candidate; natural log.

    Attributes
    ----------
    whole : float32 ndarray, shape (n_words, 4)
        All that the candidate has, its neighbours being as the model has them, up to a constant
        for each word; -1e30 where a case has no candidate.
    prior : float32 ndarray, shape (n_words, 4)
        The form's unigram log-probability, weighted. It is not part of `whole`.
    own : float32 ndarray, shape (n_words, 4)
        What the candidate has without sparse features and edges.
    hidden : float32 ndarray, shape (n_words, 3)
    weights : float32 ndarray, shape (n_words, n_templates, 3)
        What the hidden layer and each template add to IU, AU and MX.
    """

    whole: np.ndarray
    prior: np.ndarray
    own: np.ndarray
    hidden: np.ndarray
    weights: np.ndarray


cdef enum:
    N_CASES = 1 + N_SPARSE_TAGS


cdef float weigh_edges(const EdgeWeights* weights, int order, const Edges* edges,
                       const Lattice* lattice, const Node* start, const int32_t* path,
                       int32_t word, int32_t c) noexcept nogil:
    """The weighted edges of a candidate of a word, its neighbours being as on the path."""
    cdef int32_t other, older, chosen
    cdef int k
    cdef int64_t place, inner
    cdef const Node* node
    cdef const Node* before
    cdef double total = 0.0
    for other in range(word, min(word + order, lattice.n_words)):
        if not edges.has_choice[other]:
            continue
        k = n_context(order, other)
        place = 0
        inner = 1
        for older in range(other, max(other - k, 0) - 1, -1):
            chosen = c if older == word else path[older]
            place += chosen * inner
            inner *= edges.width[older]
        total += weights.lm * edges.level[k].score[edges.level[k].start[other] + place]
        if other <= word + 1 and weights.has_transitions:
            node = lattice.nodes + lattice.first_node[other] + (c if other == word else path[other])
            before = start
            if other > 0:
                before = lattice.nodes + lattice.first_node[other - 1] + (
                    c if other - 1 == word else path[other - 1])
            total += weights.transition[N_STATES * before.state + node.state]
    return <float>total


cdef int32_t describe_sentence(const Walk* walk, Workspace* work, float* rows, int32_t room,
                               int64_t n_columns) noexcept nogil:
    """Rows of the words of a sentence that the search has been through; how many."""
    cdef const SparseView* sparse = &walk.model.sparse
    cdef Lattice* lattice = &work.lattice
    cdef const EdgeWeights* weights = edge_weights_of(walk.model, work)
    cdef uint64_t fields[N_FIELDS]
    cdef uint64_t hashes[MAX_TEMPLATES]
    cdef float weight[MAX_TEMPLATES]
    cdef float units[MAX_UNITS]
    cdef uint32_t row_numbers[MAX_ROWS]
    cdef float own[N_CASES]
    cdef float* row
    cdef int32_t word, i, n = 0, k
    cdef int t, tag
    cdef float value
    cdef const Node* node
    for word in range(walk.last - walk.first):
        if n == room or not has_choice(lattice, word) or is_rare(
                work.view.words[N_NEIGHBOURS + word].prior):
            continue
        row = rows + n * n_columns
        n += 1
        memset(row, 0, n_columns * sizeof(float))
        fill_fields(&work.view, walk.text, work.tokens.tokens + walk.first, word,
                    word == walk.initial, walk.model.turkic, fields)
        hash_templates(&sparse.templates, False, fields, hashes)
        for t in range(N_CASES):
            row[t] = -1e30
        for t in range(N_SPARSE_TAGS):
            own[1 + t] = 0.0
        own[0] = 0.0
        if sparse.hidden.n_units:
            for i in range(sparse.hidden.n_fields):
                row_numbers[i] = row_of(sparse.hidden.n_rows, fields[sparse.hidden.field[i]])
            activate(&sparse.hidden, row_numbers, units)
        for t in range(N_SPARSE_TAGS):
            if tags_of(lattice, word) >> t & 1:
                find_weights(&sparse.tables[t], hashes, sparse.templates.n, weight)
                row[3 * N_CASES + t] = 0.0
                if sparse.hidden.n_units:
                    row[3 * N_CASES + t] = weigh_units(
                        sparse.hidden.out + t * sparse.hidden.n_units, units,
                        sparse.hidden.n_units)
                own[1 + t] = row[3 * N_CASES + t]
                for i in range(sparse.templates.n):
                    row[3 * N_CASES + (1 + i) * N_SPARSE_TAGS + t] = weight[i]
                    own[1 + t] += weight[i]
        for i in range(lattice.first_node[word], lattice.first_node[word + 1]):
            k = i - lattice.first_node[word]
            if k >= work.viterbi.edges.width[word]:
                break
            node = lattice.nodes + i
            tag = 1 + tag_number(node.tag)
            value = node.score + weigh_edges(
                weights, walk.model.lm.order, &work.viterbi.edges, lattice, &walk.model.start,
                work.viterbi.path, word, k)
            if value > row[tag]:
                row[tag] = value
                row[N_CASES + tag] = <float>weights.lm * node.lm
                row[2 * N_CASES + tag] = node.score - own[tag]
    return n


cdef int check_walk(const Walk* walk) except -1:
    if walk.status == STATUS_OUT_OF_MEMORY:
        raise MemoryError(f"no memory left at line {walk.line} of the text")
    if walk.status != STATUS_OK:
        raise ValueError(f"line {walk.line} of the text is 2 GiB or longer")
    return 0


cdef const AlignedText* text_of(AlignedBlock block) noexcept:
    return NULL if block is None else &block.aligned


def word_evidence(CompiledModel model, bytes text, int32_t most, AlignedBlock source=None):
    """What speaks for each case of the words of a text that a cascade may decide.

    Parameters
    ----------
    model : CompiledModel
        With sparse features and n-grams, without a cascade.
    text : bytes
        UTF-8 text, lines separated by LF.
    most : int
        Words are left out after so many.
    source : AlignedBlock, optional
        Of its lines.

    Returns
    -------
    Evidence

    Raises
    ------
    ValueError
        The model has no sparse features, or no n-grams but words; or a line is 2 GiB or longer.
    MemoryError
    """
    cdef Walk walk
    cdef Workspace work
    cdef int64_t n_templates = model.model.sparse.templates.n
    cdef int64_t n_columns = 3 * N_CASES + (1 + n_templates) * N_SPARSE_TAGS
    cdef const uint8_t* data = <const uint8_t*><const char*>text
    cdef size_t size = len(text)
    cdef const AlignedText* aligned = text_of(source)
    cdef int32_t n = 0
    if not model.model.sparse.present or model.model.lm.order < 2:
        raise ValueError("the model has no sparse features, or no n-grams but words")
    out = np.zeros((most, n_columns), np.float32)
    cdef float[:, ::1] rows = out
    if most and text:
        memset(&work, 0, sizeof(Workspace))
        try:
            with nogil:
                begin_walk(&walk, &model.model, data, size, aligned, INPUT_IGNORE, &work)
                while n < most and next_piece(&walk, &work):
                    while n < most and next_sentence(&walk, &work):
                        walk.status = score(&walk, True, &work)
                        if walk.status == STATUS_OK:
                            walk.status = find_best_path(&walk, &work)
                        if walk.status == STATUS_OK:
                            n += describe_sentence(&walk, &work, &rows[n, 0], most - n, n_columns)
        finally:
            free_workspace(&work)
        check_walk(&walk)
    out = out[:n]
    cases = out[:, :3 * N_CASES].reshape(n, 3, N_CASES)
    sparse = out[:, 3 * N_CASES:].reshape(n, 1 + n_templates, N_SPARSE_TAGS)
    return Evidence(cases[:, 0], cases[:, 1], cases[:, 2], sparse[:, 0], sparse[:, 1:])


def count_settled(CompiledModel model, bytes text, AlignedBlock source=None):
    """How many words of a text a model's cascade settles.

    Parameters
    ----------
    model : CompiledModel
    text : bytes
        UTF-8 text, lines separated by LF.
    source : AlignedBlock, optional
        Of its lines.

    Returns
    -------
    words, with_choice, settled : int
        All words as the model cuts them; those with several candidates; and of these, those that
        get no features but those of the estimate.

    Raises
    ------
    ValueError
        A line is 2 GiB or longer.
    MemoryError
    """
    cdef Walk walk
    cdef Workspace work
    cdef const uint8_t* data = <const uint8_t*><const char*>text
    cdef size_t size = len(text)
    cdef const AlignedText* aligned = text_of(source)
    cdef int64_t n_words = 0, n_choices = 0, n_settled = 0
    cdef int32_t word
    if not size:
        return 0, 0, 0
    memset(&work, 0, sizeof(Workspace))
    try:
        with nogil:
            begin_walk(&walk, &model.model, data, size, aligned, INPUT_IGNORE, &work)
            while next_piece(&walk, &work):
                while next_sentence(&walk, &work):
                    walk.status = score(&walk, True, &work)
                    for word in range(walk.last - walk.first):
                        n_words += 1
                        n_choices += has_choice(&work.lattice, word)
                        if walk.status == STATUS_OK and work.settled.is_used:
                            n_settled += work.settled.word[word] == WORD_IS_SETTLED
        check_walk(&walk)
        return n_words, n_choices, n_settled
    finally:
        free_workspace(&work)
