"""The lexicon of a model."""

from truecase.lexicon._lexicon cimport LexiconView
from truecase.modelfile._component cimport Component


cdef class Lexicon(Component):
    cdef LexiconView view
    cdef readonly double sentence_start_backoff_ln
    cdef readonly double sentence_end_ln
    cdef readonly bint proposes_all    # case forms that training never saw are candidates, too
    cdef readonly bint smartcase
