"""Forms whose case follows from the word itself and the words beside it, by rule."""

from libc.stdint cimport uint64_t
from libc.string cimport memset

from truecase.base._memory cimport STATUS_OK
from truecase.kernels._lattice cimport add_form, class_node, reserve_nodes
from truecase.kernels._sentences cimport is_mark
from truecase.kernels._structs cimport (
    CLASS_OTHER, NODE_UNSEEN, TOKEN_CLOSES, TOKEN_ENDS_SENTENCE, TOKEN_SPACE_BEFORE, Node
)
from truecase.kernels._tokens cimport fill_token
from truecase.kernels._unicode cimport TAG_AL, TAG_AU, TAG_IU, TAG_MX
from truecase.rules._capitals cimport is_double_quote, is_joined
from truecase.rules._parts cimport case_in_part, is_digit, is_letter, make_of_parts, plural_bonus
from truecase.rules._table cimport (
    FORM_AFTER_DATE, FORM_BEFORE_DATE, FORM_BETWEEN_DATES, FORM_CITES, FORM_COURT, FORM_DATE,
    FORM_DATE_OR_WORD, FORM_HEAD, FORM_KEY, FORM_LETTERED, FORM_NOTE, FORM_NOTE_HEAD, FORM_ON_DATE,
    FORM_PARTY, FORM_SALUTATION, FORM_SALUTED, FORM_SLASHED, FORM_SLASHED_UPPER, FORM_SPEECH_VERB,
    FORM_UNIT, FORM_UNIT_HEAD, FORM_UPPER_FIRST, FORM_VERSUS, RuleWord, add_word, rule_word
)


__all__ = []

cdef enum:
    COURT_WORDS = 25             # on either side
    SALUTED_WORDS = 4            # from the beginning of a line: Dear Sir or Madam


cdef inline uint32_t form_word(const RulesView* rules, const Line* line, int32_t i) noexcept nogil:
    return rule_word(rules, line.tokens[i].key).forms


cdef inline bint is_glued(const Line* line, int32_t i) noexcept nogil:
    """Whether no space stands between a token and the one before it."""
    return 0 <= i < line.n and not line.tokens[i].flags & TOKEN_SPACE_BEFORE


cdef inline bint is_followed(const Line* line, int32_t i, uint8_t mark) noexcept nogil:
    """Whether a mark of one byte stands right behind a token."""
    cdef const Token* after = line.tokens + i + 1
    return is_glued(line, i + 1) and line.text[after.start] == mark and (
        after.end - after.start == 1)


cdef inline bint is_ascii_letter(const Line* line, int32_t i) noexcept nogil:
    cdef const Token* token = line.tokens + i
    return token.end - token.start == 1 and is_letter(line.text[token.start])


cdef int slashed_case(const RulesView* rules, const Line* line, int32_t i) noexcept nogil:
    """TAG_AL or TAG_IU for a letter of a known pair with a slash, else TAG_AN."""
    cdef const Token* tokens = line.tokens
    cdef const uint8_t* text = line.text
    cdef uint32_t forms
    cdef int32_t slash = i + 1
    if not (is_glued(line, slash) and text[tokens[slash].start] == 0x2f):
        slash = i - 1
    if slash < 1 or not is_glued(line, slash) or not is_glued(line, slash + 1) or (
            tokens[slash].end - tokens[slash].start != 1):
        return TAG_AN
    # Not within a/b/c or the path of a file.
    if (is_glued(line, slash - 1) and text[tokens[slash - 2].end - 1] == 0x2f) or (
            is_glued(line, slash + 2) and text[tokens[slash + 2].start] == 0x2f):
        return TAG_AN
    forms = rule_word(rules, add_word(
        add_word(0, tokens[slash - 1].key), tokens[slash + 1].key)).forms
    if not forms & FORM_SLASHED or not (
            is_ascii_letter(line, slash - 1) and is_ascii_letter(line, slash + 1)):
        return TAG_AN
    return TAG_IU if forms & FORM_SLASHED_UPPER else TAG_AL


cdef int versus_case(const RulesView* rules, const Line* line, int32_t i) noexcept nogil:
    """TAG_AL for a ``v.`` between the parties of a case in court, else TAG_AN."""
    cdef int32_t k
    if i == 0 or i + 1 >= line.n or line.tokens[i - 1].tag == TAG_AN or (
            line.tokens[i + 1].tag == TAG_AN):
        return TAG_AN
    # A citation: See Marbury v. Madison.
    if form_word(rules, line, i + 1) & FORM_PARTY or (
            i == 2 and form_word(rules, line, 0) & FORM_CITES):
        return TAG_AL
    for k in range(max(i - COURT_WORDS, 0), min(i + COURT_WORDS, line.n)):
        if form_word(rules, line, k) & FORM_COURT:
            return TAG_AL
    return TAG_AN


cdef int32_t head_end(const RulesView* rules, const Line* line, int32_t first) noexcept nogil:
    cdef const Token* tokens = line.tokens
    cdef int32_t last = line.n - 1
    cdef uint32_t heads = FORM_NOTE | FORM_NOTE_HEAD
    if first >= last or tokens[first].flags & (TOKEN_KEEPS | TOKEN_LOWERS):
        return first
    if tokens[first + 1].flags & TOKEN_SPACE_BEFORE:
        return first + 1 if form_word(rules, line, first) & FORM_NOTE else first
    # A head of mail stands at the beginning of a line, or behind another.
    if first == 0 or is_mark(tokens + first - 1, 0x3a):
        heads |= FORM_UNIT_HEAD
    if first + 1 < last and is_mark(tokens + first + 1, 0x3a) and (
            tokens[first + 2].flags & TOKEN_SPACE_BEFORE) and (
            form_word(rules, line, first) & heads):
        return first + 2
    return first


cdef bint begins_speech(const RulesView* rules, const Line* line, int32_t first,
                        int32_t i) noexcept nogil:
    cdef const Token* tokens = line.tokens
    cdef int32_t k
    # By its byte: a colon may have been hidden.
    if i < first + 3 or line.text[tokens[i - 2].start] != 0x2c or tokens[i].tag == TAG_AN or (
            tokens[i].word_class == CLASS_OTHER or tokens[i].word_class == CLASS_QUANTITY):
        return False
    if not form_word(rules, line, i - 3) & FORM_SPEECH_VERB and (
            i < first + 4 or not form_word(rules, line, i - 4) & FORM_SPEECH_VERB):
        return False
    # This plan, he said, "failed": an inserted clause has a comma before it, too.
    for k in range(first, i - 2):
        if is_mark(tokens + k, 0x2c):
            return False
    # "Stop," he said, "or I shall call": the first quotation of the line.
    for k in range(i - 2):
        if is_double_quote(line.text, tokens + k):
            return False
    return not is_joined(line.text, tokens, line.n, i)


cdef bint goes_on_after_date(const RulesView* rules, const Line* line, int32_t end) noexcept nogil:
    cdef const Token* tokens = line.tokens
    if end < 3 or end >= line.n or not is_mark(tokens + end - 1, 0x2e) or (
            tokens[end - 1].flags & TOKEN_SPACE_BEFORE):
        return False
    if not form_word(rules, line, end - 2) & FORM_DATE:
        return False
    if end + 1 < line.n and form_word(rules, line, end) & FORM_BETWEEN_DATES and (
            form_word(rules, line, end + 1) & FORM_DATE):
        return True
    return (
        tokens[end - 3].word_class == CLASS_QUANTITY or is_mark(tokens + end - 3, 0x2c)
        or form_word(rules, line, end - 3) & FORM_BEFORE_DATE != 0) and (
        tokens[end].word_class == CLASS_QUANTITY
        or form_word(rules, line, end) & FORM_AFTER_DATE != 0)


cdef inline bint is_short_date(const RulesView* rules, const Line* line, int32_t i,
                               uint32_t forms) noexcept nogil:
    """Whether a word before a period is a day or a month."""
    if not forms & FORM_DATE or i == 0 or not is_followed(line, i, 0x2e):
        return False
    return goes_on_after_date(rules, line, i + 2) or (
        form_word(rules, line, i - 1) & FORM_ON_DATE and not forms & FORM_DATE_OR_WORD)


cdef int short_case(const RulesView* rules, const Line* line, int32_t i) noexcept nogil:
    """The favoured tag of a short form where it stands, or TAG_AN."""
    cdef const Token* token = line.tokens + i
    cdef uint32_t size = token.end - token.start
    cdef uint32_t forms
    if token.flags & (TOKEN_KEEPS | TOKEN_LOWERS):
        return TAG_AN
    forms = form_word(rules, line, i)
    if i >= 2 and is_glued(line, i) and is_followed(line, i - 2, 0x2b) and (
            form_word(rules, line, i - 2) & FORM_KEY):
        return TAG_IU if size == 1 or forms & FORM_KEY else TAG_AN
    if is_followed(line, i, 0x2b):
        return TAG_IU if forms & FORM_KEY else TAG_AN
    if is_followed(line, i, 0x3a):
        return TAG_IU if forms & FORM_HEAD and (
            i == 0 or is_mark(token - 1, 0x3a)) else TAG_AN
    if forms & FORM_VERSUS:
        return versus_case(rules, line, i)
    if size > 1:
        if forms & FORM_LETTERED or is_short_date(rules, line, i, forms) or (
                forms & FORM_SALUTED and 0 < i < SALUTED_WORDS
                and form_word(rules, line, 0) & FORM_SALUTATION):
            return TAG_IU
        return TAG_AU if forms & FORM_UPPER_FIRST and (
            i == 0 or (token - 1).flags & (TOKEN_ENDS_SENTENCE | TOKEN_CLOSES)) else TAG_AN
    # The label of a list's item.
    if is_followed(line, i, 0x29) and is_letter(line.text[token.start]) and (
            i == 0 or (i == 1 and line.text[line.tokens[0].start] == 0x28)) and (
            i + 2 == line.n or token[2].flags & TOKEN_SPACE_BEFORE):
        return TAG_AL
    return slashed_case(rules, line, i)


cdef bint is_unit(const RulesView* rules, const uint8_t* text, const Token* token,
                  uint64_t* mask) noexcept nogil:
    """Whether a word is a unit, or a number with one (``50Hz``); `mask`: its upper-case letters."""
    cdef uint32_t p = token.start
    cdef const RuleWord* word
    cdef Token unit
    while p < token.end and (is_digit(text[p]) or text[p] == 0x2e or text[p] == 0x2c):
        p += 1
    if p == token.end or (p > token.start and not is_digit(text[p - 1])):
        return False
    memset(&unit, 0, sizeof(Token))
    unit.start = p
    unit.end = token.end
    fill_token(text, &unit, False)
    word = rule_word(rules, unit.key)
    mask[0] = word.upper_mask << (p - token.start)
    return word.forms & FORM_UNIT != 0


cdef uint64_t letters_of(const uint8_t* text, const Token* token) noexcept nogil:
    cdef uint64_t letters = 0
    cdef uint32_t p
    for p in range(token.start, token.end):
        if is_letter(text[p]):
            letters |= <uint64_t>1 << (p - token.start)
    return letters


cdef inline void add_bonus(Node* node, float bonus) noexcept nogil:
    node.score += bonus
    node.form_bonus += bonus


cdef int favour_mask(Lattice* lattice, const LexiconView* lexicon, const Line* line, int32_t i,
                     uint64_t mask, float bonus, int32_t first_node) noexcept nogil:
    """Favour the form with these upper-case letters; add it if it is missing; a Status."""
    cdef const Token* token = line.tokens + i
    cdef uint64_t letters = letters_of(line.text, token)
    cdef int tag = case_in_part(mask, letters, letters & (~letters + 1))
    cdef int status
    cdef int32_t c
    cdef Node* node
    for c in range(first_node, lattice.n_nodes):
        node = lattice.nodes + c
        if node.tag == tag and (tag != TAG_MX or node.upper_mask == mask):
            add_bonus(node, bonus)
            return STATUS_OK
    status = reserve_nodes(lattice, 1)
    if status == STATUS_OK:
        node = lattice.nodes + lattice.n_nodes
        class_node(node, lexicon, token.word_class, tag, mask, False)
        add_bonus(node, bonus)
        lattice.n_nodes += 1
    return status


cdef int favour_tag(const RulesView* rules, const LexiconView* lexicon, const Token* token,
                    int tag, uint32_t index, int32_t first_node,
                    Lattice* lattice) noexcept nogil:
    """Favour the form of a tag; add it if it is missing; a Status."""
    cdef Node* node
    cdef int32_t c
    cdef int status
    for c in range(first_node, lattice.n_nodes):
        if lattice.nodes[c].tag == tag:
            break
    else:
        c = lattice.n_nodes
        status = add_form(lattice, lexicon, token, tag, 0, index)
        if status != STATUS_OK:
            return status
    node = lattice.nodes + c
    # A form that the lexicon should have seen is no worse here.
    add_bonus(node, rules.form_bonus - (lexicon.unseen_form if node.flags & NODE_UNSEEN else 0))
    return STATUS_OK


cdef int favour_whole(const RulesView* rules, const LexiconView* lexicon, const Line* line,
                      int32_t i, uint32_t index, int32_t first_node,
                      Lattice* lattice) noexcept nogil:
    """Favour forms of a word of parts, a unit, or the plural of an acronym; a Status."""
    cdef const Token* token = line.tokens + i
    cdef const uint8_t* text = line.text
    cdef bint is_new = may_be_new(text, token, index), is_made = False
    cdef uint64_t mask
    cdef int status
    if not is_new and not may_be_unit(text, token):
        return STATUS_OK
    if is_new and rules.parts != NULL and token.word_class != CLASS_ALPHABETIC:
        status = make_of_parts(lattice, rules.parts, lexicon, text, token, first_node, &is_made)
        if is_made or status != STATUS_OK:
            return status
    if is_unit(rules, text, token, &mask):
        return favour_mask(lattice, lexicon, line, i, mask, rules.unit_bonus, first_node)
    if is_new and rules.parts != NULL and token.word_class == CLASS_ALPHABETIC:
        return favour_mask(lattice, lexicon, line, i, letters_of(text, token) >> 1,
                           plural_bonus(rules.parts, lexicon, text, token), first_node)
    return STATUS_OK


cdef int favour_forms(const RulesView* rules, const LexiconView* lexicon, const Line* line,
                      int32_t i, uint32_t index, int32_t first_node,
                      Lattice* lattice) noexcept nogil:
    cdef int tag, status = favour_whole(rules, lexicon, line, i, index, first_node, lattice)
    if status != STATUS_OK or not may_be_short(rules, line.text, line.tokens + i):
        return status
    tag = short_case(rules, line, i)
    if tag == TAG_AN:
        return STATUS_OK
    return favour_tag(rules, lexicon, line.tokens + i, tag, index, first_node, lattice)
