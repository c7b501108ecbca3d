"""Translation tables (Wang, Knight & Marcu 2006, equations 7 and 8): p(E | F), p(e | f), tags.

The first two are packed tables, whose payload is the code of a value, with three kinds of entries:
a pair has p(target | source), if it differs from the product of the others; a source has the share
of p(. | source) for targets without a pair; a target has its continuation probability. Without
entry the share is 1, and the continuation probability is uniform.
"""

from libc.math cimport logf
from libc.stdint cimport int32_t, uint64_t

from truecase.base._check cimport check
from truecase.kernels._maps cimport find_from, find_head, home_slot
from truecase.kernels._ngrams cimport extend_left
from truecase.kernels._source cimport MAX_PHRASE
from truecase.kernels._structs cimport (
    N_TAGS, PairSource, SourceForm, SourceLine, TablesView, TranslationTable
)


cdef enum:
    MIN_BY_HEADS = 4               # forms of a phrase from which on heads are compared first
    MAX_COMPARED = 64            # forms of a phrase that a token is compared with


cdef inline uint64_t pair_hash(uint64_t source, uint64_t target) noexcept nogil:
    return extend_left(target, source)


cdef inline uint64_t source_hash(uint64_t source) noexcept nogil:
    return extend_left(<uint64_t>0x7472756563617341, source)


cdef inline uint64_t target_hash(uint64_t target) noexcept nogil:
    return extend_left(<uint64_t>0x7472756563617342, target)


cdef inline float find_value(const TranslationTable* table, uint64_t place, uint64_t hash,
                             float otherwise) noexcept nogil:
    """The value of an entry; `place` is its home slot, or where `find_head` says."""
    # Invariant: code_mask covers the whole payload, and value has code_mask + 1 entries.
    cdef uint64_t code = find_from(&table.slots, place, hash, table.code_mask)
    check(code <= table.code_mask)
    return table.value[code & table.code_mask] if code else otherwise


cdef inline float value_of(const TranslationTable* table, uint64_t hash,
                           float otherwise) noexcept nogil:
    """The value of an entry, searched from its home slot."""
    return find_value(table, home_slot(&table.slots, hash), hash, otherwise)


cdef inline void look_up_phrase(const TablesView* tables, SourceLine* line) noexcept nogil:
    """Look up the forms of the selected phrase; call it before other look-ups."""
    cdef int32_t k, i
    cdef const SourceForm* source
    cdef PairSource* pair
    if line.is_looked_up:
        return
    line.is_looked_up = True
    line.n_pairs = 0
    for k in range(line.n_phrase):
        source = line.forms + line.phrase[k]
        # In a long line, a repeated form may have two numbers.
        for i in range(min(line.n_pairs, <int32_t>MAX_COMPARED)):
            if line.pairs[i].source.form == source.form:
                line.pair[k] = i
                break
        else:
            pair = line.pairs + line.n_pairs
            line.pair[k] = line.n_pairs
            line.n_pairs += 1
            pair.source = source[0]
            pair.backoff = value_of(&tables.cased, source_hash(source.form), 1.0)
            pair.lower_backoff = value_of(&tables.lower, source_hash(source.key), 1.0)


cdef inline void find_pairs(const TranslationTable* table, const SourceLine* line, uint64_t target,
                            bint lower, float* out) noexcept nogil:
    """p(target | source) of each form of the phrase, by its number.

    `target` and the table are of surface forms, or with `lower` of keys.
    """
    # A copy without other pointers, whose fields stay in registers.
    cdef TranslationTable at = table[0]
    cdef uint64_t hashes[MAX_PHRASE]
    cdef uint64_t places[MAX_PHRASE]
    cdef int32_t numbers[MAX_PHRASE]
    cdef const PairSource* pair
    # The few words that a word is aligned with are mostly in the table.
    cdef bint by_heads = line.n_pairs >= MIN_BY_HEADS
    cdef float share = at.unknown
    cdef int32_t k, n = 0
    cdef uint64_t hash = target_hash(target)
    check(line.is_looked_up and line.n_pairs <= MAX_PHRASE)
    places[0] = home_slot(&at.slots, hash)
    if not by_heads or find_head(&at.slots, hash, places):
        share = find_value(&at, places[0], hash, share)
    for k in range(line.n_pairs):
        pair = line.pairs + k
        out[k] = (pair.lower_backoff if lower else pair.backoff) * share
        hashes[n] = pair_hash(pair.source.key if lower else pair.source.form, target)
        numbers[n] = k
        places[n] = home_slot(&at.slots, hashes[n])
        n += not by_heads or find_head(&at.slots, hashes[n], places + n)
    for k in range(n):
        out[numbers[k]] = find_value(&at, places[k], hashes[k], out[numbers[k]])


cdef inline float translation_ln(const TablesView* tables, const SourceLine* line,
                                 uint64_t form) noexcept nogil:
    """log Σ_k p(E | F_k) over the selected phrase (equation 7); 0 for an empty one.

    The equation's 1/n is the same for all candidates of a word. `form` is the candidate's surface
    form, not its class token.
    """
    cdef float p[MAX_PHRASE]
    cdef float total = 0.0
    cdef int32_t k
    if line.n_phrase == 0:
        return 0.0
    find_pairs(&tables.cased, line, form, False, p)
    for k in range(line.n_phrase):
        total += p[line.pair[k]]
    return logf(total)


cdef inline int32_t tag_mass(const TablesView* tables, const SourceLine* line,
                             uint64_t key, float* mass) noexcept nogil:
    """Σ p(e | f_k) over the phrase's tokens of each tag, for the word with `key`.

    Equation 8 needs no more of a word. Gives the first token of the highest p(e | f_k), or -1.
    """
    cdef float p[MAX_PHRASE]
    cdef float best = 0.0
    cdef int32_t i, k, likeliest = -1
    for k in range(N_TAGS):
        mass[k] = 0.0
    if line.n_phrase == 0:
        return -1
    find_pairs(&tables.lower, line, key, True, p)
    for k in range(line.n_phrase):
        i = line.phrase[k]
        mass[line.tokens.tokens[i].tag] += p[line.pair[k]]
        if p[line.pair[k]] > best:
            best = p[line.pair[k]]
            likeliest = i
    return likeliest


cdef inline float tag_translation_ln(const TablesView* tables, const float* mass,
                                     int tag) noexcept nogil:
    """log Σ_k p(e | f_k) p(τ(E) | τ(F_k)) of a candidate with `tag` (equation 8), by `tag_mass`.

    It is 0 for an empty phrase.
    """
    cdef float whole = 0.0, total = 0.0
    cdef int t
    for t in range(N_TAGS):
        whole += mass[t]
        total += mass[t] * tables.tag[t][tag]
    if whole == 0.0:
        return 0.0
    # Only a damaged table has smaller products.
    return logf(total if total > 1e-37 else 1e-37)
