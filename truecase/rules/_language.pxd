"""The rules of a language: its words and phrases in one table, and the cases that follow from them.

The lists stand in the language's TOML file (language.py); an entry of the table has a bit for each.

Forms (``50Hz``, plurals of acronyms, ``w/o``, ``v.``, keys, heads of mail, labels of lists, days
and months) have a case by the word itself and the words beside it; to n-grams, single letters are
initials and articles. Rules also find the head of a sentence (``Re:``), the period of a date, and
the beginning of a quotation.

Words of speech are fillers and short forms without their apostrophe, in lower case, but for those
of I, and spelled letters, in upper case. Training text hardly has them, so that names and
abbreviations of the same letters would win: ``so UM I think``.
"""

from libc.stdint cimport int32_t, uint32_t, uint64_t, uint8_t

from truecase.kernels._lexicon cimport FORM_TAG, first_record
from truecase.kernels._maps cimport find_key
from truecase.kernels._structs cimport (
    CLASS_ALPHABETIC, CLASS_QUANTITY, TOKEN_ASCII, TOKEN_KEEPS, TOKEN_LOWERS, TOKEN_SPACE_BEFORE,
    TOKEN_VARIANT, TOKEN_WEIGHED, KeyIndex, Lattice, LexiconView, Node, Token
)
from truecase.kernels._tokens cimport in_list
from truecase.kernels._unicode cimport (
    TAG_AL, TAG_AN, TAG_AU, TAG_IU, TAG_MX, is_digit, is_letter, scramble
)
from truecase.rules._parts cimport LIST_BYTES, PartRules, is_camel


cdef enum SpeechWord:            # [speech]
    SPEECH_LOWER = 1
    SPEECH_LIKELY_LOWER = 2
    SPEECH_I_AM = 4
    SPEECH_I_WILL = 8
    SPEECH_DOMAIN = 16
    SPEECH_NUMBER = 32
    SPEECH_HAS_CASE = 63         # those above; the others only decide on their neighbours
    SPEECH_AFTER_I_AM = 64
    SPEECH_AFTER_I_WILL = 128
    SPEECH_DOT = 256
    SPEECH_LETTER_PAIR = 512     # of a phrase
    SPEECH_AFTER_LETTER = 1024   # [sentences]
    SPEECH_BEFORE_LETTER = 2048
    SPEECH_ABBREVIATION = 4096
    SPEECH_AFTER_PACK = 8192     # [forms]
    SPEECH_BEFORE_PLURAL = 16384
    SPEECH_AFTER_PLURAL = 32768
    SPEECH_BEFORE_NUMBER = 65536
    SPEECH_MEASURED = 131072
    SPEECH_STRESSED = 262144
    SPEECH_STREET = 524288
    SPEECH_COMPASS = 1048576
    SPEECH_IN_ADDRESS = 1638400  # the last two, and before a number

cdef enum FormWord:              # [forms]
    FORM_DATE = 1
    FORM_WRITTEN = 2
    FORM_UPPER_FIRST = 4
    FORM_VERSUS = 8
    FORM_TITLE = 16
    FORM_LATIN = 32              # of a phrase, and of its last word
    FORM_UNIT = 64
    FORM_PACK = 128
    FORM_LABEL = 256
    FORM_HAS_CASE = 511          # those above, and others by the marks beside them
    FORM_ALIAS = 512             # of a phrase
    FORM_PREFIX = 1024
    FORM_COURT = 2048
    FORM_PARTY = 4096
    FORM_PLAINTIFF = 8192
    FORM_FIRM = 16384
    FORM_KEY = 32768
    FORM_HEAD = 65536
    FORM_UNIT_HEAD = 131072
    FORM_NOTE = 262144
    FORM_NOTE_HEAD = 524288
    FORM_BEFORE_DATE = 1048576
    FORM_AFTER_DATE = 2097152
    FORM_BETWEEN_DATES = 4194304
    FORM_ON_DATE = 8388608
    FORM_DATE_OR_WORD = 16777216
    FORM_SPEECH_VERB = 33554432
    FORM_SLASHED = 67108864      # of a phrase
    FORM_GLUED = 134217728

cdef enum OfficeWord:            # [offices]
    OFFICE_WORD = 1              # it stands in a phrase
    OFFICE_DETERMINER = 2
    OFFICE_ARTICLE = 4
    OFFICE_ADDRESS = 8
    OFFICE_JOIN = 16
    OFFICE_OF = 32
    OFFICE_NO_NAME = 64
    OFFICE_RANK = 128
    OFFICE_ORDINAL = 256
    OFFICE_POSSESSIVE = 512
    # Of a phrase:
    OFFICE_PHRASE = 1024
    OFFICE_BODY = 2048
    OFFICE_OFTEN_NAME = 4096
    OFFICE_WANTS_DETERMINER = 6144
    OFFICE_PLURAL = 8192
    OFFICE_ONLY_LOWER = 16384
    OFFICE_SHORT = 32768         # of a word
    OFFICE_CITED = 65536         # likewise
    OFFICE_MATTER = 131072       # likewise
    OFFICE_WRITTEN = 262144      # a word of a phrase that is written so
    OFFICE_HAS_CASE = 491520     # the last four

cdef enum:
    FILTER_WORDS = 512           # a power of two


cdef struct RuleWord:
    uint32_t speech              # SpeechWord
    uint32_t forms               # FormWord
    uint32_t offices             # OfficeWord
    uint64_t upper_mask          # of a word in its right case; of a second one from bit 32 on


cdef struct RulesView:
    const KeyIndex* index        # key of a word or phrase → place among `words`
    const RuleWord* words        # the first one stands for all words without an entry
    # Bit `key` modulo 32768 is set if a word of such a key may have a case by rule.
    const uint64_t* filter
    bint favours_speech          # the model scores candidates, and the language has the section
    bint favours_forms           # likewise, where the scores of candidates are their own
    bint has_abbreviations       # beside those that a lexicon has learned
    bint may_raise               # words inside a sentence: the pronoun, and direct speech
    bint raises_quotations       # of several words, behind a colon
    bint keeps_latin             # as they came in a cased text: the language has other letters
    bint lower_dates             # a month behind a number is lowercase
    int ordinals                 # digits of a number before a period that may be one; 0: none
    uint8_t pronoun              # letter of the pronoun with a capital; 0: none
    char short_forms[LIST_BYTES]  # letters that may follow its apostrophe
    uint32_t letter_words        # bit i: the letter is a word
    char ending[LIST_BYTES]       # of three letters: of words behind SPEECH_I_AM
    float sure                   # bonus of speech, in nats
    float likely
    float unit_bonus
    float form_bonus
    float likely_bonus
    const PartRules* parts       # NULL: unknown words are not cased by their parts


cdef struct Line:                # the tokens of a line of text, and what decides on their case
    const RulesView* rules
    const LexiconView* lexicon
    const uint8_t* text
    const Token* tokens
    int32_t n
    int32_t name_end             # words before it belong to a name, from where it was set


cdef inline uint64_t add_word(uint64_t phrase, uint64_t word) noexcept nogil:
    """Key of a phrase and one more word; the key of no words is 0."""
    return scramble(phrase + word)


cdef inline const RuleWord* rule_word(const RulesView* rules, uint64_t key) noexcept nogil:
    """Entry of a word or phrase; `NOT_FOUND` + 1 is 0."""
    return rules.words + <uint32_t>(find_key(rules.index, key) + 1)


cdef inline const RuleWord* rule_at(const Line* line, int32_t i) noexcept nogil:
    """Entry of the word at a token."""
    return rule_word(line.rules, line.tokens[i].key)


cdef inline uint32_t form_word(const Line* line, int32_t i) noexcept nogil:
    return rule_at(line, i).forms


cdef inline bint is_glued(const Line* line, int32_t i) noexcept nogil:
    """Whether no space stands between a token and the one before it."""
    return 0 <= i < line.n and not line.tokens[i].flags & TOKEN_SPACE_BEFORE


cdef inline bint is_bare(const Line* line, int32_t i) noexcept nogil:
    """Whether a token stands between spaces."""
    return line.tokens[i].flags & TOKEN_SPACE_BEFORE != 0 and (
        i + 1 == line.n or line.tokens[i + 1].flags & TOKEN_SPACE_BEFORE != 0)


cdef inline bint is_followed(const Line* line, int32_t i, uint8_t mark) noexcept nogil:
    """Whether a mark of one byte stands right behind a token."""
    cdef const Token* after = line.tokens + i + 1
    return is_glued(line, i + 1) and line.text[after.start] == mark and (
        after.end - after.start == 1)


cdef inline bint is_speech(const Line* line, int32_t i, uint32_t kind) noexcept nogil:
    """Whether token `i` exists and is a word of a kind."""
    return 0 <= i < line.n and rule_at(line, i).speech & kind != 0


cdef inline bint is_initial_letter(const Line* line, int32_t i) noexcept nogil:
    """Whether token `i` is a letter by itself, with or without its period."""
    cdef const Token* token = line.tokens + i
    return token.n_code_points == 1 or (
        token.n_code_points == 2 and line.text[token.end - 1] == 0x2e)


cdef inline bint is_determiner(const Line* line, int32_t i) noexcept nogil:
    return rule_at(line, i).offices & OFFICE_DETERMINER != 0


cdef inline bint is_of(const Line* line, int32_t i) noexcept nogil:
    return rule_at(line, i).offices & OFFICE_OF != 0


cdef inline uint8_t letter_at(const Line* line, int32_t i) noexcept nogil:
    """The letter from a to z of a token between spaces; 0 for any other token."""
    cdef uint8_t letter
    if i < 0 or i >= line.n or line.tokens[i].end - line.tokens[i].start != 1:
        return 0
    letter = line.text[line.tokens[i].start] | 0x20
    return letter if 0x61 <= letter <= 0x7a and is_bare(line, i) else 0


cdef inline const RuleWord* rule_of_pair(const Line* line, int32_t i, int32_t k) noexcept nogil:
    """Entry of the phrase of two words."""
    return rule_word(line.rules, add_word(add_word(0, line.tokens[i].key), line.tokens[k].key))


cdef inline bint may_have_case(const Line* line, int32_t i) noexcept nogil:
    """Whether a rule may favour a case for a word."""
    cdef uint64_t key = line.tokens[i].key
    return (line.rules.filter[(key >> 6) & (FILTER_WORDS - 1)] >> (key & 63)) & 1


cdef inline bint is_name_word(const Line* line, int32_t i) noexcept nogil:
    """Whether token `i` exists, and is a word that is mostly in upper case, or unknown."""
    cdef uint32_t index
    if i < 0 or i >= line.n or line.tokens[i].tag == TAG_AN:
        return False
    index = first_record(line.lexicon, line.tokens[i].key)
    return index == 0 or line.lexicon.records[index - 1] & FORM_TAG != TAG_AL


cdef inline bint is_whole_name(const Line* line, int32_t i) noexcept nogil:
    """Whether token `i` may be a name, and is no initial."""
    return is_name_word(line, i) and not is_initial_letter(line, i)


# The rules of a language, which last as long as the process. `scores`: the model scores candidates
# by n-grams; `own_scores`: it learned no other scores of unknown forms.
cdef RulesView view_rules(str language, bint scores, bint own_scores) except *


cdef inline bint is_plain(const Token* token) noexcept nogil:
    """Whether a word is of ASCII characters as they are, few enough for a mask."""
    return (token.end - token.start <= 63 and token.tag != TAG_AN
            and token.flags & (TOKEN_ASCII | TOKEN_KEEPS | TOKEN_LOWERS | TOKEN_VARIANT)
            == TOKEN_ASCII)


cdef inline uint64_t letters_of(const uint8_t* text, const Token* token) noexcept nogil:
    cdef uint64_t letters = 0
    cdef uint32_t p
    for p in range(token.start, token.end):
        if is_letter(text[p]):
            letters |= <uint64_t>1 << (p - token.start)
    return letters


cdef inline uint64_t letters_before_last(const uint8_t* text, const Token* token) noexcept nogil:
    """The letters of a word that ends with one, but for the last; it `is_plain`."""
    return letters_of(text, token) & ~(<uint64_t>1 << (token.end - token.start - 1))


cdef inline bint is_in_number(const uint8_t* text, uint32_t start, uint32_t p) noexcept nogil:
    """Whether a byte belongs to the number from `start` on: ``5-50``, ``15x20``."""
    if is_digit(text[p]) or 0x2c <= text[p] <= 0x2f:
        return True
    return p > start and text[p] | 0x20 == 0x78 and is_digit(text[p - 1]) and is_digit(text[p + 1])


cdef inline bint may_end_in_s(const uint8_t* text, const Token* token) noexcept nogil:
    # CQRS, as it came among other words, is no plural, nor is rTMS.
    return text[token.end - 1] | 0x20 == 0x73 and not is_camel(token) and (
        token.tag != TAG_AU or not token.flags & TOKEN_WEIGHED)


cdef inline bint may_be_new(const uint8_t* text, const Token* token, uint32_t index) noexcept nogil:
    """Whether the lexicon lacks a word (`index` is 0) that may be made of others."""
    return index == 0 and token.end - token.start >= 3 and is_plain(token) and (
        token.word_class != CLASS_ALPHABETIC or may_end_in_s(text, token))


cdef inline bint may_be_plural(const uint8_t* text, const Token* token, const Node* likely,
                               uint32_t index) noexcept nogil:
    """Whether the likeliest form of a known word is in upper case, with an S at its end."""
    return (index != 0 and likely.tag == TAG_AU and may_end_in_s(text, token)
            and token.end - token.start >= 3 and is_plain(token))


cdef inline bint may_be_unit(const uint8_t* text, const Token* token) noexcept nogil:
    """Whether a word may be a number with a unit; the lexicon has seen few of any one number."""
    return (token.word_class == CLASS_QUANTITY and 0x30 <= text[token.start] <= 0x39
            and 0x61 <= text[token.end - 1] | 0x20 <= 0x7a and is_plain(token))


cdef inline bint may_be_short(const Line* line, int32_t i) noexcept nogil:
    """Whether `short_case` may favour a case for a word, for its letters or the marks beside it."""
    cdef const Token* token = line.tokens + i
    cdef uint8_t after = line.text[token.end]
    cdef uint8_t before = line.text[token.start - 1] if token.start > 0 else 0
    return token.tag != TAG_AN and (
        after == 0x2b or after == 0x3a or before == 0x2b or may_have_case(line, i)
        or token.n_code_points == 2 and line.text[token.end - 1] == 0x2e
        or token.end - token.start == 1 and (after in (0x29, 0x2e, 0x2f) or before == 0x2f))


# Favour the forms that rules have for token `i`, whose nodes begin at `first_node`; `index` is that
# of `add_form`; a Status. It may set the end of a name that begins behind the token.
cdef int favour_forms(Line* line, int32_t i, uint32_t index, int32_t first_node,
                      Lattice* lattice) noexcept nogil

# Make the first words part of a name: those of a party before ``v.``, up to a comma (Board of
# Education v.), and those of a street behind its number.
cdef void name_first_words(Line* line) noexcept nogil

# The end of a sentence from `first` to `end`, or the place in it behind a letter with a period that
# ends a sentence: ``plan b. the``.
cdef int32_t letter_end(const Line* line, int32_t first, int32_t end) noexcept nogil

cdef int32_t label_of_speaker(const Token* tokens, int32_t n) noexcept nogil

# The end of a sentence's head (``Re:``, ``P.S.``) that begins at token `first`; else `first`.
cdef int32_t head_end(const Line* line, int32_t first) noexcept nogil

# Whether the period before token `end` belongs to a date or a party before v., after which the
# sentence goes on.
cdef bint goes_on_after_period(const Line* line, int32_t end) noexcept nogil

# Whether token `i`, behind a quotation mark in the sentence from `first`, begins direct speech:
# ``he asked, "Are``, ``it says: "Are``.
cdef bint begins_speech(const Line* line, int32_t first, int32_t i) noexcept nogil


cdef struct SpeechCase:
    int tag                      # favoured; TAG_AN: no tag is
    float bonus


cdef inline bint may_be_speech(const Line* line, int32_t i) noexcept nogil:
    """Whether a word may have a case by these rules; hardly any word of written text may."""
    cdef const Token* token = line.tokens + i
    return token.tag != TAG_AN if token.end - token.start == 1 else may_have_case(line, i)


# The case that is favoured for token `i`.
cdef SpeechCase speech_case(const Line* line, int32_t i) noexcept nogil

# Set `speech_bonus` of a word's nodes, which begin at `first`; add the favoured form if it is not
# there; a Status.
cdef int favour_speech(const SpeechCase* favoured, const Line* line, int32_t i, bint is_initial,
                       int32_t first, Lattice* lattice) noexcept nogil
