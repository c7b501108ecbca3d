"""Templates of sparse features: which parts of a word's context are joined to a feature.

A *field* is one property of a word or its neighbours: lowercase form, usual case, affixes, shape,
place. A *template* joins up to ``MAX_FIELDS`` fields; a feature is the 64-bit hash of their
values. Fields are read from folded text, so the case of the input changes no feature.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, uint32_t, uint64_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memset

from truecase.base._check cimport check, prefetch
from truecase.base._memory cimport STATUS_OK, STATUS_OUT_OF_MEMORY, grow
from truecase.kernels._schema cimport (
    FIELD_AFTER, FIELD_AFTER_2, FIELD_AFTER_3, FIELD_BEFORE, FIELD_BEFORE_2, FIELD_BEFORE_3,
    FIELD_CLOSING, FIELD_FIRST, FIELD_INSIDE, FIELD_MARKS, FIELD_NONE, FIELD_OPENING,
    FIELD_PREFIX_1, FIELD_PRIOR, FIELD_PRIOR_AFTER, FIELD_PRIOR_BEFORE, FIELD_SHAPE, FIELD_SOURCE,
    FIELD_SOURCE_AFTER, FIELD_SOURCE_ANYWHERE, FIELD_SOURCE_BEFORE, FIELD_SOURCE_CLOSING,
    FIELD_SOURCE_CONTEXT, FIELD_SOURCE_FORM, FIELD_SOURCE_MARKS, FIELD_SOURCE_NEXT,
    FIELD_SOURCE_OPENING, FIELD_SOURCE_PREVIOUS, FIELD_SOURCE_SAME, FIELD_SOURCE_STYLE,
    FIELD_SOURCE_WORD, FIELD_STYLE, FIELD_SUFFIX_1, FIELD_SUFFIX_AFTER, FIELD_SUFFIX_BEFORE,
    FIELD_USUAL, FIELD_USUAL_AFTER, FIELD_USUAL_AFTER_2, FIELD_USUAL_BEFORE, FIELD_USUAL_BEFORE_2,
    FIELD_WORD, N_FIELDS
)
from truecase.kernels._structs cimport (
    CLASS_OTHER, CLASS_QUANTITY, MAX_FIELDS, TOKEN_CLOSES, TOKEN_ENDS_SENTENCE, TOKEN_SPACE_BEFORE,
    Lattice, SentenceView, Templates, Token, WordView
)
from truecase.kernels._tokens cimport canonical_code_point
from truecase.kernels._unicode cimport TAG_AN, hash_bytes, scramble, to_fold


cdef enum:
    N_NEIGHBOURS = 3             # words on either side that fields read
    MAX_AFFIX = 5


cdef enum:
    # Codes of a word's usual case. Below 256: (kind * N_SHARES + share) * N_COUNTS + count, as
    # `truecase.training.evidence` packs it for the words of the lexicon.
    N_SHARES = 14
    N_COUNTS = 6
    PRIOR_UNKNOWN = 256          # + word class
    PRIOR_CASELESS = 264         # + word class, + 8 if it ends sentences, + 16 if it closes
    PRIOR_OUTSIDE = 304          # beyond the sentence
    USUAL_OF_UNKNOWN = 32        # of the coarser codes of `usual_case`
    RARE_COUNTS = 2              # lower count codes are those of rare words


cdef inline void free_view(SentenceView* view) noexcept nogil:
    free(view.words)
    memset(view, 0, sizeof(SentenceView))


cdef inline size_t bytes_of_view(const SentenceView* view) noexcept nogil:
    return <size_t>view.capacity * sizeof(WordView)


cdef inline int32_t usual_case(int32_t prior) noexcept nogil:
    """Code of a word's usual case without its count: the kind, and the share in six steps."""
    cdef int32_t share
    if prior >= PRIOR_UNKNOWN:
        return USUAL_OF_UNKNOWN + prior - PRIOR_UNKNOWN
    prior //= N_COUNTS
    share = prior % N_SHARES
    return 8 * (prior // N_SHARES) + (
        0 if share < 2 else 1 if share < 4 else 2 if share < 7 else 3 if share < 9
        else 4 if share < 11 else 5
    )


cdef inline bint is_rare(int32_t prior) noexcept nogil:
    """Whether a word is unknown or rare, so that its affixes count."""
    if prior >= PRIOR_UNKNOWN:
        return prior < PRIOR_CASELESS
    return prior % N_COUNTS < RARE_COUNTS


cdef inline int32_t prior_code(const Templates* templates, const Token* token,
                               uint32_t record) noexcept nogil:
    """Code of a word's usual case; `record` is 1 + its first form record, or 0."""
    cdef int32_t code
    if token.tag == TAG_AN:
        code = PRIOR_CASELESS + token.word_class
        if token.flags & TOKEN_ENDS_SENTENCE:
            code += 8
        if token.flags & TOKEN_CLOSES:
            code += 16
        return code
    # Invariant: there is a code for each record; the loader checked it.
    if record and record <= templates.n_records:
        return templates.prior[record - 1]
    return PRIOR_UNKNOWN + token.word_class


cdef inline bint opens_quote(const Token* tokens, int32_t n, int32_t i,
                             bint is_open) noexcept nogil:
    """Whether quotation mark i opens a quotation; `is_open` if there is one that it could close.

    The marks `` and “ have a direction. Spaces decide on ", or else the marks before it.
    """
    cdef uint32_t length = tokens[i].end - tokens[i].start
    cdef bint space_before, space_after
    if length == 2 or length == 3:
        return not tokens[i].flags & TOKEN_CLOSES
    space_before = i == 0 or tokens[i].flags & TOKEN_SPACE_BEFORE
    space_after = i + 1 == n or tokens[i + 1].flags & TOKEN_SPACE_BEFORE
    if space_before != space_after:
        return space_before
    return not is_open


cdef inline void mark_enclosed(const Token* tokens, int32_t n, SentenceView* view) noexcept nogil:
    """Mark the words between quotes or brackets that open and close in the sentence.

    A quotation mark gets the usual case of opening or closing marks, however it is written.
    """
    cdef uint64_t quote = hash_bytes(<const uint8_t*>b'"', 1)
    cdef uint64_t opening = hash_bytes(<const uint8_t*>b"(", 1)
    cdef uint64_t closing = hash_bytes(<const uint8_t*>b")", 1)
    cdef int32_t i, quoted = -1, bracketed = -1
    cdef WordView* mark
    for i in range(n):
        if tokens[i].tag != TAG_AN:
            continue
        if tokens[i].key == quote:
            mark = view.words + N_NEIGHBOURS + i
            mark.prior = PRIOR_CASELESS + CLASS_OTHER
            if opens_quote(tokens, n, i, quoted >= 0):
                quoted = i
            else:
                mark.prior += 16
                if quoted >= 0:
                    enclose(tokens, quoted, i, 0, view)
                quoted = -1
            mark.usual = usual_case(mark.prior)
        elif tokens[i].key == opening:
            bracketed = i
        elif tokens[i].key == closing and bracketed >= 0:
            enclose(tokens, bracketed, i, 16, view)
            bracketed = -1


cdef inline void enclose(const Token* tokens, int32_t start, int32_t end, int32_t kind,
                         SentenceView* view) noexcept nogil:
    cdef int32_t k, n = end - start - 1, code
    code = n if n < 5 else 5 if n < 7 else 6 if n < 10 else 7
    # Speech ends with a mark before its closing quote; a title does not.
    if n and tokens[end - 1].tag == TAG_AN and tokens[end - 1].word_class == CLASS_OTHER:
        code += 8
    for k in range(start + 1, end):
        view.words[N_NEIGHBOURS + k].inside = 1 + kind + code


cdef inline void view_ends(const Token* tokens, int32_t n, uint64_t* opening,
                           uint64_t* closing) noexcept nogil:
    """Find the keys of the first and the last token with case, or 0."""
    cdef int32_t i
    opening[0] = 0
    closing[0] = 0
    for i in range(n):
        if tokens[i].tag != TAG_AN:
            if opening[0] == 0:
                opening[0] = tokens[i].key
            closing[0] = tokens[i].key


cdef inline int32_t typography(const uint8_t* text, uint32_t begin, uint32_t end) noexcept nogil:
    """Bit mask of the apostrophes and quotation marks of a text, which differ by publisher."""
    cdef uint32_t p
    cdef int32_t found = 0
    for p in range(begin, end):
        if text[p] == 0x27:
            found |= 1
        elif text[p] == 0x22:
            found |= 2
        elif text[p] == 0xc2 and p + 1 < end and text[p + 1] == 0xab:
            found |= 4
        elif text[p] == 0xe2 and p + 2 < end and text[p + 1] == 0x80:
            if text[p + 2] == 0x99:
                found |= 8
            elif text[p + 2] == 0x9c:
                found |= 16
    return found


cdef inline int view_sentence(const Templates* templates, const Token* tokens, int32_t n,
                              const Lattice* lattice, SentenceView* view) noexcept nogil:
    """Fill the view of the n words of a sentence with a lattice; a Status."""
    cdef int32_t i, n_upper = 0, n_cased = 0, last
    cdef WordView* word
    if view.capacity < n + 2 * N_NEIGHBOURS:
        if grow(<void**>&view.words, 2 * <size_t>(n + 2 * N_NEIGHBOURS),
                sizeof(WordView)) != STATUS_OK:
            return STATUS_OUT_OF_MEMORY
        view.capacity = 2 * (n + 2 * N_NEIGHBOURS)
    for i in range(2 * N_NEIGHBOURS):
        word = view.words + (i if i < N_NEIGHBOURS else n + i)
        word.key = 1 if i < N_NEIGHBOURS else 2
        word.suffix = word.key
        word.prior = PRIOR_OUTSIDE
        word.usual = usual_case(PRIOR_OUTSIDE)
        word.inside = 0
        word.source = 0
    # The words' usual cases lie far apart in memory.
    for i in range(n):
        if lattice.record[i] and lattice.record[i] <= templates.n_records:
            prefetch(templates.prior + lattice.record[i] - 1)
    for i in range(n):
        word = view.words + N_NEIGHBOURS + i
        word.key = tokens[i].key
        # The suffix of a mark is the mark, however it is written.
        word.suffix = 0
        if tokens[i].tag == TAG_AN and tokens[i].word_class == CLASS_OTHER:
            word.suffix = tokens[i].key | 1
        word.prior = prior_code(templates, tokens + i, lattice.record[i])
        word.usual = usual_case(word.prior)
        word.inside = 0
        if word.prior < PRIOR_UNKNOWN:
            n_cased += 1
            n_upper += (word.prior // N_COUNTS) % N_SHARES >= 7
    mark_enclosed(tokens, n, view)
    view.has_source = False
    last = n - 1
    while last > 0 and tokens[last].flags & TOKEN_CLOSES:
        last -= 1
    view.style = 0
    if n and tokens[last].flags & TOKEN_ENDS_SENTENCE:
        view.style = 1
    elif n and tokens[last].tag == TAG_AN and tokens[last].word_class != CLASS_QUANTITY:
        view.style = 2
    view.style += 3 * (0 if n < 3 else 1 if n < 6 else 2 if n < 12 else 3)
    if 2 * n_upper > n_cased:
        view.style += 12
    return STATUS_OK


cdef inline uint64_t add_code_point(uint64_t hash, uint32_t cp) noexcept nogil:
    return (hash + cp + 1) * <uint64_t>0xd6e8feb86659fd93


cdef inline uint64_t short_suffix(const uint8_t* text, const Token* token,
                                  bint turkic) noexcept nogil:
    """Hash of a word's last three folded code points; not 0."""
    cdef uint32_t last[4]
    cdef uint32_t p = token.start, length, cp, n = 0, i
    cdef uint64_t hash = 0
    while p < token.end:
        cp = canonical_code_point(text, p, token.end, token.flags, &length)
        last[n & 3] = to_fold(cp, turkic)
        p += length
        n += 1
    for i in range(n - 3 if n > 3 else 0, n):
        hash = add_code_point(hash, last[i & 3])
    return hash | 1


cdef inline void fill_affixes(const uint8_t* text, const Token* token, bint turkic,
                              uint64_t* fields) noexcept nogil:
    """Fill the fields of prefixes and suffixes of 1 to 5 code points; 0 if the word is shorter."""
    cdef uint32_t last[8]
    cdef uint32_t p = token.start, length, cp, n = 0, i
    cdef uint64_t hash = 0
    for i in range(MAX_AFFIX):
        fields[<int>FIELD_PREFIX_1 + i] = 0
        fields[<int>FIELD_SUFFIX_1 + i] = 0
    while p < token.end:
        cp = to_fold(canonical_code_point(text, p, token.end, token.flags, &length), turkic)
        p += length
        if n < MAX_AFFIX:
            hash = add_code_point(hash, cp)
            fields[<int>FIELD_PREFIX_1 + n] = spread_field(FIELD_PREFIX_1 + n, hash)
        last[n & 7] = cp
        n += 1
    hash = 0
    for i in range(n if n < MAX_AFFIX else <uint32_t>MAX_AFFIX):
        hash = add_code_point(hash, last[(n - 1 - i) & 7])
        fields[<int>FIELD_SUFFIX_1 + i] = spread_field(FIELD_SUFFIX_1 + i, hash)


cdef inline uint64_t spread_field(uint64_t field, uint64_t value) noexcept nogil:
    return scramble(value + field * <uint64_t>0x9e3779b97f4a7c15)


cdef inline void fill_fields(SentenceView* view, const uint8_t* text, const Token* tokens,
                             int32_t i, bint is_first, bint turkic,
                             uint64_t* fields) noexcept nogil:
    """Fill the fields of word i of a sentence; affixes are 0 unless the word is rare."""
    cdef WordView* word = view.words + N_NEIGHBOURS + i
    cdef WordView* before = word - 1
    cdef WordView* after = word + 1
    cdef int f
    if before.suffix == 0:
        before.suffix = short_suffix(text, tokens + i - 1, turkic)
    if after.suffix == 0:
        after.suffix = short_suffix(text, tokens + i + 1, turkic)
    fields[<int>FIELD_NONE] = 0
    fields[<int>FIELD_WORD] = spread_field(FIELD_WORD, word.key)
    fields[<int>FIELD_BEFORE] = spread_field(FIELD_BEFORE, before.key)
    fields[<int>FIELD_BEFORE_2] = spread_field(FIELD_BEFORE_2, (word - 2).key)
    fields[<int>FIELD_BEFORE_3] = spread_field(FIELD_BEFORE_3, (word - 3).key)
    fields[<int>FIELD_AFTER] = spread_field(FIELD_AFTER, after.key)
    fields[<int>FIELD_AFTER_2] = spread_field(FIELD_AFTER_2, (word + 2).key)
    fields[<int>FIELD_AFTER_3] = spread_field(FIELD_AFTER_3, (word + 3).key)
    fields[<int>FIELD_PRIOR] = spread_field(FIELD_PRIOR, word.prior)
    fields[<int>FIELD_PRIOR_BEFORE] = spread_field(FIELD_PRIOR_BEFORE, before.prior)
    fields[<int>FIELD_PRIOR_AFTER] = spread_field(FIELD_PRIOR_AFTER, after.prior)
    fields[<int>FIELD_USUAL] = spread_field(FIELD_USUAL, word.usual)
    fields[<int>FIELD_USUAL_BEFORE] = spread_field(FIELD_USUAL_BEFORE, before.usual)
    fields[<int>FIELD_USUAL_BEFORE_2] = spread_field(FIELD_USUAL_BEFORE_2, (word - 2).usual)
    fields[<int>FIELD_USUAL_AFTER] = spread_field(FIELD_USUAL_AFTER, after.usual)
    fields[<int>FIELD_USUAL_AFTER_2] = spread_field(FIELD_USUAL_AFTER_2, (word + 2).usual)
    fields[<int>FIELD_FIRST] = spread_field(FIELD_FIRST, is_first)
    fields[<int>FIELD_STYLE] = spread_field(FIELD_STYLE, view.style)
    fields[<int>FIELD_SHAPE] = spread_field(
        FIELD_SHAPE,
        16 * <uint64_t>tokens[i].word_class + min(<int>tokens[i].n_code_points, 15),
    )
    fields[<int>FIELD_SUFFIX_BEFORE] = spread_field(FIELD_SUFFIX_BEFORE, before.suffix)
    fields[<int>FIELD_SUFFIX_AFTER] = spread_field(FIELD_SUFFIX_AFTER, after.suffix)
    fields[<int>FIELD_INSIDE] = spread_field(FIELD_INSIDE, word.inside)
    if view.has_source:
        fields[<int>FIELD_SOURCE] = spread_field(FIELD_SOURCE, word.source)
        fields[<int>FIELD_SOURCE_BEFORE] = spread_field(FIELD_SOURCE_BEFORE, before.source)
        fields[<int>FIELD_SOURCE_AFTER] = spread_field(FIELD_SOURCE_AFTER, after.source)
        fields[<int>FIELD_SOURCE_SAME] = spread_field(FIELD_SOURCE_SAME, word.source_same)
        fields[<int>FIELD_SOURCE_WORD] = spread_field(FIELD_SOURCE_WORD, word.source_key)
        fields[<int>FIELD_SOURCE_STYLE] = spread_field(FIELD_SOURCE_STYLE, view.source_style)
        fields[<int>FIELD_SOURCE_FORM] = spread_field(FIELD_SOURCE_FORM, word.source_form)
        fields[<int>FIELD_SOURCE_ANYWHERE] = spread_field(
            FIELD_SOURCE_ANYWHERE, word.source_anywhere)
        fields[<int>FIELD_SOURCE_PREVIOUS] = spread_field(
            FIELD_SOURCE_PREVIOUS, word.source_previous)
        fields[<int>FIELD_SOURCE_NEXT] = spread_field(FIELD_SOURCE_NEXT, word.source_next)
        fields[<int>FIELD_SOURCE_CONTEXT] = spread_field(
            FIELD_SOURCE_CONTEXT, word.source_context)
        fields[<int>FIELD_SOURCE_OPENING] = spread_field(
            FIELD_SOURCE_OPENING, view.source_opening)
        fields[<int>FIELD_SOURCE_CLOSING] = spread_field(
            FIELD_SOURCE_CLOSING, view.source_closing)
        fields[<int>FIELD_SOURCE_MARKS] = spread_field(FIELD_SOURCE_MARKS, view.source_marks)
        fields[<int>FIELD_OPENING] = spread_field(FIELD_OPENING, view.opening)
        fields[<int>FIELD_CLOSING] = spread_field(FIELD_CLOSING, view.closing)
        fields[<int>FIELD_MARKS] = spread_field(FIELD_MARKS, view.marks)
    else:
        # Different values: equal ones would choose one row of the hidden layer, which every word
        # would then train once per field.
        for f in range(FIELD_SOURCE, N_FIELDS):
            fields[f] = <uint64_t>f * <uint64_t>0x9e3779b97f4a7c15
    if is_rare(word.prior):
        fill_affixes(text, tokens + i, turkic, fields)
    else:
        memset(fields + <int>FIELD_PREFIX_1, 0, 2 * MAX_AFFIX * sizeof(uint64_t))


cdef inline uint64_t finish_feature(uint64_t sum) noexcept nogil:
    sum ^= sum >> 32
    sum *= <uint64_t>0xd6e8feb86659fd93
    return sum ^ (sum >> 32)


cdef inline uint64_t hash_template(const Templates* templates, int32_t t,
                                   const uint64_t* fields) noexcept nogil:
    cdef const uint8_t* chosen = templates.fields[t]
    cdef int32_t f
    # Invariant: every entry is below N_FIELDS; the loader checked it.
    for f in range(MAX_FIELDS):
        check(chosen[f] < N_FIELDS)
    return finish_feature(
        fields[chosen[0]] + fields[chosen[1]] + fields[chosen[2]] + fields[chosen[3]]
        + fields[chosen[4]] + <uint64_t>(t + 1) * <uint64_t>0x9e3779b97f4a7c15
    )


cdef inline int32_t hash_templates(const Templates* templates, bint rare, const uint64_t* fields,
                                   uint64_t* out) noexcept nogil:
    """Hash a word's features into `out`; their number."""
    cdef int32_t n = templates.n_with_rare if rare else templates.n
    cdef int32_t t
    for t in range(n):
        out[t] = hash_template(templates, t, fields)
    return n
