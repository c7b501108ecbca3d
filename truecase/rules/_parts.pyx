"""Forms that training never saw, made of the forms of their parts."""

from libc.math cimport exp2f, logf
from libc.string cimport memcpy

from truecase.base._memory cimport STATUS_OK
from truecase.kernels._lattice cimport class_node, record_node, reserve_nodes
from truecase.kernels._lexicon cimport FORM_TAG, MAX_FORMS, first_record
from truecase.kernels._structs cimport CLASS_ALPHABETIC, Node
from truecase.kernels._tokens cimport in_list, token_of
from truecase.kernels._unicode cimport is_digit, is_letter

from truecase.base.model_file import read_weights


cdef enum:
    MAX_PARTS = 8
    MAX_PART_FORMS = 6
    KIND_KNOWN = 0
    KIND_UNKNOWN = 1
    KIND_DIGITS = 2
    AT_START = 5                 # stands for the case before the first part
    N_BEAM = 4                   # forms that are kept while parts are put together

    PLURAL_OF_ACRONYM = 0
    PLURAL_OF_UNKNOWN = 1
    PLURAL_OF_OTHER = 2


cdef struct Part:                # of a word; masks count from the word's first byte
    uint64_t letters
    uint64_t first               # of them
    int kind                     # of N_PART_KINDS; -1: it has no letters
    uint64_t likely              # of a known part its most frequent form
    bint is_inner                # nearly always so, with capitals behind the first letter
    int n_forms
    uint64_t mask[MAX_PART_FORMS]
    float score[MAX_PART_FORMS]


cdef struct Assembly:            # of the first parts of a word
    uint64_t mask
    float score
    int before                   # the case of the last of them


cdef struct Parts:
    int n                        # 0: the word is not made of parts
    uint64_t letters
    uint64_t first
    uint64_t likely              # each part in its likely form
    bint has_unknown             # part
    bint keeps_name              # before a participle or behind a prefix: AWS-hosted, non-API
    Part part[MAX_PARTS]


cdef PartWeights _WEIGHTS

# Those of `PartWeights`, in the same order.
_FIELDS = (
    "share top unseen kind length letter pair whole likely likely_unknown plural plural_stem_count "
    "plural_stem_share plural_length plural_s plural_vowel"
)


cdef list flat(object values):
    """The numbers of nested lists."""
    if not isinstance(values, list):
        return [values]
    return [number for value in values for number in flat(value)]


cdef const PartWeights* learned_weights() except NULL:
    cdef float* weight = <float*>&_WEIGHTS
    cdef size_t i, n = sizeof(PartWeights) // sizeof(float)
    learned = read_weights("composed")
    numbers = flat([learned[name] for name in _FIELDS.split()])
    if len(numbers) != n:
        raise ValueError(f"{len(numbers)} weights where {n} are read")
    for i in range(n):
        weight[i] = numbers[i]
    return &_WEIGHTS


cdef inline void add_part_form(Part* part, uint64_t mask, float score) noexcept nogil:
    part.mask[part.n_forms] = mask
    part.score[part.n_forms] = score
    part.n_forms += 1


cdef inline bint has_part_form(const Part* part, uint64_t mask) noexcept nogil:
    cdef int f
    for f in range(part.n_forms):
        if part.mask[f] == mask:
            return True
    return False


cdef inline uint64_t tag_mask(int tag, uint64_t mixed, uint64_t letters,
                              uint64_t first) noexcept nogil:
    """The upper-case letters of a tag; MX: those given."""
    if tag == TAG_IU:
        return first
    if tag == TAG_AU:
        return letters
    return mixed if tag == TAG_MX else 0


cdef inline bint has_vowel(const uint8_t* text, const Token* token) noexcept nogil:
    cdef uint32_t p
    for p in range(token.start, token.end):
        if is_vowel(text[p]):
            return True
    return False


cdef inline const float* weights_of_part(const PartWeights* weights, const uint8_t* text,
                                         const Token* token, int kind,
                                         bint is_later) noexcept nogil:
    """Weights of a part's cases by its length, or NULL."""
    cdef uint32_t n = token.end - token.start
    if kind == KIND_KNOWN:
        return &weights.letter[n == 1][is_later][0]
    if kind == KIND_UNKNOWN:
        return &weights.length[0 if n < 4 else 1 if n < 6 else 2][has_vowel(text, token)][0]
    return NULL


cdef inline float count_of(const Node* node) noexcept nogil:
    return exp2f(node.count / <float>8.0) - 1


cdef inline int share_code(float share) noexcept nogil:
    return 0 if share > 0.97 else 1 if share > 0.9 else 2 if share > 0.7 else 3


cdef void find_part_forms(const PartWeights* weights, const LexiconView* lexicon,
                          const uint8_t* text, const Token* token, uint32_t at,
                          bint is_later, Part* part) noexcept nogil:
    """Find the forms of a part and the bonus of each; `at` is its place."""
    cdef uint32_t index
    cdef float count[MAX_PART_FORMS]
    cdef float total = 0.0
    cdef uint64_t mask
    cdef int _k, f, n_seen, tag, case, share
    cdef const float* by_length
    cdef Node node
    part.n_forms = 0
    part.likely = 0
    part.is_inner = False
    if part.letters == 0:
        part.kind = -1
        add_part_form(part, 0, 0.0)
        return
    index = first_record(lexicon, token.key)
    # McInturff, O'Hanrahan
    part.first |= part.first << second_capital(text, token, index)
    part.kind = KIND_KNOWN if index else (
        KIND_UNKNOWN if token.word_class == CLASS_ALPHABETIC else KIND_DIGITS)
    for _k in range(MAX_FORMS):
        if index == 0 or part.n_forms >= MAX_PART_FORMS - 3:
            break
        index = record_node(&node, lexicon, token, index)
        mask = tag_mask(node.tag, node.upper_mask << at & part.letters, part.letters, part.first)
        if not has_part_form(part, mask):
            count[part.n_forms] = count_of(&node)
            total += count[part.n_forms]
            add_part_form(part, mask, 0.0)
    n_seen = part.n_forms
    for tag in range(TAG_AL, TAG_AU + 1):
        mask = tag_mask(tag, 0, part.letters, part.first)
        if not has_part_form(part, mask):
            count[part.n_forms] = 0.0
            add_part_form(part, mask, 0.0)
    if part.kind == KIND_KNOWN:
        part.likely = part.mask[0]
    elif part.kind == KIND_UNKNOWN:
        part.likely = part.first
    by_length = weights_of_part(weights, text, token, part.kind, is_later)
    for f in range(part.n_forms):
        case = case_in_part(part.mask[f], part.letters, part.first)
        part.score[f] = weights.kind[is_later][part.kind][case]
        if by_length != NULL:
            part.score[f] += by_length[case]
        if part.kind == KIND_KNOWN:
            part.score[f] += weights.share * logf((count[f] + <float>0.5) / (total + <float>1.5))
            if f >= n_seen:
                part.score[f] += weights.unseen[case]
            if f == 0:
                share = share_code(count[0] / max(total, <float>1.0))
                part.score[f] += weights.top[share][case]
                part.is_inner = share < 2 and case >= TAG_AU


cdef void find_parts(const PartRules* rules, const LexiconView* lexicon,
                     const uint8_t* text, const Token* token, Parts* parts) noexcept nogil:
    """Split a word at its hyphens; no parts if it has other marks."""
    cdef uint32_t n, p, start = token.start
    cdef int beside              # the part beside a name: 0 or 1
    cdef uint8_t byte
    cdef Part* part
    cdef Token piece
    parts.n = parts.letters = parts.likely = 0
    parts.has_unknown = False
    for p in range(token.start, token.end):
        byte = text[p]
        if is_letter(byte):
            parts.letters |= <uint64_t>1 << (p - token.start)
        elif not is_digit(byte) and byte not in b"-.'&":
            return
    parts.first = parts.letters & (~parts.letters + 1)
    p = token.start
    while p <= token.end:
        if p == token.end or text[p] == 0x2d:
            if p == start or parts.n == MAX_PARTS:
                parts.n = 0
                return
            part = &parts.part[parts.n]
            part.letters = parts.letters >> (start - token.start) << (start - token.start) & (
                (<uint64_t>1 << (p - token.start)) - 1)
            part.first = part.letters & (~part.letters + 1)
            piece = token_of(text, start, p, 0, False)
            find_part_forms(rules.weights, lexicon, text, &piece, start - token.start,
                            parts.n > 0, part)
            parts.likely |= part.likely
            parts.has_unknown |= part.kind > KIND_KNOWN
            parts.n += 1
            start = p + 1
        p += 1
    if parts.n < 2:
        parts.n = 0
        return
    start = piece.start
    n = token.end - start
    beside = 0 if in_list(rules.before_hyphen, text + token.start, start - 1 - token.start) else 1
    parts.keeps_name = parts.n == 2 and parts.part[1 - beside].is_inner and (
        beside == 0 or in_list(rules.behind_hyphen, text + start, n)
        or n > 3 and in_list(rules.behind_hyphen, text + token.end - 2, 2))
    if parts.keeps_name:
        parts.likely &= ~parts.part[beside].letters


cdef inline float weight_of_pair(const PartWeights* weights, const Parts* parts, int k,
                                 int before, int case) noexcept nogil:
    """Bonus of a case of part k after the case of the part before it."""
    return weights.pair[before][case][
        2 * (k > 0 and parts.part[k - 1].kind > KIND_KNOWN) + (parts.part[k].kind > KIND_KNOWN)]


cdef float score_of_parts(const PartWeights* weights, const Parts* parts, const Token* token,
                          uint64_t mask) noexcept nogil:
    """Bonus of a word's form for its parts."""
    cdef float score = weights.whole[token.word_class][
        case_in_part(mask, parts.letters, parts.first)]
    cdef int k, f, case, before = AT_START
    cdef const Part* part
    cdef uint64_t of_part
    for k in range(parts.n):
        part = &parts.part[k]
        of_part = mask & part.letters
        case = case_in_part(of_part, part.letters, part.first)
        score += weight_of_pair(weights, parts, k, before, case)
        before = case
        for f in range(part.n_forms):
            if part.mask[f] == of_part:
                score += part.score[f]
                break
    if mask == parts.likely:
        score += weights.likely[token.word_class] + weights.likely_unknown[
            2 if parts.keeps_name else parts.has_unknown]
    return score


cdef int likely_forms(const PartWeights* weights, const Parts* parts,
                      uint64_t* masks) noexcept nogil:
    """Find the best few ways to put parts together; returns how many."""
    cdef Assembly best[N_BEAM]
    cdef Assembly longer[N_BEAM]
    cdef int n = 1, n_longer, k, h, f, i, case
    cdef float value
    cdef const Part* part
    best[0] = Assembly(0, 0.0, AT_START)
    for k in range(parts.n):
        part = &parts.part[k]
        n_longer = 0
        for h in range(n):
            for f in range(part.n_forms):
                case = case_in_part(part.mask[f], part.letters, part.first)
                value = best[h].score + part.score[f] + weight_of_pair(
                    weights, parts, k, best[h].before, case)
                if n_longer == N_BEAM and value <= longer[N_BEAM - 1].score:
                    continue
                i = n_longer if n_longer < N_BEAM else N_BEAM - 1
                n_longer = i + 1
                while i > 0 and longer[i - 1].score < value:
                    longer[i] = longer[i - 1]
                    i -= 1
                longer[i] = Assembly(best[h].mask | part.mask[f], value, case)
        n = n_longer
        memcpy(best, longer, n * sizeof(Assembly))
    for h in range(n):
        masks[h] = best[h].mask
    return n


cdef int add_masks(Lattice* lattice, const PartWeights* weights, const LexiconView* lexicon,
                   const Token* token, const Parts* parts) noexcept nogil:
    """Add a node for each form that an unknown word of parts may have; a Status."""
    cdef uint64_t masks[N_BEAM + 5]
    cdef int n, i, k, tag
    cdef Node* node
    cdef int status = reserve_nodes(lattice, N_BEAM + 5)
    if status != STATUS_OK:
        return status
    n = likely_forms(weights, parts, masks)
    # Lower case, first letter upper, all upper, each part's first letter upper, each
    # part by itself.
    masks[n] = 0
    masks[n + 1] = parts.first
    masks[n + 2] = parts.letters
    masks[n + 3] = 0
    masks[n + 4] = parts.likely
    for k in range(parts.n):
        masks[n + 3] |= parts.part[k].first
    for i in range(n + 5):
        for k in range(i):
            if masks[k] == masks[i]:
                break
        else:
            node = lattice.nodes + lattice.n_nodes
            tag = case_in_part(masks[i], parts.letters, parts.first)
            class_node(node, lexicon, token.word_class, tag,
                       masks[i] if tag == TAG_MX else 0, False)
            node.form_bonus = score_of_parts(weights, parts, token, masks[i])
            node.score += node.form_bonus
            lattice.n_nodes += 1
    return STATUS_OK


cdef float plural_bonus(const PartWeights* weights, const LexiconView* lexicon,
                        const uint8_t* text, const Token* token) noexcept nogil:
    """Bonus of an acronym's plural, from the word without its s."""
    cdef Token stem = token_of(text, token.start, token.end - 1, 0, False)
    cdef uint32_t record, n = token.end - token.start
    cdef float upper = 0.0, total = 0.0, score
    cdef int _k, kind = PLURAL_OF_OTHER
    cdef Node node
    score = weights.plural_length[(n if n < 7 else 7) - 3]
    score += weights.plural_s[text[token.end - 2] | 0x20 == 0x73]
    score += weights.plural_vowel[has_vowel(text, &stem)]
    record = first_record(lexicon, stem.key)
    if record == 0:
        return score + weights.plural[PLURAL_OF_UNKNOWN]
    if lexicon.records[record - 1] & FORM_TAG == TAG_AU:
        kind = PLURAL_OF_ACRONYM
    for _k in range(MAX_FORMS):
        if record == 0:
            break
        record = record_node(&node, lexicon, &stem, record)
        total += count_of(&node)
        if node.tag == TAG_AU:
            upper += count_of(&node)
    score += weights.plural_stem_share * logf((upper + <float>0.5) / (total + <float>1.0))
    score += weights.plural_stem_count * logf(upper + <float>1.0)
    return score + weights.plural[kind]


cdef int make_of_parts(Lattice* lattice, const PartRules* rules, const LexiconView* lexicon,
                       const uint8_t* text, const Token* token, int32_t first_node) noexcept nogil:
    cdef Parts parts
    find_parts(rules, lexicon, text, token, &parts)
    if parts.n == 0:
        return STATUS_OK
    lattice.n_nodes = first_node
    return add_masks(lattice, rules.weights, lexicon, token, &parts)
