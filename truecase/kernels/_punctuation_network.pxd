"""Recurrent units that predict the punctuation behind each word, from all words around it.

A word stands between white space; its signs are not hashed. Gated units from either end
(`_recurrent.pxd`) read a row of each frequent word, one of its last letters, one of the frequent
pair with the word before, and the mark behind it if that is known. A layer joins both sides of a
gap and scores each mark, or pair of marks behind the one word and before the next; the model of
Tilk & Alumäe (2016) without attention. Products of a word and its last letters are kept for words
that return, in sums of 16 bits.
"""

from libc.math cimport exp
from libc.stddef cimport size_t
from libc.stdint cimport int16_t, int32_t, uint16_t, uint32_t, uint64_t, uint8_t
from libc.string cimport memcpy, memset

from truecase.base._check cimport check
from truecase.base._component cimport Component
from truecase.kernels._kept_sums cimport WORDS_TOGETHER, JoinedInputs
from truecase.kernels._maps cimport FrequentRows, copy_row, pair_key
from truecase.kernels._recurrent cimport (
    BYTE_ZERO, INPUT_BITS, SUM_SHIFT, ByteMatrix, GroupedUnits, add_byte_products, add_outputs,
    start_bytes
)
from truecase.kernels._unicode cimport (
    CHAR_DIGIT, CHAR_LETTER, CHAR_SPACE, CHAR_WORD, ascii_space, class_of, decode, encode,
    hash_bytes, scramble, to_fold
)


# Words and their marks
cdef enum:
    MAX_CLOSINGS = 8             # no mark behind a word, or one of seven
    MAX_OPENINGS = 3             # no mark before the next word, or one of two
    MAX_LABELS = 16              # of a gap: pairs of a closing and an opening
    MAX_SIGNS = 32               # that stand for marks
    HASHED_BYTES = 64            # of a word, folded; the rest is not hashed
    ENDING_LENGTH = 3            # characters


cdef enum:                       # flags of a MarkWord
    WORD_IS_SIGN = 1             # neither letter nor digit
    WORD_HAS_STOP = 2            # a full stop behind it may be that of an abbreviation
    WORD_IS_UPPER = 4            # begins in upper case
    WORD_TRAILS = 8              # behind it are three dots
    WORD_ENDS_LINE = 16
    WORD_ENDS_TEXT = 32          # a blank line follows, or the end
    WORD_IS_CLOSED = 64          # a mark stands behind it
    WORD_STOPS = 128             # behind it is one full stop


cdef struct Signs:               # marks, and the signs that stand for them
    int n_labels                 # n_closings * n_openings, at most MAX_LABELS
    int n_closings               # marks behind words, 0 for none included
    uint8_t mark[MAX_CLOSINGS][4]
    uint8_t mark_size[MAX_CLOSINGS]
    uint8_t ends_sentence[MAX_CLOSINGS]
    int n_openings               # marks in front of words, 0 for none included
    uint32_t opening[MAX_OPENINGS]
    uint8_t opening_mark[MAX_OPENINGS][4]
    uint8_t opening_size[MAX_OPENINGS]
    int n_signs
    uint32_t sign[MAX_SIGNS]
    uint8_t label[MAX_SIGNS]


cdef struct MarkWord:
    size_t start                 # in the text
    size_t end                   # with the signs around it
    uint64_t key                 # hash of the folded word
    uint64_t before              # that of the word before it, 0 for none
    uint32_t ending              # hash of its last letters
    uint8_t given                # number of the mark behind it
    uint8_t opening              # number of that in front of it
    uint8_t flags
    uint16_t rule                # its row of gains in the rules of the language
    uint8_t n_head               # bytes of it before a part that stands apart, i 'm; else 0
    float pause                  # seconds to the next word; negative: unknown
    uint32_t place               # where its sums were, unless another word took the place
    bint has_rest                # it has a pair, or a mark that is known


cdef inline uint8_t label_of_sign(const Signs* signs, uint32_t sign) noexcept nogil:
    cdef int k
    for k in range(signs.n_signs):
        if signs.sign[k] == sign:
            return signs.label[k]
    return 0


cdef inline uint8_t number_of_opening(const Signs* signs, uint32_t sign) noexcept nogil:
    cdef int k
    for k in range(1, signs.n_openings):
        if signs.opening[k] == sign:
            return <uint8_t>k
    return 0


cdef inline bint is_space(uint32_t c) noexcept nogil:
    if c < 0x80:
        return ascii_space(<uint8_t>c)
    return (class_of(c) & <uint8_t>CHAR_SPACE) != 0


cdef inline const uint8_t* find_space(const uint8_t* p, const uint8_t* end) noexcept nogil:
    """Find the next white space, or the end."""
    cdef uint32_t length
    while p < end and not is_space(decode(p, end, &length)):
        p += length
    return p


cdef inline const uint8_t* skip_space(const uint8_t* p, const uint8_t* end,
                                      int* n_lines) noexcept nogil:
    """Find the next word, or the end; counts line feeds on the way."""
    cdef uint32_t length, c
    while p < end:
        c = decode(p, end, &length)
        if not is_space(c):
            break
        n_lines[0] += c == 0x0a
        p += length
    return p


cdef inline int n_dots(uint32_t c) noexcept nogil:
    return 1 if c == 0x2e else (3 if c == 0x2026 else 0)


cdef inline void read_word(const Signs* signs, bint turkic, const uint8_t* text, size_t start,
                           size_t n, MarkWord* word) noexcept nogil:
    """Read the word that begins at `start` of a text of n bytes.

    Invariant: start < n, and no white space stands there.
    """
    cdef const uint8_t* p = text + start
    cdef const uint8_t* end = text + n
    cdef uint8_t folded[HASHED_BYTES + 4]
    cdef uint32_t n_folded = 0, length, c, of_word = 0, at = 0, k
    # Where the last hashed characters begin, in a circle; 0 while there are fewer.
    cdef uint32_t place[ENDING_LENGTH]
    cdef uint8_t bits, label, given = 0
    cdef bint is_full = False, dotted = False, first = True
    cdef int dots = 0, signs_behind = 0
    cdef uint32_t n_characters = 0
    word.start = start
    word.flags = 0
    word.rule = 0
    word.n_head = 0
    word.opening = 0
    word.before = 0
    word.pause = -1
    memset(place, 0, sizeof(place))
    while p < end:
        c = decode(p, end, &length)
        if is_space(c):
            break
        p += length
        bits = class_of(c)
        if bits & <uint8_t>CHAR_WORD == 0:
            if n_characters == 0:
                given = max(given, label_of_sign(signs, c))
                word.opening = max(word.opening, number_of_opening(signs, c))
                continue
            label = label_of_sign(signs, c)
            given = max(given, label)
            signs_behind += label > 0
            dots += n_dots(c)
            # A sign inside the word belongs to it: don't, co-op, u.s
            if not is_full:
                if c == 0x2019:
                    c = 0x27
                n_folded += encode(c, folded + n_folded)
                is_full = n_folded > <uint32_t>HASHED_BYTES - 4
            continue
        if first:
            first = False
            if bits & <uint8_t>CHAR_LETTER and to_fold(c, turkic) != c:
                word.flags |= WORD_IS_UPPER
        if n_characters and n_folded > of_word and dots:
            dotted = True
        given = 0
        signs_behind = 0
        dots = 0
        if n_characters == 0:
            n_folded = 0
        n_characters += 1
        if is_full:
            of_word = n_folded
            continue
        c = 0x30 if bits & <uint8_t>CHAR_DIGIT else to_fold(c, turkic)
        place[at] = n_folded
        at = (at + 1) % <uint32_t>ENDING_LENGTH
        n_folded += encode(c, folded + n_folded)
        is_full = n_folded > <uint32_t>HASHED_BYTES - 4
        of_word = n_folded
    word.end = p - text
    word.given = given
    if n_characters == 0:
        word.flags |= WORD_IS_SIGN
        word.key = 0
        word.ending = 0
        return
    if signs_behind:
        word.flags |= WORD_IS_CLOSED
    if dots == 1:
        word.flags |= WORD_STOPS
    if dots == 1 and (dotted or n_characters == 1):
        word.flags |= WORD_HAS_STOP
    if dots >= 3:
        word.flags |= WORD_TRAILS
    word.key = hash_bytes(folded, of_word)
    k = place[at]                # the oldest
    check(k <= of_word)
    word.ending = <uint32_t>(hash_bytes(folded + k, of_word - k) >> 32)


# The network
cdef enum:
    WORD_SIZE = 32               # numbers of a word
    ENDING_SIZE = 8              # and of its last letters
    PAIR_SIZE = 12               # and of the pair with the word before
    N_KEPT = WORD_SIZE + ENDING_SIZE   # products are kept for these
    N_REST = PAIR_SIZE + MAX_CLOSINGS  # the pair, and the mark behind the word
    N_INPUTS = N_KEPT + N_REST
    N_JOINED = 64                # units of the layer that joins both directions
    LABELS_TOGETHER = 4          # whose scores are added together


cdef struct MarksView:
    bint turkic                  # how words are folded
    Signs signs
    FrequentRows words
    FrequentRows pairs
    uint64_t n_endings           # rows, < 2**32
    const uint8_t* endings       # n_endings * ENDING_SIZE numbers, counted from 128
    uint64_t n_abbreviations
    const uint64_t* abbreviations   # keys of words that a full stop belongs to, ascending
    GroupedUnits units[2]        # forward, backward
    JoinedInputs joined_kept[2]  # with the word before the gap, and with the next
    ByteMatrix joined[4]         # N_JOINED rows each; see Gaps
    const int32_t* joined_bias   # N_JOINED, as sums
    const float* out             # by LABELS_TOGETHER labels: N_JOINED rows of these
    const float* out_bias        # n_labels


cdef struct Gaps:                # between words, scored together
    int n                        # at most WORDS_TOGETHER
    # The states before and behind each gap, the rest of the inputs of the word and of the next.
    const uint8_t* read[4][WORDS_TOGETHER]
    int32_t sums[WORDS_TOGETHER][N_JOINED]   # so far


cdef inline uint64_t word_key(const MarkWord* word) noexcept nogil:
    """Key of a word among the frequent ones."""
    return pair_key(0, word.key)


cdef inline uint64_t sums_key(const MarkWord* word) noexcept nogil:
    """Key of a word among those whose sums are kept; not 0."""
    return scramble(word.key + word.ending) | 1


cdef inline size_t n_sums(const MarksView* net) noexcept nogil:
    """How many sums are kept of a word: of both directions, and of the units joined, twice."""
    return 6 * net.units[0].n_units + 2 * N_JOINED


cdef inline void fill_kept(const MarksView* net, const MarkWord* word,
                           uint8_t* inputs) noexcept nogil:
    """Fill in the inputs of a word whose products are kept."""
    # Invariant: the row of an ending is below n_endings.
    copy_row(&net.words, word_key(word), WORD_SIZE, inputs)
    memcpy(inputs + WORD_SIZE,
           net.endings + ENDING_SIZE * ((word.ending * <uint64_t>net.n_endings) >> 32),
           ENDING_SIZE)


cdef inline void fill_given(uint8_t given, uint8_t* inputs) noexcept nogil:
    """Fill in the mark behind a word, the last of its inputs."""
    start_bytes(inputs + <int>(N_INPUTS - MAX_CLOSINGS), MAX_CLOSINGS)
    if given:
        inputs[<int>(N_INPUTS - MAX_CLOSINGS) + given] = BYTE_ZERO + (1 << INPUT_BITS)


cdef inline void fill_rest(const MarksView* net, MarkWord* word, uint8_t* inputs) noexcept nogil:
    """Fill in the other inputs, and note whether there are any."""
    # Invariant: given < MAX_CLOSINGS, as the model's signs have no higher number.
    cdef uint8_t given = word.given if word.flags & WORD_IS_CLOSED else 0
    cdef uint64_t pair = pair_key(word.before, word.key)
    word.has_rest = copy_row(&net.pairs, pair, PAIR_SIZE, inputs + N_KEPT) or given != 0
    fill_given(given, inputs)


cdef inline void add_gap(const MarksView* net, Gaps* gaps, const int16_t* of_word,
                         const int16_t* of_next) noexcept nogil:
    """Append a gap, by the kept sums of the words beside it; the caller has set what it reads."""
    cdef int k
    check(gaps.n < WORDS_TOGETHER)
    for k in range(N_JOINED):
        gaps.sums[gaps.n][k] = <int32_t>(
            <uint32_t>net.joined_bias[k] + (<uint32_t>(of_word[k] + of_next[k]) << SUM_SHIFT))
    gaps.n += 1


cdef inline void score_gaps(const MarksView* net, Gaps* gaps, float* score) noexcept nogil:
    """Score the labels of each gap, MAX_LABELS per gap."""
    cdef int32_t* sum_of[WORDS_TOGETHER]
    cdef int t, k, g, n_labels = net.signs.n_labels
    for g in range(gaps.n):
        sum_of[g] = gaps.sums[g]
    for k in range(4):
        add_byte_products(&net.joined[k], <const uint8_t**>gaps.read[k], gaps.n, sum_of)
    for g in range(gaps.n):
        memset(score, 0, MAX_LABELS * sizeof(float))
        for t in range((n_labels + LABELS_TOGETHER - 1) // LABELS_TOGETHER):
            add_outputs(gaps.sums[g], net.out + t * <int>(N_JOINED * LABELS_TOGETHER), N_JOINED,
                        score + t * LABELS_TOGETHER)
        for t in range(n_labels):
            score[t] += net.out_bias[t]
        score += MAX_LABELS


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


cdef class Marks(Component):
    cdef MarksView view
    cdef readonly tuple marks    # behind words, from number 1 on
    cdef readonly tuple openings
    cdef readonly tuple pairs
    cdef object last_rules       # that a stream of words read; None before
