"""Punctuation of the words of a stream, in memory that does not grow with it.

A chunk of words is decided once some more words are read, as both sides of a gap count. Chunks
depend on the number of words only, not on the pieces that the text comes in.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memmove, memset

from truecase.base._memory cimport (
    STATUS_INVALID, STATUS_OK, STATUS_OUT_OF_MEMORY, Output, append_output
)
from truecase.kernels._punctuation_network cimport (
    MAX_LABELS, N_BYTES, WORD_ENDS_LINE, WORD_ENDS_TEXT, WORD_IS_CLOSED, WORD_IS_SIGN, MarkWord,
    Marks, MarksView, find_space, read_word, skip_space
)

from truecase.base.threads import OneThread
from truecase.errors import ModelError


__all__ = ["MarkStream"]

cdef enum:
    CHUNK = 512                  # words that are decided together
    AHEAD = 24                   # words read behind them first
    PART = 1 << 14               # bytes read together
    CUT = 3                      # most bytes of a character that the end of a piece cuts
    LONGEST_SENTENCE = 400       # words; a longer sentence is broken


cdef int emit_punctuation(const MarksView* net, Stream* at, int32_t n_decided) noexcept nogil:
    """Decide the first words, and move them to the output; a Status."""
    cdef int32_t i, left, n = net.forward.n_units, size = n + N_BYTES
    cdef size_t space, gone
    cdef const MarkWord* word
    cdef uint8_t label
    cdef int o
    cdef bint ends
    cdef int status = STATUS_OK
    if n_decided <= 0:
        return STATUS_OK
    run_forward_pass(net, at)
    run_backward_pass(net, at, n_decided)
    for i in range(n_decided):
        word = at.words + i
        o = at.labels[i] // net.signs.n_closings
        label = <uint8_t>(at.labels[i] - o * net.signs.n_closings)
        gone = (word + 1).start if i + 1 < at.n_words else at.parsed
        space = gone - word.end
        if at.opening and not word.opening and not is_sign(word):
            status |= append_output(&at.marked, net.signs.opening_mark[at.opening],
                                    net.signs.opening_size[at.opening])
        at.opening = <uint8_t>o
        at.is_within = not word.flags & <int>WORD_ENDS_TEXT
        status |= append_output(&at.marked, at.text.bytes + word.start, word.end - word.start)
        if label and not word.flags & (<int>WORD_IS_CLOSED | <int>WORD_IS_SIGN) and not (
                label == word.given and is_open(net, word)):
            status |= append_output(&at.marked, net.signs.mark[label], net.signs.mark_size[label])
        at.in_sentence += 1
        ends = (net.signs.ends_sentence[label] or word.flags & <int>WORD_ENDS_TEXT
                or at.in_sentence >= LONGEST_SENTENCE)
        status |= append_output(&at.marked, b"\n" if ends else b" ", 1)
        if ends:
            at.in_sentence = 0
            if word.flags & <int>WORD_ENDS_TEXT and word.flags & <int>WORD_ENDS_LINE:
                status |= append_output(&at.marked, b"\n", 1)
            at.whole = at.marked.size
        status |= append_output(&at.spaces, at.text.bytes + word.end, space)
        status |= append_output(&at.space_sizes, &space, sizeof(space))
        if at.keeps_probabilities:
            status |= append_output(&at.posteriors, at.probabilities + <size_t>i * MAX_LABELS,
                                    MAX_LABELS * sizeof(float))
    if status != STATUS_OK:
        return STATUS_OUT_OF_MEMORY
    gone = at.words[n_decided].start if n_decided < at.n_words else at.parsed
    drop(&at.text, gone)
    at.parsed -= gone
    left = at.n_words - n_decided
    memmove(at.words, at.words + n_decided, left * sizeof(MarkWord))
    memmove(at.rows, at.rows + <size_t>n_decided * size, <size_t>left * size)
    for i in range(left):
        at.words[i].start -= gone
        at.words[i].end -= gone
    at.n_words = left
    at.n_forward -= n_decided
    return STATUS_OK


cdef bint read_coming(const MarksView* net, Stream* at, bint is_last) noexcept nogil:
    """Read the next word and the white space behind it, if both are whole.

    Searches no byte twice for their ends, as either may be longer than all pieces.
    """
    cdef size_t n = at.text.size
    cdef const uint8_t* end = at.text.bytes + n
    cdef const uint8_t* p
    if not at.has_coming:
        if (is_last or at.searched <= at.parsed
                or find_space(at.text.bytes + at.searched, end) < end):
            read_word(&net.signs, net.turkic, at.text.bytes, at.parsed, n, &at.coming)
            at.has_coming = is_last or at.coming.end < n
        if not at.has_coming:
            at.searched = max(at.parsed + <int>CUT, n) - <int>CUT
            return False
        at.searched = at.coming.end
        at.n_lines = 0
    p = skip_space(at.text.bytes + at.searched, end, &at.n_lines)
    at.searched = p - at.text.bytes
    return is_last or end - p > CUT


cdef int parse(const MarksView* net, Stream* at, bint is_last) noexcept nogil:
    """Read all whole words: those with another word or the end behind them; a Status."""
    cdef int status
    while at.parsed < at.text.size:
        if not read_coming(net, at, is_last):
            return STATUS_OK
        at.has_coming = False
        if at.n_lines:
            at.coming.flags |= WORD_ENDS_LINE
        if at.searched == at.text.size:
            at.coming.flags |= WORD_ENDS_TEXT
            at.coming.flags &= <uint8_t>~<int>WORD_ENDS_LINE
        elif at.n_lines > 1:
            at.coming.flags |= WORD_ENDS_TEXT
        at.parsed = at.searched
        at.searched = 0
        status = buffer_word(net, at)
        if status != STATUS_OK:
            return status
        if at.coming.flags & <int>WORD_ENDS_TEXT:
            status = emit_punctuation(net, at, at.n_words)
        elif at.n_words >= at.chunk + at.ahead:
            status = emit_punctuation(net, at, at.chunk)
        if status != STATUS_OK:
            return status
    return STATUS_OK


cdef int read_part(const MarksView* net, Stream* at, bint is_last) noexcept nogil:
    """Read the words of text that was appended; a Status."""
    cdef const uint8_t* p
    cdef size_t n
    cdef int n_lines = 0
    if at.n_words == 0 and at.parsed == 0 and at.text.size:
        # White space before the first word belongs to no word. A cut character is not white space.
        p = skip_space(at.text.bytes, at.text.bytes + at.text.size, &n_lines)
        n = p - at.text.bytes
        if append_output(&at.lead, at.text.bytes, n) != STATUS_OK:
            return STATUS_OUT_OF_MEMORY
        drop(&at.text, n)
    return parse(net, at, is_last)


cdef class MarkStream:
    """Puts marks between the words of a stream, which comes in pieces of any size.

    Parameters
    ----------
    model : Marks
    marks : iterable of str, optional
        The marks of the model to use; by default all.
    latency : int, optional
        Words to wait for behind each word. By default 512 words are decided together, once 24 more
        have come.
    probabilities : bool
        Keep them for `take_probabilities`.

    Raises
    ------
    ModelError
        The model has no such mark.
    ValueError
        The latency is not from 0 to 10,000.
    """

    cdef Marks model
    cdef Stream at
    cdef object one_thread       # the output depends on the order of the words

    def __cinit__(self, Marks model not None, marks=None, latency=None, probabilities=False):
        cdef int label
        self.model = model
        self.one_thread = OneThread("stream of words")
        memset(&self.at, 0, sizeof(self.at))
        reset_state(&self.at)
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
        free(self.at.posteriors.bytes)
        free(self.at.pauses.bytes)

    def __reduce__(self):
        raise TypeError("a stream of words cannot be pickled")

    def feed(self, text not None, pauses=None):
        """Take the next piece; all words but the last ones are decided.

        Parameters
        ----------
        text : bytes-like
        pauses : float32 buffer, optional
            Seconds between each word of the piece and the next, negative if unknown. The piece
            must then consist of whole words.
        """
        cdef const float[::1] seconds
        cdef size_t size
        with self.one_thread:
            if pauses is not None:
                seconds = pauses
                size = seconds.shape[0] * sizeof(float)
                if size and append_output(&self.at.pauses, &seconds[0], size) != STATUS_OK:
                    raise MemoryError("no memory for the pauses of a stream")
            self._take(text, False)

    def finish(self):
        """Decide the rest of the text. Further pieces begin another text."""
        with self.one_thread:
            self._take(b"", True)
            self.at.pauses.size = self.at.pauses_taken = 0

    def take_sentences(self):
        """Return whole decided sentences with their marks, one per line.

        An empty line stands for one or more empty lines of the text.
        """
        with self.one_thread:
            return self._marked()

    def take_words(self):
        """Return the same, and the decided words of an unfinished sentence."""
        with self.one_thread:
            self.at.whole = self.at.marked.size
            return self._marked()

    def lay_out(self, sentences not None):
        """Put the white space of the input between words.

        Parameters
        ----------
        sentences : bytes-like
            From `take_sentences`, or the same words in another case.

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
                status = append_output(&out, self.at.lead.bytes, self.at.lead.size)
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
        """Return the probabilities of labels for the words decided since the last call.

        Returns
        -------
        float32 ndarray, shape (n_words, n_pairs)
            For each of the model's `pairs`; 1 for the mark that a word already has.
        """
        # Importing it takes longer than a page of text.
        import numpy as np

        cdef float[:, ::1] view
        with self.one_thread:
            taken = np.empty((self.at.posteriors.size // (MAX_LABELS * sizeof(float)), MAX_LABELS),
                             np.float32)
            view = taken
            if self.at.posteriors.size:
                memcpy(&view[0, 0], self.at.posteriors.bytes, self.at.posteriors.size)
            self.at.posteriors.size = 0
        return taken[:, :self.model.view.signs.n_labels]

    @property
    def undecided(self):
        """The input that is not decided yet."""
        with self.one_thread:
            return self._undecided()

    cdef bytes _undecided(self):
        return (<const char*>self.at.text.bytes)[:self.at.text.size] if self.at.text.size else b""

    @property
    def pending(self):
        """Decided words of an unfinished sentence, and the input that is not decided yet."""
        cdef bytes decided = b""
        with self.one_thread:
            if self.at.marked.size > self.at.whole:
                decided = (<const char*>self.at.marked.bytes)[self.at.whole:self.at.marked.size]
            return decided + self._undecided()

    cdef bytes _marked(self):
        cdef bytes taken = (<const char*>self.at.marked.bytes)[:self.at.whole]
        drop(&self.at.marked, self.at.whole)
        self.at.whole = 0
        return taken

    cdef int _take(self, text, bint is_last) except -1:
        cdef const uint8_t[::1] view = text
        cdef size_t n = view.shape[0], done = 0, part
        cdef int status = STATUS_OK
        with nogil:
            # Part by part, as decided words make room.
            while status == STATUS_OK and (done < n or is_last):
                part = min(n - done, <size_t>PART)
                status = append_output(&self.at.text, &view[0] + done if part else NULL, part)
                done += part
                if status == STATUS_OK:
                    status = read_part(&self.model.view, &self.at, is_last)
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
            status |= append_output(out, start, p - start)
            status |= append_output(out, at.spaces.bytes + at.spaces_taken, space)
            at.spaces_taken += space
        p += 1
    drop(&at.spaces, at.spaces_taken)
    drop(&at.space_sizes, at.sizes_taken)
    at.spaces_taken = 0
    at.sizes_taken = 0
    return STATUS_OK if status == STATUS_OK else STATUS_OUT_OF_MEMORY
