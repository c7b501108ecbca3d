"""Weights of sparse features that a domain adds to a model's."""

from truecase.features._sparse cimport N_SPARSE_TAGS, WeightTable
from truecase.modelfile._component cimport Component


cdef class AddedFeatures(Component):
    cdef WeightTable tables[N_SPARSE_TAGS]
    cdef readonly object n_features    # that have a weight, of all tables together
