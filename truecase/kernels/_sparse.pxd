"""Sparse features of a model: fields of the source, packed weights, and a small hidden layer.

The sparse score of a node depends on its tag, relative to AL. It is the sum of the weights of the
word's features, from a packed table per tag (a domain may add tables), and of the hidden layer:
hashed fields choose rows of bytes, which are summed, clipped at 0, and weighted per tag.
"""

from libc.stdint cimport int32_t, uint16_t, uint32_t, uint64_t, uint8_t

from truecase.base._check cimport check, prefetch
from truecase.base._memory cimport STATUS_OK
from truecase.kernels._fields cimport (
    N_NEIGHBOURS, fill_fields, hash_templates, is_rare, typography, view_ends, view_sentence
)
from truecase.kernels._maps cimport find_narrow, prefetch_slot
from truecase.kernels._schema cimport N_FIELDS
from truecase.kernels._source cimport may_have_key
from truecase.kernels._structs cimport (
    CLASS_OTHER, MAX_ROWS, MAX_TEMPLATES, N_SPARSE_TAGS, TOKEN_CLOSES, TOKEN_ENDS_SENTENCE,
    HiddenLayer, Lattice, PackedSlots, SentenceView, SourcePhrase, SourceSide, SparseView, Token,
    TokenArray, WeightTable, WordView
)
from truecase.kernels._unicode cimport TAG_AN, TAG_IU, TAG_MX


# Fields of the source sentence; their codes differ, and mean nothing else.
cdef enum:
    SOURCE_WHOLE = 1             # the line is not aligned; + 1 if the sentence is all upper
    SOURCE_UNALIGNED = 3         # no source word is aligned with the word
    SOURCE_CASELESS = 4          # the aligned words have no case
    MAX_NEAR = 256               # source words that are searched for the same word
    SOURCE_CASED = 8             # + tag; + 4 if it is the first word; + 8 if there are others


cdef inline int32_t source_code(const SourceSide* side,
                                const SourcePhrase* phrase) noexcept nogil:
    """Code of the case of the source words that a word is aligned with."""
    if side.is_whole:
        return SOURCE_WHOLE + side.sentence.all_upper
    if not phrase.is_aligned:
        return SOURCE_UNALIGNED
    if phrase.tags == 0:
        return SOURCE_CASELESS
    return (SOURCE_CASED + phrase.main_tag + 4 * (phrase.inner_tags == 0)
            + 8 * ((phrase.tags & (phrase.tags - 1)) != 0))


cdef inline int32_t case_code(const TokenArray* tokens, int32_t place) noexcept nogil:
    """Code of a source token's case, or of the kind of mark; below 16."""
    cdef const Token* token
    if place < 0 or place >= tokens.n:
        return 0
    token = tokens.tokens + place
    if token.tag != TAG_AN:
        return 1 + token.tag
    if token.word_class != CLASS_OTHER:
        return 8
    return (9 + (token.flags & TOKEN_ENDS_SENTENCE != 0)
            + 2 * (token.flags & TOKEN_CLOSES != 0))


cdef inline int32_t same_anywhere(const SourceSide* side, const Token* target,
                                  int32_t place) noexcept nogil:
    """Code of the case of a word's first occurrence in the source sentence; 0: none."""
    cdef const TokenArray* tokens = &side.line.tokens
    cdef int32_t i, first = 0, end = tokens.n
    if target.tag == TAG_AN or not may_have_key(&side.line, target.key):
        return 0
    if end > MAX_NEAR:
        first = max(0, min(place - MAX_NEAR // 2, end - MAX_NEAR))
        end = first + MAX_NEAR
    for i in range(first, end):
        if tokens.tokens[i].key == target.key:
            return 1 + tokens.tokens[i].tag + 8 * (i == side.sentence.first_token
                                                   and tokens.tokens[i].tag == TAG_IU)
    return 0


cdef inline int32_t ending(const TokenArray* tokens) noexcept nogil:
    """Code of a source sentence's last token and of its rough length."""
    cdef int32_t n = tokens.n
    return case_code(tokens, n - 1) + 16 * (0 if n < 3 else 1 if n < 6 else 2 if n < 12 else 3)


cdef inline void view_source(const SourceSide* side, const uint8_t* text, const Token* tokens,
                             int32_t first, int32_t n, SentenceView* view) noexcept nogil:
    """Add the source to the view of a sentence.

    `tokens` are its n tokens in `text`, from the line's token `first` on.
    """
    cdef const TokenArray* line = &side.line.tokens
    cdef const Token* main
    cdef int32_t i
    cdef const SourcePhrase* phrase
    cdef WordView* word
    view.has_source = True
    view.source_style = (side.sentence.first_tag + 8 * side.sentence.upper_share
                         + 64 * side.sentence.all_upper)
    view.marks = typography(text, tokens[0].start, tokens[n - 1].end) if n else 0
    view_ends(tokens, n, &view.opening, &view.closing)
    view_ends(line.tokens, line.n, &view.source_opening, &view.source_closing)
    view.source_marks = ending(line)
    if line.n:
        view.source_marks += 64 * typography(
            side.aligned.source, line.tokens[0].start, line.tokens[line.n - 1].end)
    for i in range(n):
        phrase = side.phrase + first + i
        word = view.words + N_NEIGHBOURS + i
        word.source = source_code(side, phrase)
        word.source_key = phrase.main_key
        word.source_form = 0
        word.source_previous = 0
        word.source_next = 0
        word.source_context = 0
        if phrase.main_place >= 0:
            main = line.tokens + phrase.main_place
            word.source_form = side.line.forms[phrase.main_place].form
            word.source_previous = (main - 1).key if phrase.main_place > 0 else 1
            word.source_next = (main + 1).key if phrase.main_place + 1 < line.n else 1
            word.source_context = 1 + (case_code(line, phrase.main_place - 1)
                                       + 16 * case_code(line, phrase.main_place + 1))
        word.source_anywhere = same_anywhere(side, tokens + i, first + i)
        word.source_same = 0
        if phrase.n_same and not phrase.copy_is_elsewhere:
            word.source_same = (1 + phrase.same_tag[0] + 8 * (phrase.n_same > 1)
                                + 16 * phrase.copy_is_first)


cdef extern from *:
    """
    /* Sums 32 columns of some rows of bytes in registers: several times as fast as the loops. */
    #define TRUECASE_UNIT_BLOCK 32
    static inline void truecase_sum_block(const uint8_t *rows, const uint32_t *row, int n_rows,
                                          uint64_t row_size, uint16_t *sums) {
        int f;
    #ifdef TRUECASE_SSE2
        const __m128i zero = _mm_setzero_si128();
        __m128i a = zero, b = zero, c = zero, d = zero;
        for (f = 0; f < n_rows; f++) {
            const __m128i *numbers = (const __m128i *)(rows + row[f] * row_size);
            __m128i low = _mm_loadu_si128(numbers), high = _mm_loadu_si128(numbers + 1);
            a = _mm_add_epi16(a, _mm_unpacklo_epi8(low, zero));
            b = _mm_add_epi16(b, _mm_unpackhi_epi8(low, zero));
            c = _mm_add_epi16(c, _mm_unpacklo_epi8(high, zero));
            d = _mm_add_epi16(d, _mm_unpackhi_epi8(high, zero));
        }
        _mm_storeu_si128((__m128i *)sums, a);
        _mm_storeu_si128((__m128i *)(sums + 8), b);
        _mm_storeu_si128((__m128i *)(sums + 16), c);
        _mm_storeu_si128((__m128i *)(sums + 24), d);
    #else
        uint16_t held[TRUECASE_UNIT_BLOCK] = {0};
        int k;
        for (f = 0; f < n_rows; f++) {
            const uint8_t *numbers = rows + row[f] * row_size;
            for (k = 0; k < TRUECASE_UNIT_BLOCK; k++) held[k] = (uint16_t)(held[k] + numbers[k]);
        }
        memcpy(sums, held, sizeof held);
    #endif
    }
    """
    const int UNIT_BLOCK "TRUECASE_UNIT_BLOCK"
    void sum_block "truecase_sum_block"(const uint8_t* rows, const uint32_t* row, int n_rows,
                                        uint64_t row_size, uint16_t* sums) noexcept nogil


cdef enum:
    MAX_UNITS = 128


cdef struct WordFeatures:        # of one word, being prefetched
    int32_t word                 # -1: none
    uint32_t tags
    int32_t n_hashes
    uint64_t hashes[MAX_TEMPLATES]
    uint32_t rows[MAX_ROWS]


cdef inline int tag_number(int tag) noexcept nogil:
    """Number of a tag's table; -1 for AL and AN."""
    return tag - TAG_IU if TAG_IU <= tag <= TAG_MX else -1


cdef inline uint32_t tags_of(const Lattice* lattice, int32_t word) noexcept nogil:
    """Bit mask of the tables whose tags the word's candidates have."""
    cdef uint32_t tags = 0
    cdef int32_t i
    cdef int tag
    for i in range(lattice.first_node[word], lattice.first_node[word + 1]):
        tag = tag_number(lattice.nodes[i].tag)
        if tag >= 0:
            tags |= 1 << tag
    return tags


cdef inline bint has_choice(const Lattice* lattice, int32_t word) noexcept nogil:
    return lattice.first_node[word + 1] - lattice.first_node[word] > 1


cdef inline void add_to_nodes(Lattice* lattice, int32_t word, const float* score) noexcept nogil:
    """Add the score of each tag to a word's nodes of that tag."""
    cdef int32_t i
    cdef int tag
    for i in range(lattice.first_node[word], lattice.first_node[word + 1]):
        tag = tag_number(lattice.nodes[i].tag)
        if tag >= 0:
            lattice.nodes[i].score += score[tag]


cdef inline uint32_t row_of(uint64_t n_rows, uint64_t field) noexcept nogil:
    return <uint32_t>(((field >> 32) * n_rows) >> 32)


cdef inline float sum_weights(const WeightTable* table, const uint64_t* hashes,
                              int32_t n) noexcept nogil:
    # A copy that nothing else points to: its fields stay in registers.
    cdef PackedSlots slots = table.slots
    cdef uint32_t weight_mask = table.weight_mask
    cdef const float* weight = table.weight
    cdef float total = 0.0
    cdef int32_t i
    for i in range(n):
        # Code 0, an absent feature, has the weight 0.
        total += weight[find_narrow(&slots, hashes[i], weight_mask)]
    return total


cdef inline void activate(const HiddenLayer* hidden, const uint32_t* rows,
                          float* units) noexcept nogil:
    """Compute the hidden units of a word."""
    cdef uint16_t sums[MAX_UNITS]
    cdef int32_t f, k, done = 0, n = hidden.n_units
    cdef const uint8_t* row
    cdef float value
    # Invariant: a row number is below n_rows; the loader checked the length of the rows.
    for f in range(hidden.n_fields):
        check(rows[f] < hidden.n_rows)
    while n - done >= UNIT_BLOCK:
        sum_block(hidden.rows + done, rows, hidden.n_fields, n, sums + done)
        done += UNIT_BLOCK
    if done < n:
        for k in range(done, n):
            sums[k] = 0
        for f in range(hidden.n_fields):
            row = hidden.rows + <uint64_t>rows[f] * <uint64_t>n
            for k in range(done, n):
                sums[k] += row[k]
    for k in range(n):
        value = hidden.bias[k] + hidden.scale * <float>(
            <int32_t>sums[k] - 128 * hidden.n_fields
        )
        units[k] = value if value > 0.0 else 0.0


cdef inline float weigh_units(const float* out, const float* units, int32_t n) noexcept nogil:
    cdef float total = 0.0
    cdef int32_t k
    for k in range(n):
        total += out[k] * units[k]
    return total


cdef inline void score_word(const SparseView* sparse, const WordFeatures* features,
                            Lattice* lattice) noexcept nogil:
    cdef float score[N_SPARSE_TAGS]
    cdef float units[MAX_UNITS]
    cdef int32_t n = sparse.hidden.n_units
    cdef int t
    if n:
        activate(&sparse.hidden, features.rows, units)
    for t in range(N_SPARSE_TAGS):
        score[t] = 0.0
        if features.tags >> t & 1:
            score[t] = sum_weights(&sparse.tables[t], features.hashes, features.n_hashes)
            if sparse.has_added:
                score[t] += sum_weights(&sparse.added[t], features.hashes, features.n_hashes)
            if n:
                score[t] += weigh_units(sparse.hidden.out + t * n, units, n)
    add_to_nodes(lattice, features.word, score)


cdef inline void prefetch_weights(const SparseView* sparse, const WordFeatures* at) noexcept nogil:
    cdef int32_t i
    cdef int t
    for t in range(N_SPARSE_TAGS):
        if at.tags >> t & 1:
            for i in range(at.n_hashes):
                prefetch_slot(&sparse.tables[t].slots, at.hashes[i])
            if sparse.has_added:
                for i in range(at.n_hashes):
                    prefetch_slot(&sparse.added[t].slots, at.hashes[i])


cdef inline void prefetch_rows(const HiddenLayer* hidden, const uint64_t* fields,
                               WordFeatures* at) noexcept nogil:
    """Choose the rows of the hidden layer for a word, and prefetch them."""
    cdef int32_t f
    cdef const uint8_t* row
    for f in range(hidden.n_fields):
        at.rows[f] = row_of(hidden.n_rows, fields[hidden.field[f]])
        row = hidden.rows + <uint64_t>at.rows[f] * <uint64_t>hidden.n_units
        prefetch(row)
        # A row may lie in two lines of the cache.
        prefetch(row + hidden.n_units - 1)


cdef struct SentenceText:        # of a sentence in a line
    const uint8_t* text
    const Token* tokens          # the sentence's first
    int32_t first                # its place in the line
    int32_t n
    int32_t first_cased          # place in the sentence of its first word with case; -1: none
    bint turkic
    const SourceSide* side       # without a source, its `aligned` is NULL


cdef inline int add_sparse_scores(const SparseView* sparse, const SentenceText* sentence,
                                  Lattice* lattice, SentenceView* view) noexcept nogil:
    """Fill the view of a sentence, and add the sparse scores to the nodes of its lattice; a Status.

    The memory of a word is prefetched before the word before it is scored.
    """
    cdef WordFeatures features[2]
    cdef WordFeatures* now
    cdef uint64_t fields[N_FIELDS]
    cdef int32_t i
    cdef int which = 0
    cdef int status = view_sentence(
        &sparse.templates, sentence.tokens, sentence.n, lattice, view)
    if status != STATUS_OK:
        return status
    if sentence.side.aligned != NULL:
        view_source(sentence.side, sentence.text, sentence.tokens, sentence.first, sentence.n, view)
    features[0].word = -1
    features[1].word = -1
    for i in range(sentence.n):
        if not has_choice(lattice, i):
            continue
        now = &features[which]
        now.word = i
        now.tags = tags_of(lattice, i)
        fill_fields(view, sentence.text, sentence.tokens, i, i == sentence.first_cased,
                    sentence.turkic, fields)
        now.n_hashes = hash_templates(
            &sparse.templates, is_rare(view.words[N_NEIGHBOURS + i].prior), fields, now.hashes
        )
        prefetch_weights(sparse, now)
        prefetch_rows(&sparse.hidden, fields, now)
        which = 1 - which
        if features[which].word >= 0:
            score_word(sparse, &features[which], lattice)
    if features[1 - which].word >= 0:
        score_word(sparse, &features[1 - which], lattice)
    return STATUS_OK
