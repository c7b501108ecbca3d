"""House style for offices: which words of a sentence are offices that stand alone."""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from truecase.lattice._lattice cimport Lattice
from truecase.runtime._memory cimport grow
from truecase.runtime._status cimport STATUS_OK, STATUS_OUT_OF_MEMORY
from truecase.text._casing cimport TAG_AL, TAG_AN
from truecase.text._hash cimport scramble
from truecase.text._key_index cimport NOT_FOUND, KeyIndex, add_bits, add_key, find_key
from truecase.text._segment_line cimport key_of
from truecase.text._sentence cimport is_mark
from truecase.text._token cimport TOKEN_KEEPS, TOKEN_LOWERS, TOKEN_SPACE_BEFORE, Token

from truecase.lattice import offices as lists

__all__ = []

cdef enum:
    MOST_WORDS = 3               # of an office

    # OfficeWord: what a word may be
    OF_OFFICE = 1
    IS_DETERMINER = 2
    IS_THE = 4
    IS_ADDRESS = 8
    IS_JOIN = 16
    IS_OF = 32
    IS_NO_NAME = 64

    IS_RANK = 128
    IS_POSSESSIVE = 256
    IS_ORDINAL = 512

    # OfficePhrase
    IS_BODY = 1
    ARE_SEVERAL = 2
    ONLY_LOWER = 4
    WANTS_DETERMINER = 8


cdef inline uint64_t add_word(uint64_t phrase, uint64_t word) noexcept nogil:
    """Hash of a phrase and one more word."""
    return scramble(phrase + word)


cdef int know(KeyIndex* words, word, uint32_t kind) except -1:
    if add_bits(words, key_of(word), kind) != STATUS_OK:
        raise MemoryError("no memory left for words of offices")
    return 0


cdef class _OfficesTable:
    """Owner of the table's memory, as long as the process lives."""

    cdef KeyIndex words
    cdef KeyIndex phrases

    def __cinit__(self):
        for office in sorted(lists.PERSONS | lists.OFTEN_NAMES | lists.BODIES):
            kind = IS_BODY if office in lists.BODIES else 0
            if office in lists.BODIES or office in lists.OFTEN_NAMES:
                kind |= WANTS_DETERMINER
            if office in lists.ONLY_LOWER:
                kind |= ONLY_LOWER
            self.add_office(office, kind)
            self.add_office(lists.plural(office), kind | ARE_SEVERAL)
        for kind, words in ((IS_DETERMINER, lists.DETERMINERS), (IS_THE, ["the"]),
                            (IS_ADDRESS, lists.ADDRESSES), (IS_JOIN, lists.JOINS),
                            (IS_OF, ["of"]), (IS_RANK, lists.RANKS),
                            (IS_RANK | IS_ORDINAL, lists.ORDINALS), (IS_POSSESSIVE, ["'s"]),
                            (IS_NO_NAME, lists.NO_NAMES)):
            for word in sorted(words):
                know(&self.words, word, kind)

    cdef int add_office(self, str office, uint32_t kind) except -1:
        cdef uint64_t phrase = 0
        for word in office.split():
            know(&self.words, word, OF_OFFICE)
            phrase = add_word(phrase, key_of(word))
        if add_key(&self.phrases, phrase, kind) != STATUS_OK:
            raise MemoryError("no memory left for offices")
        return 0


cdef _OfficesTable _TABLE = _OfficesTable()


cdef OfficesView view_offices(int style):
    cdef OfficesView view
    view.style = style
    view.words = &_TABLE.words
    view.phrases = &_TABLE.phrases
    return view


cdef inline uint32_t what_is(const OfficesView* offices, const Token* token) noexcept nogil:
    cdef uint32_t found = find_key(offices.words, token.key)
    return 0 if found == NOT_FOUND else found


cdef int32_t office_end(const OfficesView* offices, const Token* tokens, int32_t n, int32_t first,
                        uint32_t* kind) noexcept nogil:
    """End of the longest office that begins at a token, and its kind; `first` if there is none."""
    cdef int32_t i, end = first
    cdef uint32_t found
    cdef uint64_t phrase = 0
    for i in range(first, min(first + MOST_WORDS, n)):
        if tokens[i].flags & (TOKEN_KEEPS | TOKEN_LOWERS) or (
                i > first and not tokens[i].flags & TOKEN_SPACE_BEFORE) or (
                not what_is(offices, tokens + i) & OF_OFFICE):
            break
        phrase = add_word(phrase, tokens[i].key)
        found = find_key(offices.phrases, phrase)
        if found != NOT_FOUND:
            kind[0] = found
            end = i + 1
    return end


cdef inline bint is_upper(const Lattice* lattice, const int32_t* path, int32_t word) noexcept nogil:
    cdef int tag = lattice.nodes[lattice.first_node[word] + path[word]].tag
    return tag != TAG_AL and tag != TAG_AN


cdef inline bint is_name(const OfficesView* offices, const Token* tokens, int32_t n,
                         const Lattice* lattice, const int32_t* path, int32_t i) noexcept nogil:
    """Whether a word with a capital stands at `i` that may be of a name."""
    return i < n and is_upper(lattice, path, i) and (
        not what_is(offices, tokens + i) & IS_NO_NAME)


cdef inline bint names_of(const OfficesView* offices, const Token* tokens, int32_t n,
                          const Lattice* lattice, const int32_t* path,
                          int32_t i) noexcept nogil:
    """Whether a name stands at `i`, with or without an article before it."""
    return is_name(offices, tokens, n, lattice, path, i) or (
        i < n and what_is(offices, tokens + i) & IS_THE != 0
        and is_name(offices, tokens, n, lattice, path, i + 1))


cdef inline uint32_t what_precedes(const OfficesView* offices, const Token* tokens,
                                   int32_t first) noexcept nogil:
    """What the word before a token is; a period may stand behind one of address."""
    cdef uint32_t before = what_is(offices, tokens + first - 1) if first > 0 else 0
    if first > 1 and is_mark(tokens + first - 1, 0x2e):
        before = what_is(offices, tokens + first - 2) & IS_ADDRESS
    return before


cdef int style_of_office(const OfficesView* offices, const Token* tokens, int32_t n,
                         const Lattice* lattice, const int32_t* path, int32_t first,
                         int32_t end, uint32_t kind) noexcept nogil:
    """What is made of an office, the words from `first` to `end`."""
    cdef uint32_t before = what_precedes(offices, tokens, first)
    cdef uint32_t after = what_is(offices, tokens + end) if end < n else 0
    cdef bint is_of_name = after & IS_OF != 0 and names_of(
        offices, tokens, n, lattice, path, end + 1)
    # President Obama, the State Department, Mr. President, the Queen's Birthday.
    if is_name(offices, tokens, n, lattice, path, end) or before & IS_ADDRESS or (
            after & IS_POSSESSIVE and is_name(offices, tokens, n, lattice, path, end + 1)):
        return OFFICES_AS_LEARNED
    # The Office of the President.
    if before & IS_THE and first > 3 and what_is(offices, tokens + first - 2) & IS_OF and (
            is_upper(lattice, path, first - 3)):
        return OFFICES_AS_LEARNED
    # The band Queen, the Security Council, the Prince of Wales, the Committee on Foreign Relations.
    if kind & WANTS_DETERMINER and (not before & IS_DETERMINER or is_of_name or (
            kind & IS_BODY and after & IS_JOIN
            and names_of(offices, tokens, n, lattice, path, end + 1))):
        return OFFICES_AS_LEARNED
    if offices.style == OFFICES_LOWER:
        return OFFICES_LOWER
    # The president of a company, the presidents, a president, the first president.
    if not before & IS_THE or kind & (ARE_SEVERAL | ONLY_LOWER) or (
            what_is(offices, tokens + first) & IS_ORDINAL) or (
            after & IS_OF and not is_of_name):
        return OFFICES_AS_LEARNED
    return OFFICES_CAPITAL


cdef int find_offices(const OfficesView* offices, const Token* tokens, int32_t n,
                      const Lattice* lattice, const int32_t* path, int32_t initial,
                      OfficeCases* out) noexcept nogil:
    cdef int32_t i = 0, k, first, end
    cdef uint32_t kind = 0
    cdef int style
    out.any = False
    if out.capacity < n:
        if grow(<void**>&out.style, <size_t>n, 1) != STATUS_OK:
            return STATUS_OUT_OF_MEMORY
        out.capacity = n
    memset(out.style, OFFICES_AS_LEARNED, <size_t>n)
    while i < n:
        end = office_end(offices, tokens, n, i, &kind)
        if end == i:
            i += 1
            continue
        # With its ranks: the first deputy prime minister.
        first = i
        while first > 0 and not kind & WANTS_DETERMINER and (
                what_is(offices, tokens + first - 1) & IS_RANK):
            first -= 1
        style = style_of_office(offices, tokens, n, lattice, path, first, end, kind)
        if style != OFFICES_AS_LEARNED:
            out.any = True
            for k in range(first, end):
                # A first word has its capital, and small words none.
                if k != initial and not what_is(offices, tokens + k) & IS_OF:
                    out.style[k] = <uint8_t>style
        i = end
    return STATUS_OK
