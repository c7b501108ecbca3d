"""Forms that training never saw, made of the forms of their parts.

``LLMs`` of LLM, ``Bankman-Fried``, ``CRISPR-Cas9`` and ``U.N.-backed`` of what stands between the
hyphens, ``50Hz`` of a number and a unit. A model gives the word as a whole a score for each kind of
case. What is added here tells the forms of one kind apart, and how well each fits the parts:
weights of what the lexicon knows of them, and of the cases that follow one another. Units and
weights: composed.py, data/composed.json.

ASCII only, of at most 63 letters and marks; other words keep the candidates that they have.
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

from truecase.lattice._lattice cimport Lattice, Node
from truecase.lexicon._lexicon cimport LexiconView
from truecase.text._casing cimport TAG_AN
from truecase.text._key_index cimport KeyIndex
from truecase.text._token cimport (
    CLASS_ALPHABETIC,
    CLASS_QUANTITY,
    TOKEN_ASCII,
    TOKEN_KEEPS,
    TOKEN_LOWERS,
    TOKEN_VARIANT,
    Token,
)


cdef enum:
    MAX_PARTS = 8
    MAX_PART_FORMS = 6
    N_PART_KINDS = 3             # known, unknown, unknown with a digit
    N_PART_CASES = 5             # AL, IU, AU, MX, none
    N_WHOLE_CASES = 4            # AL, IU, AU, MX
    N_WHOLE_CLASSES = 5
    N_LENGTHS = 3                # up to 3 letters, 4 or 5, more
    N_SHARES = 4                 # of a known part's most frequent form
    N_PLURAL_LENGTHS = 5         # 3 letters … 7 and more


cdef struct ComposedWeights:     # data/weights.md says what each is
    float share
    float top[N_SHARES][N_WHOLE_CASES]
    float unseen[N_WHOLE_CASES]
    float kind[2][N_PART_KINDS][N_WHOLE_CASES]
    float length[N_LENGTHS][2][N_WHOLE_CASES]
    float letter[2][2][N_WHOLE_CASES]
    float pair[N_PART_CASES + 1][N_PART_CASES][4]
    float whole[N_WHOLE_CLASSES][N_WHOLE_CASES]
    float likely[N_WHOLE_CLASSES]
    float likely_unknown[2]
    float plural[3]
    float plural_stem_count
    float plural_stem_share
    float plural_length[N_PLURAL_LENGTHS]
    float plural_s[2]
    float plural_vowel[2]


cdef struct ComposedView:
    bint is_active
    const KeyIndex* units        # number of a unit's case
    const uint64_t* unit_mask
    ComposedWeights weights
    float unit_bonus


cdef struct Part:                # of a word; masks count from the word's first byte
    uint64_t letters
    uint64_t first               # of them
    int kind                     # of N_PART_KINDS; -1: it has no letters
    uint64_t likely              # of a known part its most frequent form
    int n_forms
    uint64_t mask[MAX_PART_FORMS]
    float score[MAX_PART_FORMS]


cdef struct Parts:
    int n                        # 0: the word is not made of parts
    uint64_t letters
    uint64_t first
    uint64_t likely              # each part in its likely form
    bint has_unknown             # part
    Part part[MAX_PARTS]


cdef inline bint may_be_composed(const uint8_t* text, const Token* token,
                                 uint32_t index) noexcept nogil:
    """Whether the rest has anything to say of a token; `index` as for `add_candidates`."""
    cdef uint32_t n = token.end - token.start
    if index or n < 3 or n > 63 or token.tag == TAG_AN or (
            token.flags & (TOKEN_ASCII | TOKEN_KEEPS | TOKEN_LOWERS | TOKEN_VARIANT)
            != TOKEN_ASCII):
        return False
    return token.word_class != CLASS_ALPHABETIC or text[token.end - 1] | 0x20 == 0x73


cdef inline bint may_be_unit(const uint8_t* text, const Token* token) noexcept nogil:
    """Whether `favour_unit` has anything to say of a token that the lexicon has."""
    return (token.word_class == CLASS_QUANTITY and 0x30 <= text[token.start] <= 0x39
            and 0x61 <= text[token.end - 1] | 0x20 <= 0x7a
            and token.flags & (TOKEN_ASCII | TOKEN_KEEPS | TOKEN_LOWERS | TOKEN_VARIANT)
            == TOKEN_ASCII and token.end - token.start <= 63)


# The candidates of an unknown word, as `add_candidates` has them or by the word's parts; a Status.
cdef int add_composed(Lattice* lattice, const ComposedView* composed, const LexiconView* lexicon,
                      const uint8_t* text, const Token* token) noexcept nogil

# Favour the unit's form among the nodes, from `first_node` on, of a number with a unit that the
# lexicon has: of one number it has seen little; a Status.
cdef int favour_unit(Lattice* lattice, const ComposedView* composed, const LexiconView* lexicon,
                     const uint8_t* text, const Token* token, int32_t first_node) noexcept nogil

# What that adds to a candidate, in nats.
cdef float unit_score(const ComposedView* composed, const uint8_t* text, const Token* token,
                      const Node* node) noexcept nogil

# What a candidate that `add_composed` made is favoured by, in nats.
cdef float composed_score(const ComposedView* composed, const LexiconView* lexicon,
                          const uint8_t* text, const Token* token,
                          const Node* node) noexcept nogil

# What models of English look at, which lasts as long as the process.
cdef ComposedView view_composed()
