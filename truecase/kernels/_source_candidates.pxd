"""The case of words in addresses, code and markup, whatever the search made of them.

Such a word stays in the lattice with the candidates that any word has, so that the words around
it are decided as they would be without the rule, and what is learned from text with spans is what
decodes it; only what is written of it is not the model's.

GEN, part (iii): candidates that the source sentence proposes.

Wang, Knight & Marcu (2006), 4.4: the forms that the same word has in the aligned phrase, which
gives URLs, file names and names their case; and of part (i) those of AL, IU and AU
that a word of the phrase has, where the lexicon lacks them.
"""

from libc.stdint cimport int32_t, uint64_t, uint8_t

from truecase.base._memory cimport STATUS_OK
from truecase.kernels._lattice cimport (
    MAX_CANDIDATES,
    NODE_CLASS,
    NODE_SOURCE,
    NODE_UNSEEN,
    Lattice,
    Node,
    class_node,
    reserve_nodes,
)
from truecase.kernels._lexicon cimport LexiconView
from truecase.kernels._render cimport ROOM_INITIAL, ROOM_UPPER, case_room
from truecase.kernels._source cimport SourcePhrase
from truecase.kernels._tokens cimport CLASS_OTHER, TOKEN_KEEPS, TOKEN_LOWERS, TOKEN_MARKUP, Token
from truecase.kernels._unicode cimport TAG_AL, TAG_AN, TAG_AU, TAG_IU, TAG_MX


cdef inline bint is_held(const Token* token) noexcept nogil:
    return (token.flags & (TOKEN_KEEPS | TOKEN_LOWERS)) != 0


cdef inline void hold_case(Node* node, const Token* token, bint lowers,
                           const SourcePhrase* phrase) noexcept nogil:
    """Give a candidate of a held word the case in which it is written.

    As given; or with `lowers`, where the case of the line says nothing, in lower case unless a
    source has the same word in that form (`phrase`, or NULL), or the word is one with signs in it
    that training saw in that form: .NET, README.md.
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
            if phrase.same_tag[i] == node.tag and (
                    node.tag != TAG_MX or phrase.same_mask[i] == node.upper_mask):
                return
    node.tag = TAG_AL
    node.upper_mask = 0


cdef enum:
    MAX_SOURCE_FORMS = 8         # same forms, AL, IU, AU: at least as many


cdef inline bint has_form(const Lattice* lattice, int32_t first, int tag,
                          uint64_t upper_mask) noexcept nogil:
    cdef int32_t i
    for i in range(first, lattice.n_nodes):
        if lattice.nodes[i].tag == tag and (tag != TAG_MX
                                            or lattice.nodes[i].upper_mask == upper_mask):
            return True
    return False


cdef inline void propose(Lattice* lattice, const LexiconView* lexicon, const Token* token,
                         int32_t first, int tag, uint64_t upper_mask, bint known) noexcept nogil:
    cdef Node* node = lattice.nodes + lattice.n_nodes
    if lattice.n_nodes - first >= MAX_CANDIDATES or has_form(lattice, first, tag, upper_mask):
        return
    class_node(node, lexicon, token.word_class, tag, upper_mask, known)
    node.flags |= NODE_SOURCE
    lattice.n_nodes += 1


cdef inline int add_source_forms(Lattice* lattice, const LexiconView* lexicon,
                                 const uint8_t* text, const Token* token,
                                 const SourcePhrase* phrase, int32_t first, bint known,
                                 bint turkic) noexcept nogil:
    """Add to the nodes from `first` on, those of one word, what its phrase proposes; a Status."""
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
        # An address or an identifier is cased as it is elsewhere, not as words are.
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
