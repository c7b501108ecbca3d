"""The coarse features of one candidate, the numbers that the model weighs.

Every column is a function of the candidate and of what `WordContext` tells of its word; it
is finite for anything. `features.py` names them.
"""

from libc.math cimport exp, log
from libc.stdint cimport int32_t, int8_t, uint8_t, uint64_t

from truecase.lattice._gen cimport tag_code
from truecase.lattice._lattice cimport (
    NODE_CLASS,
    NODE_PARTS,
    NODE_RAISED,
    NODE_UNSEEN,
    Lattice,
    Node,
)
from truecase.lexicon._lexicon cimport N_CLASS_TAGS, N_CLASSES, LexiconView
from truecase.text._casing cimport TAG_AL, TAG_AN, TAG_AU, TAG_IU, TAG_MX
from truecase.text._segment cimport CLASS_OTHER, Token


cdef enum:
    N_NODE_COLUMNS = 9           # features.NODE_COLUMNS
    MAX_MARKS = 96
    MARK_SLOTS = 256             # a power of two
    MAX_LN_ODDS = 6              # beyond it, more evidence of a word's case says no more


cdef struct CoarseModel:
    bint is_active
    float weight[N_NODE_COLUMNS]
    float mark_weight[MAX_MARKS]
    int n_marks                  # the last is that of all others
    uint64_t mark_key[MARK_SLOTS]
    int8_t mark_slot[MARK_SLOTS]               # mark number, -1: empty
    float unknown_tag_ln[N_CLASSES][N_CLASS_TAGS]    # Π: log P(tag | class)
    float count[256]             # training count of each count code


cdef struct WordContext:         # what the columns of one word's candidates depend on
    const CoarseModel* coarse
    const LexiconView* lexicon
    const Token* token
    double total                 # training count of the word, all forms together
    double upper_before          # log-odds of upper case of the word before; 0 without case
    double upper_after
    bint is_known                # the lexicon has a form of the word
    bint is_initial              # first word with a letter of its sentence
    int mark                     # the punctuation mark right before it; -1: none


cdef inline bint starts_upper(const Node* node) noexcept nogil:
    """Whether a candidate is rendered with its first letter upper."""
    return node.tag == TAG_IU or node.tag == TAG_AU or (
        node.tag == TAG_MX and (node.upper_mask & 1) != 0)


cdef inline double limited(double ln_odds) noexcept nogil:
    return min(max(ln_odds, -MAX_LN_ODDS), MAX_LN_ODDS)


cdef inline double upper_ln_odds(const CoarseModel* coarse, const Node* node, int32_t n,
                                 const Token* token) noexcept nogil:
    """Log-odds that a word with the candidates `node` is upper case; 0 if it has no case."""
    cdef const float* unknown = coarse.unknown_tag_ln[token.word_class]
    cdef double upper = 0.0, lower = 0.0
    cdef int32_t c
    if node[0].tag == TAG_AN:
        return 0.0
    for c in range(n):
        if node[c].flags & NODE_RAISED:
            continue
        if node[c].state == TAG_AL:
            lower += coarse.count[node[c].count]
        else:
            upper += coarse.count[node[c].count]
    if lower + upper == 0.0:
        return limited(unknown[<int>TAG_IU] - unknown[<int>TAG_AL])
    return limited(log((upper + 0.25) / (lower + 0.25)))


cdef inline int find_mark(const CoarseModel* coarse, const Token* token) noexcept nogil:
    """Number of the punctuation mark that a token is; -1 if it is none."""
    cdef int slot
    if token.tag != TAG_AN or token.word_class != CLASS_OTHER:
        return -1
    slot = token.key & (MARK_SLOTS - 1)
    while coarse.mark_slot[slot] >= 0:
        if coarse.mark_key[slot] == token.key:
            return coarse.mark_slot[slot]
        slot = (slot + 1) & (MARK_SLOTS - 1)
    return coarse.n_marks - 1


cdef inline void describe_context(const CoarseModel* coarse, const LexiconView* lexicon,
                                  const Lattice* lattice, const Token* token, int32_t word,
                                  int32_t initial, WordContext* at) noexcept nogil:
    """The context of one word; `token` is the sentence's first, `initial` its first cased word."""
    cdef const Node* node = lattice.nodes + lattice.first_node[word]
    cdef int32_t c, n = lattice.first_node[word + 1] - lattice.first_node[word]
    at.coarse = coarse
    at.lexicon = lexicon
    at.token = token + word
    at.total = 0.0
    at.is_known = False
    for c in range(n):
        if not node[c].flags & NODE_RAISED:
            at.total += coarse.count[node[c].count]
            if not node[c].flags & NODE_CLASS or node[c].flags & NODE_UNSEEN:
                at.is_known = True
    at.is_initial = word == initial
    at.mark = -1
    at.upper_before = 0.0
    at.upper_after = 0.0
    if word > 0:
        at.mark = find_mark(coarse, token + word - 1)
        at.upper_before = upper_ln_odds(
            coarse, lattice.nodes + lattice.first_node[word - 1],
            lattice.first_node[word] - lattice.first_node[word - 1], token + word - 1)
    if word + 2 < lattice.n_words:
        at.upper_after = upper_ln_odds(
            coarse, lattice.nodes + lattice.first_node[word + 1],
            lattice.first_node[word + 2] - lattice.first_node[word + 1], token + word + 1)


cdef inline float case_given_word(const WordContext* at, const Node* node) noexcept nogil:
    """log P(form | word), add-one smoothed towards Π: Portage's Φ (2005, 3.3)."""
    cdef double prior
    if not at.is_known:
        return 0.0
    prior = exp(limited(at.coarse.unknown_tag_ln[at.token.word_class][tag_code(node.state)]))
    return <float>log((at.coarse.count[node.count] + prior) / (at.total + 1.0))


cdef inline float unknown_word(const WordContext* at, const Node* node) noexcept nogil:
    """log P(tag | class) of a word not seen in training: Portage's Π (2005, 3.4)."""
    if at.is_known:
        return 0.0
    return at.coarse.unknown_tag_ln[at.token.word_class][tag_code(node.state)]


cdef inline float class_token(const WordContext* at, const Node* node) noexcept nogil:
    """log P(word | class token) where a class token stands for the form in the language model."""
    if not node.flags & NODE_CLASS:
        return 0.0
    return at.lexicon.classes[at.token.word_class][tag_code(node.state)].log_word_given_class


cdef inline float unseen_form(const WordContext* at, const Node* node) noexcept nogil:
    """1 if the form was never seen although the word was."""
    return 1.0 if node.flags & NODE_UNSEEN else 0.0


cdef inline float hyphen_parts(const WordContext* at, const Node* node) noexcept nogil:
    """1 if an unknown hyphenated word is cased as its parts are by themselves."""
    return 1.0 if node.flags & NODE_PARTS else 0.0


cdef inline float initial(const WordContext* at, const Node* node) noexcept nogil:
    """1 if the sentence's first word with a letter is rendered with a capital."""
    return 1.0 if at.is_initial and starts_upper(node) else 0.0


cdef inline float initial_raised(const WordContext* at, const Node* node) noexcept nogil:
    """1 if that is a lowercase form with a capital for its place only."""
    return 1.0 if node.flags & NODE_RAISED else 0.0


cdef inline float upper_before(const WordContext* at, const Node* node) noexcept nogil:
    """Upper case's log-odds of the word before, for an upper-case form."""
    return 0.0 if node.state == TAG_AL else <float>at.upper_before


cdef inline float upper_after(const WordContext* at, const Node* node) noexcept nogil:
    """Upper case's log-odds of the word after, for an upper-case form."""
    return 0.0 if node.state == TAG_AL else <float>at.upper_after


cdef inline void node_columns(const WordContext* at, const Node* node,
                              float* value) noexcept nogil:
    """All columns of one candidate, in the order of their names."""
    value[0] = case_given_word(at, node)
    value[1] = unknown_word(at, node)
    value[2] = class_token(at, node)
    value[3] = unseen_form(at, node)
    value[4] = hyphen_parts(at, node)
    value[5] = initial(at, node)
    value[6] = initial_raised(at, node)
    value[7] = upper_before(at, node)
    value[8] = upper_after(at, node)


cdef inline int mark_column(const WordContext* at, const Node* node) noexcept nogil:
    """Number of the mark whose ``after_punctuation`` column is 1 for a candidate; -1: none."""
    return at.mark if at.mark >= 0 and starts_upper(node) else -1


cdef inline void score_nodes(const CoarseModel* coarse, const LexiconView* lexicon,
                             Lattice* lattice, const Token* token,
                             int32_t initial) noexcept nogil:
    """Set the score of every candidate of words that have several, to the weighted sum.

    `token` is the sentence's first; `initial` is the place of its first word with a letter in
    the sentence, -1 if none is to be capitalised.
    """
    cdef int32_t word, c, n
    cdef int k, mark
    cdef Node* node
    cdef WordContext at
    cdef float value[N_NODE_COLUMNS]
    cdef double total
    for word in range(lattice.n_words - 1):
        node = lattice.nodes + lattice.first_node[word]
        n = lattice.first_node[word + 1] - lattice.first_node[word]
        if n == 1:
            node.score = 0.0
            continue
        describe_context(coarse, lexicon, lattice, token, word, initial, &at)
        for c in range(n):
            node_columns(&at, node + c, value)
            total = 0.0
            for k in range(N_NODE_COLUMNS):
                total += <double>coarse.weight[k] * value[k]
            mark = mark_column(&at, node + c)
            if mark >= 0:
                total += coarse.mark_weight[mark]
            node[c].score = <float>total
