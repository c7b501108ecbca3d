"""House style for offices: the words of a sentence that are offices and stand alone."""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset

from truecase.base._memory cimport STATUS_OK, STATUS_OUT_OF_MEMORY, grow
from truecase.kernels._sentences cimport is_mark
from truecase.kernels._structs cimport TOKEN_KEEPS, TOKEN_LOWERS, TOKEN_SPACE_BEFORE
from truecase.kernels._unicode cimport TAG_AN
from truecase.rules._table cimport (
    OFFICE_ADDRESS, OFFICE_ARTICLE, OFFICE_BODY, OFFICE_DETERMINER, OFFICE_JOIN, OFFICE_NO_NAME,
    OFFICE_OF, OFFICE_ONLY_LOWER, OFFICE_ORDINAL, OFFICE_PHRASE, OFFICE_PLURAL, OFFICE_POSSESSIVE,
    OFFICE_RANK, OFFICE_WANTS_DETERMINER, OFFICE_WORD, add_word, rule_word
)


__all__ = []

cdef enum:
    MOST_WORDS = 3               # of an office


cdef inline uint32_t office_word(const RulesView* rules, const TaggedSentence* at,
                                 int32_t i) noexcept nogil:
    """Bits of word `i`; 0 if there is no such word."""
    return rule_word(rules, at.tokens[i].key).offices if 0 <= i < at.n else 0


cdef int32_t office_end(const RulesView* rules, const TaggedSentence* at, int32_t first,
                        uint32_t* kind) noexcept nogil:
    """End of the longest office that begins at a word, and its kind; else `first`."""
    cdef int32_t i, end = first
    cdef uint32_t found
    cdef uint64_t phrase = 0
    for i in range(first, min(first + MOST_WORDS, at.n)):
        if at.tokens[i].flags & (TOKEN_KEEPS | TOKEN_LOWERS) or (
                i > first and not at.tokens[i].flags & TOKEN_SPACE_BEFORE) or (
                not office_word(rules, at, i) & OFFICE_WORD):
            break
        phrase = add_word(phrase, at.tokens[i].key)
        found = rule_word(rules, phrase).offices
        if found & OFFICE_PHRASE:
            kind[0] = found
            end = i + 1
    return end


cdef inline bint is_upper(const TaggedSentence* at, int32_t i) noexcept nogil:
    cdef int tag = at.lattice.nodes[at.lattice.first_node[i] + at.path[i]].tag
    return tag != TAG_AL and tag != TAG_AN


cdef inline bint is_name(const RulesView* rules, const TaggedSentence* at,
                         int32_t i) noexcept nogil:
    """Whether word `i` has a capital and may belong to a name."""
    return i < at.n and is_upper(at, i) and not office_word(rules, at, i) & OFFICE_NO_NAME


cdef inline bint is_named(const RulesView* rules, const TaggedSentence* at,
                          int32_t i) noexcept nogil:
    """Whether a name stands at `i`, with or without an article before it."""
    return is_name(rules, at, i) or (
        office_word(rules, at, i) & OFFICE_ARTICLE and is_name(rules, at, i + 1))


cdef int style_of_office(const RulesView* rules, int style, const TaggedSentence* at,
                         int32_t first, int32_t end, uint32_t kind) noexcept nogil:
    """The style of an office, the words from `first` to `end`."""
    cdef uint32_t before = office_word(rules, at, first - 1)
    cdef uint32_t after = office_word(rules, at, end)
    cdef bint is_of_name = after & OFFICE_OF and is_named(rules, at, end + 1)
    # A period may stand behind a word of address.
    if first > 1 and is_mark(at.tokens + first - 1, 0x2e):
        before = office_word(rules, at, first - 2) & OFFICE_ADDRESS
    # President Obama, the State Department, Mr. President, the Queen's Birthday.
    if is_name(rules, at, end) or before & OFFICE_ADDRESS or (
            after & OFFICE_POSSESSIVE and is_name(rules, at, end + 1)):
        return OFFICES_AS_LEARNED
    # The Office of the President.
    if before & OFFICE_ARTICLE and first > 3 and (
            office_word(rules, at, first - 2) & OFFICE_OF) and is_upper(at, first - 3):
        return OFFICES_AS_LEARNED
    # The band Queen, the Security Council, the Prince of Wales, the Committee on Foreign Relations.
    if kind & OFFICE_WANTS_DETERMINER and (not before & OFFICE_DETERMINER or is_of_name or (
            kind & OFFICE_BODY and after & OFFICE_JOIN and is_named(rules, at, end + 1))):
        return OFFICES_AS_LEARNED
    if style == OFFICES_LOWER:
        return OFFICES_LOWER
    # The president of a company, the presidents, a president, the first president.
    if not before & OFFICE_ARTICLE or kind & (OFFICE_PLURAL | OFFICE_ONLY_LOWER) or (
            office_word(rules, at, first) & OFFICE_ORDINAL) or (
            after & OFFICE_OF and not is_of_name):
        return OFFICES_AS_LEARNED
    return OFFICES_CAPITAL


cdef int find_offices(const RulesView* rules, int style, const TaggedSentence* sentence,
                      int32_t initial, OfficeCases* out) noexcept nogil:
    cdef int32_t i = 0, k, first, end
    cdef uint32_t kind = 0
    cdef int made
    out.any = False
    if out.capacity < sentence.n:
        if grow(<void**>&out.style, <size_t>sentence.n, 1) != STATUS_OK:
            return STATUS_OUT_OF_MEMORY
        out.capacity = sentence.n
    memset(out.style, OFFICES_AS_LEARNED, <size_t>sentence.n)
    while i < sentence.n:
        end = office_end(rules, sentence, i, &kind)
        if end == i:
            i += 1
            continue
        # With its ranks: the first deputy prime minister.
        first = i
        while not kind & OFFICE_WANTS_DETERMINER and (
                office_word(rules, sentence, first - 1) & OFFICE_RANK):
            first -= 1
        made = style_of_office(rules, style, sentence, first, end, kind)
        if made != OFFICES_AS_LEARNED:
            out.any = True
            for k in range(first, end):
                # A first word has its capital, and small words none.
                if k != initial and not office_word(rules, sentence, k) & OFFICE_OF:
                    out.style[k] = <uint8_t>made
        i = end
    return STATUS_OK
