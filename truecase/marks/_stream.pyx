"""Marks between the words of a stream, in memory that does not grow with it.

The words that follow say as much of a mark as those before it, so a chunk of words is decided once
some more are there; the state of the direction that comes from the beginning is carried on. Where
chunks end depends on the number of words alone, not on the pieces that the text comes in.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int16_t, int32_t, uint8_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memmove, memset

from truecase.marks._marks cimport Marks
from truecase.marks._network cimport (
    N_INPUTS,
    TOGETHER,
    MarksView,
    fill_inputs,
    score_gaps,
    sum_inputs,
    to_probabilities,
)
from truecase.marks._pause cimport pause_nats
from truecase.marks._word cimport (
    MAX_CLOSINGS,
    MAX_LABELS,
    MAX_OPENINGS,
    WORD_ENDS_LINE,
    WORD_ENDS_TEXT,
    WORD_HAS_STOP,
    WORD_IS_CLOSED,
    WORD_IS_SIGN,
    WORD_STOPS,
    WORD_TRAILS,
    MarkWord,
    read_word,
    skip_space,
)
from truecase.recurrent._gru cimport MAX_STATE, ONE, next_by_sums
from truecase.runtime._check cimport check
from truecase.runtime._memory cimport grow
from truecase.runtime._output cimport Output, reserve_output
from truecase.runtime._status cimport STATUS_INVALID, STATUS_OK, STATUS_OUT_OF_MEMORY

from truecase.errors import ModelError
from truecase.runtime.one_thread import OneThread

__all__ = ["MarkStream"]

cdef enum:
    CHUNK = 256                  # words that are decided together
    AHEAD = 16                   # words that are waited for behind them
    PART = 1 << 14               # bytes that are heard together
    LONGEST_SENTENCE = 400       # words: then the line ends, as nobody says where the sentence does


cdef struct Stream:
    Output text                  # from the first word that is not decided on
    size_t parsed                # bytes of it that words were made of
    MarkWord* words              # heard, and not decided
    int16_t* rows                # per word: the forward state beside it, then its inputs
    uint8_t* labels
    float* probabilities         # MAX_LABELS of each word
    int32_t n_words
    int32_t n_forward            # of them, those that have the forward state
    int32_t capacity
    int16_t state[MAX_STATE]     # behind the last of them
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


cdef inline int put(Output* out, const void* bytes, size_t n) noexcept nogil:
    if reserve_output(out, n) != STATUS_OK:
        return STATUS_OUT_OF_MEMORY
    if n:
        memcpy(out.bytes + out.size, bytes, n)
    out.size += n
    return STATUS_OK


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


cdef int hear(const MarksView* net, Stream* at, const MarkWord* word) noexcept nogil:
    """One more word."""
    cdef int32_t n = net.forward.n_units, size = n + N_INPUTS
    cdef size_t wanted
    cdef MarkWord* heard
    if at.n_words == at.capacity:
        wanted = 2 * <size_t>at.capacity + 64
        if (grow(<void**>&at.words, wanted, sizeof(MarkWord)) != STATUS_OK
                or grow(<void**>&at.rows, wanted, size * sizeof(int16_t)) != STATUS_OK
                or grow(<void**>&at.labels, wanted, 1) != STATUS_OK
                or grow(<void**>&at.probabilities, wanted,
                        MAX_LABELS * sizeof(float)) != STATUS_OK):
            return STATUS_OUT_OF_MEMORY
        at.capacity = <int32_t>wanted
    heard = at.words + at.n_words
    heard[0] = word[0]
    if at.pauses_taken < at.pauses.size:
        memcpy(&heard.pause, at.pauses.bytes + at.pauses_taken, sizeof(float))
        at.pauses_taken += sizeof(float)
        if at.pauses_taken == at.pauses.size:
            at.pauses_taken = at.pauses.size = 0
    at.n_words += 1
    if word.flags & <int>WORD_IS_SIGN == 0:
        if is_open(net, heard):
            heard.flags &= <uint8_t>~<int>WORD_IS_CLOSED
        # Invariant: given < MAX_CLOSINGS, as the model's signs have no higher number.
        fill_inputs(net, heard, heard.given if heard.flags & <int>WORD_IS_CLOSED else 0,
                    at.rows + <size_t>(at.n_words - 1) * size + n)
    return STATUS_OK


cdef inline bint is_sign(const MarkWord* word) noexcept nogil:
    return word.flags & <int>WORD_IS_SIGN != 0


cdef void look_ahead(const MarksView* net, Stream* at) noexcept nogil:
    """The states of the direction from the beginning beside all words that have none."""
    cdef int32_t sums[TOGETHER * 3 * MAX_STATE]
    cdef const int16_t* inputs[TOGETHER]
    cdef int32_t n = net.forward.n_units, size = n + N_INPUTS, first, last, i, k
    cdef int16_t* row
    first = at.n_forward
    while first < at.n_words:
        k = 0
        last = first
        while last < at.n_words and k < <int>TOGETHER:
            if not is_sign(at.words + last):
                inputs[k] = at.rows + <size_t>last * size + n
                k += 1
            last += 1
        sum_inputs(&net.forward, inputs, k, sums)
        k = 0
        for i in range(first, last):
            row = at.rows + <size_t>i * size
            if not is_sign(at.words + i):
                next_by_sums(&net.forward, sums + k * 3 * <int>MAX_STATE, at.state, at.state)
                k += 1
            memcpy(row, at.state, n * sizeof(int16_t))
            if at.words[i].flags & <int>WORD_ENDS_TEXT:
                memset(at.state, 0, sizeof(at.state))
        first = last
    at.n_forward = at.n_words


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


cdef void look_back(const MarksView* net, Stream* at, int32_t n_decided) noexcept nogil:
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
    at.opening = 0 if not at.is_within else at.opening
    cdef const int16_t* row
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
                memcpy(gaps[n_asked], row, n * sizeof(int16_t))
                memcpy(gaps[n_asked] + n, state, n * sizeof(int16_t))
                memcpy(gaps[n_asked] + 2 * n, row + n, N_INPUTS * sizeof(int16_t))
                if next_inputs == NULL:
                    memset(gaps[n_asked] + 2 * n + <int>N_INPUTS, 0, N_INPUTS * sizeof(int16_t))
                else:
                    memcpy(gaps[n_asked] + 2 * n + <int>N_INPUTS, next_inputs,
                           N_INPUTS * sizeof(int16_t))
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


cdef inline void add_pause(const MarksView* net, float seconds, float* score) noexcept nogil:
    cdef int o, c, n = net.signs.n_closings
    cdef float nats
    if not seconds >= 0:
        return
    for c in range(1, n):
        nats = pause_nats(seconds, net.signs.ends_sentence[c])
        for o in range(net.signs.n_openings):
            score[o * n + c] += nats


cdef uint8_t first_opening(const MarksView* net, const Stream* at, const int16_t* state,
                           const int16_t* next_inputs) noexcept nogil:
    """What stands in front of a text's first word: as if the end of a sentence came before it."""
    cdef int16_t gap[2 * MAX_STATE + 2 * N_INPUTS]
    cdef const int16_t* gaps[1]
    cdef float score[MAX_LABELS]
    cdef int32_t n = net.forward.n_units
    cdef int c, o, best = 0
    memset(gap, 0, sizeof(gap))
    memcpy(gap + n, state, n * sizeof(int16_t))
    memcpy(gap + 2 * n + <int>N_INPUTS, next_inputs, N_INPUTS * sizeof(int16_t))
    for c in range(net.signs.n_closings - 1, 0, -1):
        if net.signs.ends_sentence[c]:
            best = c
    c = best
    gap[2 * n + <int>N_INPUTS - <int>MAX_CLOSINGS + c] = ONE if c else 0
    gaps[0] = gap
    score_gaps(net, gaps, 1, score)
    best = 0
    for o in range(1, net.signs.n_openings):
        if at.allowed_opening[o] and (
                score[o * net.signs.n_closings + c] > score[best * net.signs.n_closings + c]):
            best = o
    return <uint8_t>best


cdef void label_word(const MarksView* net, Stream* at, int32_t i,
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


cdef int decide(const MarksView* net, Stream* at, int32_t n_decided) noexcept nogil:
    """Decide the first words and hand them on."""
    cdef int32_t i, left, n = net.forward.n_units, size = n + N_INPUTS
    cdef size_t space, gone
    cdef const MarkWord* word
    cdef uint8_t label
    cdef int o
    cdef bint ends
    cdef int status = STATUS_OK
    if n_decided <= 0:
        return STATUS_OK
    look_ahead(net, at)
    look_back(net, at, n_decided)
    for i in range(n_decided):
        word = at.words + i
        o = at.labels[i] // net.signs.n_closings
        label = <uint8_t>(at.labels[i] - o * net.signs.n_closings)
        gone = (word + 1).start if i + 1 < at.n_words else at.parsed
        space = gone - word.end
        if at.opening and not word.opening and not is_sign(word):
            status |= put(&at.marked, net.signs.opening_mark[at.opening],
                          net.signs.opening_size[at.opening])
        at.opening = <uint8_t>o
        at.is_within = not word.flags & <int>WORD_ENDS_TEXT
        status |= put(&at.marked, at.text.bytes + word.start, word.end - word.start)
        if label and not word.flags & (<int>WORD_IS_CLOSED | <int>WORD_IS_SIGN) and not (
                label == word.given and is_open(net, word)):
            status |= put(&at.marked, net.signs.mark[label], net.signs.mark_size[label])
        at.in_sentence += 1
        ends = (net.signs.ends_sentence[label] or word.flags & <int>WORD_ENDS_TEXT
                or at.in_sentence >= LONGEST_SENTENCE)
        status |= put(&at.marked, b"\n" if ends else b" ", 1)
        if ends:
            at.in_sentence = 0
            if word.flags & <int>WORD_ENDS_TEXT and word.flags & <int>WORD_ENDS_LINE:
                status |= put(&at.marked, b"\n", 1)
            at.whole = at.marked.size
        status |= put(&at.spaces, at.text.bytes + word.end, space)
        status |= put(&at.space_sizes, &space, sizeof(space))
        if at.keeps_probabilities:
            status |= put(&at.thought, at.probabilities + <size_t>i * MAX_LABELS,
                          MAX_LABELS * sizeof(float))
    if status != STATUS_OK:
        return STATUS_OUT_OF_MEMORY
    gone = at.words[n_decided].start if n_decided < at.n_words else at.parsed
    drop(&at.text, gone)
    at.parsed -= gone
    left = at.n_words - n_decided
    memmove(at.words, at.words + n_decided, left * sizeof(MarkWord))
    memmove(at.rows, at.rows + <size_t>n_decided * size, <size_t>left * size * sizeof(int16_t))
    for i in range(left):
        at.words[i].start -= gone
        at.words[i].end -= gone
    at.n_words = left
    at.n_forward -= n_decided
    return STATUS_OK


cdef int parse(const MarksView* net, Stream* at, bint is_last) noexcept nogil:
    """Hear all words that are whole. A word is, once another begins behind it, or at the end."""
    cdef MarkWord word
    cdef const uint8_t* p
    cdef const uint8_t* end
    cdef int n_lines, status
    cdef size_t start, follows
    while True:
        start = at.parsed
        if start >= at.text.size:
            return STATUS_OK
        end = at.text.bytes + at.text.size
        read_word(&net.signs, net.turkic, at.text.bytes, start, at.text.size, &word)
        n_lines = 0
        p = skip_space(at.text.bytes + word.end, end, &n_lines)
        # At the end of a piece, a character may be cut.
        if not is_last and end - p < 4:
            return STATUS_OK
        follows = p - at.text.bytes
        if n_lines:
            word.flags |= WORD_ENDS_LINE
        if p == end:
            word.flags |= WORD_ENDS_TEXT
            word.flags &= <uint8_t>~<int>WORD_ENDS_LINE
        elif n_lines > 1:
            word.flags |= WORD_ENDS_TEXT
        at.parsed = follows
        status = hear(net, at, &word)
        if status != STATUS_OK:
            return status
        if word.flags & <int>WORD_ENDS_TEXT:
            status = decide(net, at, at.n_words)
        elif at.n_words >= at.chunk + at.ahead:
            status = decide(net, at, at.chunk)
        if status != STATUS_OK:
            return status


cdef int hear_part(const MarksView* net, Stream* at, bint is_last) noexcept nogil:
    """Hear what was put behind the text."""
    cdef const uint8_t* p
    cdef size_t n
    cdef int n_lines = 0
    if at.n_words == 0 and at.parsed == 0 and at.text.size:
        # White space before the first word goes with none; a cut character is none.
        p = skip_space(at.text.bytes, at.text.bytes + at.text.size, &n_lines)
        n = p - at.text.bytes
        if put(&at.lead, at.text.bytes, n) != STATUS_OK:
            return STATUS_OUT_OF_MEMORY
        drop(&at.text, n)
    return parse(net, at, is_last)


cdef class MarkStream:
    """Puts marks between the words of a stream, which comes in pieces of any size.

    Parameters
    ----------
    model : Marks
    marks : iterable of str, optional
        Those that may be put, of the model's; by default all.
    latency : int, optional
        Words that are waited for after each; by default decisions are made for 256 words at a time,
        and 16 are waited for.
    probabilities : bool
        Keep them for `take_probabilities`.

    Raises
    ------
    ModelError
        The model has no such mark.
    ValueError
        The latency is negative.
    """

    cdef Marks model
    cdef Stream at
    cdef object one_thread       # what comes out depends on the order in which words come

    def __cinit__(self, Marks model not None, marks=None, latency=None, probabilities=False):
        cdef int label
        self.model = model
        self.one_thread = OneThread("stream of words")
        memset(&self.at, 0, sizeof(self.at))
        known = (*model.marks, *model.openings)
        chosen = list(known if marks is None else marks)
        for mark in chosen:
            if mark not in known:
                raise ModelError(f"the model puts no {mark!r}: its marks are {' '.join(known)}")
        self.at.allowed[0] = self.at.allowed_opening[0] = 1
        for label, mark in enumerate(model.marks, 1):
            self.at.allowed[label] = mark in chosen
        for label, mark in enumerate(model.openings, 1):
            self.at.allowed_opening[label] = mark in chosen
        self.at.chunk, self.at.ahead = CHUNK, AHEAD
        if latency is not None:
            if not 0 <= latency <= 10_000:
                raise ValueError(f"latency {latency}: expected 0 to 10,000 words")
            self.at.chunk, self.at.ahead = 1, latency
        self.at.keeps_probabilities = probabilities

    def __dealloc__(self):
        free(self.at.text.bytes)
        free(self.at.words)
        free(self.at.rows)
        free(self.at.labels)
        free(self.at.probabilities)
        free(self.at.lead.bytes)
        free(self.at.marked.bytes)
        free(self.at.spaces.bytes)
        free(self.at.space_sizes.bytes)
        free(self.at.thought.bytes)
        free(self.at.pauses.bytes)

    def __reduce__(self):
        raise TypeError("a stream of words cannot be pickled")

    def feed(self, text not None, pauses=None):
        """Take the next piece; all words but the last ones are decided.

        Parameters
        ----------
        text : bytes-like
        pauses : float32 buffer, optional
            Seconds between each word of the piece and the next, less than 0 where they are not
            known. The piece is whole words then.
        """
        cdef const float[::1] seconds
        with self.one_thread:
            if pauses is not None:
                seconds = pauses
                if seconds.shape[0] and put(&self.at.pauses, &seconds[0],
                                            seconds.shape[0] * sizeof(float)) != STATUS_OK:
                    raise MemoryError("no memory for the pauses of a stream")
            self._take(text, False)

    def finish(self):
        """Decide the rest: the text ends here. What comes next begins another one."""
        with self.one_thread:
            self._take(b"", True)
            self.at.pauses.size = self.at.pauses_taken = 0

    def take_sentences(self):
        """Decided words with their marks, as whole sentences of a line each.

        An empty line stands where the text had one or more.
        """
        with self.one_thread:
            return self._marked()

    def take_words(self):
        """The same, and the words that were decided of a sentence that goes on."""
        with self.one_thread:
            self.at.whole = self.at.marked.size
            return self._marked()

    def lay_out(self, sentences not None):
        """Give words the white space that was between them.

        Parameters
        ----------
        sentences : bytes-like
            What `take_sentences` gave, or the same words in another case.

        Raises
        ------
        ValueError
            There are more words than were taken.
        """
        cdef const uint8_t[::1] view = sentences
        cdef const uint8_t* p = &view[0] if view.shape[0] else NULL
        cdef const uint8_t* end = p + view.shape[0]
        cdef Output out
        cdef int status
        memset(&out, 0, sizeof(out))
        try:
            with self.one_thread, nogil:
                status = put(&out, self.at.lead.bytes, self.at.lead.size)
                self.at.lead.size = 0
                if status == STATUS_OK:
                    status = lay_words(&self.at, p, end, &out)
            if status == STATUS_OUT_OF_MEMORY:
                raise MemoryError("no memory for the words of a stream")
            if status != STATUS_OK:
                raise ValueError("there are more words than were taken of the stream")
            return (<const char*>out.bytes)[:out.size] if out.size else b""
        finally:
            free(out.bytes)

    def take_probabilities(self):
        """Of each word that was decided since the last call, those of no mark and of each.

        Returns
        -------
        float32 ndarray, shape (n_words, n_pairs)
            Of each of the model's `pairs`; 1 for the mark that a word carries, and what was put in
            front of the next.
        """
        # Here, as importing it takes longer than a page of text.
        import numpy as np

        cdef float[:, ::1] view
        with self.one_thread:
            taken = np.empty((self.at.thought.size // (MAX_LABELS * sizeof(float)), MAX_LABELS),
                             np.float32)
            view = taken
            if self.at.thought.size:
                memcpy(&view[0, 0], self.at.thought.bytes, self.at.thought.size)
            self.at.thought.size = 0
        return taken[:, :self.model.view.signs.n_labels]

    @property
    def undecided(self):
        """What is not decided yet, as it came."""
        with self.one_thread:
            return self._undecided()

    cdef bytes _undecided(self):
        return (<const char*>self.at.text.bytes)[:self.at.text.size] if self.at.text.size else b""

    @property
    def pending(self):
        """What is not decided yet, as it came, and decided words of a sentence that goes on."""
        cdef bytes decided = b""
        with self.one_thread:
            if self.at.marked.size > self.at.whole:
                decided = (<const char*>self.at.marked.bytes)[self.at.whole:self.at.marked.size]
            return decided + self._undecided()

    cdef bytes _marked(self):
        """Take what is whole."""
        cdef bytes taken = (<const char*>self.at.marked.bytes)[:self.at.whole]
        drop(&self.at.marked, self.at.whole)
        self.at.whole = 0
        return taken

    cdef int _take(self, text, bint is_last) except -1:
        cdef const uint8_t[::1] view = text
        cdef size_t n = view.shape[0], done = 0, part
        cdef int status = STATUS_OK
        with nogil:
            # Part by part, as what is decided makes room for what comes.
            while status == STATUS_OK and (done < n or is_last):
                part = min(n - done, <size_t>PART)
                status = put(&self.at.text, &view[0] + done if part else NULL, part)
                done += part
                if status == STATUS_OK:
                    status = hear_part(&self.model.view, &self.at, is_last)
                if is_last:
                    break
        if status != STATUS_OK:
            raise MemoryError("no memory for the words of a stream")
        return 0


cdef int lay_words(Stream* at, const uint8_t* p, const uint8_t* end, Output* out) noexcept nogil:
    cdef const uint8_t* start
    cdef size_t space
    cdef int status = STATUS_OK
    while p < end:
        start = p
        while p < end and p[0] != 0x20 and p[0] != 0x0a:
            p += 1
        if p > start:
            if at.sizes_taken + sizeof(size_t) > at.space_sizes.size:
                return STATUS_INVALID
            memcpy(&space, at.space_sizes.bytes + at.sizes_taken, sizeof(space))
            at.sizes_taken += sizeof(space)
            status |= put(out, start, p - start)
            status |= put(out, at.spaces.bytes + at.spaces_taken, space)
            at.spaces_taken += space
        p += 1
    drop(&at.spaces, at.spaces_taken)
    drop(&at.space_sizes, at.sizes_taken)
    at.spaces_taken = 0
    at.sizes_taken = 0
    return STATUS_OK if status == STATUS_OK else STATUS_OUT_OF_MEMORY
