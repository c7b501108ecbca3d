"""Short forms of English whose case the words beside them tell. Lists: abbreviated.py."""

from libc.stdint cimport int32_t, uint8_t, uint32_t

from truecase.lattice._lattice cimport Lattice, Node
from truecase.lexicon._lexicon cimport LexiconView
from truecase.text._casing cimport TAG_AN
from truecase.text._key_index cimport KeyIndex
from truecase.text._token cimport Token


cdef struct AbbreviatedView:
    uint32_t slashed[26]         # behind each letter and a slash: bit i is set for letter i
    uint32_t slashed_upper[26]   # of those the ones in upper case
    const KeyIndex* words        # AbbreviatedWord
    float bonus


cdef inline bint may_be_abbreviated(const uint8_t* text, const Token* token) noexcept nogil:
    """Whether `abbreviated_case` has anything to say of a token: of hardly any."""
    cdef uint32_t n = token.end - token.start
    cdef uint8_t after = text[token.end]
    if token.tag == TAG_AN:
        return False
    # Beside +, before :, of a letter before or behind / and before ), and v.
    if after == 0x2b or after == 0x3a or (token.start > 0 and text[token.start - 1] == 0x2b):
        return True
    if n == 1:
        return after == 0x2f or after == 0x29 or (token.start > 0 and text[token.start - 1] == 0x2f)
    return n == 2 and text[token.end - 1] == 0x2e and text[token.start] | 0x20 == 0x76


# The tag that is favoured for token i of the n of a line; TAG_AN: none is.
cdef int abbreviated_case(const AbbreviatedView* abbreviated, const uint8_t* text,
                          const Token* tokens, int32_t n, int32_t i) noexcept nogil

# Favour that case among a token's nodes, from `first_node` on; `index` as for `add_form`; a Status.
cdef int favour_abbreviated(const AbbreviatedView* abbreviated, const LexiconView* lexicon,
                            const uint8_t* text, const Token* tokens, int32_t n, int32_t i,
                            uint32_t index, int32_t first_node, Lattice* lattice) noexcept nogil

# What a node of that case is favoured by, in nats.
cdef float abbreviated_bonus(const AbbreviatedView* abbreviated, const LexiconView* lexicon,
                             const Node* node) noexcept nogil

# What models of English look at, which lasts as long as the process.
cdef AbbreviatedView view_abbreviated()
