"""Translation tables as the kernels see them: p(E | F), p(e | f), and of tags p(τ | τ).

Wang, Knight & Marcu (2006), equations 7 and 8. Each of the first two tables is one packed
table of three kinds of entries, told apart by their hashes, whose payload is the code of a value:

========== ============== =====================================================
entry      of             value
========== ============== =====================================================
pair       source, target p(target | source), where it says more than the others
source     source         share of p(. | source) that goes to all other targets
target     target         continuation probability, how it is shared out
========== ============== =====================================================

So p(target | source) is the pair's value, else the source's times the target's. A source
without entry gives all to the others; a target without entry has the uniform share.
"""

from libc.math cimport logf
from libc.stdint cimport int32_t, uint32_t, uint64_t

from truecase.modelfile._component cimport Component
from truecase.ngram._table cimport extend_left
from truecase.packed._slots cimport PackedSlots, find_slot, prefetch_slot
from truecase.runtime._check cimport check
from truecase.source._line cimport SourceForm, SourceLine


cdef enum:
    N_TAGS = 5                   # Tag


cdef struct TranslationTable:
    PackedSlots slots            # payload: a code, 0 in an empty slot
    uint32_t code_mask
    const float* value           # code_mask + 1 probabilities, none 0; entry 0 is never used
    float unknown                # continuation probability of a target that has no entry


cdef struct TablesView:
    TranslationTable cased       # of surface forms
    TranslationTable lower       # of lowercase keys
    float tag[N_TAGS][N_TAGS]    # p(target tag | source tag), the source's first
    bint present


cdef inline uint64_t pair_hash(uint64_t source, uint64_t target) noexcept nogil:
    return extend_left(target, source)


cdef inline uint64_t source_hash(uint64_t source) noexcept nogil:
    return extend_left(<uint64_t>0x7472756563617341, source)


cdef inline uint64_t target_hash(uint64_t target) noexcept nogil:
    return extend_left(<uint64_t>0x7472756563617342, target)


cdef inline float find_value(const TranslationTable* table, uint64_t hash,
                             float otherwise) noexcept nogil:
    # Invariant: code_mask covers the whole payload, and value has code_mask + 1 entries.
    cdef uint64_t code = find_slot(&table.slots, hash, table.code_mask)
    check(code <= table.code_mask)
    return table.value[code & table.code_mask] if code else otherwise


cdef inline void look_up_source(const TablesView* tables, SourceLine* line) noexcept nogil:
    """Find the backoffs of all tokens of a source line; once, before its other look-ups."""
    cdef int32_t i, n = line.tokens.n
    cdef SourceForm* form = line.forms
    for i in range(n):
        prefetch_slot(&tables.cased.slots, source_hash(form[i].form))
        prefetch_slot(&tables.lower.slots, source_hash(line.tokens.tokens[i].key))
    for i in range(n):
        form[i].backoff = find_value(&tables.cased, source_hash(form[i].form), 1.0)
        form[i].lower_backoff = find_value(
            &tables.lower, source_hash(line.tokens.tokens[i].key), 1.0)


cdef inline void prefetch_translation(const TablesView* tables, const SourceLine* line,
                                      uint64_t form) noexcept nogil:
    """Ask for the memory that `translation_ln` will read."""
    cdef int32_t k
    prefetch_slot(&tables.cased.slots, target_hash(form))
    for k in range(line.n_phrase):
        prefetch_slot(&tables.cased.slots, pair_hash(line.forms[line.phrase[k]].form, form))


cdef inline float translation_ln(const TablesView* tables, const SourceLine* line,
                                 uint64_t form) noexcept nogil:
    """log Σ_k p(E | F_k) over the phrase that `line` has selected; 0 for an empty one.

    Wang, Knight & Marcu (2006), equation 7, which has no 1/n: it is the same for all
    candidates of a word. `form` is the candidate's surface form, not that of a class token.
    """
    cdef const SourceForm* source
    cdef float share, total = 0.0
    cdef int32_t k
    if line.n_phrase == 0:
        return 0.0
    share = find_value(&tables.cased, target_hash(form), tables.cased.unknown)
    for k in range(line.n_phrase):
        source = line.forms + line.phrase[k]
        total += find_value(&tables.cased, pair_hash(source.form, form), source.backoff * share)
    return logf(total)


cdef inline void prefetch_tag_mass(const TablesView* tables, const SourceLine* line,
                                   uint64_t key) noexcept nogil:
    """Ask for the memory that `tag_mass` will read."""
    cdef int32_t k
    prefetch_slot(&tables.lower.slots, target_hash(key))
    for k in range(line.n_phrase):
        prefetch_slot(&tables.lower.slots,
                      pair_hash(line.tokens.tokens[line.phrase[k]].key, key))


cdef inline int32_t tag_mass(const TablesView* tables, const SourceLine* line,
                             uint64_t key, float* mass) noexcept nogil:
    """Σ p(e | f_k) over the phrase's tokens of each tag, for the word of lowercase form `key`.

    That is all that equation 8 needs of a word, whatever the candidate. Gives the token,
    the first of the likeliest, that the word is a translation of; -1 for an empty phrase.
    """
    cdef float share, p, best = 0.0
    cdef int32_t i, k, likeliest = -1
    for k in range(N_TAGS):
        mass[k] = 0.0
    if line.n_phrase == 0:
        return -1
    share = find_value(&tables.lower, target_hash(key), tables.lower.unknown)
    for k in range(line.n_phrase):
        i = line.phrase[k]
        p = find_value(&tables.lower, pair_hash(line.tokens.tokens[i].key, key),
                       line.forms[i].lower_backoff * share)
        mass[line.tokens.tokens[i].tag] += p
        if p > best:
            best = p
            likeliest = i
    return likeliest


cdef inline float tag_translation_ln(const TablesView* tables, const float* mass,
                                     int tag) noexcept nogil:
    """log Σ_k p(e | f_k) p(τ(E) | τ(F_k)) of a candidate with `tag`, by `tag_mass`.

    Wang, Knight & Marcu (2006), equation 8; 0 for an empty phrase.
    """
    cdef float whole = 0.0, total = 0.0
    cdef int t
    for t in range(N_TAGS):
        whole += mass[t]
        total += mass[t] * tables.tag[t][tag]
    if whole == 0.0:
        return 0.0
    # Only a damaged table makes products so small that they vanish.
    return logf(total if total > 1e-37 else 1e-37)


cdef class TranslationTables(Component):
    cdef TablesView view
    cdef readonly object n_pairs
