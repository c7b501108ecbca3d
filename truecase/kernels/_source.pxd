"""The source sentence: its tokens, and for each target word the case of its aligned source words.

`AlignedText` has a block's source lines, and which source words each target word is aligned with.
`SourceSide` is a thread's memory for one line; `summarise_phrases` fills it.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memmove, memset

from truecase.base._check cimport check
from truecase.base._memory cimport (
    STATUS_INVALID, STATUS_OK, STATUS_OUT_OF_MEMORY, free_arena, reset_arena, take
)
from truecase.kernels._maps cimport NOT_FOUND, find_key
from truecase.kernels._render cimport ROOM_UPPER, case_room
from truecase.kernels._segment cimport segment_line
from truecase.kernels._structs cimport (
    CLASS_ALPHABETIC, CLASS_HYPHENATED, CLASS_OTHER, CLASS_QUANTITY, KEY_WORDS, MAX_SAME,
    TOKEN_ADDRESS, TOKEN_ASCII, TOKEN_CANONICAL, TOKEN_KEEPS, TOKEN_LOWERS, TOKEN_MARKUP,
    TOKEN_SPACE_BEFORE, TOKEN_VARIANT, AlignedText, NounWords, PairSource, SentenceCase,
    SourceForm, SourceLine, SourcePhrase, SourceSide, Token, TokenArray
)
from truecase.kernels._tokens cimport (
    form_hash, free_index, index_words, reserve_tokens, token_of, word_of_token
)
from truecase.kernels._unicode cimport (
    CHAR_CASED, CHAR_LETTER, TAG_AN, TAG_AU, TAG_IU, TAG_MX, class_of, decode, find_byte,
    has_no_capital
)


# Scripts without case. Chinese, Japanese and Thai have no spaces: 腾讯与NBA签署了协议 is one token with
# an acronym inside. In the source, runs of letters with case are cut out as words of their own.

cdef enum:
    # Letters without case below it belong to Latin words: the ʻ of Hawaiʻi, the º of 2º.
    FIRST_CASELESS = 0x590


cdef enum Script:
    SCRIPT_NONE = 0              # marks and digits, which belong to the letters before them
    SCRIPT_CASED = 1
    SCRIPT_CASELESS = 2


cdef enum Letters:
    LETTERS_NONE, LETTERS_LATIN, LETTERS_OTHER


cdef inline int script_of(uint32_t cp) noexcept nogil:
    cdef uint8_t bits = class_of(cp)
    if bits & CHAR_CASED or has_no_capital(cp, False):
        return SCRIPT_CASED
    return SCRIPT_CASELESS if bits & CHAR_LETTER and cp >= FIRST_CASELESS else SCRIPT_NONE


cdef inline bint is_latin(uint32_t cp) noexcept nogil:
    """Whether a letter is Latin."""
    return (cp < 0x370 or 0x1e00 <= cp < 0x1f00 or 0x2c60 <= cp < 0x2c80 or 0xa720 <= cp < 0xa800
            or 0xfb00 <= cp < 0xfb07 or 0xff21 <= cp < 0xff5b)


cdef inline int letters_of(const uint8_t* text, const Token* token) noexcept nogil:
    """The Letters of a token's first letter, or LETTERS_NONE."""
    cdef uint32_t p = token.start, length, cp
    if token.word_class == CLASS_QUANTITY or (token.tag == TAG_AN
                                              and token.word_class == CLASS_OTHER):
        return LETTERS_NONE
    if token.flags & TOKEN_ASCII:
        return LETTERS_LATIN
    while p < token.end:
        cp = decode(text + p, text + token.end, &length)
        if class_of(cp) & CHAR_LETTER:
            return LETTERS_LATIN if is_latin(cp) else LETTERS_OTHER
        p += length
    return LETTERS_NONE


cdef inline uint32_t run_end(const uint8_t* text, uint32_t begin, uint32_t end) noexcept nogil:
    """End of the letters of one Script from `begin`, and of the marks and digits after them."""
    cdef uint32_t p = begin, length
    cdef int kind = SCRIPT_NONE, script
    while p < end:
        script = script_of(decode(text + p, text + end, &length))
        if script != SCRIPT_NONE:
            if kind != SCRIPT_NONE and script != kind:
                return p
            kind = script
        p += length
    return end


cdef inline int32_t n_runs(const uint8_t* text, const Token* token) noexcept nogil:
    """Number of tokens that a token is cut into."""
    cdef uint32_t p = token.start
    cdef int32_t n = 0
    if token.tag == TAG_AN or token.flags & (
            TOKEN_ASCII | TOKEN_CANONICAL | TOKEN_KEEPS | TOKEN_LOWERS | TOKEN_MARKUP
            | TOKEN_ADDRESS):
        return 1
    while p < token.end:
        p = run_end(text, p, token.end)
        n += 1
    return n


cdef inline int split_scripts(const uint8_t* text, bint turkic, TokenArray* tokens) noexcept nogil:
    """Cut tokens between letters with case and letters of scripts without; a Status."""
    cdef int32_t i, at = 0, extra = 0, n
    cdef uint32_t p, end
    cdef Token token
    cdef int status, kept
    for i in range(tokens.n):
        extra += n_runs(text, tokens.tokens + i) - 1
    if extra == 0:
        return STATUS_OK
    status = reserve_tokens(tokens, extra)
    if status != STATUS_OK:
        return status
    # Reading from the end of the room, so that writing never overtakes it.
    memmove(tokens.tokens + extra, tokens.tokens, tokens.n * sizeof(Token))
    n = tokens.n
    tokens.n += extra
    for i in range(extra, extra + n):
        token = tokens.tokens[i]
        if n_runs(text, &token) == 1:
            tokens.tokens[at] = token
            at += 1
            continue
        p = token.start
        while p < token.end:
            end = run_end(text, p, token.end)
            kept = TOKEN_VARIANT | (TOKEN_SPACE_BEFORE if p == token.start else 0)
            tokens.tokens[at] = token_of(text, p, end, token.flags & kept, turkic)
            at += 1
            p = end
    return STATUS_OK


# The phrase of a target token: the tokens of the source words that its word is aligned with. Of a
# source word with both words and marks, only those of the target token's kind count: "click" in
# "click," is a translation of "cliquez" in "cliquez,", and the comma one of the comma.

cdef enum:
    # Limits that keep decoding linear: words of a whole line as phrase; tokens of any phrase, as a
    # word may be a whole text without spaces.
    MAX_WHOLE = 256
    MAX_PHRASE = 1024
    MAX_PARTED = 63              # bytes of a word whose parts are read


cdef enum Selected:
    SELECTED_OTHER = 0
    SELECTED_MARKS = 1           # the whole line for a mark
    SELECTED_WORDS = 2           # the whole line for a word


cdef inline bint is_word(const Token* token) noexcept nogil:
    """Whether a token is no mark but a word, number, name or address."""
    return token.tag != TAG_AN or token.word_class != CLASS_OTHER


cdef inline bint may_have_key(const SourceLine* line, uint64_t key) noexcept nogil:
    """Whether a token may have this key; False is certain."""
    return (line.keys[key & (KEY_WORDS - 1)] >> (key >> 58)) & 1


cdef inline uint64_t surface_form(const Token* token) noexcept nogil:
    """Identity of a token's form in the text, as in `Node.form`."""
    return form_hash(token.key, token.tag, token.upper_mask)


cdef inline bint next_part(const uint8_t* text, const Token* token, bint turkic, uint32_t* at,
                           Token* part) noexcept nogil:
    """Read from `at` on a part with inner capitals of a word with hyphens: QZip of QZip-Tool."""
    cdef uint32_t end
    while at[0] < token.end <= token.start + MAX_PARTED and (
            token.word_class == CLASS_HYPHENATED and token.tag == TAG_MX):
        end = <uint32_t>find_byte(text, at[0], token.end, 0x2d)
        part[0] = token_of(text, at[0], end, 0, turkic)
        at[0] = end + 1
        if part.tag in (TAG_AU, TAG_MX):
            return True
    return False


cdef inline int segment_source(const uint8_t* text, uint32_t begin, uint32_t end,
                               int segmentation, bint turkic, SourceLine* line) noexcept nogil:
    """Set tokens and words of the source line text[begin:end]; a Status.

    `turkic` is the source's casing. 16 bytes after `end` must be readable.
    """
    cdef int32_t i
    cdef int status
    cdef uint32_t at
    cdef Token token
    line.n_phrase = 0
    line.selected = SELECTED_OTHER
    line.is_looked_up = False
    line.words.n_words = 0
    memset(line.keys, 0, sizeof(line.keys))
    status = (segment_line(text, begin, end, segmentation, turkic, &line.tokens)
              or split_scripts(text, turkic, &line.tokens)
              or index_words(text, begin, end, segmentation, &line.tokens, &line.words))
    if status != STATUS_OK:
        return status
    reset_arena(&line.arena)
    line.forms = <SourceForm*>take(&line.arena, line.tokens.n, sizeof(SourceForm))
    line.phrase = <int32_t*>take(&line.arena, line.tokens.n, sizeof(int32_t))
    line.pairs = <PairSource*>take(&line.arena, line.tokens.n, sizeof(PairSource))
    line.pair = <int32_t*>take(&line.arena, line.tokens.n, sizeof(int32_t))
    if line.arena.is_short:
        return STATUS_OUT_OF_MEMORY
    for i in range(line.tokens.n):
        token = line.tokens.tokens[i]
        line.forms[i].form = surface_form(&token)
        line.forms[i].key = token.key
        at = token.start
        line.keys[token.key & (KEY_WORDS - 1)] |= <uint64_t>1 << (token.key >> 58)
        while next_part(text, line.tokens.tokens + i, turkic, &at, &token):
            line.keys[token.key & (KEY_WORDS - 1)] |= <uint64_t>1 << (token.key >> 58)
    return STATUS_OK


cdef inline void free_source(SourceLine* line) noexcept nogil:
    free(line.tokens.tokens)
    free_arena(&line.arena)
    free_index(&line.words)
    memset(line, 0, sizeof(SourceLine))


cdef inline void add_to_phrase(SourceLine* line, int32_t word, bint of_words) noexcept nogil:
    """Append the tokens of a source word that count; none if the line has no such word."""
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
    """Set ``line.phrase`` to the phrase of a target token; `of_words`: the token is a word.

    `words` are the source words of its word, rising; words beyond the line are left out.
    """
    cdef int32_t i, last = -1
    line.n_phrase = 0
    line.selected = SELECTED_OTHER
    line.is_looked_up = False
    for i in range(n_words):
        # Invariant: no token is added twice, so that the phrase fits its memory.
        if words[i] > last:
            last = words[i]
            add_to_phrase(line, last, of_words)
    check(line.n_phrase <= line.tokens.n)


cdef inline void select_whole(SourceLine* line, int32_t place, int32_t n_target,
                              bint of_words) noexcept nogil:
    """`select_phrase` for an unaligned line: all its words.

    Of more than ``MAX_WHOLE`` words, take those around the relative place of the target token,
    which is token `place` of `n_target`.
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


# Whether nouns of the source's language have capitals, as in German. There a capital inside a
# sentence says little about a translation's case; elsewhere it mostly means a name. The line alone
# decides; short lines are of unknown kind.

cdef enum SourceKind:
    KIND_UNKNOWN, KIND_NOUN_CAPITALS, KIND_OTHER


cdef enum:
    WORD_SURE = 0                # values of `NounWords.words`; from 1 on: likely words
    LETTER_LIKELY = 31           # bit of a German letter, which counts as a likely word


# The table, which lives as long as the process.
cdef const NounWords* noun_words() noexcept


cdef inline int kind_of_source(const NounWords* known, const uint8_t* text,
                               const TokenArray* tokens, int letters) noexcept nogil:
    """The SourceKind of a line whose text is mostly in `letters`."""
    cdef const Token* token
    cdef uint32_t p, length, cp, value, likely = 0
    cdef int32_t i, n = 0
    cdef bint is_foreign = False
    if letters == LETTERS_OTHER:
        return KIND_OTHER
    for i in range(tokens.n):
        token = tokens.tokens + i
        if token.tag == TAG_AN or not (token.word_class == CLASS_ALPHABETIC
                                       or token.word_class == CLASS_HYPHENATED):
            continue
        n += 1
        value = find_key(&known.words, token.key)
        if value == WORD_SURE:
            return KIND_NOUN_CAPITALS
        if value != NOT_FOUND:
            likely |= <uint32_t>1 << value
        if token.flags & TOKEN_ASCII:
            continue
        p = token.start
        while p < token.end:
            cp = decode(text + p, text + token.end, &length)
            if cp >= 0x80 and class_of(cp) & CHAR_LETTER:
                if cp in (0xdf, 0xe4, 0xf6, 0xfc, 0xc4, 0xd6, 0xdc):    # ß, ä, ö, ü, Ä, Ö, Ü
                    likely |= <uint32_t>1 << LETTER_LIKELY
                else:
                    is_foreign = True
            p += length
    if likely & (likely - 1):
        return KIND_NOUN_CAPITALS
    if is_foreign or n >= known.fewest_words[likely != 0]:
        return KIND_OTHER
    return KIND_UNKNOWN


# Summaries of the phrases of target words, line after line of a block.
#
# Of an unaligned line the whole source sentence is the phrase. The summary then has only copies of
# the target word, and whether the sentence is in upper case. A line whose links contradict the
# words of both sides counts as unaligned, so that wrong links cost no more than missing ones.

cdef enum:
    MAX_COMPARED = 512           # tokens of a line whose links are compared with its words
    SHORTEST_SHOUT = 5           # letters of a single word in upper case that is no acronym


cdef inline void free_side(SourceSide* side) noexcept nogil:
    free_source(&side.line)
    free_index(&side.words)
    free_arena(&side.arena)
    memset(side, 0, sizeof(SourceSide))


cdef inline size_t bytes_of_side(const SourceSide* side) noexcept nogil:
    """Bytes of memory that the source side holds."""
    return (<size_t>side.line.tokens.capacity * sizeof(Token)
            + <size_t>(side.line.words.capacity + side.words.capacity) * sizeof(int32_t)
            + side.line.arena.size + side.arena.size)


cdef inline void start_block(SourceSide* side, const AlignedText* aligned, bint turkic,
                             const NounWords* words) noexcept nogil:
    """Start before a block's first line; `aligned` may be NULL, or without lines."""
    side.noun_words = words
    side.aligned = aligned if aligned != NULL and aligned.n_lines > 0 else NULL
    side.position = 0
    side.line_number = -1
    side.turkic = turkic


cdef inline bint begins_upper(int tag, uint64_t upper_mask) noexcept nogil:
    return tag == TAG_IU or tag == TAG_AU or (tag == TAG_MX and upper_mask & 1)


cdef inline bint is_lone_upper(const uint8_t* text, const Token* token, bint turkic) noexcept nogil:
    """Whether a token's only letter is upper case (A, D'), which may be IU or AU."""
    return token.tag == TAG_IU and not case_room(text, token, turkic) & ROOM_UPPER


cdef inline void summarise_sentence(const uint8_t* text, const TokenArray* tokens, bint turkic,
                                    const NounWords* words,
                                    SentenceCase* sentence) noexcept nogil:
    """Summarise the case of a source sentence; its kind is unknown if `words` is NULL."""
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
            # A name in a script without case is not the sentence's first word.
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
    # FAQ, SMS or USA by itself is an acronym, whose translation is in lower case; so is an acronym
    # in a text in a script without case.
    sentence.all_upper = (long_upper and not lower and n_caseless == 0
                          and (n_upper_words > 1 or is_shout))
    sentence.letters = <uint8_t>(
        LETTERS_LATIN if n_latin > n_others else LETTERS_OTHER if n_others > n_latin
        else LETTERS_NONE)
    sentence.kind = <uint8_t>(
        KIND_UNKNOWN if words == NULL
        else kind_of_source(words, text, tokens, sentence.letters))
    sentence.upper_share = <uint8_t>(0 if n == 0 or n < n_caseless else (4 * n_upper + n // 2) // n)


cdef inline bint is_key(const uint8_t* text, uint32_t p, uint32_t end) noexcept nogil:
    """Whether a line is a key in lower case, such as btn_save, which says nothing of case."""
    cdef bint is_joined = False
    while p < end and text[p] > 0x20 and not 0x41 <= text[p] <= 0x5a:
        is_joined = is_joined or text[p] == 0x5f
        p += 1
    return is_joined and (p == end or (text[p] == 0x0d and p + 1 == end))


cdef inline int next_source_line(SourceSide* side, int segmentation) noexcept nogil:
    """Advance to the next line of the block; a Status."""
    cdef const AlignedText* aligned = side.aligned
    cdef uint32_t begin = side.position, end
    cdef int status
    cdef bint is_nothing
    side.line_number += 1
    side.words_before = 0
    side.line.tokens.n = 0
    # The caller counted the lines; a target line without a source line has an empty one.
    if side.line_number >= aligned.n_lines or begin > aligned.source_size:
        begin = end = aligned.source_size
    else:
        end = <uint32_t>find_byte(aligned.source, begin, aligned.source_size, 0x0a)
    side.position = end + 1
    is_nothing = is_key(aligned.source, begin, end)
    if is_nothing:
        begin = end
    status = segment_source(aligned.source, begin, end, segmentation, side.turkic, &side.line)
    if status == STATUS_OK:
        summarise_sentence(aligned.source, &side.line.tokens, side.turkic, side.noun_words,
                           &side.sentence)
        side.is_whole = (is_nothing or aligned.offsets == NULL
                         or aligned.unaligned[side.line_number] != 0)
    return status


cdef inline void choose_phrase(SourceSide* side, int32_t i) noexcept nogil:
    """Set ``side.line.phrase`` to the phrase of target token i."""
    cdef const AlignedText* aligned = side.aligned
    cdef bint of_words = is_word(side.tokens.tokens + i)
    cdef int64_t word
    if side.is_whole:
        select_whole(&side.line, i, side.tokens.n, of_words)
        return
    if side.word_of[i] < 0:
        select_phrase(&side.line, NULL, 0, of_words)
        return
    # Invariant: `summarise_phrases` checked that the word is one of the line's.
    word = aligned.line_offsets[side.line_number] + side.words_before + side.word_of[i]
    check(word < aligned.line_offsets[side.line_number + 1])
    check(aligned.offsets[word] <= aligned.offsets[word + 1])
    select_phrase(&side.line, aligned.links + aligned.offsets[word],
                  <int32_t>(aligned.offsets[word + 1] - aligned.offsets[word]), of_words)


cdef inline void add_same(SourceSide* side, int32_t place, const Token* token,
                          SourcePhrase* phrase) noexcept nogil:
    """Record the form of a copy, which is at `place` of the source line, or a part of that."""
    cdef int i
    # A first word's capital says nothing about the word elsewhere.
    cdef bint is_first = place == side.sentence.first_token and token.tag == TAG_IU
    for i in range(phrase.n_same):
        if phrase.same_tag[i] == token.tag and phrase.same_mask[i] == token.upper_mask:
            phrase.copy_is_first = phrase.copy_is_first and is_first
            return
    if phrase.n_same == MAX_SAME:
        return
    phrase.copy_is_first = is_first and phrase.n_same == 0
    phrase.same_tag[phrase.n_same] = token.tag
    phrase.same_mask[phrase.n_same] = token.upper_mask
    phrase.n_same += 1


cdef inline bint is_linked(const SourceSide* side, int32_t word,
                           int32_t source_word) noexcept nogil:
    """Whether a word of the target's piece is aligned with a source word; False outside it."""
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
    """Whether target token i is one of the words of the source's acronym at `place`.

    FAQ means frequently asked questions, USA the United States: words do not take its case.
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


cdef inline bint are_same(const SourceSide* side, int32_t i, int32_t place) noexcept nogil:
    """Whether target token i is the word at `place` of the source; False outside both."""
    cdef const TokenArray* source = &side.line.tokens
    return (0 <= i < side.tokens.n and 0 <= place < source.n
            and side.tokens.tokens[i].key == source.tokens[place].key
            and is_word(source.tokens + place))


cdef inline bint is_in_run(const SourceSide* side, int32_t i, int32_t place) noexcept nogil:
    """Whether target token i is part of a name of several words that both sides have.

    A neighbour is the same word and has a capital in the source, or two neighbours are the same.
    """
    cdef int32_t step, n = 0
    cdef const Token* token
    for step in range(-1, 2, 2):
        if not are_same(side, i + step, place + step):
            continue
        token = side.line.tokens.tokens + place + step
        n += 1
        if begins_upper(token.tag, token.upper_mask) or n == 2 or (
                are_same(side, i + 2 * step, place + 2 * step)):
            return True
    return False


cdef inline void add_same_words(SourceSide* side, int32_t target,
                                SourcePhrase* phrase) noexcept nogil:
    """Record the copies of a word in ``side.line.phrase``."""
    cdef uint64_t key = side.tokens.tokens[target].key
    cdef int32_t i, place
    cdef uint32_t at
    cdef const Token* token
    cdef Token part
    if not may_have_key(&side.line, key):
        return
    for i in range(side.line.n_phrase):
        place = side.line.phrase[i]
        token = side.line.tokens.tokens + place
        at = token.start
        part = token[0]
        while part.key != key and next_part(side.aligned.source, token, side.turkic, &at, &part):
            pass
        if part.key == key and part.tag != TAG_AN:
            add_same(side, place, &part, phrase)
            phrase.copy_is_in_run = phrase.copy_is_in_run or is_in_run(side, target, place)


cdef inline void summarise_aligned(SourceSide* side, int32_t target,
                                   SourcePhrase* phrase) noexcept nogil:
    """Summarise the case of the source words that a target token is aligned with."""
    cdef uint64_t key = side.tokens.tokens[target].key
    cdef int32_t i, place
    cdef const Token* token
    cdef bint lower = False
    for i in range(side.line.n_phrase):
        place = side.line.phrase[i]
        token = side.line.tokens.tokens + place
        phrase.is_aligned = 1
        if phrase.main_place < 0:
            phrase.main_place = place
        if token.tag == TAG_AN:
            continue
        if token.key != key and is_spelt_out(side, target, place):
            lower = True
            phrase.tags |= 1 << TAG_MX
            continue
        if phrase.main_tag == TAG_AN:
            phrase.main_tag = token.tag
            phrase.main_place = place
            phrase.starts_upper = begins_upper(token.tag, token.upper_mask)
        phrase.tags |= 1 << token.tag
        if place != side.sentence.first_token:
            phrase.inner_tags |= 1 << token.tag
        if token.tag != TAG_AU and not is_lone_upper(side.aligned.source, token, side.turkic):
            lower = True
    phrase.all_upper = phrase.tags & (1 << TAG_AU) and not lower


cdef inline void summarise_phrase(SourceSide* side, int32_t target) noexcept nogil:
    """Summarise the phrase of a target token."""
    cdef SourcePhrase* phrase = side.phrase + target
    choose_phrase(side, target)
    memset(phrase, 0, sizeof(SourcePhrase))
    phrase.main_tag = TAG_AN
    phrase.main_place = -1
    add_same_words(side, target, phrase)
    if side.is_whole:
        phrase.all_upper = side.sentence.all_upper
        return
    summarise_aligned(side, target, phrase)
    # A name is its own translation, whatever the links say.
    if phrase.n_same == 0 and may_have_key(&side.line, side.tokens.tokens[target].key):
        select_whole(&side.line, target, side.tokens.n, is_word(side.tokens.tokens + target))
        add_same_words(side, target, phrase)


cdef inline int32_t only_place(const TokenArray* tokens, uint64_t key) noexcept nogil:
    """Place of the only token with a key; else -1."""
    cdef int32_t i, place = -1
    for i in range(tokens.n):
        if tokens.tokens[i].key == key:
            if place >= 0:
                return -1
            place = i
    return place


cdef inline bint has_no_use(const SourceSide* side) noexcept nogil:
    """Whether a line has no links or wrong ones; False for long lines.

    Links are wrong if most words that both sides have once are aligned with other words.
    """
    cdef const AlignedText* aligned = side.aligned
    cdef const TokenArray* tokens = side.tokens
    cdef int32_t i, place, n = 0, n_linked = 0
    if (aligned.offsets[aligned.line_offsets[side.line_number]]
            == aligned.offsets[aligned.line_offsets[side.line_number + 1]]):
        return True
    # A word may be a whole text without spaces, so the limit is for tokens.
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


cdef inline int summarise_phrases(SourceSide* side, const uint8_t* text, uint32_t begin,
                                  uint32_t end, int segmentation, const TokenArray* tokens,
                                  bint is_last) noexcept nogil:
    """Summarise the phrases of the tokens of text[begin:end], a piece of the target line; a Status.

    `is_last`: the line ends with the piece. STATUS_INVALID: the alignment has another number of
    words.
    """
    cdef const AlignedText* aligned = side.aligned
    cdef int32_t word, i
    cdef int64_t n_words
    cdef int status = index_words(text, begin, end, segmentation, tokens, &side.words)
    if status != STATUS_OK:
        return status
    side.text = text
    side.tokens = tokens
    reset_arena(&side.arena)
    side.word_of = <int32_t*>take(&side.arena, tokens.n, sizeof(int32_t))
    side.phrase = <SourcePhrase*>take(&side.arena, tokens.n, sizeof(SourcePhrase))
    if side.arena.is_short:
        return STATUS_OUT_OF_MEMORY
    # A token of white space, which the segmentation `space` may give, is in no word.
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
        # A line in several pieces keeps its links.
        side.is_whole = is_last and side.words_before == 0 and has_no_use(side)
    for i in range(tokens.n):
        summarise_phrase(side, i)
    return STATUS_OK


cdef inline void end_piece(SourceSide* side) noexcept nogil:
    """Count the words of a piece of the target line after it."""
    side.words_before += side.words.n_words


cdef class AlignedBlock:
    cdef AlignedText aligned
    cdef list _owners            # of `aligned`'s memory
