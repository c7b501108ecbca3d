"""The rules of a language: the table, made of its TOML file once for each process, and its use."""

from libc.math cimport log
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from truecase.base._memory cimport STATUS_OK
from truecase.kernels._lattice cimport MAX_CANDIDATES, add_form, place_of_form, reserve_nodes
from truecase.kernels._lexicon cimport FORM_TAG, first_record, training_count
from truecase.kernels._maps cimport add_key, free_index
from truecase.kernels._segment cimport key_of
from truecase.kernels._sentences cimport is_key_of, is_mark, label_end
from truecase.kernels._structs cimport (
    CLASS_ACRONYM, CLASS_HYPHENATED, CLASS_OTHER, NODE_CLASS, NODE_FORCED, NODE_PARTS, NODE_UNSEEN,
    TOKEN_CLOSES, TOKEN_ENDS_SENTENCE, TOKEN_SPACE_BEFORE, TOKEN_WEIGHED
)
from truecase.kernels._tokens cimport in_list, token_of
from truecase.rules._capitals cimport is_dash, is_double_quote, is_joined
from truecase.rules._parts cimport (
    LIST_BYTES, PartRules, case_in_part, is_vowel, learned_weights, make_of_parts, plural_bonus,
    second_capital
)

from truecase.rules.language import phrases, read_rules


cdef enum:
    COURT_WORDS = 25             # on either side
    PARTY_WORDS = 5              # of a name at most
    MOST_IN_CASE = 8             # tokens of the name of a case that stands alone
    MOST_IN_CAPTION = 24         # likewise, where other words show it
    MOST_IN_LABEL = 6            # tokens before its last mark


def _bits(str names, int first=0):
    return {name: 1 << bit for bit, name in enumerate(names.split(), first)}


_OFFICES = {
    **_bits("determiner article address join of no_name rank", 1),
    **_bits("short cited matter", 15), "possessive": OFFICE_POSSESSIVE,
    "ordinal": OFFICE_RANK | OFFICE_ORDINAL, "person": OFFICE_PHRASE,
    "often_name": OFFICE_PHRASE | OFFICE_OFTEN_NAME, "body": OFFICE_PHRASE | OFFICE_BODY,
    "only_lower": OFFICE_PHRASE | OFFICE_ONLY_LOWER,
}
# The bits of lists by section, in the order of the enumerations, and the column of an entry.
_COLUMNS = (
    ("speech", _bits(
        "lower likely_lower i_am i_will domain number after_i_am after_i_will dot letter_pair"), 0),
    ("sentences", _bits("after_letter before_letter abbreviations", 10), 0),
    ("forms", _bits(
        "after_pack before_plural after_plural before_number measured stressed street "
        "compass", 13), 0),
    ("forms", _bits(
        "date written upper_first versus title latin unit pack label alias prefix court "
        "party plaintiff firm key head unit_head note note_head before_date after_date "
        "between_dates on_date date_or_word speech_verb slashed glued"), 1),
    ("offices", _OFFICES, 2),
)
assert _COLUMNS[2][1]["compass"] == SPEECH_COMPASS and _COLUMNS[3][1]["slashed"] == FORM_SLASHED
assert _OFFICES["rank"] == OFFICE_RANK and _OFFICES["matter"] == OFFICE_MATTER


cdef class RuleTable:
    """Owner of the table's memory."""

    cdef KeyIndex index
    cdef RuleWord* words
    cdef uint64_t filter[FILTER_WORDS]
    cdef PartRules parts
    cdef RulesView view

    def __cinit__(self, rules):
        cdef uint64_t key
        cdef uint32_t i
        entries = entries_of(rules)
        self.words = <RuleWord*>calloc(len(entries) + 1, sizeof(RuleWord))
        if self.words == NULL:
            raise MemoryError("no memory left for the words of rules")
        for i, (key, entry) in enumerate(entries.items()):
            if add_key(&self.index, key, i) != STATUS_OK:
                raise MemoryError("no memory left for the words of rules")
            speech, forms, offices, mask = entry
            self.words[i + 1] = RuleWord(speech, forms, offices, mask)
            if speech & (SPEECH_HAS_CASE | SPEECH_IN_ADDRESS) or forms & FORM_HAS_CASE or (
                    offices & OFFICE_HAS_CASE):
                self.filter[(key >> 6) & (FILTER_WORDS - 1)] |= <uint64_t>1 << (key & 63)
        self.fill_view(rules)

    def __dealloc__(self):
        free_index(&self.index)
        free(self.words)

    cdef int fill_view(self, rules) except -1:
        capitals, sentences = rules.get("capitals", {}), rules.get("sentences", {})
        speech, forms = rules.get("speech", {}), rules.get("forms", {})
        self.view.index = &self.index
        self.view.words = self.words
        self.view.filter = &self.filter[0]
        self.view.favours_speech = bool(speech)
        self.view.favours_forms = bool(forms)
        self.view.has_abbreviations = "abbreviations" in sentences
        self.view.raises_quotations = capitals.get("quotations", False)
        self.view.keeps_latin = capitals.get("keeps_latin", False)
        self.view.may_raise = bool(capitals)
        self.view.lower_dates = forms.get("lower_dates", False)
        self.view.ordinals = <int>sentences.get("ordinals", 2)
        for letter in capitals.get("pronoun", ""):
            self.view.pronoun = ord(letter)
        copy_words(self.view.short_forms, capitals.get("short_forms", ""))
        copy_words(self.view.ending, speech.get("after_i_am_ending", ""))
        for letter in speech.get("letter_word", "").split():
            self.view.letter_words |= 1 << (ord(letter) - 0x61)
        self.view.sure = speech.get("sure", 0.0)
        self.view.likely = speech.get("likely", 0.0)
        self.view.unit_bonus = forms.get("unit_bonus", 0.0)
        self.view.form_bonus = forms.get("bonus", 0.0)
        self.view.likely_bonus = forms.get("likely_bonus", 0.0)
        if forms.get("learned_parts"):
            self.parts.weights = learned_weights()
            copy_words(self.parts.before_hyphen, forms.get("before_hyphen", ""))
            copy_words(self.parts.behind_hyphen, forms.get("behind_hyphen", ""))
            self.view.parts = &self.parts
        return 0


cdef void copy_words(char* out, str words) except *:
    text = f" {' '.join(words.split())} ".encode()
    assert len(text) < LIST_BYTES
    memcpy(out, <const char*>text, <size_t>len(text))


cdef dict entries_of(rules):
    """Collect by key the bits of speech, forms and offices, and the mask of a unit."""
    entries = {}
    for section, bits, column in _COLUMNS:
        values = rules.get(section, {})
        for name, bit in bits.items():
            for words, is_plural in phrases(values.get(name, "")):
                add_words(entries, name, list(words), column,
                          bit | (OFFICE_PLURAL if is_plural else 0))
    return entries


cdef int add_words(dict entries, str name, list words, int column, uint32_t bit) except -1:
    """Add a word or phrase of the list `name`."""
    cdef uint64_t phrase = 0
    cdef bint is_office = column == 2 and bit & OFFICE_PHRASE != 0
    cdef bint is_phrase = len(words) > 1 or is_office
    for word in words:
        phrase = add_word(phrase, key_of(word.lower()))
        if is_phrase and column == 2:
            add_bits_of(entries, key_of(word), 2, OFFICE_WORD)
        if is_phrase and name == "written" and word != word.lower():
            add_bits_of(entries, key_of(word.lower()), 2, OFFICE_WRITTEN)
    entry = add_bits_of(entries, phrase if is_phrase else key_of(words[0].lower()), column, bit)
    if name == "latin":
        add_bits_of(entries, key_of(words[len(words) - 1]), column, bit)
    if name in ("unit", "written", "slashed"):
        entry[3] = sum(1 << at + 32 * place for place, word in enumerate(words)
                       for at, c in enumerate(word) if c.isupper())
    return 0


cdef list add_bits_of(dict entries, uint64_t key, int column, uint32_t bits):
    entry = entries.setdefault(key, [0, 0, 0, 0])
    entry[column] |= bits
    return entry


# By language; they are never released, as views point into them.
cdef dict _TABLES = {}


cdef RulesView view_rules(str language, bint scores, bint own_scores) except *:
    cdef RuleTable table = _TABLES.get(language)
    cdef RulesView view
    if table is None:
        table = _TABLES.setdefault(language, RuleTable(read_rules(language)))
    view = table.view
    view.favours_speech &= scores
    view.favours_forms &= scores and own_scores
    return view


cdef inline bint may_end(const Token* token) noexcept nogil:
    return token.flags & TOKEN_ENDS_SENTENCE != 0 or is_mark(token, 0x2c)


cdef int slashed_case(const Line* line, int32_t i) noexcept nogil:
    """TAG_AL or TAG_IU for a letter of a known pair with a slash, else TAG_AN."""
    cdef const Token* tokens = line.tokens
    cdef const uint8_t* text = line.text
    cdef const RuleWord* pair
    cdef int32_t slash = i + 1 if is_followed(line, i, 0x2f) else i - 1
    if slash < 1 or not is_followed(line, slash - 1, 0x2f) or not is_glued(line, slash + 1):
        return TAG_AN
    # Not within a/b/c or the path of a file.
    if (is_glued(line, slash - 1) and text[tokens[slash - 2].end - 1] == 0x2f) or (
            is_glued(line, slash + 2) and text[tokens[slash + 2].start] == 0x2f):
        return TAG_AN
    pair = rule_of_pair(line, slash - 1, slash + 1)
    if not pair.forms & FORM_SLASHED:
        return TAG_AN
    return TAG_IU if pair.upper_mask else TAG_AL


cdef inline bint is_caption(const Line* line) noexcept nogil:
    """Whether a line is short and no sentence ends with it, as in the name of a case."""
    cdef const Token* last = line.tokens + line.n - 1
    if line.n > MOST_IN_CAPTION:
        return False
    if not last.flags & TOKEN_ENDS_SENTENCE or last.word_class == CLASS_ACRONYM:
        return True
    # It may end with Inc. or an initial, but not with a firm's word that may end a sentence.
    return line.n > 1 and ((last - 1).n_code_points == 1 or (
        form_word(line, line.n - 2) & (FORM_FIRM | FORM_PLAINTIFF) == FORM_FIRM))


cdef int32_t firm_end(const Line* line, int32_t first) noexcept nogil:
    """End of the party from token `first` if it is the name of a firm, else 0."""
    cdef bint is_title = is_caption(line)
    cdef int32_t k
    for k in range(first, line.n if is_title else min(line.n, first + PARTY_WORDS - 1)):
        if line.tokens[k].tag == TAG_AN and not (
                is_title and line.text[line.tokens[k].start] in b",&."):
            return 0
        if k > first and form_word(line, k) & FORM_FIRM:
            return k + 1
    return 0


cdef inline bint precedes_reports(const Line* line, int32_t i) noexcept nogil:
    """Whether a volume and its reports follow a few words: ``Jones, 410 U.S. 113``."""
    for i in range(i, min(i + PARTY_WORDS, line.n - 2)):
        if is_mark(line.tokens + i, 0x2c):
            return line.tokens[i + 1].word_class == CLASS_QUANTITY and (
                line.tokens[i + 2].word_class == CLASS_ACRONYM
                or rule_at(line, i + 2).offices & OFFICE_CITED != 0)
    return False


cdef inline bint begins_with_plaintiff(const Line* line) noexcept nogil:
    """Whether a line may be the name of a case, as ``Board of Education of Elm v. Smith``."""
    return form_word(line, is_determiner(line, 0)) & FORM_PLAINTIFF and is_caption(line)


cdef bint has_parties(const Line* line, int32_t i, int32_t before) noexcept nogil:
    """Whether words on either side of a ``v.`` show parties; `before` is the last of the first."""
    cdef int32_t k = i + 1
    if form_word(line, k) & FORM_PARTY or precedes_reports(line, k) or (
            form_word(line, before) & (FORM_PLAINTIFF | FORM_FIRM)) or begins_with_plaintiff(line):
        return True
    # Smith v. the State: no initial.
    if is_determiner(line, k) and (is_caption(line) or (
            k + 1 < line.n and form_word(line, k + 1) & FORM_PARTY)):
        return True
    if is_initial_letter(line, before):
        return False
    # A.B. v. Smith: no middle initial.
    return firm_end(line, k) or (
        before == 0 and line.tokens[0].word_class == CLASS_ACRONYM and is_caption(line)) or (
        is_whole_name(line, before - 1) and is_whole_name(line, before)
        and is_whole_name(line, i + 1) and is_name_word(line, i + 2))


cdef bint is_in_court(const Line* line, int32_t i) noexcept nogil:
    cdef int32_t k
    for k in range(max(i - COURT_WORDS, 0), min(i + COURT_WORDS, line.n)):
        if (form_word(line, k) | rule_of_pair(line, k, min(k + 1, line.n - 1)).forms) & FORM_COURT:
            return True
    return False


cdef bint precedes_body(Line* line, int32_t i) noexcept nogil:
    """Whether a party that is a body stands behind a ``v.`` or ``vs.``: ``City of Elm``."""
    cdef int32_t of
    i += 1 + (line.tokens[i].word_class == CLASS_ALPHABETIC and is_followed(line, i, 0x2e))
    of = i + 1 + is_followed(line, i, 0x2e)
    if of >= line.n or not form_word(line, i) & FORM_PARTY or not is_of(line, of):
        return False
    line.name_end = of + 2 + (of + 1 < line.n and is_determiner(line, of + 1))
    return True


cdef int versus_case(Line* line, int32_t i, float* bonus) noexcept nogil:
    """TAG_AL for a ``v.`` or ``v`` between the parties of a case in court, else TAG_AN."""
    cdef bint is_letter_alone = line.tokens[i].end - line.tokens[i].start == 1
    cdef bint is_sentence = line.tokens[line.n - 1].flags & TOKEN_ENDS_SENTENCE != 0
    cdef int32_t before = i - 1
    # Norway 2 v Sweden 1; Doe, plaintiff, v. Roe; but Smith, V. is a person.
    if before > 0 and (is_followed(line, before - 1, 0x2e) or (
            is_letter_alone and line.tokens[before].word_class == CLASS_QUANTITY) or (
            is_followed(line, before - 1, 0x2c) and is_in_court(line, i))):
        before -= 1
    if before < 0 or i + 1 >= line.n or (is_letter_alone and not is_bare(line, i)):
        return TAG_AN
    if line.tokens[before].tag == TAG_AN or line.tokens[i + 1].tag == TAG_AN:
        return TAG_AN
    if has_parties(line, i, before) or (not is_letter_alone and is_in_court(line, i)):
        # The second party's first word, and all of a firm.
        line.name_end = i + 2 + is_determiner(line, i + 1)
        # State v. J. M. K.
        while line.name_end < line.n and is_initial_letter(line, line.name_end):
            line.name_end += 1
        line.name_end = max(line.name_end, firm_end(line, i + 1))
        return TAG_AL
    bonus[0] = line.rules.likely_bonus
    if not is_letter_alone:
        # In a text, it is a middle initial; a line of a few words may be the name of a case. A
        # name follows either.
        if is_caption(line):
            line.name_end = i + 2
        return TAG_IU if line.n > (MOST_IN_CASE if is_sentence else 2 * MOST_IN_CASE) else TAG_AN
    return TAG_AL if is_whole_name(line, before) and is_whole_name(line, i + 1) else TAG_AN


# End of a street behind the number of a house, and of what follows it (Apt 2); else 0.
cdef int32_t address_end(const Line* line) noexcept nogil:
    cdef int32_t i, after, end = 0
    cdef bint is_street, is_behind_street
    if line.tokens[0].word_class != CLASS_QUANTITY or not is_caption(line):
        return 0
    for i in range(1, line.n):
        if end == 0 and (i > PARTY_WORDS or line.tokens[i].tag == TAG_AN):
            return 0
        # Not 9 days in St. Louis.
        after = i + 1 + is_followed(line, i, 0x2e)
        is_street = i > 1 and is_speech(line, i, SPEECH_STREET) and (
            after == line.n or line.tokens[after].tag == TAG_AN
            or is_speech(line, after, SPEECH_IN_ADDRESS))
        is_behind_street = end > 0 and (
            is_speech(line, i, SPEECH_IN_ADDRESS) or is_initial_letter(line, i))
        if is_street or is_behind_street:
            end = i + 1
        elif end > 0 and line.tokens[i].tag != TAG_AN:
            break
    return end


cdef void name_first_words(Line* line) noexcept nogil:
    cdef int32_t i, end = 0, firm = firm_end(line, 0) if is_caption(line) else 0
    cdef float bonus
    if line.n == 1 or (firm == 0 and not begins_with_plaintiff(line)):
        line.name_end = address_end(line)
        return
    for i in range(1, line.n - 1):
        if is_initial_letter(line, i) and form_word(line, i) & FORM_VERSUS:
            if firm <= i and versus_case(line, i, &bonus) == TAG_AL and line.name_end > i:
                line.name_end = end if end else i
            return
        if end == 0 and is_mark(line.tokens + i, 0x2c):
            end = i


cdef inline bint ends_name(const Line* line, int32_t i) noexcept nogil:
    return line.tokens[i].tag == TAG_AN or form_word(line, i) & FORM_VERSUS != 0


cdef inline int32_t end_of_alias(const Line* line, int32_t first) noexcept nogil:
    """End of the name behind ``d/b/a``: a mark or a ``v.``; one word if these are far."""
    cdef int32_t end = first
    while end < min(line.n, first + PARTY_WORDS) and not ends_name(line, end):
        end += 1
    return end if end == line.n or ends_name(line, end) else first + 1


cdef inline bint follows_name(const Line* line, int32_t i) noexcept nogil:
    """Whether the word before token `i`, with marks between, belongs to a name."""
    i -= 1
    while i > 0 and line.tokens[i].tag == TAG_AN:
        i -= 1
    return is_name_word(line, i) or is_name_word(line, i - 1) or (
        i >= 0 and form_word(line, i) & (FORM_FIRM | FORM_PLAINTIFF) != 0)


cdef int alias_case(Line* line, int32_t i) noexcept nogil:
    """TAG_AL for a letter of ``d/b/a`` and the like, else TAG_AN."""
    cdef int32_t first, k
    cdef uint64_t phrase
    for first in range(i, i - 5, -2):
        if first < 0 or first + 5 > line.n:
            continue
        phrase = 0
        for k in range(first, first + 5, 2):
            if k > first and not (is_glued(line, k) and is_followed(line, k - 2, 0x2f)):
                break
            phrase = add_word(phrase, line.tokens[k].key)
        else:
            if rule_word(line.rules, phrase).forms & FORM_ALIAS:
                if i == first + 4 and i + 1 < line.n and follows_name(line, first):
                    line.name_end = end_of_alias(line, i + 1)
                return TAG_AL
    return TAG_AN


cdef inline int32_t markup_end(const Line* line) noexcept nogil:
    """End of a line's ``[00:12] <anna>`` or ``\\begin{proof}`` before another word; else 0."""
    cdef const Token* tokens = line.tokens
    cdef int32_t end = 0
    if line.n > 6 and label_end(tokens, 0, line.n) == 3:
        end = 6 if is_mark(tokens + 3, 0x3c) and is_mark(tokens + 5, 0x3e) else 0
    elif line.n > 5 and is_mark(tokens, 0x5c) and is_key_of(tokens + 1, 0x6e69676562, 5):
        end = 5 if is_mark(tokens + 4, 0x7d) else 0
    # In an array, a letter by itself is mathematics.
    return end if tokens[end].tag != TAG_AN and tokens[end].n_code_points > 1 else 0


cdef int32_t label_in_brackets(const Line* line) noexcept nogil:
    """End of what a line begins with, ``[music]``, ``(laughs)``, before another word; else 0."""
    cdef const Token* tokens = line.tokens
    cdef uint8_t closing = 0x29 if is_mark(tokens, 0x28) else 0x5d
    cdef bint is_before_word
    cdef int32_t i = 2
    if line.n == 1 or not (is_mark(tokens, 0x28) or is_mark(tokens, 0x5b)):
        return 0
    # Not (the) dog, (Anna) and.
    if tokens[1].tag == TAG_AN or tokens[1].n_code_points == 1 or (
            is_speech(line, 1, SPEECH_AFTER_LETTER)):
        return 0
    while i < min(line.n - 1, MOST_IN_LABEL) and not tokens[i].flags & TOKEN_CLOSES:
        i += 1
    if i + 1 >= line.n or not is_mark(tokens + i, closing):
        return 0
    is_before_word = tokens[i + 1].tag != TAG_AN and not is_glued(line, i + 1)
    return i + 1 if is_before_word and not form_word(line, i + 1) & FORM_BETWEEN_DATES else 0


cdef inline bint has_small_start(const Token* tokens, int32_t n, int32_t first) noexcept nogil:
    """Whether a sentence behind token `first` begins in lower case, in a line that ends one."""
    cdef int32_t i
    for i in range(first + 2, n if tokens[n - 1].flags & TOKEN_ENDS_SENTENCE else 0):
        if tokens[i].tag == TAG_AL and tokens[i - 1].flags & TOKEN_ENDS_SENTENCE and (
                tokens[i].flags & TOKEN_SPACE_BEFORE):
            return True
    return False


cdef int32_t label_of_speaker(const Token* tokens, int32_t n) noexcept nogil:
    """End of a line's ``HOST:``, ``[Anna]:``, ``tom (laughs):`` before lower case; else 0."""
    # What could stand before the colon; what is behind an opening bracket.
    cdef bint is_last = False, is_inside = False
    cdef int32_t i
    for i in range(min(n - 1, MOST_IN_LABEL)):
        if is_mark(tokens + i, 0x3a):
            # Before one sentence, Anna: may be Note:.
            is_last |= i > 0 and tokens[i - 1].tag == TAG_IU and has_small_start(tokens, n, i + 1)
            # [00:12] anna: it is
            is_last |= i == 4 and is_mark(tokens, 0x5b) and label_end(tokens, 0, n) == 3
            return i + 1 if is_last and tokens[i + 1].tag == TAG_AL and (
                tokens[i + 1].flags & TOKEN_SPACE_BEFORE) else 0
        is_last = (tokens[i].tag == TAG_AU or is_mark(tokens + i, 0x5d) or is_mark(tokens + i, 0x29)
                   or (tokens[i].tag == TAG_IU and tokens[i].n_code_points == 1)
                   or (i > 0 and tokens[i].word_class == CLASS_QUANTITY))
        is_inside |= is_mark(tokens + i, 0x28) or is_mark(tokens + i, 0x5b)
        # list 2: it is
        is_last &= is_inside or tokens[0].tag != TAG_AL
        if (tokens[i].tag == TAG_AL or tokens[i].tag == TAG_MX) and (
                tokens[i].flags & TOKEN_WEIGHED or not is_inside and i > 1):
            return 0
    return 0


cdef int32_t head_end(const Line* line, int32_t first) noexcept nogil:
    cdef const Token* tokens = line.tokens
    cdef int32_t last = line.n - 1, label
    cdef uint32_t heads = FORM_NOTE | FORM_NOTE_HEAD
    if first == 0:
        label = label_of_speaker(tokens, line.n) or label_in_brackets(line) or markup_end(line)
    else:
        # Q: Why? A: because
        label = label_of_speaker(tokens + first, line.n - first) if is_mark(tokens + 1, 0x3a) else 0
    if label:
        return first + label
    if first >= last or tokens[first].flags & (TOKEN_KEEPS | TOKEN_LOWERS):
        return first
    # A - That is right.
    if first == 0 and last > 1 and tokens[0].n_code_points == 1 and (
            is_dash(line.text, tokens + 1) and tokens[2].flags & TOKEN_WEIGHED
            and tokens[0].tag == tokens[2].tag == TAG_IU):
        return 2
    if tokens[first + 1].flags & TOKEN_SPACE_BEFORE:
        return first + 1 if form_word(line, first) & FORM_NOTE else first
    # A head of mail stands at the beginning of a line, or behind another.
    if first == 0 or is_mark(tokens + first - 1, 0x3a):
        heads |= FORM_UNIT_HEAD
    if first + 1 < last and is_mark(tokens + first + 1, 0x3a) and (
            tokens[first + 2].flags & TOKEN_SPACE_BEFORE) and (
            form_word(line, first) & heads):
        return first + 2
    return first


cdef inline bint goes_on(const Line* line, int32_t i) noexcept nogil:
    """Whether a word joins others to those before it: of, for, and."""
    cdef const RuleWord* word = rule_at(line, i)
    return (word.offices & (OFFICE_OF | OFFICE_JOIN) or word.forms & FORM_BETWEEN_DATES) != 0


cdef inline bint is_last_letter(const Line* line, int32_t i) noexcept nogil:
    """Whether token `i` is a letter with the period of its sentence: ``plan b. the``."""
    cdef const Token* token = line.tokens + i
    # The last period of a line is a token by itself.
    if i + 2 == line.n and token.n_code_points == 1:
        return is_speech(line, i - 1, SPEECH_BEFORE_LETTER) and is_followed(line, i, 0x2e)
    if i == 0 or i + 2 >= line.n or token.n_code_points != 2 or token[1].tag == TAG_AN or (
            token.word_class != CLASS_ACRONYM or rule_at(line, i).forms & FORM_VERSUS):
        return False
    return (is_speech(line, i - 1, SPEECH_BEFORE_LETTER) and not goes_on(line, i + 1)) or (
        token[2].tag != TAG_AN and (is_speech(line, i + 1, SPEECH_AFTER_LETTER)
                                    or token[1].key == (token - 1).key))


cdef int32_t letter_end(const Line* line, int32_t first, int32_t end) noexcept nogil:
    cdef int32_t i
    for i in range(first + 1, end - 1):
        if line.tokens[i].n_code_points == 2 and is_last_letter(line, i):
            return i + 1
    return end


cdef bint is_quoted_sentence(const Line* line, int32_t i) noexcept nogil:
    """Whether several words behind a quotation mark, from token `i`, are no part of a sentence."""
    cdef const Token* token = line.tokens + i + 2
    cdef const Token* last = line.tokens + line.n - 1
    while token < last and not is_double_quote(line.text, token):
        token += 1
    return token >= last or token - line.tokens > i + 2 and (
        may_end(token - 1) or token[1].flags & TOKEN_SPACE_BEFORE == 0 and may_end(token + 1))


cdef bint begins_speech(const Line* line, int32_t first, int32_t i) noexcept nogil:
    cdef const Token* tokens = line.tokens
    cdef bint has_verb
    cdef int32_t k
    if i < first + 3 or tokens[i].tag == TAG_AN or (
            tokens[i].word_class == CLASS_OTHER or tokens[i].word_class == CLASS_QUANTITY
            or is_joined(line.text, tokens, line.n, i)):
        return False
    if is_mark(tokens + i - 2, 0x3a):
        return line.rules.raises_quotations and is_quoted_sentence(line, i)
    has_verb = form_word(line, i - 3) & FORM_SPEECH_VERB or (
        i >= first + 4 and form_word(line, i - 4) & FORM_SPEECH_VERB)
    # By its byte: a colon may have been hidden.
    if not has_verb or line.text[tokens[i - 2].start] != 0x2c:
        return False
    # This plan, he said, "failed": an inserted clause has a comma before it, too.
    # "Stop," he said, "or I shall call": the first quotation of the line.
    for k in range(i - 2):
        if is_double_quote(line.text, tokens + k) or k >= first and is_mark(tokens + k, 0x2c):
            return False
    return True


cdef inline bint is_cited(const Line* line, int32_t i) noexcept nogil:
    """Whether a token may be part of a citation: ``civ`` or ``p.`` of ``Fed. R. Civ. P.``."""
    return i >= 0 and (rule_at(line, i).offices & OFFICE_CITED != 0 or (
        line.tokens[i].word_class == CLASS_ACRONYM and line.tokens[i].n_code_points == 2))


cdef inline bint precedes_law(const Line* line, int32_t i) noexcept nogil:
    # Penal Code
    return i + 1 < line.n and rule_of_pair(line, i, i + 1).offices & OFFICE_CITED != 0


cdef inline int case_of_short(const Line* line, int32_t i) noexcept nogil:
    """The tag of an abbreviation whose period ends no sentence: ``Supt. of``, ``id. at 45``."""
    cdef const Token* token = line.tokens + i
    cdef uint32_t offices = rule_at(line, i).offices
    cdef bint is_beside_cited
    # Tex. Penal Code, N.Y. Penal Law
    if offices & OFFICE_CITED and precedes_law(line, i + 1 + is_followed(line, i, 0x2e)):
        return TAG_AU if token.word_class == CLASS_ACRONYM else TAG_IU
    if i + 2 >= line.n or not offices & (OFFICE_SHORT | OFFICE_CITED) or (
            not is_followed(line, i, 0x2e)):
        return TAG_AN
    # 9th Cir. 2005
    is_beside_cited = is_cited(line, i + 2) or is_cited(line, i - 1) or (
        i > 1 and is_followed(line, i - 2, 0x2e) and is_cited(line, i - 2)) or (
        i > 0 and (token - 1).word_class == token[2].word_class == CLASS_QUANTITY)
    if is_of(line, i + 2) or (offices & OFFICE_CITED and is_beside_cited):
        return TAG_IU
    return TAG_AL if i + 3 < line.n and token[3].word_class == CLASS_QUANTITY and (
        form_word(line, i + 2) & FORM_AFTER_DATE) else TAG_AN


cdef inline bint has_capital(const Token* token) noexcept nogil:
    """Whether a word came with a capital in a line of mixed case."""
    return token.tag != TAG_AL and token.flags & TOKEN_WEIGHED != 0


cdef inline bint is_behind_number(const Line* line, int32_t i) noexcept nogil:
    """Whether a number stands before token `i`, with a period or without: ``5. jan``."""
    i -= 1 + (i > 1 and is_followed(line, i - 2, 0x2e))
    return i >= 0 and line.tokens[i].word_class == CLASS_QUANTITY


cdef bint goes_on_after_period(const Line* line, int32_t end) noexcept nogil:
    cdef const Token* tokens = line.tokens
    cdef bint is_behind_day
    if end < 2 or end >= line.n or not is_mark(tokens + end - 1, 0x2e) or (
            tokens[end - 1].flags & TOKEN_SPACE_BEFORE):
        return False
    if case_of_short(line, end - 2) != TAG_AN:
        return True
    # Acme Inc. v. Smith
    if tokens[end].n_code_points == 2 and form_word(line, end) & FORM_VERSUS:
        return end + 1 < line.n and tokens[end + 1].tag != TAG_AN and (
            is_caption(line) or form_word(line, end - 2) & FORM_FIRM != 0)
    if end < 3 or not form_word(line, end - 2) & FORM_DATE:
        return False
    if end + 1 < line.n and form_word(line, end) & FORM_BETWEEN_DATES and (
            form_word(line, end + 1) & FORM_DATE):
        return True
    is_behind_day = is_behind_number(line, end - 2)
    if is_behind_day and line.rules.lower_dates:
        return not is_speech(line, end, SPEECH_AFTER_LETTER)
    return (is_behind_day or is_mark(tokens + end - 3, 0x2c)
            or form_word(line, end - 3) & FORM_BEFORE_DATE) and (
        tokens[end].word_class == CLASS_QUANTITY or form_word(line, end) & FORM_AFTER_DATE)


cdef inline int date_case(const Line* line, int32_t i, uint32_t forms) noexcept nogil:
    """The tag of a day or a month beside a number or before a period, or TAG_AN."""
    cdef int32_t after = i + 1 + is_followed(line, i, 0x2e)
    if not forms & FORM_DATE:
        return TAG_AN
    # 5 jan., in jan. 2020
    if line.rules.lower_dates:
        return TAG_AL if not has_capital(line.tokens + i) and (is_behind_number(line, i) or (
            after < line.n and line.tokens[after].word_class == CLASS_QUANTITY)) else TAG_AN
    return TAG_IU if i > 0 and after > i + 1 and (goes_on_after_period(line, i + 2) or (
        form_word(line, i - 1) & FORM_ON_DATE and not forms & FORM_DATE_OR_WORD)) else TAG_AN


cdef inline bint is_latin(const Line* line, int32_t i, uint32_t forms) noexcept nogil:
    # Copyright (c)
    cdef int32_t before = i - 2 if i > 1 and line.text[line.tokens[i - 1].start] == 0x28 else i - 1
    return i > 0 and forms & FORM_LATIN and rule_of_pair(line, before, i).forms & FORM_LATIN


cdef inline bint begins_matter(const Line* line, int32_t i) noexcept nogil:
    """Whether ``Matter of Estate of A`` or ``In the Matter of the Estate of A`` names a case."""
    cdef bint is_first = i == 0 or (i == 2 and is_determiner(line, 1))
    return i + 4 < line.n and is_first and is_caption(line) and (
        is_of(line, i + 1) and is_of(line, i + 3 + is_determiner(line, i + 2)))


cdef bint is_postcode(const Line* line, int32_t i) noexcept nogil:
    """Whether token `i` and the next are a postcode: ``sw1a 2aa``, ``k1a 0b1``; no ``a4 2nd``."""
    cdef const Token* token = line.tokens + i
    cdef const uint8_t* first
    cdef const uint8_t* second
    if i < 0 or i + 1 >= line.n or not 2 <= token.end - token.start <= 4 or (
            token[1].end - token[1].start != 3):
        return False
    first = line.text + token.start
    second = line.text + token[1].start
    if not is_letter(first[0]) or not (is_digit(first[1]) or is_digit(first[2])) or (
            not is_digit(second[0]) or not is_letter(second[1])):
        return False
    # No letter of a unit is in the second half: 5kg.
    return is_digit(second[2]) or not (
        in_list(b" st nd rd th ", second + 1, 2) or second[1] | 0x20 in b"cikmov"
        or second[2] | 0x20 in b"cikmov")


cdef bint is_of_address(const Line* line, int32_t i) noexcept nogil:
    """Whether a token is half of a postcode or a number with a letter: ``apt. 4b``."""
    cdef const Token* token = line.tokens + i
    cdef int32_t before = i - 1 - (i > 1 and is_followed(line, i - 2, 0x2e))
    return is_postcode(line, i) or is_postcode(line, i - 1) or (
        is_speech(line, before, SPEECH_BEFORE_NUMBER) and is_digit(line.text[token.start])
        and token.end - token.start > 1 and is_digit(line.text[token.end - 2]))


# `after`: the token behind the word and its period.
cdef int case_in_address(const Line* line, int32_t i, int32_t after) noexcept nogil:
    # 9 Elm St NW, Fl 2
    if i < line.name_end and line.tokens[0].word_class == CLASS_QUANTITY and (
            is_speech(line, i, SPEECH_IN_ADDRESS)):
        return TAG_AU if is_speech(line, i, SPEECH_COMPASS) else TAG_IU
    # Oak Street, Apt. 4B
    return TAG_IU if i > 0 and is_mark(line.tokens + i - 1, 0x2c) and after < line.n and (
        is_speech(line, i, SPEECH_BEFORE_NUMBER) and is_of_address(line, after)) else TAG_AN


cdef int word_case(Line* line, int32_t i, uint32_t forms, uint32_t offices) noexcept nogil:
    """The favoured tag of a word of several letters, or TAG_AN."""
    cdef const Token* token = line.tokens + i
    cdef int tag = case_of_short(line, i) if offices & OFFICE_HAS_CASE else TAG_AN
    cdef int32_t after = i + 1 + is_followed(line, i, 0x2e)
    # Civ. Code, Tex. Penal Code; sgt. Marsh
    if tag in (TAG_IU, TAG_AU) or forms & FORM_TITLE and not is_glued(line, after):
        line.name_end = max(line.name_end, after + 1 + precedes_law(line, after))
        # Dept. of the Interior
        if tag == TAG_IU and forms & FORM_PARTY and after + 1 < line.n and is_of(line, after):
            line.name_end = after + 2 + is_determiner(line, after + 1)
    if tag == TAG_AN:
        tag = case_in_address(line, i, after)
    if tag == TAG_AN:
        tag = date_case(line, i, forms)
    if tag != TAG_AN:
        return tag
    if offices & OFFICE_MATTER and begins_matter(line, i):
        line.name_end = line.n
        return TAG_IU
    if is_latin(line, i, forms):
        # In re Estate of Miller
        if i == 1 and is_caption(line):
            line.name_end = line.n
        return TAG_AL
    # Not id like to.
    if forms & FORM_UPPER_FIRST and (
            i == 0 or (token - 1).flags & (TOKEN_ENDS_SENTENCE | TOKEN_CLOSES)) and not (
            is_speech(line, i, SPEECH_I_WILL)
            and is_speech(line, i + 1, SPEECH_AFTER_I_WILL)):
        return TAG_AU
    return TAG_AN


cdef inline bint is_label(const Line* line, int32_t i, uint32_t forms) noexcept nogil:
    """Whether a token is the letter or the number of a list's item: ``a)``, ``(b)``, ``(ii)``."""
    cdef bint is_first = i == 0 or (i == 1 and line.text[line.tokens[0].start] == 0x28)
    cdef bint is_short = line.tokens[i].end - line.tokens[i].start == 1 or forms & FORM_LABEL
    return is_first and is_short and is_followed(line, i, 0x29) and not is_glued(line, i + 2)


cdef int short_case(Line* line, int32_t i, float* bonus) noexcept nogil:
    """The favoured tag of a short form where it stands, or TAG_AN; it may change the bonus."""
    cdef const Token* token = line.tokens + i
    cdef const RuleWord* word = rule_at(line, i)
    cdef uint32_t forms = word.forms
    if token.flags & (TOKEN_KEEPS | TOKEN_LOWERS):
        return TAG_AN
    if i >= 2 and is_glued(line, i) and is_followed(line, i - 2, 0x2b) and (
            form_word(line, i - 2) & FORM_KEY):
        return TAG_IU if token.end - token.start == 1 or forms & FORM_KEY else TAG_AN
    if is_followed(line, i, 0x2b):
        return TAG_IU if forms & FORM_KEY else TAG_AN
    if is_followed(line, i, 0x3a) and not is_latin(line, i, forms):
        return TAG_IU if forms & FORM_HEAD and (i == 0 or is_mark(token - 1, 0x3a)) else TAG_AN
    if forms & FORM_VERSUS:
        if precedes_body(line, i):
            return TAG_AL
        # vs
        return versus_case(line, i, bonus) if token.end - token.start == 1 or (
            token.word_class == CLASS_ACRONYM) else TAG_AN
    if is_last_letter(line, i) and (token - 1).tag != TAG_AN:
        bonus[0] = line.rules.likely_bonus
        return TAG_IU
    if is_label(line, i, forms):
        return TAG_AL
    if token.end - token.start > 1:
        return word_case(line, i, forms, word.offices)
    if alias_case(line, i) == TAG_AL or is_latin(line, i, forms):
        return TAG_AL
    return slashed_case(line, i)


cdef bint is_unit(const Line* line, const Token* token, uint64_t* mask) noexcept nogil:
    """Whether a word is a unit, or one behind numbers (``5-50Hz``); `mask`: upper-case letters."""
    cdef const uint8_t* text = line.text
    cdef uint32_t p = token.start
    cdef const RuleWord* word
    while p < token.end and is_in_number(text, token.start, p):
        p += 1
    mask[0] = 0
    if p == token.end or (p > token.start and not is_digit(text[p - 1])):
        return p == token.end and is_digit(text[p - 1])
    word = rule_word(line.rules, token_of(text, p, token.end, 0, False).key)
    mask[0] = word.upper_mask << (p - token.start)
    return word.forms & (FORM_UNIT | FORM_GLUED) != 0


cdef inline void force_case(Lattice* lattice, int32_t first_node) noexcept nogil:
    """Give no form of a first word a capital by rule."""
    cdef int32_t c
    for c in range(first_node, lattice.n_nodes):
        lattice.nodes[c].flags |= NODE_FORCED


cdef int find_form(Lattice* lattice, const Line* line, int32_t i, int tag, uint64_t mask,
                   int32_t first_node, int32_t* form) noexcept nogil:
    """Find the node of a form, or add it; a Status."""
    cdef const Token* token = line.tokens + i
    form[0] = first_node + place_of_form(
        lattice.nodes + first_node, lattice.n_nodes - first_node, tag, mask)
    if form[0] < lattice.n_nodes:
        return STATUS_OK
    return add_form(lattice, line.lexicon, token, tag, mask if tag == TAG_MX else 0,
                    first_record(line.lexicon, token.key))


cdef int favour_form(Lattice* lattice, const Line* line, int32_t i, int tag, uint64_t mask,
                     float bonus, int32_t first_node) noexcept nogil:
    """Favour a form; add it if it is missing; a Status."""
    cdef Node* node
    cdef int32_t form = 0
    cdef int status = find_form(lattice, line, i, tag, mask, first_node, &form)
    if status == STATUS_OK:
        node = lattice.nodes + form
        # A form that the lexicon should have seen is no worse here.
        bonus -= line.lexicon.unseen_form if node.flags & NODE_UNSEEN else 0
        node.score += bonus
        node.form_bonus += bonus
    return status


cdef int favour_mask(Lattice* lattice, const Line* line, int32_t i, uint64_t mask, float bonus,
                     int32_t first_node) noexcept nogil:
    """Favour the form with these upper-case letters; a Status."""
    cdef uint64_t letters = letters_of(line.text, line.tokens + i)
    cdef int tag = case_in_part(mask, letters, letters & (~letters + 1))
    return favour_form(lattice, line, i, tag, mask, bonus, first_node)


cdef inline uint64_t written_mask(const Line* line, int32_t i) noexcept nogil:
    """The upper-case letters of a word that is always written so, or beside another; else 0."""
    cdef const RuleWord* word = rule_at(line, i)
    cdef uint64_t mask = word.upper_mask if word.forms & FORM_WRITTEN else 0
    if word.offices & OFFICE_WRITTEN:
        mask = (<uint32_t>rule_of_pair(line, i, min(i + 1, line.n - 1)).upper_mask
                or rule_of_pair(line, max(i - 1, 0), i).upper_mask >> 32 or mask)
    return mask if is_plain(line.tokens + i) else 0


cdef bint is_unit_there(const Line* line, int32_t i, uint64_t* mask) noexcept nogil:
    """Whether a word is a unit behind a number or alone; `mask`: its upper-case letters."""
    cdef const Token* token = line.tokens + i
    cdef const RuleWord* word = rule_at(line, i)
    cdef bint is_one_letter = token.end - token.start == 1
    cdef bint has_number, is_measured, is_last
    cdef int32_t number
    if not word.forms & (FORM_UNIT | FORM_PACK) or not is_plain(token):
        return False
    # 2 pcs, 5 kg pk, 2 in x 10 ft
    number = i - 1 - (i > 1 and form_word(line, i - 1) & (FORM_UNIT | FORM_PACK) != 0)
    has_number = number >= 0 and token.flags & TOKEN_SPACE_BEFORE and (
        line.tokens[number].word_class == CLASS_QUANTITY)
    is_measured = is_speech(line, i - 2, SPEECH_MEASURED) and is_mark(token - 1, 0x28)
    if not (has_number or line.n == 1 or is_measured):
        return False
    mask[0] = word.upper_mask
    # 100 g sugar
    if is_measured or (word.forms & FORM_UNIT and not is_one_letter) or (
            has_number and is_one_letter and word.forms & FORM_PACK and not has_capital(token)):
        return True
    is_last = i + 1 == line.n or token[1].tag == TAG_AN or is_speech(line, i + 1, SPEECH_AFTER_PACK)
    # 80 gsm A4, 9 V cell; but no 3 v 2, and no France 3 v Spain 2.
    if not is_last and (token[1].word_class == CLASS_QUANTITY) == (word.forms & FORM_PACK != 0):
        is_last = word.forms & FORM_PACK or (
            i + 2 == line.n or token[2].word_class != CLASS_QUANTITY)
    return has_number and is_last and not line.tokens[line.n - 1].flags & TOKEN_ENDS_SENTENCE


cdef bint has_prefix(const Line* line, const Token* token, uint32_t length) noexcept nogil:
    cdef uint32_t end = token.start + length - (not is_letter(line.text[token.start + length - 1]))
    cdef Token prefix = token_of(line.text, token.start, end, 0, False)
    return rule_word(line.rules, prefix.key).forms & FORM_PREFIX != 0


cdef uint32_t record_of_singular(const Line* line, const Token* token) noexcept nogil:
    """The index by `first_record` of a word without its last letter."""
    return first_record(line.lexicon, token_of(line.text, token.start, token.end - 1, 0, False).key)


cdef inline float beside_plural(const Line* line, int32_t i) noexcept nogil:
    """What the words beside a plural add to it: ``two``, ``these``, ``were``."""
    return line.rules.likely_bonus if is_speech(line, i - 1, SPEECH_BEFORE_PLURAL) or (
        is_speech(line, i + 1, SPEECH_AFTER_PLURAL)) else 0.0


cdef int favour_plural(const Line* line, int32_t i, uint32_t index, int32_t first_node,
                       Lattice* lattice) noexcept nogil:
    """Favour ``AIs`` over ``AIS`` by how much more often training saw AI; a Status."""
    cdef const Token* token = line.tokens + i
    cdef uint64_t mask = letters_before_last(line.text, token)
    cdef uint32_t singular
    cdef double odds
    cdef float bonus = beside_plural(line, i)
    cdef bint is_there = bonus > 0.0
    cdef int32_t c
    for c in range(first_node + 1, lattice.n_nodes):
        is_there = is_there or lattice.nodes[c].upper_mask == mask
    if not is_there:
        return STATUS_OK
    singular = record_of_singular(line, token)
    odds = training_count(line.lexicon, singular) / (training_count(line.lexicon, index) + 1)
    if odds <= 1 or line.lexicon.records[singular - 1] & FORM_TAG != TAG_AU:
        return STATUS_OK
    return favour_mask(lattice, line, i, mask, bonus + <float>(log(odds) / 2), first_node)


# Whether a rule knows the upper-case letters of a word, `mask`.
cdef bint has_mask(const Line* line, int32_t i, uint32_t index, uint64_t* mask) noexcept nogil:
    cdef const Token* token = line.tokens + i
    cdef const uint8_t* text = line.text
    cdef uint32_t second = second_capital(text, token, index)
    mask[0] = written_mask(line, i)
    if mask[0] or is_unit_there(line, i, mask):
        return True
    if second and has_prefix(line, token, second):
        mask[0] = 1 | <uint64_t>1 << second
        return True
    if not may_be_new(text, token, index) and not may_be_unit(text, token):
        return False
    # § 12b
    if i > 0 and text[line.tokens[i - 1].start] == 0xc2 and (
            text[line.tokens[i - 1].start + 1] == 0xa7):
        return True
    mask[0] = letters_of(text, token)
    return is_of_address(line, i) or is_unit(line, token, mask)


cdef int favour_whole(const Line* line, int32_t i, uint32_t index, int32_t first_node,
                      Lattice* lattice) noexcept nogil:
    """Favour forms of a word of parts, a unit, or the plural of an acronym; a Status."""
    cdef const Token* token = line.tokens + i
    cdef const uint8_t* text = line.text
    cdef const PartRules* parts = line.rules.parts
    cdef uint64_t mask
    cdef int status
    if may_be_plural(text, token, lattice.nodes + first_node, index):
        status = favour_plural(line, i, index, first_node, lattice)
        if status != STATUS_OK:
            return status
    if has_mask(line, i, index, &mask):
        if line.n == 1 and form_word(line, i) & (FORM_UNIT | FORM_PACK):
            force_case(lattice, first_node)
        return favour_mask(lattice, line, i, mask, line.rules.unit_bonus, first_node)
    if not may_be_new(text, token, index) or parts == NULL:
        return STATUS_OK
    if token.word_class != CLASS_ALPHABETIC:
        return make_of_parts(lattice, parts, line.lexicon, text, token, first_node)
    mask = letters_of(text, token)
    # GWAS: no acronym that is known, and none that ends in a vowel is likely.
    if not is_vowel(text[token.end - 2]) or record_of_singular(line, token):
        mask = letters_before_last(text, token)
    return favour_mask(lattice, line, i, mask, beside_plural(line, i) + plural_bonus(
        parts.weights, line.lexicon, text, token), first_node)


cdef inline bint begins_party(const Line* line, int32_t i) noexcept nogil:
    """Whether a name begins at a word, behind ``v.`` or ``of the``, or a firm ends with it."""
    cdef int32_t before = i - 1 - (i > 1 and is_determiner(line, i - 1))
    # Fed. R. Civ. P.
    cdef bint is_cited = i > 1 and is_initial_letter(line, i) and (
        rule_at(line, i - 2).offices & OFFICE_CITED)
    return is_cited or form_word(line, i) & (FORM_FIRM | FORM_PLAINTIFF) or before >= 0 and (
        form_word(line, before) & (FORM_VERSUS | FORM_LATIN) != 0 or is_of(line, before))


cdef inline bint may_begin_name(const Line* line, int32_t i) noexcept nogil:
    """Whether a word of a name has a capital: no of, and, for, on, to, 's, 2nd, d/b/a."""
    cdef uint8_t byte = line.text[line.tokens[i].start]
    if not (is_letter(byte) or byte >= 0xc3):
        return False
    # An article has one behind d/b/a.
    if is_determiner(line, i):
        return i > 0 and is_glued(line, i - 1)
    return not goes_on(line, i)


cdef int favour_forms(Line* line, int32_t i, uint32_t index, int32_t first_node,
                      Lattice* lattice) noexcept nogil:
    cdef bint is_of_name = i < line.name_end and lattice.nodes[first_node].tag <= TAG_IU and (
        may_begin_name(line, i))
    cdef int status = favour_whole(line, i, index, first_node, lattice)
    cdef int tag = TAG_AN
    cdef float bonus = line.rules.form_bonus
    if status == STATUS_OK and may_be_short(line, i):
        tag = short_case(line, i, &bonus)
    if tag == TAG_AN and is_of_name:
        tag = TAG_IU
        if line.tokens[i].word_class == CLASS_ACRONYM and not is_initial_letter(line, i):
            tag = TAG_AU
        # An acronym that came as one may stay.
        if index == 0 or not begins_party(line, i):
            bonus = line.rules.likely_bonus
    if tag == TAG_AN or status != STATUS_OK:
        return status
    status = favour_form(lattice, line, i, tag, 0, bonus, first_node)
    # c/o Smith
    if tag == TAG_AL and i < 2 and (
            line.tokens[i].n_code_points == 1 or form_word(line, i) & (FORM_VERSUS | FORM_LABEL)):
        force_case(lattice, first_node)
    return status


cdef inline bint is_letter_word(const Line* line, uint8_t letter) noexcept nogil:
    """Whether a letter is a word by itself, such as a and I."""
    return letter != 0 and line.rules.letter_words >> (letter - 0x61) & 1


cdef inline float spelled_bonus(const Line* line, int32_t i) noexcept nogil:
    """Bonus of a capital for a letter of a spelled word: ``f y i``, ``q a``.

    A letter that is a word counts only behind another letter.
    """
    cdef uint8_t letter = letter_at(line, i)
    cdef uint8_t before = letter_at(line, i - 1)
    cdef int32_t first = i, last = i
    if letter == 0 or (before == 0 and letter_at(line, i + 1) == 0):
        return 0.0
    if is_letter_word(line, letter) and (before == 0 or is_letter_word(line, before)):
        return 0.0
    while i - first < 3 and letter_at(line, first - 1):
        first -= 1
    while last - i < 3 and letter_at(line, last + 1):
        last += 1
    if is_letter_word(line, letter_at(line, first)) and last - first > 1:
        first += 1
    if last - first >= 2:
        return line.rules.sure
    # a.m., i.e.
    return 0.0 if rule_of_pair(line, first, last).speech & SPEECH_LETTER_PAIR else line.rules.likely


cdef inline bint is_in_numbers(const Line* line, int32_t i) noexcept nogil:
    """Whether a number is one of three or more in a row, as in years that are read out."""
    cdef bint before = is_speech(line, i - 1, SPEECH_NUMBER)
    cdef bint after = is_speech(line, i + 1, SPEECH_NUMBER)
    return (before and after) or (before and is_speech(line, i - 2, SPEECH_NUMBER)) or (
        after and is_speech(line, i + 2, SPEECH_NUMBER))


cdef SpeechCase speech_case(const Line* line, int32_t i) noexcept nogil:
    cdef SpeechCase out = SpeechCase(TAG_AN, 0.0)
    cdef const Token* token = line.tokens + i
    cdef float bonus = line.rules.sure
    cdef uint32_t word
    if token.flags & (TOKEN_KEEPS | TOKEN_LOWERS) or not may_be_speech(line, i):
        return out
    if token.end - token.start == 1:
        out.bonus = spelled_bonus(line, i)
        if out.bonus > 0.0:
            out.tag = TAG_IU
        return out
    word = rule_at(line, i).speech & SPEECH_HAS_CASE
    if word == 0:
        return out
    if word & SPEECH_LOWER:
        out.tag = TAG_AL
    elif word & SPEECH_LIKELY_LOWER:
        bonus = line.rules.likely
        # Not (ER), nor "Yeah, he said.
        if i == 0 or (token - 1).tag != TAG_AN or line.text[(token - 1).start] == 0x2c:
            out.tag = TAG_AL
    elif word & SPEECH_I_WILL:
        if is_bare(line, i) and is_speech(line, i + 1, SPEECH_AFTER_I_WILL):
            out.tag = TAG_IU
    elif word & SPEECH_I_AM:
        # Not 'im for him; im going.
        if is_bare(line, i) and (line.n == 1 or is_speech(line, i + 1, SPEECH_AFTER_I_AM) or (
                i + 1 < line.n and token[1].end - token[1].start > 4
                and in_list(line.rules.ending, line.text + token[1].end - 3, 3))):
            out.tag = TAG_IU
    elif word & SPEECH_DOMAIN:
        if is_speech(line, i - 1, SPEECH_DOT):
            out.tag = TAG_AL
    elif is_in_numbers(line, i):
        out.tag = TAG_AL
    if out.tag != TAG_AN:
        out.bonus = bonus
    return out


cdef inline float speech_bonus(const SpeechCase* favoured, const Line* line, int32_t i,
                               const Node* node) noexcept nogil:
    """Gain of a favoured form, in nats, as if seen, and cased by its parts (not ``mm-Hmm``)."""
    cdef float bonus = favoured.bonus
    if node.flags & NODE_UNSEEN:
        bonus -= line.lexicon.unseen_form
    elif node.flags & (NODE_CLASS | NODE_PARTS) == NODE_CLASS and (
            line.tokens[i].word_class == CLASS_HYPHENATED):
        bonus += line.lexicon.parts_bonus
    return bonus


cdef int favour_speech(const SpeechCase* favoured, const Line* line, int32_t i, bint is_initial,
                       int32_t first, Lattice* lattice) noexcept nogil:
    cdef int32_t k, c = 0
    cdef int status, tag = favoured.tag
    cdef bint is_favoured
    cdef Node* node
    # A form of I with a capital is the lowercase word written otherwise, also to its neighbours:
    # they would see a name in a word with a capital, and continue it.
    cdef bint is_i = tag == TAG_IU and line.tokens[i].end - line.tokens[i].start > 1
    if is_i:
        tag = TAG_AL
    if lattice.n_nodes - first >= MAX_CANDIDATES - 2:
        return STATUS_OK
    status = find_form(lattice, line, i, tag, 0, first, &c)
    if status != STATUS_OK:
        return status
    if is_i:
        status = reserve_nodes(lattice, 1)
        if status != STATUS_OK:
            return status
        lattice.nodes[lattice.n_nodes] = lattice.nodes[c]
        c = lattice.n_nodes
        lattice.nodes[c].tag = TAG_IU
        lattice.n_nodes += 1
    for k in range(first, lattice.n_nodes):
        node = lattice.nodes + k
        is_favoured = k == c
        if favoured.tag == TAG_AL:
            # At the beginning of a sentence, forms with a capital count, too.
            is_favoured = node.state == TAG_AL or (is_initial and node.tag == TAG_IU)
        if is_favoured:
            node.speech_bonus = speech_bonus(favoured, line, i, node)
    return STATUS_OK
