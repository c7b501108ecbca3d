"""Punctuation of the words of a stream, in memory that does not grow with it.

A chunk of words is decided once some more words are read, as both sides of a gap count. Chunks
depend on the number of words only, not on the pieces that the text comes in. The state of the
forward direction is carried on from word to word; the backward direction runs over all words read
each time.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int16_t, int32_t, uint16_t, uint64_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memmove, memset

from truecase.base._check cimport check, prefetch_bytes
from truecase.base._memory cimport (
    STATUS_INVALID, STATUS_OK, STATUS_OUT_OF_MEMORY, Output, append_output, grow
)
from truecase.kernels._kept_sums cimport (
    MOST_KEPT_WORDS, WORDS_TOGETHER, NewWords, add_new_word, find_sums, free_sums, keep_sums,
    meet_word, reserve_sums, sums_at
)
from truecase.kernels._maps cimport pair_key, prefetch_row
from truecase.kernels._mark_choice cimport (
    ASKING, ASKS, AUXILIARY, CLAUSES, DENIES, ECHOES, ENDS, JOINS, MAX_RULE_WORDS, NUMBERS,
    OPEN, PART, QUESTIONS, SAYS, SPEECH, STARTS, SUBJECTS, TAGS, WITHIN, YEARS, Choice, Rules,
    Stream, add_pause, choose_labels, is_sign, judge_word
)
from truecase.kernels._punctuation_network cimport (
    HASHED_BYTES, MAX_LABELS, N_INPUTS, N_JOINED, N_KEPT, WORD_ENDS_LINE, WORD_ENDS_TEXT,
    WORD_HAS_STOP, WORD_IS_CLOSED, WORD_IS_SIGN, WORD_STOPS, WORD_TRAILS, Gaps, MarkWord, Marks,
    MarksView, Signs, add_gap, fill_given, fill_kept, fill_rest, find_space, n_sums, read_word,
    score_gaps, skip_space, sums_key, word_key
)
from truecase.kernels._recurrent cimport MAX_STATE, next_state, start_bytes, sum_rest
from truecase.kernels._unicode cimport find_byte

from collections import Counter

from truecase.base.threads import OneThread
from truecase.errors import ModelError


cdef enum:
    CHUNK = 512                  # words that are decided together
    AHEAD = 24                   # words read behind them first
    READ_TOGETHER = 1 << 14      # bytes
    CUT = 3                      # most bytes of a character that the end of a piece cuts
    LONGEST_SENTENCE = 400       # words; a longer sentence is broken
    MAX_PART = 7                 # bytes
    FEW_KEPT_WORDS = 64          # in short texts, and in a session, which buffers few words


_LISTS = {
    "joins": JOINS, "open": OPEN, "echoes": ECHOES, "auxiliary": AUXILIARY, "speech": SPEECH,
    "questions": QUESTIONS, "subjects": SUBJECTS, "clauses": CLAUSES, "starts": STARTS,
    "asking": ASKING, "numbers": NUMBERS, "years": YEARS, "denies": DENIES, "tags": TAGS,
    "says": SAYS,
}


cdef inline void drop(Output* out, size_t n) noexcept nogil:
    """Remove the first n bytes."""
    check(n <= out.size)
    if n:
        memmove(out.bytes, out.bytes + n, out.size - n)
    out.size -= n


cdef inline uint64_t place_of(const uint64_t* keys, uint64_t n, uint64_t key) noexcept nogil:
    """Find a key among ascending ones; n if it is not there."""
    cdef uint64_t low = 0, high = n, middle
    while low < high:
        middle = (low + high) >> 1
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low if low < n and keys[low] == key else n


cdef inline uint16_t row_of(const Rules* rules, uint64_t key) noexcept nogil:
    # The first two rows of gains are those of words without rules.
    cdef uint64_t place = place_of(rules.keys, rules.n, key)
    return <uint16_t>(2 * place + 2) if place < rules.n else 0


cdef inline bint is_abbreviation(const MarksView* net, uint64_t key) noexcept nogil:
    return place_of(net.abbreviations, net.n_abbreviations, key) < net.n_abbreviations


cdef inline bint is_open(const MarksView* net, const MarkWord* word) noexcept nogil:
    """Whether the sign behind a word may or may not end the sentence: Mr. and three dots."""
    return (word.flags & (WORD_HAS_STOP | WORD_TRAILS) != 0
            or (word.flags & WORD_STOPS != 0 and is_abbreviation(net, word.key)))


cdef inline int buffer_word(const MarksView* net, Stream* at) noexcept nogil:
    """Append the coming word to the undecided ones; a Status."""
    cdef int32_t size = row_size(net)
    cdef size_t wanted
    cdef MarkWord* word
    cdef bint is_speech
    if at.n_words == at.capacity:
        wanted = 2 * <size_t>at.capacity + 64
        if (grow(<void**>&at.words, wanted, sizeof(MarkWord)) != STATUS_OK
                or grow(<void**>&at.rows, wanted, size) != STATUS_OK
                or grow(<void**>&at.choices, wanted, sizeof(Choice)) != STATUS_OK
                or grow(<void**>&at.probabilities, wanted, MAX_LABELS * sizeof(float)) != STATUS_OK
                or reserve_sums(&at.kept, MOST_KEPT_WORDS if at.capacity else FEW_KEPT_WORDS,
                                n_sums(net)) != STATUS_OK):
            return STATUS_OUT_OF_MEMORY
        at.capacity = <int32_t>wanted
    word = at.words + at.n_words
    word[0] = at.coming
    # That behind the head of a word comes first.
    for _ in range(2 if word.n_head else 1):
        if at.pauses_taken < at.pauses.size:
            memcpy(&word.pause, at.pauses.bytes + at.pauses_taken, sizeof(float))
            at.pauses_taken += sizeof(float)
            if at.pauses_taken == at.pauses.size:
                at.pauses_taken = at.pauses.size = 0
    at.n_words += 1
    if not is_sign(word):
        if is_open(net, word):
            word.flags &= <uint8_t>~WORD_IS_CLOSED
        word.before = at.before
        word.rule = row_of(&at.rules, word.key)
        is_speech = at.rules.kinds[word.rule >> 1] & SPEECH != 0
        if at.before == 0:
            at.speech = -at.rules.nats.speech_start
        # A mean in which the last 256 words count most.
        at.speech += (is_speech - <double>at.rules.nats.speech_share - at.speech) / 256
        word.rule += at.speech >= 0
        prefetch_row(&net.pairs, pair_key(word.before, word.key))
        if not meet_word(&at.kept, sums_key(word), &word.place):
            prefetch_row(&net.words, word_key(word))
        at.before = word.key
    if word.flags & WORD_ENDS_TEXT:
        at.before = 0
    return STATUS_OK


cdef inline void reset_state(Stream* at) noexcept nogil:
    """Forget the words before."""
    memset(at.state, 0, sizeof(at.state))
    start_bytes(at.state_bytes, MAX_STATE)


cdef inline int32_t row_size(const MarksView* net) noexcept nogil:
    """Bytes of a word: its forward state, then its inputs."""
    return net.units[0].n_units + N_INPUTS


cdef inline uint8_t* inputs_at(const MarksView* net, const Stream* at, int32_t i) noexcept nogil:
    return at.rows + <size_t>i * row_size(net) + net.units[0].n_units


cdef struct Words:               # of a stream, read together
    int n                        # at most WORDS_TOGETHER
    int32_t at[WORDS_TOGETHER]
    # Of each: the sums of the inputs that are not kept, in `rounded`, or nothing.
    const int16_t* of_rest[WORDS_TOGETHER]
    int16_t rounded[WORDS_TOGETHER][3 * MAX_STATE]
    int16_t nothing[3 * MAX_STATE]


cdef inline void begin_word(const MarksView* net, Stream* at, int32_t i,
                            NewWords* words) noexcept nogil:
    """Append a word, whose sums will be kept."""
    cdef uint8_t* inputs = inputs_at(net, at, i)
    fill_kept(net, at.words + i, inputs)
    add_new_word(&at.kept, sums_key(at.words + i), inputs, &at.words[i].place, words)


cdef inline const int16_t* sums_of(const MarksView* net, Stream* at, int32_t i) noexcept nogil:
    """A word's sums, computed again if another word has taken their place."""
    cdef NewWords words
    if not find_sums(&at.kept, sums_key(at.words + i), &at.words[i].place):
        words.n = 0
        begin_word(net, at, i, &words)
        keep_sums(net.units, net.joined_kept, 2, &words, &at.kept)
    return sums_at(&at.kept, at.words[i].place)


cdef inline void begin_direction(const MarksView* net, const Stream* at, int direction,
                                 Words* words) noexcept nogil:
    """Compute the sums of the words' inputs that are not kept; prefetch the others."""
    cdef int16_t* into[WORDS_TOGETHER]
    cdef const uint8_t* rest[WORDS_TOGETHER]
    cdef int k, n = 0, size = 3 * net.units[0].n_units
    memset(words.nothing, 0, sizeof(words.nothing))
    for k in range(words.n):
        # Backward, those of the units joined are read, too.
        prefetch_bytes(
            sums_at(&at.kept, at.words[words.at[k]].place) + direction * size,
            (size + direction * 2 * N_JOINED) * sizeof(int16_t))
        words.of_rest[k] = words.nothing
        if at.words[words.at[k]].has_rest:
            rest[n] = inputs_at(net, at, words.at[k]) + N_KEPT
            words.of_rest[k] = into[n] = words.rounded[n]
            n += 1
    sum_rest(&net.units[direction], rest, n, into)


cdef inline void run_forward_pass(const MarksView* net, Stream* at) noexcept nogil:
    """Compute the forward states of all words that have none."""
    cdef Words words
    cdef NewWords new
    cdef int32_t n = net.units[0].n_units, first, last, i, k
    cdef MarkWord* word
    first = at.n_forward
    while first < at.n_words:
        words.n = new.n = 0
        last = first
        while last < at.n_words and words.n < WORDS_TOGETHER:
            word = at.words + last
            if not is_sign(word):
                fill_rest(net, word, inputs_at(net, at, last))
                words.at[words.n] = last
                words.n += 1
                if not find_sums(&at.kept, sums_key(word), &word.place):
                    begin_word(net, at, last, &new)
            last += 1
        keep_sums(net.units, net.joined_kept, 2, &new, &at.kept)
        begin_direction(net, at, 0, &words)
        k = 0
        for i in range(first, last):
            if not is_sign(at.words + i):
                next_state(&net.units[0], sums_of(net, at, i), words.of_rest[k], at.state,
                           at.state_bytes)
                k += 1
            memcpy(inputs_at(net, at, i) - n, at.state_bytes, n)
            if at.words[i].flags & WORD_ENDS_TEXT:
                reset_state(at)
        first = last
    at.n_forward = at.n_words


cdef inline int first_end(const Signs* signs) noexcept nogil:
    """The first mark that ends a sentence, or 0."""
    cdef int c
    for c in range(1, signs.n_closings):
        if signs.ends_sentence[c]:
            return c
    return 0


cdef inline uint8_t first_opening(const MarksView* net, const Stream* at, const uint8_t* nothing,
                                  const uint8_t* state, const int16_t* of_next) noexcept nogil:
    """Choose the mark before a text's first word, as if a sentence ended there.

    Of the first word: the state, and the kept sums of the units joined.
    """
    cdef Gaps gap
    cdef float score[MAX_LABELS]
    cdef const float* behind_end = score
    cdef int16_t no_word[N_JOINED]
    cdef uint8_t before[N_INPUTS]
    cdef int o, best = 0, n_closings = net.signs.n_closings, end = first_end(&net.signs)
    start_bytes(before, N_INPUTS)
    fill_given(<uint8_t>end, before)
    memset(no_word, 0, sizeof(no_word))
    gap.n = 0
    gap.read[0][0], gap.read[1][0] = nothing, state
    gap.read[2][0], gap.read[3][0] = before + N_KEPT, inputs_at(net, at, 0) + N_KEPT
    add_gap(net, &gap, no_word, of_next)
    score_gaps(net, &gap, score)
    behind_end += end
    for o in range(1, net.signs.n_openings):
        if at.allowed_opening[o] and behind_end[o * n_closings] > behind_end[best * n_closings]:
            best = o
    return <uint8_t>best


cdef inline void run_backward_pass(const MarksView* net, Stream* at,
                                   int32_t n_decided) noexcept nogil:
    """Score the labels of the first words, from all words read."""
    cdef Words words
    cdef Gaps gaps
    cdef int32_t asked[WORDS_TOGETHER]
    cdef float score[WORDS_TOGETHER * MAX_LABELS]
    cdef int16_t state[MAX_STATE]
    cdef uint8_t in_bytes[MAX_STATE]
    # Zeros of a state or of inputs; then the state behind each word.
    cdef uint8_t nothing[MAX_STATE]
    cdef uint8_t behind[WORDS_TOGETHER][MAX_STATE]
    # Of the next word: the rest of its inputs, and its kept sums of the units joined.
    cdef const uint8_t* next_rest = nothing
    cdef int16_t of_next[N_JOINED]
    cdef const int16_t* kept
    cdef int32_t i, k, first, last = at.n_words, n = net.units[0].n_units
    if not at.is_within:
        at.opening = 0
    check(N_INPUTS <= MAX_STATE)
    memset(state, 0, sizeof(state))
    memset(of_next, 0, sizeof(of_next))
    start_bytes(in_bytes, MAX_STATE)
    start_bytes(nothing, MAX_STATE)
    while last > 0:
        words.n = 0
        first = last
        while first > 0 and words.n < WORDS_TOGETHER:
            first -= 1
            if not is_sign(at.words + first):
                words.at[words.n] = first
                words.n += 1
        begin_direction(net, at, 1, &words)
        k = 0
        gaps.n = 0
        for i in range(last - 1, first - 1, -1):
            if at.words[i].flags & WORD_ENDS_TEXT:
                memset(state, 0, sizeof(state))
                memset(of_next, 0, sizeof(of_next))
                start_bytes(in_bytes, MAX_STATE)
                next_rest = nothing
            if is_sign(at.words + i):
                if i < n_decided:
                    judge_word(net, at, i, NULL)
                continue
            kept = sums_of(net, at, i)
            if i < n_decided:
                memcpy(behind[gaps.n], in_bytes, n)
                gaps.read[0][gaps.n] = inputs_at(net, at, i) - n
                gaps.read[1][gaps.n] = behind[gaps.n]
                gaps.read[2][gaps.n] = inputs_at(net, at, i) + N_KEPT
                gaps.read[3][gaps.n] = next_rest
                asked[gaps.n] = i
                add_gap(net, &gaps, kept + 6 * n, of_next)
            next_state(&net.units[1], kept + 3 * n, words.of_rest[k], state, in_bytes)
            memcpy(of_next, kept + 6 * n + N_JOINED, sizeof(of_next))
            next_rest = inputs_at(net, at, i) + N_KEPT
            k += 1
        score_gaps(net, &gaps, score)
        for k in range(gaps.n):
            add_pause(net, at.words[asked[k]].pause, score + k * MAX_LABELS)
            judge_word(net, at, asked[k], score + k * MAX_LABELS)
        last = first
    if net.signs.n_openings > 1 and not at.is_within and not is_sign(at.words):
        at.opening = first_opening(net, at, nothing, in_bytes, of_next)


cdef int emit_punctuation(const MarksView* net, Stream* at, int32_t n_decided) noexcept nogil:
    """Decide the first words, and move them to the output; a Status."""
    cdef int32_t i, left, size = row_size(net)
    cdef size_t gone
    cdef const MarkWord* word
    cdef uint8_t label
    cdef int o
    cdef bint ends
    cdef int status = STATUS_OK
    cdef float of_head[MAX_LABELS]
    if n_decided <= 0:
        return STATUS_OK
    memset(of_head, 0, sizeof(of_head))
    of_head[0] = 1
    run_forward_pass(net, at)
    run_backward_pass(net, at, n_decided)
    choose_labels(at, n_decided)
    for i in range(n_decided):
        word = at.words + i
        o = at.choices[i].chosen // net.signs.n_closings
        label = <uint8_t>(at.choices[i].chosen - o * net.signs.n_closings)
        gone = (word + 1).start if i + 1 < at.n_words else at.parsed
        if at.opening and not word.opening and not is_sign(word):
            status |= append_output(&at.marked, net.signs.opening_mark[at.opening],
                                    net.signs.opening_size[at.opening])
        at.opening = <uint8_t>o
        at.is_within = not word.flags & WORD_ENDS_TEXT
        status |= append_output(&at.marked, at.text.bytes + word.start, word.end - word.start)
        if label and not word.flags & (WORD_IS_CLOSED | WORD_IS_SIGN) and not (
                label == word.given and is_open(net, word)):
            status |= append_output(&at.marked, net.signs.mark[label], net.signs.mark_size[label])
        at.in_sentence += 1
        ends = (net.signs.ends_sentence[label] or word.flags & WORD_ENDS_TEXT
                or at.in_sentence >= LONGEST_SENTENCE)
        status |= append_output(&at.marked, b"\n" if ends else b" ", 1)
        if ends:
            at.in_sentence = 0
            if word.flags & WORD_ENDS_TEXT and word.flags & WORD_ENDS_LINE:
                status |= append_output(&at.marked, b"\n", 1)
        if word.n_head:
            status |= append_output(&at.spaces, b" \0", 2)
        status |= append_output(&at.spaces, at.text.bytes + word.end, gone - word.end)
        status |= append_output(&at.spaces, b"\0", 1)
        if ends:
            at.whole, at.whole_spaces = at.marked.size, at.spaces.size
        if at.keeps_probabilities:
            if word.n_head:
                status |= append_output(&at.posteriors, of_head, sizeof(of_head))
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


cdef inline int part_size(const Rules* rules, const uint8_t* p, const uint8_t* end,
                          bint is_last) noexcept nogil:
    """Bytes of the part of a word that stands at p; 0 without one, -1 if more bytes decide."""
    cdef uint64_t key = 0
    cdef int size = 0
    if p == end or not rules.begins_part[p[0]]:
        return 0
    while p + size < end and p[size] > 0x20 and size <= MAX_PART:
        key = key << 8 | p[size] | 0x20
        size += 1
    if p + size == end and size <= MAX_PART and not is_last:
        return -1
    return size if rules.kinds[row_of(rules, key) >> 1] & PART else 0


cdef inline bint join_part(const MarksView* net, Stream* at, int size) noexcept nogil:
    """Read the coming word again, with the part of this size behind it and a blank."""
    cdef uint8_t joined[HASHED_BYTES + MAX_PART]
    cdef size_t start = at.coming.start, end = at.coming.end, n_head = end - start
    if at.coming.flags & (WORD_IS_CLOSED | WORD_IS_SIGN) or n_head > <size_t>HASHED_BYTES:
        return False
    memcpy(joined, at.text.bytes + start, n_head)
    memcpy(joined + n_head, at.text.bytes + end + 1, size)
    read_word(&net.signs, net.turkic, joined, 0, n_head + size, &at.coming)
    at.coming.start, at.coming.end = start, end + 1 + size
    at.coming.n_head = <uint8_t>n_head
    return True


cdef bint read_coming(const MarksView* net, Stream* at, bint is_last) noexcept nogil:
    """Read the next word and the white space behind it, if both are whole.

    Searches no byte twice for their ends, as either may be longer than all pieces.
    """
    cdef int size
    cdef size_t n = at.text.size
    cdef const uint8_t* end = at.text.bytes + n
    cdef const uint8_t* p
    if not at.has_coming:
        if (is_last or at.searched <= at.parsed
                or find_space(at.text.bytes + at.searched, end) < end):
            read_word(&net.signs, net.turkic, at.text.bytes, at.parsed, n, &at.coming)
            at.has_coming = is_last or at.coming.end < n
        if not at.has_coming:
            at.searched = max(at.parsed + CUT, n) - CUT
            return False
        at.searched = at.coming.end
        at.n_lines = 0
    while True:
        p = skip_space(at.text.bytes + at.searched, end, &at.n_lines)
        at.searched = p - at.text.bytes
        if not is_last and end - p <= CUT:
            return False
        if (at.coming.n_head or at.searched != at.coming.end + 1
                or at.text.bytes[at.coming.end] != 0x20):
            return True
        size = part_size(&at.rules, p, end, is_last)
        if size <= 0 or not join_part(net, at, size):
            return size >= 0
        at.searched = at.coming.end


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
            at.coming.flags &= <uint8_t>~WORD_ENDS_LINE
        elif at.n_lines > 1:
            at.coming.flags |= WORD_ENDS_TEXT
        at.parsed = at.searched
        at.searched = 0
        status = buffer_word(net, at)
        if status != STATUS_OK:
            return status
        if at.coming.flags & WORD_ENDS_TEXT:
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


cdef bytes bytes_from(const Output* out, size_t start):
    """The bytes of an output from an index on."""
    return (<const char*>out.bytes)[start:out.size] if out.size > start else b""


cdef uint64_t key_of(Marks model, one) except? 0:
    cdef MarkWord word
    cdef const uint8_t[::1] view = one.encode()
    read_word(&model.view.signs, model.view.turkic, &view[0], 0, view.shape[0], &word)
    return word.key


cdef class _ReadRules:
    """The rules of a language, with the keys that a model's words have."""

    cdef Rules held
    cdef object rules

    def __cinit__(self, Marks model not None, rules):
        cdef Rules* held = &self.held
        self.rules = rules
        kinds, gains = Counter(), []
        for name, kind in _LISTS.items():
            for one in rules.get(name, "").split():
                kinds[key_of(model, one)] |= kind
        for name, begin in (("gains", 0), ("gains_in_speech", 1)):
            for line in rules.get(name, "").splitlines():
                place, mark, amount, *words = line.split()
                # Classes of marks are in this order.
                at = place == "before", "_,.?".index(mark), float(amount)
                gains += [(key_of(model, one), begin, *at) for one in words]
        for part in rules.get("parts", "").split():
            written = part.encode()
            held.begins_part[written[0]] = held.begins_part[written[0] & 0xdf] = 1
            kinds[int.from_bytes([byte | 0x20 for byte in written], "big")] = PART
        for key in sorted({*kinds, *[gain[0] for gain in gains]})[:MAX_RULE_WORDS]:
            held.keys[held.n], held.kinds[held.n + 1] = key, kinds[key]
            held.n += 1
        for key, begin, place, mark, amount in gains:
            for is_speech in range(begin, 2):
                held.gains[row_of(held, key) + <int>is_speech][place][mark] += amount
        # An amount that is missing is 0.
        held.nats = Counter(rules)


cdef _ReadRules read_rules(Marks model, rules):
    """Read the rules of a language; a model keeps those read last, as short texts come by many."""
    cdef _ReadRules found = model.last_rules
    if found is None or found.rules is not rules:
        found = _ReadRules(model, rules)
        model.last_rules = found
    return found


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
    rules : dict, optional
        The section ``marks`` of the rules of a language.

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

    def __cinit__(self, Marks model not None, marks=None, latency=None, probabilities=False,
                  rules=None):
        cdef int label
        self.model = model
        self.one_thread = OneThread("stream of words")
        reset_state(&self.at)
        known = (*model.marks, *model.openings)
        chosen = list(known if marks is None else marks)
        for mark in chosen:
            if mark not in known:
                raise ModelError(f"the model puts no {mark!r}: its marks are {' '.join(known)}")
        self.at.allowed_opening[0] = 1
        ends = [mark for mark in chosen if mark in model.settings["ends"]]
        for label, mark in enumerate(model.marks, 1):
            is_end = mark in model.settings["ends"]
            self.at.classes[label] = WITHIN if not is_end else ASKS if mark == "?" else ENDS
            # Another end, and no mark for a comma.
            other = 1 + model.marks.index(ends[0]) if is_end and ends else 0
            self.at.instead[label] = label if mark in chosen else other
        for label, mark in enumerate(model.openings, 1):
            self.at.allowed_opening[label] = mark in chosen
        self.at.chunk, self.at.ahead = CHUNK, AHEAD
        if latency is not None:
            if not 0 <= latency <= 10_000:
                raise ValueError(f"latency {latency}: expected 0 to 10,000 words")
            self.at.chunk, self.at.ahead = 1, latency
        self.at.keeps_probabilities = probabilities
        if rules:
            self.at.rules = read_rules(model, rules).held
        if "?" not in chosen:
            self.at.rules.nats.question = 0

    def __dealloc__(self):
        free(self.at.text.bytes)
        free(self.at.words)
        free(self.at.rows)
        free_sums(&self.at.kept)
        free(self.at.choices)
        free(self.at.probabilities)
        free(self.at.lead.bytes)
        free(self.at.marked.bytes)
        free(self.at.spaces.bytes)
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
            self.at.whole, self.at.whole_spaces = self.at.marked.size, self.at.spaces.size
            return self._marked()

    def take_spaces(self):
        """Return the white space of the input, for `lay_out`, around the words taken last."""
        cdef bytes spaces
        with self.one_thread:
            spaces = bytes_from(&self.at.lead, 0) + b"\0" + (
                <const char*>self.at.spaces.bytes)[:self.at.whole_spaces]
            self.at.lead.size = 0
            drop(&self.at.spaces, self.at.whole_spaces)
            self.at.whole_spaces = 0
        return spaces

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
    def pending(self):
        """Decided words of an unfinished sentence, and the input that is not decided yet."""
        with self.one_thread:
            return bytes_from(&self.at.marked, self.at.whole) + bytes_from(&self.at.text, 0)

    cdef bytes _marked(self):
        cdef bytes marked = (<const char*>self.at.marked.bytes)[:self.at.whole]
        drop(&self.at.marked, self.at.whole)
        self.at.whole = 0
        return marked

    cdef int _take(self, text, bint is_last) except -1:
        cdef const uint8_t[::1] view = text
        cdef size_t n = view.shape[0], done = 0, part
        cdef int status = STATUS_OK
        with nogil:
            # Part by part, as decided words make room.
            while status == STATUS_OK and (done < n or is_last):
                part = min(n - done, <size_t>READ_TOGETHER)
                status = append_output(&self.at.text, &view[0] + done if part else NULL, part)
                done += part
                status = status or read_part(&self.model.view, &self.at, is_last)
                if is_last:
                    break
        if status != STATUS_OK:
            raise MemoryError("no memory for the words of a stream")
        return 0


def lay_out(bytes sentences not None, bytes spaces not None):
    """Put the white space of the input between words; several threads may do so.

    Parameters
    ----------
    sentences : bytes
        From `MarkStream.take_sentences`, or the same words in another case.
    spaces : bytes
        From `MarkStream.take_spaces`.

    Raises
    ------
    ValueError
        There are more or fewer words than were taken.
    """
    cdef Output out
    cdef const uint8_t* words = sentences
    cdef const uint8_t* between = spaces
    cdef size_t n_words = len(sentences), n_between = len(spaces)
    cdef int status
    memset(&out, 0, sizeof(out))
    try:
        with nogil:
            status = lay_words(words, n_words, between, n_between, &out)
        if status == STATUS_OUT_OF_MEMORY:
            raise MemoryError("no memory for the words of a stream")
        if status != STATUS_OK:
            raise ValueError("there are more or fewer words than were taken of the stream")
        return bytes_from(&out, 0)
    finally:
        free(out.bytes)


cdef int lay_words(const uint8_t* words, size_t n_words, const uint8_t* spaces, size_t n_spaces,
                   Output* out) noexcept nogil:
    """Write each word behind the white space in front of it, and the rest; a Status."""
    cdef size_t start, at = 0, taken = 0, space_end
    while taken < n_spaces:
        space_end = find_byte(spaces, taken, n_spaces, 0)
        if append_output(out, spaces + taken, space_end - taken) != STATUS_OK:
            return STATUS_OUT_OF_MEMORY
        taken = space_end + 1
        while at < n_words and (words[at] == 0x20 or words[at] == 0x0a):
            at += 1
        start = at
        while at < n_words and words[at] != 0x20 and words[at] != 0x0a:
            at += 1
        if (start < at) != (taken < n_spaces):
            return STATUS_INVALID
        if append_output(out, words + start, at - start) != STATUS_OK:
            return STATUS_OUT_OF_MEMORY
    return STATUS_OK
