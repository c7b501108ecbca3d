"""The sparse features of a model: their weights, and those of neighbouring tags beside them."""

from truecase.decode._edges cimport EdgeWeights
from truecase.features._sparse cimport SparseView
from truecase.modelfile._component cimport Component


cdef class SparseFeatures(Component):
    cdef SparseView view
    cdef EdgeWeights edges
    cdef readonly object n_features    # that have a weight, of all tables together
