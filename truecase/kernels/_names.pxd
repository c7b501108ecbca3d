"""Names of a list: found in a text, and their part in candidates, scores and the best path.

A name is a sequence of units: runs of letters, marks and digits, and single other signs. White
space only separates units, so that a name is found in any segmentation (O'Neill, ``O' Neill``,
``AT & T``); but it makes another unit after a period, or `.NET` would be in ``the end. net
income``. The names are a trie over units, whose states are hashes of the sequences in one table.
"""

from libc.math cimport M_LN2
from libc.stdint cimport int32_t, uint32_t, uint64_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memset

from truecase.base._component cimport Component
from truecase.base._memory cimport STATUS_OK, STATUS_OUT_OF_MEMORY, reserve
from truecase.kernels._lattice cimport (
    MAX_CANDIDATES, add_form, compose_parts, is_raised_in, place_of_form
)
from truecase.kernels._maps cimport NOT_FOUND, find_key
from truecase.kernels._structs cimport (
    CLASS_HYPHENATED, NODE_CLASS, NODE_FORCED, NODE_NAME, TOKEN_KEEPS, TOKEN_LETTERS, TOKEN_LOWERS,
    TOKEN_MARKUP, TOKEN_SPACE_BEFORE, TOKEN_VARIANT, TOKEN_WEIGHED, KeyIndex, Lattice, LexiconView,
    NamedToken, NamedTokens, NamesView, Node, Token, TokenArray
)
from truecase.kernels._tokens cimport canonical_code_point, is_hyphen, token_of
from truecase.kernels._unicode cimport (
    CHAR_WORD, HASH_LENGTH, HASH_SEED, MAX_CODE_POINT, TAG_AL, TAG_AN, TAG_AU, TAG_IU, TAG_MX,
    CaseShape, add_to_shape, ascii_bits, class_of, clear_shape, has_case, scramble, shape_tag,
    to_fold, to_lower, to_upper
)


cdef enum NameKind:
    NAME_NONE = 0
    NAME_LIKELY = 1              # also common words: one more candidate, with a bonus
    NAME_SURE = 2                # the only candidate
    NAME_FORCED = 3              # the only candidate, and no rule gives it a capital
    NAME_STRESSED = 4            # likewise, but only of words that came in capitals among others

cdef enum NameState:             # bits of the table's value of a sequence of units
    NAME_GOES_ON = 1             # it begins a longer name
    NAME_PLURAL = 2              # it is a name with an s
    NAME_SHIFT = 2               # above these bits: 1 + the name's number; 0: it is no name


cdef struct Unit:
    uint64_t key
    uint32_t start               # half-open byte span
    uint32_t end
    int32_t token
    bint is_mark                 # a single sign, neither letter nor digit
    bint is_glued                # right after a period


cdef struct NameSearch:          # the arguments of a search that stay the same
    const NamesView* names
    const LexiconView* lexicon
    const uint8_t* text
    TokenArray* tokens
    NamedTokens* named


cdef inline void free_named(NamedTokens* named) noexcept nogil:
    free(named.tokens)
    memset(named, 0, sizeof(NamedTokens))


cdef inline bint is_mark(uint8_t byte) noexcept nogil:
    return byte < 0x80 and not ascii_bits[byte] & CHAR_WORD


cdef inline uint32_t plain_mark(uint32_t cp) noexcept nogil:
    """The ASCII spelling of an apostrophe or a hyphen."""
    if cp == 0x2019:
        return 0x27
    return 0x2d if is_hyphen(cp) else cp


cdef inline uint64_t mark_key(uint32_t cp) noexcept nogil:
    return scramble(HASH_SEED + cp)


cdef inline bint next_unit(const uint8_t* text, const TokenArray* tokens, bint turkic,
                           Unit* unit) noexcept nogil:
    """Advance to the next unit of a piece, from token -1 to the first; False at the end."""
    cdef const Token* token
    cdef uint32_t p, cp, length
    unit.is_glued = unit.token >= 0 and unit.is_mark and text[unit.end - 1] == 0x2e
    if unit.token < 0 or unit.end >= tokens.tokens[unit.token].end:
        unit.token += 1
        if unit.token >= tokens.n:
            return False
        token = tokens.tokens + unit.token
        unit.start = token.start
        if token.flags & TOKEN_SPACE_BEFORE:
            unit.is_glued = False
        if token.flags & TOKEN_LETTERS:
            unit.end = token.end
            unit.key = token.key
            unit.is_mark = False
            return True
    else:
        token = tokens.tokens + unit.token
        unit.start = unit.end
    p = unit.start
    unit.is_mark = False
    while p < token.end:
        cp = canonical_code_point(text, p, token.end, token.flags, &length)
        if cp <= MAX_CODE_POINT and not class_of(cp) & CHAR_WORD:
            if p == unit.start:
                unit.is_mark = True
                unit.key = mark_key(plain_mark(cp))
                p += length
            break
        p += length
    unit.end = p
    if not unit.is_mark:
        unit.key = token_of(text, unit.start, unit.end, 0, turkic).key
    return True


cdef inline uint64_t first_state(const Unit* unit) noexcept nogil:
    return scramble(unit.key)


cdef inline uint64_t next_state(uint64_t state, const Unit* unit) noexcept nogil:
    return scramble(state * HASH_LENGTH + unit.key + <uint64_t>unit.is_glued)


cdef inline bint is_joined(const uint8_t* text, uint32_t p) noexcept nogil:
    """Whether a sign inside a word joins separate words."""
    return text[p] not in (0x2e, 0x5f, 0x40, 0x3a, 0x5c, 0x23)     # . _ @ : \ #


cdef inline bint stands_alone(const uint8_t* text, const TokenArray* tokens, const Unit* first,
                              const Unit* last) noexcept nogil:
    """Whether a name is no part of an identifier or an address: foo_apple, apple.com."""
    cdef const Token* token = tokens.tokens + first.token
    if first.start > token.start and not is_joined(text, first.start - 1):
        return False
    token = tokens.tokens + last.token
    # A period at the end of a token is that of a sentence or an abbreviation.
    return last.end >= token.end or last.end + 1 == token.end or is_joined(text, last.end)


cdef inline uint32_t next_of_name(const uint8_t* name, uint32_t* at, uint32_t end) noexcept nogil:
    """The name's next code point that is no white space; 0 at its end."""
    cdef uint32_t cp, length
    while at[0] < end:
        cp = canonical_code_point(name, at[0], end, TOKEN_VARIANT, &length)
        at[0] += length
        if not (cp == 0x20 or cp == 0xa0):
            return cp
    return 0


cdef inline uint64_t mask_around(const NameSearch* search, const Token* token,
                                 const NamedToken* other, int* tag) noexcept nogil:
    """Upper-case letters and tag of a word that has a name as a part, but for that part."""
    if other.kind != NAME_NONE:
        # Another name ended in this word.
        tag[0] = other.tag
        return other.upper_mask
    if token.word_class != CLASS_HYPHENATED:
        return 0
    if token.flags & TOKEN_WEIGHED:
        tag[0] = token.tag
        return token.upper_mask
    return compose_parts(search.lexicon, search.text, token, tag)


cdef inline bint place_name(const NameSearch* search, uint32_t name, bint plural,
                            const Unit* first, const Unit* last) noexcept nogil:
    """Give the tokens of a mention the name's case; False if its letters are not the name's.

    If the name is only part of a word, the other parts have the case that they came in, if that
    says something, or else their own likely case. An address or code that is a whole name
    (`Node.js`) is a mention.
    """
    cdef const NamesView* names = search.names
    cdef const uint8_t* text = search.text
    cdef bint turkic = search.lexicon.turkic
    cdef uint32_t at = names.starts[name], end = names.starts[name + 1]
    cdef uint32_t p, cp, cased, length, i
    cdef uint32_t name_end = last.end - 1 if plural else last.end
    cdef int32_t t
    cdef Token* token
    cdef NamedToken* out
    cdef CaseShape shape
    cdef uint64_t mask
    cdef int tag
    cdef bint is_first
    token = search.tokens.tokens + first.token
    if names.kinds[name] == NAME_STRESSED and not (
            token.tag == TAG_AU and token.flags & TOKEN_WEIGHED):
        return False
    for t in range(first.token, last.token + 1):
        token = search.tokens.tokens + t
        out = search.named.tokens + t
        tag = TAG_AL
        mask = 0
        if out.kind != NAME_NONE or token.start < first.start or token.end > last.end:
            mask = mask_around(search, token, out, &tag)
        clear_shape(&shape)
        i = 0
        is_first = True
        p = token.start
        while p < token.end:
            cp = canonical_code_point(text, p, token.end, token.flags, &length)
            if first.start <= p < name_end:
                cased = next_of_name(names.text, &at, end)
                if plain_mark(to_fold(cased, turkic)) != plain_mark(to_fold(cp, turkic)):
                    return False
            elif is_raised_in(tag, mask, i, is_first):
                cased = to_upper(cp, turkic)
            else:
                cased = to_lower(cp, turkic)
            if has_case(cp, turkic):
                is_first = False
            add_to_shape(&shape, cased, turkic)
            p += length
            i += 1
        out.tag = shape_tag(&shape)
        out.upper_mask = shape.upper_mask
        out.first = first.token
        out.last = last.token + 1
        out.kind = NAME_NONE if out.tag == TAG_AN else names.kinds[name]
        # Training never saw the plural.
        if plural and first.token == last.token and out.tag == TAG_MX and out.kind == NAME_LIKELY:
            out.kind = NAME_SURE
        token.flags &= ~<int>(TOKEN_KEEPS | TOKEN_LOWERS)
    return next_of_name(names.text, &at, end) == 0


cdef inline bint passes(const NamesView* names, uint64_t hash) noexcept nogil:
    hash &= names.filter_mask
    return (names.filter[hash >> 6] >> (hash & 63)) & 1


cdef inline bint may_be_named(const TokenArray* tokens, const Unit* first,
                              const Unit* last) noexcept nogil:
    """Whether no word of a mention is part of an address, code or markup."""
    cdef const Token* token
    cdef int32_t t
    for t in range(first.token, last.token + 1):
        token = tokens.tokens + t
        if token.flags & (TOKEN_KEEPS | TOKEN_LOWERS) and (
                token.flags & TOKEN_MARKUP or token.start < first.start or token.end > last.end):
            return False
    return True


cdef inline uint32_t longest_name(const NameSearch* search, const Unit* first,
                                  Unit* last) noexcept nogil:
    """Table's value of the longest name from a unit, 0 without one; and the name's last unit."""
    cdef Unit ahead = first[0]
    cdef uint64_t state = first_state(first)
    cdef uint32_t value, found = 0
    while True:
        value = find_key(search.names.states, state)
        if value == NOT_FOUND:
            break
        if value >> NAME_SHIFT:
            found = value
            last[0] = ahead
        if not value & NAME_GOES_ON or not next_unit(
                search.text, search.tokens, search.lexicon.turkic, &ahead):
            break
        state = next_state(state, &ahead)
    return found


cdef inline bint find_name(const NameSearch* search, Unit* unit) noexcept nogil:
    """Place the longest name from a unit, and advance to its last unit; False without one."""
    cdef const NamesView* names = search.names
    cdef int32_t t
    cdef Unit ahead, last
    cdef uint64_t state = first_state(unit)
    cdef uint32_t found
    if not passes(names, state):
        ahead = unit[0]
        if not next_unit(search.text, search.tokens, search.lexicon.turkic, &ahead) or not passes(
                names, next_state(state, &ahead)):
            return False
    memset(&last, 0, sizeof(Unit))
    found = longest_name(search, unit, &last)
    if found == 0 or not stands_alone(search.text, search.tokens, unit, &last) or not may_be_named(
            search.tokens, unit, &last):
        return False
    if not place_name(search, (found >> NAME_SHIFT) - 1, (found & NAME_PLURAL) != 0, unit, &last):
        for t in range(unit.token, last.token + 1):
            search.named.tokens[t].kind = NAME_NONE
        return False
    search.named.any = True
    unit[0] = last
    return True


cdef inline bint begins_no_name(const NamesView* names, const TokenArray* tokens,
                                int32_t t) noexcept nogil:
    """Whether the filter excludes names from a word of letters only, which is one unit."""
    cdef uint64_t state
    if not passes(names, tokens.tokens[t].key):
        return True
    state = scramble(tokens.tokens[t].key)
    if passes(names, state):
        return False
    if t + 1 == tokens.n:
        return True
    return tokens.tokens[t + 1].flags & TOKEN_LETTERS and not passes(
        names, scramble(state * HASH_LENGTH + tokens.tokens[t + 1].key))


cdef inline int find_names(const NamesView* names, const LexiconView* lexicon,
                           const uint8_t* text, TokenArray* tokens,
                           NamedTokens* named) noexcept nogil:
    """Find the names in a piece, from left to right the longest; a Status."""
    cdef NameSearch search
    cdef const Token* token
    cdef Unit unit
    cdef int32_t t = 0
    if reserve(<void**>&named.tokens, &named.capacity, tokens.n, sizeof(NamedToken)) != STATUS_OK:
        return STATUS_OUT_OF_MEMORY
    for t in range(tokens.n):
        named.tokens[t].kind = NAME_NONE
    named.any = False
    search.names = names
    search.lexicon = lexicon
    search.text = text
    search.tokens = tokens
    search.named = named
    unit.is_mark = False
    t = 0
    while t < tokens.n:
        token = tokens.tokens + t
        if token.flags & TOKEN_LETTERS and begins_no_name(names, tokens, t) or (
                token.end == token.start + 1 and is_mark(text[token.start])
                and not passes(names, mark_key(text[token.start]))):
            t += 1
            continue
        unit.token = t - 1
        unit.end = tokens.tokens[t - 1].end if t > 0 else token.start
        while next_unit(text, tokens, lexicon.turkic, &unit):
            if unit.token > t:
                break
            if passes(names, unit.key) and find_name(&search, &unit):
                t = unit.token
            if unit.end >= tokens.tokens[t].end:
                break
        t += 1
    return STATUS_OK


# Names among the candidates of a word, in their scores and in the best path.

cdef inline int add_name(Lattice* lattice, const LexiconView* lexicon, const Token* token,
                         const NamedToken* name, uint32_t index) noexcept nogil:
    """Add a name's node, the only one of a word that is only a name; a Status."""
    cdef int status = add_form(lattice, lexicon, token, name.tag, name.upper_mask, index)
    if status == STATUS_OK:
        lattice.nodes[lattice.n_nodes - 1].flags |= NODE_NAME
        if name.kind >= NAME_FORCED:
            lattice.nodes[lattice.n_nodes - 1].flags |= NODE_FORCED
    return status


cdef inline int add_likely_name(Lattice* lattice, const LexiconView* lexicon, const Token* token,
                                const NamedToken* name, uint32_t index,
                                int32_t first) noexcept nogil:
    """Flag the name among a word's nodes, from `first` on, or add it; `index` as for `add_form`.

    Gives a Status.
    """
    cdef int32_t n = lattice.n_nodes - first
    cdef int32_t c = place_of_form(lattice.nodes + first, n, name.tag, name.upper_mask)
    if c < n:
        lattice.nodes[first + c].flags |= NODE_NAME
        return STATUS_OK
    if n >= MAX_CANDIDATES - 1:
        return STATUS_OK
    return add_name(lattice, lexicon, token, name, index)


cdef inline float name_bonus(const NamesView* names, const NamedToken* name,
                             const Node* node) noexcept nogil:
    """Bonus of a name's node, in nats."""
    if node.tag == TAG_AL:
        return names.lower_bonus
    return names.bonus[name.last > name.first + 1][node.flags & NODE_CLASS != 0]


cdef inline void keep_more_frequent(const NamesView* names, const NamedToken* name,
                                    Lattice* lattice, int32_t first) noexcept nogil:
    """Keep only a word's first node, or its name if that is more frequent with its bonus."""
    cdef int32_t c
    cdef Node* node = lattice.nodes + first
    for c in range(first + 1, lattice.n_nodes):
        # Codes of counts are eighths of the binary logarithm.
        if lattice.nodes[c].flags & NODE_NAME and (
                lattice.nodes[c].count * (M_LN2 / 8) + name_bonus(names, name, lattice.nodes + c)
                > node.count * (M_LN2 / 8)):
            node[0] = lattice.nodes[c]
            break
    lattice.n_nodes = first + 1


cdef inline void favour_names(const NamesView* names, const NamedToken* named,
                              Lattice* lattice) noexcept nogil:
    """Add the bonus to nodes of names that are also common words; `named`: the first token's."""
    cdef int32_t word, c
    for word in range(lattice.n_words - 1):
        if named[word].kind != NAME_LIKELY:
            continue
        for c in range(lattice.first_node[word], lattice.first_node[word + 1]):
            if lattice.nodes[c].flags & NODE_NAME:
                lattice.nodes[c].score += name_bonus(names, named + word, lattice.nodes + c)


cdef inline int32_t node_of_name(const Lattice* lattice, int32_t word) noexcept nogil:
    """Place of the name among a word's nodes, or -1."""
    cdef int32_t c
    for c in range(lattice.first_node[word], lattice.first_node[word + 1]):
        if lattice.nodes[c].flags & NODE_NAME:
            return c - lattice.first_node[word]
    return -1


cdef inline void agree_on_names(const NamedToken* named, int32_t first, const Lattice* lattice,
                                int32_t* path) noexcept nogil:
    """Put a name of several words whole into the path, if that has most of its capitals.

    `named` is the sentence's first token, `first` its number in the piece.
    """
    cdef int32_t word = 0, end, n_capitals, n_taken, w, c
    while word < lattice.n_words - 1:
        if named[word].kind != NAME_LIKELY or named[word].last == named[word].first + 1:
            word += 1
            continue
        end = min(named[word].last - first, lattice.n_words - 1)
        n_capitals = n_taken = 0
        for w in range(word, end):
            c = node_of_name(lattice, w)
            if c >= 0 and named[w].tag != TAG_AL:
                n_capitals += 1
                n_taken += path[w] == c
        if 2 * n_taken > n_capitals:
            for w in range(word, end):
                c = node_of_name(lattice, w)
                if c >= 0:
                    path[w] = c
        word = max(end, word + 1)


cdef enum:
    LONGEST_NAME = 1000          # bytes


cdef class NameList(Component):
    cdef const unsigned char[::1] text
    cdef const unsigned int[::1] starts
    cdef const unsigned char[::1] forced
    cdef float[2][2] bonus
    cdef float lower_bonus
    cdef int _check_places(self) except -1


cdef class NameTable:
    cdef NamesView view
    cdef KeyIndex states
    cdef object kept             # owners of the view's memory
