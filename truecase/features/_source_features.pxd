"""The weights of a model for lines with a source."""

from truecase.decode._edges cimport EdgeWeights
from truecase.features._dense cimport DenseView
from truecase.features._schema cimport N_SOURCE_COLUMNS
from truecase.modelfile._component cimport Component


cdef class SourceFeatures(Component):
    cdef float weight[2][N_SOURCE_COLUMNS]
    cdef bint turkic
    # Of the dense features, where there is a source.
    cdef bint weighs_dense
    cdef DenseView dense
    cdef EdgeWeights edges
