"""Forms that training never saw, made of the forms of their parts.

``Bankman-Fried`` and ``U.N.-backed`` are made of the parts between the hyphens, ``LLMs`` of LLM. A
model scores the whole word for each kind of case; learned weights (data/composed.json) score each
form by the lexicon's knowledge of its parts, and by the cases that follow one another.

ASCII only, at most 63 bytes; other words keep the candidates that they have.
"""

from libc.stdint cimport int32_t, uint32_t, uint64_t, uint8_t

from truecase.kernels._structs cimport (
    CLASS_ALPHABETIC, TOKEN_WEIGHED, Lattice, LexiconView, Token
)
from truecase.kernels._tokens cimport apostrophe_length, in_list
from truecase.kernels._unicode cimport TAG_AL, TAG_AU, TAG_IU, TAG_MX, is_letter


cdef enum:
    N_PART_KINDS = 3             # known, unknown, unknown with a digit
    N_PART_CASES = 5             # AL, IU, AU, MX, none
    N_WHOLE_CASES = 4            # AL, IU, AU, MX
    N_WHOLE_CLASSES = 5
    N_LENGTHS = 3                # up to 3 letters, 4 or 5, more
    N_SHARES = 4                 # of a known part's most frequent form
    N_PLURAL_LENGTHS = 5         # 3 letters … 7 and more
    LIST_BYTES = 512


cdef struct PartWeights:         # data/composed.json describes each
    float share
    float top[N_SHARES][N_WHOLE_CASES]
    float unseen[N_WHOLE_CASES]
    float kind[2][N_PART_KINDS][N_WHOLE_CASES]
    float length[N_LENGTHS][2][N_WHOLE_CASES]
    float letter[2][2][N_WHOLE_CASES]
    float pair[N_PART_CASES + 1][N_PART_CASES][4]
    float whole[N_WHOLE_CLASSES][N_WHOLE_CASES]
    float likely[N_WHOLE_CLASSES]
    float likely_unknown[3]      # of known parts, with an unknown one, a name and a participle
    float plural[3]
    float plural_stem_count
    float plural_stem_share
    float plural_length[N_PLURAL_LENGTHS]
    float plural_s[2]
    float plural_vowel[2]


cdef struct PartRules:           # of a language
    const PartWeights* weights
    # Lists of `in_list`: words before and behind the hyphen of a name.
    char before_hyphen[LIST_BYTES]
    char behind_hyphen[LIST_BYTES]


cdef inline bint is_vowel(uint8_t byte) noexcept nogil:
    return (byte | 0x20) in (0x61, 0x65, 0x69, 0x6f, 0x75, 0x79)


cdef inline int case_in_part(uint64_t mask, uint64_t letters, uint64_t first) noexcept nogil:
    """The tag of a part or a word whose upper-case letters are `mask`."""
    if letters == 0:
        return N_WHOLE_CASES
    if mask == 0:
        return TAG_AL
    if mask == first:
        return TAG_IU
    return TAG_AU if mask == letters else TAG_MX


# Whether a word came in mixed case among others, with a small letter first: userName.
cdef inline bint is_camel(const Token* token) noexcept nogil:
    return token.tag == TAG_MX and token.flags & TOKEN_WEIGHED and not token.upper_mask & 1


cdef inline uint32_t second_capital(const uint8_t* text, const Token* token,
                                    uint32_t index) noexcept nogil:
    """Place of the letter behind a prefix, mc or an apostrophe's, of an unknown word; else 0."""
    cdef uint32_t n
    # A longer word has no mask.
    if index == 0 and token.word_class == CLASS_ALPHABETIC and not is_camel(token) and (
            token.end - token.start <= 63):
        if token.end - token.start > 4 and in_list(b" mc ", text + token.start, 2):
            return 2
        for n in range(1, 4):
            if token.end - token.start > n + 3 and (
                    apostrophe_length(text, token.start + n, token.end)):
                return n + 1
    return 0


# Replace the nodes of an unknown word, from `first_node` on, by forms made of its parts, if it has
# any; a Status.
cdef int make_of_parts(Lattice* lattice, const PartRules* rules, const LexiconView* lexicon,
                       const uint8_t* text, const Token* token, int32_t first_node) noexcept nogil

# The bonus of an acronym's plural, in nats; it depends on the word without its s.
cdef float plural_bonus(const PartWeights* weights, const LexiconView* lexicon,
                        const uint8_t* text, const Token* token) noexcept nogil

# The weights, which last as long as the process.
cdef const PartWeights* learned_weights() except NULL
