"""The dense features of a model: their weights, and what training has seen of words' neighbours."""

from truecase.decode._edges cimport EdgeWeights
from truecase.features._dense cimport DenseView
from truecase.modelfile._component cimport Component


cdef class DenseFeatures(Component):
    cdef DenseView view          # but for the casing, which is the model's
    cdef EdgeWeights edges
    cdef readonly dict weights


# Sets the weights of nodes and edges to those of the named features, 0 for all others.
cdef dict weigh_features(section, str array, str names, DenseView* view, EdgeWeights* edges)
