"""What sparse features see of the source sentence: fields of each word, for templates to join.

Codes are small numbers that mean nothing beyond being different.
"""

from libc.stdint cimport int32_t, uint8_t

from truecase.features._fields cimport (
    N_NEIGHBOURS,
    SentenceView,
    WordView,
    typography,
    view_ends,
)
from truecase.source._line cimport may_have_key
from truecase.source._phrase cimport SourcePhrase, SourceSide
from truecase.text._casing cimport TAG_AN, TAG_IU
from truecase.text._token cimport CLASS_OTHER, TOKEN_CLOSES, TOKEN_ENDS_SENTENCE, Token, TokenArray


cdef enum:
    SOURCE_WHOLE = 1             # the line is not aligned; + 1 if the sentence is all upper
    SOURCE_UNALIGNED = 3         # no source word is aligned with the word
    SOURCE_CASELESS = 4          # none that has case
    MAX_NEAR = 256               # so many source words are looked at for the same word
    SOURCE_CASED = 8             # + tag; + 4 if it is the first word; + 8 if there are others


cdef inline int32_t source_code(const SourceSide* side,
                                const SourcePhrase* phrase) noexcept nogil:
    """Case of the source words that a word is aligned with."""
    if side.is_whole:
        return SOURCE_WHOLE + side.sentence.all_upper
    if not phrase.is_aligned:
        return SOURCE_UNALIGNED
    if phrase.tags == 0:
        return SOURCE_CASELESS
    return (SOURCE_CASED + phrase.main_tag + 4 * (phrase.inner_tags == 0)
            + 8 * ((phrase.tags & (phrase.tags - 1)) != 0))


cdef inline int32_t case_code(const TokenArray* tokens, int32_t place) noexcept nogil:
    """Case of a source token, or the kind of mark that it is; below 16."""
    cdef const Token* token
    if place < 0 or place >= tokens.n:
        return 0
    token = tokens.tokens + place
    if token.tag != TAG_AN:
        return 1 + token.tag
    if token.word_class != CLASS_OTHER:
        return 8
    return (9 + (token.flags & TOKEN_ENDS_SENTENCE != 0)
            + 2 * (token.flags & TOKEN_CLOSES != 0))


cdef inline int32_t same_anywhere(const SourceSide* side, const Token* target,
                                  int32_t place) noexcept nogil:
    """Case of the first occurrence of a word in the source sentence; 0: there is none."""
    cdef const TokenArray* tokens = &side.line.tokens
    cdef int32_t i, first = 0, end = tokens.n
    if target.tag == TAG_AN or not may_have_key(&side.line, target.key):
        return 0
    if end > MAX_NEAR:
        first = max(0, min(place - MAX_NEAR // 2, end - MAX_NEAR))
        end = first + MAX_NEAR
    for i in range(first, end):
        if tokens.tokens[i].key == target.key:
            return 1 + tokens.tokens[i].tag + 8 * (i == side.sentence.first_token
                                                   and tokens.tokens[i].tag == TAG_IU)
    return 0


cdef inline int32_t ending(const TokenArray* tokens) noexcept nogil:
    """How the source sentence ends, and about how long it is."""
    cdef int32_t n = tokens.n
    return case_code(tokens, n - 1) + 16 * (0 if n < 3 else 1 if n < 6 else 2 if n < 12 else 3)


cdef inline void view_source(const SourceSide* side, const uint8_t* text, const Token* tokens,
                             int32_t first, int32_t n, SentenceView* view) noexcept nogil:
    """Add to the view of a sentence what the source tells of it.

    `tokens` are its n tokens in `text`, from the line's token `first` on.
    """
    cdef const TokenArray* line = &side.line.tokens
    cdef const Token* main
    cdef int32_t i
    cdef const SourcePhrase* phrase
    cdef WordView* word
    view.has_source = True
    view.source_style = (side.sentence.first_tag + 8 * side.sentence.upper_share
                         + 64 * side.sentence.all_upper)
    view.marks = typography(text, tokens[0].start, tokens[n - 1].end) if n else 0
    view_ends(tokens, n, &view.opening, &view.closing)
    view_ends(line.tokens, line.n, &view.source_opening, &view.source_closing)
    view.source_marks = ending(line)
    if line.n:
        view.source_marks += 64 * typography(
            side.aligned.source, line.tokens[0].start, line.tokens[line.n - 1].end)
    for i in range(n):
        phrase = side.phrase + first + i
        word = view.words + N_NEIGHBOURS + i
        word.source = source_code(side, phrase)
        word.source_key = phrase.main_key
        word.source_form = 0
        word.source_previous = 0
        word.source_next = 0
        word.source_context = 0
        if phrase.main_place >= 0:
            main = line.tokens + phrase.main_place
            word.source_form = side.line.forms[phrase.main_place].form
            word.source_previous = (main - 1).key if phrase.main_place > 0 else 1
            word.source_next = (main + 1).key if phrase.main_place + 1 < line.n else 1
            word.source_context = 1 + (case_code(line, phrase.main_place - 1)
                                       + 16 * case_code(line, phrase.main_place + 1))
        word.source_anywhere = same_anywhere(side, tokens + i, first + i)
        word.source_same = 0
        if phrase.n_same and not phrase.same_is_far:
            word.source_same = (1 + phrase.same_tag[0] + 8 * (phrase.n_same > 1)
                                + 16 * phrase.same_is_first)
