"""Words of English speech, and the case that is favoured for them where they stand.

Fillers and short forms without their apostrophe are lower case, those of I have a capital, spelled
letters are capitals. Texts that models learn from hardly have them, so that names and
abbreviations of the same letters decide: ``so UM I think``. Word lists: spoken.py.
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

from truecase.lattice._lattice cimport Lattice, Node
from truecase.lexicon._lexicon cimport LexiconView
from truecase.text._casing cimport TAG_AN
from truecase.text._key_index cimport KeyIndex
from truecase.text._token cimport Token


cdef enum SpokenWord:            # a word may be several
    SPOKEN_LOWER = 1
    SPOKEN_LIKELY_LOWER = 2
    SPOKEN_I_AM = 4
    SPOKEN_I_WILL = 8
    SPOKEN_DOMAIN = 16
    SPOKEN_NUMBER = 32
    # The others only tell of their neighbours.
    SPOKEN_AFTER_I_AM = 64
    SPOKEN_AFTER_I_WILL = 128
    SPOKEN_DOT = 256

cdef enum:
    SPOKEN_HAS_CASE = 63         # those that tell of themselves
    SPOKEN_FILTER_WORDS = 64


cdef struct SpokenView:
    bint is_active
    const KeyIndex* words        # keys of tokens; SpokenWord
    # Bit 0 … 4095 of a key is set if it may be among the words with a case of their own.
    const uint64_t* filter
    float sure                   # in nats
    float likely


cdef struct SpokenCase:
    int tag                      # favoured; TAG_AN: none is
    float bonus


cdef inline bint may_be_spoken(const SpokenView* spoken, const Token* token) noexcept nogil:
    """Whether the rest has anything to say of a token: of hardly any in written text."""
    cdef uint64_t bit = token.key & (64 * SPOKEN_FILTER_WORDS - 1)
    if token.end - token.start == 1:
        return token.tag != TAG_AN
    return (spoken.filter[bit >> 6] >> (bit & 63)) & 1


# The case that is favoured for token i of the n of a line.
cdef SpokenCase spoken_case(const SpokenView* spoken, const uint8_t* text, const Token* tokens,
                            int32_t n, int32_t i) noexcept nogil

# Mark a word's node of a case, among those from `first` on, and add it if it is not there. `index`
# as for `add_form`; a Status.
cdef int add_spoken_form(Lattice* lattice, const LexiconView* lexicon, const Token* token,
                         int tag, uint32_t index, int32_t first) noexcept nogil

# Add their bonus to the favoured forms of the words of a sentence, from token `first` on.
cdef void favour_spoken(const SpokenView* spoken, const LexiconView* lexicon,
                        const uint8_t* text, const Token* tokens, int32_t n, int32_t first,
                        int32_t initial, Lattice* lattice) noexcept nogil

# Whether a candidate is a word's favoured form; that of a first word may have a capital.
cdef bint is_favoured(const Node* node, int tag, bint is_initial) noexcept nogil

# Whether one of a word's candidates was marked.
cdef bint has_spoken_form(const Lattice* lattice, int32_t word) noexcept nogil

# What a favoured form is favoured by, in nats.
cdef float spoken_bonus(const SpokenCase* favoured, const LexiconView* lexicon,
                        const Token* token, const Node* node) noexcept nogil

# What models of English look at, which lasts as long as the process.
cdef SpokenView view_spoken()
