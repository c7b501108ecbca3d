"""The table of words that tell of a language whose nouns have a capital."""

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memset

from truecase.runtime._memory cimport TEXT_PADDING
from truecase.runtime._status cimport STATUS_OK
from truecase.source._line cimport SourceLine, free_source, segment_source
from truecase.source._phrase cimport SentenceCase, describe_sentence
from truecase.text._key_index cimport add_key
from truecase.text._segment_line cimport key_of
from truecase.text._token cimport SEGMENT_RAW, SEGMENT_SPACE

from truecase.source import noun_capitals as lists

__all__ = ["KINDS", "kind_of_line"]

#: In the order of `SourceKind`.
KINDS = ("unknown", "noun-capitals", "other")


cdef class _Table:
    """Owner of the table's memory, as long as the process lives."""

    cdef NounWords view

    def __cinit__(self):
        memset(&self.view, 0, sizeof(NounWords))
        words = [(word, WORD_SURE) for word in sorted(lists.SURE)]
        words += [(word, number) for number, word in enumerate(lists.LIKELY, 1)]
        for word, value in words:
            if add_key(&self.view.words, key_of(word), value) != STATUS_OK:
                raise MemoryError("no memory left for the words of noun capitals")
        self.view.fewest_words = lists.FEWEST_WORDS


cdef _Table _TABLE = _Table()


cdef const NounWords* noun_words() noexcept:
    return &_TABLE.view


def kind_of_line(bytes line not None, str segmentation="raw"):
    """What a line tells of its language.

    Parameters
    ----------
    line : bytes
        Without its line end.
    segmentation : {"raw", "space"}

    Returns
    -------
    str
        One of `KINDS`: nouns have a capital, they have none, or the line does not tell.
    """
    cdef bytes padded = line + b"\n" * TEXT_PADDING
    cdef const uint8_t* text = padded
    cdef uint32_t n = <uint32_t>len(line)
    cdef SourceLine source
    cdef SentenceCase sentence
    memset(&source, 0, sizeof(SourceLine))
    try:
        if segment_source(text, 0, n, SEGMENT_RAW if segmentation == "raw" else SEGMENT_SPACE,
                          False, &source) != STATUS_OK:
            raise MemoryError("no memory left for a source line, or it is too long")
        describe_sentence(text, &source.tokens, False, noun_words(), &sentence)
        return KINDS[sentence.kind]
    finally:
        free_source(&source)
