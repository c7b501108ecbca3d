"""The n-grams of a model."""

from truecase.modelfile._component cimport Component
from truecase.ngram._table cimport NgramView


cdef class LanguageModel(Component):
    cdef NgramView view
    cdef readonly double weight
