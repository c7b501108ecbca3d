"""One step of a gated recurrent unit whose weights, inputs and states are bytes where multiplied.

What is computed is that of `_gru.pxd`, with sums, gates and a state that is carried on which are as
fine as there; what the products read of a state counts 1/128, and of inputs 1/32.
"""

from libc.stdint cimport int16_t, int32_t, uint8_t
from libc.string cimport memcpy

from truecase.recurrent._bytes cimport BYTE_ZERO, ByteMatrix, add_byte_products
from truecase.recurrent._gru cimport MAX_STATE, pass_gates


cdef extern from *:
    """
    /* Of values that count 1/4096, bytes that count 1/128 from 128 on; n is a multiple of 8. */
    static inline void truecase_state_bytes(const int16_t *state, int n, uint8_t *out) {
        int k = 0;
    #ifdef TRUECASE_SSE2
        for (; k < n; k += 8) {
            const __m128i values = _mm_add_epi16(_mm_srai_epi16(_mm_add_epi16(
                _mm_loadu_si128((const __m128i *)(state + k)), _mm_set1_epi16(16)), 5),
                _mm_set1_epi16(128));
            _mm_storel_epi64((__m128i *)(out + k), _mm_packus_epi16(values, values));
        }
    #endif
        for (; k < n; k++) {
            const int value = ((state[k] + 16) >> 5) + 128;
            out[k] = (uint8_t)(value > 255 ? 255 : value);
        }
    }
    """
    void state_bytes "truecase_state_bytes"(const int16_t* state, int n,
                                            uint8_t* out) noexcept nogil


cdef enum:
    # Rows of matrices are rounded up to a multiple of 16.
    MAX_BYTE_SUMS = 3 * MAX_STATE


cdef struct ByteUnit:            # one direction
    int n_units                  # a multiple of 8, at most MAX_STATE
    int n_sums                   # 3 * n_units, rounded up
    ByteMatrix of_inputs         # rows for z, r, c
    ByteMatrix of_gates          # of the state, for z, r
    ByteMatrix of_proposed       # of the state, for c
    const int32_t* bias          # n_sums
    const int32_t* proposed_bias  # n_units, rounded up: what zeros of the state add to c
    const int32_t* of_given      # n_sums for each number that may be given with the inputs


cdef inline int rounded_up(int n_rows) noexcept nogil:
    return (n_rows + 15) & ~15


cdef inline void start_bytes(uint8_t* out, int n) noexcept nogil:
    """Zeros, of a vector."""
    cdef int k
    for k in range(n):
        out[k] = BYTE_ZERO


cdef inline void next_byte_state(const ByteUnit* unit, int32_t* sums, int16_t* state,
                                 const uint8_t* before, uint8_t* out) noexcept nogil:
    """The state beside a word from that beside the word before it, as it is carried and in bytes.

    `sums`, n_sums with the bias and the products of the inputs, are added to; `out` may be
    `before`.
    """
    cdef int32_t of_state[MAX_STATE]
    cdef int32_t* into = sums
    add_byte_products(&unit.of_gates, &before, 1, &into)
    memcpy(of_state, unit.proposed_bias, unit.of_proposed.n_rows * sizeof(int32_t))
    into = of_state
    add_byte_products(&unit.of_proposed, &before, 1, &into)
    pass_gates(sums, of_state, state, unit.n_units, state)
    state_bytes(state, unit.n_units, out)
