"""The words and phrases of a language's rules in one table: a bit of an entry for each list.

The lists stand in the language's TOML file (language.py).
"""

from libc.stdint cimport int32_t, uint16_t, uint32_t, uint64_t, uint8_t

from truecase.kernels._maps cimport find_key
from truecase.kernels._structs cimport KeyIndex, Token
from truecase.kernels._unicode cimport scramble
from truecase.rules._parts cimport PartWeights


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

cdef enum FormWord:              # [forms]
    FORM_DATE = 1
    FORM_LETTERED = 2
    FORM_SALUTED = 4
    FORM_UPPER_FIRST = 8
    FORM_VERSUS = 16
    FORM_HAS_CASE = 31           # those above, and others by the marks beside them
    FORM_COURT = 32
    FORM_PARTY = 64
    FORM_CITES = 128
    FORM_KEY = 256
    FORM_HEAD = 512
    FORM_UNIT_HEAD = 1024
    FORM_NOTE = 2048
    FORM_NOTE_HEAD = 4096
    FORM_BEFORE_DATE = 8192
    FORM_AFTER_DATE = 16384
    FORM_BETWEEN_DATES = 32768
    FORM_ON_DATE = 65536
    FORM_DATE_OR_WORD = 131072
    FORM_SPEECH_VERB = 262144
    FORM_SALUTATION = 524288
    FORM_UNIT = 1048576
    FORM_SLASHED = 2097152       # of a phrase
    FORM_SLASHED_UPPER = 4194304
    FORM_ABBREVIATION = 8388608  # [sentences]

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

cdef enum:
    FILTER_WORDS = 64
    MAX_SHORT_FORMS = 8


cdef struct RuleWord:
    uint32_t speech              # SpeechWord
    uint32_t forms               # FormWord
    uint32_t offices             # OfficeWord
    uint64_t upper_mask          # of a unit in its right case


cdef struct RulesView:
    const KeyIndex* index        # key of a word or phrase → place among `words`
    const RuleWord* words        # the first one stands for all words without an entry
    # Bit `key` modulo 4096 is set if a word of such a key may have a case by rule.
    const uint64_t* filter
    bint favours_speech          # the model scores candidates, and the language has the section
    bint favours_forms           # likewise, where the scores of candidates are their own
    bint has_offices
    bint has_abbreviations       # beside those that a lexicon has learned
    bint may_raise               # words inside a sentence: the pronoun, and direct speech
    bint has_ordinals            # a number before a period may be one
    uint8_t pronoun              # letter of the pronoun with a capital; 0: none
    uint16_t short_form[MAX_SHORT_FORMS]    # one or two letters that may follow its apostrophe
    int n_short_forms
    uint32_t letter_words        # bit i: the letter is a word
    uint8_t ending[4]            # of three letters: of words behind SPEECH_I_AM
    float sure                   # bonus of speech, in nats
    float likely
    float unit_bonus
    float form_bonus
    const PartWeights* parts     # NULL: unknown words are not cased by their parts


cdef struct Line:                # the tokens of a line of text
    const uint8_t* text
    const Token* tokens
    int32_t n


cdef inline uint64_t add_word(uint64_t phrase, uint64_t word) noexcept nogil:
    """Key of a phrase and one more word; the key of no words is 0."""
    return scramble(phrase + word)


cdef inline const RuleWord* rule_word(const RulesView* rules, uint64_t key) noexcept nogil:
    """Entry of a word or phrase; `NOT_FOUND` + 1 is 0."""
    return rules.words + <uint32_t>(find_key(rules.index, key) + 1)


cdef inline bint may_have_case(const RulesView* rules, const Token* token) noexcept nogil:
    """Whether a rule may favour a case for a word."""
    return (rules.filter[(token.key >> 6) & (FILTER_WORDS - 1)] >> (token.key & 63)) & 1


# The rules of a language, which last as long as the process. `scores`: the model scores candidates
# by n-grams; `own_scores`: it learned no other scores of unknown forms.
cdef RulesView view_rules(str language, bint scores, bint own_scores) except *
