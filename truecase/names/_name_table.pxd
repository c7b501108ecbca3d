"""Where the names of a list are found, for the lexicon of a model."""

from truecase.names._names cimport NamesView
from truecase.text._key_index cimport KeyIndex


cdef class NameTable:
    cdef NamesView view
    cdef KeyIndex states
    cdef object kept             # what the view points into
