"""From blocks of text to word ids."""

from truecase.corpus._word_table cimport WordTable


cdef class WordIds:
    cdef WordTable table
    cdef object one_thread
