"""Inference of the sentences of a block: their best paths, and the posteriors of words' forms."""

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t, uint8_t

from truecase._core cimport Walk, Workspace
from truecase.kernels._calibration cimport Form
from truecase.kernels._structs cimport Token


cdef class Sentences:
    cdef Walk walk
    cdef Workspace work
    cdef bint has_posteriors         # or only the best path is computed
    cdef bint is_in_piece
    cdef bint is_calibrated          # whether probabilities are calibrated
    cdef bint is_by_rule             # whether the nodes get the case that rules demand
    cdef int64_t n_lines             # lines that have begun
    cdef tuple kept                  # objects that the walk points into

    # Infer the next sentence; False at the end and after an error.
    cdef bint advance(self) noexcept nogil

    # Fill in the forms of a word, at most MAX_CANDIDATES, the chosen one first; their number.
    cdef int forms_of(self, int32_t word, Form* forms) noexcept nogil


cdef inline uint32_t room_of(const Token* token) noexcept nogil:
    """Upper bound of a word's bytes in another case."""
    return 2 * (token.end - token.start) + 16


# Write a word in a case, at most `room_of` bytes; return their number.
cdef uint32_t render_as(const Walk* walk, const Token* token, int tag, uint64_t upper_mask,
                        uint8_t* out) noexcept nogil
