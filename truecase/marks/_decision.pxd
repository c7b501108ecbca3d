"""What stands behind each of the first words of a stream, and what in front of the first.

The direction that comes from the end goes over all that were heard; of the first, both sides are
known then.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int16_t, int32_t, uint8_t
from libc.string cimport memcpy, memset

from truecase.marks._heard cimport Stream, is_sign
from truecase.marks._network cimport (
    N_INPUTS,
    TOGETHER,
    MarksView,
    score_gaps,
    sum_inputs,
    to_probabilities,
)
from truecase.marks._pause cimport pause_nats
from truecase.marks._word cimport (
    MAX_CLOSINGS,
    MAX_LABELS,
    WORD_ENDS_TEXT,
    WORD_IS_CLOSED,
    WORD_IS_SIGN,
    MarkWord,
    Signs,
)
from truecase.recurrent._gru cimport MAX_STATE, ONE, next_by_sums


cdef inline int best_end(const MarksView* net, const Stream* at, const float* score,
                         int otherwise) noexcept nogil:
    """The best of the marks that may be and end a sentence; if there is none, another number."""
    cdef int c, best = 0
    for c in range(1, net.signs.n_closings):
        if net.signs.ends_sentence[c] and at.allowed[c] and (
                best == 0 or score[c] > score[best]):
            best = c
    if best:
        return best
    return otherwise if at.allowed[otherwise] else 0


cdef inline uint8_t choose(const MarksView* net, const Stream* at, const MarkWord* word,
                           const MarkWord* following, const float* score) noexcept nogil:
    """The label behind a word: the mark that it carries, or the best of those that may be.

    `following` is the next word of the text, NULL if none is known.
    """
    cdef int c, o, t, best = -1, n = net.signs.n_closings
    cdef bint is_closed = word.flags & <int>WORD_IS_CLOSED != 0
    cdef bint ends_text = word.flags & <int>WORD_ENDS_TEXT != 0
    if word.flags & <int>WORD_IS_SIGN:
        return word.given
    if following != NULL and is_sign(following):
        return word.given if is_closed else 0
    for o in range(net.signs.n_openings):
        if ends_text:
            if o:
                break
        elif following != NULL and following.opening:
            if o != following.opening:
                continue
        elif not at.allowed_opening[o]:
            continue
        for c in range(n):
            t = o * n + c
            if (not is_closed or c == word.given) and (best < 0 or score[t] > score[best]):
                best = t
    if is_closed:
        return <uint8_t>best
    o = best // n
    c = best - o * n
    if ends_text and not net.signs.ends_sentence[c]:
        c = best_end(net, at, score, c)
    elif not at.allowed[c]:
        # Where a sentence ends, another mark that ends one does; a comma that may not be is none.
        c = best_end(net, at, score, 0) if net.signs.ends_sentence[c] else 0
    return <uint8_t>(o * n + c)


cdef inline void add_pause(const MarksView* net, float seconds, float* score) noexcept nogil:
    cdef int o, c, n = net.signs.n_closings
    cdef float nats
    if not seconds >= 0:
        return
    for c in range(1, n):
        nats = pause_nats(seconds, net.signs.ends_sentence[c])
        for o in range(net.signs.n_openings):
            score[o * n + c] += nats


cdef inline void label_word(const MarksView* net, Stream* at, int32_t i,
                            const float* score) noexcept nogil:
    """Choose what stands behind a word, and keep how likely it was."""
    cdef const MarkWord* word = at.words + i
    cdef float* share = at.probabilities + <size_t>i * MAX_LABELS
    cdef bint has_next = i + 1 < at.n_words and not word.flags & <int>WORD_ENDS_TEXT
    at.labels[i] = choose(net, at, word, word + 1 if has_next else NULL, score)
    if at.keeps_probabilities:
        memset(share, 0, MAX_LABELS * sizeof(float))
        if score == NULL or word.flags & <int>WORD_IS_CLOSED:
            share[at.labels[i]] = 1
        else:
            to_probabilities(score, net.signs.n_labels, share)


cdef inline void put_numbers(int16_t* out, const int16_t* numbers, int n) noexcept nogil:
    """These numbers, zeros for NULL."""
    if numbers == NULL:
        memset(out, 0, n * sizeof(int16_t))
    else:
        memcpy(out, numbers, n * sizeof(int16_t))


cdef inline void fill_gap(int n_units, const int16_t* before, const int16_t* behind,
                          const int16_t* inputs, const int16_t* next_inputs,
                          int16_t* out) noexcept nogil:
    """What is read of a gap: both states and both words beside it; NULL where there is none."""
    put_numbers(out, before, n_units)
    put_numbers(out + n_units, behind, n_units)
    put_numbers(out + 2 * n_units, inputs, N_INPUTS)
    put_numbers(out + 2 * n_units + <int>N_INPUTS, next_inputs, N_INPUTS)


cdef inline int first_end(const Signs* signs) noexcept nogil:
    """The first of the marks that end a sentence; 0 if there is none."""
    cdef int c
    for c in range(1, signs.n_closings):
        if signs.ends_sentence[c]:
            return c
    return 0


cdef inline uint8_t first_opening(const MarksView* net, const Stream* at, const int16_t* state,
                                  const int16_t* next_inputs) noexcept nogil:
    """What stands in front of a text's first word: as if the end of a sentence came before it."""
    cdef int16_t inputs[N_INPUTS]
    cdef int16_t gap[2 * MAX_STATE + 2 * N_INPUTS]
    cdef const int16_t* gaps[1]
    cdef float score[MAX_LABELS]
    cdef const float* behind_end = score
    cdef int o, best = 0, n_closings = net.signs.n_closings, end = first_end(&net.signs)
    memset(inputs, 0, sizeof(inputs))
    if end:
        inputs[<int>N_INPUTS - <int>MAX_CLOSINGS + end] = ONE
    fill_gap(net.forward.n_units, NULL, state, inputs, next_inputs, gap)
    gaps[0] = gap
    score_gaps(net, gaps, 1, score)
    behind_end += end
    for o in range(1, net.signs.n_openings):
        if at.allowed_opening[o] and (
                behind_end[o * n_closings] > behind_end[best * n_closings]):
            best = o
    return <uint8_t>best


cdef inline void look_back(const MarksView* net, Stream* at, int32_t n_decided) noexcept nogil:
    """Label the first words, by all that were heard."""
    cdef int32_t sums[TOGETHER * 3 * MAX_STATE]
    cdef const int16_t* inputs[TOGETHER]
    cdef int16_t gaps[TOGETHER][2 * MAX_STATE + 2 * N_INPUTS]
    cdef const int16_t* gap[TOGETHER]
    cdef int32_t asked[TOGETHER]
    cdef float score[TOGETHER * MAX_LABELS]
    cdef int16_t state[MAX_STATE]
    cdef int32_t i, k, first, last = at.n_words, n_asked
    cdef int32_t n = net.forward.n_units, size = n + N_INPUTS
    cdef const int16_t* next_inputs = NULL
    cdef const int16_t* row
    if not at.is_within:
        at.opening = 0
    memset(state, 0, sizeof(state))
    while last > 0:
        k = 0
        first = last
        while first > 0 and k < <int>TOGETHER:
            first -= 1
            if not is_sign(at.words + first):
                inputs[k] = at.rows + <size_t>first * size + n
                k += 1
        sum_inputs(&net.backward, inputs, k, sums)
        k = 0
        n_asked = 0
        for i in range(last - 1, first - 1, -1):
            if at.words[i].flags & <int>WORD_ENDS_TEXT:
                memset(state, 0, sizeof(state))
                next_inputs = NULL
            if is_sign(at.words + i):
                if i < n_decided:
                    label_word(net, at, i, NULL)
                continue
            row = at.rows + <size_t>i * size
            if i < n_decided:
                fill_gap(n, row, state, row + n, next_inputs, gaps[n_asked])
                gap[n_asked] = gaps[n_asked]
                asked[n_asked] = i
                n_asked += 1
            next_by_sums(&net.backward, sums + k * 3 * <int>MAX_STATE, state, state)
            k += 1
            next_inputs = row + n
        score_gaps(net, gap, n_asked, score)
        for k in range(n_asked):
            add_pause(net, at.words[asked[k]].pause, score + k * <int>MAX_LABELS)
            label_word(net, at, asked[k], score + k * <int>MAX_LABELS)
        last = first
    if net.signs.n_openings > 1 and not at.is_within and not is_sign(at.words):
        at.opening = first_opening(net, at, state, next_inputs)
