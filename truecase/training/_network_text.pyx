"""What networks learn from: the words of a cased text, posteriors, and gated units in training."""

from libc.stdint cimport int32_t, int64_t, int8_t, uint32_t, uint64_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from truecase._core cimport (
    INPUT_AUTO, INPUT_EVIDENCE, INPUT_IGNORE, CompiledModel, Walk, Workspace, begin_walk,
    case_of_words, check_status, edge_weights_of, free_workspace, next_piece, next_sentence,
    score_lm, weigh_case
)
from truecase.base._memory cimport STATUS_OK, STATUS_OUT_OF_MEMORY, reserve
from truecase.kernels._forward_backward cimport forward_backward
from truecase.kernels._lattice cimport gold_candidates
from truecase.kernels._maps cimport pair_key
from truecase.kernels._network cimport (
    N_NETWORK_CASES, OF_FACTS, affix_row, case_number, facts_of, fill_facts, hash_affixes,
    is_open_word, key_before
)
from truecase.kernels._recurrent cimport GROUP, MAX_STATE
from truecase.kernels._sentences cimport sentence_end
from truecase.kernels._structs cimport (
    CLASS_OTHER, TOKEN_CUT_AFTER, TOKEN_ENDS_SENTENCE, TOKEN_SPACE_BEFORE, KnownWords, Lattice,
    Token, TokenArray
)
from truecase.kernels._unicode cimport TAG_AL, TAG_AN, TAG_AU, TAG_IU, draw
from truecase.model._view cimport ModelView

import numpy as np

from truecase.training.material import Vectors


cdef inline bint is_all_caps(const TokenArray* tokens) noexcept nogil:
    """Whether most words of a line are all upper case: such a line teaches nothing."""
    cdef int32_t i, n_upper = 0, n_other = 0
    for i in range(tokens.n):
        if tokens.tokens[i].tag == TAG_AU:
            n_upper += 1
        elif tokens.tokens[i].tag != TAG_AN and tokens.tokens[i].n_code_points > 1:
            n_other += 1
    return n_upper > 1 and n_upper > n_other


cdef inline void remove_punctuation(const KnownWords* words, TokenArray* tokens) noexcept nogil:
    """Remove tokens without letters and digits, as speech recognition does.

    Sentences keep their cuts: a capital in the middle of a line, without a mark before it, would
    teach that any word may have one.
    """
    cdef int32_t i, begin, last, first = 0, kept = 0
    while first < tokens.n:
        last = sentence_end(words, tokens, first)
        begin = kept
        for i in range(first, last):
            if tokens.tokens[i].tag != TAG_AN or tokens.tokens[i].word_class != CLASS_OTHER:
                tokens.tokens[kept] = tokens.tokens[i]
                kept += 1
        if kept > begin:
            tokens.tokens[begin].flags |= TOKEN_SPACE_BEFORE
            tokens.tokens[kept - 1].flags |= TOKEN_CUT_AFTER
        first = last
    tokens.n = kept


# How the case of a line is spoilt, in hundredths of the lines that are.
cdef enum:
    SLIPS = 60                   # some words
    TITLE = 78                   # all words have an initial capital
    FIRST_ONLY = 88              # only the first words of sentences have one; else a stretch


cdef inline uint32_t below(uint64_t* draws, uint32_t n) noexcept nogil:
    """A random number below n."""
    return <uint32_t>(((draw(draws) >> 32) * n) >> 32)


cdef inline void give_case(Token* token, int tag) noexcept nogil:
    if token.tag != TAG_AN:
        token.tag = <uint8_t>(TAG_IU if tag == TAG_AU and token.n_code_points == 1 else tag)


cdef inline void slip(uint64_t* draws, Token* token) noexcept nogil:
    """Lower a word, or raise it, or its first letter."""
    cdef uint32_t how = below(draws, 4)
    if how < 2:
        give_case(token, TAG_IU if token.tag == TAG_AL else TAG_AL)
    else:
        give_case(token, TAG_AU if how == 2 else TAG_IU)


cdef inline void spoil(uint64_t* draws, TokenArray* tokens) noexcept nogil:
    """Spoil the case of a line, so that a network learns how far the case of its input counts."""
    cdef const int* rates = [0, 0, 0, 0, 2, 5, 10, 20]     # slips, in hundredths
    cdef uint32_t how = below(draws, 100)
    cdef int rate = rates[below(draws, 8)], of_all = TAG_AL
    cdef int32_t i, first = 0, end = tokens.n
    cdef bint is_first = True
    cdef Token* token
    if how >= <uint32_t>FIRST_ONLY and tokens.n:
        rate = rates[below(draws, 6)]
        first = below(draws, tokens.n)
        end = first + 1 + below(draws, tokens.n - first)
        of_all = TAG_AL + below(draws, 3)
    elif how >= <uint32_t>TITLE:
        rate = 0
    elif how >= <uint32_t>SLIPS:
        rate = 0
        of_all = TAG_IU
    for i in range(tokens.n):
        token = tokens.tokens + i
        if how >= <uint32_t>SLIPS and first <= i < end:
            give_case(token, TAG_IU if is_first and of_all == TAG_AL else of_all)
        elif below(draws, 100) < <uint32_t>rate:
            slip(draws, token)
        if token.tag != TAG_AN:
            is_first = False
        elif token.flags & TOKEN_ENDS_SENTENCE:
            is_first = True


cdef class _Pass:
    """A pass over a text, sentence by sentence; some lines lose their marks or their case."""

    cdef Walk walk
    cdef Workspace work
    cdef uint64_t drop_below
    cdef uint64_t draws
    cdef uint64_t spoil_below    # the other lines come in lower case, which says nothing
    cdef Token* gold             # the tokens of the piece as the text has them
    cdef int64_t gold_capacity
    cdef bint is_in_piece
    cdef tuple kept

    def __cinit__(self, CompiledModel model, bytes text, double drop_punctuation,
                  double spoil_case, uint64_t seed):
        self.kept = (model, text)
        self.drop_below = <uint64_t>(drop_punctuation * 4294967296.0)
        self.spoil_below = <uint64_t>(spoil_case * 4294967296.0)
        self.draws = seed
        begin_walk(&self.walk, &model.model, <const uint8_t*><const char*>text, len(text), NULL,
                   INPUT_IGNORE, &self.work)

    def __dealloc__(self):
        free_workspace(&self.work)
        free(self.gold)

    cdef int keep_gold(self) noexcept nogil:
        """Copy the piece's tokens, and spoil their case; a Status."""
        cdef TokenArray* tokens = &self.work.tokens
        if reserve(<void**>&self.gold, &self.gold_capacity, tokens.n, sizeof(Token)) != STATUS_OK:
            return STATUS_OUT_OF_MEMORY
        if tokens.n:
            memcpy(self.gold, tokens.tokens, tokens.n * sizeof(Token))
        self.walk.piece_case = INPUT_IGNORE
        if draw(&self.draws) >> 32 < self.spoil_below:
            spoil(&self.draws, tokens)
            if case_of_words(self.walk.text, tokens.tokens, tokens.n,
                             self.walk.model.turkic) == INPUT_AUTO:
                self.walk.piece_case = INPUT_EVIDENCE
                weigh_case(tokens)
        return STATUS_OK

    cdef bint advance(self) noexcept nogil:
        """Go on to the next sentence that has a choice; False at the end."""
        cdef Workspace* work = &self.work
        while True:
            if not self.is_in_piece:
                if not next_piece(&self.walk, work):
                    return False
                if is_all_caps(&work.tokens):
                    continue
                if draw(&self.draws) >> 32 < self.drop_below:
                    remove_punctuation(&self.walk.words, &work.tokens)
                self.walk.status = self.keep_gold()
                if self.walk.status != STATUS_OK:
                    return False
                self.is_in_piece = True
            if not next_sentence(&self.walk, work):
                self.is_in_piece = False
                if self.walk.status != STATUS_OK:
                    return False
            elif work.lattice.n_nodes > work.lattice.n_words:
                return True


def vectors_of(CompiledModel model, bytes text, uint64_t n_affixes, double drop_punctuation=0.0,
               double spoil_case=0.0, uint64_t seed=0):
    """Read the words of a cased text.

    Parameters
    ----------
    model : CompiledModel
    text : bytes
        UTF-8 text, lines separated by LF. Lines that are mostly upper case are left out, and
        sentences without a choice.
    n_affixes : int
        Number of rows of suffixes, and of prefixes.
    drop_punctuation, spoil_case : float
        Shares of the lines that lose their marks, and of those whose case is read, spoilt.
    seed : int
        Selects these lines.

    Returns
    -------
    Vectors

    Raises
    ------
    ValueError
        A line is 2 GiB or longer.
    MemoryError
    """
    cdef _Pass over = _Pass(model, text, drop_punctuation, spoil_case, seed)
    cdef int64_t most = len(text) + 1, at = 0, n_sentences = 0     # a word has a byte
    words, pairs = np.empty(most, np.uint64), np.empty(most, np.uint64)
    suffixes, prefixes = np.empty(most, np.int32), np.empty(most, np.int32)
    facts = np.empty((most, OF_FACTS), np.uint8)
    opens, golds = np.empty(most, np.uint8), np.empty(most, np.int8)
    lengths = np.empty(most, np.int32)
    cdef uint64_t[::1] word_key = words, key_of_pair = pairs
    cdef int32_t[::1] suffix_row = suffixes, prefix_row = prefixes, length = lengths
    cdef uint8_t[:, ::1] fact = facts
    cdef uint8_t[::1] are_open = opens
    cdef int8_t[::1] gold = golds
    cdef const Token* tokens
    cdef const Token* gold_tokens
    cdef Lattice* lattice = &over.work.lattice
    cdef uint64_t prefix, suffix
    cdef int32_t word, n
    with nogil:
        while over.advance():
            tokens = over.work.tokens.tokens + over.walk.first
            gold_tokens = over.gold + over.walk.first
            n = over.walk.last - over.walk.first
            for word in range(n):
                word_key[at] = pair_key(0, tokens[word].key)
                key_of_pair[at] = pair_key(key_before(tokens, word), tokens[word].key)
                hash_affixes(over.walk.text, tokens + word, over.walk.model.turkic, &prefix,
                             &suffix)
                suffix_row[at] = <int32_t>affix_row(suffix, n_affixes)
                prefix_row[at] = <int32_t>affix_row(prefix, n_affixes)
                fill_facts(facts_of(lattice, tokens + word, word, word == over.walk.initial),
                           &fact[at, 0])
                are_open[at] = is_open_word(lattice, word)
                gold[at] = -1
                if lattice.nodes[lattice.first_node[word]].tag != TAG_AN and (
                        gold_candidates(lattice, word, gold_tokens + word)):
                    gold[at] = <int8_t>case_number(gold_tokens[word].tag)
                at += 1
            length[n_sentences] = n
            n_sentences += 1
    check_status(&over.walk)
    return Vectors(words[:at].copy(), pairs[:at].copy(), suffixes[:at].copy(),
                   prefixes[:at].copy(), facts[:at].copy(), opens[:at].astype(np.bool_),
                   golds[:at].copy(), lengths[:n_sentences].copy())


cdef int infer(_Pass over, const float* added, float* posterior) noexcept nogil:
    """Posteriors of a sentence's cases by n-grams and further scores; a Status."""
    cdef const ModelView* model = over.walk.model
    cdef Lattice* lattice = &over.work.lattice
    cdef int32_t word, c
    cdef int status
    for word in range(lattice.n_words - 1):
        for c in range(lattice.first_node[word], lattice.first_node[word + 1]):
            lattice.nodes[c].score += added[
                N_NETWORK_CASES * word + case_number(lattice.nodes[c].tag)]
    status = score_lm(&over.walk, &over.work) or forward_backward(
        model.lm.order, edge_weights_of(model, &over.work), lattice, &over.work.viterbi.edges,
        &model.start, NULL, &over.work.passes)
    if status != STATUS_OK:
        return status
    for word in range(lattice.n_words - 1):
        for c in range(lattice.first_node[word], lattice.first_node[word + 1]):
            posterior[N_NETWORK_CASES * word + case_number(lattice.nodes[c].tag)] += (
                <float>over.work.passes.posterior[c])
    return STATUS_OK


def posteriors_of(CompiledModel model, bytes text, const float[:, ::1] added not None,
                  double drop_punctuation=0.0, double spoil_case=0.0, uint64_t seed=0):
    """Posteriors of the cases of the same words by n-grams and `added`.

    `added` has nats for each word of `vectors_of`, shape (n_words, 4), like the result; other
    parameters and errors are those of `vectors_of`. ValueError, too, if the words are others.
    """
    cdef _Pass over = _Pass(model, text, drop_punctuation, spoil_case, seed)
    cdef int64_t n = 0, most = added.shape[0]
    if added.shape[1] != N_NETWORK_CASES:
        raise ValueError(f"added has {added.shape[1]} columns, expected {N_NETWORK_CASES}")
    found = np.zeros((most + 1, N_NETWORK_CASES), np.float32)
    cdef float[:, ::1] posterior = found
    with nogil:
        while over.advance():
            if n + over.walk.last - over.walk.first > most:
                n = most + 1
                break
            over.walk.status = infer(over, &added[n, 0], &posterior[n, 0])
            if over.walk.status != STATUS_OK:
                break
            n += over.walk.last - over.walk.first
    check_status(&over.walk)
    if n != most:
        raise ValueError(f"scores are added to {most} words, but the text has others")
    return found[:most]


# Gated units in groups, in training. Rows of sums hold z, r and c of each group in turn; rows of
# gates, z and r. Loops over a constant number of floats become vector instructions.


cdef enum:
    GATES = 2 * GROUP
    GROUP_SUMS = 3 * GROUP

ctypedef fused real:
    float
    double


cdef inline real within(real value, real low, real high) noexcept nogil:
    return low if value < low else high if value > high else value


cdef inline void move_units(const real* sums, const real* of_state, const real* before,
                            real* states, real* gates, real* products,
                            real* proposed) noexcept nogil:
    """Compute the states of a group from those of the word before; `of_state` has their rows."""
    cdef real from_state[GROUP_SUMS]
    cdef int j, k
    memset(from_state, 0, sizeof(from_state))
    for k in range(GROUP):
        for j in range(GROUP_SUMS):
            from_state[j] += of_state[k * GROUP_SUMS + j] * before[k]
    for j in range(GATES):
        gates[j] = within[real](
            <real>0.5 + <real>0.25 * (sums[j] + from_state[j]), <real>0, <real>1)
    for j in range(GROUP):
        products[j] = from_state[GATES + j]
        proposed[j] = within[real](
            sums[GATES + j] + gates[GROUP + j] * products[j], <real>-1, <real>1)
        states[j] = before[j] + gates[j] * (proposed[j] - before[j])


cdef inline void move_back(const real* of_state, const real* came, const real* gates,
                           const real* products, const real* proposed, int n, real* carried,
                           real* of_sums, real* of_weights) noexcept nogil:
    """Compute the gradients of a group's sums from those of its states, in `carried`.

    These become the gradients of the states of the word before; the gradients of the weights of
    the states are added to `of_weights`, in the order of `of_state`, rows of sums. `n` is GROUP:
    compilers take loops over a constant of 16 apart instead of making vector instructions of them.
    """
    cdef real of_products[GROUP_SUMS]
    # Copies, which nothing else points to: loops over them become vector instructions.
    cdef real of_before[GROUP]
    cdef real before[GROUP]
    cdef real now, update, reset
    cdef int j, k
    memcpy(before, came, sizeof(before))
    for k in range(GROUP):
        now, update, reset = carried[k], gates[k], gates[GROUP + k]
        of_sums[GATES + k] = now * update if -1 < proposed[k] < 1 else <real>0
        of_sums[k] = <real>0.25 * now * (proposed[k] - came[k]) if 0 < update < 1 else <real>0
        of_sums[GROUP + k] = (
            <real>0.25 * of_sums[GATES + k] * products[k] if 0 < reset < 1 else <real>0)
        of_products[k] = of_sums[k]
        of_products[GROUP + k] = of_sums[GROUP + k]
        of_products[GATES + k] = of_sums[GATES + k] * reset
        of_before[k] = now * (1 - update)
    for j in range(GROUP_SUMS):
        for k in range(n):
            of_before[k] += of_products[j] * of_state[j * GROUP + k]
    memcpy(carried, of_before, sizeof(of_before))
    for j in range(GROUP_SUMS):
        for k in range(n):
            of_weights[j * GROUP + k] += of_products[j] * before[k]


def run_units(const real[:, ::1] sums not None, const real[:, :, ::1] of_state not None,
              const int32_t[::1] length not None, bint backward):
    """Run gated units over sentences.

    Parameters
    ----------
    sums : float32 or float64 ndarray, shape (n_words, 3 * n_units)
        Of the words, without the states.
    of_state : ndarray, shape (n_groups, 48, 16)
        Weights of the states.
    length : int32 ndarray
        Words of each sentence.
    backward : bool
        Whether they run from each sentence's end.

    Returns
    -------
    states, gates, products, proposed : ndarray
        Per word, of 1, 2, 1 and 1 times n_units; `products` are those of the states with the
        weights of c.
    """
    cdef Py_ssize_t n_words = sums.shape[0], n_groups = of_state.shape[0], s, _i, g, first = 0
    cdef Py_ssize_t n = n_groups * GROUP, w, before
    cdef int step = -1 if backward else 1
    dtype = np.float32 if real is float else np.float64
    if sums.shape[1] != 3 * n or of_state.shape[1] != GROUP_SUMS or of_state.shape[2] != GROUP:
        raise ValueError("the sums and the weights of states have other shapes")
    all_states, all_gates = np.zeros((n_words + 1, n), dtype), np.empty((n_words, 2 * n), dtype)
    all_products, all_proposed = np.empty((n_words, n), dtype), np.empty((n_words, n), dtype)
    cdef real[:, ::1] states = all_states, gates = all_gates
    cdef real[:, ::1] products = all_products, proposed = all_proposed
    cdef const real[:, :, ::1] columns = np.ascontiguousarray(np.swapaxes(of_state, 1, 2))
    check_lengths(length, n_words)
    with nogil:
        for s in range(length.shape[0]):
            w = first if not backward else first + length[s] - 1
            before = n_words         # zeros
            for _i in range(length[s]):
                for g in range(n_groups):
                    move_units[real](
                        &sums[w, g * GROUP_SUMS], &columns[g, 0, 0], &states[before, g * GROUP],
                        &states[w, g * GROUP], &gates[w, g * GATES], &products[w, g * GROUP],
                        &proposed[w, g * GROUP])
                before = w
                w += step
            first += length[s]
    return all_states, all_gates, all_products, all_proposed


cdef int check_lengths(const int32_t[::1] length, Py_ssize_t n_words) except -1:
    cdef Py_ssize_t n = np.sum(length, dtype=np.int64)
    if np.min(length, initial=0) < 0:
        raise ValueError("a sentence has fewer than 0 words")
    if n != n_words:
        raise ValueError(f"sentences have {n} words, and there are {n_words}")
    return 0


def run_units_back(const real[:, ::1] of_states not None, const real[:, :, ::1] of_state not None,
                   const int32_t[::1] length not None, bint backward, seen):
    """Run the gradients of gated units back over sentences.

    Parameters
    ----------
    of_states : ndarray, shape (n_words, n_units)
        Gradients of the states.
    of_state, length, backward
        As for `run_units`.
    seen : tuple
        What `run_units` returned.

    Returns
    -------
    of_sums : ndarray, shape (n_words, 3 * n_units)
    of_weights : ndarray, shape (n_groups, 48, 16)
    """
    cdef const real[:, ::1] states = seen[0], gates = seen[1], products = seen[2]
    cdef const real[:, ::1] proposed = seen[3]
    cdef Py_ssize_t n_words = of_states.shape[0], n_groups = of_state.shape[0], s, i, g, k
    cdef Py_ssize_t n = n_groups * GROUP, first = 0, w, before
    cdef int step = 1 if backward else -1
    dtype = np.float32 if real is float else np.float64
    gradients = np.empty((n_words, 3 * n), dtype)
    sums_of_weights = np.zeros((n_groups, GROUP_SUMS, GROUP), dtype)
    cdef real[:, ::1] of_sums = gradients
    cdef real[:, :, ::1] of_weights = sums_of_weights
    cdef real carried[MAX_STATE]
    if (n > MAX_STATE or of_state.shape[2] != GROUP or of_states.shape[1] != n
            or states.shape[0] != n_words + 1 or states.shape[1] != n
            or gates.shape[0] != n_words):
        raise ValueError("the gradients and the states have other shapes")
    check_lengths(length, n_words)
    with nogil:
        for s in range(length.shape[0]):
            w = first if backward else first + length[s] - 1
            memset(carried, 0, sizeof(carried))
            for i in range(length[s]):
                before = n_words if i == length[s] - 1 else w + step
                for k in range(n):
                    carried[k] += of_states[w, k]
                for g in range(n_groups):
                    move_back[real](
                        &of_state[g, 0, 0], &states[before, g * GROUP], &gates[w, g * GATES],
                        &products[w, g * GROUP], &proposed[w, g * GROUP],
                        <int>of_state.shape[2], &carried[g * GROUP], &of_sums[w, g * GROUP_SUMS],
                        &of_weights[g, 0, 0])
                w += step
            first += length[s]
    return gradients, sums_of_weights
