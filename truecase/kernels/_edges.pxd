"""Language-model scores on the edges of a lattice, for any order up to 5.

Level k of a word has an entry for each tuple (x_k, …, x_1, c) of candidates of the words k … 0
places back, the newest varying fastest; `Level` says what it holds. The edges of a word are its
highest level, order - 1 or the number of words before it. A word is *passed over* if its window,
itself and the order - 1 words before it, has no choice: its score is the same on every path.
"""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t, uint8_t
from libc.string cimport memset

from truecase.base._memory cimport STATUS_OK, STATUS_OUT_OF_MEMORY, Arena, reset_arena, take
from truecase.base._check cimport prefetch
from truecase.kernels._maps cimport find_head, prefetch_heads
from truecase.kernels._ngrams cimport extend_left, find_ngram
from truecase.kernels._structs cimport (
    MAX_ORDER, N_STATES, EdgeWeights, Edges, Lattice, Level, NgramTable, NgramView, Node,
    PackedSlots
)


cdef enum:
    # Edges of one word and of a sentence: beyond that, words lose their last candidates. An edge
    # takes 16 bytes; the sentences of the test texts have less than a hundredth of this.
    MAX_EDGES = 1 << 20
    MAX_SENTENCE_EDGES = 1 << 21


cdef inline double neighbour_ln(uint8_t code) noexcept nogil:
    return (<int>code - 128) / 16.0


cdef inline void move_transitions(const EdgeWeights* weights, const uint8_t* of_before,
                                  const uint8_t* of_word, EdgeWeights* moved) noexcept nogil:
    """Add the codes of two words to their transition weights, in a copy of `weights`."""
    cdef int before, now
    cdef double upper[2]
    cdef double after
    upper[0] = weights.after_case * neighbour_ln(of_word[1])
    upper[1] = weights.after_case * neighbour_ln(of_word[0])
    moved.transition[0] = weights.transition[0]
    for now in range(1, 4):
        moved.transition[now] = weights.transition[now] + upper[0]
    after = weights.before_case * neighbour_ln(of_before[3])
    for before in range(1, 4):
        moved.transition[N_STATES * before] = weights.transition[N_STATES * before] + after
    after = weights.before_case * neighbour_ln(of_before[2])
    for before in range(1, 4):
        for now in range(1, 4):
            moved.transition[N_STATES * before + now] = (
                weights.transition[N_STATES * before + now] + upper[1] + after)


cdef inline int n_context(int order, int32_t word) noexcept nogil:
    """A word's highest level: the words of history of its edges, ``<s>`` included."""
    return order - 1 if word >= order - 1 else word + 1


cdef inline int64_t plan_widths(int order, const Lattice* lattice, int64_t most,
                                Edges* edges) noexcept nogil:
    """Limit the candidates of each word so that it has at most `most` edges.

    Returns the number of edges of words with several candidates.
    """
    cdef int32_t word, other
    cdef int64_t others, total = 0
    for word in range(lattice.n_words):
        edges.width[word] = lattice.first_node[word + 1] - lattice.first_node[word]
        if edges.width[word] > 1:
            # Drop candidates, the rarest first, if the window has too many edges.
            others = 1
            for other in range(max(word - order + 1, 0), word):
                others *= edges.width[other]
            while edges.width[word] > 1 and others * edges.width[word] > most:
                edges.width[word] -= 1
            total += others * edges.width[word]
    return total


cdef inline void plan_edges(int order, const Lattice* lattice, Edges* edges) noexcept nogil:
    """Find the words with a choice, their numbers of candidates, and their levels."""
    cdef int32_t word, single = 0
    cdef int64_t most = MAX_EDGES
    # Words with one candidate have fewer edges than one before them.
    while plan_widths(order, lattice, most, edges) > MAX_SENTENCE_EDGES:
        most >>= 1
    for word in range(lattice.n_words):
        single = single + 1 if edges.width[word] == 1 else 0
        edges.has_choice[word] = single < order and single <= word
        edges.depth[word] = -1
        if edges.has_choice[word]:
            edges.depth[word] = n_context(order, word)
            if word > 0 and not edges.has_choice[word - 1]:
                edges.depth[word - 1] = edges.depth[word] - 1


cdef inline void start_levels(int order, int32_t n_words, Edges* edges,
                              int64_t* n_entries) noexcept nogil:
    """Find where each word's entries begin, and how many entries a level has."""
    cdef int32_t word
    cdef int k
    cdef int64_t size
    for k in range(order):
        n_entries[k] = 0
    for word in range(n_words):
        size = edges.width[word]
        for k in range(order):
            edges.level[k].start[word] = n_entries[k]
            if k <= edges.depth[word]:
                n_entries[k] += size
                if word > k:
                    size *= edges.width[word - k - 1]
    for k in range(order):
        edges.level[k].start[n_words] = n_entries[k]


cdef inline void fill_unigrams(const Lattice* lattice, Edges* edges) noexcept nogil:
    # A copy that nothing else points to: its fields stay in registers.
    cdef Level level = edges.level[0]
    cdef const Node* node
    cdef int32_t word, c
    cdef int64_t n = 0
    for word in range(lattice.n_words):
        if edges.depth[word] < 0:
            continue
        node = lattice.nodes + lattice.first_node[word]
        for c in range(edges.width[word]):
            level.score[n] = node[c].lm
            level.backoff[n] = node[c].backoff
            level.hash[n] = node[c].form
            n += 1


cdef struct Wanted:              # n-grams that a table may have, and where their slots are
    int64_t* entry
    uint64_t* hash
    uint64_t* place


cdef inline int64_t back_off(bint closed, const Lattice* lattice, const Edges* edges, int k,
                             const Node* sentence_start, Wanted wanted) noexcept nogil:
    """Fill the scores of level k >= 1 as if the table had none of its n-grams.

    Lists those that it may have; returns their number.
    """
    # Copies that nothing else points to: their fields stay in registers.
    cdef Level lower = edges.level[k - 1], level = edges.level[k]
    cdef const Node* history
    cdef const float* context_backoff
    cdef int64_t entry = 0, row_end, end, suffix, last_suffix, width, n = 0
    cdef int32_t word
    cdef float context, none = 0.0
    cdef bint reads_all
    cdef uint64_t form
    for word in range(lattice.n_words):
        end = level.start[word + 1]
        if entry == end:
            continue
        width = edges.width[word]
        suffix = lower.start[word]
        last_suffix = lower.start[word + 1]
        # A word passed over has one entry, and no backoffs of the word before.
        reads_all = not closed or not edges.has_choice[word]
        context_backoff = &none
        if edges.has_choice[word]:
            context_backoff = (lower.backoff + lower.start[word - 1] if word > 0
                               else <float*>&sentence_start.backoff)
        history = (lattice.nodes + lattice.first_node[word - k] if word >= k
                   else <Node*>sentence_start)
        form = history.form
        while True:
            row_end = entry + width
            context = context_backoff[0]
            context_backoff += 1
            # A closed model has no n-gram of a history without continuations, nor of a missing
            # suffix.
            if context != 0.0 or reads_all:
                while entry < row_end:
                    level.score[entry] = context + lower.score[suffix]
                    # Which suffixes are missing is not to be predicted: no branch.
                    wanted.entry[n] = entry
                    wanted.hash[n] = extend_left(lower.hash[suffix], form)
                    n += lower.hash[suffix] != 0
                    entry += 1
                    suffix += 1
            while entry < row_end:
                level.score[entry] = lower.score[suffix]
                entry += 1
                suffix += 1
            if entry == end:
                break
            if suffix == last_suffix:
                suffix = lower.start[word]
                history += 1
                form = history.form
    return n


cdef inline void look_up(const NgramTable* table, bint closed, Wanted wanted, int64_t n_wanted,
                         Level* level) noexcept nogil:
    """Set the hashes of the wanted entries, and the scores and backoffs of those in the table."""
    cdef uint64_t* hash_of = level.hash
    cdef float* score = level.score
    cdef float* backoff = level.backoff
    cdef int64_t entry, i, n = 0
    cdef bint may_be_there, goes_on = not closed
    for i in range(n_wanted):
        prefetch_heads(&table.slots, wanted.hash[i])
    # First those that it may have are kept, and where to look for them.
    for i in range(n_wanted):
        entry = wanted.entry[i]
        may_be_there = find_head(&table.slots, wanted.hash[i], wanted.place + n)
        # What half of the entries do is not to be predicted: no branch.
        wanted.entry[n] = entry
        wanted.hash[n] = wanted.hash[i]
        hash_of[entry] = wanted.hash[n] & (<uint64_t>0 - <uint64_t>(may_be_there | goes_on))
        n += may_be_there
    for i in range(n):
        prefetch(table.slots.data + (wanted.place[i] * table.slots.slot_bits >> 3))
    for i in range(n):
        entry = wanted.entry[i]
        if not find_ngram(table, wanted.place[i], wanted.hash[i], score + entry,
                          backoff + entry) and closed:
            hash_of[entry] = 0


cdef inline int64_t count_edges(const Edges* edges, int order, int32_t word) noexcept nogil:
    """Number of edges that end at a word with a choice."""
    cdef const Level* level = &edges.level[n_context(order, word)]
    return level.start[word + 1] - level.start[word]


cdef inline float* edge_scores(const Edges* edges, int order, int32_t word) noexcept nogil:
    """Log-probabilities of the edges that end at a word with a choice."""
    cdef const Level* level = &edges.level[n_context(order, word)]
    return level.score + level.start[word]


cdef inline float* scores_after(const Edges* edges, int order, int32_t word,
                                const int32_t* chosen) noexcept nogil:
    """Log-probabilities of a word's candidates after the chosen ones of the words before."""
    cdef int64_t history = 0
    cdef int32_t older
    # The number of their tuple, the newest varying fastest; <s> has one candidate.
    for older in range(max(word - order + 1, 0), word):
        history = history * edges.width[older] + chosen[older]
    return edge_scores(edges, order, word) + history * edges.width[word]


cdef inline int32_t leaving_width(int order, const Edges* edges, int32_t word) noexcept nogil:
    """Number of candidates of the word that leaves the window; 1 if no word does."""
    return edges.width[word - order + 1] if word >= order - 1 else 1


cdef inline int64_t count_states(int order, const Edges* edges, int32_t word) noexcept nogil:
    """Number of states of a word with a choice: tuples of candidates of order - 1 words."""
    # 32 bits hold MAX_EDGES, and are divided faster.
    cdef uint32_t width = <uint32_t>leaving_width(order, edges, word)
    cdef uint32_t n_edges = <uint32_t>count_edges(edges, order, word)
    return n_edges // width if width > 1 else n_edges


cdef inline int score_edges(const NgramView* lm, const Lattice* lattice,
                            const Node* sentence_start, Edges* edges) noexcept nogil:
    """Fill the levels of all words of a sentence; a Status.

    The lattice's last word is ``</s>``; `sentence_start` is the node of ``<s>``. All slots of a
    level are prefetched before the first is read: look-ups cost throughput, not latency.
    """
    cdef Arena* arena = &edges.arena
    cdef int32_t n_words = lattice.n_words
    cdef int k
    cdef int64_t most = 0, n_wanted
    cdef int64_t n_entries[MAX_ORDER]
    cdef Wanted wanted
    cdef Level* level
    cdef NgramTable table
    reset_arena(arena)
    edges.width = <int32_t*>take(arena, n_words, sizeof(int32_t))
    edges.depth = <int32_t*>take(arena, n_words, sizeof(int32_t))
    edges.has_choice = <bint*>take(arena, n_words, sizeof(bint))
    for k in range(lm.order):
        edges.level[k].start = <int64_t*>take(arena, n_words + 1, sizeof(int64_t))
    if arena.is_short:
        return STATUS_OUT_OF_MEMORY
    plan_edges(lm.order, lattice, edges)
    start_levels(lm.order, n_words, edges, n_entries)
    for k in range(lm.order):
        level = &edges.level[k]
        level.score = <float*>take(arena, n_entries[k], sizeof(float))
        level.backoff = <float*>take(arena, n_entries[k], sizeof(float))
        level.hash = <uint64_t*>take(arena, n_entries[k], sizeof(uint64_t))
        most = max(most, n_entries[k])
    wanted.entry = <int64_t*>take(arena, most, sizeof(int64_t))
    wanted.hash = <uint64_t*>take(arena, most, sizeof(uint64_t))
    wanted.place = <uint64_t*>take(arena, most + 1, sizeof(uint64_t))
    if arena.is_short:
        return STATUS_OUT_OF_MEMORY
    fill_unigrams(lattice, edges)
    for k in range(1, lm.order):
        # A copy that nothing else points to: its fields stay in registers.
        table = lm.tables[k + 1]
        memset(edges.level[k].backoff, 0, n_entries[k] * sizeof(float))
        memset(edges.level[k].hash, 0, n_entries[k] * sizeof(uint64_t))
        n_wanted = back_off(lm.closed, lattice, edges, k, sentence_start, wanted)
        look_up(&table, lm.closed, wanted, n_wanted, &edges.level[k])
    return STATUS_OK
