"""A model's n-grams: a packed table (`_maps.pxd`) per order.

A slot's payload is ``probability code | backoff code``, from the lowest bit up; probability code 0
marks an empty slot.
"""

from libc.stdint cimport uint32_t, uint64_t

from truecase.base._component cimport Component
from truecase.kernels._lexicon cimport Lexicon
from truecase.kernels._maps cimport PackedSlots, find_slot
from truecase.kernels._unicode cimport mix


cdef enum:
    MAX_ORDER = 5


cdef struct NgramTable:
    PackedSlots slots
    uint32_t probability_mask
    uint32_t probability_bits
    uint32_t backoff_mask        # 0 in the highest order
    const float* probability_ln  # 2**probability_bits values, natural log; entry 0 is never used
    const float* backoff_ln      # 2**backoff_bits values, natural log


cdef struct NgramView:
    int order                    # 1 … MAX_ORDER; unigrams live in the lexicon
    # Every n-gram's first and last order - 1 words are n-grams too, and a backoff is 0 just if the
    # n-gram has no continuation: most look-ups of absent n-grams can be left out.
    bint closed
    NgramTable tables[MAX_ORDER + 1]   # tables[k]: n-grams of k words, 2 <= k <= order


cdef inline uint64_t extend_left(uint64_t suffix, uint64_t form) noexcept nogil:
    """Hash of the n-gram (form, suffix…); `suffix` is a form's hash or an n-gram's."""
    return mix(suffix * <uint64_t>0x9e3779b97f4a7c15 + form)


cdef inline bint find_ngram(const NgramTable* table, uint64_t hash, float* log_probability,
                            float* log_backoff) noexcept nogil:
    """Find an n-gram's log-probability and backoff; False, with nothing written, if absent."""
    cdef uint64_t payload = find_slot(&table.slots, hash, table.probability_mask)
    if payload == 0:
        return False
    log_probability[0] = table.probability_ln[payload & table.probability_mask]
    if table.backoff_mask:
        log_backoff[0] = table.backoff_ln[(payload >> table.probability_bits) & table.backoff_mask]
    return True


cdef struct Vocabulary:            # of word ids
    const uint64_t* form           # identity in the tables
    const float* log_probability  # unigrams, natural log
    const float* log_backoff


cdef class NgramScorer:
    cdef NgramView lm
    cdef Vocabulary vocabulary
    cdef Py_ssize_t n_words
    cdef list owners
    cdef int _check(self, const uint32_t[:, ::1] words, int skip=*) except -1
    cdef void prefetch_last_word(self, const uint32_t* words, int j) noexcept nogil


cdef class LanguageModel(Component):
    cdef NgramView view
    cdef readonly double weight


cdef class Domain(Component):
    cdef readonly Lexicon lexicon
    cdef readonly LanguageModel lm
    cdef readonly double share
