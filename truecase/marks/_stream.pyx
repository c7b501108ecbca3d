"""Marks between the words of a stream, in memory that does not grow with it.

The words that follow say as much of a mark as those before it, so a chunk of words is decided once
some more are there; the state of the direction that comes from the beginning is carried on. Where
chunks end depends on the number of words alone, not on the pieces that the text comes in.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int16_t, int32_t, uint8_t, uint32_t, uint64_t
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
    word_row,
)
from truecase.marks._word cimport (
    MAX_LABELS,
    MAX_SIGNS,
    WORD_ENDS_LINE,
    WORD_ENDS_TEXT,
    WORD_HAS_STOP,
    WORD_IS_CLOSED,
    WORD_IS_SIGN,
    WORD_IS_UPPER,
    WORD_STOPS,
    WORD_TRAILS,
    MarkWord,
    Signs,
    read_word,
    skip_space,
)
from truecase.recurrent._gru cimport MAX_STATE, next_by_sums
from truecase.runtime._check cimport check
from truecase.runtime._memory cimport grow
from truecase.runtime._output cimport Output, reserve_output
from truecase.runtime._status cimport STATUS_INVALID, STATUS_OK, STATUS_OUT_OF_MEMORY

import numpy as np

from truecase.errors import ModelError
from truecase.runtime.one_thread import OneThread

__all__ = ["FLAGS", "MarkStream", "read_words", "word_rows"]

#: What is said of a word.
FLAGS = {
    "is sign": WORD_IS_SIGN,
    "has stop": WORD_HAS_STOP,
    "is upper": WORD_IS_UPPER,
    "trails": WORD_TRAILS,
    "ends line": WORD_ENDS_LINE,
    "stops": WORD_STOPS,
}

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
    uint8_t allowed[MAX_LABELS]


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
    at.n_words += 1
    if word.flags & <int>WORD_IS_SIGN == 0:
        if is_open(net, heard):
            heard.flags &= <uint8_t>~<int>WORD_IS_CLOSED
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
                           const float* score, bint before_sign) noexcept nogil:
    """The label behind a word: the mark that it carries, or the best of those that may be."""
    cdef int t, best = 0
    if word.flags & (<int>WORD_IS_CLOSED | <int>WORD_IS_SIGN):
        return word.given
    if before_sign:
        return 0
    for t in range(1, net.signs.n_labels):
        if score[t] > score[best]:
            best = t
    if word.flags & <int>WORD_ENDS_TEXT != 0 and not net.signs.ends_sentence[best]:
        return best_end(net, at, score, best)
    if at.allowed[best]:
        return <uint8_t>best
    # Where a sentence ends, another mark that ends one does; a comma that may not be is none.
    return best_end(net, at, score, 0) if net.signs.ends_sentence[best] else 0


cdef inline uint8_t best_end(const MarksView* net, const Stream* at, const float* score,
                             int otherwise) noexcept nogil:
    """The best of the marks that may be and end a sentence; if there is none, another label."""
    cdef int t, best = 0
    for t in range(1, net.signs.n_labels):
        if net.signs.ends_sentence[t] and at.allowed[t] and (
                best == 0 or score[t] > score[best]):
            best = t
    if best:
        return <uint8_t>best
    return <uint8_t>otherwise if at.allowed[otherwise] else 0


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
            label_word(net, at, asked[k], score + k * <int>MAX_LABELS)
        last = first


cdef void label_word(const MarksView* net, Stream* at, int32_t i,
                     const float* score) noexcept nogil:
    """Choose what stands behind a word, and keep how likely it was."""
    cdef const MarkWord* word = at.words + i
    cdef float* share = at.probabilities + <size_t>i * MAX_LABELS
    at.labels[i] = choose(
        net, at, word, score,
        i + 1 < at.n_words and not word.flags & <int>WORD_ENDS_TEXT and is_sign(word + 1))
    if at.keeps_probabilities:
        memset(share, 0, MAX_LABELS * sizeof(float))
        if score == NULL or word.flags & <int>WORD_IS_CLOSED:
            share[word.given] = 1
        else:
            to_probabilities(score, net.signs.n_labels, share)


cdef int decide(const MarksView* net, Stream* at, int32_t n_decided) noexcept nogil:
    """Decide the first words and hand them on."""
    cdef int32_t i, left, n = net.forward.n_units, size = n + N_INPUTS
    cdef size_t space, gone
    cdef const MarkWord* word
    cdef uint8_t label
    cdef bint ends
    cdef int status = STATUS_OK
    if n_decided <= 0:
        return STATUS_OK
    look_ahead(net, at)
    look_back(net, at, n_decided)
    for i in range(n_decided):
        word = at.words + i
        label = at.labels[i]
        gone = (word + 1).start if i + 1 < at.n_words else at.parsed
        space = gone - word.end
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
        chosen = list(model.marks if marks is None else marks)
        for mark in chosen:
            if mark not in model.marks:
                raise ModelError(
                    f"the model puts no {mark!r}: its marks are {' '.join(model.marks)}")
        for label, mark in enumerate(model.marks, 1):
            self.at.allowed[label] = mark in chosen
        self.at.allowed[0] = 1
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

    def __reduce__(self):
        raise TypeError("a stream of words cannot be pickled")

    def feed(self, text not None):
        """Take the next piece; all words but the last ones are decided."""
        with self.one_thread:
            self._take(text, False)

    def finish(self):
        """Decide the rest: the text ends here. What comes next begins another one."""
        with self.one_thread:
            self._take(b"", True)

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
        float32 ndarray, shape (n_words, 1 + n_marks)
            1 for the mark that a word carries.
        """
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


def read_words(text not None, dict signs not None, bint turkic=False):
    """The words of a text, for training.

    Parameters
    ----------
    text : bytes-like
    signs : dict of str to int
        Labels of signs of one character that count as marks.
    turkic : bool
        How words are folded.

    Returns
    -------
    keys : uint64 ndarray
        Hashes of folded words.
    endings : uint32 ndarray
        Hashes of their last letters.
    labels : uint8 ndarray
        Of the strongest sign behind each, 0 if there is none.
    flags : uint8 ndarray
        See `FLAGS`.
    """
    # Another thread may change what is no bytes, and words that begin twice are more than fit.
    cdef const uint8_t[::1] view = text if type(text) is bytes else bytes(memoryview(text))
    cdef Signs held
    cdef MarkWord word
    cdef size_t n = view.shape[0], at = 0, count = 0
    cdef int n_lines
    cdef const uint8_t* p
    if len(signs) > <int>MAX_SIGNS:
        raise ValueError("too many signs")
    memset(&held, 0, sizeof(held))
    for sign, label in signs.items():
        held.sign[held.n_signs] = ord(sign)
        held.label[held.n_signs] = label
        held.n_signs += 1
    # A word has a byte, and white space behind it.
    keys = np.empty(n // 2 + 1, np.uint64)
    endings = np.empty(n // 2 + 1, np.uint32)
    labels = np.empty(n // 2 + 1, np.uint8)
    flags = np.empty(n // 2 + 1, np.uint8)
    cdef uint64_t[::1] key_view = keys
    cdef uint32_t[::1] ending_view = endings
    cdef uint8_t[::1] label_view = labels, flag_view = flags
    if n:
        with nogil:
            p = skip_space(&view[0], &view[0] + n, &n_lines)
            at = p - &view[0]
            while at < n:
                read_word(&held, turkic, &view[0], at, n, &word)
                n_lines = 0
                p = skip_space(&view[0] + word.end, &view[0] + n, &n_lines)
                at = p - &view[0]
                if n_lines or at == n:
                    word.flags |= WORD_ENDS_LINE
                check(count < <size_t>key_view.shape[0])
                key_view[count] = word.key
                ending_view[count] = word.ending
                label_view[count] = word.given
                flag_view[count] = word.flags
                count += 1
    return keys[:count], endings[:count], labels[:count], flags[:count]


def word_rows(const uint64_t[::1] keys, uint64_t n_rows):
    """Rows of words, by their keys: an int32 ndarray."""
    rows = np.empty(keys.shape[0], np.int32)
    cdef int32_t[::1] view = rows
    cdef Py_ssize_t i
    for i in range(keys.shape[0]):
        view[i] = <int32_t>word_row(keys[i], n_rows)
    return rows
