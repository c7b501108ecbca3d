"""The case of words in addresses, code and markup, whatever the search made of them.

Such a word stays in the lattice with the candidates that any word has, so that the words around
it are decided as they would be without the rule, and what is learned from text with spans is what
decodes it; only what is written of it is not the model's.
"""

from truecase.lattice._lattice cimport NODE_CLASS, Node
from truecase.source._phrase cimport SourcePhrase
from truecase.text._casing cimport TAG_AL, TAG_AN, TAG_MX
from truecase.text._token cimport CLASS_OTHER, TOKEN_KEEPS, TOKEN_LOWERS, TOKEN_MARKUP, Token


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
