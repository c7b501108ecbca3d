"""A domain's lexicon and n-grams, and their share."""

from truecase.lexicon._model_lexicon cimport Lexicon
from truecase.modelfile._component cimport Component
from truecase.ngram._language_model cimport LanguageModel


cdef class Domain(Component):
    cdef readonly Lexicon lexicon
    cdef readonly LanguageModel lm
    cdef readonly double share
