"""The walk: one loop over the sentences of a block of text, for decoding and for learning.

    begin_walk(&walk, model, text, size, source, INPUT_IGNORE, work)
    while next_piece(&walk, work):             # a line, or a piece of a very long one
        …                                      # work.tokens; here tokens may be dropped
        while next_sentence(&walk, work):      # work.lattice; its last word is </s>
            walk.status = score(&walk, True, work)
            if walk.status == STATUS_OK:
                walk.status = find_best_path(&walk, work)

A status other than ``STATUS_OK``, set by the walk or by the caller, ends both loops.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t, uint8_t

from truecase.base._memory cimport Output
from truecase.kernels._calibration cimport Form, SentenceTraits
from truecase.kernels._forward_backward cimport ForwardBackward
from truecase.kernels._lattice cimport is_cased_as
from truecase.kernels._render cimport ROOM_INITIAL, case_room
from truecase.kernels._structs cimport (
    CLASS_HYPHENATED, CLASS_OTHER, CLASS_QUANTITY, NODE_CLASS, NODE_FORCED, NODE_UNSEEN,
    TOKEN_ASCII, TOKEN_ENDS_SENTENCE, TOKEN_WEIGHED, AlignedText, EdgeWeights, Edges,
    KnownWords, Lattice, NamedTokens, Node, SentenceNetwork, SourcePhrase, SourceSide, Token,
    TokenArray, Viterbi
)
from truecase.kernels._unicode cimport TAG_AL, TAG_AN, TAG_AU, TAG_IU, TAG_MX
from truecase.model._view cimport INITIAL_RESTORE, ModelView
from truecase.rules._capitals cimport (
    COLON_CAPITAL, OfficeCases, follow_style, is_after_colon, is_double_quote, is_pronoun,
    is_sure_start
)
from truecase.rules._language cimport SPEECH_STRESSED, Line, begins_speech, rule_word
from truecase.rules._parts cimport is_camel, second_capital


cdef enum InputCase:
    INPUT_EVIDENCE, INPUT_IGNORE, INPUT_KEEP, INPUT_AUTO, INPUT_PROOFREAD

cdef enum:
    FEW_WORDS = 4                # tokens of a line that may be a name in lower case
    STRESS = 20                  # nats for capitals that stress a word: you MUST wait

cdef struct Workspace:           # the memory of one thread
    TokenArray tokens
    Lattice lattice
    NamedTokens named            # names of a list among the tokens
    bint has_speech              # rules of speech favour forms of the sentence
    OfficeCases offices          # house style of words of the sentence
    Viterbi viterbi
    ForwardBackward passes
    SentenceTraits traits        # beside posteriors
    Lattice mirror               # the lattice with the domain's identities
    Edges mirror_edges
    SentenceNetwork network
    SourceSide side              # the source of the line under work, if there is one
    uint8_t* text                # a part of the block, padded
    size_t text_capacity
    Output out


cdef struct Walk:                # where a pass over a block stands
    const ModelView* model
    KnownWords words             # of the model's lexicon
    const uint8_t* block
    size_t size
    const AlignedText* source    # of the block; NULL: none
    const uint8_t* text          # the part under work, padded: whole lines, or one piece
    size_t part_offset           # of the part, in the block
    uint32_t part_size
    uint32_t line_end            # of the line under work, in the part
    bint line_goes_on            # after the part
    uint32_t begin               # of the piece: a line, or a piece of a very long one
    uint32_t end
    bint starts_line
    bint ends_line
    int64_t line                 # of the piece, in the block, from 1
    bint is_prepared             # the names and source words of the piece's tokens are known
    int32_t first                # first token of the sentence
    int32_t last                 # its last token, plus one
    int32_t initial              # place in the sentence of its first word with a letter, or -1
    int input_case               # InputCase of the block
    int piece_case               # InputCase of the piece; INPUT_AUTO: its line is mixed
    bint weighs                  # the piece is mixed: its sentences have an InputCase each
    bint is_one_sentence         # each piece is one sentence, whatever its marks
    bint start_always            # sentences begin with a capital, whatever the weights
    int after_colon              # AfterColon
    int offices                  # OfficeStyle
    double min_odds              # at which words change; 1 or less: the best path decides
    bint keeps_unsure            # in the piece, which is mixed, words with smaller odds stay
    int status                   # Status


cdef struct GivenCase:           # how a word came
    const Token* token
    bint is_initial
    bint is_fragment             # and begins a line that ends no sentence in lower case, proofread
    bint is_meant                # its form is no slip
    int n_capitals               # of the words beside it, but for that of a first word
    int n_weighed                # of these, those that are weighed


# Begins a walk over a block of fewer than 2 GiB; `source` may be NULL. Nothing is copied: all
# arguments must outlive the walk. As in training, no rule is in force before `use_casing`.
cdef void begin_walk(Walk* walk, const ModelView* model, const uint8_t* block, size_t size,
                     const AlignedText* source, int input_case, Workspace* work) noexcept nogil

# Reads the next piece: its tokens, and its line's source. False at the end, or after an error.
# Before the first `next_sentence`, callers may drop tokens, or hide the source of this line.
cdef bint next_piece(Walk* walk, Workspace* work) noexcept nogil

# INPUT_IGNORE for words that have one case, which says nothing, INPUT_AUTO for mixed ones.
cdef int case_of_words(const uint8_t* text, const Token* tokens, int32_t n,
                       bint turkic) noexcept nogil

# Flags the words of a mixed line whose case is weighed. In title case, those of addresses and code
# that got no other capital than the title's are rendered in lower case.
cdef void weigh_case(TokenArray* tokens) noexcept nogil

# Builds the lattice of the next sentence of the piece. False at the end, or after an error.
cdef bint next_sentence(Walk* walk, Workspace* work) noexcept nogil

# Scores edges and nodes by the model's features, for `search_edges` and `forward_backward`; a
# Status. With `for_search`, candidates that no best path takes may be dropped; posteriors need all.
cdef int score(const Walk* walk, bint for_search, Workspace* work) noexcept nogil

# The part of `score` for language models: the edges' log-probabilities; a Status.
cdef int score_lm(const Walk* walk, Workspace* work) noexcept nogil

# The part for networks; `for_search` as in `score`.
cdef int score_network(const Walk* walk, bint for_search, Workspace* work) noexcept nogil

# Finds the best path, or with Portage's search the best word after word, in ``work.viterbi.path``,
# and the style of the offices on it; a Status.
cdef int find_best_path(const Walk* walk, Workspace* work) noexcept nogil

# The weights of the edges: those learned with a source if the line has one.
cdef const EdgeWeights* edge_weights_of(const ModelView* model,
                                        const Workspace* work) noexcept nogil

# Finds the best path and, if asked for, the posteriors of nodes in ``work.passes``; a Status.
cdef int infer(const Walk* walk, bint with_posteriors, Workspace* work) noexcept nogil

# After `infer`: gives n nodes of a word the case that rules demand. The words before it have got
# theirs, the words behind it have not.
cdef void apply_rules(const Walk* walk, int32_t word, Node* nodes, int32_t n,
                      Workspace* work) noexcept nogil

# After `infer`: gives all nodes of the sentence the case that rules demand, and describes it if it
# has posteriors. Words of a mixed line return to their input forms if ``min_odds`` asks for more
# than the odds of the new ones.
cdef void apply_all_rules(const Walk* walk, bint has_posteriors, Workspace* work) noexcept nogil

# Fills in the forms of a word, at most MAX_CANDIDATES, the chosen one first; returns their number.
cdef int word_forms(const Walk* walk, const Workspace* work, int32_t word, bint has_posteriors,
                    bint calibrates, Form* forms) noexcept nogil

# The training count of a word of the sentence.
cdef double count_of(const Walk* walk, const Workspace* work, int32_t word) noexcept nogil

# Whether the model decides a word's case, rather than a rule, a list or the input.
cdef bint is_decided(const Walk* walk, const Workspace* work, int32_t word) noexcept nogil

# Cases the block into ``work.out``; a Status.
cdef void case_all(Walk* walk, Workspace* work) noexcept nogil

cdef void free_workspace(Workspace* work) noexcept nogil


cdef inline bint is_capital(const Workspace* work, int32_t word) noexcept nogil:
    """Whether a word has upper case on the best path."""
    cdef int tag = work.lattice.nodes[work.lattice.first_node[word] + work.viterbi.path[word]].tag
    return tag == TAG_IU or tag == TAG_AU or tag == TAG_MX


cdef inline bint is_lowercase_in_source(const SourceSide* side, int32_t first,
                                        int32_t i) noexcept nogil:
    """Whether the source has the sentence from `first`, or its first word i, in lower case.

    The line is then a fragment, or the word a name of code: the model decides.
    """
    cdef const SourcePhrase* phrase = side.phrase + i
    cdef int k
    for k in range(phrase.n_same):
        if phrase.same_tag[k] == TAG_AL:
            return True
    return first == 0 and side.sentence.first_tag == TAG_AL


cdef inline bint follows_rules(const Walk* walk) noexcept nogil:
    """Whether rules of the language apply: not to a mixed line, whose inner case is right."""
    return walk.start_always and walk.piece_case != INPUT_AUTO


cdef inline bint follows_forms(const Walk* walk, const Workspace* work) noexcept nogil:
    """Whether rules of forms apply: not beside a source in upper case."""
    return walk.model.rules.favours_forms and follows_rules(walk) and (
        work.side.aligned == NULL or not work.side.sentence.all_upper)


cdef inline Line line_of(const Walk* walk, const Workspace* work) noexcept nogil:
    cdef Line line
    line.rules = &walk.model.rules
    line.lexicon = &walk.model.lexicon
    line.text = walk.text
    line.tokens = work.tokens.tokens
    line.n = work.tokens.n
    line.name_end = 0
    return line


cdef inline bint is_behind_quote(const Walk* walk, const Workspace* work,
                                 int32_t word) noexcept nogil:
    """Whether a double quotation mark stands before a word of the sentence."""
    return word > 2 and is_double_quote(walk.text, work.tokens.tokens + walk.first + word - 1)


cdef inline bint has_rule_of_colons(const Walk* walk) noexcept nogil:
    """Whether a rule capitalises the word behind a colon."""
    return walk.after_colon == COLON_CAPITAL and walk.piece_case != INPUT_AUTO


cdef inline bint is_raised_after(const Walk* walk, const Workspace* work,
                                 int32_t word) noexcept nogil:
    """Whether a word, if it is lowercase on the best path, gets a capital."""
    cdef const TokenArray* tokens = &work.tokens
    cdef Line line
    cdef int32_t i = walk.first + word
    if work.lattice.nodes[work.lattice.first_node[word] + work.viterbi.path[word]].flags & (
            NODE_FORCED):
        return False
    if word == walk.initial:
        if not case_room(walk.text, tokens.tokens + i, walk.model.turkic) & ROOM_INITIAL:
            return False
        if walk.model.initial == INITIAL_RESTORE:
            return True
        if work.side.aligned != NULL and is_lowercase_in_source(&work.side, walk.first, i):
            return False
        if walk.input_case == INPUT_PROOFREAD and tokens.tokens[i].tag in (TAG_AL, TAG_MX):
            return False
        if walk.start_always and is_sure_start(walk.text, tokens.tokens, tokens.n, walk.first, i,
                                               walk.model.rules.ordinals,
                                               walk.model.capital_rule):
            return True
    if has_rule_of_colons(walk) and is_after_colon(
            walk.text, tokens.tokens, tokens.n, walk.first, i):
        return case_room(walk.text, tokens.tokens + i, walk.model.turkic) & ROOM_INITIAL != 0
    if not follows_rules(walk):
        return False
    if walk.model.rules.favours_forms and is_behind_quote(walk, work, word):
        line = line_of(walk, work)
        if begins_speech(&line, walk.first, i):
            return case_room(walk.text, tokens.tokens + i, walk.model.turkic) & ROOM_INITIAL != 0
    # Not between capitals: Pau Gasol i Saez.
    return is_pronoun(&walk.model.rules, walk.text, tokens.tokens, tokens.n, i) and not (
        0 < word < work.lattice.n_words - 2 and is_capital(work, word - 1)
        and is_capital(work, word + 1))


cdef inline bint is_small_first(const Walk* walk, const Workspace* work, int32_t word,
                                const Node* node) noexcept nogil:
    """Whether a first word's first part has several letters, all small: ``non-NASA``."""
    cdef const Token* token = work.tokens.tokens + walk.first + word
    cdef uint32_t n = 0
    if word != walk.initial or node.tag != TAG_MX:
        return False
    while token.start + n < token.end and 0x61 <= walk.text[token.start + n] | 0x20 <= 0x7a:
        n += 1
    # Not en-US.
    return 1 < n < 63 and walk.text[token.start + n] == 0x2d and (
        node.upper_mask & ((<uint64_t>1 << n) - 1) == 0) and (
        token.n_code_points != 5 or node.upper_mask != 24)


cdef inline bint is_anew(const Walk* walk) noexcept nogil:
    """Whether words are written without traces of the input case."""
    return walk.piece_case == INPUT_IGNORE and not walk.keeps_unsure


cdef inline bint is_lower_line(const TokenArray* tokens) noexcept nogil:
    """Whether a line is a few words in lower case that end no sentence: ``git add``."""
    cdef int32_t i
    if tokens.n > FEW_WORDS or tokens.tokens[tokens.n - 1].flags & TOKEN_ENDS_SENTENCE:
        return False
    for i in range(tokens.n):
        if tokens.tokens[i].tag not in (TAG_AL, TAG_AN):
            return False
    return True


cdef inline bint is_meant(const Walk* walk, const Workspace* work, int32_t word) noexcept nogil:
    """Whether the form that a word came in is no slip, by its signs and the words beside it."""
    cdef const Token* token = work.tokens.tokens + walk.first + word
    # a-f, A-Z, ctrl-z; Erlaubt-/Blockier-Regeln
    if token.n_code_points >= 3 and walk.text[token.end - 2] == 0x2d or (
            token.tag == TAG_IU and walk.text[token.end] == 0x2d):
        return True
    if walk.input_case != INPUT_PROOFREAD:
        return False
    # docker cp; a list (Note its order); `B` Binary tree
    return is_lower_line(&work.tokens) or word > 0 and token.tag == TAG_IU and (
        (token - 1).tag == TAG_AN and walk.text[(token - 1).start] in b"(-:[`")


cdef inline GivenCase given_case(const Walk* walk, const Workspace* work,
                                 int32_t word) noexcept nogil:
    cdef const Token* tokens = work.tokens.tokens + walk.first
    cdef GivenCase given
    cdef int32_t i
    given.token = tokens + word
    given.is_initial = word == walk.initial
    given.is_fragment = (given.is_initial and walk.first == 0 and tokens[word].tag == TAG_AL
                         and walk.input_case == INPUT_PROOFREAD
                         and not tokens[work.tokens.n - 1].flags & TOKEN_ENDS_SENTENCE)
    given.is_meant = is_meant(walk, work, word)
    given.n_capitals = given.n_weighed = 0
    for i in range(max(word - 1, 0), min(word + 2, walk.last - walk.first)):
        if i != word and i != walk.initial and tokens[i].tag in (TAG_IU, TAG_AU, TAG_MX):
            given.n_capitals += 1
            given.n_weighed += tokens[i].flags & TOKEN_WEIGHED != 0
    return given


cdef inline float bonus_of_form(const Walk* walk, const GivenCase* given,
                                uint8_t unseen) noexcept nogil:
    """The bonus of the form that a word came in; `unseen`: NODE_CLASS, NODE_UNSEEN or neither."""
    cdef const Token* token = given.token
    cdef bint has_network = walk.model.network.is_active
    # A network was trained on text with more slips than people make; other models do not read the
    # case at all. Hardly any mixed case is a slip, nor are capitals beside digits: 2.4M, or COX-1
    # if it is unknown.
    cdef float bonus = 2.25 if has_network else 4.0
    if token.tag == TAG_MX or token.word_class == CLASS_QUANTITY and (
            token.tag == TAG_IU or token.tag == TAG_AU and unseen & NODE_CLASS):
        # userName, but names as frequent as YouTube differ by more; WAV-Datei, C/C++.
        return bonus * (4 if token.word_class in (CLASS_HYPHENATED, CLASS_OTHER)
                        or unseen and is_camel(token) else 2)
    if given.is_meant:
        return bonus * 8
    if walk.model.rules.keeps_latin and token.flags & TOKEN_ASCII:
        return bonus * 3
    if has_network and token.tag == TAG_AU:
        # A word in capitals is a slip more often than in training, but for those that the model
        # does not know at all: acronyms.
        return 3.0 if unseen == NODE_CLASS else (
            0.5 if unseen and token.n_code_points <= 5 else -0.75)
    if given.is_fragment:
        return 6.0
    return 3.0 if has_network and not given.is_initial else bonus


cdef inline float given_bonus(const Walk* walk, const GivenCase* given,
                              const Node* node) noexcept nogil:
    """The bonus of a candidate by the case that its word and those beside it came in, in nats."""
    cdef const Token* token = given.token
    cdef bint is_given = is_cased_as(node, token.tag, token.upper_mask)
    cdef float bonus = 0.0
    if not token.flags & TOKEN_WEIGHED:
        return 0.0
    if is_given:
        bonus = walk.model.trust + bonus_of_form(walk, given,
                                                 node.flags & (NODE_CLASS | NODE_UNSEEN))
        if walk.input_case == INPUT_PROOFREAD and token.tag == TAG_AU and (
                rule_word(&walk.model.rules, token.key).speech & SPEECH_STRESSED):
            bonus += STRESS
    if walk.model.network.is_active and node.tag != TAG_AL:
        # A capital beside a capital is less likely a slip. In a title, whose capitals say nothing,
        # this goes to the form as it came alone.
        bonus += 1.6 * (given.n_capitals if is_given else given.n_weighed)
    return bonus


cdef inline bint keeps_case(const Token* token, int input_case, bint is_initial) noexcept nogil:
    """Whether a word keeps its input case.

    `is_initial` is True for a sentence's first word with a letter. In capitals, it is a label or an
    acronym: its place explains only one capital.
    """
    if input_case == INPUT_KEEP:
        return token.tag != TAG_AL and token.tag != TAG_AN
    return input_case == INPUT_AUTO and (not is_initial or token.tag == TAG_AU)


cdef class OwnedWorkspace:
    cdef Workspace memory


cdef size_t bytes_of_workspace(const Workspace* work) noexcept nogil


cdef class CompiledModel:
    cdef ModelView model
    cdef object _components      # a Model, whose memory the view needs
    cdef object _names           # a NameTable, likewise
    cdef list _workspaces        # of OwnedWorkspace

    cdef OwnedWorkspace take_workspace(self)
    cdef int keep_workspace(self, OwnedWorkspace work) except -1


# Raises the exception of a walk's status, unless it is OK.
cdef int check_status(const Walk* walk) except -1

# Sets the options of a `truecase.options.Casing`; call it between `begin_walk` and `next_piece`.
cdef int use_casing(Walk* walk, casing) except -1
