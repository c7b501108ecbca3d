"""The source side of a line, for tests and tools; kernels include `_source.pxd`."""

from libc.stdint cimport int32_t, uint8_t
from libc.string cimport memset

from truecase.runtime._memory cimport TEXT_PADDING
from truecase.runtime._status cimport STATUS_OK
from truecase.source._line cimport (
    SourceLine,
    free_source,
    segment_source,
    select_phrase,
    select_whole,
)

__all__ = ["source_line"]


def source_line(bytes text, int segmentation, bint turkic, words=None, bint of_words=True,
                int place=0, int n_target=1):
    """What a target token sees of its source line.

    Parameters
    ----------
    text : bytes
        One line without its end.
    segmentation : int
        0 space, 1 raw.
    turkic : bool
        Casing of the source language.
    words : sequence of int, optional
        Source words of the target token's word; by default the whole line.
    of_words : bool
        Whether the target token is a word.
    place, n_target : int
        Where it stands among how many.

    Returns
    -------
    tokens : list of bytes
    first_token : list of int
        One per word, and their number of tokens.
    forms : list of int
        Identity of each token's surface form.
    phrase : list of int
        The tokens that count for the target token.
    """
    cdef SourceLine line
    cdef bytes padded = text + bytes(TEXT_PADDING)
    cdef const uint8_t* start = padded
    cdef int32_t[::1] chosen
    cdef int32_t i
    memset(&line, 0, sizeof(SourceLine))
    try:
        if segment_source(start, 0, len(text), segmentation, turkic, &line) != STATUS_OK:
            raise MemoryError("no memory left to segment the source line")
        if words is None:
            select_whole(&line, place, n_target, of_words)
        elif len(words):
            from array import array
            chosen = array("i", words)
            select_phrase(&line, &chosen[0], chosen.shape[0], of_words)
        tokens = [text[line.tokens.tokens[i].start:line.tokens.tokens[i].end]
                  for i in range(line.tokens.n)]
        first_token = [line.words.first_token[i] for i in range(line.words.n_words + 1)]
        forms = [line.forms[i].form for i in range(line.tokens.n)]
        phrase = [line.phrase[i] for i in range(line.n_phrase)]
        return tokens, first_token, forms, phrase
    finally:
        free_source(&line)
