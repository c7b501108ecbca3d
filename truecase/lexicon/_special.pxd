"""Identities of the word forms that are no words: sentence marks and class tokens."""

from libc.stdint cimport uint64_t

from truecase.text._hash cimport mix


cdef inline uint64_t sentence_start_form() noexcept nogil:
    return mix(<uint64_t>0x7472756563617301)


cdef inline uint64_t sentence_end_form() noexcept nogil:
    return mix(<uint64_t>0x7472756563617302)


cdef inline uint64_t unknown_form() noexcept nogil:
    return mix(<uint64_t>0x7472756563617303)


cdef inline uint64_t class_form(int word_class, int tag_code) noexcept nogil:
    """Stands for all forms of a word class and tag (AL/AN 0, IU 1, AU 2, MX 3)."""
    return mix(<uint64_t>0x7472756563617310 + <uint64_t>(4 * word_class + tag_code))
