"""Dense features: the numbers of each candidate in its context that a model weighs.

Every feature is a finite function of the candidate and of its word's `WordContext`; `schema.py`
names them. A table of suffixes guesses the case of unknown words.
"""

from libc.math cimport log
from libc.stddef cimport size_t
from libc.stdint cimport int32_t, uint32_t, uint64_t, uint8_t
from libc.string cimport memcpy, memset

from truecase.base._check cimport are_finite, check, forget, prefetch
from truecase.kernels._lattice cimport candidates_of, tag_code, weighted_sum
from truecase.kernels._schema cimport (
    DENSE_CASE_GIVEN_WORD, DENSE_CLASS_TOKEN, DENSE_CONTEXT_1_AFTER, DENSE_CONTEXT_1_BEFORE,
    DENSE_CONTEXT_2_AFTER, DENSE_CONTEXT_2_BEFORE, DENSE_HYPHEN_PARTS, DENSE_INITIAL,
    DENSE_INITIAL_RAISED, DENSE_INSIDE_BRACKETS, DENSE_INSIDE_QUOTES, DENSE_UNFINISHED,
    DENSE_UNFINISHED_SHORT, DENSE_UNKNOWN_SUFFIX, DENSE_UNKNOWN_WORD, DENSE_UNSEEN_FORM,
    DENSE_UPPER_AFTER, DENSE_UPPER_BEFORE, N_NODE_COLUMNS
)
from truecase.kernels._structs cimport (
    CLASS_ALPHABETIC, CLASS_HYPHENATED, CLASS_OTHER, MARK_SLOTS, NODE_CLASS, NODE_PARTS,
    NODE_RAISED, NODE_UNSEEN, N_CLASSES, TOKEN_CLOSES, TOKEN_ENDS_SENTENCE, DenseView, Lattice,
    LexiconView, Node, Token
)
from truecase.kernels._unicode cimport TAG_AL, TAG_AN, TAG_AU, TAG_IU, TAG_MX, decode, mix, to_lower


# The case of an unknown word, by its ending, as Brants (2000) guesses parts of speech. A table of
# suffixes of rare words has log P(tag | suffix) for AL, IU and AU; the longest known suffix counts.
# A slot has a check byte (0: empty) and a code per tag, log P = -code / 16. Suffixes of the same
# slot and check byte share an entry.
cdef enum:
    LONGEST_SUFFIX = 4
    SUFFIX_BITS = 15
    SUFFIX_BYTES = 4 << SUFFIX_BITS


cdef inline int suffix_hashes(const uint8_t* text, uint32_t start, uint32_t end, bint turkic,
                              uint64_t* hashes) noexcept nogil:
    """Hash the last 1, 2, … case-folded code points of a span; the number of hashes."""
    cdef uint32_t p = end, length
    cdef uint64_t hash = 0
    cdef int n = 0
    while p > start and n < LONGEST_SUFFIX:
        p -= 1
        while p > start and (text[p] & 0xc0) == 0x80:
            p -= 1
        hash = mix(hash * 31 + to_lower(decode(text + p, text + end, &length), turkic) + 1)
        hashes[n] = hash
        n += 1
    return n


cdef inline uint32_t suffix_slot(uint64_t hash) noexcept nogil:
    return 4 * <uint32_t>(hash >> (64 - SUFFIX_BITS))


cdef inline uint8_t suffix_check(uint64_t hash) noexcept nogil:
    return <uint8_t>(1 + hash % 255)


cdef inline const uint8_t* find_suffix(const uint8_t* table, const uint8_t* text,
                                       const Token* token, bint turkic) noexcept nogil:
    """Codes of AL, IU and AU for a word; NULL if no suffix of it is known."""
    cdef uint64_t hashes[LONGEST_SUFFIX]
    cdef int n = suffix_hashes(text, token.start, token.end, turkic, hashes)
    cdef const uint8_t* slot
    while n > 0:
        n -= 1
        slot = table + suffix_slot(hashes[n])
        if slot[0] == suffix_check(hashes[n]):
            return slot + 1
    return NULL


# Columns of candidates
cdef enum:
    SHORT_LINE = 9               # tokens; longer lines are rarely headings
    WITHIN = 12                  # tokens that are searched for an opening mark
    N_ODDS = 4                   # a power of two
    MAX_LN_ODDS = 6              # a limit, as further evidence of a word's case says no more


cdef struct UpperOdds:           # of the last words, cached
    int32_t word[N_ODDS]         # -1: none
    double ln_odds[N_ODDS]


cdef struct WordContext:         # the columns of a word's candidates depend on it
    const DenseView* dense
    const LexiconView* lexicon
    const uint8_t* text
    const Token* token
    double total                 # training count of the word, all forms together
    double upper_before          # log-odds of upper case of the word before; 0 without case
    double upper_after
    bint is_known                # the lexicon has a form of the word
    bint is_initial              # first word with a letter of its sentence
    float shift[4]               # log-odds ratios, by the words 2 and 1 before, 1 and 2 after
    const uint8_t* suffix        # codes of an unknown word's ending; NULL: none
    bint is_unfinished           # no mark ends the sentence
    bint is_short
    bint inside_quotes
    bint inside_brackets
    int mark                     # the punctuation mark right before it; -1: none


cdef inline bint starts_upper(const Node* node) noexcept nogil:
    """Whether the first letter of a candidate is rendered upper."""
    return node.tag == TAG_IU or node.tag == TAG_AU or (
        node.tag == TAG_MX and (node.upper_mask & 1) != 0)


cdef inline double limited(double ln_odds) noexcept nogil:
    return min(max(ln_odds, -MAX_LN_ODDS), MAX_LN_ODDS)


cdef inline double upper_ln_odds(const DenseView* dense, const Node* node, int32_t n,
                                 const Token* token) noexcept nogil:
    """Log-odds of upper case for a word of `n` candidates; 0 if it has no case."""
    cdef const float* unknown = dense.unknown_tag_ln[token.word_class]
    cdef double upper = 0.0, lower = 0.0
    cdef int32_t c
    if node[0].tag == TAG_AN:
        return 0.0
    for c in range(n):
        if node[c].flags & NODE_RAISED:
            continue
        if node[c].state == TAG_AL:
            lower += dense.count[node[c].count]
        else:
            upper += dense.count[node[c].count]
    if lower + upper == 0.0:
        return limited(unknown[<int>TAG_IU] - unknown[<int>TAG_AL])
    return limited(log((upper + 0.25) / (lower + 0.25)))


cdef inline double odds_of(const DenseView* dense, const Lattice* lattice, const Token* token,
                           int32_t word, UpperOdds* known) noexcept nogil:
    """`upper_ln_odds` of a word, cached in `known`, which is NULL or of the same lattice."""
    cdef int32_t first = lattice.first_node[word], place = word & (N_ODDS - 1)
    cdef double ln_odds
    if known != NULL and known.word[place] == word:
        return known.ln_odds[place]
    ln_odds = upper_ln_odds(dense, lattice.nodes + first, lattice.first_node[word + 1] - first,
                            token + word)
    if known != NULL:
        known.word[place] = word
        known.ln_odds[place] = ln_odds
    return ln_odds


cdef inline int find_mark(const DenseView* dense, const Token* token) noexcept nogil:
    """Number of a punctuation mark; -1 for other tokens."""
    cdef int slot
    if token.tag != TAG_AN or token.word_class != CLASS_OTHER:
        return -1
    slot = token.key & (MARK_SLOTS - 1)
    while dense.mark_slot[slot] >= 0:
        if dense.mark_key[slot] == token.key:
            return dense.mark_slot[slot]
        slot = (slot + 1) & (MARK_SLOTS - 1)
    return dense.n_marks - 1


cdef inline bint is_unfinished(const Token* token, int32_t n) noexcept nogil:
    """Whether no mark ends the `n` tokens of a sentence."""
    while n > 1 and token[n - 1].flags & TOKEN_CLOSES:
        n -= 1
    return not token[n - 1].flags & TOKEN_ENDS_SENTENCE


cdef inline void find_enclosure(const Token* token, const uint8_t* text, int32_t word,
                                WordContext* at) noexcept nogil:
    """Find out whether a quotation or a bracket before the word is still open."""
    cdef int32_t i
    cdef uint32_t length
    cdef int quotes = 0, brackets = 0
    cdef uint8_t byte
    for i in range(max(word - WITHIN, 0), word):
        length = token[i].end - token[i].start
        if token[i].tag != TAG_AN or length > 3:
            continue
        byte = text[token[i].start]
        if byte == 0x22 or byte == 0x60 or (byte == 0x27 and length == 2):
            quotes += 1
        elif byte == 0xe2 and length == 3 and text[token[i].start + 1] == 0x80 and (
                text[token[i].start + 2] & 0xfc) == 0x9c:         # “ ” „ ‟
            quotes += 1
        elif byte == 0x28 or byte == 0x5b:
            brackets += 1
        elif brackets and (byte == 0x29 or byte == 0x5d):
            brackets -= 1
    at.inside_quotes = quotes & 1
    at.inside_brackets = brackets > 0


cdef inline size_t index_of_codes(const DenseView* dense, const Lattice* lattice,
                                  const Token* token, int32_t word) noexcept nogil:
    """Place of a word's codes: that of its form record, or that of its class."""
    if lattice.record[word]:
        return lattice.record[word] - 1
    return dense.n_records + token[word].word_class


cdef inline float shift_by(const DenseView* dense, const Lattice* lattice,
                           const Token* token, int32_t word, int place) noexcept nogil:
    """Log-odds ratio of upper case beside a word, or beside the boundary."""
    cdef size_t index = dense.n_records + <uint32_t>N_CLASSES
    if 0 <= word < lattice.n_words - 1:
        index = index_of_codes(dense, lattice, token, word)
    return (<int>dense.shift[4 * index + place] - 128) / <float>16.0


cdef inline void prefetch_codes(const DenseView* dense, const Lattice* lattice,
                                const Token* token) noexcept nogil:
    cdef int32_t word
    cdef size_t index
    for word in range(lattice.n_words - 1):
        index = index_of_codes(dense, lattice, token, word)
        if dense.shift != NULL:
            prefetch(dense.shift + 4 * index)
        if dense.neighbour_case != NULL:
            prefetch(dense.neighbour_case + 4 * index)


cdef inline void copy_neighbour_case(const DenseView* dense, Lattice* lattice,
                                     const Token* token) noexcept nogil:
    """Give each word its codes, which `move_transitions` reads."""
    cdef int32_t word
    if dense.neighbour_case == NULL:
        memset(lattice.neighbour_case, 128, 4 * <size_t>lattice.n_words)
        return
    for word in range(lattice.n_words - 1):
        memcpy(lattice.neighbour_case + 4 * word,
               dense.neighbour_case + 4 * index_of_codes(dense, lattice, token, word), 4)
    memset(lattice.neighbour_case + 4 * (lattice.n_words - 1), 128, 4)


cdef inline void compute_context(const DenseView* dense, const LexiconView* lexicon,
                                 const Lattice* lattice, const uint8_t* text,
                                 const Token* token, int32_t word, int32_t initial,
                                 UpperOdds* known, WordContext* at) noexcept nogil:
    """Compute the context of one word.

    `token` is the sentence's first, `initial` the place of its first word with case; `known` caches
    log-odds that neighbours share, or is NULL.
    """
    cdef int32_t c, n
    cdef const Node* node = candidates_of(lattice, word, &n)
    at.dense = dense
    at.lexicon = lexicon
    at.text = text
    at.token = token + word
    at.suffix = NULL
    if dense.suffixes != NULL and lattice.record[word] == 0 and (
            at.token.word_class == CLASS_ALPHABETIC or at.token.word_class == CLASS_HYPHENATED):
        at.suffix = find_suffix(dense.suffixes, text, at.token, dense.turkic)
    at.shift = [0.0, 0.0, 0.0, 0.0]
    if dense.shift != NULL:
        at.shift = [
            shift_by(dense, lattice, token, word - 2, 0),
            shift_by(dense, lattice, token, word - 1, 1),
            shift_by(dense, lattice, token, word + 1, 2),
            shift_by(dense, lattice, token, word + 2, 3),
        ]
    at.total = 0.0
    at.is_known = False
    for c in range(n):
        if not node[c].flags & NODE_RAISED:
            at.total += dense.count[node[c].count]
            if not node[c].flags & NODE_CLASS or node[c].flags & NODE_UNSEEN:
                at.is_known = True
    at.is_initial = word == initial
    at.is_unfinished = is_unfinished(token, lattice.n_words - 1)
    at.is_short = lattice.n_words - 1 <= SHORT_LINE
    find_enclosure(token, text, word, at)
    at.mark = -1
    at.upper_before = 0.0
    at.upper_after = 0.0
    if word > 0:
        at.mark = find_mark(dense, token + word - 1)
        at.upper_before = odds_of(dense, lattice, token, word - 1, known)
    if word + 2 < lattice.n_words:
        at.upper_after = odds_of(dense, lattice, token, word + 1, known)


cdef inline void word_columns(const WordContext* at, const Node* node, float* value) noexcept nogil:
    """Fill the features of a form by its word, as training and the lexicon know it."""
    cdef int tag = tag_code(node.state), word_class = at.token.word_class
    # log P(form | word), smoothed towards Π by one occurrence: Portage's Φ (2005, 3.3); and Π, log
    # P(tag | class), of a word not seen in training (3.4).
    value[DENSE_CASE_GIVEN_WORD] = value[DENSE_UNKNOWN_WORD] = 0.0
    if at.is_known:
        value[DENSE_CASE_GIVEN_WORD] = <float>log(
            (at.dense.count[node.count] + at.dense.unknown_tag[word_class][tag])
            / (at.total + 1.0))
    else:
        value[DENSE_UNKNOWN_WORD] = at.dense.unknown_tag_ln[word_class][tag]
    # log P(word | class token) where that stands for the form in the language model.
    value[DENSE_CLASS_TOKEN] = 0.0
    if node.flags & NODE_CLASS:
        value[DENSE_CLASS_TOKEN] = at.lexicon.classes[word_class][tag].log_word_given_class
    value[DENSE_UNSEEN_FORM] = node.flags & NODE_UNSEEN != 0
    value[DENSE_HYPHEN_PARTS] = node.flags & NODE_PARTS != 0
    # log P(tag | suffix) of a word not seen in training.
    value[DENSE_UNKNOWN_SUFFIX] = 0.0
    if at.suffix != NULL and node.state <= TAG_AU:
        value[DENSE_UNKNOWN_SUFFIX] = -<float>(at.suffix[node.state]) / <float>16.0


cdef inline void place_columns(const WordContext* at, const Node* node,
                               float* value) noexcept nogil:
    """Fill the features of a form by its place: 0 for one without upper case."""
    cdef bint has_upper = node.state != TAG_AL
    value[DENSE_INITIAL] = at.is_initial and starts_upper(node)
    value[DENSE_INITIAL_RAISED] = node.flags & NODE_RAISED != 0
    # Log-odds of upper case of the neighbours, and log-odds ratios of upper case beside them.
    value[DENSE_UPPER_BEFORE] = <float>at.upper_before if has_upper else 0.0
    value[DENSE_UPPER_AFTER] = <float>at.upper_after if has_upper else 0.0
    value[DENSE_CONTEXT_2_BEFORE] = at.shift[0] if has_upper else 0.0
    value[DENSE_CONTEXT_1_BEFORE] = at.shift[1] if has_upper else 0.0
    value[DENSE_CONTEXT_1_AFTER] = at.shift[2] if has_upper else 0.0
    value[DENSE_CONTEXT_2_AFTER] = at.shift[3] if has_upper else 0.0
    value[DENSE_UNFINISHED] = at.is_unfinished and has_upper
    value[DENSE_UNFINISHED_SHORT] = at.is_unfinished and at.is_short and has_upper
    value[DENSE_INSIDE_QUOTES] = at.inside_quotes and has_upper
    value[DENSE_INSIDE_BRACKETS] = at.inside_brackets and has_upper


cdef inline void node_columns(const WordContext* at, const Node* node, float* value) noexcept nogil:
    """Fill all features of a candidate, by the numbers of `_schema.pxd`."""
    forget(value, N_NODE_COLUMNS)
    word_columns(at, node, value)
    place_columns(at, node, value)
    check(are_finite(value, N_NODE_COLUMNS))


cdef inline int mark_column(const WordContext* at, const Node* node) noexcept nogil:
    """Number of the mark whose ``after_punctuation`` column is 1, or -1."""
    return at.mark if at.mark >= 0 and starts_upper(node) else -1


cdef inline void score_nodes(const DenseView* dense, const LexiconView* lexicon,
                             Lattice* lattice, const uint8_t* text, const Token* token,
                             int32_t initial) noexcept nogil:
    """Set the score of the candidates of words that have several to the weighted sum.

    `token` is the sentence's first; `initial` is the place of its first word with a letter, -1 if
    no word is to be capitalised.
    """
    cdef int32_t word, c, n
    cdef int k, mark
    cdef Node* node
    cdef WordContext at
    cdef float value[N_NODE_COLUMNS]
    cdef double total
    cdef UpperOdds known
    prefetch_codes(dense, lattice, token)
    for k in range(N_ODDS):
        known.word[k] = -1
    copy_neighbour_case(dense, lattice, token)
    for word in range(lattice.n_words - 1):
        node = candidates_of(lattice, word, &n)
        if n == 1:
            node.score = 0.0
            continue
        compute_context(dense, lexicon, lattice, text, token, word, initial, &known, &at)
        for c in range(n):
            node_columns(&at, node + c, value)
            total = weighted_sum(dense.weight, value, N_NODE_COLUMNS)
            mark = mark_column(&at, node + c)
            if mark >= 0:
                total += dense.mark_weight[mark]
            node[c].score = <float>total
