"""What a list of names makes of the candidates of a word, of their scores and of the best path."""

from libc.math cimport M_LN2
from libc.stdint cimport int32_t, uint32_t

from truecase.lattice._gen cimport add_form
from truecase.lattice._lattice cimport (
    MAX_CANDIDATES,
    NODE_CLASS,
    NODE_FORCED,
    NODE_NAME,
    Lattice,
    Node,
)
from truecase.lexicon._lexicon cimport LexiconView
from truecase.names._names cimport NAME_FORCED, NAME_LIKELY, NamedToken, NamesView
from truecase.runtime._status cimport STATUS_OK
from truecase.text._casing cimport TAG_AL, TAG_MX
from truecase.text._token cimport Token


cdef inline bint is_named(const Node* node, const NamedToken* name) noexcept nogil:
    return node.tag == name.tag and (node.tag != TAG_MX or node.upper_mask == name.upper_mask)


cdef inline int add_sure_name(Lattice* lattice, const LexiconView* lexicon, const Token* token,
                              const NamedToken* name, uint32_t index) noexcept nogil:
    """The only node of a word that is nothing but a name; a Status. `index` as for `add_form`."""
    cdef int status = add_form(lattice, lexicon, token, name.tag, name.upper_mask, index)
    if status == STATUS_OK:
        lattice.nodes[lattice.n_nodes - 1].flags |= NODE_NAME
        if name.kind == NAME_FORCED:
            lattice.nodes[lattice.n_nodes - 1].flags |= NODE_FORCED
    return status


cdef inline int add_likely_name(Lattice* lattice, const LexiconView* lexicon, const Token* token,
                                const NamedToken* name, uint32_t index,
                                int32_t first) noexcept nogil:
    """Mark the name among a word's nodes, those from `first` on, and add it if it is not there.

    `index` as for `add_form`; a Status.
    """
    cdef int32_t c
    cdef int status
    for c in range(first, lattice.n_nodes):
        if is_named(lattice.nodes + c, name):
            lattice.nodes[c].flags |= NODE_NAME
            return STATUS_OK
    if lattice.n_nodes - first >= MAX_CANDIDATES - 1:
        return STATUS_OK
    status = add_form(lattice, lexicon, token, name.tag, name.upper_mask, index)
    if status == STATUS_OK:
        lattice.nodes[lattice.n_nodes - 1].flags |= NODE_NAME
    return status


cdef inline float name_bonus(const NamesView* names, const NamedToken* name,
                             const Node* node) noexcept nogil:
    """What a name's node is favoured by, in nats."""
    if node.tag == TAG_AL:
        return names.lower_bonus
    return names.bonus[name.last > name.first + 1][node.flags & NODE_CLASS != 0]


cdef inline void keep_more_frequent(const NamesView* names, const NamedToken* name,
                                    Lattice* lattice, int32_t first) noexcept nogil:
    """Of a word's nodes keep the first, or its name if that is more frequent with its bonus."""
    cdef int32_t c
    cdef Node* node = lattice.nodes + first
    for c in range(first + 1, lattice.n_nodes):
        # Codes of counts are eighths of the binary logarithm.
        if lattice.nodes[c].flags & NODE_NAME and (
                lattice.nodes[c].count * (M_LN2 / 8) + name_bonus(names, name, lattice.nodes + c)
                > node.count * (M_LN2 / 8)):
            node[0] = lattice.nodes[c]
            break
    lattice.n_nodes = first + 1


cdef inline void favour_names(const NamesView* names, const NamedToken* named,
                              Lattice* lattice) noexcept nogil:
    """Add their bonus to the nodes of names that are common words, too.

    `named` is the sentence's first token.
    """
    cdef int32_t word, c
    for word in range(lattice.n_words - 1):
        if named[word].kind != NAME_LIKELY:
            continue
        for c in range(lattice.first_node[word], lattice.first_node[word + 1]):
            if lattice.nodes[c].flags & NODE_NAME:
                lattice.nodes[c].score += name_bonus(names, named + word, lattice.nodes + c)


cdef inline int32_t node_of_name(const Lattice* lattice, int32_t word) noexcept nogil:
    """The place of a name among the nodes of a word, or -1."""
    cdef int32_t c
    for c in range(lattice.first_node[word], lattice.first_node[word + 1]):
        if lattice.nodes[c].flags & NODE_NAME:
            return c - lattice.first_node[word]
    return -1


cdef inline void settle_phrases(const NamedToken* named, int32_t first, const Lattice* lattice,
                                int32_t* path) noexcept nogil:
    """A name of several words is taken whole where the path has most of its capitals.

    `named` and `first` are the sentence's first token, and its number in the piece.
    """
    cdef int32_t word = 0, end, n_capitals, n_taken, w, c
    while word < lattice.n_words - 1:
        if named[word].kind != NAME_LIKELY or named[word].last == named[word].first + 1:
            word += 1
            continue
        end = min(named[word].last - first, lattice.n_words - 1)
        n_capitals = n_taken = 0
        for w in range(word, end):
            c = node_of_name(lattice, w)
            if c >= 0 and named[w].tag != TAG_AL:
                n_capitals += 1
                n_taken += path[w] == c
        if 2 * n_taken > n_capitals:
            for w in range(word, end):
                c = node_of_name(lattice, w)
                if c >= 0:
                    path[w] = c
        word = max(end, word + 1)
