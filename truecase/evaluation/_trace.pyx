"""Copies the lattices of one line, with scores, features and posteriors, into Python objects.

Decoding computes all of these; this module reads its structs, and speed does not matter.
"""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int32_t, uint8_t
from libc.string cimport memset

from truecase._core cimport (
    INPUT_EVIDENCE, CompiledModel, GivenCase, Walk, apply_all_rules, apply_rules, check_status,
    edge_weights_of, given_bonus, given_case
)
from truecase.evaluation._posteriors cimport Sentences, render_as, room_of
from truecase.kernels._calibration cimport Form
from truecase.kernels._dense cimport WordContext, compute_context, mark_column, node_columns
from truecase.kernels._edges cimport count_edges, move_transitions, n_context, neighbour_ln
from truecase.kernels._lattice cimport MAX_CANDIDATES, candidates_of, tag_code
from truecase.kernels._names cimport NAME_LIKELY, name_bonus
from truecase.kernels._network cimport N_NETWORK_CASES, PUT_ASIDE, case_number
from truecase.kernels._omega cimport OMEGA_POWERS, count_band
from truecase.kernels._schema cimport N_NODE_COLUMNS, N_SOURCE_COLUMNS
from truecase.kernels._source_features cimport SourceContext, compute_source, source_columns
from truecase.kernels._structs cimport (
    NODE_CLASS, NODE_DROPPED, NODE_NAME, NODE_PARTS, NODE_RAISED, NODE_UNSEEN, N_STATES, DenseView,
    EdgeWeights, Edges, Lattice, Level, Node, Omega, SourceSide, Token
)
from truecase.model._view cimport ModelView

from dataclasses import replace

import numpy as np

from truecase.evaluation.explanation import (
    Candidate, Contribution, SentenceTrace, Word, WordTrace
)
from truecase.kernels import schema as features
from truecase.kernels.text import TAGS
from truecase.options import DEFAULT_CASING


def trace_line(CompiledModel compiled, bytes line, casing=DEFAULT_CASING, source=None,
               phrases=None):
    """Decode one line, without its line feed, and copy what decoding computes.

    The parameters are those of `CompiledModel.case_block`.

    Returns
    -------
    order : int
        Length of the language model's n-grams.
    lm_weight : float
        Weight of the log-probabilities in `WordTrace.edges`.
    sentences : list of SentenceTrace
        The last word of each is ``</s>``; `path` has a candidate for each word.
    """
    if not line:
        source = phrases = None
    cdef Sentences at = Sentences(compiled, line, casing, source, phrases, True)
    cdef bint more = True
    at.is_by_rule = False
    sentences = []
    while more:
        with nogil:
            more = at.advance()
        if more:
            sentences.append(_sentence(at))
    check_status(&at.walk)
    return (compiled.model.lm.order, edge_weights_of(&compiled.model, &at.work).lm, sentences)


cdef object _sentence(Sentences at):
    cdef Lattice* lattice = &at.work.lattice
    cdef int32_t word
    path = [at.work.viterbi.path[word] for word in range(lattice.n_words)]
    words = [_word(at, word) for word in range(lattice.n_words)]
    # The posteriors of forms as they come out.
    apply_all_rules(&at.walk, True, &at.work)
    words = [
        traced._replace(word=replace(traced.word, posterior=_posterior(at, word)))
        for word, traced in enumerate(words)
    ]
    return SentenceTrace(words, path)


cdef double _posterior(Sentences at, int32_t word):
    """The probability of a word's form in the output; 1 at the end of the sentence."""
    cdef Form[MAX_CANDIDATES] forms
    if word == at.work.lattice.n_words - 1:
        return 1.0
    at.forms_of(word, forms)
    return forms[0].posterior


# The context of a word, from which the features of its candidates are computed.
cdef struct Context:
    const DenseView* dense
    const Token* token           # NULL at the end of the sentence
    bint has_source
    bint is_weighed              # by dense features; words with one candidate are not
    WordContext word
    SourceContext source


cdef void _find_context(Sentences sentence, int32_t word, Context* at):
    cdef const Walk* walk = &sentence.walk
    cdef const ModelView* model = walk.model
    cdef const Token* tokens = sentence.work.tokens.tokens + walk.first
    cdef SourceSide* side = &sentence.work.side
    cdef Lattice* lattice = &sentence.work.lattice
    cdef int32_t n = lattice.first_node[word + 1] - lattice.first_node[word]
    memset(at, 0, sizeof(Context))
    at.has_source = model.source.is_active and side.aligned != NULL
    at.dense = &model.dense_with_source if at.has_source else &model.dense
    at.is_weighed = model.dense.is_active and n > 1
    if word == lattice.n_words - 1:
        return
    at.token = tokens + word
    if at.is_weighed:
        compute_context(at.dense, &model.lexicon, lattice, walk.text, tokens, word,
                        walk.initial, NULL, &at.word)
    if at.has_source and n > 1:
        compute_source(&model.source, side, walk.first + word, word == walk.initial, &at.source)


cdef object _word(Sentences sentence, int32_t word):
    cdef const Walk* walk = &sentence.walk
    cdef const ModelView* model = walk.model
    cdef Lattice* lattice = &sentence.work.lattice
    cdef Edges* edges = &sentence.work.viterbi.edges
    cdef int32_t c, n
    cdef const Node* node = candidates_of(lattice, word, &n)
    cdef Node chosen = node[sentence.work.viterbi.path[word]]
    cdef Context at
    _find_context(sentence, word, &at)
    if model.lm.order > 1:
        n = edges.width[word]
    candidates = [
        Candidate(
            _decode(_render(walk, at.token, node + c)), TAGS[node[c].tag],
            _training_count(node[c].count),
            tuple([Contribution(*column) for column in _all_columns(sentence, word, &at, n, c)]),
            node[c].score, sentence.work.passes.posterior[lattice.first_node[word] + c],
            c == sentence.work.viterbi.path[word],
            bool(node[c].flags & NODE_RAISED), bool(node[c].flags & NODE_NAME),
        )
        for c in range(n)
    ]
    scores = np.array([node[c].lm for c in range(n)], np.float32)
    if model.lm.order > 1:
        scores = _edge_scores(model.lm.order, edges, word)
    decided = _render(walk, at.token, &chosen)
    text = b""
    if at.token != NULL:
        text = (<const char*>walk.text)[at.token.start:at.token.end]
        apply_rules(&sentence.walk, word, &chosen, 1, &sentence.work)
    output = _render(walk, at.token, &chosen)
    return WordTrace(
        Word(_decode(text), _decode(output), tuple(candidates), scores is not None,
             output != decided, at.token == NULL),
        scores, _transitions(model, edge_weights_of(model, &sentence.work), lattice, edges, word),
    )


def _training_count(code):
    """The count of a code, which is eight times the binary logarithm of the count plus one."""
    return round(2.0 ** (code / 8.0) - 1.0)


def _decode(text):
    return text.decode("utf-8", "replace")


cdef list _all_columns(Sentences sentence, int32_t word, const Context* at, int32_t n, int32_t c):
    """Name, value and weight of each feature of candidate `c` of `n`."""
    cdef const ModelView* model = sentence.walk.model
    cdef Lattice* lattice = &sentence.work.lattice
    cdef int32_t i = sentence.walk.first + word
    cdef const Node* node = lattice.nodes + lattice.first_node[word] + c
    cdef GivenCase came
    cdef float given = 0.0
    if at.token != NULL and n > 1 and sentence.walk.piece_case == INPUT_EVIDENCE:
        came = given_case(&sentence.walk, &sentence.work, word)
        given = given_bonus(&sentence.walk, &came, node)
    columns = []
    if at.is_weighed:
        columns = _dense_columns(at.dense, &at.word, node)
    elif model.omega.is_active:
        if n > 1:
            columns = _omega_columns(&model.omega, lattice.record[word] != 0, node - c, n, c, given)
    elif at.token != NULL and not model.dense.is_active:
        columns = _columns(model, at.token, node)
    if at.has_source and at.token != NULL and n > 1:
        columns += _source_columns(&at.source, sentence.work.side.is_whole, node)
    if node.flags & NODE_NAME and sentence.work.named.tokens[i].kind == NAME_LIKELY:
        bonus = name_bonus(&model.names, sentence.work.named.tokens + i, node)
        columns.append(("names_list", 1.0, bonus))
    if given:
        columns.append(("as_given", 1.0, given))
    if node.form_bonus:
        columns.append(("composed", 1.0, node.form_bonus))
    if node.speech_bonus:
        columns.append(("spoken", 1.0, node.speech_bonus))
    if node.flags & NODE_DROPPED:
        columns.append(("settled", 1.0, -<int>PUT_ASIDE))
    if model.network.is_active and n > 1:
        bonus = sentence.work.network.score[N_NETWORK_CASES * word + case_number(node.tag)]
        columns.append(("network", 1.0, bonus))
    return columns


cdef bytes _render(const Walk* walk, const Token* token, const Node* node):
    """The word as a node has it; empty at the end of the sentence."""
    cdef bytes out
    if token == NULL:
        return b""
    out = PyBytes_FromStringAndSize(NULL, room_of(token))
    return out[:render_as(walk, token, node.tag, node.upper_mask, <uint8_t*><char*>out)]


cdef object _columns(const ModelView* model, const Token* token, const Node* node):
    """The features of a model whose features have no learned weights."""
    columns = []
    if node.flags & NODE_CLASS:
        columns.append((
            "class_token",
            model.lexicon.classes[token.word_class][tag_code(node.state)].log_word_given_class,
            1.0,
        ))
    if node.flags & NODE_UNSEEN:
        columns.append(("unseen_form", 1.0, model.lexicon.unseen_form))
    if node.flags & NODE_PARTS:
        columns.append(("hyphen_parts", 1.0, model.lexicon.parts_bonus))
    return columns


cdef list _products(object names, const float* value, const float* weight, int n):
    """Name, value and weight of features whose product is not 0."""
    cdef int k
    return [
        (names[k], value[k], weight[k]) for k in range(n) if value[k] != 0.0 and weight[k] != 0.0
    ]


cdef object _dense_columns(const DenseView* dense, const WordContext* at, const Node* node):
    """The dense features whose product is not 0."""
    cdef float value[N_NODE_COLUMNS]
    cdef int mark = mark_column(at, node)
    node_columns(at, node, value)
    columns = _products(features.NODE_COLUMNS, value, dense.weight, N_NODE_COLUMNS)
    if mark >= 0 and dense.mark_weight[mark] != 0.0:
        columns.append((features.mark_columns()[mark], 1.0, dense.mark_weight[mark]))
    return columns


cdef object _source_columns(const SourceContext* at, bint is_whole, const Node* node):
    """The features of the source whose product is not 0."""
    cdef float value[N_SOURCE_COLUMNS]
    cdef const float* weight = at.model.weight[at.side.sentence.kind][is_whole]
    source_columns(at, node, value)
    return _products(features.SOURCE_COLUMNS, value, weight, N_SOURCE_COLUMNS)


cdef object _omega_columns(const Omega* omega, bint is_known, const Node* node, int32_t n,
                           int32_t c, double given):
    """The feature of the preset portage: Φ, or Π of words that training has not seen.

    The score includes the bonus `given`.
    """
    cdef double beta = 1.0, score = node[c].score - given
    if not is_known:
        return [("unknown_word", score, 1.0)]
    if omega.variant == OMEGA_POWERS:
        beta = omega.beta[count_band(omega, node, n)]
    return [("case_given_word", score / beta, beta)] if beta != 0.0 else []


cdef object _edge_scores(int order, const Edges* edges, int32_t word):
    """Log-probabilities, an axis for each word of the history and one for the candidates.

    None if the search skips the word.
    """
    cdef const Level* level = &edges.level[n_context(order, word)]
    cdef int k
    if not edges.has_choice[word]:
        return None
    scores = np.array(<const float[:count_edges(edges, order, word)]>(
        level.score + level.start[word]))
    shape = [
        edges.width[word - k] if word >= k else 1 for k in range(n_context(order, word), -1, -1)
    ]
    return scores.reshape(shape)


cdef object _transitions(const ModelView* model, const EdgeWeights* weights, const Lattice* lattice,
                         const Edges* edges, int32_t word):
    """The weights of transitions, [candidate before, candidate], each with its features.

    None if the model has no transitions.
    """
    cdef const Node* node = lattice.nodes + lattice.first_node[word]
    cdef const Node* before = &model.start
    cdef int32_t b, c, n_before = 1
    cdef EdgeWeights moved = weights[0]
    if not weights.has_transitions or model.lm.order == 1:
        return None
    if word > 0:
        before = lattice.nodes + lattice.first_node[word - 1]
        n_before = edges.width[word - 1]
        if weights.has_neighbour_case:
            move_transitions(weights, lattice.neighbour_case + 4 * (word - 1),
                             lattice.neighbour_case + 4 * word, &moved)
    return [
        [(moved.transition[N_STATES * before[b].state + node[c].state],
          _transition_columns(weights, lattice, word, before[b].state, node[c].state))
         for c in range(edges.width[word])]
        for b in range(n_before)
    ]


cdef object _transition_columns(const EdgeWeights* weights, const Lattice* lattice, int32_t word,
                                int before, int now):
    columns = []
    cdef double weight = weights.transition[N_STATES * before + now]
    if weight != 0.0:
        name = f"transition:{features.STATES[before]}>{features.STATES[now]}"
        columns.append((name, 1.0, weight))
    # States 1 to 3 are upper case, 0 is lower (`move_transitions`).
    if weights.has_neighbour_case and word > 0 and before < 4 and now < 4:
        if now:
            columns.append((features.NEIGHBOUR_CASE_COLUMNS[0],
                            neighbour_ln(lattice.neighbour_case[4 * word + (0 if before else 1)]),
                            weights.after_case))
        if before:
            columns.append((features.NEIGHBOUR_CASE_COLUMNS[1],
                            neighbour_ln(lattice.neighbour_case[4 * word - (2 if now else 1)]),
                            weights.before_case))
    return [column for column in columns if column[1] and column[2]]
