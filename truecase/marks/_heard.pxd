"""The words of a stream that were heard and are not decided, and the states on their left.

The state of the direction that comes from the beginning is carried on from word to word; that of
the other one is there once the words that follow are (`_decision.pxd`).
"""

from libc.stddef cimport size_t
from libc.stdint cimport int16_t, int32_t, uint8_t, uint64_t
from libc.string cimport memcpy, memmove, memset

from truecase.marks._network cimport (
    N_BYTES,
    TOGETHER,
    MarksView,
    fill_inputs,
    given_mark,
    prefetch_inputs,
    sum_inputs,
)
from truecase.marks._word cimport (
    MAX_CLOSINGS,
    MAX_LABELS,
    MAX_OPENINGS,
    WORD_ENDS_TEXT,
    WORD_HAS_STOP,
    WORD_IS_CLOSED,
    WORD_IS_SIGN,
    WORD_STOPS,
    WORD_TRAILS,
    MarkWord,
)
from truecase.recurrent._byte_unit cimport MAX_BYTE_SUMS, next_byte_state, start_bytes
from truecase.recurrent._gru cimport MAX_STATE
from truecase.runtime._check cimport check
from truecase.runtime._memory cimport grow
from truecase.runtime._output cimport Output
from truecase.runtime._status cimport STATUS_OK, STATUS_OUT_OF_MEMORY


cdef struct Stream:
    Output text                  # from the first word that is not decided on
    size_t parsed                # bytes of it that words were made of
    MarkWord coming              # the next one, if it is whole
    bint has_coming
    size_t searched              # where its end, then that of the white space behind it, was not
    int n_lines                  # line feeds of this white space
    MarkWord* words              # heard, and not decided
    uint8_t* rows                # per word: the forward state beside it, then its inputs
    uint8_t* labels
    float* probabilities         # MAX_LABELS of each word
    int32_t n_words
    int32_t n_forward            # of them, those that have the forward state
    int32_t capacity
    int16_t state[MAX_STATE]     # behind the last of them
    uint8_t state_bytes[MAX_STATE]
    uint64_t before              # key of the word that the next one follows, 0 for none
    Output lead                  # white space before the first word
    Output marked                # decided words with their marks
    size_t whole                 # bytes of it that are whole sentences
    int32_t in_sentence          # words of the one that is not
    Output spaces                # white space behind each decided word, as it was given
    Output space_sizes           # their lengths, size_t
    size_t spaces_taken
    size_t sizes_taken
    Output thought               # probabilities of decided words, if they are kept
    bint keeps_probabilities
    int32_t chunk
    int32_t ahead
    uint8_t allowed[MAX_CLOSINGS]
    uint8_t allowed_opening[MAX_OPENINGS]
    Output pauses                # behind words that are to come, float
    size_t pauses_taken          # bytes
    uint8_t opening              # that is to stand in front of the next word
    bint is_within               # a text has begun


cdef inline void drop(Output* out, size_t n) noexcept nogil:
    """Forget the first n bytes."""
    check(n <= out.size)
    if n:
        memmove(out.bytes, out.bytes + n, out.size - n)
    out.size -= n


cdef inline bint is_abbreviation(const MarksView* net, uint64_t key) noexcept nogil:
    cdef uint64_t low = 0, high = net.n_abbreviations, middle
    while low < high:
        middle = (low + high) >> 1
        if net.abbreviations[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low < net.n_abbreviations and net.abbreviations[low] == key


cdef inline bint is_open(const MarksView* net, const MarkWord* word) noexcept nogil:
    """Whether what stands behind a word does not say if the sentence ends: Mr. and three dots."""
    return (word.flags & (<int>WORD_HAS_STOP | <int>WORD_TRAILS) != 0
            or (word.flags & <int>WORD_STOPS != 0 and is_abbreviation(net, word.key)))


cdef inline bint is_sign(const MarkWord* word) noexcept nogil:
    return word.flags & <int>WORD_IS_SIGN != 0


cdef inline int hear(const MarksView* net, Stream* at) noexcept nogil:
    """The word that is coming, one more of those that are there."""
    cdef int32_t n = net.forward.n_units, size = n + N_BYTES
    cdef size_t wanted
    cdef MarkWord* heard
    if at.n_words == at.capacity:
        wanted = 2 * <size_t>at.capacity + 64
        if (grow(<void**>&at.words, wanted, sizeof(MarkWord)) != STATUS_OK
                or grow(<void**>&at.rows, wanted, size) != STATUS_OK
                or grow(<void**>&at.labels, wanted, 1) != STATUS_OK
                or grow(<void**>&at.probabilities, wanted,
                        MAX_LABELS * sizeof(float)) != STATUS_OK):
            return STATUS_OUT_OF_MEMORY
        at.capacity = <int32_t>wanted
    heard = at.words + at.n_words
    heard[0] = at.coming
    if at.pauses_taken < at.pauses.size:
        memcpy(&heard.pause, at.pauses.bytes + at.pauses_taken, sizeof(float))
        at.pauses_taken += sizeof(float)
        if at.pauses_taken == at.pauses.size:
            at.pauses_taken = at.pauses.size = 0
    at.n_words += 1
    if not is_sign(heard):
        if is_open(net, heard):
            heard.flags &= <uint8_t>~<int>WORD_IS_CLOSED
        heard.before = at.before
        prefetch_inputs(net, heard)
        at.before = heard.key
    if heard.flags & <int>WORD_ENDS_TEXT:
        at.before = 0
    return STATUS_OK


cdef inline void forget_state(Stream* at) noexcept nogil:
    """Nothing is known of what comes before."""
    memset(at.state, 0, sizeof(at.state))
    start_bytes(at.state_bytes, MAX_STATE)


cdef inline void look_ahead(const MarksView* net, Stream* at) noexcept nogil:
    """The states of the direction from the beginning beside all words that have none."""
    cdef int32_t sums[TOGETHER * MAX_BYTE_SUMS]
    cdef const uint8_t* inputs[TOGETHER]
    cdef uint8_t given[TOGETHER]
    cdef int32_t n = net.forward.n_units, size = n + N_BYTES, first, last, i, k
    first = at.n_forward
    while first < at.n_words:
        k = 0
        last = first
        while last < at.n_words and k < <int>TOGETHER:
            if not is_sign(at.words + last):
                fill_inputs(net, at.words + last, at.rows + <size_t>last * size + n)
                inputs[k] = at.rows + <size_t>last * size + n
                given[k] = given_mark(at.words + last)
                k += 1
            last += 1
        sum_inputs(&net.forward, inputs, given, k, sums)
        k = 0
        for i in range(first, last):
            if not is_sign(at.words + i):
                next_byte_state(&net.forward, sums + k * <int>MAX_BYTE_SUMS, at.state,
                                at.state_bytes, at.state_bytes)
                k += 1
            memcpy(at.rows + <size_t>i * size, at.state_bytes, n)
            if at.words[i].flags & <int>WORD_ENDS_TEXT:
                forget_state(at)
        first = last
    at.n_forward = at.n_words
