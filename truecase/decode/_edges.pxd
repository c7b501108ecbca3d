"""Language-model scores on the edges of a lattice, for any order up to 5.

Position i of a sentence has its own word's candidates and, on *level* k, one entry for
each tuple (x_k, …, x_1, c) of candidates of the words i-k … i, the newest varying
fastest. Level k holds the log-probability of c after that history of k words, the hash
of the (k+1)-gram and its backoff, from which level k + 1 and the next position's levels
follow with one table probe per entry:

    log p(c | x_k … x_1) = table[k+1](x_k … c)                            if it is there
                         = backoff(x_k … x_1) + log p(c | x_{k-1} … x_1)  if not

Before the first word stands ``<s>``, a word with one candidate.
"""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport free, realloc

from truecase._status cimport STATUS_OK, STATUS_OUT_OF_MEMORY
from truecase.lattice._lattice cimport Node
from truecase.ngram._table cimport (
    MAX_ORDER,
    NgramView,
    extend_left,
    find_ngram,
    prefetch_slot,
)


cdef struct Level:
    float* score                 # log p(c | x_k … x_1), natural log
    float* backoff               # backoff of the (k+1)-gram (x_k … x_1, c), natural log
    uint64_t* hash               # hash of that (k+1)-gram; 0: a closed model does not have it
    int64_t size
    int64_t capacity


cdef struct Levels:
    Level level[MAX_ORDER]
    int top                      # highest level with a backoff for the next word; -1: none yet


cdef inline int reserve_level(Level* level, int64_t size) noexcept nogil:
    """Room for `size` entries, old ones not kept in order; a Status."""
    cdef void* grown
    cdef size_t wanted
    if level.capacity < size:
        wanted = <size_t>size * 2
        grown = realloc(level.score, wanted * sizeof(float))
        if grown == NULL:
            return STATUS_OUT_OF_MEMORY
        level.score = <float*>grown
        grown = realloc(level.backoff, wanted * sizeof(float))
        if grown == NULL:
            return STATUS_OUT_OF_MEMORY
        level.backoff = <float*>grown
        grown = realloc(level.hash, wanted * sizeof(uint64_t))
        if grown == NULL:
            return STATUS_OUT_OF_MEMORY
        level.hash = <uint64_t*>grown
        level.capacity = <int64_t>wanted
    level.size = size
    return STATUS_OK


cdef inline void free_levels(Levels* levels) noexcept nogil:
    cdef int k
    for k in range(MAX_ORDER):
        free(levels.level[k].score)
        free(levels.level[k].backoff)
        free(levels.level[k].hash)
        levels.level[k].score = NULL
        levels.level[k].backoff = NULL
        levels.level[k].hash = NULL
        levels.level[k].capacity = 0


cdef inline int score_edges(const NgramView* lm, const Node* candidates, int32_t n_candidates,
                            const Node* const* history, const int32_t* n_history, int n_context,
                            const uint64_t* bigrams, Levels* before, Levels* now) noexcept nogil:
    """Fill the levels 0 … n_context of one position; a Status.

    ``history[k - 1]`` are the ``n_history[k - 1]`` candidates of the word k places back,
    0 < k <= n_context <= order - 1, and `before` holds the levels 0 … n_context - 1 of the
    position before, its backoffs valid. `bigrams` are the hashes of level 1, as
    `prefetch_bigrams` makes them.
    """
    cdef int k, status
    cdef int64_t size = n_candidates, below, n_contexts, context, i, j
    cdef int32_t c
    cdef Level* level = &now.level[0]
    cdef Level* lower
    cdef float backoff, context_backoff
    cdef uint64_t form
    cdef bint closed = lm.closed
    status = reserve_level(level, size)
    if status != STATUS_OK:
        return status
    for i in range(size):
        level.score[i] = candidates[i].lm
        level.backoff[i] = candidates[i].backoff
        level.hash[i] = candidates[i].form
    for k in range(1, n_context + 1):
        below = size
        size = below * n_history[k - 1]
        lower = level
        level = &now.level[k]
        status = reserve_level(level, size)
        if status != STATUS_OK:
            return status
        # Entry i = (context, c): the context is a tuple of the level below of the word before.
        n_contexts = size // n_candidates
        if k == 1:
            for i in range(size):
                level.hash[i] = bigrams[i]
        else:
            i = 0
            j = 0
            for context in range(n_contexts):
                if j == below:
                    j = 0
                form = history[k - 1][i // below].form
                # In a closed model neither a history that nothing goes on from nor a
                # missing suffix leaves anything to find.
                if closed and before.level[k - 1].backoff[context] == 0.0:
                    for c in range(n_candidates):
                        level.hash[i] = 0
                        i += 1
                    j += n_candidates
                    continue
                for c in range(n_candidates):
                    level.hash[i] = 0
                    if lower.hash[j] != 0:
                        level.hash[i] = extend_left(lower.hash[j], form)
                        prefetch_slot(&lm.tables[k + 1].slots, level.hash[i])
                    i += 1
                    j += 1
        i = 0
        j = 0
        for context in range(n_contexts):
            if j == below:
                j = 0
            context_backoff = before.level[k - 1].backoff[context]
            for c in range(n_candidates):
                backoff = 0.0
                if level.hash[i] == 0 or not find_ngram(
                    &lm.tables[k + 1], level.hash[i], &level.score[i], &backoff
                ):
                    level.score[i] = context_backoff + lower.score[j]
                    if closed:
                        level.hash[i] = 0
                level.backoff[i] = backoff
                i += 1
                j += 1
    now.top = n_context
    return STATUS_OK


cdef inline void prefetch_bigrams(const NgramView* lm, const Node* candidates,
                                  int32_t n_candidates, const Node* history, int32_t n_history,
                                  uint64_t* bigrams) noexcept nogil:
    """Hashes of the bigrams of two neighbouring words, and their slots on the way to the cache.

    Level 1 of a position needs ``n_history * n_candidates`` of them. 0 where a closed model
    has none.
    """
    cdef int32_t x, c, i = 0
    for x in range(n_history):
        for c in range(n_candidates):
            if lm.closed and history[x].backoff == 0.0:
                bigrams[i] = 0
            else:
                bigrams[i] = extend_left(candidates[c].form, history[x].form)
                prefetch_slot(&lm.tables[2].slots, bigrams[i])
            i += 1


cdef inline int score_single(const NgramView* lm, const Node* const* history, int n_context,
                             Levels* levels) noexcept nogil:
    """Backoffs after `n_context` words that all have one candidate; a Status.

    Fills what `score_edges` wants of the position before: the levels 0 … n_context - 1 of
    the word ``history[0]``, whose own history is ``history[1:n_context]``. Their scores
    are not computed.
    """
    cdef int k, status
    cdef uint64_t hash = history[0][0].form
    cdef float log_probability, backoff
    for k in range(n_context):
        status = reserve_level(&levels.level[k], 1)
        if status != STATUS_OK:
            return status
        if k == 0:
            backoff = history[0][0].backoff
        else:
            if hash != 0:
                hash = extend_left(hash, history[k][0].form)
            backoff = 0.0
            if hash == 0 or not find_ngram(&lm.tables[k + 1], hash, &log_probability, &backoff):
                if lm.closed:
                    hash = 0
        levels.level[k].backoff[0] = backoff
    levels.top = n_context - 1
    return STATUS_OK
