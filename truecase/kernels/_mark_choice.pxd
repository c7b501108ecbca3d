"""The marks behind the words of a stream: chosen from scores, by the rules of a language.

Each label has a score of the network. Rules of speech and pauses add to them, and the best path
over the states of a text decides: short sentences lose.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int16_t, int32_t, uint16_t, uint64_t, uint8_t
from libc.string cimport memset

from truecase.base._memory cimport Output
from truecase.kernels._punctuation_network cimport (
    MAX_CLOSINGS, MAX_LABELS, MAX_OPENINGS, WORD_ENDS_TEXT, WORD_IS_CLOSED, WORD_IS_SIGN, MarkWord,
    MarksView, to_probabilities
)
from truecase.kernels._recurrent cimport MAX_STATE
from truecase.kernels._structs cimport KeptSums


cdef enum:
    MAX_RULE_WORDS = 256
    NEVER = 100                  # what a full stop loses where no sentence ends


# Log-odds of a mark against none, relative to their average, by the seconds to the next word;
# values between are interpolated. From a recogniser's words aligned with sound (WhisperX, a meeting
# of 1,900 words; `bench/experiments/pauses.py`), less a quarter, as words and pause are dependent.
cdef extern from *:
    """
    #define TRUECASE_IMPOSSIBLE (-1e30)
    #define TRUECASE_N_PAUSES 8
    static const float truecase_pause_seconds[TRUECASE_N_PAUSES] = {
        0.0f, 0.1f, 0.25f, 0.4f, 0.65f, 1.0f, 1.6f, 2.5f};
    static const float truecase_pause_ends[TRUECASE_N_PAUSES] = {
        -2.1f, -0.6f, 0.3f, 0.9f, 1.8f, 2.3f, 2.6f, 2.9f};
    static const float truecase_pause_others[TRUECASE_N_PAUSES] = {
        -0.9f, -0.3f, 0.5f, 0.8f, 1.8f, 1.8f, 1.2f, 1.0f};
    """
    enum:
        N_PAUSES "TRUECASE_N_PAUSES"
    const double IMPOSSIBLE "TRUECASE_IMPOSSIBLE"     # less than any score
    const float* SECONDS "truecase_pause_seconds"
    const float* OF_ENDS "truecase_pause_ends"
    const float* OF_OTHERS "truecase_pause_others"


cdef inline float pause_nats(float seconds, bint ends_sentence) noexcept nogil:
    """Amount to add to the score of a mark; `seconds` are not negative."""
    cdef const float* nats = OF_ENDS if ends_sentence else OF_OTHERS
    cdef int k = 1
    if seconds >= SECONDS[N_PAUSES - 1]:
        return nats[N_PAUSES - 1]
    while seconds > SECONDS[k]:
        k += 1
    return nats[k - 1] + (nats[k] - nats[k - 1]) * (
        (seconds - SECONDS[k - 1]) / (SECONDS[k] - SECONDS[k - 1]))


cdef enum:                       # kinds of a word, by the lists of the rules
    JOINS = 1                    # and, or
    OPEN = 2                     # the, my
    ECHOES = 4                   # so, neither
    AUXILIARY = 8                # are, did
    SPEECH = 16                  # you, we; speech has many of them
    QUESTIONS = 32               # how, why
    SUBJECTS = 64                # they, this
    CLAUSES = 128                # if, when
    STARTS = 256                 # please, yes
    ASKING = 512                 # where, would
    NUMBERS = 1024               # by their digits, each as 0
    YEARS = 2048                 # likewise
    DENIES = 4096                # never, not
    TAGS = 8192                  # it, they
    SAYS = 16384                 # replied, said
    PART = 32768                 # of the word before, where text is split into tokens: 'm


cdef struct Nats:                # the amounts of a language
    float one_word               # what a full stop loses behind a sentence of one word
    float again                  # what a question mark loses behind one word after a question
    float echo                   # what a comma gains in front of an echo
    float asks                   # what a question mark loses behind an echo
    float question               # what a full stop loses if a text begins as questions do
    float inside                 # and the share of it that others lose before the end
    float clause                 # what ends lose if it begins with a clause, before a comma
    float place                  # and a comma gains in front of a pronoun, if it begins with where
    float tail                   # what an end loses in front of the last words of a text
    float tag                    # what the marks of a tag gain
    float digits                 # what a comma and a full stop lose between numbers
    float speech_share           # of words of speech, where a text counts as speech
    float speech_start           # how much less a text begins with


cdef enum:                       # classes of a mark
    NONE, WITHIN, ENDS, ASKS, N_CLASSES


cdef struct Rules:               # of a language
    uint64_t keys[MAX_RULE_WORDS]   # of their words, ascending; the bytes of a part are its key
    uint16_t kinds[MAX_RULE_WORDS + 1]   # of each, behind that of all other words
    # What marks gain behind each and in front of it, in two rows: in other text, and in speech.
    float gains[2 * MAX_RULE_WORDS + 2][2][N_CLASSES]
    uint64_t n
    Nats nats
    uint8_t begins_part[256]     # whether a part begins with a byte


cdef enum:                       # states of a text between words
    STOPPED, ASKED, OPENED, N_STATES   # OPENED: a sentence has begun


cdef struct Choice:              # of the mark behind a word
    double score[N_CLASSES]      # of the best label of each class
    uint8_t label[N_CLASSES]
    # By the state behind the word: the class, and the state before the word on the best path.
    uint8_t best[N_STATES]
    uint8_t before[N_STATES]
    uint8_t chosen               # the label


cdef struct Stream:
    Output text                  # begins with the first undecided word
    size_t parsed                # bytes of it that are in `words`
    MarkWord coming              # the next word, if it is whole
    bint has_coming
    size_t searched              # where its end, then that of the white space behind it, was not
    int n_lines                  # line feeds of this white space
    MarkWord* words              # read, and not decided
    uint8_t* rows                # per word: the forward state beside it, then its inputs
    Choice* choices
    float* probabilities         # MAX_LABELS of each word
    int32_t n_words
    int32_t n_forward            # words that have the forward state
    int32_t capacity
    int16_t state[MAX_STATE]     # behind the last of them
    uint8_t state_bytes[MAX_STATE]
    uint64_t before              # key of the word that the next one follows, 0 for none
    double speech                # share of words of speech, less that of text that reads as such
    Output lead                  # white space before the first word
    Output marked                # decided words with their marks
    size_t whole                 # bytes of it that are whole sentences
    int32_t in_sentence          # words of the sentence that is not whole
    Output spaces                # the white space behind each decided word, and a NUL
    size_t whole_spaces          # bytes of it behind words of whole sentences
    Output posteriors            # of decided words, if they are kept
    bint keeps_probabilities
    int32_t chunk
    int32_t ahead
    uint8_t classes[MAX_CLOSINGS]
    uint8_t instead[MAX_CLOSINGS]   # the mark itself, or what is put if it is not allowed
    uint8_t allowed_opening[MAX_OPENINGS]
    Rules rules
    Output pauses                # behind the next words, float
    size_t pauses_taken          # bytes
    KeptSums kept
    uint8_t opening              # mark to put in front of the next word
    bint is_within               # a text has begun
    uint8_t reached              # state behind the last decided word
    float loss[N_CLASSES]        # of marks until the first one of a text; NONE: see begin_text
    bint asks                    # but commas, as the text begins as questions do


cdef inline bint is_sign(const MarkWord* word) noexcept nogil:
    return word.flags & WORD_IS_SIGN != 0


cdef inline uint16_t kind_of(const Stream* at, int32_t i) noexcept nogil:
    return at.rules.kinds[at.words[i].rule >> 1] if 0 <= i < at.n_words else 0


cdef inline void fill_choice(const MarksView* net, const Stream* at, int32_t i, const float* score,
                             Choice* choice) noexcept nogil:
    """Find the best labels behind a word: its own mark, or those that are allowed."""
    cdef const MarkWord* word = at.words + i
    cdef bint is_closed = word.flags & WORD_IS_CLOSED != 0
    cdef bint ends_text = word.flags & WORD_ENDS_TEXT != 0
    cdef bint has_next = i + 1 < at.n_words and not ends_text
    cdef int c, o, t, mark, opening, n = net.signs.n_closings
    for t in range(N_CLASSES):
        choice.score[t] = IMPOSSIBLE
    if is_sign(word) or (has_next and is_sign(word + 1)):
        c = word.given if is_closed or is_sign(word) else 0
        t = at.classes[c]
        choice.score[t], choice.label[t] = 0, <uint8_t>c
        return
    opening = (word + 1).opening if has_next else 0
    for o in range(1 if ends_text else net.signs.n_openings):
        if (o != opening) if opening else not at.allowed_opening[o]:
            continue
        for c in range(n):
            mark = c if is_closed else at.instead[c]
            t = at.classes[mark]
            if (not is_closed or c == word.given) and score[o * n + c] > choice.score[t]:
                choice.score[t] = score[o * n + c]
                choice.label[t] = <uint8_t>(o * n + mark)
    if ends_text and not is_closed:
        if max(choice.score[ENDS], choice.score[ASKS]) > IMPOSSIBLE:
            choice.score[WITHIN] = IMPOSSIBLE
            if not kind_of(at, i) & OPEN:
                choice.score[NONE] = IMPOSSIBLE


cdef inline bint is_echo(const Stream* at, int32_t i) noexcept nogil:
    """Whether an echo begins at a word, as in so do I, neither does his father."""
    return (kind_of(at, i) & ECHOES != 0) and kind_of(at, i + 1) & AUXILIARY != 0


cdef inline bint asks_at(const Stream* at, int32_t i) noexcept nogil:
    """Whether an auxiliary and a subject stand at a word, as in did they, but not do the."""
    cdef uint16_t kind = kind_of(at, i), following = kind_of(at, i + 1)
    return (kind & AUXILIARY and following & SUBJECTS
            and not (kind & STARTS and following & OPEN))


cdef inline bint differ(const Stream* at, int32_t i) noexcept nogil:
    """Whether two numbers of other lengths stand at a word, as in 5 30; no day and year."""
    return (kind_of(at, i) & kind_of(at, i + 1) & NUMBERS
            and at.words[i].key != at.words[i + 1].key
            and (not kind_of(at, i + 1) & YEARS or kind_of(at, i - 1) & NUMBERS))


cdef inline bint is_tail(const Stream* at, int32_t i) noexcept nogil:
    """Whether up to four words end a text that are hardly a sentence, as in aren't they."""
    cdef int32_t n = at.n_words - i
    cdef uint16_t kind = kind_of(at, i)
    if not 1 <= n <= 4 or not at.words[at.n_words - 1].flags & WORD_ENDS_TEXT:
        return False
    if n == 1:
        return asks_at(at, i - 1)
    if kind & (AUXILIARY | QUESTIONS):
        return n == 2 and asks_at(at, i)
    return not kind & STARTS and (n == 2 or not kind & SUBJECTS)


cdef inline bint is_tag(const Stream* at, int32_t i) noexcept nogil:
    """Whether a tag that ends a text begins at a word, as in it's cold, isn't it."""
    cdef uint16_t denied = kind_of(at, i)
    cdef int32_t k
    if not (is_tail(at, i) and denied & AUXILIARY and kind_of(at, i + 1) & TAGS) or (
            i < 2 or kind_of(at, i - 1) & (QUESTIONS | ECHOES | JOINS)):
        return False
    for k in range(i - 1):
        denied |= kind_of(at, k)
    return denied & DENIES != 0


cdef inline void follow_rules(const Stream* at, int32_t i, Choice* choice) noexcept nogil:
    """Add what the rules of the language say of the marks behind a word."""
    cdef const Nats* nats = &at.rules.nats
    cdef int place, t
    for place in range(min(2, at.n_words - i)):
        for t in range(WITHIN, N_CLASSES):
            choice.score[t] += at.rules.gains[at.words[i + place].rule][place][t]
    if kind_of(at, i + 1) & JOINS and is_echo(at, i + 2):
        choice.score[WITHIN] += nats.echo
    if kind_of(at, i) & JOINS and is_echo(at, i + 1):
        choice.score[WITHIN] -= nats.asks
    if kind_of(at, i) & OPEN:
        choice.score[ENDS] -= NEVER
    if is_echo(at, i - 2) or (is_echo(at, i - 3) and kind_of(at, i - 4) & JOINS) or (
            is_echo(at, i - 4) and kind_of(at, i - 5) & JOINS):
        choice.score[ASKS] -= nats.asks
    if is_tail(at, i + 1):
        choice.score[ENDS] -= nats.tail
        choice.score[ASKS] -= nats.tail
    choice.score[WITHIN] += nats.tag * is_tag(at, i + 1)
    choice.score[ASKS] += nats.tag * is_tag(at, i - 1)
    if kind_of(at, i) & kind_of(at, i + 1) & NUMBERS and (
            differ(at, i - 1) or differ(at, i) or differ(at, i + 1)):
        choice.score[WITHIN] -= nats.digits
        choice.score[ENDS] -= nats.digits


cdef inline void begin_text(Stream* at) noexcept nogil:
    """Find what marks lose until the first one, by the words that begin a text."""
    cdef int32_t i = kind_of(at, 0) & JOINS != 0
    cdef uint16_t kind = kind_of(at, i), following = kind_of(at, i + 1)
    at.asks = ((asks_at(at, i) and not kind & CLAUSES)
               or (kind & QUESTIONS and following & AUXILIARY
                   and not kind_of(at, i + 2) & QUESTIONS)
               or (kind & ASKING and not following & (SUBJECTS | AUXILIARY)))
    # A comma in front of a pronoun, behind where.
    at.loss[NONE] = 0 if at.asks or ~kind & (ASKING | CLAUSES) else -at.rules.nats.place
    at.loss[ENDS] = at.rules.nats.question if at.asks else at.rules.nats.clause if (
        kind & CLAUSES or (kind & SUBJECTS and following & SAYS)) else 0
    at.loss[ASKS] = at.loss[ENDS] * (at.rules.nats.inside if at.asks else 1)
    at.loss[WITHIN] = at.loss[ASKS] if at.asks else 0


cdef inline void lose_first(Stream* at, int32_t i, double* score) noexcept nogil:
    """Take off what marks lose until the first one of a text, and see whether one is set."""
    cdef int t, best = NONE
    if kind_of(at, i + 1) & TAGS and not kind_of(at, i) & ASKING:
        score[WITHIN] -= at.loss[NONE]
    for t in range(WITHIN, N_CLASSES):
        if not at.words[i].flags & WORD_ENDS_TEXT or (at.asks and t == ENDS):
            score[t] -= at.loss[t]
        if score[t] > score[best]:
            best = t
    if best != NONE:
        for t in range(N_CLASSES):
            at.loss[t] *= 0.5 if at.asks and best == WITHIN else 0


cdef inline void choose_labels(Stream* at, int32_t n) noexcept nogil:
    """Choose the labels of the first words by the best path, on which short sentences lose."""
    cdef double value[N_STATES]
    cdef double new[N_STATES]
    cdef double score
    cdef Choice* choice
    cdef int k, t
    cdef int32_t i
    for k in range(N_STATES):
        value[k] = 0 if k == at.reached else IMPOSSIBLE
    if not at.is_within:
        begin_text(at)
    for i in range(n):
        choice = at.choices + i
        lose_first(at, i, choice.score)
        choice.best[STOPPED], choice.best[ASKED] = ENDS, ASKS
        # NONE or WITHIN.
        choice.best[OPENED] = choice.score[WITHIN] > choice.score[NONE]
        for t in range(N_STATES):
            new[t] = 4 * IMPOSSIBLE
            for k in range(N_STATES):
                score = value[k]
                if t == STOPPED and k != OPENED:
                    score -= at.rules.nats.one_word
                elif t == ASKED and k == ASKED:
                    score -= at.rules.nats.again
                if score > new[t]:
                    new[t], choice.before[t] = score, <uint8_t>k
        for t in range(N_STATES):
            value[t] = new[t] + choice.score[choice.best[t]]
    k = 0
    for t in range(1, N_STATES):
        if value[t] > value[k]:
            k = t
    at.reached = STOPPED if at.words[n - 1].flags & WORD_ENDS_TEXT else <uint8_t>k
    for i in range(n - 1, -1, -1):
        choice = at.choices + i
        choice.chosen = choice.label[choice.best[k]]
        k = choice.before[k]


cdef inline void add_pause(const MarksView* net, float seconds, float* score) noexcept nogil:
    cdef int o, c, n = net.signs.n_closings
    cdef float nats
    if not seconds >= 0:
        return
    for c in range(1, n):
        nats = pause_nats(seconds, net.signs.ends_sentence[c])
        for o in range(net.signs.n_openings):
            score[o * n + c] += nats


cdef inline void judge_word(const MarksView* net, Stream* at, int32_t i,
                            const float* score) noexcept nogil:
    """Find the best labels behind a word, and keep the probabilities of all."""
    cdef Choice* choice = at.choices + i
    cdef float* share = at.probabilities + <size_t>i * MAX_LABELS
    cdef int t
    fill_choice(net, at, i, score, choice)
    if at.keeps_probabilities:
        memset(share, 0, MAX_LABELS * sizeof(float))
        if score != NULL and not at.words[i].flags & WORD_IS_CLOSED:
            to_probabilities(score, net.signs.n_labels, share)
        else:
            for t in range(N_CLASSES):
                if choice.score[t] > IMPOSSIBLE:
                    share[choice.label[t]] = 1
    follow_rules(at, i, choice)
