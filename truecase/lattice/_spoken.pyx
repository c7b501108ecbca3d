"""Words of English speech: what is favoured where they stand, and the one table of them."""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

from truecase.lattice._gen cimport add_form
from truecase.lattice._lattice cimport (
    MAX_CANDIDATES,
    NODE_CLASS,
    NODE_PARTS,
    NODE_SPOKEN,
    NODE_UNSEEN,
    Lattice,
    Node,
    reserve_nodes,
)
from truecase.lexicon._lexicon cimport LexiconView
from truecase.runtime._status cimport STATUS_OK
from truecase.text._casing cimport TAG_AL, TAG_AN, TAG_IU
from truecase.text._key_index cimport NOT_FOUND, KeyIndex, add_bits, find_key
from truecase.text._segment_line cimport key_of
from truecase.text._token cimport (
    CLASS_HYPHENATED,
    TOKEN_KEEPS,
    TOKEN_LOWERS,
    TOKEN_SPACE_BEFORE,
    Token,
)

from truecase.lattice import spoken as lists

__all__ = []


cdef class _SpokenTable:
    """Owner of the table's memory, as long as the process lives."""

    cdef KeyIndex words
    cdef uint64_t filter[SPOKEN_FILTER_WORDS]
    cdef SpokenView view

    def __cinit__(self):
        cdef uint64_t key
        cdef uint32_t kind
        for kind, words in (
            (SPOKEN_LOWER, lists.LOWER),
            (SPOKEN_LIKELY_LOWER, lists.LIKELY_LOWER),
            (SPOKEN_I_AM, [lists.I_AM]),
            (SPOKEN_AFTER_I_AM, lists.AFTER_I_AM),
            (SPOKEN_I_WILL, lists.I_WILL),
            (SPOKEN_AFTER_I_WILL, lists.AFTER_I_WILL),
            (SPOKEN_DOT, [lists.DOT]),
            (SPOKEN_DOMAIN, lists.DOMAINS),
            (SPOKEN_NUMBER, lists.NUMBERS),
        ):
            for word in sorted(words):
                key = key_of(word)
                if add_bits(&self.words, key, kind) != STATUS_OK:
                    raise MemoryError("no memory left for the words of speech")
                if kind & SPOKEN_HAS_CASE:
                    key &= 64 * SPOKEN_FILTER_WORDS - 1
                    self.filter[key >> 6] |= <uint64_t>1 << (key & 63)
        self.view.is_active = True
        self.view.words = &self.words
        self.view.filter = &self.filter[0]
        self.view.sure = lists.SURE
        self.view.likely = lists.LIKELY


cdef _SpokenTable _TABLE = _SpokenTable()


cdef SpokenView view_spoken():
    return _TABLE.view


cdef inline uint32_t what_is_spoken(const SpokenView* spoken, const Token* token) noexcept nogil:
    cdef uint32_t found = find_key(spoken.words, token.key)
    return 0 if found == NOT_FOUND else found


cdef inline bint is_bare(const Token* tokens, int32_t n, int32_t i) noexcept nogil:
    """Whether a token stands between spaces."""
    return tokens[i].flags & TOKEN_SPACE_BEFORE != 0 and (
        i + 1 == n or tokens[i + 1].flags & TOKEN_SPACE_BEFORE != 0)


cdef inline uint8_t letter_at(const uint8_t* text, const Token* tokens, int32_t n,
                              int32_t i) noexcept nogil:
    """The letter from a to z that a token is, between spaces; 0: it is none."""
    cdef uint8_t letter
    if i < 0 or i >= n or tokens[i].end - tokens[i].start != 1:
        return 0
    letter = text[tokens[i].start] | 0x20
    return letter if 0x61 <= letter <= 0x7a and is_bare(tokens, n, i) else 0


cdef inline bint is_a_or_i(uint8_t letter) noexcept nogil:
    return letter == 0x61 or letter == 0x69


cdef inline bint is_abbreviated(uint8_t first, uint8_t second) noexcept nogil:
    """Whether two letters are those of a.m., p.m., i.e. or e.g."""
    return (second == 0x6d and (first == 0x61 or first == 0x70)) or (
        first == 0x69 and second == 0x65) or (first == 0x65 and second == 0x67)


cdef inline float spelled(const SpokenView* spoken, const uint8_t* text, const Token* tokens,
                          int32_t n, int32_t i) noexcept nogil:
    """What a capital is favoured by for a letter of a word that is spelled: ``f y i``, ``q a``.

    An article or I belongs to it behind another letter alone.
    """
    cdef uint8_t letter = letter_at(text, tokens, n, i)
    cdef uint8_t before, after
    cdef int32_t first = i, last = i
    if letter == 0:
        return 0.0
    before = letter_at(text, tokens, n, i - 1)
    after = letter_at(text, tokens, n, i + 1)
    if is_a_or_i(letter) and (before == 0 or is_a_or_i(before)):
        return 0.0
    if before == 0 and after == 0:
        return 0.0
    while i - first < 3 and letter_at(text, tokens, n, first - 1):
        first -= 1
    while last - i < 3 and letter_at(text, tokens, n, last + 1):
        last += 1
    if is_a_or_i(letter_at(text, tokens, n, first)) and last - first > 1:
        first += 1
    if last - first >= 2:
        return spoken.sure
    if is_abbreviated(letter_at(text, tokens, n, first), letter_at(text, tokens, n, last)):
        return 0.0
    return spoken.likely


cdef inline bint is_number(const SpokenView* spoken, const Token* tokens, int32_t n,
                           int32_t i) noexcept nogil:
    return 0 <= i < n and what_is_spoken(spoken, tokens + i) & SPOKEN_NUMBER != 0


cdef inline bint is_of_numbers(const SpokenView* spoken, const Token* tokens, int32_t n,
                               int32_t i) noexcept nogil:
    """Whether a number is one of three or more in a row, as years and digits are read out."""
    cdef bint before = is_number(spoken, tokens, n, i - 1)
    cdef bint after = is_number(spoken, tokens, n, i + 1)
    return (before and after) or (before and is_number(spoken, tokens, n, i - 2)) or (
        after and is_number(spoken, tokens, n, i + 2))


cdef inline bint is_before(const SpokenView* spoken, const Token* tokens, int32_t n, int32_t i,
                           int what) noexcept nogil:
    """Whether a token stands before a word of a kind."""
    return i + 1 < n and what_is_spoken(spoken, tokens + i + 1) & what != 0


cdef inline bint is_participle(const uint8_t* text, const Token* token) noexcept nogil:
    cdef uint32_t end = token.end
    return (end - token.start > 4 and text[end - 3] | 0x20 == 0x69
            and text[end - 2] | 0x20 == 0x6e and text[end - 1] | 0x20 == 0x67)


cdef SpokenCase spoken_case(const SpokenView* spoken, const uint8_t* text,
                            const Token* tokens, int32_t n, int32_t i) noexcept nogil:
    """The case that is favoured for token i of the n of a line."""
    cdef SpokenCase out
    cdef const Token* token = tokens + i
    cdef uint32_t word
    cdef uint64_t bit = token.key & (64 * SPOKEN_FILTER_WORDS - 1)
    out.tag = TAG_AN
    out.bonus = 0.0
    if token.flags & (TOKEN_KEEPS | TOKEN_LOWERS):
        return out
    if token.end - token.start == 1:
        out.bonus = spelled(spoken, text, tokens, n, i)
        if out.bonus > 0.0:
            out.tag = TAG_IU
        return out
    if not (spoken.filter[bit >> 6] >> (bit & 63)) & 1:
        return out
    word = what_is_spoken(spoken, token)
    out.bonus = spoken.sure
    if word & SPOKEN_LOWER:
        out.tag = TAG_AL
    elif word & SPOKEN_LIKELY_LOWER:
        # Not (ER), nor "Yeah, he said.
        if i == 0 or tokens[i - 1].tag != TAG_AN or text[tokens[i - 1].start] == 0x2c:
            out.tag = TAG_AL
            out.bonus = spoken.likely
    elif word & SPOKEN_I_AM:
        # Not 'im for him.
        if is_bare(tokens, n, i) and (n == 1 or is_before(spoken, tokens, n, i, SPOKEN_AFTER_I_AM)
                                      or (i + 1 < n and is_participle(text, tokens + i + 1))):
            out.tag = TAG_IU
    elif word & SPOKEN_I_WILL:
        if is_bare(tokens, n, i) and is_before(spoken, tokens, n, i, SPOKEN_AFTER_I_WILL):
            out.tag = TAG_IU
    elif word & SPOKEN_DOMAIN:
        if i > 0 and what_is_spoken(spoken, tokens + i - 1) & SPOKEN_DOT:
            out.tag = TAG_AL
    elif word & SPOKEN_NUMBER:
        if is_of_numbers(spoken, tokens, n, i):
            out.tag = TAG_AL
    if out.tag == TAG_AN:
        out.bonus = 0.0
    return out


cdef bint is_favoured(const Node* node, int tag, bint is_initial) noexcept nogil:
    """Whether a candidate is a word's favoured form; that of a first word may have a capital."""
    if tag != TAG_AL:
        return node.flags & NODE_SPOKEN != 0
    return node.state == TAG_AL or (is_initial and node.tag == TAG_IU)


cdef int add_spoken_form(Lattice* lattice, const LexiconView* lexicon, const Token* token,
                         int tag, uint32_t index, int32_t first) noexcept nogil:
    """Mark a word's node of a case, among those from `first` on, and add it if it is not there.

    A capital that I has is another rendering of the lowercase word, whose neighbours see it as
    such: a word like a name would have the next one be part of it. `index` as for `add_form`; a
    Status.
    """
    cdef int32_t c
    cdef int status
    cdef bint is_i = tag == TAG_IU and token.end - token.start > 1
    for c in range(first, lattice.n_nodes):
        if lattice.nodes[c].tag == (TAG_AL if is_i else tag):
            break
    else:
        c = lattice.n_nodes
    if lattice.n_nodes - first >= MAX_CANDIDATES - 2:
        return STATUS_OK
    if c == lattice.n_nodes:
        status = add_form(lattice, lexicon, token, TAG_AL if is_i else tag, 0, index)
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
    lattice.nodes[c].flags |= NODE_SPOKEN
    return STATUS_OK


cdef bint has_spoken_form(const Lattice* lattice, int32_t word) noexcept nogil:
    cdef int32_t c
    for c in range(lattice.first_node[word], lattice.first_node[word + 1]):
        if lattice.nodes[c].flags & NODE_SPOKEN:
            return True
    return False


cdef float spoken_bonus(const SpokenCase* favoured, const LexiconView* lexicon,
                        const Token* token, const Node* node) noexcept nogil:
    """What a favoured form is favoured by, in nats.

    It is none that the lexicon should have seen, or that parts tell of (``mm-Hmm``).
    """
    cdef float bonus = favoured.bonus
    if node.flags & NODE_UNSEEN:
        bonus -= lexicon.unseen_form
    elif node.flags & (NODE_CLASS | NODE_PARTS) == NODE_CLASS and (
            token.word_class == CLASS_HYPHENATED):
        bonus += lexicon.parts_bonus
    return bonus


cdef void favour_spoken(const SpokenView* spoken, const LexiconView* lexicon,
                        const uint8_t* text, const Token* tokens, int32_t n, int32_t first,
                        int32_t initial, Lattice* lattice) noexcept nogil:
    """Add their bonus to the favoured forms of the words of a sentence, from token `first` on."""
    cdef SpokenCase favoured
    cdef int32_t word, c
    for word in range(lattice.n_words - 1):
        if not has_spoken_form(lattice, word):
            continue
        favoured = spoken_case(spoken, text, tokens, n, first + word)
        for c in range(lattice.first_node[word], lattice.first_node[word + 1]):
            if is_favoured(lattice.nodes + c, favoured.tag, word == initial):
                lattice.nodes[c].score += spoken_bonus(
                    &favoured, lexicon, tokens + first + word, lattice.nodes + c)
