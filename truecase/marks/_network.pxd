"""Which mark stands behind each word, by all words before it and those that follow.

Two gated recurrent units go over the words, one from either end (`truecase.recurrent._byte_unit`).
They read of each word a row of numbers of its own, one of its last letters, which it shares with
many, one of the word before it and itself, if this pair is frequent, and which mark stands behind
it, if that is known. A layer joins the states on both sides of the gap between two words with what
both words are, and gives each mark, and none, a score in nats; where there are marks in front of
words, each pair of what is behind the one word and in front of the other. The model of a gap is
that of Tilk & Alumäe (2016) without their attention; all but the last scores is computed in whole
numbers.
"""

from libc.math cimport exp
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from truecase.marks._frequent_pairs cimport (
    PAIR_SIZE,
    FrequentPairs,
    find_pair,
    pair_key,
    prefetch_pair,
)
from truecase.marks._word cimport (
    MAX_CLOSINGS,
    MAX_LABELS,
    WORD_IS_CLOSED,
    MarkWord,
    Signs,
)
from truecase.recurrent._byte_unit cimport MAX_BYTE_SUMS, ByteUnit, start_bytes
from truecase.recurrent._bytes cimport ByteMatrix, add_byte_products
from truecase.recurrent._gru cimport ONE, WEIGHT_BITS
from truecase.runtime._check cimport check, prefetch
from truecase.text._hash cimport scramble


cdef enum:
    WORD_SIZE = 24               # numbers of a word
    ENDING_SIZE = 8              # and of its last letters
    N_BYTES = WORD_SIZE + ENDING_SIZE + PAIR_SIZE
    N_INPUTS = N_BYTES + MAX_CLOSINGS
    N_JOINED = 64                # units of the layer that joins both directions
    TOGETHER = 16                # words whose products are added together, a multiple of 4


cdef struct MarksView:
    bint turkic                  # how words are folded
    Signs signs
    uint64_t n_words             # rows, < 2**32
    uint64_t n_endings           # likewise
    const uint8_t* words         # n_words * WORD_SIZE numbers, 128 more than what they stand for
    const uint8_t* endings       # n_endings * ENDING_SIZE, likewise
    FrequentPairs pairs
    uint64_t n_abbreviations
    const uint64_t* abbreviations   # keys of words that a full stop belongs to, ascending
    ByteUnit forward
    ByteUnit backward
    ByteMatrix joined[4]         # N_JOINED rows each; see Gaps
    const int32_t* joined_bias   # N_JOINED, as sums
    const int32_t* joined_given  # N_JOINED for each mark behind the word, then behind the next
    int n_scores                 # n_labels, rounded up to 8 or 16
    const float* out             # N_JOINED rows of n_scores, zeros behind n_labels
    const float* out_bias        # n_labels


cdef struct Gaps:                # whose labels are scored together
    int n                        # at most TOGETHER
    # The state before and behind each, the inputs of the word and of the next.
    const uint8_t* read[4][TOGETHER]
    uint8_t given[2][TOGETHER]   # the marks behind these words, < MAX_CLOSINGS


cdef inline uint32_t word_row(uint64_t key, uint64_t n_rows) noexcept nogil:
    return <uint32_t>(((scramble(key) >> 32) * n_rows) >> 32)


cdef inline uint32_t ending_row(uint32_t ending, uint64_t n_rows) noexcept nogil:
    return <uint32_t>((ending * n_rows) >> 32)


cdef inline uint8_t given_mark(const MarkWord* word) noexcept nogil:
    """The number of the mark behind a word, if that is known."""
    # Invariant: given < MAX_CLOSINGS, as the model's signs have no higher number.
    return word.given if word.flags & <int>WORD_IS_CLOSED else 0


cdef inline void prefetch_inputs(const MarksView* net, const MarkWord* word) noexcept nogil:
    """Rows lie far apart: what will be read of a word comes while others are heard."""
    prefetch(net.words + WORD_SIZE * <uint64_t>word_row(word.key, net.n_words))
    prefetch_pair(&net.pairs, pair_key(word.before, word.key))


cdef inline void fill_inputs(const MarksView* net, const MarkWord* word,
                             uint8_t* out) noexcept nogil:
    """What the units read of a word."""
    # Invariant: rows are below n_words and n_endings.
    cdef const uint8_t* pair = find_pair(&net.pairs, pair_key(word.before, word.key))
    memcpy(out, net.words + WORD_SIZE * <uint64_t>word_row(word.key, net.n_words), WORD_SIZE)
    out += <int>WORD_SIZE
    memcpy(out, net.endings + ENDING_SIZE * <uint64_t>ending_row(word.ending, net.n_endings),
           ENDING_SIZE)
    out += <int>ENDING_SIZE
    if pair == NULL:
        start_bytes(out, PAIR_SIZE)
    else:
        memcpy(out, pair, PAIR_SIZE)


cdef inline void add_given(const int32_t* of_given, int n, uint8_t given,
                           int32_t* sums) noexcept nogil:
    """What a mark that is given adds to n sums, which wrap."""
    cdef int k
    if given:
        of_given += given * n
        for k in range(n):
            sums[k] = <int32_t>(<uint32_t>sums[k] + <uint32_t>of_given[k])


cdef inline void score_gaps(const MarksView* net, const Gaps* gaps, float* score) noexcept nogil:
    """The scores of each label, MAX_LABELS for each gap."""
    cdef int32_t sums[TOGETHER][N_JOINED]
    cdef int32_t* sum_of[TOGETHER]
    cdef float unit
    cdef const float* row
    cdef int t, k, g, n = gaps.n
    check(n <= TOGETHER)
    for g in range(n):
        memcpy(sums[g], net.joined_bias, N_JOINED * sizeof(int32_t))
        for k in range(2):
            add_given(net.joined_given + k * <int>(MAX_CLOSINGS * N_JOINED), N_JOINED,
                      gaps.given[k][g], sums[g])
        sum_of[g] = sums[g]
    for k in range(4):
        add_byte_products(&net.joined[k], <const uint8_t**>gaps.read[k], n, sum_of)
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


cdef inline void sum_inputs(const ByteUnit* unit, const uint8_t** inputs, const uint8_t* given,
                            int n, int32_t* sums) noexcept nogil:
    """The products of the inputs of some words, MAX_BYTE_SUMS sums for each, with the bias."""
    cdef int32_t* sum_of[TOGETHER]
    cdef int k
    check(n <= TOGETHER)
    for k in range(n):
        sum_of[k] = sums + k * <int>MAX_BYTE_SUMS
        memcpy(sum_of[k], unit.bias, unit.n_sums * sizeof(int32_t))
        add_given(unit.of_given, unit.n_sums, given[k], sum_of[k])
    add_byte_products(&unit.of_inputs, inputs, n, sum_of)


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
