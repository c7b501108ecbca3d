"""An n-gram model over word ids, for training and tests."""

from libc.stdint cimport uint32_t, uint64_t

from truecase.ngram._table cimport NgramView


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
