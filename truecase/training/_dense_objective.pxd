"""Training lattices as flat arrays."""

from libc.stdint cimport int64_t, uint64_t, uint8_t


# They keep only words with a choice, in *stretches*, runs that no word without a choice interrupts.
# A stretch has one state before it and one after it, so that stretches are independent of each
# other. The arrays hold, one after the other:
#
# stretch  first word, first edge, state of the node before it
# word     number of candidates; bit mask of those that give the text's form; codes of the effect of
#          the previous word's case on its own, and of its case on the previous word's
# node     state, number of feature values
# value    column and value of a feature, without zeros
# edge     log-probability of the language model, in the order of `_edges.pxd`
cdef struct FlatLattices:
    int64_t* first_word          # n_stretches + 1 entries are valid
    int64_t* first_edge
    uint8_t* state_before
    uint8_t* width
    uint64_t* gold               # 0: no candidate has the text's form: the word teaches nothing
    uint8_t* neighbour_case      # 4 per word: its own two after a case, two of the word before
    uint8_t* state
    uint8_t* n_values
    uint8_t* column              # of the node columns, marks, source columns, base score
    float* value
    float* lm
    int order                    # of the language model
    int64_t n_stretches
    int64_t n_words
    int64_t n_nodes
    int64_t n_feature_values
    int64_t n_edges
    int64_t capacity[5]          # in the order of the five numbers
    int64_t n_tokens             # of the text, words without a choice included


cdef class TrainingLattices:
    cdef FlatLattices flat
    cdef int64_t longest_words
    cdef int64_t most_nodes
    cdef int64_t most_states
    cdef int64_t most_edges
    cdef readonly int n_marks
    cdef int _measure(self) except -1
