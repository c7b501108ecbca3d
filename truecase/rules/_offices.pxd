"""House style for offices: the case of ``president`` and ``committee`` where they stand alone.

``The president said``, not ``President Obama`` nor ``the Security Council``: beside a name, the
model decides. The style works on the best path, whose capitals show names.
"""

from libc.stdint cimport int32_t, uint8_t

from truecase.kernels._render cimport hyphenated_parts
from truecase.kernels._structs cimport (
    CLASS_HYPHENATED, NODE_FORCED, NODE_NAME, Lattice, Node, Token
)
from truecase.kernels._unicode cimport TAG_AL, TAG_AU, TAG_IU, TAG_MX
from truecase.rules._table cimport RulesView


cdef enum OfficeStyle:
    OFFICES_AS_LEARNED = 0
    OFFICES_CAPITAL = 1
    OFFICES_LOWER = 2


cdef struct OfficeCases:         # the style of each word of a sentence, filled by its owner
    uint8_t* style               # OfficeStyle
    int32_t capacity
    bint any


cdef struct TaggedSentence:      # the words of a sentence in the case of the best path
    const Token* tokens
    int32_t n
    const Lattice* lattice
    const int32_t* path


# Find the style of each word of a sentence but the one at `initial`; a Status.
cdef int find_offices(const RulesView* rules, int style, const TaggedSentence* sentence,
                      int32_t initial, OfficeCases* out) noexcept nogil


cdef inline void follow_style(Node* node, const uint8_t* text, const Token* token, int style,
                              bint turkic) noexcept nogil:
    """Give a candidate the case of its word by the style; names of a list keep theirs."""
    cdef bint has_parts = token.word_class == CLASS_HYPHENATED
    if node.flags & (NODE_FORCED | NODE_NAME) or node.tag == TAG_AU:
        return
    if style == OFFICES_CAPITAL and node.tag == TAG_AL:
        node.tag = TAG_IU
        if has_parts:
            node.tag = TAG_MX
            node.upper_mask = hyphenated_parts(text, token, turkic)
    elif style == OFFICES_LOWER and (node.tag == TAG_IU or (node.tag == TAG_MX and has_parts)):
        node.tag = TAG_AL
        node.upper_mask = 0
