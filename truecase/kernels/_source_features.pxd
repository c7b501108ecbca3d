"""Features of a candidate that read the source sentence.

Wang, Knight & Marcu (2006), 4.3, and the case of aligned words. Each is a finite function of the
candidate and of `SourceContext`; `SOURCE_COLUMNS` of the schema names them. Lines with an
alignment and lines without have weights of their own.
"""

from libc.stdint cimport int32_t, uint64_t, uint8_t

from truecase.base._check cimport are_finite, check, forget
from truecase.kernels._lattice cimport candidates_of, weighted_sum
from truecase.kernels._maps cimport prefetch_slot
from truecase.kernels._render cimport ROOM_UPPER, case_room
from truecase.kernels._schema cimport (
    N_SOURCE_COLUMNS, SOURCE_ALIGNED_CASELESS, SOURCE_ALIGNED_FIRST, SOURCE_ALIGNED_INITIAL,
    SOURCE_ALIGNED_LOWER, SOURCE_ALIGNED_NOT_UPPER, SOURCE_ALIGNED_UPPER,
    SOURCE_INITIAL_SOURCE_LOWER, SOURCE_INITIAL_SOURCE_UPPER, SOURCE_MARK_SOURCE_LOWER,
    SOURCE_MARK_SOURCE_UPPER, SOURCE_SAME_FORM, SOURCE_SAME_FORM_INITIAL, SOURCE_SAME_FORM_LOWER,
    SOURCE_SAME_FORM_MIXED, SOURCE_SAME_FORM_OTHER_SCRIPT, SOURCE_SAME_FORM_RUN,
    SOURCE_SAME_FORM_SENTENCE_INITIAL, SOURCE_SAME_FORM_UPPER, SOURCE_SOURCE_ALL_UPPER,
    SOURCE_SOURCE_CAPITALISED_SHARE, SOURCE_SOURCE_FORM, SOURCE_SOURCE_UPPER,
    SOURCE_TAG_TRANSLATION, SOURCE_TRANSLATION, SOURCE_UNALIGNED
)
from truecase.kernels._source cimport (
    LETTERS_NONE, begins_upper, choose_phrase, is_spelt_out, letters_of
)
from truecase.kernels._structs cimport (
    CLASS_OTHER, NODE_CLASS, NODE_SOURCE, N_TAGS, Lattice, Node, SourceForm, SourceModel,
    SourcePhrase, SourceSide, TablesView, Token
)
from truecase.kernels._tokens cimport form_hash
from truecase.kernels._translation cimport (
    look_up_phrase, pair_hash, source_hash, tag_mass, tag_translation_ln, target_hash,
    translation_ln
)
from truecase.kernels._unicode cimport TAG_AL, TAG_AN, TAG_AU, TAG_IU, TAG_MX


cdef struct SourceContext:       # the columns of a word's candidates depend on it
    const SourceModel* model
    const SourceSide* side
    const SourcePhrase* phrase
    const Token* token
    float mass[N_TAGS]           # of `tag_mass`
    int likely_tag               # tag of the source word that it most likely translates
    bint likely_upper            # that word starts upper
    bint likely_first            # that word is the source sentence's first with case
    bint is_initial              # first word with a letter of the target sentence
    bint is_lone                 # its upper case is its capitalised form: a, d'
    bint after_mark              # a mark stands right before it
    bint other_script            # its letters are of another script than the source


cdef inline void compute_source(const SourceModel* model, SourceSide* side, int32_t i,
                                bint is_initial, SourceContext* at) noexcept nogil:
    """Compute the context of token i of the target's piece; selects its phrase."""
    cdef const Token* token = side.tokens.tokens + i
    cdef const Token* likely
    cdef int32_t likeliest = -1
    cdef int letters
    at.model = model
    at.side = side
    at.phrase = side.phrase + i
    at.token = token
    at.is_initial = is_initial
    # It matters in a source that is all upper only.
    at.is_lone = side.sentence.all_upper and (
        not case_room(side.text, token, model.target_turkic) & ROOM_UPPER)
    at.after_mark = (i > 0 and (token - 1).tag == TAG_AN
                     and (token - 1).word_class == CLASS_OTHER)
    letters = letters_of(side.text, token)
    at.other_script = at.phrase.n_same > 0 and letters != side.sentence.letters and (
        letters != LETTERS_NONE) and side.sentence.letters != LETTERS_NONE
    at.likely_tag = at.phrase.main_tag
    at.likely_upper = at.phrase.starts_upper
    at.likely_first = at.phrase.tags != 0 and at.phrase.inner_tags == 0
    if not model.tables.present:
        return
    choose_phrase(side, i)
    look_up_phrase(&model.tables, &side.line)
    likeliest = tag_mass(&model.tables, &side.line, at.token.key, at.mass)
    if likeliest >= 0 and (at.phrase.is_aligned or side.is_whole) and (
            side.line.tokens.tokens[likeliest].key == at.token.key
            or not is_spelt_out(side, i, likeliest)):
        likely = side.line.tokens.tokens + likeliest
        at.likely_tag = likely.tag
        at.likely_upper = begins_upper(likely.tag, likely.upper_mask)
        at.likely_first = likeliest == side.sentence.first_token


cdef inline bint is_same_form(const SourceContext* at, const Node* node) noexcept nogil:
    """Whether the phrase has a form, too; of a raised one, its lowercase form."""
    cdef int i, tag = TAG_AL if node.state == TAG_AL else node.tag
    for i in range(at.phrase.n_same):
        if at.phrase.same_tag[i] == tag and (
                tag != TAG_MX or at.phrase.same_mask[i] == node.upper_mask):
            return True
    return False


cdef inline void copy_columns(const SourceContext* at, const Node* node,
                              float* value) noexcept nogil:
    """Fill the features of forms that the source has, too: 1 for such a form, else 0."""
    cdef bint found = is_same_form(at, node), same = found and node.state != TAG_AL
    # In a source that is all upper, a copy's case says nothing.
    cdef bint tells = same and not at.side.sentence.all_upper
    cdef bint is_first = at.phrase.copy_is_first
    value[SOURCE_SAME_FORM_LOWER] = found != same
    value[SOURCE_SAME_FORM] = same and not is_first
    value[SOURCE_SAME_FORM_SENTENCE_INITIAL] = same and is_first
    value[SOURCE_SAME_FORM_UPPER] = node.tag == TAG_AU and tells
    value[SOURCE_SAME_FORM_MIXED] = node.tag == TAG_MX and same
    value[SOURCE_SAME_FORM_INITIAL] = node.tag == TAG_IU and tells and not is_first
    # In a name of several words.
    value[SOURCE_SAME_FORM_RUN] = tells and at.phrase.copy_is_in_run != 0
    # In another script than the source's.
    value[SOURCE_SAME_FORM_OTHER_SCRIPT] = at.other_script and tells
    # Training has not seen the form.
    value[SOURCE_SOURCE_FORM] = 1.0 if node.flags & NODE_SOURCE or (
        node.flags & NODE_CLASS and same) else 0.0


cdef inline void aligned_columns(const SourceContext* at, const Node* node,
                                 float* value) noexcept nogil:
    """Fill the features of forms by the case of their source words: 1 for such a form, else 0."""
    cdef const SourcePhrase* phrase = at.phrase
    cdef bint is_upper = node.tag == TAG_AU, has_upper = node.state != TAG_AL
    cdef bint shouts = at.side.sentence.all_upper
    # Both start upper, and neither is AU.
    cdef bint is_alike = (node.state == TAG_IU or node.state == TAG_MX) and at.likely_upper and (
        at.likely_tag != TAG_AU) and begins_upper(node.tag, node.upper_mask)
    value[SOURCE_ALIGNED_LOWER] = has_upper and at.likely_tag == TAG_AL
    value[SOURCE_ALIGNED_INITIAL] = is_alike and not at.likely_first
    # The source sentence's first word, but not the target's.
    value[SOURCE_ALIGNED_FIRST] = is_alike and at.likely_first and not at.is_initial
    value[SOURCE_ALIGNED_UPPER] = is_upper and at.likely_tag == TAG_AU
    value[SOURCE_ALIGNED_NOT_UPPER] = (
        is_upper and at.likely_tag != TAG_AU and at.likely_tag != TAG_AN)
    # The phrase has no case; the line has an alignment, but not the word.
    value[SOURCE_ALIGNED_CASELESS] = 1.0 if (
        has_upper and phrase.is_aligned and phrase.tags == 0 and not shouts) else 0.0
    value[SOURCE_UNALIGNED] = 1.0 if (
        has_upper and not phrase.is_aligned and not at.side.is_whole and not shouts) else 0.0


cdef inline void place_columns(const SourceContext* at, const Node* node,
                               float* value) noexcept nogil:
    """Fill the features of forms with upper case by their place in both sentences."""
    cdef bint shouts = at.side.sentence.all_upper
    cdef bint starts_upper = begins_upper(node.tag, node.upper_mask)
    cdef bint is_raised = at.is_initial and starts_upper
    cdef bint after_mark = at.after_mark and starts_upper
    cdef int first_tag = at.side.sentence.first_tag
    # 1 for an AU form if all words of its phrase, or of the source, that have case are AU; for the
    # whole source also for a capital that equals it.
    value[SOURCE_SOURCE_UPPER] = 1.0 if node.tag == TAG_AU and at.phrase.all_upper else 0.0
    value[SOURCE_SOURCE_ALL_UPPER] = 1.0 if shouts and (
        node.tag == TAG_AU or (node.tag == TAG_IU and at.is_lone)) else 0.0
    # 1 for a capital of the first word, by that of the source's first word.
    value[SOURCE_INITIAL_SOURCE_UPPER] = 1.0 if is_raised and not shouts and (
        first_tag == TAG_IU or first_tag == TAG_AU) else 0.0
    value[SOURCE_INITIAL_SOURCE_LOWER] = is_raised and first_tag == TAG_AL
    # 1 for a form that starts upper after a mark, by its source word.
    value[SOURCE_MARK_SOURCE_UPPER] = after_mark and at.likely_upper and not shouts
    value[SOURCE_MARK_SOURCE_LOWER] = after_mark and at.likely_tag == TAG_AL
    # The share of the source's words that start upper.
    value[SOURCE_SOURCE_CAPITALISED_SHARE] = 0.0
    if node.state != TAG_AL and not shouts:
        value[SOURCE_SOURCE_CAPITALISED_SHARE] = 0.25 * at.side.sentence.upper_share


cdef inline void translation_columns(const SourceContext* at, const Node* node,
                                     float* value) noexcept nogil:
    """Fill log Σ_k p(E | F_k), equation 7, and log Σ_k p(e | f_k) p(τ(E) | τ(F_k)), equation 8."""
    value[SOURCE_TRANSLATION] = value[SOURCE_TAG_TRANSLATION] = 0.0
    if at.model.tables.present:
        value[SOURCE_TRANSLATION] = translation_ln(
            &at.model.tables, &at.side.line,
            form_hash(at.token.key, node.tag, node.upper_mask))
        value[SOURCE_TAG_TRANSLATION] = tag_translation_ln(&at.model.tables, at.mass, node.tag)


cdef inline void source_columns(const SourceContext* at, const Node* node,
                                float* value) noexcept nogil:
    """Fill all features of a candidate, by the numbers of `_schema.pxd`."""
    forget(value, N_SOURCE_COLUMNS)
    translation_columns(at, node, value)
    copy_columns(at, node, value)
    aligned_columns(at, node, value)
    place_columns(at, node, value)
    check(are_finite(value, N_SOURCE_COLUMNS))


cdef inline void prefetch_translations(const TablesView* tables, const SourceSide* side, int32_t i,
                                       const Node* node, int32_t n) noexcept nogil:
    """Prefetch the entries of translation tables for the forms of token i and its main pair."""
    cdef const SourcePhrase* phrase = side.phrase + i
    cdef const Token* token = side.tokens.tokens + i
    cdef const SourceForm* source = NULL
    cdef uint64_t form
    cdef int32_t c
    prefetch_slot(&tables.lower.slots, target_hash(token.key))
    # Lines without an alignment have no main pair.
    if phrase.main_place >= 0:
        source = side.line.forms + phrase.main_place
        prefetch_slot(&tables.cased.slots, source_hash(source.form))
        prefetch_slot(&tables.lower.slots, source_hash(source.key))
        prefetch_slot(&tables.lower.slots, pair_hash(source.key, token.key))
    for c in range(n):
        form = form_hash(token.key, node[c].tag, node[c].upper_mask)
        prefetch_slot(&tables.cased.slots, target_hash(form))
        if source != NULL:
            prefetch_slot(&tables.cased.slots, pair_hash(source.form, form))


cdef inline void add_source_scores(const SourceModel* model, SourceSide* side, Lattice* lattice,
                                   int32_t first, int32_t initial) noexcept nogil:
    """Add the weighted columns to the nodes of words that have several.

    The lattice is that of the tokens from `first` on; `initial` is as in `score_nodes`.
    """
    cdef int32_t word, c, n
    cdef Node* node
    cdef SourceContext at
    cdef float value[N_SOURCE_COLUMNS]
    cdef const float* weight = model.weight[side.sentence.kind][1 if side.is_whole else 0]
    if model.tables.present:
        for word in range(lattice.n_words - 1):
            node = candidates_of(lattice, word, &n)
            if n > 1:
                prefetch_translations(&model.tables, side, first + word, node, n)
    for word in range(lattice.n_words - 1):
        node = candidates_of(lattice, word, &n)
        if n == 1:
            continue
        compute_source(model, side, first + word, word == initial, &at)
        for c in range(n):
            source_columns(&at, node + c, value)
            node[c].score += <float>weighted_sum(weight, value, N_SOURCE_COLUMNS)
