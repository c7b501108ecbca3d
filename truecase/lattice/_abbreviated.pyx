"""Short forms of English: the case that is favoured where they stand, and the one table of them."""

from libc.stdint cimport int32_t, uint8_t, uint32_t

from truecase.lattice._gen cimport add_form
from truecase.lattice._initial cimport is_joined
from truecase.lattice._lattice cimport NODE_UNSEEN, Lattice, Node
from truecase.lexicon._lexicon cimport LexiconView
from truecase.runtime._status cimport STATUS_OK
from truecase.text._casing cimport TAG_AL, TAG_AN, TAG_AU, TAG_IU
from truecase.text._key_index cimport NOT_FOUND, KeyIndex, add_key, find_key
from truecase.text._segment_line cimport key_of
from truecase.text._sentence cimport is_mark
from truecase.text._token cimport (
    CLASS_OTHER,
    CLASS_QUANTITY,
    TOKEN_CLOSES,
    TOKEN_ENDS_SENTENCE,
    TOKEN_KEEPS,
    TOKEN_LOWERS,
    TOKEN_SPACE_BEFORE,
    Token,
)

from truecase.lattice import abbreviated as lists

__all__ = []

cdef enum:
    COURT_WORDS = 25             # on either side


cdef enum AbbreviatedWord:       # a word may be several
    IS_COURT = 1
    IS_PARTY = 2
    IS_KEY = 4
    IS_HEAD = 8
    IS_UNIT_HEAD = 16
    IS_NOTE = 32
    IS_NOTE_HEAD = 64
    IS_DATE = 128
    IS_BEFORE_DATE = 256
    IS_AFTER_DATE = 512
    IS_ON_DATE = 1024
    IS_DATE_OR_WORD = 2048
    IS_UPPER_FIRST = 4096
    IS_LETTERED = 8192
    IS_CITES = 16384
    IS_SPEECH = 32768
    IS_BETWEEN_DATES = 65536
    IS_SALUTED = 131072
    IS_SALUTATION = 262144

    SALUTED_WORDS = 4            # from the beginning of a line: Dear Sir or Madam


cdef class _AbbreviatedTable:
    """Owner of the table's memory, as long as the process lives."""

    cdef KeyIndex words
    cdef AbbreviatedView view

    def __cinit__(self):
        for pair in lists.SLASHED:
            first, last = (ord(letter) - 0x61 for letter in (pair[0].lower(), pair[2].lower()))
            self.view.slashed[<int>first] |= 1 << last
            if pair.isupper():
                self.view.slashed_upper[<int>first] |= 1 << last
        kinds = {IS_COURT: lists.COURT, IS_PARTY: lists.PARTIES, IS_KEY: lists.KEYS,
                 IS_HEAD: lists.HEADS, IS_UNIT_HEAD: lists.UNIT_HEADS, IS_NOTE: lists.NOTES,
                 IS_NOTE_HEAD: lists.NOTE_HEADS, IS_DATE: lists.DATES,
                 IS_BEFORE_DATE: lists.BEFORE_DATES, IS_AFTER_DATE: lists.AFTER_DATES,
                 IS_ON_DATE: lists.ON_DATES, IS_DATE_OR_WORD: lists.DATES_OR_WORDS,
                 IS_UPPER_FIRST: lists.UPPER_FIRST, IS_LETTERED: lists.LETTERED,
                 IS_CITES: lists.CITES, IS_SPEECH: lists.SPEECH,
                 IS_BETWEEN_DATES: lists.BETWEEN_DATES, IS_SALUTED: lists.SALUTED,
                 IS_SALUTATION: [lists.SALUTATION]}
        for word in sorted(frozenset().union(*kinds.values())):
            kind = sum(kind for kind, words in kinds.items() if word in words)
            if add_key(&self.words, key_of(word), kind) != STATUS_OK:
                raise MemoryError("no memory left for words beside short forms")
        self.view.words = &self.words
        self.view.bonus = lists.BONUS


cdef _AbbreviatedTable _TABLE = _AbbreviatedTable()


cdef AbbreviatedView view_abbreviated():
    return _TABLE.view


cdef inline bint is_glued(const Token* tokens, int32_t n, int32_t i) noexcept nogil:
    """Whether a token stands right behind the one before it."""
    return 0 <= i < n and not tokens[i].flags & TOKEN_SPACE_BEFORE


cdef inline int letter_number(const uint8_t* text, const Token* token) noexcept nogil:
    """0 … 25 of a letter from a to z, else -1."""
    cdef uint8_t letter = text[token.start] | 0x20
    return letter - 0x61 if token.end - token.start == 1 and 0x61 <= letter <= 0x7a else -1


cdef int slashed_case(const AbbreviatedView* abbreviated, const uint8_t* text,
                      const Token* tokens, int32_t n, int32_t i) noexcept nogil:
    """TAG_AL or TAG_IU for a letter of a known pair with a slash, TAG_AN for any other."""
    cdef int first, last
    cdef int32_t slash = i + 1
    if not (is_glued(tokens, n, slash) and text[tokens[slash].start] == 0x2f):
        slash = i - 1
    if slash < 1 or not is_glued(tokens, n, slash) or not is_glued(tokens, n, slash + 1) or (
            tokens[slash].end - tokens[slash].start != 1):
        return TAG_AN
    # As a whole word: not a/b/c, nor a file of that name.
    if (is_glued(tokens, n, slash - 1) and text[tokens[slash - 2].end - 1] == 0x2f) or (
            is_glued(tokens, n, slash + 2) and text[tokens[slash + 2].start] == 0x2f):
        return TAG_AN
    first = letter_number(text, tokens + slash - 1)
    last = letter_number(text, tokens + slash + 1)
    if first < 0 or last < 0 or not abbreviated.slashed[first] >> last & 1:
        return TAG_AN
    return TAG_IU if abbreviated.slashed_upper[first] >> last & 1 else TAG_AL


cdef inline bint is_kind(const AbbreviatedView* abbreviated, const Token* token,
                         uint32_t kind) noexcept nogil:
    cdef uint32_t found = find_key(abbreviated.words, token.key)
    return found != NOT_FOUND and found & kind != 0


cdef inline bint is_followed(const uint8_t* text, const Token* tokens, int32_t n, int32_t i,
                             uint8_t mark) noexcept nogil:
    """Whether a mark of one byte stands right behind a token."""
    return (is_glued(tokens, n, i + 1) and text[tokens[i + 1].start] == mark
            and tokens[i + 1].end - tokens[i + 1].start == 1)


cdef int court_case(const AbbreviatedView* abbreviated, const Token* tokens, int32_t n,
                    int32_t i) noexcept nogil:
    """TAG_AL for a ``v.`` between the parties of a case in court."""
    cdef int32_t k
    if i == 0 or i + 1 >= n or tokens[i - 1].tag == TAG_AN or tokens[i + 1].tag == TAG_AN:
        return TAG_AN
    if is_kind(abbreviated, tokens + i + 1, IS_PARTY):
        return TAG_AL
    # A citation: See Marbury v. Madison.
    if i == 2 and is_kind(abbreviated, tokens, IS_CITES):
        return TAG_AL
    for k in range(max(i - COURT_WORDS, 0), min(i + COURT_WORDS, n)):
        if is_kind(abbreviated, tokens + k, IS_COURT):
            return TAG_AL
    return TAG_AN


cdef int32_t head_end(const AbbreviatedView* abbreviated, const Token* tokens, int32_t n,
                      int32_t first) noexcept nogil:
    cdef int32_t last = n - 1
    if first >= last or tokens[first].flags & (TOKEN_KEEPS | TOKEN_LOWERS):
        return first
    if tokens[first + 1].flags & TOKEN_SPACE_BEFORE:
        return first + 1 if is_kind(abbreviated, tokens + first, IS_NOTE) else first
    if first + 1 < last and is_mark(tokens + first + 1, 0x3a) and (
            tokens[first + 2].flags & TOKEN_SPACE_BEFORE) and is_kind(
                abbreviated, tokens + first,
                # A head of mail stands at the beginning of a line, or behind another.
                IS_NOTE | IS_NOTE_HEAD | (IS_UNIT_HEAD if first == 0 or is_mark(
                    tokens + first - 1, 0x3a) else 0)):
        return first + 2
    return first


cdef bint begins_speech(const AbbreviatedView* abbreviated, const uint8_t* text,
                        const Token* tokens, int32_t n, int32_t first, int32_t i) noexcept nogil:
    cdef int32_t k
    # By its byte: a colon may have been hidden.
    if i < first + 3 or text[tokens[i - 2].start] != 0x2c or tokens[i].tag == TAG_AN or (
            tokens[i].word_class == CLASS_OTHER or tokens[i].word_class == CLASS_QUANTITY):
        return False
    if not is_kind(abbreviated, tokens + i - 3, IS_SPEECH) and (
            i < first + 4 or not is_kind(abbreviated, tokens + i - 4, IS_SPEECH)):
        return False
    # This plan, he said, "failed": a clause that is put in has a comma before it, too.
    for k in range(first, i - 2):
        if is_mark(tokens + k, 0x2c):
            return False
    # "Stop," he said, "or I shall call": the first quotation of the line.
    for k in range(i - 2):
        if is_double_quote(text, tokens + k):
            return False
    return not is_joined(text, tokens, n, i)


cdef bint goes_on_after_date(const AbbreviatedView* abbreviated, const Token* tokens, int32_t n,
                             int32_t end) noexcept nogil:
    if end < 3 or end >= n or not is_mark(tokens + end - 1, 0x2e) or (
            tokens[end - 1].flags & TOKEN_SPACE_BEFORE):
        return False
    if not is_kind(abbreviated, tokens + end - 2, IS_DATE):
        return False
    if end + 1 < n and is_kind(abbreviated, tokens + end, IS_BETWEEN_DATES) and is_kind(
            abbreviated, tokens + end + 1, IS_DATE):
        return True
    return (
        tokens[end - 3].word_class == CLASS_QUANTITY or is_mark(tokens + end - 3, 0x2c)
        or is_kind(abbreviated, tokens + end - 3, IS_BEFORE_DATE)) and (
        tokens[end].word_class == CLASS_QUANTITY
        or is_kind(abbreviated, tokens + end, IS_AFTER_DATE))


cdef inline bint is_short_date(const AbbreviatedView* abbreviated, const uint8_t* text,
                               const Token* tokens, int32_t n, int32_t i) noexcept nogil:
    """Whether a word before a period is a day or a month."""
    if i == 0 or not is_followed(text, tokens, n, i, 0x2e) or not is_kind(
            abbreviated, tokens + i, IS_DATE):
        return False
    return goes_on_after_date(abbreviated, tokens, n, i + 2) or (
        is_kind(abbreviated, tokens + i - 1, IS_ON_DATE)
        and not is_kind(abbreviated, tokens + i, IS_DATE_OR_WORD))


cdef int abbreviated_case(const AbbreviatedView* abbreviated, const uint8_t* text,
                          const Token* tokens, int32_t n, int32_t i) noexcept nogil:
    cdef const Token* token = tokens + i
    cdef uint32_t size = token.end - token.start
    if token.flags & (TOKEN_KEEPS | TOKEN_LOWERS):
        return TAG_AN
    if i >= 2 and is_glued(tokens, n, i) and is_followed(text, tokens, n, i - 2, 0x2b) and (
            is_kind(abbreviated, tokens + i - 2, IS_KEY)):
        return TAG_IU if size == 1 or is_kind(abbreviated, token, IS_KEY) else TAG_AN
    if is_followed(text, tokens, n, i, 0x2b):
        return TAG_IU if is_kind(abbreviated, token, IS_KEY) else TAG_AN
    if is_followed(text, tokens, n, i, 0x3a):
        return TAG_IU if (i == 0 or is_mark(tokens + i - 1, 0x3a)) and is_kind(
            abbreviated, token, IS_HEAD) else TAG_AN
    if size == 2 and text[token.end - 1] == 0x2e:
        if text[token.start] | 0x20 != 0x76:
            return TAG_AN
        return court_case(abbreviated, tokens, n, i)
    if size > 1:
        if is_short_date(abbreviated, text, tokens, n, i) or is_kind(
                abbreviated, token, IS_LETTERED) or (
                0 < i < SALUTED_WORDS and is_kind(abbreviated, tokens, IS_SALUTATION)
                and is_kind(abbreviated, token, IS_SALUTED)):
            return TAG_IU
        return TAG_AU if is_kind(abbreviated, token, IS_UPPER_FIRST) and (
            i == 0 or tokens[i - 1].flags & (TOKEN_ENDS_SENTENCE | TOKEN_CLOSES)) else TAG_AN
    # The label of a list's item.
    if is_followed(text, tokens, n, i, 0x29) and letter_number(text, token) >= 0 and (
            i == 0 or (i == 1 and text[tokens[0].start] == 0x28)) and (
            i + 2 == n or tokens[i + 2].flags & TOKEN_SPACE_BEFORE):
        return TAG_AL
    return slashed_case(abbreviated, text, tokens, n, i)


cdef float abbreviated_bonus(const AbbreviatedView* abbreviated, const LexiconView* lexicon,
                             const Node* node) noexcept nogil:
    # A form that the lexicon should have seen is no worse here.
    return abbreviated.bonus - (lexicon.unseen_form if node.flags & NODE_UNSEEN else 0)


cdef int favour_abbreviated(const AbbreviatedView* abbreviated, const LexiconView* lexicon,
                            const uint8_t* text, const Token* tokens, int32_t n, int32_t i,
                            uint32_t index, int32_t first_node, Lattice* lattice) noexcept nogil:
    cdef int tag = abbreviated_case(abbreviated, text, tokens, n, i)
    cdef int status
    cdef int32_t c
    if tag == TAG_AN:
        return STATUS_OK
    for c in range(first_node, lattice.n_nodes):
        if lattice.nodes[c].tag == tag:
            break
    else:
        c = lattice.n_nodes
        status = add_form(lattice, lexicon, tokens + i, tag, 0, index)
        if status != STATUS_OK:
            return status
    lattice.nodes[c].score += abbreviated_bonus(abbreviated, lexicon, lattice.nodes + c)
    return STATUS_OK
