"""Which mark stands behind each word, by all words before it and those that follow.

Two gated recurrent units go over the words, one from either end (`truecase.recurrent._gru`). They
read of each word a row of numbers of its own, one of its last letters, which it shares with many,
and which mark stands behind it, if that is known. A layer joins the states on both sides of the gap
between two words with what both words are, and gives each mark, and none, a score in nats; where
there are marks in front of words, each pair of what is behind the one word and in front of the
other. The model of a gap is that of Tilk & Alumäe (2016) without their attention; all but the last
scores is computed in whole numbers.
"""

from libc.math cimport exp
from libc.stdint cimport int16_t, int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from truecase.marks._word cimport MAX_CLOSINGS, MAX_LABELS, MarkWord, Signs
from truecase.recurrent._gru cimport (
    MAX_STATE,
    ONE,
    WEIGHT_BITS,
    Recurrent,
    add_products,
)
from truecase.runtime._check cimport check
from truecase.text._hash cimport scramble


cdef enum:
    WORD_SIZE = 24               # numbers of a word
    ENDING_SIZE = 8              # and of its last letters
    N_INPUTS = WORD_SIZE + ENDING_SIZE + MAX_CLOSINGS
    N_JOINED = 64                # units of the layer that joins both directions
    ROW_STEP = ONE // 32         # what a number of a row counts
    TOGETHER = 16                # words whose products are added together, a multiple of 4


cdef struct MarksView:
    bint turkic                  # how words are folded
    Signs signs
    uint64_t n_words             # rows, < 2**32
    uint64_t n_endings           # likewise
    const uint8_t* words         # n_words * WORD_SIZE numbers, 128 more than what they stand for
    const uint8_t* endings       # n_endings * ENDING_SIZE, likewise
    uint64_t n_abbreviations
    const uint64_t* abbreviations   # keys of words that a full stop belongs to, ascending
    Recurrent forward
    Recurrent backward
    const int16_t* joined        # N_JOINED rows: both states, the inputs of the word and the next
    const int32_t* joined_bias   # N_JOINED, as sums
    int n_scores                 # n_labels, rounded up to 8 or 16
    const float* out             # N_JOINED rows of n_scores, zeros behind n_labels
    const float* out_bias        # n_labels


cdef inline uint32_t word_row(uint64_t key, uint64_t n_rows) noexcept nogil:
    return <uint32_t>(((scramble(key) >> 32) * n_rows) >> 32)


cdef inline uint32_t ending_row(uint32_t ending, uint64_t n_rows) noexcept nogil:
    return <uint32_t>((ending * n_rows) >> 32)


cdef inline void fill_inputs(const MarksView* net, const MarkWord* word, uint8_t given,
                             int16_t* out) noexcept nogil:
    """What the units read of a word."""
    # Invariant: rows are below n_words and n_endings; given < MAX_CLOSINGS.
    cdef const uint8_t* row = net.words + WORD_SIZE * <uint64_t>word_row(word.key, net.n_words)
    cdef const uint8_t* end = net.endings + ENDING_SIZE * <uint64_t>ending_row(
        word.ending, net.n_endings)
    cdef int k
    for k in range(WORD_SIZE):
        out[k] = <int16_t>((<int32_t>row[k] - 128) * ROW_STEP)
    out += <int>WORD_SIZE
    for k in range(ENDING_SIZE):
        out[k] = <int16_t>((<int32_t>end[k] - 128) * ROW_STEP)
    out += <int>ENDING_SIZE
    memset(out, 0, MAX_CLOSINGS * sizeof(int16_t))
    if given:
        out[given] = ONE


cdef inline void score_gaps(const MarksView* net, const int16_t** gap, int n,
                            float* score) noexcept nogil:
    """The scores of each label, MAX_LABELS for each gap, from states and inputs of some gaps."""
    cdef int32_t sums[TOGETHER][N_JOINED]
    cdef int32_t* sum_of[TOGETHER]
    cdef float unit
    cdef const float* row
    cdef int t, k, g
    check(n <= TOGETHER)
    for g in range(n):
        memcpy(sums[g], net.joined_bias, N_JOINED * sizeof(int32_t))
        sum_of[g] = sums[g]
    add_products(net.joined, gap, n, net.forward.n_units + N_INPUTS, N_JOINED, sum_of)
    for g in range(n):
        # By units, so that the labels' sums are side by side: each is a chain of additions.
        memset(score, 0, MAX_LABELS * sizeof(float))
        for k in range(N_JOINED):
            unit = (<float>(sums[g][k] if sums[g][k] > 0 else 0)
                    * <float>(1.0 / (ONE << WEIGHT_BITS)))
            row = net.out + k * net.n_scores
            for t in range(MAX_CLOSINGS):
                score[t] += row[t] * unit
            if net.n_scores > <int>MAX_CLOSINGS:
                for t in range(MAX_CLOSINGS, MAX_LABELS):
                    score[t] += row[t] * unit
        for t in range(net.signs.n_labels):
            score[t] += net.out_bias[t]
        score += <int>MAX_LABELS


cdef inline void sum_inputs(const Recurrent* unit, const int16_t** inputs, int n,
                            int32_t* sums) noexcept nogil:
    """The products of the inputs of some words, 3 * MAX_STATE sums for each, with the bias."""
    cdef int32_t* sum_of[TOGETHER]
    cdef int32_t n_inputs = WORD_SIZE + ENDING_SIZE
    cdef int k, t
    check(n <= TOGETHER)
    for k in range(n):
        # What is last, marks that are given, is mostly zeros.
        for t in range(MAX_CLOSINGS):
            if inputs[k][<int>WORD_SIZE + <int>ENDING_SIZE + t]:
                n_inputs = N_INPUTS
        sum_of[k] = sums + k * 3 * <int>MAX_STATE
        memcpy(sum_of[k], unit.bias, 3 * unit.n_units * sizeof(int32_t))
    add_products(unit.of_inputs, inputs, n, n_inputs // 2, 3 * unit.n_units, sum_of)


cdef inline void to_probabilities(const float* score, int n, float* out) noexcept nogil:
    cdef float best = score[0]
    cdef double total = 0
    cdef int t
    for t in range(1, n):
        best = max(best, score[t])
    for t in range(n):
        out[t] = <float>exp(score[t] - best)
        total += out[t]
    for t in range(n):
        out[t] = <float>(out[t] / total)
