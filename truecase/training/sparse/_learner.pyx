"""Online training of sparse weights on the decoder's own lattices.

One pass over text, sentence by sentence: the lattice with its edges, posteriors by
forward-backward, and for each word with a choice the gradient of the log-likelihood with respect
to its features, p(tag) - [tag is the gold one]. How weights follow it is in
`_sparse_training.pxd` and `_hidden_training.pxd`.
"""

from libc.math cimport log, sqrt
from libc.stddef cimport size_t
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

import numpy as np

from truecase._core cimport (
    INPUT_IGNORE,
    CompiledModel,
    Walk,
    Workspace,
    begin_walk,
    free_workspace,
    next_piece,
    next_sentence,
)
from truecase.decode._edges cimport EdgeWeights, Edges, score_edges
from truecase.decode._forward_backward cimport (
    ForwardBackward,
    forward_backward,
    free_forward_backward,
)
from truecase.features._fields cimport (
    MAX_TEMPLATES,
    N_NEIGHBOURS,
    SentenceView,
    fill_fields,
    free_view,
    hash_templates,
    is_rare,
    view_sentence,
)
from truecase.features._schema cimport N_FIELDS
from truecase.features._source_fields cimport view_source
from truecase.features._sparse cimport (
    MAX_ROWS,
    MAX_UNITS,
    N_SPARSE_TAGS,
    add_to_nodes,
    has_choice,
    tag_number,
    tags_of,
)
from truecase.lattice._gen cimport gold_candidates
from truecase.lattice._lattice cimport N_STATES, Lattice
from truecase.lexicon._lexicon cimport known_words
from truecase.model._view cimport ModelView
from truecase.runtime._check cimport prefetch
from truecase.runtime._memory cimport grow
from truecase.runtime._status cimport STATUS_INVALID, STATUS_OK, STATUS_OUT_OF_MEMORY
from truecase.source._block cimport AlignedBlock
from truecase.source._phrase cimport AlignedText, SourceSide
from truecase.text._token cimport Token
from truecase.training.sparse._average cimport AveragedWeights, add_to_average
from truecase.training.sparse._hidden_layer cimport (
    HiddenInTraining,
    find_rows,
    reserve_hidden,
    score_units,
    step_units,
)
from truecase.training.sparse._lines cimport draw, is_all_caps, remove_punctuation
from truecase.training.sparse._weights cimport (
    SparseInTraining,
    WeightSlot,
    home_of,
    known_slot,
    reserve_features,
    score_features,
    step_features,
    weight_of,
)

from truecase.runtime.one_thread import OneThread

__all__ = ["SparseTrainer"]


cdef enum:
    # The few weights of edges do not need to be moved by every sentence.
    SENTENCES_PER_EDGE_STEP = 8
    CACHE_LINE = 64


cdef struct Trainer:
    SparseInTraining sparse
    HiddenInTraining hidden
    SentenceView view
    ForwardBackward passes
    ForwardBackward gold_passes
    uint64_t* allowed            # per word: its gold candidates
    int64_t* start               # per word: place of its first feature
    int32_t word_capacity
    EdgeWeights edges
    AveragedWeights average
    double edge_squares[1 + N_STATES * N_STATES]   # AdaGrad sums: lm, transitions
    double edge_rate
    uint64_t draws               # state of the generator that chooses lines without punctuation
    uint64_t drop_below          # lines whose draw is below it lose their punctuation
    uint64_t hide_below          # likewise lines that lose their source
    uint64_t unalign_below       # and lines that lose their alignment
    int64_t n_sentences
    int64_t n_words
    int64_t n_choices
    int64_t n_errors             # choices whose most probable tag is not the gold one
    double loss                  # sum of -log p(gold tag), nats


cdef int reserve_sentence(Trainer* trainer, int32_t n_words) noexcept nogil:
    if trainer.word_capacity < n_words:
        if (grow(<void**>&trainer.allowed, 2 * <size_t>n_words, sizeof(uint64_t)) != STATUS_OK
                or grow(<void**>&trainer.start, 2 * <size_t>n_words, sizeof(int64_t)) != STATUS_OK):
            return STATUS_OUT_OF_MEMORY
        trainer.word_capacity = 2 * n_words
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


cdef int hash_word(Trainer* trainer, const ModelView* model, const uint8_t* text,
                   const Token* tokens, int32_t i, int32_t first_cased,
                   int64_t* n_hashes) noexcept nogil:
    """Hash the features of a word, and ask for their slots; a Status."""
    cdef uint64_t fields[N_FIELDS]
    cdef int64_t j, at = n_hashes[0]
    cdef int status = reserve_features(&trainer.sparse, at + MAX_TEMPLATES)
    if status != STATUS_OK:
        return status
    trainer.start[i] = at
    fill_fields(&trainer.view, text, tokens, i, i == first_cased, model.turkic, fields)
    n_hashes[0] += hash_templates(
        &model.sparse.templates, is_rare(trainer.view.words[N_NEIGHBOURS + i].prior), fields,
        trainer.sparse.hashes + at,
    )
    trainer.start[i + 1] = n_hashes[0]
    for j in range(at, n_hashes[0]):
        prefetch(trainer.sparse.slots + home_of(&trainer.sparse, trainer.sparse.hashes[j]))
    find_rows(&trainer.hidden, i, fields)
    return STATUS_OK


cdef void score_features_of(Trainer* trainer, int32_t i, bint admit,
                            Lattice* lattice) noexcept nogil:
    """Add the scores of a word's features to its nodes."""
    cdef float score[N_SPARSE_TAGS]
    score_features(&trainer.sparse, trainer.start[i], trainer.start[i + 1], tags_of(lattice, i),
                   admit, score)
    score_units(&trainer.hidden, i, score)
    add_to_nodes(lattice, i, score)


cdef void step_word(Trainer* trainer, int32_t i, int gold, const Lattice* lattice) noexcept nogil:
    """Learn from a word whose gold form is among its candidates."""
    cdef double gradient[N_SPARSE_TAGS]
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
    step_features(&trainer.sparse, trainer.start[i], trainer.start[i + 1], tags, gradient)
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


cdef int train_sentence(Trainer* trainer, const Walk* walk, bint update,
                        Workspace* work) noexcept nogil:
    """Learn from the walk's sentence; a Status."""
    cdef const ModelView* model = walk.model
    cdef Lattice* lattice = &work.lattice
    cdef Edges* edges = &work.viterbi.edges
    cdef const Token* tokens = work.tokens.tokens + walk.first
    cdef int32_t i, n = walk.last - walk.first, n_choices = 0
    cdef int64_t n_hashes = 0, j
    cdef bint missing = False
    cdef int status
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
        status = view_sentence(&model.sparse.templates, tokens, n, lattice, &trainer.view)
    if status == STATUS_OK and work.side.aligned != NULL:
        view_source(&work.side, walk.text, tokens, walk.first, n, &trainer.view)
    if status == STATUS_OK and model.lm.order > 1:
        status = score_edges(&model.lm, lattice, &model.start, edges)
    if status != STATUS_OK:
        return status

    for i in range(n):
        trainer.allowed[i] = gold_candidates(lattice, i, tokens + i)
        if has_choice(lattice, i):
            missing |= trainer.allowed[i] == 0
            status = hash_word(trainer, model, walk.text, tokens, i, walk.initial, &n_hashes)
            if status != STATUS_OK:
                return status
    trainer.allowed[n] = 1
    for j in range(n_hashes):
        trainer.sparse.features[j] = known_slot(&trainer.sparse, trainer.sparse.hashes[j])
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


cdef inline void draw_source(Trainer* trainer, SourceSide* side) noexcept nogil:
    """Hide a line's source, or its alignment, so that weights are learned for lines without."""
    cdef uint64_t number = draw(&trainer.draws) >> 32
    if number < trainer.hide_below:
        side.aligned = NULL
    elif number < trainer.hide_below + trainer.unalign_below:
        side.is_whole = True


cdef int train_lines(Trainer* trainer, const ModelView* model, const uint8_t* text, size_t size,
                     const AlignedText* aligned, bint update, Workspace* work) noexcept nogil:
    cdef Walk walk
    begin_walk(&walk, model, text, size, aligned, INPUT_IGNORE, work)
    walk.words = known_words(&model.lexicon, True)
    while next_piece(&walk, work):
        if update and walk.source != NULL and walk.starts_line:
            draw_source(trainer, &work.side)
        if update and work.side.aligned == NULL and is_all_caps(&work.tokens):
            continue
        if draw(&trainer.draws) >> 32 < trainer.drop_below:
            remove_punctuation(&walk.words, &work.tokens)
        while next_sentence(&walk, work):
            walk.status = train_sentence(trainer, &walk, update, work)
    return walk.status


cdef inline uint8_t* line_start(uint8_t* p) noexcept nogil:
    """Where the next line of the cache begins: what is as long as one is not to lie in two."""
    return p + (CACHE_LINE - <size_t>p % CACHE_LINE) % CACHE_LINE


cdef class SparseTrainer:
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
    hide_source, hide_alignment : float
        Of lines that have a source, the shares of those that lose it, and of those that lose
        their alignment.
    """

    cdef Trainer trainer
    cdef Workspace work
    cdef object one_thread
    cdef object slots            # memory of the trainer's
    cdef object counters
    cdef object rows

    def __cinit__(self, uint64_t n_slots, int counter_bits, int min_count, double alpha,
                  double beta, double l1, double l2, double lm_weight, double edge_rate,
                  double drop_punctuation, double hide_source=0.0, double hide_alignment=0.0):
        cdef SparseInTraining* sparse = &self.trainer.sparse
        cdef uint8_t[::1] view
        memset(&self.trainer, 0, sizeof(Trainer))
        memset(&self.work, 0, sizeof(Workspace))
        self.one_thread = OneThread("SparseTrainer")
        if not 1 <= n_slots < <uint64_t>1 << 32:
            raise ValueError(f"{n_slots} slots: expected 1 to 2**32 - 1")
        if not 1 <= counter_bits <= 40 or not 1 <= min_count <= 255:
            raise ValueError("counter_bits: expected 1 to 40, min_count: expected 1 to 255")
        if not alpha > 0 or not 0 <= drop_punctuation <= 1:
            raise ValueError("alpha: expected more than 0, drop_punctuation: expected 0 to 1")
        if hide_source < 0 or hide_alignment < 0 or not hide_source + hide_alignment <= 1:
            raise ValueError("hide_source, hide_alignment: expected shares, together 0 to 1")
        sparse.rates.alpha = alpha
        sparse.rates.beta = beta
        sparse.rates.l1 = l1
        sparse.rates.l2 = l2
        sparse.n_slots = n_slots
        sparse.counter_bits = counter_bits
        sparse.min_count = min_count
        self.trainer.edges.lm = lm_weight
        self.trainer.edges.has_transitions = True
        self.trainer.edge_rate = edge_rate
        self.trainer.drop_below = <uint64_t>(drop_punctuation * 4294967296.0)
        self.trainer.hide_below = <uint64_t>(hide_source * 4294967296.0)
        self.trainer.unalign_below = <uint64_t>(hide_alignment * 4294967296.0)
        # NumPy asks for huge pages: without them, each feature costs a walk through page tables.
        self.counters = np.zeros(<size_t>1 << counter_bits, np.uint8)
        self.slots = np.zeros(n_slots * sizeof(WeightSlot) + CACHE_LINE, np.uint8)
        view = self.counters
        sparse.counters = &view[0]
        view = self.slots
        sparse.slots = <WeightSlot*>line_start(&view[0])

    def __dealloc__(self):
        free(self.trainer.hidden.row_squares)
        free(self.trainer.hidden.out)
        free(self.trainer.hidden.out_squares)
        free(self.trainer.hidden.bias)
        free(self.trainer.hidden.row_of)
        free(self.trainer.hidden.units)
        free(self.trainer.average.sparse)
        free(self.trainer.average.rows)
        free(self.trainer.average.out)
        free(self.trainer.average.bias)
        free(self.trainer.allowed)
        free(self.trainer.start)
        free(self.trainer.sparse.features)
        free(self.trainer.sparse.hashes)
        free_view(&self.trainer.view)
        free_forward_backward(&self.trainer.passes)
        free_forward_backward(&self.trainer.gold_passes)
        free_workspace(&self.work)

    def close(self):
        """Give weights to no more features.

        From a second pass over the same text on, counts no longer tell which occur often.
        """
        self.trainer.sparse.is_closed = True

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
        with self.one_thread:
            return self._add_hidden(fields, rows, out, rate)

    cdef object _add_hidden(self, const uint8_t[::1] fields, const float[:, ::1] rows,
                            const float[:, ::1] out, double rate):
        cdef HiddenInTraining* hidden = &self.trainer.hidden
        cdef Py_ssize_t n_units = rows.shape[1], n_fields = fields.shape[0], i
        cdef uint8_t[::1] view
        if hidden.n_units:
            raise ValueError("there is a hidden layer already")
        if not (1 <= n_units <= MAX_UNITS and 1 <= n_fields <= MAX_ROWS and rows.shape[0] > 0):
            raise ValueError("the hidden layer has too few or too many units, fields or rows")
        if out.shape[0] != N_SPARSE_TAGS or out.shape[1] != n_units:
            raise ValueError("the hidden layer's rows and outputs differ in the number of units")
        for i in range(n_fields):
            if fields[i] >= N_FIELDS:
                raise ValueError(f"there is no field number {fields[i]}")
            hidden.field[i] = fields[i]
        self.rows = np.zeros(rows.shape[0] * n_units * sizeof(float) + CACHE_LINE, np.uint8)
        view = self.rows
        hidden.rows = <float*>line_start(&view[0])
        hidden.row_squares = <float*>calloc(rows.shape[0], sizeof(float))
        hidden.out = <float*>calloc(N_SPARSE_TAGS * n_units, sizeof(float))
        hidden.out_squares = <float*>calloc(N_SPARSE_TAGS * n_units, sizeof(float))
        hidden.bias = <float*>calloc(n_units, sizeof(float))
        if (hidden.row_squares == NULL or hidden.out == NULL or hidden.out_squares == NULL
                or hidden.bias == NULL):
            raise MemoryError("no memory for a hidden layer")
        memcpy(hidden.rows, &rows[0, 0], rows.shape[0] * n_units * sizeof(float))
        memcpy(hidden.out, &out[0, 0], N_SPARSE_TAGS * n_units * sizeof(float))
        hidden.n_rows = rows.shape[0]
        hidden.n_fields = <int32_t>n_fields
        hidden.rate = rate
        hidden.n_units = <int32_t>n_units

    def add_to_average(self):
        """From now on, weights are averages over those at every call of this."""
        cdef int status
        with self.one_thread, nogil:
            status = add_to_average(&self.trainer.average, &self.trainer.sparse,
                                    &self.trainer.hidden, &self.trainer.edges)
        if status != STATUS_OK:
            raise MemoryError("no memory for averages of weights")

    def hidden(self):
        """Rows, outputs and biases of the hidden layer, as they are now or on average."""
        with self.one_thread:
            return self._hidden()

    cdef object _hidden(self):
        cdef HiddenInTraining* hidden = &self.trainer.hidden
        cdef AveragedWeights* average = &self.trainer.average
        rows = np.zeros((hidden.n_rows, hidden.n_units), np.float32)
        out = np.zeros((N_SPARSE_TAGS, hidden.n_units), np.float32)
        bias = np.zeros(hidden.n_units, np.float32)
        cdef float[:, ::1] view = rows
        cdef float[::1] bias_view = bias
        if hidden.n_units:
            memcpy(&view[0, 0], average.rows if average.n else hidden.rows, rows.nbytes)
            view = out
            memcpy(&view[0, 0], average.out if average.n else hidden.out, out.nbytes)
            memcpy(&bias_view[0], average.bias if average.n else hidden.bias, bias.nbytes)
        n = np.float32(max(1, average.n))
        return rows / n, out / n, bias / n

    def pass_over(self, CompiledModel model not None, bytes block not None, bint update=True,
                  source=None, phrases=None):
        """Learn from a block of whole lines, with the lattices of `model`; or only measure.

        `source` and `phrases` are those of `CompiledModel.case_block`.
        """
        cdef const uint8_t* text = block
        cdef size_t size = len(block)
        cdef AlignedBlock aligned
        cdef const AlignedText* source_text = NULL
        cdef int status
        if size >= <size_t>1 << 31:
            raise ValueError("a block of text must be smaller than 2 GiB")
        if not model.model.sparse.present:
            raise ValueError("the model has no templates of sparse features")
        if source is not None:
            aligned = AlignedBlock(block, source, phrases)
            source_text = &aligned.aligned
        with self.one_thread, nogil:
            status = train_lines(&self.trainer, &model.model, text, size, source_text, update,
                                 &self.work)
            self.work.side.aligned = NULL
        if status == STATUS_INVALID:
            raise ValueError("a line of the training text has not as many words as are aligned")
        if status != STATUS_OK:
            raise MemoryError("no memory left for a sentence")

    def progress(self):
        """Words, choices, errors and loss since the last call."""
        cdef Trainer* trainer = &self.trainer
        figures = {
            "words": trainer.n_words, "choices": trainer.n_choices, "errors": trainer.n_errors,
            "loss": trainer.loss, "features": trainer.sparse.n_used,
        }
        trainer.n_words = trainer.n_choices = trainer.n_errors = 0
        trainer.loss = 0.0
        return figures

    def edge_weights(self):
        """Weight of the language model, and transition weights by tag before and tag.

        As they are now or on average.
        """
        transitions = np.empty(N_STATES * N_STATES, np.float32)
        cdef float[::1] view = transitions
        cdef int i
        cdef AveragedWeights* average = &self.trainer.average
        for i in range(N_STATES * N_STATES):
            view[i] = <float>(average.transition[i] / average.n if average.n
                              else self.trainer.edges.transition[i])
        return float(average.lm / average.n if average.n else self.trainer.edges.lm), transitions

    def weights(self, int tag):
        """Features that have a weight for a tag (0 IU, 1 AU, 2 MX), now or on average.

        Returns
        -------
        hashes : uint64 ndarray
        weights : float32 ndarray
        squares : float32 ndarray
            Sums of squared gradients, an estimate of the curvature of the loss.
        """
        with self.one_thread:
            return self._weights(tag)

    cdef float _weight(self, uint64_t slot, int tag) noexcept nogil:
        cdef SparseInTraining* sparse = &self.trainer.sparse
        cdef AveragedWeights* average = &self.trainer.average
        if average.n:
            return average.sparse[slot * N_SPARSE_TAGS + tag] / average.n
        return weight_of(&sparse.rates, sparse.slots[slot].z[tag], sparse.slots[slot].n[tag])

    cdef object _weights(self, int tag):
        cdef uint64_t i
        cdef int64_t n = 0
        cdef SparseInTraining* sparse = &self.trainer.sparse
        cdef float w
        if not 0 <= tag < N_SPARSE_TAGS:
            raise ValueError(f"tag {tag}: expected 0 to {N_SPARSE_TAGS - 1}")
        for i in range(sparse.n_slots):
            n += self._weight(i, tag) != 0
        hashes = np.empty(n, np.uint64)
        weights = np.empty(n, np.float32)
        squares = np.empty(n, np.float32)
        cdef uint64_t[::1] hash_view = hashes
        cdef float[::1] weight_view = weights
        cdef float[::1] square_view = squares
        n = 0
        for i in range(sparse.n_slots):
            w = self._weight(i, tag)
            if w != 0:
                hash_view[n] = sparse.slots[i].hash
                weight_view[n] = w
                square_view[n] = sparse.slots[i].n[tag]
                n += 1
        return hashes, weights, squares
