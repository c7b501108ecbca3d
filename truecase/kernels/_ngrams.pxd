"""A model's n-grams: a packed table (`_maps.pxd`) per order.

A slot's payload is ``probability code | backoff code``, from the lowest bit up; probability code 0
marks an empty slot.
"""

from libc.stdint cimport uint32_t, uint64_t

from truecase.base._component cimport Component
from truecase.kernels._lexicon cimport Lexicon
from truecase.kernels._maps cimport find_from
from truecase.kernels._structs cimport NgramTable, NgramView
from truecase.kernels._unicode cimport mix


cdef inline uint64_t extend_left(uint64_t suffix, uint64_t form) noexcept nogil:
    """Hash of the n-gram (form, suffix…); `suffix` is a form's hash or an n-gram's."""
    return mix(suffix * <uint64_t>0x9e3779b97f4a7c15 + form)


cdef inline bint find_ngram(const NgramTable* table, uint64_t place, uint64_t hash,
                            float* log_probability, float* log_backoff) noexcept nogil:
    """Find an n-gram's log-probability and backoff; False, with nothing written, if absent.

    `place` is its home slot, or where `find_head` says.
    """
    cdef uint64_t payload = find_from(&table.slots, place, hash, table.probability_mask)
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
