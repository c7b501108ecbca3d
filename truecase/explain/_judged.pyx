"""Words of a text whose case is right, as a calibration learns from them."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t
from libc.stdlib cimport free
from libc.string cimport memcmp, memset

from truecase._core cimport CompiledModel
from truecase.decode._calibration cimport N_SEVERAL, describe_word
from truecase.explain._forms cimport Form
from truecase.explain._sentences cimport Sentences, render_as, room_of
from truecase.lattice._lattice cimport MAX_CANDIDATES
from truecase.runtime._output cimport Output, reserve_output
from truecase.runtime._status cimport STATUS_OK, STATUS_OUT_OF_MEMORY
from truecase.text._casing cimport TAG_AN
from truecase.text._token cimport Token

from typing import NamedTuple

import numpy as np

from truecase.options import DEFAULT_CASING

__all__ = ["JudgedWords", "judged_words"]


class JudgedWords(NamedTuple):
    """Words with case, an entry for each.

    Attributes
    ----------
    probability : ndarray of float64
        Of the form that the model chooses, not calibrated.
    values : ndarray of float64, shape (n_words, n_weights)
        What a calibration's weights are multiplied with: those of words with one form come first,
        and the others are 0.
    is_one, is_decided, is_right : ndarray of bool
        Whether the word has one form; whether the model decides its case; whether the chosen form
        is that of the reference.
    """

    probability: object
    values: object
    is_one: object
    is_decided: object
    is_right: object


cdef struct Judged:              # arrays, an entry for each word
    double* probability
    double* value
    uint8_t* is_one
    uint8_t* is_decided
    uint8_t* is_right
    int64_t n


cdef int judge_sentence(Sentences at, const uint8_t* reference, Output* room,
                        Judged* judged) noexcept nogil:
    """Append the words of the sentence that have case; a Status."""
    cdef Form[MAX_CANDIDATES] forms
    cdef const Token* token
    cdef double familiar = at.how_familiar()
    cdef int32_t word
    cdef uint8_t* out
    cdef uint32_t length
    cdef int n
    for word in range(at.walk.last - at.walk.first):
        token = at.work.tokens.tokens + at.walk.first + word
        if token.tag == TAG_AN:
            continue
        room.size = 0
        if reserve_output(room, room_of(token)) != STATUS_OK:
            return STATUS_OUT_OF_MEMORY
        out = <uint8_t*>room.bytes
        n = at.forms_of(word, forms)
        length = render_as(&at.walk, token, forms[0].tag, forms[0].upper_mask, out)
        judged.probability[judged.n] = forms[0].posterior
        describe_word(n == 1, forms[0].posterior, at.count_of(word), familiar,
                      judged.value + <int>N_SEVERAL * judged.n)
        judged.is_one[judged.n] = n == 1
        judged.is_decided[judged.n] = at.is_decided(word)
        judged.is_right[judged.n] = length == token.end - token.start and memcmp(
            out, reference + at.walk.part_offset + token.start, length) == 0
        judged.n += 1
    return STATUS_OK


def judged_words(CompiledModel model, bytes block, bytes reference):
    """Case a text again that was lowercased, and compare.

    Parameters
    ----------
    model : CompiledModel
    block : bytes
        UTF-8 text, lines separated by LF.
    reference : bytes
        The same in its right case, of the same length.

    Returns
    -------
    JudgedWords

    Raises
    ------
    ValueError
        If they differ in length, or a line is too long.
    MemoryError
    """
    if len(block) != len(reference):
        raise ValueError("the text and its reference differ in length")
    cdef Sentences at = Sentences(model, block, DEFAULT_CASING, None, None, True, False)
    cdef Py_ssize_t most = len(block) + 1     # a word has a byte
    probabilities, values = np.empty(most), np.zeros((most, N_SEVERAL))
    flags = np.empty((3, most), np.bool_)
    cdef double[::1] probability = probabilities
    cdef double[:, ::1] value = values
    cdef uint8_t[:, ::1] flag = flags.view(np.uint8)
    cdef const uint8_t* right = <const uint8_t*><const char*>reference
    cdef Judged judged
    cdef Output room
    cdef int status = STATUS_OK
    judged.probability = &probability[0]
    judged.value = &value[0, 0]
    judged.is_one = &flag[0, 0]
    judged.is_decided = &flag[1, 0]
    judged.is_right = &flag[2, 0]
    judged.n = 0
    memset(&room, 0, sizeof(Output))
    try:
        with nogil:
            while status == STATUS_OK and at.go_on():
                status = judge_sentence(at, right, &room, &judged)
            if status == STATUS_OK:
                status = at.walk.status
        at.check(status)
    finally:
        free(room.bytes)
    n = judged.n
    # Copies, so that the room for more words is given back.
    return JudgedWords(probabilities[:n].copy(), values[:n].copy(), *flags[:, :n].copy())
