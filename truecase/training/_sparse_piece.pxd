"""The gradients of a piece of text, found on the decoder's own lattices.

For each sentence: the lattice with its edges, posteriors by forward-backward, and for each word
with a choice the gradient of the log-likelihood with respect to its features,
p(tag) - [tag is the gold one]. Some lines are left out, or lose their punctuation.
"""

from libc.math cimport fabsf, log
from libc.stddef cimport size_t
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memset

from truecase._core cimport (
    INPUT_IGNORE, Walk, Workspace, add_sparse, begin_walk, free_workspace, next_piece,
    next_sentence, score_lm
)
from truecase.base._check cimport prefetch
from truecase.base._memory cimport STATUS_OK, reserve
from truecase.kernels._fields cimport (
    N_NEIGHBOURS, fill_fields, free_view, hash_templates, is_rare, view_sentence
)
from truecase.kernels._forward_backward cimport (
    ForwardBackward, forward_backward, free_forward_backward
)
from truecase.kernels._lattice cimport gold_candidates
from truecase.kernels._lexicon cimport known_words
from truecase.kernels._schema cimport N_FIELDS
from truecase.kernels._sentences cimport sentence_end
from truecase.kernels._sparse cimport add_to_nodes, has_choice, tag_number, tags_of, view_source
from truecase.kernels._structs cimport (
    CLASS_OTHER, MAX_TEMPLATES, N_SPARSE_TAGS, TOKEN_CUT_AFTER, TOKEN_SPACE_BEFORE, AlignedText,
    Edges, KnownWords, Lattice, SentenceView, SourceSide, Token, TokenArray
)
from truecase.kernels._unicode cimport TAG_AN, TAG_AU, draw
from truecase.model._view cimport ModelView
from truecase.training._sparse_weights cimport (
    NEGLIGIBLE, NO_WORD, EdgesInTraining, Figures, Gradients, HiddenInTraining, SparseInTraining,
    UnitsOfSentence, WeightSlot, WordGradient, add_edges, add_features, add_units, find_rows,
    hash_of, home_of, known_slot, reserve_units, score_features, score_units
)


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


cdef enum:
    # Not every sentence needs to move the few weights of edges.
    SENTENCES_PER_EDGE_STEP = 8


cdef struct Learned:             # all weights
    SparseInTraining sparse
    HiddenInTraining hidden
    EdgesInTraining edges
    bint is_beside_base          # models have weights, which stay, and these come to them


cdef struct Chances:             # of lines to be changed before weights learn from them, in 2**-32
    uint64_t drop_below          # they lose their punctuation
    uint64_t hide_below          # they lose their source
    uint64_t unalign_below       # they lose their alignment


cdef struct Observer:            # the memory of one thread
    Workspace work
    SentenceView view
    ForwardBackward passes
    ForwardBackward gold_passes
    uint64_t* allowed            # per word: its gold candidates
    int64_t* start               # per word: place of its first feature
    int64_t allowed_capacity
    int64_t start_capacity
    WeightSlot** features        # of all words with a choice, side by side
    uint64_t* hashes
    int64_t feature_capacity
    int64_t hash_capacity
    UnitsOfSentence units


cdef inline void free_observer(Observer* observer) noexcept nogil:
    free(observer.allowed)
    free(observer.start)
    free(observer.features)
    free(observer.hashes)
    free(observer.units.row_of)
    free(observer.units.units)
    free_view(&observer.view)
    free_forward_backward(&observer.passes)
    free_forward_backward(&observer.gold_passes)
    free_workspace(&observer.work)
    memset(observer, 0, sizeof(Observer))


cdef inline int reserve_sentence(Observer* observer, int32_t n_words) noexcept nogil:
    cdef int status = reserve(<void**>&observer.allowed, &observer.allowed_capacity, n_words,
                              sizeof(uint64_t))
    return status if status != STATUS_OK else reserve(
        <void**>&observer.start, &observer.start_capacity, n_words, sizeof(int64_t))


cdef inline int reserve_features(Observer* observer, int64_t n) noexcept nogil:
    cdef int status = reserve(<void**>&observer.features, &observer.feature_capacity, n,
                              sizeof(WeightSlot*))
    return status if status != STATUS_OK else reserve(
        <void**>&observer.hashes, &observer.hash_capacity, n, sizeof(uint64_t))


cdef inline int hash_word(Observer* observer, const Learned* learned, const ModelView* model,
                          const uint8_t* text, const Token* tokens, int32_t i,
                          int32_t first_cased, int64_t* n_hashes) noexcept nogil:
    """Hash the features of a word, and ask for their slots; a Status."""
    cdef uint64_t fields[N_FIELDS]
    cdef int64_t j, at = n_hashes[0]
    cdef int status = reserve_features(observer, at + MAX_TEMPLATES)
    if status != STATUS_OK:
        return status
    observer.start[i] = at
    fill_fields(&observer.view, text, tokens, i, i == first_cased, model.turkic, fields)
    n_hashes[0] += hash_templates(
        &model.sparse.templates, is_rare(observer.view.words[N_NEIGHBOURS + i].prior), fields,
        observer.hashes + at,
    )
    observer.start[i + 1] = n_hashes[0]
    for j in range(at, n_hashes[0]):
        observer.hashes[j] = hash_of(observer.hashes[j])
        prefetch(learned.sparse.slots + home_of(&learned.sparse, observer.hashes[j]))
    find_rows(&learned.hidden, &observer.units, i, fields)
    return STATUS_OK


cdef inline void score_word(Observer* observer, const Learned* learned, int32_t i) noexcept nogil:
    """Find the slots of a word's features, and add their scores to its nodes."""
    cdef float score[N_SPARSE_TAGS]
    cdef int64_t start = observer.start[i], j
    cdef Lattice* lattice = &observer.work.lattice
    for j in range(start, observer.start[i + 1]):
        observer.features[j] = known_slot(&learned.sparse, observer.hashes[j])
    score_features(&learned.sparse, observer.features + start, observer.start[i + 1] - start, score)
    score_units(&learned.hidden, &observer.units, i, score)
    add_to_nodes(lattice, i, score)


cdef inline void word_gradient(const Observer* observer, int32_t i, int gold,
                               WordGradient* gradient) noexcept nogil:
    """The gradient of a word whose gold form is among its candidates; negligible parts are 0."""
    cdef const Lattice* lattice = &observer.work.lattice
    cdef uint32_t tags = tags_of(lattice, i)
    cdef int32_t j
    cdef int tag
    memset(gradient, 0, sizeof(WordGradient))
    for j in range(lattice.first_node[i], lattice.first_node[i + 1]):
        tag = tag_number(lattice.nodes[j].tag)
        if tag >= 0:
            gradient.of_tag[tag] += <float>observer.passes.posterior[j]
    if gold >= 0:
        gradient.of_tag[gold] -= 1.0
    for tag in range(N_SPARSE_TAGS):
        if not tags >> tag & 1 or fabsf(gradient.of_tag[tag]) < NEGLIGIBLE:
            gradient.of_tag[tag] = 0.0


cdef inline int add_word(Observer* observer, const Learned* learned, int32_t i, int gold,
                         Gradients* gradients) noexcept nogil:
    """Keep the gradients of a word whose gold form is among its candidates; a Status."""
    cdef WordGradient gradient
    cdef uint32_t word = NO_WORD
    cdef int64_t start = observer.start[i]
    cdef int status, tag
    cdef bint teaches = False
    word_gradient(observer, i, gold, &gradient)
    for tag in range(N_SPARSE_TAGS):
        teaches |= gradient.of_tag[tag] != 0
    if teaches:
        status = reserve(<void**>&gradients.words, &gradients.word_capacity,
                         gradients.n_words + 1, sizeof(WordGradient))
        if status != STATUS_OK:
            return status
        word = <uint32_t>gradients.n_words
        gradients.words[word] = gradient
        gradients.n_words += 1
        status = add_units(&learned.hidden, &observer.units, i, word, gradients)
        if status != STATUS_OK:
            return status
    return add_features(&learned.sparse, observer.features + start, observer.hashes + start,
                        observer.start[i + 1] - start, word, gradients)


cdef inline void measure_word(const Observer* observer, int32_t i,
                              Figures* figures) noexcept nogil:
    """Count a word's error and its loss."""
    cdef const Lattice* lattice = &observer.work.lattice
    cdef const double* posterior = observer.passes.posterior
    cdef int32_t j, best = lattice.first_node[i]
    cdef double gold = 0.0
    for j in range(lattice.first_node[i], lattice.first_node[i + 1]):
        if posterior[j] > posterior[best]:
            best = j
        if observer.allowed[i] >> ((j - lattice.first_node[i]) & 63) & 1:
            gold += posterior[j]
    figures.n_choices += 1
    figures.n_errors += not observer.allowed[i] >> ((best - lattice.first_node[i]) & 63) & 1
    figures.loss -= log(max(gold, 1e-30))


cdef inline int observe_sentence(Observer* observer, const Learned* learned, const Walk* walk,
                                 bint with_edges, Gradients* gradients) noexcept nogil:
    """Read the walk's sentence; a Status."""
    cdef const ModelView* model = walk.model
    cdef Lattice* lattice = &observer.work.lattice
    cdef Edges* edges = &observer.work.viterbi.edges
    cdef const Token* tokens = observer.work.tokens.tokens + walk.first
    cdef int32_t i, n = walk.last - walk.first, n_choices = 0, hashed = -1
    cdef int64_t n_hashes = 0
    cdef bint missing = False
    cdef int status
    for i in range(n):
        n_choices += has_choice(lattice, i)
    gradients.figures.n_words += n
    if n_choices == 0:
        return STATUS_OK
    status = reserve_sentence(observer, n + 1)
    if status == STATUS_OK:
        status = reserve_units(&observer.units, &learned.hidden, n)
    if status == STATUS_OK:
        status = view_sentence(&model.sparse.templates, tokens, n, lattice, &observer.view)
    if status == STATUS_OK and observer.work.side.aligned != NULL:
        view_source(&observer.work.side, walk.text, tokens, walk.first, n, &observer.view)
    if status == STATUS_OK and model.lm.order > 1:
        status = score_lm(walk, &observer.work)
    if status == STATUS_OK and learned.is_beside_base:
        status = add_sparse(walk, &observer.work)
    if status != STATUS_OK:
        return status

    for i in range(n):
        observer.allowed[i] = gold_candidates(lattice, i, tokens + i)
        if has_choice(lattice, i):
            missing |= observer.allowed[i] == 0
            status = hash_word(observer, learned, model, walk.text, tokens, i, walk.initial,
                               &n_hashes)
            if status != STATUS_OK:
                return status
            # Score a word while the data of the next one come from memory.
            if hashed >= 0:
                score_word(observer, learned, hashed)
            hashed = i
    score_word(observer, learned, hashed)
    observer.allowed[n] = 1
    status = forward_backward(model.lm.order, &learned.edges.weights, lattice, edges,
                              &model.start, NULL, &observer.passes)
    for i in range(n):
        # Nothing can be learned where GEN lacks the gold form.
        if status == STATUS_OK and has_choice(lattice, i) and observer.allowed[i]:
            measure_word(observer, i, &gradients.figures)
            status = add_word(observer, learned, i, tag_number(tokens[i].tag), gradients)
    if status == STATUS_OK and with_edges and not missing:
        status = forward_backward(model.lm.order, &learned.edges.weights, lattice, edges,
                                  &model.start, observer.allowed, &observer.gold_passes)
        if status == STATUS_OK:
            status = add_edges(&observer.passes, &observer.gold_passes, gradients)
    return status


cdef inline void draw_source(const Chances* chances, uint64_t* draws,
                             SourceSide* side) noexcept nogil:
    """Hide a line's source or its alignment, so that weights for lines without them are learned."""
    cdef uint64_t number = draw(draws) >> 32
    if number < chances.hide_below:
        side.aligned = NULL
    elif number < chances.hide_below + chances.unalign_below:
        side.is_whole = True


cdef inline int observe_piece(Observer* observer, const Learned* learned, const Chances* chances,
                              uint64_t draws, const ModelView* model, const uint8_t* text,
                              size_t size, const AlignedText* aligned,
                              Gradients* gradients) noexcept nogil:
    """Read whole lines; a Status.

    `draws` is the state of the generator that chooses the lines to hide parts of.
    """
    cdef Workspace* work = &observer.work
    cdef Walk walk
    cdef uint64_t n_sentences = draw(&draws)  # so that any of the first may be the first to step
    begin_walk(&walk, model, text, size, aligned, INPUT_IGNORE, work)
    walk.words = known_words(&model.lexicon, True)
    while next_piece(&walk, work):
        if walk.source != NULL and walk.starts_line:
            draw_source(chances, &draws, &work.side)
        if work.side.aligned == NULL and is_all_caps(&work.tokens):
            continue
        if draw(&draws) >> 32 < chances.drop_below:
            remove_punctuation(&walk.words, &work.tokens)
        while next_sentence(&walk, work):
            n_sentences += 1
            walk.status = observe_sentence(
                observer, learned, &walk,
                learned.edges.rate > 0 and n_sentences % SENTENCES_PER_EDGE_STEP == 0, gradients,
            )
    work.side.aligned = NULL
    return walk.status
