"""Products of matrices and vectors whose numbers are bytes, added to sums of 32 bits.

The numbers of a vector are 0 to 255, and count from 128; those of a matrix are -63 to 63, so that
two products of them fit in 16 bits, and each row has a power of two that its sum is multiplied by.
All are whole numbers: sums wrap, and are the same on every machine.
"""

from libc.stdint cimport int8_t, int32_t, uint8_t

from truecase.recurrent._gru cimport MAX_STATE  # for TRUECASE_UNROLL and TRUECASE_SSE2
from truecase.runtime._check cimport check  # for TRUECASE_ASSERT


cdef extern from *:
    """
    #include <string.h>
    #define TRUECASE_MOST_BYTE_ROWS 384
    typedef struct {
        int n_quads;            /* columns, by four */
        int n_rows;             /* a multiple of 16 */
        const int8_t *weights;  /* of the first four columns for each row, then of the next */
        const int32_t *shifts;  /* n_rows, 0 to 31 */
    } truecase_byte_matrix;
    /* In plain C, 16 rows at a time, as weights of neighbouring rows stand side by side. */
    static inline void truecase_add_bytes_plainly(const truecase_byte_matrix *matrix,
                                                  const uint8_t *vector, int32_t *sums) {
        int row, quad, k;
        for (row = 0; row < matrix->n_rows; row += 16) {
            const int8_t *weights = matrix->weights + 4 * row;
            const uint8_t *values = vector;
            int32_t sum[16] = {0};
            for (quad = 0; quad < matrix->n_quads; quad++) {
                for (k = 0; k < 16; k++) {
                    sum[k] += weights[4 * k] * values[0] + weights[4 * k + 1] * values[1]
                        + weights[4 * k + 2] * values[2] + weights[4 * k + 3] * values[3];
                }
                weights += 4 * matrix->n_rows;
                values += 4;
            }
            for (k = 0; k < 16; k++) {
                sums[row + k] = (int32_t)((uint32_t)sums[row + k]
                                          + ((uint32_t)sum[k] << matrix->shifts[row + k]));
            }
        }
    }
    /* By the vectors that all machines of a kind have, 16 rows at a time. */
    #if defined(TRUECASE_SSE2)
    #define TRUECASE_COMMON_VECTORS 1
    static inline void truecase_add_bytes_commonly(const truecase_byte_matrix *matrix,
                                                   const uint8_t *vector, int32_t *sums) {
        int row, quad, k;
        for (row = 0; row < matrix->n_rows; row += 16) {
            /* Of two rows each: products with the first two of four columns, then the others. */
            __m128i half[8];
            int32_t whole[32];
    TRUECASE_UNROLL
            for (k = 0; k < 8; k++) {
                half[k] = _mm_setzero_si128();
            }
            for (quad = 0; quad < matrix->n_quads; quad++) {
                const __m128i *weights = (const __m128i *)(
                    matrix->weights + 4 * (quad * matrix->n_rows + row));
                int32_t four;
                __m128i values;
                memcpy(&four, vector + 4 * quad, sizeof four);
                values = _mm_unpacklo_epi8(_mm_cvtsi32_si128(four), _mm_setzero_si128());
                values = _mm_unpacklo_epi64(values, values);
    TRUECASE_UNROLL
                for (k = 0; k < 4; k++) {
                    /* 256 times as much: 64 pairs of them fit in 32 bits. */
                    const __m128i bytes = _mm_loadu_si128(weights + k);
                    const __m128i low = _mm_unpacklo_epi8(_mm_setzero_si128(), bytes);
                    const __m128i high = _mm_unpackhi_epi8(_mm_setzero_si128(), bytes);
                    half[2 * k] = _mm_add_epi32(half[2 * k], _mm_madd_epi16(low, values));
                    half[2 * k + 1] = _mm_add_epi32(
                        half[2 * k + 1], _mm_madd_epi16(high, values));
                }
            }
    TRUECASE_UNROLL
            for (k = 0; k < 8; k++) {
                _mm_storeu_si128((__m128i *)(whole + 4 * k), half[k]);
            }
            for (k = 0; k < 16; k++) {
                const uint32_t sum = (uint32_t)((whole[2 * k] + whole[2 * k + 1]) / 256);
                sums[row + k] = (int32_t)((uint32_t)sums[row + k]
                                          + (sum << matrix->shifts[row + k]));
            }
        }
    }
    #elif defined(__aarch64__) && defined(__ARM_NEON)
    #include <arm_neon.h>
    #define TRUECASE_COMMON_VECTORS 1
    static inline void truecase_add_bytes_commonly(const truecase_byte_matrix *matrix,
                                                   const uint8_t *vector, int32_t *sums) {
        int row, quad, k;
        for (row = 0; row < matrix->n_rows; row += 16) {
            int32x4_t sum[4];
            for (k = 0; k < 4; k++) {
                sum[k] = vdupq_n_s32(0);
            }
            for (quad = 0; quad < matrix->n_quads; quad++) {
                /* A column for each; two products fit in 16 bits. */
                const int8x16x4_t weights = vld4q_s8(
                    matrix->weights + 4 * (quad * matrix->n_rows + row));
                const uint8_t *values = vector + 4 * quad;
                for (k = 0; k < 4; k += 2) {
                    const int8x16_t first = weights.val[k], second = weights.val[k + 1];
                    const int16x8_t low = vmlaq_n_s16(
                        vmulq_n_s16(vmovl_s8(vget_low_s8(first)), values[k]),
                        vmovl_s8(vget_low_s8(second)), values[k + 1]);
                    const int16x8_t high = vmlaq_n_s16(
                        vmulq_n_s16(vmovl_s8(vget_high_s8(first)), values[k]),
                        vmovl_s8(vget_high_s8(second)), values[k + 1]);
                    sum[0] = vaddw_s16(sum[0], vget_low_s16(low));
                    sum[1] = vaddw_s16(sum[1], vget_high_s16(low));
                    sum[2] = vaddw_s16(sum[2], vget_low_s16(high));
                    sum[3] = vaddw_s16(sum[3], vget_high_s16(high));
                }
            }
            for (k = 0; k < 4; k++) {
                int32_t *out = sums + row + 4 * k;
                vst1q_s32(out, vaddq_s32(vld1q_s32(out), vshlq_s32(
                    sum[k], vld1q_s32(matrix->shifts + row + 4 * k))));
            }
        }
    }
    #endif
    #if defined(TRUECASE_SSE2) && defined(__x86_64__) && defined(__GNUC__)
    #include <immintrin.h>
    #define TRUECASE_BYTES_AVX2 1
    /* Sums stay in registers: of `ROWS` vectors of rows for each of `N` vectors of values. Does the
       rows from `row` on by so many at a time, and says which is the first that it has left. */
    #define TRUECASE_ADD_BYTES(NAME, TARGET, VECTOR, WIDTH, N, ROWS, ZERO, SPREAD, LOAD, STORE, \\
                               SHIFT, ADD, MULTIPLY_ADD) \\
        __attribute__((target(TARGET))) \\
        static int NAME(const truecase_byte_matrix *matrix, const uint8_t *const *vectors, \\
                        int row, int32_t *const *sums) { \\
            const int n_rows = matrix->n_rows; \\
            int quad, k, j; \\
            for (; row + ROWS * WIDTH <= n_rows; row += ROWS * WIDTH) { \\
                VECTOR sum[N * ROWS]; \\
                TRUECASE_UNROLL \\
                for (k = 0; k < N * ROWS; k++) { \\
                    sum[k] = ZERO(); \\
                } \\
                for (quad = 0; quad < matrix->n_quads; quad++) { \\
                    const int8_t *weights = matrix->weights + 4 * (quad * n_rows + row); \\
                    TRUECASE_UNROLL \\
                    for (k = 0; k < N; k++) { \\
                        int32_t four; \\
                        VECTOR values; \\
                        memcpy(&four, vectors[k] + 4 * quad, sizeof four); \\
                        values = SPREAD(four); \\
                        TRUECASE_UNROLL \\
                        for (j = 0; j < ROWS; j++) { \\
                            sum[k * ROWS + j] = MULTIPLY_ADD( \\
                                sum[k * ROWS + j], values, \\
                                LOAD((const void *)(weights + 4 * j * WIDTH))); \\
                        } \\
                    } \\
                } \\
                TRUECASE_UNROLL \\
                for (k = 0; k < N; k++) { \\
                    TRUECASE_UNROLL \\
                    for (j = 0; j < ROWS; j++) { \\
                        int32_t *out = sums[k] + row + j * WIDTH; \\
                        const VECTOR shift = LOAD( \\
                            (const void *)(matrix->shifts + row + j * WIDTH)); \\
                        STORE((void *)out, ADD(LOAD((const void *)out), \\
                                               SHIFT(sum[k * ROWS + j], shift))); \\
                    } \\
                } \\
            } \\
            return row; \\
        }
    /* Products of two by two fit in 16 bits: 2 * 255 * 63 < 2 ** 15. */
    #define TRUECASE_BY_TWO_STEPS(sum, values, weights) _mm256_add_epi32( \\
        sum, _mm256_madd_epi16(_mm256_maddubs_epi16(values, weights), _mm256_set1_epi16(1)))
    #define TRUECASE_ADD_BYTES_AVX2(NAME, N, ROWS) TRUECASE_ADD_BYTES( \\
        NAME, "avx2", __m256i, 8, N, ROWS, _mm256_setzero_si256, _mm256_set1_epi32, \\
        _mm256_loadu_si256, _mm256_storeu_si256, _mm256_sllv_epi32, _mm256_add_epi32, \\
        TRUECASE_BY_TWO_STEPS)
    #define TRUECASE_ADD_BYTES_VNNI(NAME, N, ROWS) TRUECASE_ADD_BYTES( \\
        NAME, "avx512f,avx512vnni", __m512i, 16, N, ROWS, _mm512_setzero_si512, \\
        _mm512_set1_epi32, _mm512_loadu_si512, _mm512_storeu_si512, _mm512_sllv_epi32, \\
        _mm512_add_epi32, _mm512_dpbusd_epi32)
    TRUECASE_ADD_BYTES_AVX2(truecase_add_bytes_avx2, 1, 4)
    TRUECASE_ADD_BYTES_AVX2(truecase_add_last_bytes_avx2, 1, 2)
    TRUECASE_ADD_BYTES_AVX2(truecase_add_four_bytes_avx2, 4, 2)
    TRUECASE_ADD_BYTES_VNNI(truecase_add_bytes_vnni, 1, 4)
    TRUECASE_ADD_BYTES_VNNI(truecase_add_last_bytes_vnni, 1, 1)
    TRUECASE_ADD_BYTES_VNNI(truecase_add_four_bytes_vnni, 4, 2)
    TRUECASE_ADD_BYTES_VNNI(truecase_add_last_four_bytes_vnni, 4, 1)
    static inline int truecase_has_vnni(void) {
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vnni");
    }
    #endif
    /* Adds the products of a matrix and n vectors, each to sums of its own; `way` is 0 for plain C,
       1 for the vectors of all machines of the kind, 2 for AVX2, 3 for AVX-512. */
    static inline void truecase_add_bytes_by(int way, const truecase_byte_matrix *matrix,
                                             const uint8_t *const *vectors, int n,
                                             int32_t *const *sums) {
        int k = 0;
    #ifdef TRUECASE_BYTES_AVX2
        if (way == 3) {
            for (; k + 4 <= n; k += 4) {
                truecase_add_last_four_bytes_vnni(
                    matrix, vectors + k,
                    truecase_add_four_bytes_vnni(matrix, vectors + k, 0, sums + k), sums + k);
            }
            for (; k < n; k++) {
                truecase_add_last_bytes_vnni(
                    matrix, vectors + k,
                    truecase_add_bytes_vnni(matrix, vectors + k, 0, sums + k), sums + k);
            }
        }
        if (way == 2) {
            for (; k + 4 <= n; k += 4) {
                truecase_add_four_bytes_avx2(matrix, vectors + k, 0, sums + k);
            }
            for (; k < n; k++) {
                truecase_add_last_bytes_avx2(
                    matrix, vectors + k,
                    truecase_add_bytes_avx2(matrix, vectors + k, 0, sums + k), sums + k);
            }
        }
    #endif
    #ifdef TRUECASE_COMMON_VECTORS
        if (way == 1) {
            for (; k < n; k++) {
                truecase_add_bytes_commonly(matrix, vectors[k], sums[k]);
            }
        }
    #endif
        for (; k < n; k++) {
            truecase_add_bytes_plainly(matrix, vectors[k], sums[k]);
        }
    }
    /* The best way that there is here. */
    static inline int truecase_byte_way(void) {
    #if defined(TRUECASE_BYTES_AVX2)
        return truecase_has_vnni() ? 3 : __builtin_cpu_supports("avx2") ? 2 : 1;
    #elif defined(TRUECASE_COMMON_VECTORS)
        return 1;
    #else
        return 0;
    #endif
    }
    static inline void truecase_add_bytes(const truecase_byte_matrix *matrix,
                                          const uint8_t *const *vectors, int n,
                                          int32_t *const *sums) {
        const int way = truecase_byte_way();
    #ifdef TRUECASE_CHECKED
        /* For some vectors, what is added by plain C, and by every other way that there is. */
        if (n > 0 && (vectors[0][0] & 7) == 0) {
            int32_t zeros[4][TRUECASE_MOST_BYTE_ROWS], *into[4] = {
                zeros[0], zeros[1], zeros[2], zeros[3]};
            int32_t plain[TRUECASE_MOST_BYTE_ROWS];
            const uint8_t *four[4] = {vectors[0], vectors[0], vectors[0], vectors[0]};
            int other, k, many;
            TRUECASE_ASSERT(matrix->n_rows % 16 == 0 && matrix->n_rows <= TRUECASE_MOST_BYTE_ROWS);
            memset(plain, 0, sizeof plain);
            truecase_add_bytes_plainly(matrix, vectors[0], plain);
            for (other = 1; other <= way; other++) {
                for (many = 1; many <= 4; many += 3) {
                    memset(zeros, 0, sizeof zeros);
                    truecase_add_bytes_by(other, matrix, four, many, into);
                    for (k = 0; k < many; k++) {
                        TRUECASE_ASSERT(
                            memcmp(zeros[k], plain, matrix->n_rows * sizeof *plain) == 0);
                    }
                }
            }
        }
    #endif
        truecase_add_bytes_by(way, matrix, vectors, n, sums);
    }
    """
    ctypedef struct ByteMatrix "truecase_byte_matrix":
        int n_quads
        int n_rows
        const int8_t* weights
        const int32_t* shifts
    void add_byte_products "truecase_add_bytes"(
        const ByteMatrix* matrix, const uint8_t** vectors, int n, int32_t** sums) noexcept nogil
    void add_byte_products_by "truecase_add_bytes_by"(
        int way, const ByteMatrix* matrix, const uint8_t** vectors, int n,
        int32_t** sums) noexcept nogil
    int best_byte_way "truecase_byte_way"() noexcept nogil


cdef enum:
    BYTE_ZERO = 128              # what 0 is in a vector
    MAX_BYTE_WEIGHT = 63


cdef inline int byte_place(int n_rows, int row, int column) noexcept nogil:
    """Where a weight stands among those of a matrix."""
    return 4 * ((column // 4) * n_rows + row) + column % 4
