"""Portage's models of the case of a word by itself, and how they are joined with the n-grams."""

from truecase.modelfile._component cimport Component
from truecase.portage._omega cimport Omega


cdef class CaseModels(Component):
    cdef Omega omega             # but for the price of unseen forms, which is the lexicon's
    cdef readonly size_t n_records
