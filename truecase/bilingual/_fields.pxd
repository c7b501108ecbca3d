"""What fine features see of the source sentence: fields of each word, for templates to join.

Codes are small numbers that mean nothing beyond being different.
"""

from libc.stdint cimport int32_t

from truecase.bilingual._side cimport SourcePhrase, SourceSide
from truecase.crf.fine._templates cimport N_NEIGHBOURS, SentenceView, WordView


cdef enum:
    SOURCE_WHOLE = 1             # the line is not aligned; + 1 if the sentence is all upper
    SOURCE_UNALIGNED = 3         # no source word is aligned with the word
    SOURCE_CASELESS = 4          # none that has case
    SOURCE_CASED = 8             # + tag; + 4 if it is the first word; + 8 if there are others


cdef inline int32_t source_code(const SourceSide* side,
                                const SourcePhrase* phrase) noexcept nogil:
    """Case of the source words that a word is aligned with."""
    if side.is_whole:
        return SOURCE_WHOLE + side.sentence.all_upper
    if not phrase.is_aligned:
        return SOURCE_UNALIGNED
    if phrase.tags == 0:
        return SOURCE_CASELESS
    return (SOURCE_CASED + phrase.main_tag + 4 * (phrase.inner_tags == 0)
            + 8 * ((phrase.tags & (phrase.tags - 1)) != 0))


cdef inline void view_source(const SourceSide* side, int32_t first, int32_t n,
                             SentenceView* view) noexcept nogil:
    """Add to the view of a sentence of n words, from token `first` on, what the source tells."""
    cdef int32_t i
    cdef const SourcePhrase* phrase
    cdef WordView* word
    view.has_source = True
    view.source_style = (side.sentence.first_tag + 8 * side.sentence.upper_share
                         + 64 * side.sentence.all_upper)
    for i in range(n):
        phrase = side.phrase + first + i
        word = view.words + N_NEIGHBOURS + i
        word.source = source_code(side, phrase)
        word.source_key = phrase.main_key
        word.source_same = 0
        if phrase.n_same:
            word.source_same = (1 + phrase.same_tag[0] + 8 * (phrase.n_same > 1)
                                + 16 * phrase.same_is_first)
