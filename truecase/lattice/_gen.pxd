"""GEN: the candidate forms of each word, from the lexicon, the tags and the given case.

Wang, Knight & Marcu (2006), 4.4, parts (i) and (ii).
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memmove

from truecase.lattice._hyphen cimport compose_parts
from truecase.lattice._lattice cimport (
    MAX_CANDIDATES,
    MAX_LEXICON_FORMS,
    NODE_CLASS,
    NODE_PARTS,
    NODE_RAISED,
    NODE_UNSEEN,
    Lattice,
    Node,
    reserve_nodes,
)
from truecase.lexicon._lexicon cimport (
    FORM_LAST,
    FORM_TAG,
    ClassForm,
    LexiconView,
)
from truecase.runtime._check cimport check
from truecase.runtime._status cimport STATUS_OK
from truecase.text._capital cimport CAPITAL_DUTCH, capital_mask
from truecase.text._casing cimport TAG_AL, TAG_AN, TAG_AU, TAG_IU, TAG_MX
from truecase.text._render cimport ROOM_INITIAL, ROOM_UPPER, case_room, hyphenated_parts
from truecase.text._token cimport CLASS_HYPHENATED, CLASS_OTHER, Token, form_hash


cdef inline uint8_t tag_code(int tag) noexcept nogil:
    """Index of a tag among the class forms: AN counts as AL."""
    return <uint8_t>(0 if tag == TAG_AN else tag)


cdef inline void class_node(Node* node, const LexiconView* lexicon, int word_class, int tag,
                            uint64_t upper_mask, bint key_is_known) noexcept nogil:
    """A form that the lexicon does not have: its class token stands for it."""
    cdef const ClassForm* token = &lexicon.classes[word_class][tag_code(tag)]
    node.form = token.form
    node.upper_mask = upper_mask
    node.lm = token.log_probability
    node.backoff = token.log_backoff
    node.score = token.log_word_given_class
    node.form_bonus = node.speech_bonus = 0.0
    node.flags = NODE_CLASS
    if key_is_known:
        node.score += lexicon.unseen_form
        node.flags = NODE_CLASS | NODE_UNSEEN
    node.tag = <uint8_t>tag
    node.state = <uint8_t>tag
    node.count = 0


cdef inline uint32_t record_node(Node* node, const LexiconView* lexicon, const Token* token,
                                 uint32_t index, bint* last) noexcept nogil:
    """The form recorded at `index`; the next record's index.

    Invariant: index < n_records. An MX record whose mask would lie beyond the records ends
    the walk, so a damaged file cannot lead outside.
    """
    cdef uint32_t record = lexicon.records[index]
    cdef int tag = record & FORM_TAG
    check(index < lexicon.n_records)
    node.upper_mask = 0
    index += 1
    last[0] = (record & FORM_LAST) != 0
    if tag == TAG_MX:
        if index + 2 > lexicon.n_records:
            last[0] = True
        else:
            node.upper_mask = lexicon.records[index] | (<uint64_t>lexicon.records[index + 1] << 32)
        index += 2
    if tag == TAG_AL and token.tag == TAG_AN:
        tag = TAG_AN
    node.tag = <uint8_t>tag
    node.state = <uint8_t>tag
    node.flags = 0
    node.count = <uint8_t>(record >> 24)
    node.form = form_hash(token.key, tag, node.upper_mask)
    node.lm = lexicon.probability_ln[(record >> 8) & 0xff]
    node.backoff = lexicon.backoff_ln[(record >> 16) & 0xff]
    node.score = node.form_bonus = node.speech_bonus = 0.0
    if index >= lexicon.n_records:
        last[0] = True
    return index


cdef inline int add_form(Lattice* lattice, const LexiconView* lexicon, const Token* token,
                         int tag, uint64_t upper_mask, uint32_t index) noexcept nogil:
    """One node, of this case; a Status. `index` is 1 + the first record's place."""
    cdef int status = reserve_nodes(lattice, 1)
    cdef Node* node
    cdef uint64_t form
    cdef bint last = index == 0, known = index != 0
    cdef int n = 0
    if status != STATUS_OK:
        return status
    node = lattice.nodes + lattice.n_nodes
    lattice.n_nodes += 1
    form = form_hash(token.key, tag, upper_mask)
    index -= 1
    while not last and n < MAX_CANDIDATES:
        index = record_node(node, lexicon, token, index, &last)
        if node.form == form:
            return STATUS_OK
        n += 1
    class_node(node, lexicon, token.word_class, tag, upper_mask, known)
    return STATUS_OK


cdef inline int add_hyphenated(Node* node, int n, const LexiconView* lexicon,
                               const uint8_t* text, const Token* token,
                               bint turkic) noexcept nogil:
    """Candidates of an unknown hyphenated word beside the `n` there are; their number.

    The form made of its parts' likely cases is favoured, and each part raised is one more.
    """
    cdef int tag, i
    cdef uint64_t parts = compose_parts(lexicon, text, token, turkic, &tag)
    cdef uint64_t raised = hyphenated_parts(text, token, turkic)
    cdef bint found = False
    if raised and not (tag == TAG_MX and raised == parts):
        class_node(node + n, lexicon, token.word_class, TAG_MX, raised, False)
        n += 1
    for i in range(n):
        if node[i].tag == tag and (tag != TAG_MX or node[i].upper_mask == parts):
            node[i].score += lexicon.parts_bonus
            node[i].flags |= NODE_PARTS
            found = True
    if not found:
        class_node(node + n, lexicon, token.word_class, tag, parts, False)
        node[n].score += lexicon.parts_bonus
        node[n].flags |= NODE_PARTS
        n += 1
    return n


cdef inline bint has_underscore(const uint8_t* text, const Token* token) noexcept nogil:
    """Whether a word is letters, digits and underscores, of which there is one at least."""
    cdef uint32_t p
    cdef uint8_t c
    cdef bint found = False
    for p in range(token.start, token.end):
        c = text[p]
        if c == 0x5f:
            found = True
        elif c < 0x30 or 0x39 < c < 0x41 or 0x5a < c < 0x61 or 0x7a < c < 0x80:
            return False
    return found


cdef inline void place_capital(Node* node, const uint8_t* text, const Token* token,
                               int capital_rule) noexcept nogil:
    """Raise the letters of an IU node that its language raises."""
    cdef uint64_t mask = capital_mask(text + token.start, token.end - token.start, capital_rule)
    if mask:
        node.tag = TAG_MX
        node.upper_mask = mask


cdef inline void raise_node(Node* node, const uint8_t* text, const Token* token,
                            int capital_rule) noexcept nogil:
    """Give an AL node the capital of its sentence's first word; it keeps its identity."""
    node.tag = TAG_IU
    # Of an Irish verb at the beginning of a sentence the first letter is raised.
    if capital_rule == CAPITAL_DUTCH:
        place_capital(node, text, token, capital_rule)


cdef inline int add_candidates(Lattice* lattice, const LexiconView* lexicon, const uint8_t* text,
                               const Token* token, uint32_t index, bint full,
                               bint turkic, int capital_rule) noexcept nogil:
    """The nodes of one word; a Status. `index` is 1 + the place of its first record, or 0.

    Known words: their forms, the most frequent first (ii), and with `full` AL, IU and AU
    where the lexicon lacks them (i). Unknown words: AL, IU, AU as far as they differ, a
    hyphenated one also with each part's first letter upper, one of no class AL only, and AU if
    underscores join its parts. A word without case: itself.
    """
    cdef int status = reserve_nodes(lattice, MAX_CANDIDATES + 4)
    cdef Node* node
    cdef int room
    cdef uint32_t seen = 0
    cdef int n = 0
    cdef bint last, known
    if status != STATUS_OK:
        return status
    node = lattice.nodes + lattice.n_nodes
    known = index != 0
    last = not known
    index -= 1
    while not last and n < MAX_LEXICON_FORMS:
        index = record_node(node + n, lexicon, token, index, &last)
        seen |= 1 << tag_code(node[n].tag)
        n += 1
    if full or not known:
        if token.tag == TAG_AN:
            room = 0
            if not seen:
                class_node(node, lexicon, token.word_class, TAG_AN, 0, known)
                n = 1
        else:
            room = case_room(text, token, turkic)
            if not known and token.word_class == CLASS_OTHER:
                # An address or an identifier (Agbago et al. 2005, 3.4: left in lowercase). Names
                # of constants are upper case as a rule.
                room = room & ROOM_UPPER if has_underscore(text, token) else 0
            if not seen & (1 << TAG_AL):
                class_node(node + n, lexicon, token.word_class, TAG_AL, 0, known)
                n += 1
            if room & ROOM_INITIAL and not seen & (1 << TAG_IU):
                class_node(node + n, lexicon, token.word_class, TAG_IU, 0, known)
                if capital_rule:
                    place_capital(node + n, text, token, capital_rule)
                n += 1
            if room & ROOM_UPPER and not seen & (1 << TAG_AU):
                class_node(node + n, lexicon, token.word_class, TAG_AU, 0, known)
                n += 1
            if not known and token.word_class == CLASS_HYPHENATED:
                n = add_hyphenated(node, n, lexicon, text, token, turkic)
    lattice.n_nodes += n
    return STATUS_OK


cdef inline int raise_initial(Lattice* lattice, const uint8_t* text, const Token* token,
                              int32_t first, bint turkic, int capital_rule) noexcept nogil:
    """Beside each AL node of a sentence's first word, those from `first` on, the same raised.

    For the language model both are the lowercase word; a Status.
    """
    cdef int32_t i, n = lattice.n_nodes
    cdef int status
    cdef Node* node
    if not case_room(text, token, turkic) & ROOM_INITIAL:
        return STATUS_OK
    status = reserve_nodes(lattice, n - first)
    if status != STATUS_OK:
        return status
    for i in range(first, n):
        if lattice.nodes[i].tag == TAG_AL and lattice.n_nodes - first < MAX_CANDIDATES:
            node = lattice.nodes + lattice.n_nodes
            node[0] = lattice.nodes[i]
            raise_node(node, text, token, capital_rule)
            node.flags |= NODE_RAISED
            lattice.n_nodes += 1
    return STATUS_OK


cdef inline void drop_raised(Lattice* lattice, int32_t word) noexcept nogil:
    """Of a first word's lowercase form, rendered AL and raised, keep the one of higher score.

    They differ in nothing else, so that the best path never takes the other.
    """
    cdef Node* node = lattice.nodes + lattice.first_node[word]
    cdef int32_t n = lattice.first_node[word + 1] - lattice.first_node[word]
    cdef int32_t c, other, dropped = 0
    for c in range(n - 1, -1, -1):
        if not node[c].flags & NODE_RAISED:
            break
        for other in range(c):
            if node[other].form == node[c].form and node[other].tag == TAG_AL:
                if node[c].score > node[other].score:
                    node[other] = node[c]
                dropped += 1
                break
    if dropped == 0:
        return
    # Raised nodes stand at the end of their word's.
    memmove(node + n - dropped, node + n, <size_t>(
        lattice.nodes + lattice.n_nodes - (node + n)) * sizeof(Node))
    lattice.n_nodes -= dropped
    for c in range(word + 1, lattice.n_words + 1):
        lattice.first_node[c] -= dropped


cdef inline uint64_t gold_candidates(const Lattice* lattice, int32_t word,
                                     const Token* token) noexcept nogil:
    """Bit mask of a word's candidates that are rendered as the text has it; 0 if none is.

    Several may be: a sentence's first word raised, and its capitalised form.
    """
    cdef const Node* node = lattice.nodes + lattice.first_node[word]
    cdef int32_t c
    cdef uint64_t mask = 0
    for c in range(min(lattice.first_node[word + 1] - lattice.first_node[word], 64)):
        if node[c].tag == token.tag and (
                token.tag != TAG_MX or node[c].upper_mask == token.upper_mask):
            mask |= <uint64_t>1 << c
    return mask
