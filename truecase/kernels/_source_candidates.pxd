"""Candidates that do not come from the lexicon: held words, and forms of the source sentence."""

from libc.stdint cimport int32_t, uint64_t, uint8_t

from truecase.base._memory cimport STATUS_OK
from truecase.kernels._lattice cimport MAX_CANDIDATES, class_node, is_cased_as, reserve_nodes
from truecase.kernels._render cimport ROOM_INITIAL, ROOM_UPPER, case_room
from truecase.kernels._structs cimport (
    CLASS_OTHER, NODE_CLASS, NODE_SOURCE, TOKEN_KEEPS, TOKEN_LOWERS, TOKEN_MARKUP, Lattice,
    LexiconView, Node, SourcePhrase, Token
)
from truecase.kernels._unicode cimport TAG_AL, TAG_AN, TAG_AU, TAG_IU


# Held words, in addresses, code and markup. They stay in the lattice with the usual candidates, so
# that their neighbours are decided as without the rule; only the rendering ignores the model.

cdef inline bint is_held(const Token* token) noexcept nogil:
    return (token.flags & (TOKEN_KEEPS | TOKEN_LOWERS)) != 0


cdef inline void hold_case(Node* node, const Token* token, bint lowers,
                           const SourcePhrase* phrase) noexcept nogil:
    """Give a candidate of a held word the case that it is rendered with.

    It is the input case. With `lowers`, if the line's case is not reliable, it is lower case,
    unless the source has the word in the candidate's form (`phrase`, or NULL), or the word has
    signs and training saw that form: .NET, README.md.
    """
    cdef int i
    if not (lowers and token.flags & TOKEN_LOWERS):
        node.tag = token.tag
        node.upper_mask = token.upper_mask
        return
    if node.tag == TAG_AL or node.tag == TAG_AN:
        return
    if token.word_class == CLASS_OTHER and not node.flags & NODE_CLASS and not (
            token.flags & TOKEN_MARKUP):
        return
    if phrase != NULL:
        for i in range(phrase.n_same):
            if is_cased_as(node, phrase.same_tag[i], phrase.same_mask[i]):
                return
    node.tag = TAG_AL
    node.upper_mask = 0


# GEN, part (iii) (Wang, Knight & Marcu 2006, 4.4): the forms that the same word has in the aligned
# phrase, which gives URLs and names their case; and AL, IU and AU, if a word of the phrase has that
# case and the lexicon lacks the form.

cdef enum:
    MAX_SOURCE_FORMS = 8         # at least MAX_SAME, and AL, IU, AU


cdef inline void propose(Lattice* lattice, const LexiconView* lexicon, const Token* token,
                         int32_t first, int tag, uint64_t upper_mask, bint known) noexcept nogil:
    """Add a form to a word's nodes, from `first` on, if it is not among them."""
    cdef Node* node = lattice.nodes + lattice.n_nodes
    cdef int32_t i
    if lattice.n_nodes - first >= MAX_CANDIDATES:
        return
    for i in range(first, lattice.n_nodes):
        if is_cased_as(lattice.nodes + i, tag, upper_mask):
            return
    class_node(node, lexicon, token.word_class, tag, upper_mask, known)
    node.flags |= NODE_SOURCE
    lattice.n_nodes += 1


cdef inline int add_source_forms(Lattice* lattice, const LexiconView* lexicon,
                                 const uint8_t* text, const Token* token,
                                 const SourcePhrase* phrase, int32_t first, bint known,
                                 bint turkic) noexcept nogil:
    """Add the phrase's forms to a word's nodes, which begin at `first`; a Status."""
    cdef int i, room
    cdef int status
    if token.tag == TAG_AN or not (phrase.n_same or phrase.all_upper or phrase.tags):
        return STATUS_OK
    status = reserve_nodes(lattice, MAX_SOURCE_FORMS)
    if status != STATUS_OK:
        return status
    for i in range(phrase.n_same):
        propose(lattice, lexicon, token, first, phrase.same_tag[i], phrase.same_mask[i], known)
    if token.word_class == CLASS_OTHER:
        # An address or identifier takes its case from copies only.
        return STATUS_OK
    room = case_room(text, token, turkic)
    if phrase.inner_tags & (1 << TAG_AL) or phrase.main_tag == TAG_AL:
        propose(lattice, lexicon, token, first, TAG_AL, 0, known)
    if room & ROOM_INITIAL and (phrase.inner_tags & (1 << TAG_IU)
                                or (phrase.all_upper and not room & ROOM_UPPER)):
        propose(lattice, lexicon, token, first, TAG_IU, 0, known)
    if room & ROOM_UPPER and (phrase.all_upper or phrase.tags & (1 << TAG_AU)):
        propose(lattice, lexicon, token, first, TAG_AU, 0, known)
    return STATUS_OK
