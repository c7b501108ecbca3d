"""Online training of fine weights on the decoder's own lattices.

One pass over text, sentence by sentence: the lattice with its edges, posteriors by
forward-backward, and for each word with a choice the gradient of the log-likelihood with respect
to its features, p(tag) - [tag is the gold one]. Weights follow FTRL-Proximal (McMahan et al.
2013, algorithm 1): AdaGrad's rates per weight, and an L1 norm that keeps most weights at 0. The
hidden layer learns by AdaGrad.

A feature gets its weights when it has been seen `min_count` times; a table of saturating
8-bit counters, shared by features of the same hash, counts up to there.
"""

from libc.math cimport fabs, log, sqrt
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memchr, memcpy, memset

import numpy as np

from truecase._core cimport (
    INPUT_IGNORE,
    TEXT_PADDING,
    CompiledModel,
    Workspace,
    build_lattice,
    free_workspace,
    sentence_end,
)
from truecase._model cimport Model
from truecase._status cimport STATUS_OK, STATUS_OUT_OF_MEMORY
from truecase.crf.fine._templates cimport (
    MAX_TEMPLATES,
    N_FIELDS,
    N_NEIGHBOURS,
    SentenceView,
    fill_fields,
    free_view,
    hash_templates,
    is_rare,
    view_sentence,
)
from truecase.crf.fine._weights cimport (
    MAX_ROWS,
    MAX_UNITS,
    N_FINE_TAGS,
    add_to_nodes,
    has_choice,
    row_of,
    tag_number,
    tags_of,
    weigh_units,
)
from truecase.decode._edges cimport EdgeWeights, Edges, score_edges
from truecase.decode._forward_backward cimport (
    ForwardBackward,
    forward_backward,
    free_forward_backward,
)
from truecase.lattice._gen cimport gold_candidates
from truecase.lattice._lattice cimport N_STATES, Lattice
from truecase.ngram._table cimport prefetch
from truecase.text._casing cimport TAG_AN, TAG_AU
from truecase.text._segment cimport CLASS_OTHER, Token, TokenArray, segment_line

__all__ = ["FineTrainer"]


cdef enum:
    MAX_PROBES = 16              # a feature that finds no place in so many slots gets no weights
    # The few weights of edges do not need to be moved by every sentence.
    SENTENCES_PER_EDGE_STEP = 8


cdef extern from *:
    """
    /* A gradient below it moves no weight: it costs more than it teaches. */
    #define TRUECASE_NEGLIGIBLE 1e-4
    #define TRUECASE_NEGLIGIBLE_IN_LAYER 1e-3
    """
    double NEGLIGIBLE "TRUECASE_NEGLIGIBLE"
    double NEGLIGIBLE_IN_LAYER "TRUECASE_NEGLIGIBLE_IN_LAYER"


cdef struct WeightSlot:          # 32 bytes, two to a cache line
    uint64_t hash                # 0: free
    float z[N_FINE_TAGS]         # sum of gradients, corrected for the weight's way
    float n[N_FINE_TAGS]         # sum of squared gradients


cdef struct HiddenInTraining:
    int32_t n_units              # 0: there is none
    int32_t n_fields
    uint64_t n_rows
    double rate
    uint8_t field[MAX_ROWS]
    float* rows                  # n_rows * n_units
    float* row_squares           # n_rows: AdaGrad's sums, one for a row
    float* out                   # N_FINE_TAGS * n_units
    float* out_squares
    float* bias                  # n_units
    float bias_squares
    uint32_t* row_of             # per word of the sentence: its n_fields rows
    float* units                 # per word of the sentence: its n_units values
    int32_t word_capacity


cdef struct Rates:               # names of McMahan et al.
    double alpha
    double beta
    double l1
    double l2


cdef struct Trainer:
    Rates rates
    WeightSlot* slots
    uint64_t n_slots
    uint64_t n_used
    uint8_t* counters            # 2**counter_bits
    int counter_bits
    int min_count
    HiddenInTraining hidden
    SentenceView view
    ForwardBackward passes
    ForwardBackward gold_passes
    uint64_t* allowed            # per word: its gold candidates
    int64_t* start               # per word: place of its first feature
    int32_t word_capacity
    WeightSlot** features        # of all words with a choice, side by side
    uint64_t* hashes
    int64_t feature_capacity
    EdgeWeights edges
    double edge_squares[1 + N_STATES * N_STATES]   # AdaGrad sums: lm, transitions
    double edge_rate
    uint64_t draws               # state of the generator that chooses lines without punctuation
    uint64_t drop_below          # lines whose draw is below it lose their punctuation
    int64_t n_sentences
    int64_t n_words
    int64_t n_choices
    int64_t n_errors             # choices whose most probable tag is not the gold one
    double loss                  # sum of -log p(gold tag), nats


cdef inline float weight_of(const Rates* rates, float z, float n) noexcept nogil:
    """The weight that a feature's sums stand for."""
    cdef double excess = fabs(z) - rates.l1
    if excess <= 0.0:
        return 0.0
    excess /= (rates.beta + sqrt(n)) / rates.alpha + rates.l2
    return <float>(-excess if z > 0 else excess)


cdef inline uint64_t home_of(const Trainer* trainer, uint64_t hash) noexcept nogil:
    return ((hash >> 32) * trainer.n_slots) >> 32


cdef inline WeightSlot* slot_of(Trainer* trainer, uint64_t hash, bint admit) noexcept nogil:
    """The slot of a feature; NULL if it has none, a new one if it has now been seen enough."""
    cdef uint64_t index = home_of(trainer, hash)
    cdef WeightSlot* slot
    cdef uint8_t* counter
    cdef int _
    if hash == 0:
        hash = 1
    for _ in range(MAX_PROBES):
        slot = trainer.slots + index
        if slot.hash == hash:
            return slot
        if slot.hash == 0:
            break
        index += 1
        if index == trainer.n_slots:
            index = 0
    else:
        return NULL
    if not admit:
        return NULL
    if trainer.min_count > 1:
        counter = trainer.counters + ((hash * <uint64_t>0x9e3779b97f4a7c15)
                                      >> (64 - trainer.counter_bits))
        counter[0] += counter[0] < 255
        if counter[0] < trainer.min_count:
            return NULL
    slot.hash = hash
    trainer.n_used += 1
    return slot


cdef int reserve_sentence(Trainer* trainer, int32_t n_words) noexcept nogil:
    cdef void* grown
    if trainer.word_capacity < n_words:
        grown = realloc(trainer.allowed, 2 * <size_t>n_words * sizeof(uint64_t))
        if grown == NULL:
            return STATUS_OUT_OF_MEMORY
        trainer.allowed = <uint64_t*>grown
        grown = realloc(trainer.start, 2 * <size_t>n_words * sizeof(int64_t))
        if grown == NULL:
            return STATUS_OUT_OF_MEMORY
        trainer.start = <int64_t*>grown
        trainer.word_capacity = 2 * n_words
    return STATUS_OK


cdef int reserve_features(Trainer* trainer, int64_t n) noexcept nogil:
    cdef void* grown
    if trainer.feature_capacity < n:
        grown = realloc(trainer.features, 2 * <size_t>n * sizeof(WeightSlot*))
        if grown == NULL:
            return STATUS_OUT_OF_MEMORY
        trainer.features = <WeightSlot**>grown
        grown = realloc(trainer.hashes, 2 * <size_t>n * sizeof(uint64_t))
        if grown == NULL:
            return STATUS_OUT_OF_MEMORY
        trainer.hashes = <uint64_t*>grown
        trainer.feature_capacity = 2 * n
    return STATUS_OK


cdef void step_edges(Trainer* trainer) noexcept nogil:
    """AdaGrad on the weights of the language model and of tag transitions."""
    cdef int i
    cdef double gradient = trainer.passes.expected.lm - trainer.gold_passes.expected.lm
    trainer.edge_squares[0] += gradient * gradient
    if trainer.edge_squares[0] > 0:
        trainer.edges.lm -= 0.1 * trainer.edge_rate * gradient / sqrt(trainer.edge_squares[0])
    if not trainer.edges.has_transitions:
        return
    for i in range(N_STATES * N_STATES):
        gradient = (trainer.passes.expected.transition[i]
                    - trainer.gold_passes.expected.transition[i])
        trainer.edge_squares[1 + i] += gradient * gradient
        if gradient != 0.0:
            trainer.edges.transition[i] -= (
                trainer.edge_rate * gradient / sqrt(1.0 + trainer.edge_squares[1 + i])
            )


cdef inline void score_features(Trainer* trainer, int64_t start, int64_t end, uint32_t tags,
                                bint admit, float* score) noexcept nogil:
    """Find the slots of some features and sum their weights for the tags that are wanted."""
    cdef int64_t j
    cdef int k
    cdef WeightSlot* slot
    for k in range(N_FINE_TAGS):
        score[k] = 0.0
    for j in range(start, end):
        slot = slot_of(trainer, trainer.hashes[j], admit)
        trainer.features[j] = slot
        if slot != NULL:
            for k in range(N_FINE_TAGS):
                if tags >> k & 1:
                    score[k] += weight_of(&trainer.rates, slot.z[k], slot.n[k])


cdef inline void step_features(Trainer* trainer, int64_t start, int64_t end, uint32_t tags,
                               const double* gradient) noexcept nogil:
    """Move the weights of some features against the gradient of each tag."""
    cdef int64_t j
    cdef int k
    cdef WeightSlot* slot
    cdef double g, w, squares
    for k in range(N_FINE_TAGS):
        g = gradient[k]
        if not tags >> k & 1 or fabs(g) < NEGLIGIBLE:
            continue
        for j in range(start, end):
            slot = trainer.features[j]
            if slot == NULL:
                continue
            w = weight_of(&trainer.rates, slot.z[k], slot.n[k])
            squares = slot.n[k] + g * g
            slot.z[k] += <float>(
                g - (sqrt(squares) - sqrt(slot.n[k])) / trainer.rates.alpha * w
            )
            slot.n[k] = <float>squares


cdef int reserve_hidden(HiddenInTraining* hidden, int32_t n_words) noexcept nogil:
    cdef void* grown
    if hidden.n_units == 0 or hidden.word_capacity >= n_words:
        return STATUS_OK
    grown = realloc(hidden.row_of, 2 * <size_t>n_words * hidden.n_fields * sizeof(uint32_t))
    if grown == NULL:
        return STATUS_OUT_OF_MEMORY
    hidden.row_of = <uint32_t*>grown
    grown = realloc(hidden.units, 2 * <size_t>n_words * hidden.n_units * sizeof(float))
    if grown == NULL:
        return STATUS_OUT_OF_MEMORY
    hidden.units = <float*>grown
    hidden.word_capacity = 2 * n_words
    return STATUS_OK


cdef void find_rows(HiddenInTraining* hidden, int32_t i, const uint64_t* fields) noexcept nogil:
    """The rows of word i, on their way from memory."""
    cdef int32_t f
    cdef uint32_t* rows = hidden.row_of + <int64_t>i * hidden.n_fields
    for f in range(hidden.n_fields):
        rows[f] = row_of(hidden.n_rows, fields[hidden.field[f]])
        prefetch(hidden.rows + <int64_t>rows[f] * hidden.n_units)


cdef void score_units(HiddenInTraining* hidden, int32_t i, float* score) noexcept nogil:
    """Add the output of the hidden layer to the scores of a word's tags."""
    cdef int32_t f, k, n = hidden.n_units
    cdef float* units = hidden.units + <int64_t>i * n
    cdef const uint32_t* rows = hidden.row_of + <int64_t>i * hidden.n_fields
    cdef const float* row
    cdef int t
    if n == 0:
        return
    for k in range(n):
        units[k] = hidden.bias[k]
    for f in range(hidden.n_fields):
        row = hidden.rows + <int64_t>rows[f] * n
        for k in range(n):
            units[k] += row[k]
    for k in range(n):
        units[k] = units[k] if units[k] > 0.0 else 0.0
    for t in range(N_FINE_TAGS):
        score[t] += weigh_units(hidden.out + t * n, units, n)


cdef void step_units(HiddenInTraining* hidden, int32_t i, uint32_t tags,
                     const double* gradient) noexcept nogil:
    """Back-propagate the gradient of a word's tags; AdaGrad, with one rate for a row."""
    cdef float back[MAX_UNITS]
    cdef int32_t f, k, n = hidden.n_units
    cdef const float* units = hidden.units + <int64_t>i * n
    cdef const uint32_t* rows = hidden.row_of + <int64_t>i * hidden.n_fields
    cdef float* row
    cdef float* out
    cdef float* square
    cdef float g, step, rate, mean = 0.0
    cdef int t
    memset(back, 0, sizeof(back))
    for t in range(N_FINE_TAGS):
        g = <float>gradient[t]
        if not tags >> t & 1 or fabs(g) < NEGLIGIBLE_IN_LAYER:
            continue
        out = hidden.out + t * n
        square = hidden.out_squares + t * n
        for k in range(n):
            if units[k] > 0.0:
                back[k] += g * out[k]
        for k in range(n):
            step = g * units[k]
            square[k] += step * step
            out[k] -= <float>(hidden.rate * step / sqrt(1e-4 + square[k]))
    for k in range(n):
        mean += back[k] * back[k]
    if mean == 0.0:
        return
    mean /= n
    hidden.bias_squares += mean
    rate = <float>(hidden.rate / sqrt(1e-4 + hidden.bias_squares))
    for k in range(n):
        hidden.bias[k] -= rate * back[k]
    for f in range(hidden.n_fields):
        row = hidden.rows + <int64_t>rows[f] * n
        square = hidden.row_squares + rows[f]
        square[0] += mean
        rate = <float>(hidden.rate / sqrt(1e-4 + square[0]))
        for k in range(n):
            row[k] -= rate * back[k]


cdef int hash_word(Trainer* trainer, const Model* model, const uint8_t* text,
                   const Token* tokens, int32_t i, int32_t first_cased,
                   int64_t* n_hashes) noexcept nogil:
    """Hash the features of a word, and ask for their slots; a Status."""
    cdef uint64_t fields[N_FIELDS]
    cdef int64_t j, at = n_hashes[0]
    cdef int status = reserve_features(trainer, at + MAX_TEMPLATES)
    if status != STATUS_OK:
        return status
    trainer.start[i] = at
    fill_fields(&trainer.view, text, tokens, i, i == first_cased, model.turkic, fields)
    n_hashes[0] += hash_templates(
        &model.fine.templates, is_rare(trainer.view.words[N_NEIGHBOURS + i].prior), fields,
        trainer.hashes + at,
    )
    trainer.start[i + 1] = n_hashes[0]
    for j in range(at, n_hashes[0]):
        prefetch(trainer.slots + home_of(trainer, trainer.hashes[j]))
    find_rows(&trainer.hidden, i, fields)
    return STATUS_OK


cdef void score_features_of(Trainer* trainer, int32_t i, bint admit,
                            Lattice* lattice) noexcept nogil:
    """Add the scores of a word's features to its nodes."""
    cdef float score[N_FINE_TAGS]
    score_features(trainer, trainer.start[i], trainer.start[i + 1], tags_of(lattice, i), admit,
                   score)
    score_units(&trainer.hidden, i, score)
    add_to_nodes(lattice, i, score)


cdef void step_word(Trainer* trainer, int32_t i, int gold, const Lattice* lattice) noexcept nogil:
    """Learn from a word whose gold form is among its candidates."""
    cdef double gradient[N_FINE_TAGS]
    cdef uint32_t tags = tags_of(lattice, i)
    cdef int32_t j
    cdef int tag
    memset(gradient, 0, sizeof(gradient))
    for j in range(lattice.first_node[i], lattice.first_node[i + 1]):
        tag = tag_number(lattice.nodes[j].tag)
        if tag >= 0:
            gradient[tag] += trainer.passes.posterior[j]
    if gold >= 0:
        gradient[gold] -= 1.0
    step_features(trainer, trainer.start[i], trainer.start[i + 1], tags, gradient)
    step_units(&trainer.hidden, i, tags, gradient)


cdef void measure_word(Trainer* trainer, int32_t i, const Lattice* lattice) noexcept nogil:
    """Count a word's error and its loss."""
    cdef int32_t j, best = lattice.first_node[i]
    cdef double gold = 0.0
    for j in range(lattice.first_node[i], lattice.first_node[i + 1]):
        if trainer.passes.posterior[j] > trainer.passes.posterior[best]:
            best = j
        if trainer.allowed[i] >> ((j - lattice.first_node[i]) & 63) & 1:
            gold += trainer.passes.posterior[j]
    trainer.n_choices += 1
    trainer.n_errors += not trainer.allowed[i] >> ((best - lattice.first_node[i]) & 63) & 1
    trainer.loss -= log(max(gold, 1e-30))


cdef int train_sentence(Trainer* trainer, const Model* model, const uint8_t* text,
                        int32_t first, int32_t last, bint update, Workspace* work) noexcept nogil:
    """Learn from one sentence; a Status."""
    cdef Lattice* lattice = &work.lattice
    cdef Edges* edges = &work.viterbi.edges
    cdef const Token* tokens = work.tokens.tokens + first
    cdef int32_t first_cased, i, n = last - first, n_choices = 0
    cdef int64_t n_hashes = 0
    cdef bint missing = False
    cdef int status = build_lattice(model, text, first, last, INPUT_IGNORE, True, work,
                                    &first_cased)
    if status != STATUS_OK:
        return status
    if first_cased >= 0:
        first_cased -= first
    for i in range(n):
        n_choices += has_choice(lattice, i)
    trainer.n_words += n
    trainer.n_sentences += 1
    if n_choices == 0:
        return STATUS_OK
    status = reserve_sentence(trainer, n + 1)
    if status == STATUS_OK:
        status = reserve_hidden(&trainer.hidden, n)
    if status == STATUS_OK:
        status = view_sentence(&model.fine.templates, tokens, n, lattice, &trainer.view)
    if status == STATUS_OK and model.lm.order > 1:
        status = score_edges(&model.lm, lattice, &model.start, edges)
    if status != STATUS_OK:
        return status

    for i in range(n):
        trainer.allowed[i] = gold_candidates(lattice, i, tokens + i)
        if has_choice(lattice, i):
            missing |= trainer.allowed[i] == 0
            status = hash_word(trainer, model, text, tokens, i, first_cased, &n_hashes)
            if status != STATUS_OK:
                return status
    trainer.allowed[n] = 1
    for i in range(n):
        if has_choice(lattice, i):
            score_features_of(trainer, i, update and trainer.allowed[i] != 0, lattice)
    status = forward_backward(model.lm.order, &trainer.edges, lattice, edges, &model.start, NULL,
                              &trainer.passes)
    if status != STATUS_OK:
        return status
    for i in range(n):
        # Nothing can be learned where GEN lacks the gold form.
        if has_choice(lattice, i) and trainer.allowed[i]:
            measure_word(trainer, i, lattice)
            if update:
                step_word(trainer, i, tag_number(tokens[i].tag), lattice)

    if (update and trainer.edge_rate > 0 and not missing
            and trainer.n_sentences % SENTENCES_PER_EDGE_STEP == 0):
        status = forward_backward(model.lm.order, &trainer.edges, lattice, edges, &model.start,
                                  trainer.allowed, &trainer.gold_passes)
        if status != STATUS_OK:
            return status
        step_edges(trainer)
    return STATUS_OK


cdef inline bint is_shouted(const TokenArray* tokens) noexcept nogil:
    """Whether most words of a line are all upper case: nothing is to be learned from it."""
    cdef int32_t i, n_upper = 0, n_other = 0
    for i in range(tokens.n):
        if tokens.tokens[i].tag == TAG_AU:
            n_upper += 1
        elif tokens.tokens[i].tag != TAG_AN and tokens.tokens[i].n_code_points > 1:
            n_other += 1
    return n_upper > 1 and n_upper > n_other


cdef void drop_punctuation(TokenArray* tokens) noexcept nogil:
    """Take away what has neither letters nor digits, as speech recognition gives its text."""
    cdef int32_t i, kept = 0
    for i in range(tokens.n):
        if tokens.tokens[i].tag != TAG_AN or tokens.tokens[i].word_class != CLASS_OTHER:
            tokens.tokens[kept] = tokens.tokens[i]
            kept += 1
    tokens.n = kept


cdef inline uint64_t draw(Trainer* trainer) noexcept nogil:
    """SplitMix64."""
    cdef uint64_t x
    trainer.draws += <uint64_t>0x9e3779b97f4a7c15
    x = trainer.draws
    x = (x ^ (x >> 30)) * <uint64_t>0xbf58476d1ce4e5b9
    x = (x ^ (x >> 27)) * <uint64_t>0x94d049bb133111eb
    return x ^ (x >> 31)


cdef int train_lines(Trainer* trainer, const Model* model, const uint8_t* text, uint32_t size,
                     bint update, Workspace* work) noexcept nogil:
    cdef uint32_t begin = 0, end
    cdef int32_t first, last
    cdef const void* newline
    cdef int status
    while begin < size:
        newline = memchr(text + begin, 0x0a, size - begin)
        end = size if newline == NULL else <uint32_t>(<const uint8_t*>newline - text)
        status = segment_line(text, begin, end, model.segmentation, model.turkic, &work.tokens)
        if status != STATUS_OK:
            return status
        begin = end + 1
        if update and is_shouted(&work.tokens):
            continue
        if draw(trainer) >> 32 < trainer.drop_below:
            drop_punctuation(&work.tokens)
        first = 0
        while first < work.tokens.n:
            last = sentence_end(&model.lexicon, &work.tokens, first)
            status = train_sentence(trainer, model, text, first, last, update, work)
            if status != STATUS_OK:
                return status
            first = last
    return STATUS_OK


cdef class FineTrainer:
    """Weights in training, and the memory of one thread.

    Parameters
    ----------
    n_slots : int
        Features that can have weights; 32 bytes each.
    counter_bits : int
        Log2 of the number of counters of features not yet seen often enough; a byte each.
    min_count : int
        Occurrences from which on a feature has weights.
    alpha, beta, l1, l2 : float
        FTRL-Proximal's learning rate, its smoothing, and the two norms.
    lm_weight : float
        Weight of the language model to begin with.
    edge_rate : float
        Learning rate of the weights of the language model and of tag transitions; 0 keeps them.
    drop_punctuation : float
        Share of the lines that lose their punctuation.
    """

    cdef Trainer trainer
    cdef Workspace work

    def __cinit__(self, uint64_t n_slots, int counter_bits, int min_count, double alpha,
                  double beta, double l1, double l2, double lm_weight, double edge_rate,
                  double drop_punctuation):
        memset(&self.trainer, 0, sizeof(Trainer))
        memset(&self.work, 0, sizeof(Workspace))
        if not 1 <= n_slots < <uint64_t>1 << 32:
            raise ValueError(f"{n_slots} slots: expected 1 to 2**32 - 1")
        if not 1 <= counter_bits <= 40 or not 1 <= min_count <= 255:
            raise ValueError("counter_bits: expected 1 to 40, min_count: expected 1 to 255")
        if not alpha > 0 or not 0 <= drop_punctuation <= 1:
            raise ValueError("alpha: expected more than 0, drop_punctuation: expected 0 to 1")
        self.trainer.rates.alpha = alpha
        self.trainer.rates.beta = beta
        self.trainer.rates.l1 = l1
        self.trainer.rates.l2 = l2
        self.trainer.n_slots = n_slots
        self.trainer.counter_bits = counter_bits
        self.trainer.min_count = min_count
        self.trainer.edges.lm = lm_weight
        self.trainer.edges.has_transitions = True
        self.trainer.edge_rate = edge_rate
        self.trainer.drop_below = <uint64_t>(drop_punctuation * 4294967296.0)
        self.trainer.slots = <WeightSlot*>calloc(n_slots, sizeof(WeightSlot))
        self.trainer.counters = <uint8_t*>calloc(<size_t>1 << counter_bits, 1)
        if self.trainer.slots == NULL or self.trainer.counters == NULL:
            raise MemoryError(f"no memory for {n_slots} features in training")

    def __dealloc__(self):
        free(self.trainer.slots)
        free(self.trainer.counters)
        free(self.trainer.hidden.rows)
        free(self.trainer.hidden.row_squares)
        free(self.trainer.hidden.out)
        free(self.trainer.hidden.out_squares)
        free(self.trainer.hidden.bias)
        free(self.trainer.hidden.row_of)
        free(self.trainer.hidden.units)
        free(self.trainer.allowed)
        free(self.trainer.start)
        free(self.trainer.features)
        free(self.trainer.hashes)
        free_view(&self.trainer.view)
        free_forward_backward(&self.trainer.passes)
        free_forward_backward(&self.trainer.gold_passes)
        free_workspace(&self.work)

    def add_hidden(self, const uint8_t[::1] fields not None, const float[:, ::1] rows not None,
                   const float[:, ::1] out not None, double rate):
        """Put a hidden layer beside the weights.

        Parameters
        ----------
        fields : const uint8[::1]
            Numbers of the fields that choose a row.
        rows : const float32[:, ::1], shape (n_rows, n_units)
            To begin with; copied.
        out : const float32[:, ::1], shape (3, n_units)
        rate : float
            AdaGrad's.
        """
        cdef HiddenInTraining* hidden = &self.trainer.hidden
        cdef Py_ssize_t n_units = rows.shape[1], n_fields = fields.shape[0], i
        if hidden.n_units:
            raise ValueError("there is a hidden layer already")
        if not (1 <= n_units <= MAX_UNITS and 1 <= n_fields <= MAX_ROWS and rows.shape[0] > 0):
            raise ValueError("the hidden layer has too few or too many units, fields or rows")
        if out.shape[0] != N_FINE_TAGS or out.shape[1] != n_units:
            raise ValueError("the hidden layer's rows and outputs differ in the number of units")
        for i in range(n_fields):
            if fields[i] >= N_FIELDS:
                raise ValueError(f"there is no field number {fields[i]}")
            hidden.field[i] = fields[i]
        hidden.rows = <float*>calloc(rows.shape[0] * n_units, sizeof(float))
        hidden.row_squares = <float*>calloc(rows.shape[0], sizeof(float))
        hidden.out = <float*>calloc(N_FINE_TAGS * n_units, sizeof(float))
        hidden.out_squares = <float*>calloc(N_FINE_TAGS * n_units, sizeof(float))
        hidden.bias = <float*>calloc(n_units, sizeof(float))
        if (hidden.rows == NULL or hidden.row_squares == NULL or hidden.out == NULL
                or hidden.out_squares == NULL or hidden.bias == NULL):
            raise MemoryError("no memory for a hidden layer")
        memcpy(hidden.rows, &rows[0, 0], rows.shape[0] * n_units * sizeof(float))
        memcpy(hidden.out, &out[0, 0], N_FINE_TAGS * n_units * sizeof(float))
        hidden.n_rows = rows.shape[0]
        hidden.n_fields = <int32_t>n_fields
        hidden.rate = rate
        hidden.n_units = <int32_t>n_units

    def hidden(self):
        """Rows, outputs and biases of the hidden layer, as they are now."""
        cdef HiddenInTraining* hidden = &self.trainer.hidden
        rows = np.zeros((hidden.n_rows, hidden.n_units), np.float32)
        out = np.zeros((N_FINE_TAGS, hidden.n_units), np.float32)
        bias = np.zeros(hidden.n_units, np.float32)
        cdef float[:, ::1] view = rows
        cdef float[::1] bias_view = bias
        if hidden.n_units:
            memcpy(&view[0, 0], hidden.rows, rows.nbytes)
            view = out
            memcpy(&view[0, 0], hidden.out, out.nbytes)
            memcpy(&bias_view[0], hidden.bias, bias.nbytes)
        return rows, out, bias

    def pass_over(self, CompiledModel model not None, bytes block not None, bint update=True):
        """Learn from a block of whole lines, with the lattices of `model`; or only measure."""
        cdef bytes padded = block + b"\n" * TEXT_PADDING
        cdef const uint8_t* text = padded
        cdef size_t size = len(block)
        cdef int status
        if size >= <size_t>1 << 31:
            raise ValueError("a block of text must be smaller than 2 GiB")
        if not model.model.fine.present:
            raise ValueError("the model has no templates of fine features")
        with nogil:
            status = train_lines(&self.trainer, &model.model, text, <uint32_t>size, update,
                                 &self.work)
        if status != STATUS_OK:
            raise MemoryError("no memory left for a sentence")

    def progress(self):
        """Words, choices, errors and loss since the last call."""
        cdef Trainer* trainer = &self.trainer
        figures = {
            "words": trainer.n_words, "choices": trainer.n_choices, "errors": trainer.n_errors,
            "loss": trainer.loss, "features": trainer.n_used,
        }
        trainer.n_words = trainer.n_choices = trainer.n_errors = 0
        trainer.loss = 0.0
        return figures

    def edge_weights(self):
        """Weight of the language model, and transition weights by tag before and tag."""
        transitions = np.empty(N_STATES * N_STATES, np.float32)
        cdef float[::1] view = transitions
        cdef int i
        for i in range(N_STATES * N_STATES):
            view[i] = <float>self.trainer.edges.transition[i]
        return float(self.trainer.edges.lm), transitions

    def weights(self, int tag):
        """Features that have a weight for a tag (0 IU, 1 AU, 2 MX).

        Returns
        -------
        hashes : uint64 ndarray
        weights : float32 ndarray
        squares : float32 ndarray
            Sums of squared gradients, an estimate of the curvature of the loss.
        """
        cdef uint64_t i
        cdef int64_t n = 0
        cdef Trainer* trainer = &self.trainer
        cdef float w
        if not 0 <= tag < N_FINE_TAGS:
            raise ValueError(f"tag {tag}: expected 0 to {N_FINE_TAGS - 1}")
        for i in range(trainer.n_slots):
            n += weight_of(&trainer.rates, trainer.slots[i].z[tag], trainer.slots[i].n[tag]) != 0
        hashes = np.empty(n, np.uint64)
        weights = np.empty(n, np.float32)
        squares = np.empty(n, np.float32)
        cdef uint64_t[::1] hash_view = hashes
        cdef float[::1] weight_view = weights
        cdef float[::1] square_view = squares
        n = 0
        for i in range(trainer.n_slots):
            w = weight_of(&trainer.rates, trainer.slots[i].z[tag], trainer.slots[i].n[tag])
            if w != 0:
                hash_view[n] = trainer.slots[i].hash
                weight_view[n] = w
                square_view[n] = trainer.slots[i].n[tag]
                n += 1
        return hashes, weights, squares
