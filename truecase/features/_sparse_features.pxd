"""The sparse features of a model: their weights, and those of neighbouring tags beside them."""

from libc.stdint cimport int64_t

from truecase.decode._edges cimport EdgeWeights
from truecase.features._sparse cimport SparseView, WeightTable
from truecase.modelfile._component cimport Component


cdef class SparseFeatures(Component):
    cdef SparseView view
    cdef EdgeWeights edges
    cdef readonly object n_features    # that have a weight, of all tables together


# The table of a tag's weights, from a section's arrays; how many features have one.
cdef int64_t fill_weights(WeightTable* table, section, name) except -1
