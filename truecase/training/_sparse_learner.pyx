"""Train sparse weights online by batches of pieces of text.

Each piece is read with the weights as the batch found them (`_sparse_piece.pxd`); its gradients are
kept by shard. Each weight then makes one step by the batch's sum, in the order of the text
(`_sparse_weights.pxd`; edges step by sentence). Threads share pieces, then shards.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, int64_t, uint64_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from truecase._core cimport CompiledModel
from truecase.base._memory cimport STATUS_INVALID, STATUS_OK, STATUS_OUT_OF_MEMORY, grow
from truecase.kernels._schema cimport N_FIELDS
from truecase.kernels._source cimport AlignedBlock
from truecase.kernels._sparse cimport MAX_UNITS
from truecase.kernels._structs cimport MAX_ROWS, N_SPARSE_TAGS, N_STATES, AlignedText, EdgeWeights
from truecase.training._sparse_piece cimport (
    Chances, Figures, Learned, Observer, draw, free_observer, observe_piece
)
from truecase.training._sparse_weights cimport (
    N_SHARDS, SHARD_BITS, AveragedWeights, FeatureSums, Gradients, HiddenInTraining, RowSums,
    SparseInTraining, WeightSlot, add_to_average, begin_features, begin_rows, clear_gradients,
    count_unknown, free_feature_sums, free_gradients, free_row_sums, step_edges, step_features,
    step_outputs, step_row, step_rows, sum_biases, sum_known, sum_outputs, sum_rows, sum_unknown,
    weight_of
)

import numpy as np

from truecase.base.threads import OneThread, ordered_map


cdef enum:
    CACHE_LINE = 64
    # Besides, these shards do some of the work that is not cut into shards.
    SHARD_OF_BIASES = N_SPARSE_TAGS
    SHARD_OF_EDGES = N_SPARSE_TAGS + 1


cdef struct Batch:               # what pieces have for a shard; memory of one thread
    FeatureSums features
    RowSums rows
    float units[MAX_UNITS]       # of outputs or biases


cdef class OwnedObserver:
    """The memory of a thread."""

    cdef Observer memory
    cdef Batch batch

    def __dealloc__(self):
        free_observer(&self.memory)
        free_feature_sums(&self.batch.features)
        free_row_sums(&self.batch.rows)


cdef class PieceGradients:
    """The gradients of a piece."""

    cdef Gradients memory
    cdef uint64_t draws          # state of the generator that chooses the lines to hide parts of

    def __dealloc__(self):
        free_gradients(&self.memory)


cdef int begin_batch(Learned* learned, int shard, Gradients** pieces, int n_pieces,
                     Batch* batch) noexcept nogil:
    """Count features without slots, and make room for the gradients of some pieces; a Status."""
    cdef HiddenInTraining* hidden = &learned.hidden
    cdef int64_t n_features = 0, n_rows = 0
    cdef int i
    for i in range(n_pieces):
        count_unknown(&learned.sparse, &pieces[i].unknown[shard])
        n_features += pieces[i].known[shard].n + pieces[i].unknown[shard].n
        n_rows += pieces[i].rows[shard].n
    memset(batch.units, 0, sizeof(batch.units))
    if (begin_features(&batch.features, n_features) != STATUS_OK
            or begin_rows(&batch.rows, n_rows, hidden.n_rows, hidden.n_units) != STATUS_OK):
        return STATUS_OUT_OF_MEMORY
    return STATUS_OK


cdef void sum_shard(Learned* learned, int shard, Gradients* gradients,
                    Batch* batch) noexcept nogil:
    """Add up a piece's gradients for a shard; move the edges, which few sentences teach."""
    cdef HiddenInTraining* hidden = &learned.hidden
    cdef int64_t i
    sum_known(&gradients.known[shard], gradients.words, &batch.features)
    sum_unknown(&learned.sparse, &gradients.unknown[shard], gradients.words, &batch.features)
    if hidden.n_units:
        sum_rows(hidden, &gradients.rows[shard], gradients, &batch.rows)
        if shard < N_SPARSE_TAGS:
            sum_outputs(hidden, shard, gradients, batch.units)
        if shard == SHARD_OF_BIASES:
            sum_biases(hidden, gradients, batch.units)
    if shard == SHARD_OF_EDGES:
        for i in range(gradients.n_edges):
            step_edges(&learned.edges, gradients.edges + i)


cdef void step_shard(Learned* learned, int shard, const Batch* batch) noexcept nogil:
    """Move the weights of a shard by a batch's sums."""
    cdef HiddenInTraining* hidden = &learned.hidden
    step_features(&learned.sparse, &batch.features)
    if hidden.n_units:
        step_rows(hidden, &batch.rows)
        if shard < N_SPARSE_TAGS:
            step_outputs(hidden, shard, batch.units)
        if shard == SHARD_OF_BIASES:
            step_row(<float>hidden.rate, hidden.bias, &hidden.bias_squares, batch.units,
                     hidden.n_units)


cdef int learn_shard(Learned* learned, int shard, Gradients** pieces, int n_pieces,
                     Batch* batch) noexcept nogil:
    """Make the steps of a shard; a Status."""
    cdef int i
    if begin_batch(learned, shard, pieces, n_pieces, batch) != STATUS_OK:
        return STATUS_OUT_OF_MEMORY
    for i in range(n_pieces):
        sum_shard(learned, shard, pieces[i], batch)
    step_shard(learned, shard, batch)
    return STATUS_OK


cdef floats(const float* values, size_t n):
    """A copy of some values."""
    return np.frombuffer((<const char*>values)[:n * sizeof(float)], np.float32)


cdef object next_of(list tasks):
    """Take the last task; None if another thread has taken it."""
    try:
        return tasks.pop()
    except IndexError:
        return None


cdef class SparseTrainer:
    """Weights in training.

    Weights step by the sum of a batch: a name that a piece has ten times has ten gradients that do
    not know of each other. FTRL-Proximal and AdaGrad square the sum, which bounds the joint effect
    of all ten (McMahan & Streeter 2014, on delayed gradients).

    Parameters
    ----------
    recipe : SparseRecipe
    n_slots : int
        Features that can have weights, 32 bytes each; rounded up to a multiple of 16.
    counter_bits : int
        Log2 of the number of counters of rarer features, a byte each.
    """

    cdef Learned learned
    cdef AveragedWeights average
    cdef Chances chances
    cdef Figures figures
    cdef uint64_t draws          # state of the generator that gives each piece one
    cdef object one_thread
    cdef list observers          # of OwnedObserver, those at rest
    cdef list gradients          # of PieceGradients
    cdef Gradients** found       # what is in these
    cdef list memory             # arrays of the weights

    def __cinit__(self, recipe, uint64_t n_slots, int counter_bits):
        cdef SparseInTraining* sparse = &self.learned.sparse
        self.one_thread = OneThread("SparseTrainer")
        self.observers = []
        self.gradients = []
        self.memory = []
        if not 1 <= n_slots < <uint64_t>1 << 32:
            raise ValueError(f"{n_slots} slots: expected 1 to 2**32 - 1")
        if not SHARD_BITS <= counter_bits <= 40 or recipe.min_count > 255:
            raise ValueError(
                f"counter_bits: expected {SHARD_BITS} to 40, min_count: expected 1 to 255"
            )
        sparse.rates.alpha, sparse.rates.beta = recipe.alpha, recipe.beta
        sparse.rates.l1, sparse.rates.l2 = recipe.l1, recipe.l2
        n_slots += (N_SHARDS - n_slots % N_SHARDS) % N_SHARDS
        sparse.n_slots = n_slots
        sparse.counter_bits = counter_bits
        sparse.min_count = recipe.min_count
        self.learned.edges.weights.lm = recipe.lm_weight
        self.learned.edges.weights.has_transitions = True
        self.learned.edges.rate = recipe.edge_rate
        self.chances.drop_below = int(recipe.drop_punctuation * 4294967296.0)
        self.chances.hide_below = int(recipe.hide_source * 4294967296.0)
        self.chances.unalign_below = int(recipe.hide_alignment * 4294967296.0)
        sparse.counters = <uint8_t*>self._zeros((<size_t>1 << counter_bits) // sizeof(float))
        sparse.slots = <WeightSlot*>self._zeros(n_slots * (sizeof(WeightSlot) // sizeof(float)))

    def __dealloc__(self):
        free(self.found)

    cdef float* _zeros(self, size_t n) except NULL:
        """Memory for weights, all 0, for as long as the trainer lives.

        It begins with a line of the cache: no struct that fits into a line shall lie in two.
        """
        # NumPy asks for huge pages: without them, each feature costs a walk through page tables.
        array = np.zeros(n * sizeof(float) + CACHE_LINE, np.uint8)
        cdef uint8_t[::1] view = array
        self.memory.append(array)
        return <float*>(&view[0] + (CACHE_LINE - <size_t>&view[0] % CACHE_LINE) % CACHE_LINE)

    def close(self):
        """Give weights to no more features.

        From the second pass over a text on, counts no longer show which features are frequent.
        """
        with self.one_thread:
            self.learned.sparse.is_closed = True

    def add_hidden(self, const uint8_t[::1] fields not None, const float[:, ::1] rows not None,
                   const float[:, ::1] out not None, double rate):
        """Put a hidden layer beside the weights; `rate` is AdaGrad's.

        `fields` are the numbers of the fields that choose a row; initial values, which are copied,
        are `rows`, shape (n_rows, n_units), and `out`, shape (3, n_units).
        """
        cdef HiddenInTraining* hidden = &self.learned.hidden
        cdef Py_ssize_t n_units = rows.shape[1], n_fields = fields.shape[0], i
        if not (1 <= n_units <= MAX_UNITS and 1 <= n_fields <= MAX_ROWS and rows.shape[0] > 0):
            raise ValueError("the hidden layer has too few or too many units, fields or rows")
        if out.shape[0] != N_SPARSE_TAGS or out.shape[1] != n_units:
            raise ValueError("the hidden layer's rows and outputs differ in the number of units")
        with self.one_thread:
            if hidden.n_units:
                raise ValueError("there is a hidden layer already")
            for i in range(n_fields):
                if fields[i] >= N_FIELDS:
                    raise ValueError(f"there is no field number {fields[i]}")
                hidden.field[i] = fields[i]
            hidden.rows = self._zeros(rows.shape[0] * n_units)
            hidden.row_squares = self._zeros(rows.shape[0])
            hidden.out = self._zeros(N_SPARSE_TAGS * n_units)
            hidden.out_squares = self._zeros(N_SPARSE_TAGS * n_units)
            hidden.bias = self._zeros(n_units)
            memcpy(hidden.rows, &rows[0, 0], rows.shape[0] * n_units * sizeof(float))
            memcpy(hidden.out, &out[0, 0], N_SPARSE_TAGS * n_units * sizeof(float))
            hidden.n_rows = rows.shape[0]
            hidden.n_fields = <int32_t>n_fields
            hidden.rate = rate
            hidden.n_units = <int32_t>n_units

    def stand_beside(self, CompiledModel model not None):
        """Learn additions to the weights of the models that `learn` gets.

        The weights of edges are those of `model`, and stay.
        """
        with self.one_thread:
            self.learned.is_beside_base = True
            self.learned.edges.weights = model.model.edge_weights
            self.learned.edges.rate = 0.0

    def add_to_average(self, int threads=1):
        """From now on, weights are averages over their values at every call of this."""
        cdef HiddenInTraining* hidden = &self.learned.hidden
        with self.one_thread:
            if self.average.sparse == NULL:
                self.average.rows = self._zeros(hidden.n_rows * hidden.n_units)
                self.average.out = self._zeros(N_SPARSE_TAGS * hidden.n_units)
                self.average.bias = self._zeros(hidden.n_units)
                self.average.sparse = self._zeros(self.learned.sparse.n_slots * N_SPARSE_TAGS)
            for _ in ordered_map(self._average_shard, range(N_SHARDS), threads):
                pass

    def _average_shard(self, int shard):
        with nogil:
            add_to_average(&self.average, &self.learned.sparse, &self.learned.hidden,
                           &self.learned.edges.weights, shard)

    def hidden(self):
        """Rows, outputs and biases of the hidden layer, current or averaged."""
        cdef HiddenInTraining* hidden = &self.learned.hidden
        cdef AveragedWeights* average = &self.average
        cdef int32_t n_units = hidden.n_units
        with self.one_thread:
            n = np.float32(max(1, average.n))
            rows = floats(average.rows if average.n else hidden.rows, hidden.n_rows * n_units)
            out = floats(average.out if average.n else hidden.out, N_SPARSE_TAGS * n_units)
            bias = floats(average.bias if average.n else hidden.bias, n_units)
            rows, out = rows.reshape(-1, max(1, n_units)), out.reshape(N_SPARSE_TAGS, -1)
            return rows / n, out / n, bias / n

    def learn(self, list pieces not None, int threads=1, *, bint admit=True):
        """Learn from a batch; all its pieces are read with the current weights.

        Each piece has the model that makes its lattices, a block of whole lines, and its source and
        phrases as for `CompiledModel.case_block`. The weights depend on the pieces and their order,
        but not on the number of threads, to the last bit. Without `admit`, only features that
        already have weights learn.
        """
        cdef PieceGradients found
        with self.one_thread:
            while len(self.gradients) < len(pieces):
                self._add_gradients()
            tasks = []
            for found, piece in zip(self.gradients, pieces):
                found.draws = draw(&self.draws)
                found.memory.admits = admit
                tasks.append((found, piece))
            # A thread takes the next task itself when it is done: handing out each task costs more.
            self._in_threads(self._observe_pieces, tasks, threads)
            for found in self.gradients[:len(pieces)]:
                self.figures.n_words += found.memory.figures.n_words
                self.figures.n_choices += found.memory.figures.n_choices
                self.figures.n_errors += found.memory.figures.n_errors
                self.figures.loss += found.memory.figures.loss
            steps = [(shard, len(pieces)) for shard in range(N_SHARDS)]
            self._in_threads(self._step_shards, steps, threads)

    cdef int _in_threads(self, object work, list tasks, int threads) except -1:
        """Have threads take the tasks from a list."""
        tasks.reverse()
        for _ in ordered_map(work, [tasks] * max(1, min(threads, <int>len(tasks))), threads):
            pass
        return 0

    def _observe_pieces(self, list tasks not None):
        """Read pieces while any are left, in any thread."""
        cdef OwnedObserver observer = self._observer()
        try:
            while (task := next_of(tasks)) is not None:
                self._observe(observer, task)
        finally:
            self.observers.append(observer)

    cdef int _observe(self, OwnedObserver observer, tuple task) except -1:
        """Read a piece."""
        cdef PieceGradients found = task[0]
        cdef tuple piece = task[1]
        cdef CompiledModel model = piece[0]
        cdef bytes block = piece[1]
        cdef const uint8_t* text = block
        cdef size_t size = len(block)
        cdef AlignedBlock aligned
        cdef const AlignedText* source = NULL
        cdef int status
        if size >= <size_t>1 << 31:
            raise ValueError("a block of text must be smaller than 2 GiB")
        if not model.model.sparse.present:
            raise ValueError("the model has no templates of sparse features")
        if piece[2] is not None:
            aligned = AlignedBlock(block, piece[2], piece[3])
            source = &aligned.aligned
        with nogil:
            clear_gradients(&found.memory)
            status = observe_piece(&observer.memory, &self.learned, &self.chances, found.draws,
                                   &model.model, text, size, source, &found.memory)
        if status == STATUS_INVALID:
            raise ValueError("a line of the training text has not as many words as are aligned")
        if status != STATUS_OK:
            raise MemoryError("no memory left for a sentence")
        return 0

    cdef int _add_gradients(self) except -1:
        """Add memory for the gradients of one more piece."""
        cdef PieceGradients more = PieceGradients()
        cdef size_t n = len(self.gradients)
        if grow(<void**>&self.found, n + 1, sizeof(Gradients*)) != STATUS_OK:
            raise MemoryError("no memory left for the gradients of a batch")
        self.found[n] = &more.memory
        self.gradients.append(more)
        return 0

    cdef OwnedObserver _observer(self):
        """Memory of the calling thread, which returns it to `self.observers`."""
        try:
            return self.observers.pop()
        except IndexError:
            return OwnedObserver()

    def _step_shards(self, list tasks not None):
        """Make the steps of shards while any are left, in any thread."""
        cdef OwnedObserver observer = self._observer()
        cdef int shard, n_pieces, status = STATUS_OK
        while status == STATUS_OK and (task := next_of(tasks)) is not None:
            shard, n_pieces = task
            with nogil:
                status = learn_shard(&self.learned, shard, self.found, n_pieces, &observer.batch)
        self.observers.append(observer)
        if status != STATUS_OK:
            raise MemoryError("no memory left for the gradients of a batch")

    def progress(self):
        """Words, choices, errors and loss since the last call."""
        cdef Figures* seen = &self.figures
        cdef int shard
        n_used = 0
        with self.one_thread:
            for shard in range(N_SHARDS):
                n_used += self.learned.sparse.n_used[shard]
            figures = {
                "words": seen.n_words, "choices": seen.n_choices, "errors": seen.n_errors,
                "loss": seen.loss, "features": n_used,
            }
            memset(seen, 0, sizeof(Figures))
        return figures

    def edge_weights(self):
        """Weight of the language model, and transitions [tag before, tag]; current or averaged."""
        cdef AveragedWeights* average = &self.average
        cdef EdgeWeights* now = &self.learned.edges.weights
        with self.one_thread:
            n = max(1, average.n)
            lm = average.lm if average.n else now.lm
            transitions = np.array([
                average.transition[i] if average.n else now.transition[i]
                for i in range(N_STATES * N_STATES)])
            return lm / n, (transitions / n).astype(np.float32)

    cdef float _weight(self, uint64_t slot, int tag) noexcept nogil:
        cdef SparseInTraining* sparse = &self.learned.sparse
        cdef AveragedWeights* average = &self.average
        if average.n:
            return average.sparse[slot * N_SPARSE_TAGS + tag] / average.n
        return weight_of(&sparse.rates, sparse.slots[slot].z[tag], sparse.slots[slot].n[tag])

    def weights(self, int tag):
        """Features that have a weight for a tag (0 IU, 1 AU, 2 MX), current or averaged.

        Returns hashes, uint64, weights, float32, and sums of squared gradients, float32, which
        estimate the curvature of the loss.
        """
        cdef SparseInTraining* sparse = &self.learned.sparse
        cdef uint64_t i
        cdef int64_t n = 0
        cdef float w
        cdef uint64_t[::1] hash_view
        cdef float[::1] weight_view, square_view
        if not 0 <= tag < N_SPARSE_TAGS:
            raise ValueError(f"tag {tag}: expected 0 to {N_SPARSE_TAGS - 1}")
        with self.one_thread:
            for i in range(sparse.n_slots):
                n += self._weight(i, tag) != 0
            hash_view = hashes = np.empty(n, np.uint64)
            weight_view = weights = np.empty(n, np.float32)
            square_view = squares = np.empty(n, np.float32)
            n = 0
            for i in range(sparse.n_slots):
                w = self._weight(i, tag)
                if w != 0:
                    hash_view[n] = sparse.slots[i].hash
                    weight_view[n] = w
                    square_view[n] = sparse.slots[i].n[tag]
                    n += 1
        return hashes, weights, squares
