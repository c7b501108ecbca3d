"""An n-gram model over word ids, for training and tests."""

from libc.stdint cimport int64_t, uint32_t, uint64_t

from truecase.ngram._table cimport NgramView


cdef struct Vocabulary:            # of word ids
    const uint64_t* form           # identity in the tables
    const float* log_probability  # unigrams, natural log
    const float* log_backoff


cdef struct Wanted:                # an n-gram to be looked up, and what is found
    uint64_t hash
    int length
    bint found
    float probability             # natural log, as the backoff; 0 if it was not found
    float backoff


cdef struct Wants:                 # those of some n-grams' losses, in the order of their use
    Wanted* wanted
    int64_t n
    int64_t capacity


cdef class NgramScorer:
    cdef NgramView lm
    cdef Vocabulary vocabulary
    cdef Py_ssize_t n_words
    cdef list owners
    cdef int _check(self, const uint32_t[:, ::1] words, int skip=*) except -1
    cdef void prefetch_last_word(self, const uint32_t* words, int j) noexcept nogil
    cdef int want_for_loss(self, const uint32_t* words, int k, const int64_t[::1] start,
                           const uint32_t[::1] alternatives, Wants* wants) noexcept nogil
    cdef double loss_of(self, const uint32_t* words, int k, int64_t count, float context_backoff,
                        const int64_t[::1] start, const uint32_t[::1] alternatives,
                        const float[::1] node_score, const Wanted** found) noexcept nogil
