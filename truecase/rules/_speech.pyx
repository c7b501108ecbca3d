"""Words of speech: the case that is favoured for them where they stand."""

from libc.stdint cimport uint8_t

from truecase.base._memory cimport STATUS_OK
from truecase.kernels._lattice cimport MAX_CANDIDATES, add_form, reserve_nodes
from truecase.kernels._structs cimport (
    CLASS_HYPHENATED, NODE_CLASS, NODE_PARTS, NODE_UNSEEN, TOKEN_KEEPS, TOKEN_LOWERS,
    TOKEN_SPACE_BEFORE, Node
)
from truecase.kernels._unicode cimport TAG_AL, TAG_IU
from truecase.rules._table cimport (
    SPEECH_AFTER_I_AM, SPEECH_AFTER_I_WILL, SPEECH_DOMAIN, SPEECH_DOT, SPEECH_HAS_CASE,
    SPEECH_I_AM, SPEECH_I_WILL, SPEECH_LETTER_PAIR, SPEECH_LIKELY_LOWER, SPEECH_LOWER,
    SPEECH_NUMBER, add_word, rule_word
)


__all__ = []


cdef inline bint is_speech(const RulesView* rules, const Line* line, int32_t i,
                           uint32_t kind) noexcept nogil:
    """Whether token `i` exists and is a word of a kind."""
    return 0 <= i < line.n and rule_word(rules, line.tokens[i].key).speech & kind != 0


cdef inline bint is_bare(const Line* line, int32_t i) noexcept nogil:
    """Whether a token stands between spaces."""
    return line.tokens[i].flags & TOKEN_SPACE_BEFORE != 0 and (
        i + 1 == line.n or line.tokens[i + 1].flags & TOKEN_SPACE_BEFORE != 0)


cdef inline uint8_t letter_at(const Line* line, int32_t i) noexcept nogil:
    """The letter from a to z of a token between spaces; 0 for any other token."""
    cdef uint8_t letter
    if i < 0 or i >= line.n or line.tokens[i].end - line.tokens[i].start != 1:
        return 0
    letter = line.text[line.tokens[i].start] | 0x20
    return letter if 0x61 <= letter <= 0x7a and is_bare(line, i) else 0


cdef inline bint is_letter_word(const RulesView* rules, uint8_t letter) noexcept nogil:
    """Whether a letter is a word by itself, such as a and I."""
    return letter != 0 and rules.letter_words >> (letter - 0x61) & 1


cdef inline float spelled_bonus(const RulesView* rules, const Line* line,
                                int32_t i) noexcept nogil:
    """Bonus of a capital for a letter of a spelled word: ``f y i``, ``q a``.

    A letter that is a word counts only behind another letter.
    """
    cdef uint8_t letter = letter_at(line, i)
    cdef uint8_t before = letter_at(line, i - 1)
    cdef int32_t first = i, last = i
    if letter == 0 or (before == 0 and letter_at(line, i + 1) == 0):
        return 0.0
    if is_letter_word(rules, letter) and (before == 0 or is_letter_word(rules, before)):
        return 0.0
    while i - first < 3 and letter_at(line, first - 1):
        first -= 1
    while last - i < 3 and letter_at(line, last + 1):
        last += 1
    if is_letter_word(rules, letter_at(line, first)) and last - first > 1:
        first += 1
    if last - first >= 2:
        return rules.sure
    # a.m., i.e.
    if rule_word(rules, add_word(add_word(0, line.tokens[first].key),
                                 line.tokens[last].key)).speech & SPEECH_LETTER_PAIR:
        return 0.0
    return rules.likely


cdef inline bint is_in_numbers(const RulesView* rules, const Line* line, int32_t i) noexcept nogil:
    """Whether a number is one of three or more in a row, as in years that are read out."""
    cdef bint before = is_speech(rules, line, i - 1, SPEECH_NUMBER)
    cdef bint after = is_speech(rules, line, i + 1, SPEECH_NUMBER)
    return (before and after) or (before and is_speech(rules, line, i - 2, SPEECH_NUMBER)) or (
        after and is_speech(rules, line, i + 2, SPEECH_NUMBER))


cdef inline bint has_ending(const RulesView* rules, const Line* line, int32_t i) noexcept nogil:
    """Whether token `i` exists and has five letters or more, with the ending of ``going``."""
    cdef uint32_t end
    if i >= line.n or rules.ending[0] == 0:
        return False
    end = line.tokens[i].end
    return (end - line.tokens[i].start > 4 and line.text[end - 3] | 0x20 == rules.ending[0]
            and line.text[end - 2] | 0x20 == rules.ending[1]
            and line.text[end - 1] | 0x20 == rules.ending[2])


cdef SpeechCase speech_case(const RulesView* rules, const Line* line, int32_t i) noexcept nogil:
    cdef SpeechCase out
    cdef const Token* token = line.tokens + i
    cdef uint32_t word = 0
    out.tag = TAG_AN
    out.bonus = 0.0
    if token.flags & (TOKEN_KEEPS | TOKEN_LOWERS) or not may_be_speech(rules, token):
        return out
    if token.end - token.start == 1:
        out.bonus = spelled_bonus(rules, line, i)
        if out.bonus > 0.0:
            out.tag = TAG_IU
        return out
    word = rule_word(rules, token.key).speech & SPEECH_HAS_CASE
    if word == 0:
        return out
    if word & SPEECH_LOWER:
        out.tag = TAG_AL
    elif word & SPEECH_LIKELY_LOWER:
        # Not (ER), nor "Yeah, he said.
        if i == 0 or (token - 1).tag != TAG_AN or line.text[(token - 1).start] == 0x2c:
            out.tag = TAG_AL
    elif word & SPEECH_I_AM:
        # Not 'im for him.
        if is_bare(line, i) and (line.n == 1 or is_speech(rules, line, i + 1, SPEECH_AFTER_I_AM)
                                 or has_ending(rules, line, i + 1)):
            out.tag = TAG_IU
    elif word & SPEECH_I_WILL:
        if is_bare(line, i) and is_speech(rules, line, i + 1, SPEECH_AFTER_I_WILL):
            out.tag = TAG_IU
    elif word & SPEECH_DOMAIN:
        if is_speech(rules, line, i - 1, SPEECH_DOT):
            out.tag = TAG_AL
    elif is_in_numbers(rules, line, i):
        out.tag = TAG_AL
    if out.tag != TAG_AN:
        out.bonus = rules.sure if not word & SPEECH_LIKELY_LOWER or word & SPEECH_LOWER else (
            rules.likely)
    return out


cdef inline float speech_bonus(const SpeechCase* favoured, const LexiconView* lexicon,
                               const Token* token, const Node* node) noexcept nogil:
    """Gain of a favoured form, in nats, as if seen, and cased by its parts (not ``mm-Hmm``)."""
    cdef float bonus = favoured.bonus
    if node.flags & NODE_UNSEEN:
        bonus -= lexicon.unseen_form
    elif node.flags & (NODE_CLASS | NODE_PARTS) == NODE_CLASS and (
            token.word_class == CLASS_HYPHENATED):
        bonus += lexicon.parts_bonus
    return bonus


cdef int favour_speech(const SpeechCase* favoured, const LexiconView* lexicon, const Token* token,
                       uint32_t index, bint is_initial, int32_t first,
                       Lattice* lattice) noexcept nogil:
    cdef int32_t c, k
    cdef int status, tag = favoured.tag
    cdef Node* node
    # A form of I with a capital is the lowercase word written otherwise, also to its neighbours:
    # they would see a name in a word with a capital, and continue it.
    cdef bint is_i = tag == TAG_IU and token.end - token.start > 1
    if is_i:
        tag = TAG_AL
    if lattice.n_nodes - first >= MAX_CANDIDATES - 2:
        return STATUS_OK
    for c in range(first, lattice.n_nodes):
        if lattice.nodes[c].tag == tag:
            break
    else:
        c = lattice.n_nodes
        status = add_form(lattice, lexicon, token, tag, 0, index)
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
        # At the beginning of a sentence, a lowercase word's forms with a capital count, too.
        if k == c if favoured.tag != TAG_AL else node.state == TAG_AL or (
                is_initial and node.tag == TAG_IU):
            node.speech_bonus = speech_bonus(favoured, lexicon, token, node)
    return STATUS_OK
