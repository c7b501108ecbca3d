"""The lattice: for each word the candidate forms (nodes) that GEN proposes.

A lattice is the span of one sentence. Word i's nodes are
``first_node[i] … first_node[i + 1] - 1``, never empty, at most ``MAX_CANDIDATES``. A node
carries the identity of its form for the n-gram look-ups on the edges, and `score`, the
weighted sum of all features that depend on the node alone.

Where a model learns when to capitalise the first word of a sentence, a lowercase form is
there twice, rendered AL and rendered IU: same identity, another `tag`, flag ``NODE_RAISED``.

The likely case of a hyphenated word that the lexicon lacks, from the case of its parts.

GEN: the candidate forms of each word, from the lexicon, the tags and the given case.

Wang, Knight & Marcu (2006), 4.4, parts (i) and (ii).
"""

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, uint32_t, uint64_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memmove, memset

from truecase.base._check cimport check
from truecase.base._memory cimport STATUS_OK, STATUS_OUT_OF_MEMORY, grow
from truecase.kernels._lexicon cimport FORM_LAST, FORM_TAG, ClassForm, LexiconView, first_record
from truecase.kernels._render cimport ROOM_INITIAL, ROOM_UPPER, case_room, hyphenated_parts
from truecase.kernels._sentences cimport CAPITAL_DUTCH, capital_mask
from truecase.kernels._tokens cimport (
    CLASS_ALPHABETIC,
    CLASS_HYPHENATED,
    CLASS_OTHER,
    Token,
    canonical_code_point,
    describe,
    form_hash,
)
from truecase.kernels._unicode cimport (
    MAX_CODE_POINT,
    TAG_AL,
    TAG_AN,
    TAG_AU,
    TAG_IU,
    TAG_MX,
    CaseShape,
    add_to_shape,
    clear_shape,
    has_case,
    has_no_capital,
    shape_tag,
    to_lower,
    to_upper,
)


cdef enum:
    MAX_CANDIDATES = 64          # of a word: a mask has a bit for each
    # Of them, forms of a lexicon, the most frequent: room is left for AL, IU and AU (3), for what
    # a source proposes (8), for a listed name (1) or what speech has (1), and for a first word's
    # lowercase form that is raised (1).
    MAX_LEXICON_FORMS = 51


cdef enum NodeFlag:
    NODE_CLASS = 1               # the lexicon lacks the form: its class token stands for it
    NODE_UNSEEN = 2              # of those: the lexicon has other forms of the word
    NODE_PARTS = 4               # of those: hyphenated, and cased as its parts are by themselves
    NODE_RAISED = 8              # first word of a sentence: AL, but rendered with a capital
    NODE_SOURCE = 16             # proposed by the source sentence alone
    NODE_NAME = 32               # as a list of names has it
    NODE_FORCED = 64             # of those: no rule gives it a capital


cdef enum NodeState:             # what tag-transition weights on the edges tell apart
    STATE_START = 5              # <s>; 0 … 4 are the tags of the forms' identities
    STATE_END = 6                # </s>
    N_STATES = 8


cdef struct Node:
    uint64_t form                # form hash, or that of the class token that stands for it
    uint64_t upper_mask          # of an MX form: bit i set, code point i is upper case
    float lm                     # unigram log-probability of the form, natural log
    float backoff                # its unigram backoff, natural log
    float score                  # weighted node features, natural log
    float form_bonus             # of the score, what rules of forms add
    float speech_bonus           # what rules of speech add to it last of all
    uint8_t tag                  # Tag: the case to render
    uint8_t state                # NodeState: tag of the identity `form`, which may differ
    uint8_t flags                # NodeFlag
    uint8_t count                # code of the form's training count; 0 if not in the lexicon


cdef struct Lattice:
    Node* nodes
    int32_t* first_node          # n_words + 1 entries are valid
    uint8_t* neighbour_case      # 4 codes per word (`EdgeWeights`); read if those weights are used
    uint32_t* record             # 1 + place of each word's first form record; 0: unknown word
    int32_t n_words
    int32_t n_nodes
    int32_t word_capacity
    int32_t node_capacity


cdef inline size_t bytes_of_lattice(const Lattice* lattice) noexcept nogil:
    """Memory that is held."""
    return (<size_t>lattice.node_capacity * sizeof(Node)
            + <size_t>lattice.word_capacity * (sizeof(int32_t) + sizeof(uint32_t) + 4))


cdef inline int reserve_words(Lattice* lattice, int32_t n_words) noexcept nogil:
    """Room for `n_words` words with one node each; a Status."""
    cdef size_t wanted = <size_t>n_words + 2
    if lattice.word_capacity < n_words + 2:
        if (grow(<void**>&lattice.first_node, wanted, sizeof(int32_t)) != STATUS_OK
                or grow(<void**>&lattice.record, wanted, sizeof(uint32_t)) != STATUS_OK
                or grow(<void**>&lattice.neighbour_case, 4 * wanted, 1) != STATUS_OK):
            return STATUS_OUT_OF_MEMORY
        lattice.word_capacity = <int32_t>wanted
    return STATUS_OK


cdef inline int reserve_nodes(Lattice* lattice, int32_t extra) noexcept nogil:
    """Room for `extra` more nodes; a Status."""
    cdef size_t wanted
    if lattice.node_capacity - lattice.n_nodes >= extra:
        return STATUS_OK
    wanted = 2 * (<size_t>lattice.node_capacity + <size_t>extra)
    if wanted > <size_t>0x3fffffff:
        return STATUS_OUT_OF_MEMORY
    if grow(<void**>&lattice.nodes, wanted, sizeof(Node)) != STATUS_OK:
        return STATUS_OUT_OF_MEMORY
    lattice.node_capacity = <int32_t>wanted
    return STATUS_OK


cdef inline void free_lattice(Lattice* lattice) noexcept nogil:
    free(lattice.nodes)
    free(lattice.first_node)
    free(lattice.record)
    free(lattice.neighbour_case)
    lattice.record = NULL
    lattice.neighbour_case = NULL
    lattice.nodes = NULL
    lattice.first_node = NULL
    lattice.word_capacity = 0
    lattice.node_capacity = 0


cdef inline uint64_t likely_case(const LexiconView* lexicon, const Token* part,
                                 int* tag) noexcept nogil:
    """Tag of the most frequent form of a word by itself, and its mask if it is MX."""
    cdef uint32_t index = first_record(lexicon, part.key)
    cdef uint32_t record
    cdef const ClassForm* lower
    cdef const ClassForm* initial
    if index:
        record = lexicon.records[index - 1]
        tag[0] = record & FORM_TAG
        if tag[0] == TAG_MX and index + 1 < lexicon.n_records:
            return lexicon.records[index] | (<uint64_t>lexicon.records[index + 1] << 32)
        return 0
    tag[0] = TAG_AL
    if part.word_class == CLASS_ALPHABETIC:
        lower = &lexicon.classes[<int>CLASS_ALPHABETIC][<int>TAG_AL]
        initial = &lexicon.classes[<int>CLASS_ALPHABETIC][<int>TAG_IU]
        if (initial.log_probability + initial.log_word_given_class
                > lower.log_probability + lower.log_word_given_class):
            tag[0] = TAG_IU
    return 0


cdef inline uint64_t compose_parts(const LexiconView* lexicon, const uint8_t* text,
                                   const Token* token, bint turkic, int* tag) noexcept nogil:
    """Case of a hyphenated word whose parts have each their own likely case.

    Gives its tag, and the mask of its upper-case code points. Code points from the 64th on
    stay lowercase.
    """
    cdef uint32_t p = token.start, length, cp, i = 0, in_part = 0
    cdef uint32_t part_end
    cdef int part_tag = TAG_AL
    cdef uint64_t part_mask = 0, mask = 0
    cdef bint first_cased = True, raised
    cdef Token part
    cdef CaseShape shape
    clear_shape(&shape)
    part_end = p
    while p < token.end:
        cp = canonical_code_point(text, p, token.end, token.flags, &length)
        if cp == 0x2d or cp == 0x2010 or cp == 0x2011:
            add_to_shape(&shape, cp, turkic)
            p += length
            i += 1
            part_end = p
            continue
        if p >= part_end:
            # A new part: look it up whole.
            memset(&part, 0, sizeof(Token))
            part.start = p
            part_end = p
            while part_end < token.end:
                cp = canonical_code_point(text, part_end, token.end, token.flags, &length)
                if cp == 0x2d or cp == 0x2010 or cp == 0x2011:
                    break
                part_end += length
            part.end = part_end
            part.flags = token.flags
            describe(text, &part, turkic)
            part_mask = likely_case(lexicon, &part, &part_tag)
            first_cased = True
            in_part = 0
            cp = canonical_code_point(text, p, token.end, token.flags, &length)
        cp = to_lower(cp, turkic)
        if has_case(cp, turkic):
            raised = (
                part_tag == TAG_AU or (part_tag == TAG_IU and first_cased)
                or (part_tag == TAG_MX and in_part < 63 and (part_mask >> in_part) & 1)
            )
            first_cased = False
            if raised and i < 63 and to_upper(cp, turkic) != cp:
                mask |= <uint64_t>1 << i
                cp = to_upper(cp, turkic)
        elif cp > MAX_CODE_POINT or (first_cased and has_no_capital(cp, turkic)):
            first_cased = False
        add_to_shape(&shape, cp, turkic)
        p += length
        i += 1
        in_part += 1
    tag[0] = shape_tag(&shape)
    if tag[0] == TAG_AN:
        tag[0] = TAG_AL
    return mask if tag[0] == TAG_MX else 0


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
