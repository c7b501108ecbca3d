"""The sentences of a block, each with its best path and posteriors."""

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t

from truecase._core cimport INPUT_IGNORE, Walk, Workspace
from truecase.decode._forward_backward cimport ForwardBackward
from truecase.explain._forms cimport Form
from truecase.source._held cimport is_held
from truecase.text._render cimport render_anew, render_token
from truecase.text._token cimport Token


cdef inline uint32_t room_of(const Token* token) noexcept nogil:
    """Bytes that a word may take in another case."""
    return 2 * (token.end - token.start) + 16


cdef inline uint32_t render_as(const Walk* walk, const Token* token, int tag, uint64_t upper_mask,
                               uint8_t* out) noexcept nogil:
    """Write a word in a case, where there is `room_of` it; the bytes that it takes."""
    if walk.piece_case == INPUT_IGNORE and not is_held(token):
        return render_anew(walk.text, token, tag, upper_mask, walk.model.turkic, out)
    return render_token(walk.text, token, tag, upper_mask, walk.model.turkic, out)


cdef class Sentences:
    cdef Walk walk
    cdef Workspace work
    cdef ForwardBackward memory
    cdef ForwardBackward* passes     # NULL: only the best path is asked for
    cdef bint is_in_piece
    cdef bint is_calibrated          # probabilities of the sentence's words are
    cdef double familiar             # if they are: how well training knew its words
    cdef int64_t n_lines             # that have begun
    cdef size_t line_start           # of the last of them, in the block
    cdef tuple kept                  # what the walk points into

    cdef bint go_on(self) noexcept nogil
    cdef int forms_of(self, int32_t word, Form* forms) noexcept nogil
    cdef double how_familiar(self) noexcept nogil
    cdef double count_of(self, int32_t word) noexcept nogil
    cdef bint is_decided(self, int32_t word) noexcept nogil
    cdef int check(self, int status) except -1
