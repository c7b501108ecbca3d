"""The parts of a model that score candidates: their arrays as structs of the kernels."""

from libc.stddef cimport size_t

from truecase.base._component cimport Component
from truecase.kernels._network cimport NetworkView
from truecase.kernels._schema cimport N_SOURCE_COLUMNS
from truecase.kernels._structs cimport CalibrationView, DenseView, EdgeWeights, Omega, TablesView


# Fills the weights of edges from those of all columns of the schema.
cdef int fill_edge_weights(EdgeWeights* edges, weights) except -1


cdef class CaseModels(Component):
    cdef Omega omega             # without the price of unseen forms, which is the lexicon's
    cdef readonly size_t n_records


cdef class DenseFeatures(Component):
    cdef DenseView view          # without the casing and the number of records: see `view_model`
    cdef EdgeWeights edges
    cdef readonly object n_records   # of the lexicon; None: there are no codes of them
    cdef readonly dict weights


cdef class SourceFeatures(Component):
    cdef float weight[2][N_SOURCE_COLUMNS]
    cdef bint turkic
    # Weights of the dense features for lines with a source.
    cdef bint weighs_dense
    cdef DenseView dense
    cdef EdgeWeights edges


cdef class TranslationTables(Component):
    cdef TablesView view
    cdef readonly object n_pairs


cdef class Network(Component):
    cdef NetworkView view
    cdef EdgeWeights edges


cdef class Calibration(Component):
    cdef CalibrationView view
