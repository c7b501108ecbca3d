"""The compiled model: owns a model's arrays and cases blocks of text with them.

Here are the loop over the lines of a block, the memory of one thread, and the boundary at which
status codes become exceptions; the kernels that it cimports run per word.
"""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from truecase.base._check cimport check, prefetch
from truecase.base._memory cimport (
    STATUS_INVALID, STATUS_OK, STATUS_OUT_OF_MEMORY, STATUS_TOO_LONG, TEXT_PADDING, free_arena,
    grow, reserve_output
)
from truecase.kernels._calibration cimport (
    Form, calibrated, familiar_of, give_probability, rank_forms, traits_of
)
from truecase.kernels._dense cimport score_nodes
from truecase.kernels._edges cimport score_edges
from truecase.kernels._forward_backward cimport forward_backward
from truecase.kernels._lattice cimport (
    MAX_CANDIDATES, add_candidates, add_form, add_source_forms, bytes_of_lattice, candidates_of,
    drop_raised, free_lattice, hold_case, is_cased_as, is_held, place_of_form,
    raise_initial, raise_node, reserve_nodes, reserve_words
)
from truecase.kernels._lexicon cimport (
    first_record, is_abbreviation, is_name, is_unsettled, known_words, training_count
)
from truecase.kernels._maps cimport prefetch_slot
from truecase.kernels._mixture cimport add_domain_forms, score_mixture
from truecase.kernels._names cimport (
    NAME_LIKELY, add_likely_name, add_name, agree_on_names, favour_names,
    find_names, free_named, keep_more_frequent
)
from truecase.kernels._network cimport NetworkSentence, free_network, score_sentence
from truecase.kernels._omega cimport combine_edges, score_cases, walk_left_to_right
from truecase.kernels._render cimport (
    SEEN_LOWER, SEEN_UPPER, cases_of, is_bracket_escape, is_wrong_acronym, render_anew, render_token
)
from truecase.kernels._segment cimport OwnedTokens, segment_line
from truecase.kernels._sentences cimport first_word, sentence_end, word_with_capital
from truecase.kernels._source cimport (
    AlignedBlock, bytes_of_side, end_piece, free_side, next_source_line, start_block,
    summarise_phrases
)
from truecase.kernels._source_features cimport add_source_scores
from truecase.kernels._structs cimport (
    CLASS_HYPHENATED, TOKEN_CANONICAL, TOKEN_KEEPS, TOKEN_LETTERS, TOKEN_LOWERS, TOKEN_SHARP_S,
    TOKEN_SPACE_BEFORE, TOKEN_WEIGHED, DenseView, LexiconView, NamedToken
)
from truecase.kernels._unicode cimport ascii_space, find_byte
from truecase.kernels._viterbi cimport search_edges
from truecase.model._view cimport INITIAL_CONSTRAIN, INITIAL_LEARN, INITIAL_NONE, view_model
from truecase.rules._capitals cimport (
    COLON_LOWER, OFFICES_AS_LEARNED, OFFICES_CAPITAL, OFFICES_LOWER, TaggedSentence,
    begins_as_pronoun, find_offices, hide_colons, is_ordinal
)
from truecase.rules._language cimport (
    SPEECH_ABBREVIATION, RulesView, SpeechCase, begins_speech, favour_forms, favour_speech,
    goes_on_after_period, head_end, label_of_speaker, letter_end, may_be_new, may_be_plural,
    may_be_short, may_be_speech, may_be_unit, name_first_words, rule_word, speech_case
)

from truecase.errors import WrongTypeError
from truecase.kernels.text import CAPITALS_IN_TITLE as _CAPITALS_IN_TITLE
from truecase.options import CASING_OPTIONS, DEFAULT_CASING, Casing


cdef enum:
    MAX_PIECE = 1 << 17          # bytes; longer lines are decoded in pieces, cut at white space
    MAX_PART = 1 << 18           # about the bytes of whole lines that are copied to a padded buffer
    LEAST_IN_TITLE = 4           # capitals of a line in title case: fewer may all be names
    RAISED_TO_STAY = 2           # for each word without, of a sentence that stays: proofreading
    LEAST_ALIKE = 4              # words of a sentence in one case, which says nothing

cdef int RAISED_IN_TITLE = _CAPITALS_IN_TITLE


cdef void free_workspace(Workspace* work) noexcept nogil:
    free(work.tokens.tokens)
    free_lattice(&work.lattice)
    free_arena(&work.viterbi.edges.arena)
    free_arena(&work.passes.arena)
    free_lattice(&work.mirror)
    free_arena(&work.mirror_edges.arena)
    free_named(&work.named)
    free(work.offices.style)
    free_network(&work.network)
    free_side(&work.side)
    free(work.text)
    free(work.out.bytes)
    memset(work, 0, sizeof(Workspace))


cdef size_t bytes_of_workspace(const Workspace* work) noexcept nogil:
    return (<size_t>work.tokens.capacity * sizeof(Token)
            + bytes_of_lattice(&work.lattice) + bytes_of_lattice(&work.mirror)
            + work.viterbi.edges.arena.size + work.passes.arena.size
            + work.mirror_edges.arena.size + work.network.arena.size
            + <size_t>work.named.capacity * sizeof(NamedToken) + <size_t>work.offices.capacity
            + bytes_of_side(&work.side)
            + work.text_capacity + work.out.capacity)


cdef inline void constrain_initial(Lattice* lattice, const uint8_t* text, const Token* token,
                                   int32_t first, int capital_rule) noexcept nogil:
    """Drop the AL nodes from `first` on, those of a sentence's first word.

    If there is no other, it is rendered IU and keeps its identity in the language model.
    """
    cdef int32_t i, kept = first
    for i in range(first, lattice.n_nodes):
        if lattice.nodes[i].tag != TAG_AL:
            lattice.nodes[kept] = lattice.nodes[i]
            kept += 1
    if kept == first:
        raise_node(lattice.nodes + first, text, token, capital_rule)
        kept += 1
    lattice.n_nodes = kept


cdef inline int add_given_form(const Walk* walk, const Token* token, uint32_t index,
                               int32_t first_node, Lattice* lattice) noexcept nogil:
    """Add the form that a word came in, unless it is a candidate; a Status."""
    cdef int32_t c, given = lattice.n_nodes
    cdef float best = 0.0
    cdef int status = STATUS_OK
    for c in range(first_node, lattice.n_nodes):
        if is_cased_as(lattice.nodes + c, token.tag, token.upper_mask):
            given = c
        elif lattice.nodes[c].tag == TAG_MX:
            best = max(best, lattice.nodes[c].form_bonus)
    if given - first_node == MAX_CANDIDATES:
        return STATUS_OK
    if given == lattice.n_nodes:
        status = add_form(lattice, &walk.model.lexicon, token, token.tag, token.upper_mask, index)
    if status == STATUS_OK and token.tag == TAG_MX and token.word_class == CLASS_HYPHENATED:
        # Of mixed forms of parts (LaTeX-style), the one that was given is as good as any.
        best = max(best - lattice.nodes[given].form_bonus, <float>0.0)
        lattice.nodes[given].form_bonus += best
        lattice.nodes[given].score += best
    return status


cdef int case_of_words(const uint8_t* text, const Token* tokens, int32_t n,
                       bint turkic) noexcept nogil:
    if cases_of(text, tokens, n, TOKEN_KEEPS, turkic) == SEEN_LOWER | SEEN_UPPER:
        return INPUT_AUTO
    return INPUT_IGNORE


cdef inline bint has_capitals(const Token* tokens, int32_t n, int least, int each) noexcept nogil:
    """Whether `least` words or more have a capital, and `each` or more for every other word."""
    cdef const Token* token
    cdef int32_t i, n_raised = 0, n_lower = 0
    for i in range(n):
        token = tokens + i
        if token.flags & TOKEN_KEEPS or token.tag == TAG_AN:
            continue
        if token.tag != TAG_AL:
            n_raised += 1
        elif token.flags & TOKEN_SPACE_BEFORE:
            n_lower += 1
    return n_raised >= least and n_raised >= each * n_lower


cdef inline bint joins_held(const TokenArray* tokens, int32_t i) noexcept nogil:
    """Whether token `i` and the one before it are of one address or identifier."""
    return 0 < i < tokens.n and not tokens.tokens[i].flags & TOKEN_SPACE_BEFORE and (
        tokens.tokens[i - 1].flags & tokens.tokens[i].flags & TOKEN_KEEPS != 0)


cdef void weigh_case(TokenArray* tokens) noexcept nogil:
    # Nearly all words have a capital: initial capitals say nothing there.
    cdef bint is_title = has_capitals(tokens.tokens, tokens.n, LEAST_IN_TITLE, RAISED_IN_TITLE)
    cdef Token* token
    cdef int32_t i
    for i in range(tokens.n):
        token = tokens.tokens + i
        # Config_file in a title, but Net.readAll as it is.
        if is_title and token.upper_mask == 1 and token.flags & TOKEN_KEEPS and not (
                joins_held(tokens, i) or joins_held(tokens, i + 1)):
            token.flags ^= TOKEN_KEEPS | TOKEN_LOWERS
        # McCoy, _userName2; not Don'T, nor its part n'T
        if not is_title or token.tag == TAG_AU or token.tag == TAG_MX and (
                token.flags & TOKEN_LETTERS
                or not token.upper_mask & 1 and token.n_code_points > 3):
            token.flags |= TOKEN_WEIGHED


cdef inline int add_forms(const Walk* walk, Line* line, int32_t i, uint32_t index,
                          bint with_rules, Lattice* lattice) noexcept nogil:
    """Add the forms of token `i` from the lexicon, its text and rules; a Status.

    `index` is 1 + the place of its first record in the lexicon, or 0.
    """
    cdef const Token* token = line.tokens + i
    cdef int32_t first_node = lattice.n_nodes
    cdef int status = add_candidates(lattice, line.lexicon, line.text, token, index,
                                     walk.model.full_gen)
    if with_rules and status == STATUS_OK and (
            may_be_new(line.text, token, index) or may_be_unit(line.text, token)
            or second_capital(line.text, token, index)
            or may_be_plural(line.text, token, lattice.nodes + first_node, index)
            or i < line.name_end or may_be_short(line, i)):
        status = favour_forms(line, i, index, first_node, lattice)
    return status


cdef inline int add_speech(const Walk* walk, const Line* line, int32_t i, bint is_initial,
                           int32_t first_node, Workspace* work) noexcept nogil:
    """Add the bonus of rules of speech to the nodes of token `i`; a Status."""
    cdef SpeechCase favoured
    if not may_be_speech(line, i):
        return STATUS_OK
    favoured = speech_case(line, i)
    if favoured.tag == TAG_AN:
        return STATUS_OK
    work.has_speech = True
    # If a first word loses its lowercase form, the others get no bonus.
    is_initial = is_initial and walk.model.initial != INITIAL_CONSTRAIN
    return favour_speech(&favoured, line, i, is_initial, first_node, &work.lattice)


cdef inline int add_initial(const ModelView* model, const Line* line, int32_t i,
                            int32_t first_node, Lattice* lattice) noexcept nogil:
    """Change the nodes of a sentence's first word, token `i`; a Status."""
    cdef const Token* token = line.tokens + i
    if model.initial == INITIAL_LEARN:
        return raise_initial(lattice, line.lexicon, line.text, token, first_node)
    if model.initial == INITIAL_CONSTRAIN and (
            case_room(line.text, token, model.turkic) & ROOM_INITIAL):
        constrain_initial(lattice, line.text, token, first_node, model.capital_rule)
    return STATUS_OK


cdef inline int add_word(const Walk* walk, Line* line, int32_t i, bint is_initial,
                         bint with_rules, Workspace* work) noexcept nogil:
    """Add the candidates of token `i`, whose case is open; a Status."""
    cdef const ModelView* model = walk.model
    cdef const LexiconView* lexicon = &model.lexicon
    cdef const Token* token = line.tokens + i
    cdef const NamedToken* named = work.named.tokens + i if work.named.any else NULL
    cdef Lattice* lattice = &work.lattice
    cdef uint32_t index = lattice.record[i - walk.first]
    cdef int32_t first_node = lattice.n_nodes
    cdef bint most_frequent = model.most_frequent
    cdef int status
    if named != NULL and named.kind > NAME_LIKELY:
        status = add_name(lattice, lexicon, token, named, index)
    else:
        status = add_forms(walk, line, i, index, with_rules, lattice)
        if model.domain.is_active and status == STATUS_OK:
            status = add_domain_forms(lattice, lexicon, &model.domain.lexicon, token, first_node)
        if work.side.aligned != NULL and model.source.is_active and not most_frequent and (
                status == STATUS_OK):
            status = add_source_forms(lattice, lexicon, line.text, token, work.side.phrase + i,
                                      first_node, index != 0)
        if status != STATUS_OK:
            return status
        if named != NULL and named.kind == NAME_LIKELY:
            status = add_likely_name(lattice, lexicon, token, named, index, first_node)
            if most_frequent and status == STATUS_OK:
                keep_more_frequent(&model.names, named, lattice, first_node)
        elif most_frequent:
            lattice.n_nodes = first_node + 1
        elif model.rules.favours_speech and follows_rules(walk):
            status = add_speech(walk, line, i, is_initial, first_node, work)
        if (token.flags & TOKEN_WEIGHED or walk.keeps_unsure) and status == STATUS_OK:
            status = add_given_form(walk, token, index, first_node, lattice)
    if is_initial and status == STATUS_OK and not lattice.nodes[first_node].flags & NODE_FORCED:
        status = add_initial(model, line, i, first_node, lattice)
    return status


cdef int build_lattice(Walk* walk, bint wants_initial, Workspace* work) noexcept nogil:
    """Build the lattice of a sentence; a Status.

    ``work.lattice`` gets a word for each token and one for ``</s>``. With `wants_initial` the
    tokens begin a sentence, and ``walk.initial`` becomes the place of its first word with a letter;
    otherwise, or if there is no such word, -1.
    """
    cdef const ModelView* model = walk.model
    cdef Lattice* lattice = &work.lattice
    cdef const LexiconView* lexicon = &model.lexicon
    cdef const Token* tokens = work.tokens.tokens
    cdef Line line = line_of(walk, work)
    cdef int32_t i, first = walk.first, end = walk.last, n_words = end - first + 1, initial = -1
    cdef int input_case = walk.piece_case
    cdef bint with_rules = follows_forms(walk, work)
    cdef uint32_t index
    cdef uint32_t* record
    cdef int status = reserve_words(lattice, n_words)
    walk.initial = -1
    if status != STATUS_OK:
        return status
    record = lattice.record
    lattice.n_words = n_words
    lattice.n_nodes = 0
    work.has_speech = False
    if with_rules and first == 0:
        name_first_words(&line)
    if wants_initial:
        initial = word_with_capital(tokens, first_word(tokens, first, end), end, model.capital_rule)
    walk.initial = initial - first if initial >= 0 else -1
    for i in range(first, end):
        prefetch_slot(&lexicon.slots, tokens[i].key)
    for i in range(first, end):
        index = first_record(lexicon, tokens[i].key)
        record[i - first] = index
        prefetch(lexicon.records + (index - 1 if index else 0))
    for i in range(first, end):
        lattice.first_node[i - first] = lattice.n_nodes
        if keeps_case(tokens + i, input_case, i == initial):
            status = add_form(lattice, lexicon, tokens + i, tokens[i].tag, tokens[i].upper_mask,
                              record[i - first])
        else:
            status = add_word(walk, &line, i, i == initial or with_rules and (
                is_behind_quote(walk, work, i - first) and begins_speech(&line, first, i)),
                with_rules, work)
        if status != STATUS_OK:
            return status
        check(lattice.n_nodes - lattice.first_node[i - first] <= MAX_CANDIDATES)
    lattice.first_node[n_words - 1] = lattice.n_nodes
    lattice.first_node[n_words] = lattice.n_nodes + 1
    status = reserve_nodes(lattice, 1)
    if status == STATUS_OK:
        lattice.nodes[lattice.n_nodes] = model.end
        lattice.n_nodes += 1
    return status


cdef inline bint is_listed(const ModelView* model, const Token* token) noexcept nogil:
    return rule_word(&model.rules, token.key).speech & SPEECH_ABBREVIATION != 0


cdef bint is_any_abbreviation(const void* model, const Token* token) noexcept nogil:
    """Whether a word is an abbreviation by the rules of the language or by the lexicon."""
    cdef const ModelView* view = <const ModelView*>model
    return is_listed(view, token) or is_abbreviation(&view.lexicon, token)


cdef bint is_never_alone(const void* model, const Token* token) noexcept nogil:
    # No sentence by itself: a listed abbreviation (Ca. five) or a name.
    cdef const ModelView* view = <const ModelView*>model
    return is_listed(view, token) or is_name(&view.lexicon, token)


cdef void begin_walk(Walk* walk, const ModelView* model, const uint8_t* block, size_t size,
                     const AlignedText* source, int input_case, Workspace* work) noexcept nogil:
    memset(walk, 0, sizeof(Walk))
    walk.model = model
    walk.words = known_words(&model.lexicon, False)
    if model.rules.has_abbreviations:
        walk.words.words = model
        walk.words.is_abbreviation = is_any_abbreviation
        walk.words.is_never_alone = is_never_alone
    walk.block = block
    walk.size = size
    # A source without lines counts as no source.
    walk.source = source if source != NULL and source.n_lines > 0 else NULL
    walk.input_case = walk.piece_case = input_case
    walk.ends_line = True
    walk.status = STATUS_OK
    start_block(&work.side, walk.source, model.source.turkic, model.source.noun_words)


cdef inline size_t size_of_part(const uint8_t* text, size_t size) noexcept nogil:
    """Size of whole lines from the beginning of a text, or of the next piece of a very long one."""
    cdef size_t n
    if size <= MAX_PART + MAX_PIECE:
        return size
    n = find_byte(text, MAX_PART, MAX_PART + MAX_PIECE, 0x0a)
    if n < MAX_PART + MAX_PIECE:
        return n + 1
    n = MAX_PART
    while n > 0 and text[n - 1] != 0x0a:
        n -= 1
    if n == 0:
        # As `next_piece` cuts it.
        n = MAX_PIECE
        while n < size and not ascii_space(text[n]):
            n += 1
    return n


cdef bint next_part(Walk* walk, Workspace* work) noexcept nogil:
    """Copy the next part of the block to the padded buffer; False at the end, or after an error."""
    cdef size_t part, done = walk.part_offset + walk.part_size
    if done >= walk.size:
        return False
    part = size_of_part(walk.block + done, walk.size - done)
    if part + TEXT_PADDING > <size_t>0x7fffffff:
        walk.line += 1
        walk.status = STATUS_TOO_LONG
        return False
    if work.text_capacity < part + TEXT_PADDING:
        if grow(<void**>&work.text, part + TEXT_PADDING, 1) != STATUS_OK:
            walk.line += 1
            walk.status = STATUS_OUT_OF_MEMORY
            return False
        work.text_capacity = part + TEXT_PADDING
    memcpy(work.text, walk.block + done, part)
    memset(work.text + part, 0x0a, TEXT_PADDING)
    walk.text = work.text
    walk.part_offset = done
    walk.part_size = <uint32_t>part
    return True


cdef void find_line_end(Walk* walk) noexcept nogil:
    walk.line_end = <uint32_t>find_byte(walk.text, walk.begin, walk.part_size, 0x0a)
    walk.line_goes_on = walk.line_end == walk.part_size and (
        walk.part_offset + walk.part_size < walk.size)


cdef int next_line(Walk* walk, Workspace* work) noexcept nogil:
    """Begin the line at ``walk.begin``, and read its source; a Status."""
    cdef int status
    find_line_end(walk)
    walk.line += 1
    if walk.source == NULL:
        return STATUS_OK
    # The caller may have hidden the source of the line before.
    work.side.aligned = walk.source
    status = next_source_line(&work.side, walk.model.segmentation)
    if work.side.line.tokens.n == 0:
        # An empty source is no source.
        work.side.aligned = NULL
    return status


cdef bint next_piece(Walk* walk, Workspace* work) noexcept nogil:
    cdef const uint8_t* text
    cdef bint reads_case
    cdef int found
    if walk.status != STATUS_OK:
        return False
    walk.starts_line = walk.ends_line
    if walk.starts_line:
        walk.begin = walk.line_end + 1
        if walk.begin >= walk.part_size:
            if not next_part(walk, work):
                return False
            walk.begin = 0
        walk.status = next_line(walk, work)
        if walk.status != STATUS_OK:
            return False
    else:
        walk.begin = walk.end
        if walk.begin == walk.part_size:
            if not next_part(walk, work):
                return False
            walk.begin = 0
            find_line_end(walk)
        if work.side.aligned != NULL:
            end_piece(&work.side)
    text = walk.text
    walk.end = walk.line_end
    if walk.end - walk.begin > MAX_PIECE:
        walk.end = walk.begin + MAX_PIECE
        while walk.end < walk.line_end and not ascii_space(text[walk.end]):
            walk.end += 1
    walk.ends_line = walk.end == walk.line_end and not walk.line_goes_on
    walk.first = walk.last = 0
    walk.is_prepared = False
    walk.status = segment_line(text, walk.begin, walk.end, walk.model.segmentation,
                               walk.model.turkic, &work.tokens)
    reads_case = walk.input_case in (INPUT_EVIDENCE, INPUT_AUTO, INPUT_PROOFREAD)
    if (reads_case or walk.min_odds > 1.0) and walk.status == STATUS_OK:
        found = INPUT_AUTO if walk.input_case == INPUT_PROOFREAD else case_of_words(
            text, work.tokens.tokens, work.tokens.n, walk.model.turkic)
        walk.keeps_unsure = walk.min_odds > 1.0 and found == INPUT_AUTO
        if reads_case:
            walk.piece_case = walk.input_case if found == INPUT_AUTO else found
        walk.weighs = walk.piece_case in (INPUT_EVIDENCE, INPUT_PROOFREAD)
        if walk.weighs:
            weigh_case(&work.tokens)
    return walk.status == STATUS_OK


cdef inline int prepare_piece(const Walk* walk, Workspace* work) noexcept nogil:
    """Find names of a list among a piece's tokens, and each token's source words; a Status."""
    cdef const ModelView* model = walk.model
    cdef int status = STATUS_OK
    work.named.any = False
    if model.names.is_active:
        status = find_names(&model.names, &model.lexicon, walk.text, &work.tokens, &work.named)
    if status == STATUS_OK and work.side.aligned != NULL:
        status = summarise_phrases(&work.side, walk.text, walk.begin, walk.end, model.segmentation,
                                   &work.tokens, walk.ends_line)
    return status


cdef inline bint goes_on(const uint8_t* text, const Token* word, int ordinals) noexcept nogil:
    """Whether a word in lower case behind an ellipsis or an ordinal is meant so in mixed case."""
    cdef uint32_t p = (word - 1).end
    return word.tag == TAG_AL and word.flags & TOKEN_WEIGHED and p > 2 and (
        text[p - 1] == text[p - 2] == 0x2e or (                       # … in UTF-8
            text[p - 1] == 0xa6 and text[p - 2] == 0x80 and text[p - 3] == 0xe2) or (
            ordinals > 0 and text[p - 1] == 0x2e and is_ordinal(text, word - 2, ordinals)))


cdef inline int32_t unit_end(const Walk* walk, const Workspace* work) noexcept nogil:
    """Find the end of a sentence; by rules of forms, its head (``Re:``) ends one, too."""
    cdef const TokenArray* tokens = &work.tokens
    cdef Line line
    cdef int32_t end
    if not (walk.model.rules.favours_forms and follows_rules(walk)):
        return sentence_end(&walk.words, tokens, walk.first)
    line = line_of(walk, work)
    end = head_end(&line, walk.first)
    if end == walk.first:
        end = sentence_end(&walk.words, tokens, walk.first)
        while goes_on_after_period(&line, end) or (
                end < tokens.n and goes_on(walk.text, tokens.tokens + end, (
                    walk.model.rules.ordinals if end > walk.first + 2 else 0))):
            end = sentence_end(&walk.words, tokens, end)
        end = letter_end(&line, walk.first, end)
    return end


cdef inline void weigh_sentence(Walk* walk, Workspace* work) noexcept nogil:
    """Weigh the case of no word of a sentence that has one case, though its line is mixed.

    A sentence of a few words, or what follows a quotation, may be right in lower case.
    """
    cdef Token* tokens = work.tokens.tokens + walk.first
    cdef int32_t i, n = walk.last - walk.first, n_cased = 0
    cdef int32_t label = label_of_speaker(work.tokens.tokens, work.tokens.n)
    # A speaker's label stays, and says nothing of the case of the words behind it.
    walk.piece_case = INPUT_KEEP if walk.last == label else INPUT_EVIDENCE
    if walk.last == label:
        return
    if walk.input_case == INPUT_PROOFREAD:
        if has_capitals(tokens, n, 1, RAISED_TO_STAY):
            walk.piece_case = INPUT_KEEP
        return
    for i in range(n):
        n_cased += tokens[i].tag != TAG_AN
    if n_cased >= (1 if walk.first == label > 0 else LEAST_ALIKE) and case_of_words(
            walk.text, tokens, n, walk.model.turkic) == INPUT_IGNORE:
        walk.piece_case = INPUT_IGNORE
        for i in range(n):
            tokens[i].flags &= ~<int>TOKEN_WEIGHED


cdef bint next_sentence(Walk* walk, Workspace* work) noexcept nogil:
    cdef const ModelView* model = walk.model
    cdef bint wants_initial
    if walk.status == STATUS_OK and not walk.is_prepared:
        walk.is_prepared = True
        walk.status = prepare_piece(walk, work)
    walk.first = walk.last
    if walk.status != STATUS_OK or walk.first >= work.tokens.n:
        return False
    walk.last = work.tokens.n
    if not walk.is_one_sentence:
        walk.last = unit_end(walk, work)
    if walk.weighs:
        weigh_sentence(walk, work)
    if walk.after_colon == COLON_LOWER:
        hide_colons(work.tokens.tokens, work.tokens.n, walk.first, walk.last)
    wants_initial = (walk.starts_line or walk.first > 0) and (
        model.initial != INITIAL_NONE or walk.start_always)
    walk.status = build_lattice(walk, wants_initial, work)
    return walk.status == STATUS_OK


cdef int score_lm(const Walk* walk, Workspace* work) noexcept nogil:
    cdef const ModelView* model = walk.model
    cdef int status = score_edges(&model.lm, &work.lattice, &model.start, &work.viterbi.edges)
    if status == STATUS_OK and model.domain.is_active:
        status = score_mixture(&model.domain, &model.lexicon, &work.lattice,
                               work.tokens.tokens + walk.first, &work.mirror,
                               &work.mirror_edges, &work.viterbi.edges)
    return status


cdef int score_network(const Walk* walk, bint for_search, Workspace* work) noexcept nogil:
    """Settle words by their neighbours, and add the network's scores to the others; a Status.

    Words are settled only where the whole model is that of training.
    """
    cdef NetworkSentence sentence
    sentence.text = walk.text
    sentence.tokens = work.tokens.tokens + walk.first
    sentence.named = work.named.tokens + walk.first if work.named.any else NULL
    sentence.initial = walk.initial
    sentence.turkic = walk.model.turkic
    sentence.may_settle = not walk.model.domain.is_active and work.side.aligned == NULL
    sentence.drops = for_search
    return score_sentence(&walk.model.network, &sentence, &work.lattice, &work.network)


cdef void favour_given(const Walk* walk, Workspace* work) noexcept nogil:
    """Add the bonus of forms by the case that words came in."""
    cdef const Lattice* lattice = &work.lattice
    cdef GivenCase given
    cdef int32_t word, c, first, end
    for word in range(lattice.n_words - 1):
        first = lattice.first_node[word]
        end = lattice.first_node[word + 1]
        if end - first > 1 and work.tokens.tokens[walk.first + word].flags & TOKEN_WEIGHED:
            given = given_case(walk, work, word)
            for c in range(first, end):
                lattice.nodes[c].score += given_bonus(walk, &given, lattice.nodes + c)


cdef int score(const Walk* walk, bint for_search, Workspace* work) noexcept nogil:
    cdef const ModelView* model = walk.model
    cdef const Token* tokens = work.tokens.tokens
    cdef bint with_source = model.source.is_active and work.side.aligned != NULL
    cdef const DenseView* dense = &model.dense_with_source if with_source else &model.dense
    cdef int32_t i
    cdef int status = STATUS_OK
    if model.dense.is_active:
        score_nodes(dense, &model.lexicon, &work.lattice, walk.text, tokens + walk.first,
                    walk.initial)
    if with_source:
        add_source_scores(&model.source, &work.side, &work.lattice, walk.first, walk.initial)
    if model.omega.is_active:
        score_cases(&model.omega, &model.lexicon, tokens + walk.first, &work.lattice)
    if walk.piece_case == INPUT_EVIDENCE:
        favour_given(walk, work)
    if model.dense.is_active and for_search and walk.initial >= 0:
        drop_raised(&work.lattice, walk.initial)
    if model.network.is_active:
        status = score_network(walk, for_search, work)
    if model.lm.order > 1 and status == STATUS_OK:
        status = score_lm(walk, work)
    if status == STATUS_OK and model.omega.is_active:
        combine_edges(&model.omega, model.lm.order, &work.lattice, &work.viterbi.edges)
    if status == STATUS_OK and work.named.any:
        favour_names(&model.names, work.named.tokens + walk.first, &work.lattice)
    if status == STATUS_OK and work.has_speech:
        # Last, so that nothing learned depends on it.
        for i in range(work.lattice.n_nodes):
            work.lattice.nodes[i].score += work.lattice.nodes[i].speech_bonus
    return status


cdef const EdgeWeights* edge_weights_of(const ModelView* model,
                                        const Workspace* work) noexcept nogil:
    if model.source.is_active and work.side.aligned != NULL:
        return &model.edge_weights_with_source
    return &model.edge_weights


cdef int find_best_path(const Walk* walk, Workspace* work) noexcept nogil:
    cdef const ModelView* model = walk.model
    cdef TaggedSentence sentence
    cdef int32_t word
    cdef int status = STATUS_OK
    if model.omega.is_active and model.omega.left_to_right and model.lm.order > 1:
        status = walk_left_to_right(model.lm.order, &work.lattice, &work.viterbi)
    else:
        status = search_edges(model.lm.order, edge_weights_of(model, work), &work.lattice,
                              &model.start, &work.viterbi)
    if status == STATUS_OK and work.named.any:
        agree_on_names(work.named.tokens + walk.first, walk.first, &work.lattice, work.viterbi.path)
    work.offices.any = False
    if status == STATUS_OK and walk.offices != OFFICES_AS_LEARNED and (
            walk.piece_case != INPUT_AUTO):
        sentence.rules = &model.rules
        sentence.tokens = work.tokens.tokens + walk.first
        sentence.n = walk.last - walk.first
        sentence.lattice = &work.lattice
        sentence.path = work.viterbi.path
        status = find_offices(&sentence, walk.offices, walk.initial, &work.offices)
        if status == STATUS_OK and walk.piece_case == INPUT_KEEP:
            for word in range(sentence.n):
                if keeps_case(sentence.tokens + word, INPUT_KEEP, False):
                    work.offices.style[word] = OFFICES_AS_LEARNED
    return status


cdef int infer(const Walk* walk, bint with_posteriors, Workspace* work) noexcept nogil:
    cdef const ModelView* model = walk.model
    cdef int status = score(walk, not with_posteriors, work) or find_best_path(walk, work)
    if status != STATUS_OK or not with_posteriors:
        return status
    return forward_backward(model.lm.order, edge_weights_of(model, work), &work.lattice,
                            &work.viterbi.edges, &model.start, NULL, &work.passes)


cdef void apply_rules(const Walk* walk, int32_t word, Node* nodes, int32_t n,
                      Workspace* work) noexcept nogil:
    cdef const Token* token = work.tokens.tokens + walk.first + word
    cdef bint held = work.tokens.may_have_spans and is_held(token)
    cdef bint has_source = walk.model.source.is_active and work.side.aligned != NULL
    cdef bint lowers = walk.input_case != INPUT_PROOFREAD and walk.piece_case != INPUT_KEEP
    cdef int32_t c
    for c in range(n):
        if work.offices.any and work.offices.style[word]:
            follow_style(nodes + c, walk.text, token, work.offices.style[word], walk.model.turkic)
        if nodes[c].tag == TAG_AL and is_raised_after(walk, work, word):
            raise_node(nodes + c, walk.text, token, walk.model.capital_rule)
        elif is_small_first(walk, work, word, nodes + c) and is_raised_after(walk, work, word):
            nodes[c].upper_mask |= 1
        elif is_wrong_acronym(walk.text, token, nodes + c):
            nodes[c].tag = TAG_IU
        if held:
            hold_case(nodes + c, token, lowers,
                      work.side.phrase + walk.first + word if has_source else NULL)


cdef void apply_all_rules(const Walk* walk, bint has_posteriors, Workspace* work) noexcept nogil:
    cdef const Lattice* lattice = &work.lattice
    cdef int32_t word, n
    cdef Node* node
    for word in range(walk.last - walk.first):
        node = candidates_of(lattice, word, &n)
        apply_rules(walk, word, node, n, work)
    if has_posteriors:
        describe_sentence(walk, work)
    if walk.keeps_unsure:
        keep_unsure(walk, work)


cdef double count_of(const Walk* walk, const Workspace* work, int32_t word) noexcept nogil:
    return training_count(&walk.model.lexicon, work.lattice.record[word])


cdef void describe_sentence(const Walk* walk, Workspace* work) noexcept nogil:
    """Fill in the traits that a calibration reads."""
    cdef const Token* token = work.tokens.tokens + walk.first
    cdef Form[MAX_CANDIDATES] forms
    cdef double familiar = 0.0, doubt = 0.0
    cdef int32_t word, n = 0
    for word in range(walk.last - walk.first):
        if token[word].tag != TAG_AN:
            word_forms(walk, work, word, True, False, forms)
            familiar += familiar_of(count_of(walk, work, word))
            doubt += 1.0 - forms[0].posterior
            n += 1
    work.traits = traits_of(n, familiar, doubt)


cdef bint is_decided(const Walk* walk, const Workspace* work, int32_t word) noexcept nogil:
    cdef int32_t i = walk.first + word
    cdef const Token* token = work.tokens.tokens + i
    if token.tag == TAG_AN or keeps_case(token, walk.piece_case, word == walk.initial):
        return False
    if work.named.any and work.named.tokens[i].kind > NAME_LIKELY:
        return False
    return not (work.tokens.may_have_spans and is_held(token))


cdef int word_forms(const Walk* walk, const Workspace* work, int32_t word, bint has_posteriors,
                    bint calibrates, Form* forms) noexcept nogil:
    cdef int32_t first = work.lattice.first_node[word]
    cdef int n = rank_forms(
        work.lattice.nodes + first, work.passes.posterior + first if has_posteriors else NULL,
        work.lattice.first_node[word + 1] - first, work.viterbi.path[word], forms)
    if calibrates and is_decided(walk, work, word):
        give_probability(forms, n, calibrated(&walk.model.calibration, n == 1, forms[0].posterior,
                                              count_of(walk, work, word), &work.traits))
    return n


cdef void keep_unsure(const Walk* walk, Workspace* work) noexcept nogil:
    cdef const Lattice* lattice = &work.lattice
    cdef const Token* token
    cdef const Node* given
    cdef Form[MAX_CANDIDATES] forms
    cdef int32_t word, c, n
    cdef int k
    for word in range(walk.last - walk.first):
        token = work.tokens.tokens + walk.first + word
        given = candidates_of(lattice, word, &n)
        c = place_of_form(given, n, token.tag, token.upper_mask)
        if c == n or c == work.viterbi.path[word] or not is_decided(walk, work, word):
            continue
        given += c
        # The first form is the chosen one; if the word came in it, nothing is to be kept.
        for k in range(1, word_forms(walk, work, word, True, walk.model.calibration.is_active,
                                     forms)):
            if is_cased_as(given, forms[k].tag, forms[k].upper_mask) and (
                    forms[0].posterior < walk.min_odds * forms[k].posterior):
                work.viterbi.path[word] = c


cdef uint32_t write_sentence(const Walk* walk, uint32_t copied, Workspace* work) noexcept nogil:
    """Append the part's text from `copied` to the last word whose case changes; returns its end.

    Invariant: there is room for twice the bytes of the piece and four for each of its tokens.
    """
    cdef const uint8_t* text = walk.text
    cdef const Token* tokens = work.tokens.tokens + walk.first
    cdef const Token* token
    cdef const int32_t* first_node = work.lattice.first_node
    cdef const int32_t* path = work.viterbi.path
    cdef Node* node
    cdef uint8_t* out
    cdef bint may_hold = work.tokens.may_have_spans, held, drops, same
    cdef const RulesView* rules = &walk.model.rules
    cdef bint may_raise = rules.may_raise and follows_rules(walk)
    cdef bint has_colons = has_rule_of_colons(walk)
    cdef bint has_offices = work.offices.any
    cdef bint by_rule = not walk.keeps_unsure    # or rules have been applied
    cdef int32_t word
    for word in range(walk.last - walk.first):
        token = tokens + word
        node = work.lattice.nodes + first_node[word] + path[word]
        held = may_hold and is_held(token)
        # The other words keep the case of the path.
        if by_rule and (held or has_offices or is_wrong_acronym(text, token, node)
                        or word == walk.initial or node.tag == TAG_AL and (has_colons or (
                            may_raise and (begins_as_pronoun(rules, text, token)
                                           or is_behind_quote(walk, work, word))))):
            apply_rules(walk, word, node, 1, work)
        same = node.tag == token.tag and node.tag != TAG_MX
        if same and not token.flags & (TOKEN_SHARP_S | TOKEN_CANONICAL):
            continue
        drops = token.flags & TOKEN_SHARP_S and is_anew(walk) and not held
        if not drops:
            if node.tag == TAG_AN:
                if held or not is_bracket_escape(text, token):
                    continue
            elif same:
                continue
        check(work.out.size + (token.start - copied) + 2 * (token.end - token.start) + 4
              <= work.out.capacity)
        memcpy(work.out.bytes + work.out.size, text + copied, token.start - copied)
        work.out.size += token.start - copied
        out = work.out.bytes + work.out.size
        if drops:
            work.out.size += render_anew(text, token, node.tag, node.upper_mask,
                                         walk.model.turkic, out)
        else:
            work.out.size += render_token(text, token, node.tag, node.upper_mask,
                                          walk.model.turkic, out)
        copied = token.end
    return copied


cdef void case_all(Walk* walk, Workspace* work) noexcept nogil:
    cdef uint32_t copied, rest
    work.out.size = 0
    # Case hardly changes a text's length; a piece needs the rest.
    walk.status = reserve_output(&work.out, walk.size + 6 * min(walk.size, <size_t>MAX_PIECE) + 16)
    while next_piece(walk, work):
        walk.status = reserve_output(
            &work.out, 2 * <size_t>(walk.end - walk.begin) + 4 * <size_t>work.tokens.n + 16)
        copied = walk.begin
        while next_sentence(walk, work):
            walk.status = infer(walk, walk.keeps_unsure, work)
            if walk.status == STATUS_OK and walk.keeps_unsure:
                apply_all_rules(walk, True, work)
            if walk.status == STATUS_OK:
                copied = write_sentence(walk, copied, work)
        if walk.status != STATUS_OK:
            break
        rest = walk.end - copied
        if walk.ends_line and walk.end < walk.part_size:
            rest += 1            # the line end; there is room for it
        memcpy(work.out.bytes + work.out.size, walk.text + copied, rest)
        work.out.size += rest


cdef class OwnedWorkspace:
    """Owner of one thread's memory."""

    def __dealloc__(self):
        free_workspace(&self.memory)


cdef int check_status(const Walk* walk) except -1:
    if walk.status == STATUS_OK:
        return 0
    if walk.status == STATUS_OUT_OF_MEMORY:
        raise MemoryError(f"no memory left at line {walk.line} of the block")
    if walk.status == STATUS_INVALID:
        raise ValueError(f"line {walk.line} of the block has not as many words as are aligned")
    raise ValueError(f"line {walk.line} of the block is 2 GiB or longer")


# The places of choices are the numbers of `InputCase`, `AfterColon` and `OfficeStyle`.
cdef tuple _INPUT_CASES = CASING_OPTIONS["input_case"].choices
cdef tuple _SENTENCE_STARTS = CASING_OPTIONS["sentence_start"].choices
cdef tuple _AFTER_COLONS = CASING_OPTIONS["after_colon"].choices
cdef tuple _OFFICES = CASING_OPTIONS["offices"].choices
assert _INPUT_CASES.index("keep") == INPUT_KEEP and _INPUT_CASES.index("auto") == INPUT_AUTO
assert _INPUT_CASES.index("evidence") == INPUT_EVIDENCE
assert _INPUT_CASES.index("ignore") == INPUT_IGNORE
assert _INPUT_CASES.index("proofread") == INPUT_PROOFREAD
assert _AFTER_COLONS.index("capital") == COLON_CAPITAL
assert _AFTER_COLONS.index("lower") == COLON_LOWER
assert _OFFICES.index("capital") == OFFICES_CAPITAL and _OFFICES.index("lower") == OFFICES_LOWER


cdef inline int place_of(value, tuple choices) except -1:
    """The place of a value among the choices that `Casing` has checked it against."""
    cdef int place
    for place in range(len(choices)):
        # Comparing the default, the same object, takes no time.
        if choices[place] is value or choices[place] == value:
            return place
    raise AssertionError(f"a Casing has {value!r}")


cdef int use_casing(Walk* walk, casing) except -1:
    if type(casing) is not Casing:
        raise WrongTypeError(f"casing: expected a Casing, found {type(casing).__name__}")
    input_case, _, sentence_start, _, after_colon, offices, min_odds = <tuple>casing
    walk.input_case = walk.piece_case = place_of(input_case, _INPUT_CASES)
    walk.start_always = place_of(sentence_start, _SENTENCE_STARTS) == 0
    walk.after_colon = place_of(after_colon, _AFTER_COLONS)
    walk.offices = place_of(offices, _OFFICES)
    walk.min_odds = min_odds
    return 0


# Workspaces that have grown past this are freed after a block.
cdef size_t _KEEP_BYTES = 8 << 20


cdef OwnedTokens segment_block(const ModelView* model, block):
    """Cut a block of text into words, without spans."""
    cdef const uint8_t[::1] view = _as_bytes(bytes(block) + b"\0" * TEXT_PADDING)
    cdef OwnedTokens words = OwnedTokens()
    cdef int status
    with nogil:
        status = segment_line(&view[0], 0, <uint32_t>(view.shape[0] - TEXT_PADDING),
                              model.segmentation, model.turkic, &words.tokens)
    if status != STATUS_OK:
        raise MemoryError("no memory left to segment the words")
    return words


cdef class CompiledModel:
    """A model, and the kernels that run over it.

    Parameters
    ----------
    components : Model
        Kept, and with it the memory of its arrays.
    """

    def __cinit__(self, components):
        self._names = view_model(&self.model, components)
        self._components = components
        # Python frees the memory of a list that becomes empty: a few spare ones avoid that.
        self._workspaces = [OwnedWorkspace.__new__(OwnedWorkspace) for _ in range(4)]

    @property
    def takes_source(self):
        """Whether the model reads the source of the text that it cases."""
        return bool(self.model.source.is_active)

    def case_block(self, block, casing=DEFAULT_CASING, source=None, phrases=None):
        """Case every line of a block of text, as sentences.

        Parameters
        ----------
        block : bytes-like
            UTF-8 text, lines separated by LF. Invalid bytes and NULs pass unchanged.
        casing : Casing
            The caller applies its style and context.
        source : bytes-like, optional
            The cased source sentences of the lines, one a line.
        phrases : Phrases, optional
            The source words that each word is aligned with; by default all of the source line.

        Returns
        -------
        bytes
            As many lines, the same but for case.

        Raises
        ------
        ValueError
            A line has 2 GiB or more, or `source` or `phrases` have another number of lines or
            words.
        MemoryError
        """
        cdef const uint8_t[::1] view = _as_bytes(block)
        cdef OwnedWorkspace work
        cdef Walk walk
        cdef size_t size = view.shape[0]
        cdef AlignedBlock aligned = None
        cdef const AlignedText* source_text = NULL
        if size == 0:
            return b""
        if source is not None and not self.model.source.is_active:
            raise ValueError(
                "a unigram model, and one with Portage's models of case, look at no source")
        if source is not None:
            # The lines are counted before they are read, and another thread may change other
            # buffers in between. A block without a source is read once.
            view = bytes(view)
            aligned = AlignedBlock(view, source, phrases)
            source_text = &aligned.aligned
        work = self.take_workspace()
        begin_walk(&walk, &self.model, &view[0], size, source_text, INPUT_IGNORE, &work.memory)
        use_casing(&walk, casing)
        with nogil:
            case_all(&walk, &work.memory)
        work.memory.side.aligned = NULL
        check_status(&walk)
        out = PyBytes_FromStringAndSize(<char*>work.memory.out.bytes, work.memory.out.size)
        self.keep_workspace(work)
        return out

    cdef OwnedWorkspace take_workspace(self):
        """Memory for a walk, which no other thread uses."""
        try:
            return self._workspaces.pop()
        except IndexError:
            return OwnedWorkspace.__new__(OwnedWorkspace)

    cdef int keep_workspace(self, OwnedWorkspace work) except -1:
        """Keep memory for the next walk, unless it is too large."""
        if bytes_of_workspace(&work.memory) >= _KEEP_BYTES:
            free_workspace(&work.memory)
        self._workspaces.append(work)
        return 0

    def training_count(self, str word):
        """Training count of a word, whatever its case, to about 5 %; 0 if it was not seen.

        The count of the rarest part if the model splits the word.
        """
        return min(self.counts(word.encode("utf-8", "surrogatepass")), default=0)

    def counts(self, block):
        """Training counts of the words of a block, whatever their case.

        Parameters
        ----------
        block : bytes-like
            White-space separated words.

        Returns
        -------
        list of int
            One count per token, to about 5 %; 0 for a word that the model does not have.
        """
        cdef OwnedTokens words = segment_block(&self.model, block)
        cdef uint32_t index
        cdef int32_t i
        counts = []
        for i in range(words.tokens.n):
            index = first_record(&self.model.lexicon, words.tokens.tokens[i].key)
            counts.append(round(training_count(&self.model.lexicon, index)))
        return counts

    def unknown_words(self, block):
        """Places of the words of letters alone that are unknown, or rare names with two forms.

        Parameters
        ----------
        block : bytes-like

        Returns
        -------
        list of (begin, end)
            Half-open spans of bytes.
        """
        cdef OwnedTokens words = segment_block(&self.model, block)
        cdef const Token* token
        cdef int32_t i
        found = []
        for i in range(words.tokens.n):
            token = words.tokens.tokens + i
            if token.flags & TOKEN_LETTERS and is_unsettled(&self.model.lexicon, token.key):
                found.append((token.start, token.end))
        return found


def _as_bytes(block):
    return memoryview(block).cast("B") if len(block) else memoryview(b"\0")[:0]
