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


cdef inline bint is_double_quote(const uint8_t* text, const Token* token) noexcept nogil:
    """Whether a token is one of ``" “ ”``."""
    cdef const uint8_t* at = text + token.start
    return at[0] == 0x22 or (at[0] == 0xe2 and at[1] == 0x80 and (at[2] == 0x9c or at[2] == 0x9d))


cdef inline bint may_be_abbreviated(const uint8_t* text, const Token* token) noexcept nogil:
    """Whether `abbreviated_case` has anything to say of a token: of hardly any."""
    cdef uint32_t n = token.end - token.start
    cdef uint8_t after = text[token.end]
    if token.tag == TAG_AN:
        return False
    # Beside +, before :, of a letter before or behind / and before ), v. and OK, days and months
    # before a period, a letter and a hyphen.
    if after == 0x2b or after == 0x3a or (token.start > 0 and text[token.start - 1] == 0x2b):
        return True
    if n == 1:
        return after == 0x2f or after == 0x29 or (token.start > 0 and text[token.start - 1] == 0x2f)
    if n == 2:
        return (text[token.end - 1] == 0x2e and text[token.start] | 0x20 == 0x76) or (
            text[token.start] | 0x20 == 0x6f and text[token.start + 1] | 0x20 == 0x6b)
    # Sir and Madam
    return (after == 0x2e and n <= 5) or text[token.start + 1] == 0x2d or (
        n <= 6 and ((text[token.start] | 0x20 == 0x73 and text[token.start + 1] | 0x20 == 0x69)
                    or (text[token.start] | 0x20 == 0x6d and text[token.start + 2] | 0x20 == 0x64)))


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

# End of the head of a unit that tokens from `first` on begin with, of a line of n: ``Re:``,
# ``P.S.``; `first` if there is none.
cdef int32_t head_end(const AbbreviatedView* abbreviated, const Token* tokens, int32_t n,
                      int32_t first) noexcept nogil

# Whether token i of a sentence from `first` on, which stands behind a quotation mark, begins what
# someone says: ``he asked, "Are``.
cdef bint begins_speech(const AbbreviatedView* abbreviated, const uint8_t* text,
                        const Token* tokens, int32_t n, int32_t first, int32_t i) noexcept nogil

# Whether the period before token `end` is that of a date with which the sentence goes on.
cdef bint goes_on_after_date(const AbbreviatedView* abbreviated, const Token* tokens, int32_t n,
                             int32_t end) noexcept nogil

# What models of English look at, which lasts as long as the process.
cdef AbbreviatedView view_abbreviated()
