"""The lattice of a sentence: for each word the candidates (nodes) of GEN.

Word i has the nodes ``first_node[i] … first_node[i + 1] - 1``, at least 1, at most
``MAX_CANDIDATES``. A node has the identity of its form, for the n-gram look-ups on the edges, and
its `score`, the weighted sum of all features of the node alone.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memset

from truecase.base._memory cimport (
    STATUS_OK, STATUS_OUT_OF_MEMORY, Arena, free_arena, reserve_counted, reset_arena, take
)
from truecase.kernels._lexicon cimport FORM_TAG, first_record, mask_of_record, next_record
from truecase.kernels._render cimport ROOM_INITIAL, ROOM_UPPER, case_room, hyphenated_parts
from truecase.kernels._sentences cimport CAPITAL_DUTCH, capital_mask
from truecase.kernels._structs cimport (
    CLASS_ALPHABETIC, CLASS_HYPHENATED, CLASS_OTHER, NODE_CLASS, NODE_DROPPED, NODE_PARTS,
    NODE_RAISED, NODE_SOURCE, NODE_UNSEEN, TOKEN_KEEPS, TOKEN_LOWERS, TOKEN_MARKUP, ClassForm,
    Lattice, LexiconView, Node, SourcePhrase, Token
)
from truecase.kernels._tokens cimport canonical_code_point, form_hash, is_hyphen, token_of
from truecase.kernels._unicode cimport (
    MAX_CODE_POINT, TAG_AL, TAG_AN, TAG_AU, TAG_IU, TAG_MX, CaseShape, add_to_shape, clear_shape,
    has_case, has_no_capital, shape_tag, to_lower, to_upper
)


cdef enum:
    MAX_CANDIDATES = 64          # of a word: masks have a bit for each
    MOST_IN_SMALL_PART = 3       # code points: Châlons-en-Champagne
    # Most frequent forms of the lexicon among them; room is left for AL, IU and AU (3), for the
    # source's forms (8), for a listed name or a form of speech (1), and for a first word's raised
    # lowercase form (1).
    MAX_LEXICON_FORMS = 51


cdef inline Node* candidates_of(const Lattice* lattice, int32_t word, int32_t* n) noexcept nogil:
    """The candidates of a word, and how many they are."""
    n[0] = lattice.first_node[word + 1] - lattice.first_node[word]
    return lattice.nodes + lattice.first_node[word]


cdef inline double weighted_sum(const float* weight, const float* value, int n) noexcept nogil:
    """What features of a node, or of its source, add to its score."""
    cdef double total = 0.0
    cdef int k
    for k in range(n):
        total += <double>weight[k] * value[k]
    return total


cdef inline size_t bytes_of_lattice(const Lattice* lattice) noexcept nogil:
    """Bytes of memory that the lattice holds."""
    return <size_t>lattice.node_capacity * sizeof(Node) + lattice.arena.size


cdef inline int reserve_words(Lattice* lattice, int32_t n_words) noexcept nogil:
    """Room for `n_words` words, in place of others; a Status."""
    cdef Arena* arena = &lattice.arena
    cdef size_t wanted = <size_t>n_words + 2
    reset_arena(arena)
    lattice.first_node = <int32_t*>take(arena, wanted, sizeof(int32_t))
    lattice.record = <uint32_t*>take(arena, wanted, sizeof(uint32_t))
    lattice.neighbour_case = <uint8_t*>take(arena, wanted, 4)
    return STATUS_OUT_OF_MEMORY if arena.is_short else STATUS_OK


cdef inline int reserve_nodes(Lattice* lattice, int32_t extra) noexcept nogil:
    """Room for `extra` more nodes; a Status."""
    return reserve_counted(<void**>&lattice.nodes, &lattice.node_capacity,
                           <int64_t>lattice.n_nodes + extra, sizeof(Node))


cdef inline void free_lattice(Lattice* lattice) noexcept nogil:
    free(lattice.nodes)
    free_arena(&lattice.arena)
    memset(lattice, 0, sizeof(Lattice))


# The likely case of a hyphenated word that the lexicon lacks, from its parts.

cdef inline uint64_t likely_case(const LexiconView* lexicon, const Token* part,
                                 int* tag) noexcept nogil:
    """Tag of a word's most frequent form, and the mask of an MX form."""
    cdef uint32_t index = first_record(lexicon, part.key)
    cdef const ClassForm* lower
    cdef const ClassForm* initial
    if index:
        tag[0] = lexicon.records[index - 1] & FORM_TAG
        return mask_of_record(lexicon, index) if tag[0] == TAG_MX else 0
    tag[0] = TAG_AL
    if part.word_class == CLASS_ALPHABETIC:
        lower = &lexicon.classes[<int>CLASS_ALPHABETIC][<int>TAG_AL]
        initial = &lexicon.classes[<int>CLASS_ALPHABETIC][<int>TAG_IU]
        if (initial.log_probability + initial.log_word_given_class
                > lower.log_probability + lower.log_word_given_class):
            tag[0] = TAG_IU
    return 0


cdef inline bint is_raised_in(int tag, uint64_t upper_mask, uint32_t i,
                              bint is_first) noexcept nogil:
    if tag == TAG_AU or (tag == TAG_IU and is_first):
        return True
    return tag != TAG_AL and tag != TAG_IU and i < 63 and (upper_mask >> i) & 1


cdef inline uint32_t end_of_part(const uint8_t* text, uint32_t p,
                                 const Token* token) noexcept nogil:
    cdef uint32_t length
    while p < token.end and (
            not is_hyphen(canonical_code_point(text, p, token.end, token.flags, &length))):
        p += length
    return p


cdef inline uint64_t compose_parts(const LexiconView* lexicon, const uint8_t* text,
                                   const Token* token, int* tag) noexcept nogil:
    """Tag and mask of a hyphenated word whose parts have their own likely case.

    Code points from the 64th on are lowercase.
    """
    cdef uint32_t p = token.start, length, cp, i = 0, in_part = 0
    cdef int part_tag = TAG_AL
    cdef uint64_t part_mask = 0, mask = 0
    cdef bint first_cased = True, raised, turkic = lexicon.turkic
    cdef Token part
    cdef CaseShape shape
    clear_shape(&shape)
    while p < token.end:
        cp = canonical_code_point(text, p, token.end, token.flags, &length)
        if is_hyphen(cp):
            in_part = 0
        else:
            if in_part == 0:
                part = token_of(text, p, end_of_part(text, p, token), token.flags, turkic)
                part_mask = likely_case(lexicon, &part, &part_tag)
                first_cased = True
            cp = to_lower(cp, turkic)
            if has_case(cp, turkic):
                raised = is_raised_in(part_tag, part_mask, in_part, first_cased)
                first_cased = False
                if raised and i < 63 and to_upper(cp, turkic) != cp:
                    mask |= <uint64_t>1 << i
                    cp = to_upper(cp, turkic)
            elif cp > MAX_CODE_POINT or (first_cased and has_no_capital(cp, turkic)):
                first_cased = False
            in_part += 1
        add_to_shape(&shape, cp, turkic)
        p += length
        i += 1
    tag[0] = shape_tag(&shape)
    if tag[0] == TAG_AN:
        tag[0] = TAG_AL
    return mask if tag[0] == TAG_MX else 0


# GEN: the candidates of a word (Wang, Knight & Marcu 2006, 4.4, parts (i) and (ii)).

cdef inline bint is_cased_as(const Node* node, int tag, uint64_t upper_mask) noexcept nogil:
    return node.tag == tag and (tag != TAG_MX or node.upper_mask == upper_mask)


cdef inline int32_t place_of_form(const Node* nodes, int32_t n, int tag,
                                  uint64_t upper_mask) noexcept nogil:
    """Place of the node with this case among n, or n."""
    cdef int32_t i
    for i in range(n):
        if is_cased_as(nodes + i, tag, upper_mask):
            return i
    return n


cdef inline uint8_t tag_code(int tag) noexcept nogil:
    """Index of a tag among the class forms: AN counts as AL."""
    return <uint8_t>(0 if tag == TAG_AN else tag)


cdef inline void class_node(Node* node, const LexiconView* lexicon, int word_class, int tag,
                            uint64_t upper_mask, bint key_is_known) noexcept nogil:
    """Set the node of a form that the lexicon lacks, with its class token's identity."""
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
                                 uint32_t index) noexcept nogil:
    """Set the node of the form of a record; `index` and the result are those of `next_record`."""
    cdef uint32_t record = lexicon.records[index - 1], after = next_record(lexicon, index)
    cdef int tag = record & FORM_TAG
    node.upper_mask = mask_of_record(lexicon, index) if tag == TAG_MX else 0
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
    return after


cdef inline int add_form(Lattice* lattice, const LexiconView* lexicon, const Token* token,
                         int tag, uint64_t upper_mask, uint32_t index) noexcept nogil:
    """Add the node of one case; a Status. `index` is that of `add_candidates`."""
    cdef int status = reserve_nodes(lattice, 1)
    cdef Node* node
    cdef uint64_t form
    cdef bint known = index != 0
    cdef int n = 0
    if status != STATUS_OK:
        return status
    node = lattice.nodes + lattice.n_nodes
    lattice.n_nodes += 1
    form = form_hash(token.key, tag, upper_mask)
    while index and n < MAX_CANDIDATES:
        index = record_node(node, lexicon, token, index)
        if node.form == form:
            return STATUS_OK
        n += 1
    class_node(node, lexicon, token.word_class, tag, upper_mask, known)
    return STATUS_OK


cdef inline void place_capital(Node* node, const uint8_t* text, const Token* token,
                               int capital_rule) noexcept nogil:
    """Raise the letters of an IU node that the language raises."""
    cdef uint64_t mask = capital_mask(text + token.start, token.end - token.start, capital_rule)
    if mask:
        node.tag = TAG_MX
        node.upper_mask = mask


cdef inline uint64_t raised_parts(const LexiconView* lexicon, const uint8_t* text,
                                  const Token* token, int tag, uint64_t likely) noexcept nogil:
    """Mask of the parts of a word, without short ones inside that are mostly lower case."""
    cdef uint64_t part, whole = hyphenated_parts(text, token, lexicon.turkic), mask = whole
    cdef uint32_t p = token.start, length, i = 0, first = 0
    while mask and tag != TAG_AU and p < token.end and i < 63:
        if is_hyphen(canonical_code_point(text, p, token.end, token.flags, &length)):
            part = ((<uint64_t>1 << i) - 1) >> first << first
            if 0 < first and i <= first + MOST_IN_SMALL_PART and likely & part == 0:
                mask &= ~part
            first = i + 1
        p += length
        i += 1
    return mask if mask & (mask - 1) else whole


cdef inline bint adapt_form(Node* node, int n, const LexiconView* lexicon, const uint8_t* text,
                            const Token* token) noexcept nogil:
    """Place capitals of node `n`, a form of the lexicon; whether an earlier node has the form."""
    cdef int tag
    cdef uint64_t parts
    if lexicon.capital_rule == CAPITAL_DUTCH and node[n].tag == TAG_IU:
        place_capital(node + n, text, token, lexicon.capital_rule)
    # Ostrov-Na-Mori, from a list of names.
    if node[n].tag == TAG_MX and (
            node[n].upper_mask == hyphenated_parts(text, token, lexicon.turkic)):
        parts = compose_parts(lexicon, text, token, &tag)
        node[n].upper_mask = raised_parts(lexicon, text, token, tag, parts)
        return place_of_form(node, n, TAG_MX, node[n].upper_mask) < n
    return False


cdef inline int add_hyphenated(Node* node, int n, const LexiconView* lexicon,
                               const uint8_t* text, const Token* token) noexcept nogil:
    """Add candidates of an unknown hyphenated word to its `n`; their number.

    They are the form with each part raised and that with the parts' likely cases, which gets a
    bonus.
    """
    cdef int tag, i
    cdef uint64_t parts = compose_parts(lexicon, text, token, &tag)
    cdef uint64_t raised = raised_parts(lexicon, text, token, tag, parts)
    cdef bint found = False
    if raised and not (tag == TAG_MX and raised == parts):
        class_node(node + n, lexicon, token.word_class, TAG_MX, raised, False)
        n += 1
    for i in range(n):
        if is_cased_as(node + i, tag, parts):
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
    """Whether a word has letters, digits and underscores only, and an underscore between them."""
    cdef uint32_t p
    cdef uint8_t c
    cdef bint found = False
    for p in range(token.start, token.end):
        c = text[p]
        if c == 0x5f:
            # Not ``_word_``, which is emphasis.
            found = found or token.start < p < token.end - 1 and text[p + 1] != 0x5f and (
                text[p - 1] != 0x5f)
        elif c < 0x30 or 0x39 < c < 0x41 or 0x5a < c < 0x61 or 0x7a < c < 0x80:
            return False
    return found


cdef inline void raise_node(Node* node, const uint8_t* text, const Token* token,
                            int capital_rule) noexcept nogil:
    """Render an AL node with the capital of a first word; its identity stays."""
    node.tag = TAG_IU
    # Irish verbs at the beginning of a sentence have their first letter raised.
    if capital_rule == CAPITAL_DUTCH:
        place_capital(node, text, token, capital_rule)


cdef inline int add_candidates(Lattice* lattice, const LexiconView* lexicon, const uint8_t* text,
                               const Token* token, uint32_t index, bint full) noexcept nogil:
    """Add the nodes of one word; a Status. `index` is 1 + the place of its first record, or 0.

    Known words get their forms, the most frequent first (ii), and with `full` AL, IU and AU if the
    lexicon lacks them (i). Unknown words get AL, IU and AU as far as they differ, and those of
    `add_hyphenated`; without a word class AL only, and AU if they have underscores. A word
    without case gets itself.
    """
    cdef int status = reserve_nodes(lattice, MAX_CANDIDATES + 4)
    cdef Node* node
    cdef int room
    cdef uint32_t seen = 0
    cdef int n = 0
    cdef bint known = index != 0
    if status != STATUS_OK:
        return status
    node = lattice.nodes + lattice.n_nodes
    while index and n < MAX_LEXICON_FORMS:
        index = record_node(node + n, lexicon, token, index)
        seen |= 1 << tag_code(node[n].tag)
        n += not adapt_form(node, n, lexicon, text, token)
    if full or not known:
        if token.tag == TAG_AN:
            room = 0
            if not seen:
                class_node(node, lexicon, token.word_class, TAG_AN, 0, known)
                n = 1
        else:
            room = case_room(text, token, lexicon.turkic)
            if not known and token.word_class == CLASS_OTHER:
                # An address or identifier is lowercase (Agbago et al. 2005, 3.4). Constants are
                # mostly upper case.
                room = room & ROOM_UPPER if has_underscore(text, token) else 0
            elif room == ROOM_UPPER and not known:
                room = 0                               # Georgian has no capitals in running text
            if not seen & (1 << TAG_AL):
                class_node(node + n, lexicon, token.word_class, TAG_AL, 0, known)
                n += 1
            if room & ROOM_INITIAL and not seen & (1 << TAG_IU):
                class_node(node + n, lexicon, token.word_class, TAG_IU, 0, known)
                if lexicon.capital_rule:
                    place_capital(node + n, text, token, lexicon.capital_rule)
                n += 1
            if room & ROOM_UPPER and not seen & (1 << TAG_AU):
                class_node(node + n, lexicon, token.word_class, TAG_AU, 0, known)
                n += 1
            if not known and token.word_class == CLASS_HYPHENATED:
                n = add_hyphenated(node, n, lexicon, text, token)
    lattice.n_nodes += n
    return STATUS_OK


# GEN, part (iii) (Wang, Knight & Marcu 2006, 4.4): the forms that the same word has in the aligned
# phrase, which gives URLs and names their case; and AL, IU and AU, if a word of the phrase has that
# case and the lexicon lacks the form.

cdef enum:
    MAX_SOURCE_FORMS = 8         # at least MAX_SAME, and AL, IU, AU


cdef inline void propose(Lattice* lattice, const LexiconView* lexicon, const Token* token,
                         int32_t first, int tag, uint64_t upper_mask, bint known) noexcept nogil:
    """Add a form to a word's nodes, from `first` on, if it is not among them."""
    cdef Node* node = lattice.nodes + lattice.n_nodes
    cdef int32_t n = lattice.n_nodes - first
    if n >= MAX_CANDIDATES or place_of_form(lattice.nodes + first, n, tag, upper_mask) < n:
        return
    class_node(node, lexicon, token.word_class, tag, upper_mask, known)
    node.flags |= NODE_SOURCE
    lattice.n_nodes += 1


cdef inline int add_source_forms(Lattice* lattice, const LexiconView* lexicon,
                                 const uint8_t* text, const Token* token,
                                 const SourcePhrase* phrase, int32_t first,
                                 bint known) noexcept nogil:
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
    room = case_room(text, token, lexicon.turkic)
    if phrase.inner_tags & (1 << TAG_AL) or phrase.main_tag == TAG_AL:
        propose(lattice, lexicon, token, first, TAG_AL, 0, known)
    if room & ROOM_INITIAL and (phrase.inner_tags & (1 << TAG_IU)
                                or (phrase.all_upper and not room & ROOM_UPPER)):
        propose(lattice, lexicon, token, first, TAG_IU, 0, known)
    if room & ROOM_UPPER and (phrase.all_upper or phrase.tags & (1 << TAG_AU)):
        propose(lattice, lexicon, token, first, TAG_AU, 0, known)
    return STATUS_OK


# First words.

cdef inline int raise_initial(Lattice* lattice, const LexiconView* lexicon, const uint8_t* text,
                              const Token* token, int32_t first) noexcept nogil:
    """For each AL node of a first word, from `first` on, add one with a capital; a Status.

    Both have the same identity, so that the language model sees the lowercase word.
    """
    cdef int32_t i, n = lattice.n_nodes
    cdef int status
    cdef Node* node
    # A number has none: 1440p.
    if 0x30 <= text[token.start] <= 0x39 or (
            not case_room(text, token, lexicon.turkic) & ROOM_INITIAL):
        return STATUS_OK
    status = reserve_nodes(lattice, n - first)
    if status != STATUS_OK:
        return status
    for i in range(first, n):
        if lattice.nodes[i].tag == TAG_AL and lattice.n_nodes - first < MAX_CANDIDATES:
            node = lattice.nodes + lattice.n_nodes
            node[0] = lattice.nodes[i]
            raise_node(node, text, token, lexicon.capital_rule)
            node.flags |= NODE_RAISED
            lattice.n_nodes += 1
    return STATUS_OK


cdef inline void remove_dropped(Lattice* lattice) noexcept nogil:
    """Remove the nodes that are dropped."""
    cdef int32_t word, c, end, first = 0, n = 0
    for word in range(lattice.n_words):
        end = lattice.first_node[word + 1]
        lattice.first_node[word] = n
        for c in range(first, end):
            if not lattice.nodes[c].flags & NODE_DROPPED:
                if c != n:
                    lattice.nodes[n] = lattice.nodes[c]
                n += 1
        first = end
    lattice.first_node[lattice.n_words] = lattice.n_nodes = n


cdef inline void drop_raised(Lattice* lattice, int32_t word) noexcept nogil:
    """Of a first word's lowercase form, AL and raised, keep the node of the higher score.

    They differ in nothing else, so that the best path never takes the other one.
    """
    cdef int32_t n, c, other
    cdef Node* node = candidates_of(lattice, word, &n)
    cdef bint has_dropped = False
    for c in range(n - 1, -1, -1):
        if not node[c].flags & NODE_RAISED:
            break
        for other in range(c):
            if node[other].form == node[c].form and node[other].tag == TAG_AL:
                if node[c].score > node[other].score:
                    node[other] = node[c]
                node[c].flags |= NODE_DROPPED
                has_dropped = True
                break
    if has_dropped:
        remove_dropped(lattice)


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


# What the text has.

cdef inline uint64_t gold_candidates(const Lattice* lattice, int32_t word,
                                     const Token* token) noexcept nogil:
    """Mask of the candidates that are rendered as the text has the word.

    There may be two: a first word's raised form and its capitalised form.
    """
    cdef int32_t c, n
    cdef const Node* node = candidates_of(lattice, word, &n)
    cdef uint64_t mask = 0
    for c in range(min(n, 64)):
        if is_cased_as(node + c, token.tag, token.upper_mask):
            mask |= <uint64_t>1 << c
    return mask
