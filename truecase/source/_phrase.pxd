"""What the source sentence tells of each target word, line after line of a block.

`AlignedText` is what a call hands in: source lines beside target lines, and which source words
each target word is aligned with. `SourceSide` is one thread's memory for the line under work;
`describe_tokens` sums up, for each target token, the phrase that it is aligned with.

Of a line without alignment the whole source sentence is the phrase. Its words' case then says
little of any one word, so that only the same word on both sides, and a sentence wholly in upper
case, are summed up. A line whose links contradict the words that both sides have is one of these,
and the same word counts wherever it stands in the source: wrong links cost no more than none.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memchr, memset

from truecase.runtime._check cimport check
from truecase.runtime._memory cimport grow
from truecase.runtime._status cimport STATUS_INVALID, STATUS_OK, STATUS_OUT_OF_MEMORY
from truecase.source._line cimport (
    MAX_WHOLE,
    PairSource,
    SourceForm,
    SourceLine,
    free_source,
    is_word,
    may_have_key,
    segment_source,
    select_phrase,
    select_whole,
)
from truecase.source._kind cimport KIND_UNKNOWN, NounWords, kind_of_source
from truecase.source._scripts cimport LETTERS_LATIN, LETTERS_NONE, LETTERS_OTHER, letters_of
from truecase.text._casing cimport TAG_AL, TAG_AN, TAG_AU, TAG_IU, TAG_MX
from truecase.text._render cimport ROOM_UPPER, case_room
from truecase.text._token cimport (
    CLASS_ALPHABETIC,
    CLASS_OTHER,
    CLASS_QUANTITY,
    Token,
    TokenArray,
)
from truecase.text._word_index cimport WordIndex, free_index, index_words, word_of_token


cdef enum:
    MAX_SAME = 4                 # forms of the same word on the source side that are kept
    MAX_COMPARED = 512           # tokens of a line whose links are compared with its words
    SHORTEST_SHOUT = 5           # letters of a word by itself that is no acronym


cdef struct AlignedText:         # of a block; nothing in it is owned
    const uint8_t* source        # lines separated by LF; 16 bytes more are readable
    uint32_t source_size
    int64_t n_lines              # 0: there is no source
    # As in `truecase.alignment.lines.Phrases`; NULL: no line is aligned.
    const int64_t* line_offsets
    const int64_t* offsets
    const int32_t* links
    const uint8_t* unaligned


cdef struct SourcePhrase:        # what a target token's phrase tells
    uint8_t tags                 # bit per Tag of its words with case
    uint8_t inner_tags           # the same without the source sentence's first word with case
    uint8_t main_tag             # tag of its first word with case; TAG_AN: none
    uint8_t is_aligned           # 0: no source word is aligned with it, or the line is not
    uint8_t starts_upper         # its first word with case starts upper
    uint8_t all_upper            # all its words with case are AU, at least one is
    uint8_t n_same               # forms of the same word in it
    uint8_t same_is_first        # the only such form is the source sentence's first word
    uint8_t same_is_far          # in an aligned line, words that it is not aligned with have them
    uint8_t same_is_matched      # the word stands in the target no more often than in the phrase
    uint8_t same_is_in_run       # beside it stands the same word on both sides: see `is_in_run`
    uint8_t same_tag[MAX_SAME]
    uint64_t same_mask[MAX_SAME]
    uint64_t main_key            # key of its first word with case, or of its first token; 0: none
    int32_t main_place           # that token's place in the source line; -1: none


cdef struct SentenceCase:        # of the source sentence
    uint8_t first_tag            # of its first word with case; TAG_AN: none
    uint8_t all_upper            # all its words with case are upper, one has two letters
    uint8_t upper_share          # of words after the first that start upper, in quarters: 0 … 4
    int32_t first_token          # its first word with case; -1: none
    uint8_t letters              # Letters of most of its text
    uint8_t kind                 # SourceKind


cdef struct SourceSide:          # all zeros at first; memory of one thread, reused
    const AlignedText* aligned   # NULL: monolingual
    uint32_t position            # in the source text, of the next line
    int64_t line_number          # of the line under work, from 0
    int32_t words_before         # words of the target line in pieces of it that are done
    bint is_whole
    bint turkic
    const NounWords* noun_words  # NULL: weights do not differ by the kind of the source
    SourceLine line
    SentenceCase sentence
    WordIndex words              # of the target
    int32_t* word_of             # per target token
    SourcePhrase* phrase         # per target token
    int32_t capacity


cdef inline void free_side(SourceSide* side) noexcept nogil:
    free_source(&side.line)
    free_index(&side.words)
    free(side.word_of)
    free(side.phrase)
    memset(side, 0, sizeof(SourceSide))


cdef inline size_t bytes_of_side(const SourceSide* side) noexcept nogil:
    """Memory that is held."""
    return (<size_t>side.line.tokens.capacity * sizeof(Token)
            + <size_t>side.line.capacity * (
                sizeof(SourceForm) + sizeof(PairSource) + 2 * sizeof(int32_t))
            + <size_t>(side.line.words.capacity + side.words.capacity) * sizeof(int32_t)
            + <size_t>side.capacity * (sizeof(int32_t) + sizeof(SourcePhrase)))


cdef inline void start_block(SourceSide* side, const AlignedText* aligned, bint turkic,
                             const NounWords* words) noexcept nogil:
    """Begin with a block's first line; `aligned` may be NULL, or without lines."""
    side.noun_words = words
    side.aligned = aligned if aligned != NULL and aligned.n_lines > 0 else NULL
    side.position = 0
    side.line_number = -1
    side.turkic = turkic


cdef inline bint begins_upper(int tag, uint64_t upper_mask) noexcept nogil:
    return tag == TAG_IU or tag == TAG_AU or (tag == TAG_MX and upper_mask & 1)


cdef inline bint is_lone_upper(const uint8_t* text, const Token* token,
                               bint turkic) noexcept nogil:
    """Whether a token's only letter is upper case, which may be a capital or upper case: A, D'."""
    return token.tag == TAG_IU and (
        token.n_code_points == 1 or not case_room(text, token, turkic) & ROOM_UPPER)


cdef inline void describe_sentence(const uint8_t* text, const TokenArray* tokens, bint turkic,
                                   const NounWords* words,
                                   SentenceCase* sentence) noexcept nogil:
    """Sum up the case of a source sentence; with no `words`, its kind is unknown."""
    cdef int32_t i, n = 0, n_upper = 0, n_caseless = 0
    cdef int32_t n_upper_words = 0
    cdef bint long_upper = False, lower = False, is_shout = False
    cdef int64_t n_latin = 0, n_others = 0
    cdef const Token* token
    cdef int letters
    sentence.first_tag = TAG_AN
    sentence.first_token = -1
    for i in range(tokens.n):
        token = tokens.tokens + i
        letters = letters_of(text, token)
        if letters == LETTERS_LATIN:
            n_latin += token.end - token.start
        elif letters == LETTERS_OTHER:
            n_others += token.end - token.start
        if token.tag == TAG_AN:
            n_caseless += token.word_class != CLASS_OTHER and token.word_class != CLASS_QUANTITY
            continue
        if sentence.first_token < 0:
            sentence.first_token = i
            # A name in a text of a script without case is not the sentence's first word.
            sentence.first_tag = token.tag if n_caseless == 0 else TAG_AN
        else:
            n += 1
            n_upper += begins_upper(token.tag, token.upper_mask)
        if token.tag == TAG_AU:
            long_upper = True
            n_upper_words += 1
            is_shout = is_shout or (token.n_code_points >= SHORTEST_SHOUT
                                    and token.word_class == CLASS_ALPHABETIC)
        elif not is_lone_upper(text, token, turkic):
            lower = True
    # FAQ, SMS or USA by itself is an acronym, whose translation is in lower case; and so are those
    # of a text in a script without case.
    sentence.all_upper = (long_upper and not lower and n_caseless == 0
                          and (n_upper_words > 1 or is_shout))
    sentence.letters = <uint8_t>(
        LETTERS_LATIN if n_latin > n_others else LETTERS_OTHER if n_others > n_latin
        else LETTERS_NONE)
    sentence.kind = <uint8_t>(
        KIND_UNKNOWN if words == NULL
        else kind_of_source(words, text, tokens, sentence.letters))
    sentence.upper_share = <uint8_t>(
        0 if n == 0 or n < n_caseless else (4 * n_upper + n // 2) // n)


cdef inline int next_source_line(SourceSide* side, int segmentation) noexcept nogil:
    """Go on to the next line of the block; a Status."""
    cdef const AlignedText* aligned = side.aligned
    cdef const void* newline
    cdef uint32_t begin = side.position, end
    cdef int status
    side.line_number += 1
    side.words_before = 0
    side.line.tokens.n = 0
    # The caller counted the lines; a target line without a source line is one without words.
    if side.line_number >= aligned.n_lines or begin > aligned.source_size:
        begin = end = aligned.source_size
    else:
        newline = memchr(aligned.source + begin, 0x0a, aligned.source_size - begin)
        end = aligned.source_size
        if newline != NULL:
            end = <uint32_t>(<const uint8_t*>newline - aligned.source)
    side.position = end + 1
    status = segment_source(aligned.source, begin, end, segmentation, side.turkic, &side.line)
    if status == STATUS_OK:
        describe_sentence(aligned.source, &side.line.tokens, side.turkic, side.noun_words,
                          &side.sentence)
        side.is_whole = aligned.offsets == NULL or aligned.unaligned[side.line_number] != 0
    return status


cdef inline void choose_phrase(SourceSide* side, const Token* token, int32_t i,
                               int32_t n_tokens) noexcept nogil:
    """Make ``side.line.phrase`` that of target token i, whose word ``word_of[i]`` is."""
    cdef const AlignedText* aligned = side.aligned
    cdef int64_t word
    if side.is_whole:
        select_whole(&side.line, i, n_tokens, is_word(token))
        return
    if side.word_of[i] < 0:
        select_phrase(&side.line, NULL, 0, is_word(token))
        return
    # Invariant: `describe_tokens` checked that the word is one of the line's.
    word = aligned.line_offsets[side.line_number] + side.words_before + side.word_of[i]
    check(word < aligned.line_offsets[side.line_number + 1])
    check(aligned.offsets[word] <= aligned.offsets[word + 1])
    select_phrase(&side.line, aligned.links + aligned.offsets[word],
                  <int32_t>(aligned.offsets[word + 1] - aligned.offsets[word]), is_word(token))


cdef inline void add_same(SourceSide* side, int32_t place, SourcePhrase* phrase) noexcept nogil:
    """Note the form that the same word has at `place` of the source line."""
    cdef const Token* token = side.line.tokens.tokens + place
    cdef int i
    # A first word's capital says nothing of the same word elsewhere.
    cdef bint is_first = place == side.sentence.first_token and token.tag == TAG_IU
    for i in range(phrase.n_same):
        if phrase.same_tag[i] == token.tag and phrase.same_mask[i] == token.upper_mask:
            phrase.same_is_first = phrase.same_is_first and is_first
            return
    if phrase.n_same == MAX_SAME:
        return
    phrase.same_is_first = is_first and phrase.n_same == 0
    phrase.same_tag[phrase.n_same] = token.tag
    phrase.same_mask[phrase.n_same] = token.upper_mask
    phrase.n_same += 1


cdef inline bint is_linked(const SourceSide* side, int32_t word,
                           int32_t source_word) noexcept nogil:
    """Whether a word of the target's piece is aligned with a source word; False beyond its ends."""
    cdef const AlignedText* aligned = side.aligned
    cdef int64_t place, link
    if word < 0 or word >= side.words.n_words:
        return False
    # Invariant: as in `choose_phrase`.
    place = aligned.line_offsets[side.line_number] + side.words_before + word
    check(place < aligned.line_offsets[side.line_number + 1])
    for link in range(aligned.offsets[place], aligned.offsets[place + 1]):
        if aligned.links[link] == source_word:
            return True
    return False


cdef inline bint is_spelt_out(const SourceSide* side, int32_t i, int32_t place) noexcept nogil:
    """Whether target token i is of several words that an acronym at `place` of the source means.

    FAQ means frequently asked questions, USA the United States: its case says nothing of theirs.
    """
    cdef const Token* token = side.line.tokens.tokens + place
    cdef int32_t word, source_word
    if side.is_whole or side.sentence.all_upper or token.tag != TAG_AU or side.word_of[i] < 0 or (
            token.n_code_points >= SHORTEST_SHOUT and token.word_class == CLASS_ALPHABETIC):
        return False
    word = side.word_of[i]
    source_word = word_of_token(&side.line.words, place)
    return source_word >= 0 and (is_linked(side, word - 1, source_word)
                                 or is_linked(side, word + 1, source_word))


cdef inline bint is_matched(const SourceSide* side, const TokenArray* tokens, int32_t i,
                            int32_t n_same) noexcept nogil:
    """Whether a target token's word is there no more often than `n_same` times, near it."""
    cdef int32_t k
    for k in range(max(i - MAX_WHOLE, 0), min(i + MAX_WHOLE, tokens.n)):
        n_same -= tokens.tokens[k].key == tokens.tokens[i].key
    return n_same >= 0


cdef inline bint are_same(const SourceSide* side, const TokenArray* tokens, int32_t i,
                          int32_t place) noexcept nogil:
    """Whether target token i, if there is one, is the word at `place` of the source."""
    cdef const TokenArray* source = &side.line.tokens
    return (0 <= i < tokens.n and 0 <= place < source.n
            and tokens.tokens[i].key == source.tokens[place].key
            and is_word(source.tokens + place))


cdef inline bint is_in_run(const SourceSide* side, const TokenArray* tokens, int32_t i,
                           int32_t place) noexcept nogil:
    """Whether target token i is of a name of several words, which both sides have one by one.

    A word beside it is the same, and starts upper in the source; or two are.
    """
    cdef int32_t step, n = 0
    cdef const Token* token
    for step in range(-1, 2, 2):
        if not are_same(side, tokens, i + step, place + step):
            continue
        token = side.line.tokens.tokens + place + step
        n += 1
        if begins_upper(token.tag, token.upper_mask) or n == 2 or (
                are_same(side, tokens, i + 2 * step, place + 2 * step)):
            return True
    return False


cdef inline int32_t add_same_words(SourceSide* side, const TokenArray* tokens, int32_t target,
                                   SourcePhrase* phrase) noexcept nogil:
    """Note the forms of a word among the tokens of ``side.line.phrase``; how many it has there."""
    cdef uint64_t key = tokens.tokens[target].key
    cdef int32_t i, n = 0
    cdef const Token* token
    if not may_have_key(&side.line, key):
        return 0
    for i in range(side.line.n_phrase):
        token = side.line.tokens.tokens + side.line.phrase[i]
        if token.key == key and token.tag != TAG_AN:
            add_same(side, side.line.phrase[i], phrase)
            phrase.same_is_in_run = phrase.same_is_in_run or is_in_run(
                side, tokens, target, side.line.phrase[i])
            n += 1
    return n


cdef inline void describe_aligned(SourceSide* side, uint64_t key, int32_t target,
                                  SourcePhrase* phrase) noexcept nogil:
    """Sum up the case of the words that one target token is aligned with."""
    cdef int32_t i, place
    cdef const Token* token
    cdef bint lower = False
    for i in range(side.line.n_phrase):
        place = side.line.phrase[i]
        token = side.line.tokens.tokens + place
        phrase.is_aligned = 1
        if phrase.main_key == 0:
            phrase.main_key = token.key
            phrase.main_place = place
        if token.tag == TAG_AN:
            continue
        if token.key != key and is_spelt_out(side, target, place):
            lower = True
            phrase.tags |= 1 << TAG_MX
            continue
        if phrase.main_tag == TAG_AN:
            phrase.main_tag = token.tag
            phrase.main_key = token.key
            phrase.main_place = place
            phrase.starts_upper = begins_upper(token.tag, token.upper_mask)
        phrase.tags |= 1 << token.tag
        if place != side.sentence.first_token:
            phrase.inner_tags |= 1 << token.tag
        if token.tag != TAG_AU and not is_lone_upper(side.aligned.source, token, side.turkic):
            lower = True
    phrase.all_upper = phrase.tags & (1 << TAG_AU) and not lower


cdef inline void describe_phrase(SourceSide* side, const TokenArray* tokens, int32_t target,
                                 SourcePhrase* phrase) noexcept nogil:
    """Sum up ``side.line.phrase`` for one target token."""
    cdef uint64_t key = tokens.tokens[target].key
    cdef int32_t n_same
    memset(phrase, 0, sizeof(SourcePhrase))
    phrase.main_tag = TAG_AN
    phrase.main_place = -1
    n_same = add_same_words(side, tokens, target, phrase)
    if side.is_whole:
        phrase.all_upper = side.sentence.all_upper
    else:
        describe_aligned(side, key, target, phrase)
        if n_same > 0:
            # Links say which of several is meant.
            phrase.same_is_matched = True
            return
        # A name stands for itself, whatever it is aligned with.
        phrase.same_is_far = may_have_key(&side.line, key)
        if phrase.same_is_far:
            select_whole(&side.line, target, tokens.n, is_word(tokens.tokens + target))
            n_same = add_same_words(side, tokens, target, phrase)
    phrase.same_is_matched = n_same > 0 and is_matched(side, tokens, target, n_same)


cdef inline int32_t only_place(const TokenArray* tokens, uint64_t key) noexcept nogil:
    """Where a key stands, if that is one place; else -1."""
    cdef int32_t i, place = -1
    for i in range(tokens.n):
        if tokens.tokens[i].key == key:
            if place >= 0:
                return -1
            place = i
    return place


cdef inline bint has_no_use(const SourceSide* side, const TokenArray* tokens) noexcept nogil:
    """Whether a line has no links, or wrong ones.

    They are wrong if most words that both sides have once are aligned with other words. Of long
    lines nothing is said.
    """
    cdef const AlignedText* aligned = side.aligned
    cdef int32_t i, place, n = 0, n_linked = 0
    if (aligned.offsets[aligned.line_offsets[side.line_number]]
            == aligned.offsets[aligned.line_offsets[side.line_number + 1]]):
        return True
    # A word may be a whole text without spaces: of tokens, too, there may be no more.
    if side.line.tokens.n > MAX_COMPARED or tokens.n > MAX_COMPARED:
        return False
    for i in range(tokens.n):
        if side.word_of[i] < 0 or not may_have_key(&side.line, tokens.tokens[i].key):
            continue
        place = only_place(&side.line.tokens, tokens.tokens[i].key)
        if place < 0 or only_place(tokens, tokens.tokens[i].key) < 0:
            continue
        n += 1
        n_linked += is_linked(side, side.word_of[i], word_of_token(&side.line.words, place))
    return 2 * n_linked < n


cdef inline int describe_tokens(SourceSide* side, const uint8_t* text, uint32_t begin,
                                uint32_t end, int segmentation, const TokenArray* tokens,
                                bint is_last) noexcept nogil:
    """Sum up the phrases of the tokens of text[begin:end], a piece of the target line; a Status.

    With `is_last`, the line ends with the piece. STATUS_INVALID if the line has not as many words
    as are aligned.
    """
    cdef const AlignedText* aligned = side.aligned
    cdef int32_t word, i
    cdef int64_t n_words
    cdef size_t wanted
    cdef int status = index_words(text, begin, end, segmentation, tokens, &side.words)
    if status != STATUS_OK:
        return status
    if side.capacity < tokens.n:
        wanted = <size_t>tokens.capacity
        if (grow(<void**>&side.word_of, wanted, sizeof(int32_t)) != STATUS_OK
                or grow(<void**>&side.phrase, wanted, sizeof(SourcePhrase)) != STATUS_OK):
            return STATUS_OUT_OF_MEMORY
        side.capacity = <int32_t>wanted
    # A token of nothing but white space, as between spaces there may be, is in no word.
    for i in range(tokens.n):
        side.word_of[i] = -1
    for word in range(side.words.n_words):
        for i in range(side.words.first_token[word], side.words.first_token[word + 1]):
            side.word_of[i] = word
    if not side.is_whole:
        n_words = (aligned.line_offsets[side.line_number + 1]
                   - aligned.line_offsets[side.line_number])
        word = side.words_before + side.words.n_words
        if word > n_words or (is_last and word < n_words):
            return STATUS_INVALID
        # A line in several pieces is one or the other as a whole.
        side.is_whole = is_last and side.words_before == 0 and has_no_use(side, tokens)
    for i in range(tokens.n):
        choose_phrase(side, tokens.tokens + i, i, tokens.n)
        describe_phrase(side, tokens, i, side.phrase + i)
    return STATUS_OK


cdef inline void end_piece(SourceSide* side) noexcept nogil:
    """A piece of the target line is done; the next one goes on with its words."""
    side.words_before += side.words.n_words
