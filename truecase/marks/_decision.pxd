"""What stands behind each of the first words of a stream, and what in front of the first.

The direction that comes from the end goes over all that were heard; of the first, both sides are
known then.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int16_t, int32_t, uint8_t
from libc.string cimport memcpy, memset

from truecase.marks._heard cimport Stream, is_sign
from truecase.marks._network cimport (
    N_BYTES,
    TOGETHER,
    Gaps,
    MarksView,
    given_mark,
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
from truecase.recurrent._byte_unit cimport MAX_BYTE_SUMS, next_byte_state, start_bytes
from truecase.recurrent._gru cimport MAX_STATE
from truecase.runtime._check cimport check


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


cdef inline int first_end(const Signs* signs) noexcept nogil:
    """The first of the marks that end a sentence; 0 if there is none."""
    cdef int c
    for c in range(1, signs.n_closings):
        if signs.ends_sentence[c]:
            return c
    return 0


cdef inline uint8_t first_opening(const MarksView* net, const Stream* at, const uint8_t* nothing,
                                  const uint8_t* state, const uint8_t* next_inputs,
                                  uint8_t next_given) noexcept nogil:
    """What stands in front of a text's first word: as if the end of a sentence came before it."""
    cdef Gaps gap
    cdef float score[MAX_LABELS]
    cdef const float* behind_end = score
    cdef int o, best = 0, n_closings = net.signs.n_closings, end = first_end(&net.signs)
    gap.n = 1
    gap.read[0][0] = gap.read[2][0] = nothing
    gap.read[1][0], gap.read[3][0] = state, next_inputs
    gap.given[0][0], gap.given[1][0] = <uint8_t>end, next_given
    score_gaps(net, &gap, score)
    behind_end += end
    for o in range(1, net.signs.n_openings):
        if at.allowed_opening[o] and (
                behind_end[o * n_closings] > behind_end[best * n_closings]):
            best = o
    return <uint8_t>best


cdef inline void look_back(const MarksView* net, Stream* at, int32_t n_decided) noexcept nogil:
    """Label the first words, by all that were heard."""
    cdef int32_t sums[TOGETHER * MAX_BYTE_SUMS]
    cdef const uint8_t* inputs[TOGETHER]
    cdef uint8_t given[TOGETHER]
    cdef Gaps gaps
    cdef int32_t asked[TOGETHER]
    cdef float score[TOGETHER * MAX_LABELS]
    cdef int16_t state[MAX_STATE]
    # Zeros of a state or of inputs; then the state behind each word, as bytes.
    cdef uint8_t nothing[MAX_STATE]
    cdef uint8_t behind[TOGETHER][MAX_STATE]
    cdef uint8_t carried[MAX_STATE]
    cdef const uint8_t* last_state = nothing
    cdef const uint8_t* next_inputs = nothing
    cdef uint8_t next_given = 0
    cdef int32_t i, k, first, last = at.n_words
    cdef int32_t n = net.forward.n_units, size = n + N_BYTES
    if not at.is_within:
        at.opening = 0
    check(<int>N_BYTES <= <int>MAX_STATE)
    memset(state, 0, sizeof(state))
    start_bytes(nothing, MAX_STATE)
    while last > 0:
        k = 0
        first = last
        while first > 0 and k < <int>TOGETHER:
            first -= 1
            if not is_sign(at.words + first):
                inputs[k] = at.rows + <size_t>first * size + n
                given[k] = given_mark(at.words + first)
                k += 1
        sum_inputs(&net.backward, inputs, given, k, sums)
        k = 0
        gaps.n = 0
        for i in range(last - 1, first - 1, -1):
            if at.words[i].flags & <int>WORD_ENDS_TEXT:
                memset(state, 0, sizeof(state))
                last_state = next_inputs = nothing
                next_given = 0
            if is_sign(at.words + i):
                if i < n_decided:
                    label_word(net, at, i, NULL)
                continue
            if i < n_decided:
                gaps.read[0][gaps.n] = inputs[k] - n
                gaps.read[1][gaps.n] = last_state
                gaps.read[2][gaps.n] = inputs[k]
                gaps.read[3][gaps.n] = next_inputs
                gaps.given[0][gaps.n] = given[k]
                gaps.given[1][gaps.n] = next_given
                asked[gaps.n] = i
                gaps.n += 1
            next_byte_state(&net.backward, sums + k * <int>MAX_BYTE_SUMS, state, last_state,
                            behind[k])
            last_state = behind[k]
            next_inputs = inputs[k]
            next_given = given[k]
            k += 1
        score_gaps(net, &gaps, score)
        if k:
            # The next words write over the states of these.
            memcpy(carried, last_state, n)
            last_state = carried
        for k in range(gaps.n):
            add_pause(net, at.words[asked[k]].pause, score + k * <int>MAX_LABELS)
            label_word(net, at, asked[k], score + k * <int>MAX_LABELS)
        last = first
    if net.signs.n_openings > 1 and not at.is_within and not is_sign(at.words):
        at.opening = first_opening(net, at, nothing, last_state, next_inputs, next_given)
