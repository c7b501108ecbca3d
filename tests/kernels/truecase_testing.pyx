"""Kernels and what they see, for the tests alone: tokens, paths over arrays, a source."""

from libc.stdint cimport int16_t, int32_t, int64_t, int8_t, uint32_t, uint64_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memset

from truecase._core cimport (
    INPUT_IGNORE, CompiledModel, OwnedWorkspace, Walk, Workspace, begin_walk, bytes_of_workspace,
    free_workspace, next_piece, next_sentence
)
from truecase.base._memory cimport (
    STATUS_OK, TEXT_PADDING, Arena, free_arena, grow, reset_arena, take
)
from truecase.kernels._components cimport TranslationTables
from truecase.kernels._edges cimport score_edges
from truecase.kernels._forward_backward cimport ForwardBackward, forward_backward
from truecase.kernels._lattice cimport MAX_CANDIDATES, free_lattice, reserve_nodes, reserve_words
from truecase.kernels._maps cimport (
    PackedSlots, add_heads, find_from, find_head, find_slot, free_heads, point_at
)
from truecase.kernels._ngrams cimport NgramScorer
from truecase.kernels._omega cimport combine_edges, walk_left_to_right
from truecase.kernels._recurrent cimport (
    ByteMatrix, add_byte_products_by, best_byte_way, byte_place, next_groups_by,
    round_byte_products_by
)
from truecase.kernels._render cimport case_room, hyphenated_parts, render_token, write_surface
from truecase.kernels._schema cimport N_SOURCE_COLUMNS
from truecase.kernels._segment cimport segment_line
from truecase.kernels._source cimport (
    AlignedBlock, free_source, noun_words, segment_source, select_phrase, select_whole,
    summarise_sentence
)
from truecase.kernels._source_features cimport (
    SourceContext, add_source_scores, compute_source, source_columns
)
from truecase.kernels._structs cimport (
    NODE_CLASS, NODE_SOURCE, N_BANDS, N_STATES, N_TAGS, STATE_START, TOKEN_KEEPS, TOKEN_LOWERS,
    TOKEN_MARKUP, EdgeWeights, Edges, Lattice, NgramView, Node, Omega, SentenceCase, SourceLine,
    SourcePhrase, Token, TokenArray, TranslationTable, Viterbi
)
from truecase.kernels._tokens cimport SEGMENT_RAW, form_hash, free_tokens
from truecase.kernels._translation cimport (
    look_up_phrase, pair_hash, source_hash, tag_mass, tag_translation_ln, target_hash,
    translation_ln, value_of
)
from truecase.kernels._unicode cimport class_of, has_case, has_no_capital, hash_bytes, mix
from truecase.kernels._viterbi cimport search_edges
from truecase.training._dense_objective cimport FlatLattices, TrainingLattices
from truecase.rules._language cimport Line, RulesView, SpeechCase, speech_case, view_rules

import numpy as np
from typing import NamedTuple

from truecase.kernels._segment import SEGMENTATIONS, WORD_CLASSES
from truecase.kernels.schema import SOURCE_COLUMNS
from truecase.kernels.text import TAGS, is_turkic


__all__ = ["KINDS", "VARIANTS", "SeenCandidate", "SeenPhrase", "SeenSentence", "SeenWord",
           "SegmentedToken", "byte_products", "character_class", "find", "flat_arrays",
           "form_identity", "grow_in_steps", "hash_of", "is_cased", "is_without_capital",
           "kept_bytes", "kind_of_line", "look_at_source", "mix_hash", "omega_path", "posteriors",
           "render", "segment", "sentences", "source_line", "spoken_cases", "table_features",
           "table_probabilities", "take_in_rounds", "viterbi_path"]


# --- paths over arrays -----------------------------------------------------------------------


cdef int fill_lattice(Lattice* lattice, const int32_t[::1] first_node, const uint64_t[::1] form,
                      const float[::1] lm, const float[::1] backoff, const float[::1] score,
                      const uint8_t[::1] state) except -1:
    """Check the arrays and copy them to an empty lattice, which its owner frees."""
    cdef int32_t n_words = <int32_t>first_node.shape[0] - 1, i
    cdef Py_ssize_t n_nodes = form.shape[0]
    cdef int status
    if n_words < 1 or first_node[0] != 0 or first_node[n_words] != n_nodes:
        raise ValueError("first_node does not span the nodes")
    if (lm.shape[0] != n_nodes or backoff.shape[0] != n_nodes or score.shape[0] != n_nodes
            or (state is not None and state.shape[0] != n_nodes)):
        raise ValueError("the nodes' arrays differ in length")
    for i in range(n_words):
        if not 1 <= first_node[i + 1] - first_node[i] <= MAX_CANDIDATES:
            raise ValueError(f"word {i} has {first_node[i + 1] - first_node[i]} candidates")
    status = reserve_words(lattice, n_words)
    if status == STATUS_OK:
        status = reserve_nodes(lattice, <int32_t>n_nodes)
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
        lattice.nodes[i].state = 0
        if state is not None:
            if state[i] >= N_STATES:
                raise ValueError(f"node {i} has the state {state[i]}")
            lattice.nodes[i].state = state[i]
    return 0


cdef int fill_weights(EdgeWeights* weights, float lm,
                      const float[:, ::1] transition) except -1:
    cdef int i, j
    memset(weights, 0, sizeof(EdgeWeights))
    weights.lm = lm
    if transition is not None:
        if transition.shape[0] != N_STATES or transition.shape[1] != N_STATES:
            raise ValueError(f"transition weights: expected {N_STATES} x {N_STATES}")
        weights.has_transitions = True
        for i in range(<int>N_STATES):
            for j in range(<int>N_STATES):
                weights.transition[N_STATES * i + j] = transition[i, j]
    return 0


cdef class _Sentence:
    """A lattice made of arrays, and all that is decoded with it."""

    cdef Lattice lattice
    cdef Edges edges
    cdef Viterbi viterbi
    cdef ForwardBackward passes
    cdef EdgeWeights weights
    cdef Node start

    def __cinit__(self, const int32_t[::1] first_node, const uint64_t[::1] form,
                  const float[::1] lm, const float[::1] backoff, const float[::1] score,
                  const uint8_t[::1] state, uint64_t start_form, float start_backoff,
                  float lm_weight, const float[:, ::1] transition):
        self.start.form = start_form
        self.start.backoff = start_backoff
        self.start.state = STATE_START
        fill_weights(&self.weights, lm_weight, transition)
        fill_lattice(&self.lattice, first_node, form, lm, backoff, score, state)

    def __dealloc__(self):
        free_lattice(&self.lattice)
        free_arena(&self.edges.arena)
        free_arena(&self.viterbi.edges.arena)
        free_arena(&self.passes.arena)

    cdef object path(self, int status):
        """The path that a search has left, if it went well."""
        cdef int32_t i
        if status != STATUS_OK:
            raise MemoryError("no memory left to decode the lattice")
        path = np.empty(self.lattice.n_words, dtype=np.int32)
        for i in range(self.lattice.n_words):
            path[i] = self.viterbi.path[i]
        return path


cdef int decode_viterbi(const NgramView* lm, const EdgeWeights* weights, const Lattice* lattice,
                        const Node* sentence_start, Viterbi* viterbi) noexcept nogil:
    cdef int status = STATUS_OK
    if lm.order > 1:
        status = score_edges(lm, lattice, sentence_start, &viterbi.edges)
    if status != STATUS_OK:
        return status
    return search_edges(lm.order, weights, lattice, sentence_start, viterbi)


def viterbi_path(NgramScorer scorer, const int32_t[::1] first_node, const uint64_t[::1] form,
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
    cdef _Sentence at = _Sentence(first_node, form, lm, backoff, score, state, start_form,
                                  start_backoff, lm_weight, transition)
    cdef int status
    with nogil:
        status = decode_viterbi(&scorer.lm, &at.weights, &at.lattice, &at.start, &at.viterbi)
    return at.path(status)


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
        As of `viterbi_path`.
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
    cdef _Sentence at = _Sentence(first_node, form, lm, backoff, score, state, start_form,
                                  start_backoff, lm_weight, transition)
    cdef const uint64_t* mask = NULL
    cdef int status = STATUS_OK
    cdef int32_t i, j
    if allowed is not None:
        if allowed.shape[0] != at.lattice.n_words:
            raise ValueError("the masks are not as many as the words")
        mask = &allowed[0]
    with nogil:
        if scorer.lm.order > 1:
            status = score_edges(&scorer.lm, &at.lattice, &at.start, &at.edges)
        if status == STATUS_OK:
            status = forward_backward(scorer.lm.order, &at.weights, &at.lattice, &at.edges,
                                      &at.start, mask, &at.passes)
    if status != STATUS_OK:
        raise MemoryError("no memory left for the lattice")
    posterior = np.empty(at.lattice.n_nodes)
    for i in range(at.lattice.n_nodes):
        posterior[i] = at.passes.posterior[i]
    expected = np.empty((N_STATES, N_STATES))
    for i in range(<int>N_STATES):
        for j in range(<int>N_STATES):
            expected[i, j] = at.passes.expected.transition[N_STATES * i + j]
    return at.passes.log_z, posterior, at.passes.expected.lm, expected


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


def omega_path(NgramScorer scorer, const int32_t[::1] first_node, const uint64_t[::1] form,
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
        See `truecase/kernels/_omega.pxd`.
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
    cdef _Sentence at = _Sentence(first_node, form, lm, backoff, case_ln, None, start_form,
                                  start_backoff, 1.0, None)
    cdef Omega omega
    cdef int status
    cdef int32_t i
    memset(&omega, 0, sizeof(Omega))
    omega.is_active = True
    omega.variant = VARIANTS.index(variant)
    omega.joint = joint
    omega.left_to_right = left_to_right
    omega.lm_share = lm_share
    for i in range(N_BANDS):
        omega.alpha[i] = alpha
    if known.shape[0] != at.lattice.n_words:
        raise ValueError("one entry of known for each word expected")
    for i in range(at.lattice.n_words):
        at.lattice.record[i] = known[i]
    for i in range(at.lattice.n_nodes):
        at.lattice.nodes[i].count = 0
    with nogil:
        status = decode_omega(&omega, &scorer.lm, &at.weights, &at.lattice, &at.start, &at.viterbi)
    return at.path(status)


# --- what is seen of a source ----------------------------------------------------------------


def source_line(bytes text, int segmentation, bint turkic, words=None, bint of_words=True,
                int place=0, int n_target=1):
    """What a target token sees of its source line.

    Parameters
    ----------
    text : bytes
        One line without its end.
    segmentation : int
        0 space, 1 raw.
    turkic : bool
        Casing of the source language.
    words : sequence of int, optional
        Source words of the target token's word; by default the whole line.
    of_words : bool
        Whether the target token is a word.
    place, n_target : int
        Where it stands among how many.

    Returns
    -------
    tokens : list of bytes
    first_token : list of int
        One per word, and their number of tokens.
    forms : list of int
        Identity of each token's surface form.
    phrase : list of int
        The tokens that count for the target token.
    """
    cdef SourceLine line
    cdef bytes padded = text + bytes(TEXT_PADDING)
    cdef const uint8_t* start = padded
    cdef int32_t[::1] chosen
    cdef int32_t i
    memset(&line, 0, sizeof(SourceLine))
    try:
        if segment_source(start, 0, len(text), segmentation, turkic, &line) != STATUS_OK:
            raise MemoryError("no memory left to segment the source line")
        if words is None:
            select_whole(&line, place, n_target, of_words)
        elif len(words):
            from array import array
            chosen = array("i", words)
            select_phrase(&line, &chosen[0], chosen.shape[0], of_words)
        tokens = [text[line.tokens.tokens[i].start:line.tokens.tokens[i].end]
                  for i in range(line.tokens.n)]
        first_token = [line.words.first_token[i] for i in range(line.words.n_words + 1)]
        forms = [line.forms[i].form for i in range(line.tokens.n)]
        phrase = [line.phrase[i] for i in range(line.n_phrase)]
        return tokens, first_token, forms, phrase
    finally:
        free_source(&line)


class SeenSentence(NamedTuple):
    """``SentenceCase`` of `_side.pxd`."""

    first_tag: str
    all_upper: bool
    upper_share: int
    first_token: int
    kind: str                    # of `KINDS`


class SeenPhrase(NamedTuple):
    """``SourcePhrase`` of `_side.pxd`."""

    tags: frozenset
    inner_tags: frozenset
    main_tag: str
    is_aligned: bool
    starts_upper: bool
    all_upper: bool
    same: tuple                  # (tag, upper mask) of each form of the same word
    copy_is_first: bool
    copy_is_in_run: bool


class SeenCandidate(NamedTuple):
    tag: str
    state: str
    upper_mask: int
    is_of_source: bool           # proposed by the source alone
    is_in_lexicon: bool
    columns: dict                # value by name
    score: float                 # that the columns add


class SeenWord(NamedTuple):
    phrase: SeenPhrase
    is_initial: bool
    candidates: list


def look_at_source(CompiledModel compiled not None, bytes line not None, bytes source not None,
                   phrases=None):
    """Phrases, candidates and source columns of the words of one sentence.

    Parameters
    ----------
    compiled : CompiledModel
        Of a preset that looks at the source.
    line, source : bytes
        Each without its line end; `line` is taken for one sentence.
    phrases : Phrases, optional
        Of the one line.

    Returns
    -------
    sentence : SeenSentence
    words : list of SeenWord
        One for each token. Columns of words without a choice are computed, too, but not scored.

    Raises
    ------
    ValueError
        The model does not look at the source, or the line has not as many words as `phrases`.
    """
    cdef Walk walk
    cdef Workspace work
    cdef SourceContext at
    cdef bytes block = line + b"\n"
    cdef AlignedBlock aligned = AlignedBlock(block, source + b"\n", phrases)
    cdef float value[N_SOURCE_COLUMNS]
    cdef Node* node
    cdef int32_t i, j, k, n
    if not compiled.model.source.is_active:
        raise ValueError("the model does not look at the source")
    memset(&work, 0, sizeof(Workspace))
    try:
        begin_walk(&walk, &compiled.model, block, len(block), &aligned.aligned, INPUT_IGNORE, &work)
        walk.is_one_sentence = True
        more = next_piece(&walk, &work)
        # That a line's source is empty hides it otherwise.
        work.side.aligned = &aligned.aligned
        if not more or not next_sentence(&walk, &work):
            if walk.status != STATUS_OK:
                raise ValueError("the line has not as many words as are aligned, or is too long")
            return _sentence(&work.side.sentence), []
        n = walk.last
        words = []
        for i in range(n):
            compute_source(&compiled.model.source, &work.side, i, i == walk.initial, &at)
            candidates = []
            for j in range(work.lattice.first_node[i], work.lattice.first_node[i + 1]):
                node = work.lattice.nodes + j
                source_columns(&at, node, value)
                candidates.append(SeenCandidate(
                    TAGS[node.tag], TAGS[node.state], node.upper_mask,
                    bool(node.flags & NODE_SOURCE), not node.flags & NODE_CLASS,
                    {SOURCE_COLUMNS[k]: value[k] for k in range(N_SOURCE_COLUMNS)}, 0.0,
                ))
                node.score = 0.0
            words.append(SeenWord(_phrase(work.side.phrase + i), i == walk.initial, candidates))
        add_source_scores(&compiled.model.source, &work.side, &work.lattice, 0, walk.initial)
        for i, word in enumerate(words):
            j = work.lattice.first_node[i]
            word.candidates[:] = [
                candidate._replace(score=work.lattice.nodes[j + k].score)
                for k, candidate in enumerate(word.candidates)
            ]
        return _sentence(&work.side.sentence), words
    finally:
        free_workspace(&work)


cdef object _sentence(const SentenceCase* sentence):
    return SeenSentence(TAGS[sentence.first_tag], bool(sentence.all_upper),
                        sentence.upper_share, sentence.first_token, KINDS[sentence.kind])


cdef object _phrase(const SourcePhrase* phrase):
    return SeenPhrase(
        _tag_set(phrase.tags), _tag_set(phrase.inner_tags), TAGS[phrase.main_tag],
        bool(phrase.is_aligned), bool(phrase.starts_upper), bool(phrase.all_upper),
        tuple([(TAGS[phrase.same_tag[i]], phrase.same_mask[i]) for i in range(phrase.n_same)]),
        bool(phrase.copy_is_first), bool(phrase.copy_is_in_run),
    )


cdef object _tag_set(int tags):
    return frozenset([tag for i, tag in enumerate(TAGS) if tags >> i & 1])


# --- sentences of a line ----------------------------------------------------------------------


def sentences(CompiledModel model not None, bytes line not None, bint start_always=False):
    """Where the sentences of a line are; with `start_always`, as the rules for English cut them.

    Returns
    -------
    list of tuple
        Of each sentence the first token, one after the last, and the place in it of the first
        word if that has letters, or -1.
    """
    cdef Walk walk
    cdef Workspace work
    found = []
    memset(&work, 0, sizeof(Workspace))
    try:
        begin_walk(&walk, &model.model, line, len(line), NULL, INPUT_IGNORE, &work)
        walk.start_always = start_always
        while next_piece(&walk, &work):
            while next_sentence(&walk, &work):
                found.append((walk.first, walk.last, walk.initial))
    finally:
        free_workspace(&work)
    return found


# --- words of speech -------------------------------------------------------------------------


def spoken_cases(bytes line not None):
    """The case that the rule of words of English speech favours for each token of a line.

    Returns
    -------
    list of tuple
        Tag, "AN" where none is favoured, and by what in nats.
    """
    cdef TokenArray tokens
    cdef RulesView rules = view_rules("en", True, True)
    cdef Line of_line
    cdef SpeechCase favoured
    cdef const uint8_t[::1] text = line + b"\n" * TEXT_PADDING
    cdef int32_t i
    found = []
    memset(&tokens, 0, sizeof(TokenArray))
    try:
        if segment_line(&text[0], 0, <uint32_t>len(line), SEGMENT_RAW, False, &tokens) != STATUS_OK:
            raise MemoryError("no memory for the tokens of a line")
        of_line.rules = &rules
        of_line.text = &text[0]
        of_line.tokens = tokens.tokens
        of_line.n = tokens.n
        for i in range(tokens.n):
            favoured = speech_case(&of_line, i)
            found.append((TAGS[favoured.tag], favoured.bonus))
    finally:
        free_tokens(&tokens)
    return found


# --- memory ----------------------------------------------------------------------------------


def take_in_rounds(rounds, size_t item=1):
    """What `take` makes of arrays of these numbers of items, round after round.

    Parameters
    ----------
    rounds : sequence of sequence of int
        The arena is reset before each round.
    item : int
        Bytes of an item.

    Returns
    -------
    list of (list of (bytes or None), bool, int)
        Of each round: what the arrays hold at its end, None for one that there is no memory for;
        whether the arena is short; its size. Array i is filled with i.
    """
    cdef Arena arena
    cdef uint8_t* array
    cdef int64_t n
    cdef size_t place
    memset(&arena, 0, sizeof(Arena))
    made = []
    try:
        for sizes in rounds:
            reset_arena(&arena)
            taken = []
            for number, n in enumerate(sizes):
                array = <uint8_t*>take(&arena, <size_t>n, item)
                if array != NULL:
                    assert <size_t>array % 16 == 0
                    memset(array, number, <size_t>n * item)
                taken.append((<size_t>array, <size_t>n * item if array != NULL else 0))
            held = []
            for place, n in taken:
                held.append((<const char*>place)[:n] if place else None)
            made.append((held, bool(arena.is_short), arena.size))
        return made
    finally:
        free_arena(&arena)


def grow_in_steps(sizes, size_t item=1):
    """What `grow` makes of one array.

    Parameters
    ----------
    sizes : sequence of int
        Numbers of items; negative ones as kernels come by them, where a sum overflows.
    item : int
        Bytes of an item.

    Returns
    -------
    list of (bool, bytes)
        Of each step: whether there is room, and what the array has kept. After each step that
        makes it longer, what is new is filled with the step's number.
    """
    cdef uint8_t* array = NULL
    cdef size_t held = 0, size
    cdef int64_t n
    cdef bint has_room
    steps = []
    try:
        for number, n in enumerate(sizes):
            has_room = grow(<void**>&array, <size_t>n, item) == STATUS_OK
            size = <size_t>n * item if has_room else held
            held = min(held, size)
            steps.append((has_room, b"" if array == NULL else array[:held]))
            if size > held:
                memset(array + held, number, size - held)
                held = size
        return steps
    finally:
        free(array)


def kept_bytes(CompiledModel model not None):
    """Memory that a model keeps for the next blocks: what threads needed for those before."""
    cdef OwnedWorkspace work
    cdef list taken = []
    cdef size_t n = 0
    # Without a GIL, another thread may use at once what it finds in the list.
    while model._workspaces:
        try:
            taken.append(model._workspaces.pop())
        except IndexError:
            break
    for work in taken:
        n += bytes_of_workspace(&work.memory)
    model._workspaces.extend(taken)
    return n


cdef object lay_matrix(const int8_t[:, :] weights, const int32_t[:] shifts, ByteMatrix* out):
    """Lay out a matrix of bytes; returns the arrays that it points into."""
    cdef int n_rows = weights.shape[0], n_columns = weights.shape[1], row, column
    if n_rows % 16 or n_columns % 4 or shifts.shape[0] != n_rows:
        raise ValueError("weights or shifts of another size")
    laid = np.zeros(n_rows * n_columns, np.int8), np.array(shifts)
    cdef int8_t[::1] place = laid[0]
    cdef int32_t[::1] kept_shifts = laid[1]
    for row in range(n_rows):
        for column in range(n_columns):
            place[byte_place(n_rows, row, column)] = weights[row, column]
    out.n_rows, out.n_quads = n_rows, n_columns // 4
    out.weights, out.shifts = &place[0], &kept_shifts[0]
    return laid


def has_byte_way(int way):
    """Whether this machine has a way of products: 0 plain C, 1 SSE2 or NEON, 2 AVX2, 3 AVX-512."""
    return way <= best_byte_way()


def byte_products(int way, const int8_t[:, ::1] weights, const int32_t[::1] shifts,
                  const uint8_t[:, ::1] vectors, int32_t[:, ::1] sums):
    """Add the products of a matrix of bytes and at most 16 vectors to sums."""
    cdef ByteMatrix matrix
    cdef const uint8_t* vector[16]
    cdef int32_t* sum_of[16]
    cdef int k
    _laid = lay_matrix(weights, shifts, &matrix)
    for k in range(vectors.shape[0]):
        vector[k] = &vectors[k, 0]
        sum_of[k] = &sums[k, 0]
    add_byte_products_by(way, &matrix, vector, vectors.shape[0], sum_of)


def rounded_byte_products(int way, const int8_t[:, ::1] weights, const int32_t[::1] shifts,
                          const uint8_t[:, ::1] vectors, const int32_t[::1] bias, int third):
    """Round the products of a matrix of bytes and at most 16 vectors, with a bias, to 16 bits."""
    cdef ByteMatrix matrix
    cdef const uint8_t* vector[16]
    cdef int16_t* into[16]
    cdef int k
    _laid = lay_matrix(weights, shifts, &matrix)
    out = np.zeros((vectors.shape[0], weights.shape[0]), np.int16)
    cdef int16_t[:, ::1] rounded = out
    for k in range(vectors.shape[0]):
        vector[k] = &vectors[k, 0]
        into[k] = &rounded[k, 0]
    round_byte_products_by(way, &matrix, vector, vectors.shape[0], &bias[0], third, into)
    return out


def states_of_groups(int way, const int8_t[:, ::1] weights, const int32_t[::1] shifts,
                     const int32_t[::1] bias, const int16_t[:, ::1] of_words,
                     const int16_t[:, ::1] more):
    """What products read of the states behind each word, from two rounded sums for each.

    `weights` has 48 rows and 16 columns for each group of units, of at most eight.
    """
    cdef ByteMatrix of_state[8]
    cdef int n_groups = weights.shape[0] // 48, k
    _laid = [lay_matrix(weights[48 * k:48 * k + 48], shifts[48 * k:48 * k + 48], &of_state[k])
             for k in range(n_groups)]
    states = np.zeros(16 * n_groups, np.int16)
    now = np.full(16 * n_groups, 128, np.uint8)
    out = np.zeros((of_words.shape[0], 16 * n_groups), np.uint8)
    cdef int16_t[::1] state = states
    cdef uint8_t[::1] in_bytes = now
    for k in range(of_words.shape[0]):
        next_groups_by(way, of_state, &bias[0], n_groups, &of_words[k, 0], &more[k, 0], &state[0],
                       &in_bytes[0])
        out[k] = now
    return out


def table_probabilities(TranslationTables tables not None, const uint64_t[::1] sources not None,
                        const uint64_t[::1] targets not None, bint lower=False):
    """p(target | source) of pairs of forms, or with `lower` of keys."""
    if sources.shape[0] != targets.shape[0]:
        raise ValueError(f"{sources.shape[0]} sources but {targets.shape[0]} targets")
    cdef const TranslationTable* table = &tables.view.lower if lower else &tables.view.cased
    out = np.empty(sources.shape[0], np.float32)
    cdef float[::1] values = out
    cdef float share
    cdef Py_ssize_t i
    with nogil:
        for i in range(sources.shape[0]):
            share = (value_of(table, source_hash(sources[i]), 1.0)
                     * value_of(table, target_hash(targets[i]), table.unknown))
            values[i] = value_of(table, pair_hash(sources[i], targets[i]), share)
    return out


def table_features(TranslationTables tables not None, bytes text, int segmentation,
                   bint turkic, words, const uint64_t[::1] forms not None,
                   const uint8_t[::1] tags not None, uint64_t key):
    """`translation_ln` and `tag_translation_ln` of a word's candidates, and `tag_mass`'s token.

    `text` is the source line, `words` are the source words of the word, or None for all.
    """
    cdef SourceLine line
    cdef bytes text_with_room = text + bytes(TEXT_PADDING)
    cdef const uint8_t* start = text_with_room
    cdef int32_t[::1] chosen
    cdef float mass[N_TAGS]
    cdef float[::1] first, second
    cdef int32_t likeliest
    cdef Py_ssize_t i
    if tags.shape[0] != forms.shape[0] or np.asarray(tags).max(initial=0) >= N_TAGS:
        raise ValueError("there must be a tag, 0 … 4, of each form")
    translation = np.empty(forms.shape[0], np.float32)
    tag_translation = np.empty(forms.shape[0], np.float32)
    first, second = translation, tag_translation
    memset(&line, 0, sizeof(SourceLine))
    try:
        if segment_source(start, 0, len(text), segmentation, turkic, &line) != STATUS_OK:
            raise MemoryError("no memory left to segment the source line")
        if words is None:
            select_whole(&line, 0, 1, True)
        elif len(words):
            chosen = np.array(words, np.int32)
            select_phrase(&line, &chosen[0], chosen.shape[0], True)
        look_up_phrase(&tables.view, &line)
        likeliest = tag_mass(&tables.view, &line, key, mass)
        for i in range(forms.shape[0]):
            first[i] = translation_ln(&tables.view, &line, forms[i])
            second[i] = tag_translation_ln(&tables.view, mass, tags[i])
        return translation, tag_translation, likeliest
    finally:
        free_source(&line)


# --- tables ------------------------------------------------------------------------------------


def find(const uint8_t[::1] data, uint64_t n_slots, int fingerprint_bits, int payload_bits,
         unsigned int payload_mask, unsigned int max_probes, const uint64_t[::1] hashes,
         bint by_heads=False):
    """Payloads of `hashes`, 0 where the table has none.

    `by_heads` compares heads first.
    """
    cdef PackedSlots slots
    cdef uint64_t place
    point_at(&slots, data, n_slots, fingerprint_bits, payload_bits, max_probes)
    out = np.zeros(hashes.shape[0], dtype=np.uint64)
    cdef uint64_t[::1] found = out
    cdef Py_ssize_t i
    with nogil:
        if by_heads:
            add_heads(&slots)
        for i in range(hashes.shape[0]):
            if not by_heads:
                found[i] = find_slot(&slots, hashes[i], payload_mask)
            elif find_head(&slots, hashes[i], &place):
                found[i] = find_from(&slots, place, hashes[i], payload_mask)
        free_heads(&slots)
    return out


# --- tokens and characters -------------------------------------------------------------------

# In the order of `SourceKind`.
KINDS = ("unknown", "noun-capitals", "other")


class SegmentedToken(NamedTuple):
    """A token; `held` is ``"keeps"`` or ``"lowers"`` in an address, code or markup, else empty."""

    start: int
    end: int
    key: int
    tag: str
    upper_mask: int
    word_class: str
    flags: int
    n_code_points: int
    surface: bytes
    case_room: int
    hyphenated_parts: int
    held: str
    markup: bool


cdef enum:
    OWN_FLAGS = 0x3f             # of TokenFlag those that segmentation itself gives


cdef int segmentation_code(str name) except -1:
    if name not in SEGMENTATIONS:
        raise ValueError(f"segmentation {name!r}: expected 'space' or 'raw'")
    return SEGMENTATIONS.index(name)


cdef bytes padded(bytes line):
    """The line and letters after it, which expose a kernel that reads past its end."""
    return line + b"A" * TEXT_PADDING


cdef int segment_all(bytes text, str segmentation, bint turkic, TokenArray* out) except -1:
    """Tokens of a line that `padded` made; the caller frees them."""
    cdef int kind = segmentation_code(segmentation)
    memset(out, 0, sizeof(TokenArray))
    if segment_line(text, 0, <uint32_t>(len(text) - TEXT_PADDING), kind, turkic, out) != STATUS_OK:
        raise MemoryError("out of memory while segmenting a line")
    return 0


def segment(line: bytes, segmentation: str = "raw", language: str = "") -> list[SegmentedToken]:
    """Tokens of a line, given without its terminator."""
    cdef bint turkic = is_turkic(language)
    cdef bytes line_padded = padded(line)
    cdef const uint8_t* text = line_padded
    cdef uint8_t[::1] buffer = bytearray(len(line) + 8)
    cdef TokenArray array
    cdef Token* token
    cdef uint32_t length
    cdef int i
    segment_all(line_padded, segmentation, turkic, &array)
    try:
        tokens = []
        for i in range(array.n):
            token = array.tokens + i
            length = write_surface(text, token, &buffer[0])
            tokens.append(
                SegmentedToken(
                    token.start,
                    token.end,
                    token.key,
                    TAGS[token.tag],
                    token.upper_mask,
                    WORD_CLASSES[token.word_class],
                    token.flags & OWN_FLAGS,
                    token.n_code_points,
                    bytes(buffer[:length]),
                    case_room(text, token, turkic),
                    hyphenated_parts(text, token, turkic),
                    "keeps" if token.flags & TOKEN_KEEPS
                    else "lowers" if token.flags & TOKEN_LOWERS else "",
                    bool(token.flags & TOKEN_MARKUP),
                )
            )
        return tokens
    finally:
        free_tokens(&array)


def render(
    line: bytes,
    start: int,
    end: int,
    tag: str,
    upper_mask: int = 0,
    segmentation: str = "raw",
    language: str = "",
) -> bytes:
    """Bytes of the token that spans ``line[start:end]``, in the given case."""
    cdef bint turkic = is_turkic(language)
    cdef bytes line_padded = padded(line)
    cdef const uint8_t* text = line_padded
    cdef uint8_t[::1] out
    cdef TokenArray array
    cdef uint32_t length
    cdef int i
    segment_all(line_padded, segmentation, turkic, &array)
    try:
        for i in range(array.n):
            if array.tokens[i].start == start and array.tokens[i].end == end:
                out = bytearray(2 * (end - start) + 4)
                length = render_token(text, array.tokens + i, TAGS.index(tag), upper_mask,
                                      turkic, &out[0])
                return bytes(out[:length])
        raise ValueError(f"no token spans bytes {start} to {end}")
    finally:
        free_tokens(&array)


def hash_of(data: bytes) -> int:
    """Hash of any bytes, as in keys."""
    return hash_bytes(<const uint8_t*>data, <uint32_t>len(data))


def form_identity(key: int, tag: str, upper_mask: int = 0) -> int:
    """Identity of a surface form in a model's tables."""
    return form_hash(key, TAGS.index(tag), upper_mask)


def kind_of_line(bytes line not None, str segmentation="raw"):
    """The member of `KINDS` for the language of a line, which has no line end."""
    cdef bytes line_padded = padded(line)
    cdef const uint8_t* text = line_padded
    cdef uint32_t n = <uint32_t>len(line)
    cdef SourceLine source
    cdef SentenceCase sentence
    memset(&source, 0, sizeof(SourceLine))
    try:
        if segment_source(text, 0, n, segmentation_code(segmentation), False, &source) != STATUS_OK:
            raise MemoryError("no memory left for a source line, or it is too long")
        summarise_sentence(text, &source.tokens, False, noun_words(), &sentence)
        return KINDS[sentence.kind]
    finally:
        free_source(&source)


def is_cased(character: str, language: str = "") -> bool:
    """Whether a mapping changes the character, or another one into it."""
    return has_case(ord(character), is_turkic(language))


def is_without_capital(character: str, language: str = "") -> bool:
    """Whether it is a letter whose lower case has no capital, such as ﬁ or µ."""
    return has_no_capital(ord(character), is_turkic(language))


def character_class(character: str) -> int:
    """Class bits of one character, see ``case_tables.CLASS_BITS``."""
    return class_of(ord(character))


def mix_hash(uint64_t x):
    """The 64-bit finaliser of the tables."""
    return mix(x)


# --- training lattices -----------------------------------------------------------------------


cdef copy_of(const void* values, int64_t n, dtype):
    return np.frombuffer((<const char*>values)[:n * np.dtype(dtype).itemsize], dtype)


def flat_arrays(TrainingLattices lattices not None):
    """Copies of the arrays of training lattices, by name."""
    cdef const FlatLattices* flat = &lattices.flat
    cdef int64_t n_bounds = flat.n_stretches + 1 if flat.n_stretches else 0
    return {
        "first_word": copy_of(flat.first_word, n_bounds, np.int64),
        "first_edge": copy_of(flat.first_edge, n_bounds, np.int64),
        "state_before": copy_of(flat.state_before, flat.n_stretches, np.uint8),
        "width": copy_of(flat.width, flat.n_words, np.uint8),
        "gold": copy_of(flat.gold, flat.n_words, np.uint64),
        "beside": copy_of(flat.neighbour_case, 4 * flat.n_words, np.uint8),
        "state": copy_of(flat.state, flat.n_nodes, np.uint8),
        "n_values": copy_of(flat.n_values, flat.n_nodes, np.uint8),
        "column": copy_of(flat.column, flat.n_feature_values, np.uint8),
        "value": copy_of(flat.value, flat.n_feature_values, np.float32),
        "lm": copy_of(flat.lm, flat.n_edges, np.float32),
    }
