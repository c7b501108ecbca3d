"""One step of a gated recurrent unit, in integers.

A unit reads the inputs of a word and its own state beside the word before (Cho et al. 2014; the
reset gate behind the product, as in cuDNN's):

    z  = s(Wz x + Uz h + bz)
    r  = s(Wr x + Ur h + br)
    c  = t(Wc x + bc + r · (Uc h))
    h' = h + z · (c - h)

with s(v) = 1/2 + v/4 between 0 and 1 and t(v) = v between -1 and 1 (Courbariaux et al. 2015): they
saturate for good, and want no exponential. Numbers are whole: values count 1/4096 and have 16 bits,
weights count 1/1024, sums of products of both 1/4194304 and have 32, so that every machine computes
the same.
"""

from libc.stdint cimport int16_t, int32_t
from libc.string cimport memcpy, memset

from truecase.runtime._check cimport check  # for TRUECASE_ASSERT
from truecase.text._hash cimport hash_bytes  # for TRUECASE_SSE2


cdef extern from *:
    """
    #include <string.h>
    /* Sums stay in registers only where loops over them are unrolled, which -O2 leaves out. */
    #if defined(__GNUC__)
    #define TRUECASE_UNROLL _Pragma("GCC unroll 8")
    #else
    #define TRUECASE_UNROLL
    #endif
    /* Adds the product of a matrix and a vector of 16-bit numbers to 32-bit sums, which wrap.
       The matrix stands by pairs of columns, then by rows. Sums of 32 rows stay in registers.
       Whole numbers: by AVX2, by SSE2 and without either they are the same; each way does the rows
       from one to another, and says which is the first that it has left. */
    #if defined(TRUECASE_SSE2) && defined(__x86_64__) && defined(__GNUC__)
    #include <immintrin.h>
    #define TRUECASE_AVX2 1
    __attribute__((target("avx2")))
    static int truecase_add_avx2(const int16_t *matrix, const int16_t *vector, int n_pairs,
                                 int n_rows, int row, int end, int32_t *sums) {
        int pair, k;
        for (; row + 32 <= end; row += 32) {
            __m256i sum[4];
    TRUECASE_UNROLL
            for (k = 0; k < 4; k++) {
                sum[k] = _mm256_loadu_si256((const __m256i *)(sums + row + 8 * k));
            }
            for (pair = 0; pair < n_pairs; pair++) {
                const __m256i *weights = (const __m256i *)(matrix + 2 * (pair * n_rows + row));
                int32_t both;
                __m256i values;
                memcpy(&both, vector + 2 * pair, sizeof both);
                values = _mm256_set1_epi32(both);
    TRUECASE_UNROLL
                for (k = 0; k < 4; k++) {
                    sum[k] = _mm256_add_epi32(
                        sum[k], _mm256_madd_epi16(_mm256_loadu_si256(weights + k), values));
                }
            }
    TRUECASE_UNROLL
            for (k = 0; k < 4; k++) {
                _mm256_storeu_si256((__m256i *)(sums + row + 8 * k), sum[k]);
            }
        }
        return row;
    }
    #endif
    #ifdef TRUECASE_SSE2
    static inline int truecase_add_sse2(const int16_t *matrix, const int16_t *vector, int n_pairs,
                                        int n_rows, int row, int end, int32_t *sums) {
        int pair, k;
        for (; row + 32 <= end; row += 32) {
            __m128i sum[8];
    TRUECASE_UNROLL
            for (k = 0; k < 8; k++) {
                sum[k] = _mm_loadu_si128((const __m128i *)(sums + row + 4 * k));
            }
            for (pair = 0; pair < n_pairs; pair++) {
                const __m128i *weights = (const __m128i *)(matrix + 2 * (pair * n_rows + row));
                int32_t both;
                __m128i values;
                memcpy(&both, vector + 2 * pair, sizeof both);
                values = _mm_set1_epi32(both);
    TRUECASE_UNROLL
                for (k = 0; k < 8; k++) {
                    sum[k] = _mm_add_epi32(
                        sum[k], _mm_madd_epi16(_mm_loadu_si128(weights + k), values));
                }
            }
    TRUECASE_UNROLL
            for (k = 0; k < 8; k++) {
                _mm_storeu_si128((__m128i *)(sums + row + 4 * k), sum[k]);
            }
        }
        return row;
    }
    #endif
    static inline void truecase_add_rows(const int16_t *matrix, const int16_t *vector, int n_pairs,
                                         int n_rows, int row, int end, int32_t *sums) {
        int pair;
        for (; row < end; row++) {
            uint32_t sum = (uint32_t)sums[row];
            for (pair = 0; pair < n_pairs; pair++) {
                const int16_t *weights = matrix + 2 * (pair * n_rows + row);
                sum += (uint32_t)(weights[0] * vector[2 * pair])
                    + (uint32_t)(weights[1] * vector[2 * pair + 1]);
            }
            sums[row] = (int32_t)sum;
        }
    }
    #ifdef TRUECASE_CHECKED
    /* Every way that there is here, 32 rows at a time: they must give the same sums. */
    static void truecase_check_ways(const int16_t *matrix, const int16_t *vector, int n_pairs,
                                    int n_rows, const int32_t *sums) {
        int32_t ways[3][32];
        int row, way;
        for (row = 0; row + 32 <= n_rows; row += 32) {
            int n_ways = 1;
            for (way = 0; way < 3; way++) {
                memcpy(ways[way], sums + row, sizeof ways[way]);
            }
            truecase_add_rows(matrix + 2 * row, vector, n_pairs, n_rows, 0, 32, ways[0]);
    #ifdef TRUECASE_SSE2
            truecase_add_sse2(
                matrix + 2 * row, vector, n_pairs, n_rows, 0, 32, ways[n_ways++]);
    #endif
    #ifdef TRUECASE_AVX2
            if (__builtin_cpu_supports("avx2")) {
                truecase_add_avx2(
                    matrix + 2 * row, vector, n_pairs, n_rows, 0, 32, ways[n_ways++]);
            }
    #endif
            for (way = 1; way < n_ways; way++) {
                TRUECASE_ASSERT(memcmp(ways[way], ways[0], sizeof ways[way]) == 0);
            }
        }
    }
    #endif
    static inline void truecase_add_product(const int16_t *matrix, const int16_t *vector,
                                            int n_pairs, int n_rows, int32_t *sums) {
        int row = 0;
    #ifdef TRUECASE_CHECKED
        if ((vector[0] >> 7 & 7) == 0) {  /* always, it would take a third of the time */
            truecase_check_ways(matrix, vector, n_pairs, n_rows, sums);
        }
    #endif
    #ifdef TRUECASE_AVX2
        if (__builtin_cpu_supports("avx2")) {
            row = truecase_add_avx2(matrix, vector, n_pairs, n_rows, row, n_rows, sums);
        }
    #endif
    #ifdef TRUECASE_SSE2
        row = truecase_add_sse2(matrix, vector, n_pairs, n_rows, row, n_rows, sums);
    #endif
        truecase_add_rows(matrix, vector, n_pairs, n_rows, row, n_rows, sums);
    }
    #define TRUECASE_ONE 4096
    /* A value between the bounds of 16 bits. */
    static inline int32_t truecase_short(int32_t value) {
        return value < -32768 ? -32768 : value > 32767 ? 32767 : value;
    }
    static inline int32_t truecase_gate(int32_t sum) {
        int32_t gate = truecase_short(sum >> 12) + TRUECASE_ONE / 2;
        return gate < 0 ? 0 : gate > TRUECASE_ONE ? TRUECASE_ONE : gate;
    }
    #ifdef TRUECASE_SSE2
    /* Eight sums, shifted, as 16-bit numbers. */
    static inline __m128i truecase_shorts(const int32_t *sums, int shift) {
        return _mm_packs_epi32(
            _mm_srai_epi32(_mm_loadu_si128((const __m128i *)sums), shift),
            _mm_srai_epi32(_mm_loadu_si128((const __m128i *)(sums + 4)), shift));
    }
    static inline __m128i truecase_within(__m128i value, int low, int high) {
        return _mm_min_epi16(_mm_max_epi16(value, _mm_set1_epi16((short)low)),
                             _mm_set1_epi16((short)high));
    }
    /* Products that count 1 / 4096. */
    static inline __m128i truecase_scaled(__m128i a, __m128i b) {
        const __m128i low = _mm_mullo_epi16(a, b), high = _mm_mulhi_epi16(a, b);
        return _mm_packs_epi32(_mm_srai_epi32(_mm_unpacklo_epi16(low, high), 12),
                               _mm_srai_epi32(_mm_unpackhi_epi16(low, high), 12));
    }
    #endif
    /* The next states of n units from the sums of z, r and c; of_state has those of the state for c
       apart. Shifts of negative numbers round down, as compilers of C have them. */
    static inline void truecase_pass_gates(const int32_t *sums, const int32_t *of_state,
                                           const int16_t *state, int n, int16_t *out) {
        int k = 0;
    #ifdef TRUECASE_SSE2
        for (; k + 8 <= n; k += 8) {
            const __m128i half = _mm_set1_epi16(TRUECASE_ONE / 2);
            const __m128i z = truecase_within(
                _mm_adds_epi16(truecase_shorts(sums + k, 12), half), 0, TRUECASE_ONE);
            const __m128i r = truecase_within(
                _mm_adds_epi16(truecase_shorts(sums + n + k, 12), half), 0, TRUECASE_ONE);
            const __m128i c = truecase_within(
                _mm_adds_epi16(truecase_shorts(sums + 2 * n + k, 10),
                               truecase_scaled(r, truecase_shorts(of_state + k, 10))),
                -TRUECASE_ONE, TRUECASE_ONE);
            const __m128i h = _mm_loadu_si128((const __m128i *)(state + k));
            _mm_storeu_si128((__m128i *)(out + k),
                             _mm_add_epi16(h, truecase_scaled(z, _mm_sub_epi16(c, h))));
        }
    #endif
        for (; k < n; k++) {
            const int32_t z = truecase_gate(sums[k]), r = truecase_gate(sums[n + k]);
            const int32_t h = state[k];
            int32_t c = truecase_short(sums[2 * n + k] >> 10)
                + ((r * truecase_short(of_state[k] >> 10)) >> 12);
            c = c < -TRUECASE_ONE ? -TRUECASE_ONE : c > TRUECASE_ONE ? TRUECASE_ONE : c;
            out[k] = (int16_t)(h + ((z * (c - h)) >> 12));
        }
    }
    """
    void add_product "truecase_add_product"(const int16_t* matrix, const int16_t* vector,
                                            int n_pairs, int n_rows,
                                            int32_t* sums) noexcept nogil
    void pass_gates "truecase_pass_gates"(const int32_t* sums, const int32_t* of_state,
                                          const int16_t* state, int n, int16_t* out) noexcept nogil


cdef enum:
    MAX_STATE = 128              # units of a direction
    ONE_BITS = 12                # of values: 1 is 4096
    ONE = 4096
    WEIGHT_BITS = 10             # of weights


cdef struct Recurrent:           # one direction
    int32_t n_inputs             # even
    int32_t n_units              # a multiple of 8, at most MAX_STATE
    const int16_t* of_inputs     # 3 * n_units rows: z, r, c
    const int16_t* of_state      # 2 * n_units rows: z, r; then n_units: c
    const int32_t* bias          # 3 * n_units, as sums


cdef inline void next_state(const Recurrent* unit, const int16_t* inputs, const int16_t* state,
                            int16_t* out) noexcept nogil:
    """The state beside a word from that beside the word before it; `out` may be `state`."""
    cdef int32_t sums[3 * MAX_STATE]
    cdef int32_t of_state[MAX_STATE]
    cdef int32_t n = unit.n_units
    memcpy(sums, unit.bias, 3 * n * sizeof(int32_t))
    add_product(unit.of_inputs, inputs, unit.n_inputs // 2, 3 * n, sums)
    memset(of_state, 0, n * sizeof(int32_t))
    add_product(unit.of_state, state, n // 2, 2 * n, sums)
    add_product(unit.of_state + 2 * n * n, state, n // 2, n, of_state)
    pass_gates(sums, of_state, state, n, out)
