"""The source side of one line: its tokens, its words, and the phrase of a target token.

A target token's phrase are the tokens of the source words that its word is aligned with. Of
a source word that has tokens of both kinds, words and mere marks, only those of the target
token's own kind count: "click" in "click," is a translation of "cliquez" in "cliquez,", and the
comma of the comma.
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from truecase.runtime._check cimport check
from truecase.runtime._memory cimport grow
from truecase.runtime._status cimport STATUS_OK, STATUS_OUT_OF_MEMORY
from truecase.source._scripts cimport split_scripts
from truecase.text._casing cimport TAG_AN
from truecase.text._segment_line cimport segment_line
from truecase.text._token cimport CLASS_OTHER, Token, TokenArray, form_hash
from truecase.text._word_index cimport WordIndex, free_index, index_words


cdef enum:
    # Where the whole line is the phrase, at most so many words of it: decoding stays linear.
    MAX_WHOLE = 256
    # Likewise of tokens in any phrase: a word may be a whole text without spaces.
    MAX_PHRASE = 1024
    KEY_WORDS = 4                # a power of two


cdef enum Selected:
    SELECTED_OTHER = 0
    SELECTED_MARKS = 1           # the whole line, of words that have both kinds of tokens the marks
    SELECTED_WORDS = 2


cdef struct SourceForm:          # what of a source token is looked up
    uint64_t form                # identity of its surface form, as `Node.form`
    uint64_t key


cdef struct PairSource:          # a form of the phrase, and what translation tables know of it
    SourceForm source
    float backoff                # share of p(. | F) that goes to unseen pairs, of surface forms
    float lower_backoff          # the same of lowercase forms


cdef struct SourceLine:          # all zeros at first; memory of one thread, reused
    TokenArray tokens
    WordIndex words
    SourceForm* forms            # one per token
    int32_t* phrase              # tokens of the phrase that was selected last, rising
    int32_t n_phrase
    int selected                 # Selected
    bint is_looked_up            # these three are there: the phrase's forms, each once,
    PairSource* pairs
    int32_t* pair                # and for each token of the phrase its number among them
    int32_t n_pairs
    uint64_t keys[KEY_WORDS]     # a filter: bits of the tokens' keys
    int32_t capacity             # of forms, phrase, pairs and pair


cdef inline bint is_word(const Token* token) noexcept nogil:
    """Whether a token is a word, number, name or address, not just a mark."""
    return token.tag != TAG_AN or token.word_class != CLASS_OTHER


cdef inline bint may_have_key(const SourceLine* line, uint64_t key) noexcept nogil:
    """Whether a token may have this key; False: none has."""
    return (line.keys[key & (KEY_WORDS - 1)] >> (key >> 58)) & 1


cdef inline uint64_t surface_form(const Token* token) noexcept nogil:
    """Identity of a token's form as it stands in the text, as `Node.form`."""
    return form_hash(token.key, token.tag, token.upper_mask)


cdef inline int segment_source(const uint8_t* text, uint32_t begin, uint32_t end,
                               int segmentation, bint turkic, SourceLine* line) noexcept nogil:
    """Tokens and words of the source line text[begin:end]; a Status.

    `turkic` is that of the source language. 16 bytes after `end` must be readable.
    """
    cdef int status = segment_line(text, begin, end, segmentation, turkic, &line.tokens)
    cdef int32_t i
    cdef size_t wanted
    cdef const Token* token
    line.n_phrase = 0
    line.selected = SELECTED_OTHER
    line.is_looked_up = False
    line.words.n_words = 0
    memset(line.keys, 0, sizeof(line.keys))
    if status == STATUS_OK:
        status = split_scripts(text, turkic, &line.tokens)
    if status == STATUS_OK:
        status = index_words(text, begin, end, segmentation, &line.tokens, &line.words)
    if status == STATUS_OK and line.capacity < line.tokens.n:
        wanted = <size_t>line.tokens.capacity
        if (grow(<void**>&line.forms, wanted, sizeof(SourceForm)) != STATUS_OK
                or grow(<void**>&line.phrase, wanted, sizeof(int32_t)) != STATUS_OK
                or grow(<void**>&line.pairs, wanted, sizeof(PairSource)) != STATUS_OK
                or grow(<void**>&line.pair, wanted, sizeof(int32_t)) != STATUS_OK):
            return STATUS_OUT_OF_MEMORY
        line.capacity = <int32_t>wanted
    if status != STATUS_OK:
        return status
    for i in range(line.tokens.n):
        token = line.tokens.tokens + i
        line.forms[i].form = surface_form(token)
        line.forms[i].key = token.key
        line.keys[token.key & (KEY_WORDS - 1)] |= <uint64_t>1 << (token.key >> 58)
    return STATUS_OK


cdef inline void free_source(SourceLine* line) noexcept nogil:
    free(line.tokens.tokens)
    free(line.forms)
    free(line.phrase)
    free(line.pairs)
    free(line.pair)
    free_index(&line.words)
    memset(line, 0, sizeof(SourceLine))


cdef inline void add_to_phrase(SourceLine* line, int32_t word, bint of_words) noexcept nogil:
    """Append the tokens of one source word that count; nothing if there is no such word."""
    cdef int32_t i, first, end, n = line.n_phrase
    if <uint32_t>word >= <uint32_t>line.words.n_words:
        return
    first = line.words.first_token[word]
    end = line.words.first_token[word + 1]
    end = min(end, first + MAX_PHRASE - n)
    for i in range(first, end):
        if is_word(line.tokens.tokens + i) == of_words:
            line.phrase[n] = i
            n += 1
    if n == line.n_phrase:
        for i in range(first, end):
            line.phrase[n] = i
            n += 1
    line.n_phrase = n


cdef inline void select_phrase(SourceLine* line, const int32_t* words, int32_t n_words,
                               bint of_words) noexcept nogil:
    """Make ``line.phrase`` that of a target token; `of_words`: whether it is a word itself.

    `words` are the source words of its word, rising, none twice; those that the line has not
    are passed over.
    """
    cdef int32_t i, last = -1
    line.n_phrase = 0
    line.selected = SELECTED_OTHER
    line.is_looked_up = False
    for i in range(n_words):
        # Invariant: each token is added at most once, so that the phrase fits its memory.
        if words[i] > last:
            last = words[i]
            add_to_phrase(line, last, of_words)
    check(line.n_phrase <= line.capacity)


cdef inline void select_whole(SourceLine* line, int32_t place, int32_t n_target,
                              bint of_words) noexcept nogil:
    """The same where nothing is known of the alignment: the whole line.

    Of a line of more than ``MAX_WHOLE`` words, those around the place that is as far into it as
    target token `place` is among `n_target`.
    """
    cdef int32_t word, first = 0, end = line.words.n_words
    cdef int wanted = SELECTED_WORDS if of_words else SELECTED_MARKS
    if end > MAX_WHOLE:
        wanted = SELECTED_OTHER
        first = <int32_t>(<double>place / (n_target if n_target > 0 else 1) * end) - MAX_WHOLE // 2
        first = max(0, min(first, end - MAX_WHOLE))
        end = first + MAX_WHOLE
    elif line.selected == wanted:
        return
    line.selected = wanted
    line.is_looked_up = False
    line.n_phrase = 0
    for word in range(first, end):
        add_to_phrase(line, word, of_words)
