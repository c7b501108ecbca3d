"""Gated recurrent units in whole numbers, which are the same on every machine.

As of Cho et al. (2014), with the reset gate behind the product: z = s(Wz x + Uz h + bz),
r = s(Wr x + Ur h + br), c = t(Wc x + bc + r · (Uc h)), h' = h + z · (c - h). The gates
s(v) = 1/2 + v/4 and t(v) = v are cut off (Courbariaux et al. 2015). States count 1/4096, and 32-bit
sums, which wrap, 1/4194304. Products are those of bytes.
"""

from libc.math cimport fabs, lround
from libc.stddef cimport size_t
from libc.stdint cimport int16_t, int32_t, int8_t, uint32_t, uint8_t
from libc.string cimport memcpy

from truecase.base._check cimport CACHE_LINE


cdef extern from *:
    """
    #include <string.h>
    /* Sums stay in registers only in unrolled loops, and -O2 does not unroll. */
    #if defined(__GNUC__)
    #define TRUECASE_UNROLL _Pragma("GCC unroll 8")
    #else
    #define TRUECASE_UNROLL
    #endif
    #define TRUECASE_ONE 4096
    /* A value between the bounds of 16 bits. */
    static inline int32_t truecase_short(int32_t value) {
        return value < -32768 ? -32768 : value > 32767 ? 32767 : value;
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
    /* Products that count 1 / 4096, and fit in 16 bits. */
    static inline __m128i truecase_scaled(__m128i a, __m128i b) {
        return _mm_or_si128(_mm_slli_epi16(_mm_mulhi_epi16(a, b), 4),
                            _mm_srli_epi16(_mm_mullo_epi16(a, b), 12));
    }
    #endif
    #define TRUECASE_GROUP 16
    /* Rounds n sums, a multiple of 8, to 16 bits, shifted. Shifts of negative numbers round down,
       as in all compilers of C. */
    static inline void truecase_round_sums(const int32_t *sums, int n, int shift, int16_t *out) {
        int k = 0;
    #ifdef TRUECASE_SSE2
        for (; k < n; k += 8) {
            _mm_storeu_si128((__m128i *)(out + k), truecase_shorts(sums + k, shift));
        }
    #endif
        for (; k < n; k++) {
            out[k] = (int16_t)truecase_short(sums[k] >> shift);
        }
    }
    /* Moves the states of a group of units by two such vectors, and by the sums of z, r and c from
       the states of the group. */
    static inline void truecase_move_group(const int16_t *one, const int16_t *other,
                                           const int32_t *of_state, int16_t *state) {
        int k = 0, j;
    #ifdef TRUECASE_SSE2
        for (; k < TRUECASE_GROUP; k += 8) {
            const __m128i half = _mm_set1_epi16(TRUECASE_ONE / 2);
            const __m128i h = _mm_loadu_si128((const __m128i *)(state + k));
            __m128i sum[3];
            for (j = 0; j < 3; j++) {
                const int at = j * TRUECASE_GROUP + k;
                sum[j] = _mm_adds_epi16(_mm_loadu_si128((const __m128i *)(one + at)),
                                        _mm_loadu_si128((const __m128i *)(other + at)));
            }
            for (j = 0; j < 2; j++) {
                sum[j] = _mm_adds_epi16(
                    sum[j], truecase_shorts(of_state + j * TRUECASE_GROUP + k, 12));
                sum[j] = truecase_within(_mm_adds_epi16(sum[j], half), 0, TRUECASE_ONE);
            }
            sum[2] = _mm_adds_epi16(sum[2], truecase_scaled(
                sum[1], truecase_shorts(of_state + 2 * TRUECASE_GROUP + k, 10)));
            sum[2] = truecase_within(sum[2], -TRUECASE_ONE, TRUECASE_ONE);
            _mm_storeu_si128((__m128i *)(state + k), _mm_add_epi16(
                h, truecase_scaled(sum[0], _mm_sub_epi16(sum[2], h))));
        }
    #endif
        for (; k < TRUECASE_GROUP; k++) {
            int32_t sum[3];
            for (j = 0; j < 3; j++) {
                const int at = j * TRUECASE_GROUP + k;
                sum[j] = truecase_short(one[at] + other[at]);
            }
            for (j = 0; j < 2; j++) {
                const int32_t more = of_state[j * TRUECASE_GROUP + k] >> 12;
                sum[j] = truecase_short(sum[j] + truecase_short(more)) + TRUECASE_ONE / 2;
                sum[j] = sum[j] < 0 ? 0 : sum[j] > TRUECASE_ONE ? TRUECASE_ONE : sum[j];
            }
            sum[2] += (sum[1] * truecase_short(of_state[2 * TRUECASE_GROUP + k] >> 10)) >> 12;
            sum[2] = sum[2] < -TRUECASE_ONE ? -TRUECASE_ONE
                : sum[2] > TRUECASE_ONE ? TRUECASE_ONE : sum[2];
            state[k] = (int16_t)(state[k] + ((sum[0] * (sum[2] - state[k])) >> 12));
        }
    }
    """


cdef enum:
    MAX_STATE = 128              # units of a direction
    GROUP = 16                   # units that read each other's states
    MAX_GROUPS = MAX_STATE // GROUP
    SUM_SHIFT = 12               # of sums that are rounded to 16 bits; of c, two less
    ONE_BITS = 12                # of values: 1 is 4096
    WEIGHT_BITS = 10             # of weights


# Products of byte matrices and byte vectors, added to 32-bit sums, which wrap. Numbers of a vector
# are 0 to 255 and count from 128. Those of a matrix are -63 to 63, so that two products fit in 16
# bits. So do the four that `fit_together` speaks of: of their weights, the positive ones add up to
# at most 128, and so do the negative ones. The sum of each row is shifted left.
cdef extern from *:
    """
    #include <string.h>
    #define TRUECASE_MOST_BYTE_ROWS 384
    typedef struct {
        int n_quads;            /* columns, by four */
        int n_rows;             /* a multiple of 16 */
        const int8_t *weights;  /* by four columns, then by rows */
        const int32_t *shifts;  /* n_rows, 0 to 31 */
    } truecase_byte_matrix;
    /* In plain C, 16 rows at a time. */
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
    /* With the vector instructions that all machines of a kind have, 16 rows at a time. */
    #if defined(TRUECASE_SSE2)
    #define TRUECASE_COMMON_VECTORS 1
    static inline void truecase_add_bytes_commonly(const truecase_byte_matrix *matrix,
                                                   const uint8_t *vector, int32_t *sums) {
        int row, quad, k;
        for (row = 0; row < matrix->n_rows; row += 16) {
            /* Two rows each: products with two of four columns, then with the others. */
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
    #define TRUECASE_TARGET_avx2 "avx2"
    #define TRUECASE_TARGET_vnni "avx512f,avx512vnni"
    #define TRUECASE_FOR(WAY) __attribute__((target(TRUECASE_TARGET_##WAY)))
    /* The sums of a group of rows in registers: none yet; with four or eight more products for
       each row; shifted, and added to others; stored; shifted back, as 16-bit numbers. */
    typedef struct {
        __m256i low, high;
    } truecase_group_avx2;
    typedef __m512i truecase_group_vnni;
    TRUECASE_FOR(avx2) static inline truecase_group_avx2 truecase_no_sums_avx2(void) {
        const truecase_group_avx2 sums = {_mm256_setzero_si256(), _mm256_setzero_si256()};
        return sums;
    }
    TRUECASE_FOR(vnni) static inline truecase_group_vnni truecase_no_sums_vnni(void) {
        return _mm512_setzero_si512();
    }
    /* Two products fit in 16 bits: 2 * 255 * 63 < 2 ** 15; four, too: 255 * 128 < 2 ** 15. */
    #define TRUECASE_TWO(values, weights) \\
        _mm256_maddubs_epi16(values, _mm256_loadu_si256((const void *)(weights)))
    #define TRUECASE_WIDEN(sum, products) \\
        _mm256_add_epi32(sum, _mm256_madd_epi16(products, _mm256_set1_epi16(1)))
    TRUECASE_FOR(avx2) static inline truecase_group_avx2 truecase_add_four_avx2(
        truecase_group_avx2 sums, int32_t four, const int8_t *weights) {
        const __m256i values = _mm256_set1_epi32(four);
        sums.low = TRUECASE_WIDEN(sums.low, TRUECASE_TWO(values, weights));
        sums.high = TRUECASE_WIDEN(sums.high, TRUECASE_TWO(values, weights + 32));
        return sums;
    }
    TRUECASE_FOR(avx2) static inline truecase_group_avx2 truecase_add_eight_avx2(
        truecase_group_avx2 sums, const int32_t *fours, const int8_t *weights,
        const int8_t *others) {
        const __m256i one = _mm256_set1_epi32(fours[0]), other = _mm256_set1_epi32(fours[1]);
        sums.low = TRUECASE_WIDEN(sums.low, _mm256_add_epi16(
            TRUECASE_TWO(one, weights), TRUECASE_TWO(other, others)));
        sums.high = TRUECASE_WIDEN(sums.high, _mm256_add_epi16(
            TRUECASE_TWO(one, weights + 32), TRUECASE_TWO(other, others + 32)));
        return sums;
    }
    TRUECASE_FOR(vnni) static inline truecase_group_vnni truecase_add_four_vnni(
        truecase_group_vnni sums, int32_t four, const int8_t *weights) {
        return _mm512_dpbusd_epi32(
            sums, _mm512_set1_epi32(four), _mm512_loadu_si512((const void *)weights));
    }
    TRUECASE_FOR(vnni) static inline truecase_group_vnni truecase_add_eight_vnni(
        truecase_group_vnni sums, const int32_t *fours, const int8_t *weights,
        const int8_t *others) {
        return truecase_add_four_vnni(truecase_add_four_vnni(sums, fours[0], weights),
                                      fours[1], others);
    }
    TRUECASE_FOR(avx2) static inline truecase_group_avx2 truecase_shift_group_avx2(
        truecase_group_avx2 sums, const int32_t *shifts, const int32_t *others) {
        const __m256i *more = (const void *)others, *left = (const void *)shifts;
        sums.low = _mm256_add_epi32(_mm256_loadu_si256(more), _mm256_sllv_epi32(
            sums.low, _mm256_loadu_si256(left)));
        sums.high = _mm256_add_epi32(_mm256_loadu_si256(more + 1), _mm256_sllv_epi32(
            sums.high, _mm256_loadu_si256(left + 1)));
        return sums;
    }
    TRUECASE_FOR(vnni) static inline truecase_group_vnni truecase_shift_group_vnni(
        truecase_group_vnni sums, const int32_t *shifts, const int32_t *others) {
        return _mm512_add_epi32(_mm512_loadu_si512((const void *)others), _mm512_sllv_epi32(
            sums, _mm512_loadu_si512((const void *)shifts)));
    }
    TRUECASE_FOR(avx2) static inline void truecase_store_group_avx2(
        truecase_group_avx2 sums, int32_t *out) {
        _mm256_storeu_si256((void *)out, sums.low);
        _mm256_storeu_si256((void *)(out + 8), sums.high);
    }
    TRUECASE_FOR(vnni) static inline void truecase_store_group_vnni(
        truecase_group_vnni sums, int32_t *out) {
        _mm512_storeu_si512((void *)out, sums);
    }
    TRUECASE_FOR(avx2) static inline __m256i truecase_round_group_avx2(
        truecase_group_avx2 sums, int shift) {
        const __m128i by = _mm_cvtsi32_si128(shift);
        return _mm256_permute4x64_epi64(_mm256_packs_epi32(
            _mm256_sra_epi32(sums.low, by), _mm256_sra_epi32(sums.high, by)), 0xd8);
    }
    TRUECASE_FOR(vnni) static inline __m256i truecase_round_group_vnni(
        truecase_group_vnni sums, int shift) {
        return _mm512_cvtsepi32_epi16(_mm512_sra_epi32(sums, _mm_cvtsi32_si128(shift)));
    }
    /* For N vectors, keeps the sums of some groups of rows in registers, and hands them to FINISH.
       Begins at `row`, and returns the first row that it has left. */
    #define TRUECASE_PRODUCTS(NAME, WAY, N, GROUPS, TYPE, FINISH) \\
        TRUECASE_FOR(WAY) \\
        static int NAME(const truecase_byte_matrix *matrix, const uint8_t *const *vectors, \\
                        const int32_t *bias, int third, int row, TYPE *const *out) { \\
            const int n_rows = matrix->n_rows; \\
            int quad, k, j; \\
            for (; row + GROUPS * TRUECASE_GROUP <= n_rows; row += GROUPS * TRUECASE_GROUP) { \\
                truecase_group_##WAY sums[N][GROUPS]; \\
                TRUECASE_UNROLL \\
                for (k = 0; k < N; k++) { \\
                    TRUECASE_UNROLL \\
                    for (j = 0; j < GROUPS; j++) { \\
                        sums[k][j] = truecase_no_sums_##WAY(); \\
                    } \\
                } \\
                for (quad = 0; quad + 1 < matrix->n_quads; quad += 2) { \\
                    const int8_t *weights = matrix->weights + 4 * (quad * n_rows + row); \\
                    TRUECASE_UNROLL \\
                    for (k = 0; k < N; k++) { \\
                        int32_t fours[2]; \\
                        memcpy(fours, vectors[k] + 4 * quad, sizeof fours); \\
                        TRUECASE_UNROLL \\
                        for (j = 0; j < GROUPS; j++) { \\
                            sums[k][j] = truecase_add_eight_##WAY( \\
                                sums[k][j], fours, weights + 4 * TRUECASE_GROUP * j, \\
                                weights + 4 * (n_rows + TRUECASE_GROUP * j)); \\
                        } \\
                    } \\
                } \\
                if (quad < matrix->n_quads) { \\
                    const int8_t *weights = matrix->weights + 4 * (quad * n_rows + row); \\
                    TRUECASE_UNROLL \\
                    for (k = 0; k < N; k++) { \\
                        int32_t four; \\
                        memcpy(&four, vectors[k] + 4 * quad, sizeof four); \\
                        TRUECASE_UNROLL \\
                        for (j = 0; j < GROUPS; j++) { \\
                            sums[k][j] = truecase_add_four_##WAY( \\
                                sums[k][j], four, weights + 4 * TRUECASE_GROUP * j); \\
                        } \\
                    } \\
                } \\
                TRUECASE_UNROLL \\
                for (k = 0; k < N; k++) { \\
                    TRUECASE_UNROLL \\
                    for (j = 0; j < GROUPS; j++) { \\
                        const int first = row + TRUECASE_GROUP * j; \\
                        FINISH(WAY, sums[k][j], matrix->shifts, first, out[k] + first) \\
                    } \\
                } \\
            } \\
            return row; \\
        }
    #define TRUECASE_ADD_GROUP(WAY, sums, shifts, first, out) \\
        (void)bias, (void)third; \\
        truecase_store_group_##WAY( \\
            truecase_shift_group_##WAY(sums, shifts + first, out), out);
    /* For one vector and for four, of several groups of rows and of the last ones. */
    #define TRUECASE_ALL_PRODUCTS(DOES, TYPE, FINISH, OF_FOUR) \\
        TRUECASE_PRODUCTS(truecase_##DOES##_bytes_avx2, avx2, 1, 3, TYPE, FINISH) \\
        TRUECASE_PRODUCTS(truecase_##DOES##_last_bytes_avx2, avx2, 1, 1, TYPE, FINISH) \\
        TRUECASE_PRODUCTS(truecase_##DOES##_four_bytes_avx2, avx2, 4, 1, TYPE, FINISH) \\
        TRUECASE_PRODUCTS(truecase_##DOES##_bytes_vnni, vnni, 1, 4, TYPE, FINISH) \\
        TRUECASE_PRODUCTS(truecase_##DOES##_last_bytes_vnni, vnni, 1, 1, TYPE, FINISH) \\
        TRUECASE_PRODUCTS(truecase_##DOES##_four_bytes_vnni, vnni, 4, OF_FOUR, TYPE, FINISH) \\
        TRUECASE_PRODUCTS(truecase_##DOES##_last_four_bytes_vnni, vnni, 4, 1, TYPE, FINISH)
    TRUECASE_ALL_PRODUCTS(add, int32_t, TRUECASE_ADD_GROUP, 2)
    /* The caller's `vectors` from `k` on, four at a time and then one: groups of rows, the rest. */
    #define TRUECASE_WHOLE(DOES, FIRST, LAST) { \\
            const int row = truecase_##DOES##_##FIRST( \\
                matrix, vectors + k, bias, third, 0, out + k); \\
            truecase_##DOES##_##LAST(matrix, vectors + k, bias, third, row, out + k); \\
        }
    #define TRUECASE_ALL_VECTORS(DOES) \\
        for (; way == 3 && k + 4 <= n; k += 4) \\
            TRUECASE_WHOLE(DOES, four_bytes_vnni, last_four_bytes_vnni) \\
        for (; way == 3 && k < n; k++) TRUECASE_WHOLE(DOES, bytes_vnni, last_bytes_vnni) \\
        for (; way == 2 && k + 4 <= n; k += 4) \\
            truecase_##DOES##_four_bytes_avx2(matrix, vectors + k, bias, third, 0, out + k); \\
        for (; way == 2 && k < n; k++) TRUECASE_WHOLE(DOES, bytes_avx2, last_bytes_avx2)
    static inline int truecase_has_vnni(void) {
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vnni");
    }
    #endif
    /* Adds the products of a matrix and n vectors, each to its own sums; `way` is 0 for plain C,
       1 for common vector instructions, 2 for AVX2, 3 for AVX-512. */
    static inline void truecase_add_bytes_by(int way, const truecase_byte_matrix *matrix,
                                             const uint8_t *const *vectors, int n,
                                             int32_t *const *out) {
        int k = 0;
    #ifdef TRUECASE_BYTES_AVX2
        const int32_t *bias = NULL;
        const int third = 0;
        TRUECASE_ALL_VECTORS(add)
    #endif
    #ifdef TRUECASE_COMMON_VECTORS
        for (; way == 1 && k < n; k++) {
            truecase_add_bytes_commonly(matrix, vectors[k], out[k]);
        }
    #endif
        for (; k < n; k++) {
            truecase_add_bytes_plainly(matrix, vectors[k], out[k]);
        }
    }
    /* The fastest way of this machine. */
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
        truecase_add_bytes_by(truecase_byte_way(), matrix, vectors, n, sums);
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
    BYTE_ZERO = 128              # 0 of a vector
    MAX_BYTE_WEIGHT = 63
    MAX_FOUR_WEIGHTS = 128       # sum of the positive ones, or of the negative ones


cdef inline int byte_place(int n_rows, int row, int column) noexcept nogil:
    """Place of a weight among those of a matrix."""
    return 4 * ((column // 4) * n_rows + row) + column % 4


# Units with byte products. Sums, gates and the state carried on are as fine as above; products read
# a state in steps of 1/128 and inputs in steps of 1/32.
cdef extern from *:
    """
    /* Rounds values that count 1/4096 to bytes that count 1/128 from 128; n is a multiple of 8. */
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

# The next states of units in groups: a group's products, gates and bytes in one go.
cdef extern from *:
    """
    #ifdef TRUECASE_BYTES_AVX2
    #define TRUECASE_ROUND_GROUP(WAY, sums, shifts, first, out) \\
        _mm256_storeu_si256((void *)(out), truecase_round_group_##WAY( \\
            truecase_shift_group_##WAY(sums, shifts + first, bias + first), \\
            first / TRUECASE_GROUP % 3 == 2 ? third : 12));
    TRUECASE_ALL_PRODUCTS(round, int16_t, TRUECASE_ROUND_GROUP, 4)
    #endif
    /* Rounds the sums of a matrix and n vectors, to which `bias` is added, to 16 bits: shifted by
       12, and those of each third group of rows by `third`. */
    static inline void truecase_round_bytes_by(
        int way, const truecase_byte_matrix *matrix, const uint8_t *const *vectors, int n,
        const int32_t *bias, int third, int16_t *const *out) {
        int32_t sums[TRUECASE_MOST_BYTE_ROWS], *into = sums;
        int k = 0, row;
    #ifdef TRUECASE_BYTES_AVX2
        TRUECASE_ALL_VECTORS(round)
    #endif
        for (; k < n; k++) {
            memcpy(sums, bias, matrix->n_rows * sizeof *sums);
            truecase_add_bytes_by(way, matrix, vectors + k, 1, &into);
            for (row = 0; row < matrix->n_rows; row += TRUECASE_GROUP) {
                truecase_round_sums(sums + row, TRUECASE_GROUP,
                                    row / TRUECASE_GROUP % 3 == 2 ? third : 12, out[k] + row);
            }
        }
    }
    static inline void truecase_round_bytes(
        const truecase_byte_matrix *matrix, const uint8_t *const *vectors, int n,
        const int32_t *bias, int third, int16_t *const *out) {
        TRUECASE_ASSERT(matrix->n_rows <= TRUECASE_MOST_BYTE_ROWS);
        truecase_round_bytes_by(truecase_byte_way(), matrix, vectors, n, bias, third, out);
    }
    /* Adds the products of the positive ones of 4 m sums and rows of four weights, in four sums. */
    static inline void truecase_add_outputs(const int32_t *sums, const float *weights, int n,
                                            float *out) {
        const float one = 1.0f / 4194304;
        int k, j;
    #ifdef TRUECASE_SSE2
        __m128 total[4];
        for (j = 0; j < 4; j++) {
            total[j] = _mm_setzero_ps();
        }
        for (k = 0; k < n; k += 4) {
            const __m128i four = _mm_loadu_si128((const __m128i *)(sums + k));
            const __m128 units = _mm_mul_ps(_mm_set1_ps(one), _mm_cvtepi32_ps(
                _mm_and_si128(four, _mm_cmpgt_epi32(four, _mm_setzero_si128()))));
            float unit[4];
            _mm_storeu_ps(unit, units);
    TRUECASE_UNROLL
            for (j = 0; j < 4; j++) {
                total[j] = _mm_add_ps(total[j], _mm_mul_ps(
                    _mm_loadu_ps(weights + 4 * (k + j)), _mm_set1_ps(unit[j])));
            }
        }
        _mm_storeu_ps(out, _mm_add_ps(_mm_loadu_ps(out), _mm_add_ps(
            _mm_add_ps(total[0], total[1]), _mm_add_ps(total[2], total[3]))));
    #else
        int t;
        for (t = 0; t < 4; t++) {
            float total[4] = {0};
            for (k = 0; k < n; k += 4) {
                for (j = 0; j < 4; j++) {
                    const float unit = (float)(sums[k + j] > 0 ? sums[k + j] : 0) * one;
                    total[j] += weights[4 * (k + j) + t] * unit;
                }
            }
            out[t] += (total[0] + total[1]) + (total[2] + total[3]);
        }
    #endif
    }
    #ifdef TRUECASE_BYTES_AVX2
    TRUECASE_FOR(avx2)
    static inline __m256i truecase_sixteen_within(__m256i value, int low, int high) {
        return _mm256_min_epi16(_mm256_max_epi16(value, _mm256_set1_epi16((short)low)),
                                _mm256_set1_epi16((short)high));
    }
    TRUECASE_FOR(avx2)
    static inline __m256i truecase_sixteen_scaled(__m256i a, __m256i b) {
        return _mm256_or_si256(_mm256_slli_epi16(_mm256_mulhi_epi16(a, b), 4),
                               _mm256_srli_epi16(_mm256_mullo_epi16(a, b), 12));
    }
    /* The rounded sums of z, r and c from the states of a group. */
    #define TRUECASE_STATE_SUMS(WAY) \\
        TRUECASE_FOR(WAY) static inline void truecase_state_sums_##WAY( \\
            const truecase_byte_matrix *of_state, const int32_t *bias, const uint8_t *bytes, \\
            __m256i *out) { \\
            truecase_group_##WAY sums[3]; \\
            int quad, k; \\
            TRUECASE_UNROLL \\
            for (k = 0; k < 3; k++) { \\
                sums[k] = truecase_no_sums_##WAY(); \\
            } \\
            TRUECASE_UNROLL \\
            for (quad = 0; quad < TRUECASE_GROUP / 4; quad += 2) { \\
                const int8_t *weights = of_state->weights + 12 * TRUECASE_GROUP * quad; \\
                int32_t fours[2]; \\
                memcpy(fours, bytes + 4 * quad, sizeof fours); \\
                TRUECASE_UNROLL \\
                for (k = 0; k < 3; k++) { \\
                    sums[k] = truecase_add_eight_##WAY( \\
                        sums[k], fours, weights + 4 * TRUECASE_GROUP * k, \\
                        weights + 4 * TRUECASE_GROUP * (3 + k)); \\
                } \\
            } \\
            TRUECASE_UNROLL \\
            for (k = 0; k < 3; k++) { \\
                out[k] = truecase_round_group_##WAY( \\
                    truecase_shift_group_##WAY(sums[k], of_state->shifts + TRUECASE_GROUP * k, \\
                                               bias + TRUECASE_GROUP * k), \\
                    k < 2 ? 12 : 10); \\
            } \\
        }
    TRUECASE_STATE_SUMS(avx2)
    TRUECASE_STATE_SUMS(vnni)
    /* Moves the states of n groups, a constant, step by step together: none waits for another. */
    TRUECASE_FOR(avx2)
    static inline __attribute__((always_inline)) void truecase_move_groups(
        int n, const int16_t *one, const int16_t *other, __m256i (*of_state)[3], int16_t *state,
        uint8_t *bytes) {
        __m256i gate[4][3], h[4];
        int g, k;
    TRUECASE_UNROLL
        for (k = 0; k < 3; k++) {
    TRUECASE_UNROLL
            for (g = 0; g < n; g++) {
                const int first = TRUECASE_GROUP * (3 * g + k);
                gate[g][k] = _mm256_adds_epi16(_mm256_loadu_si256((const void *)(one + first)),
                                               _mm256_loadu_si256((const void *)(other + first)));
                if (k < 2) {
                    gate[g][k] = truecase_sixteen_within(
                        _mm256_adds_epi16(_mm256_adds_epi16(gate[g][k], of_state[g][k]),
                                          _mm256_set1_epi16(TRUECASE_ONE / 2)),
                        0, TRUECASE_ONE);
                }
            }
        }
    TRUECASE_UNROLL
        for (g = 0; g < n; g++) {
            of_state[g][2] = truecase_sixteen_scaled(gate[g][1], of_state[g][2]);
        }
    TRUECASE_UNROLL
        for (g = 0; g < n; g++) {
            h[g] = _mm256_loadu_si256((const void *)(state + TRUECASE_GROUP * g));
            gate[g][2] = _mm256_sub_epi16(
                truecase_sixteen_within(_mm256_adds_epi16(gate[g][2], of_state[g][2]),
                                        -TRUECASE_ONE, TRUECASE_ONE), h[g]);
        }
    TRUECASE_UNROLL
        for (g = 0; g < n; g++) {
            h[g] = _mm256_add_epi16(h[g], truecase_sixteen_scaled(gate[g][0], gate[g][2]));
            _mm256_storeu_si256((void *)(state + TRUECASE_GROUP * g), h[g]);
        }
    TRUECASE_UNROLL
        for (g = 0; g < n; g++) {
            h[g] = _mm256_add_epi16(_mm256_srai_epi16(_mm256_add_epi16(
                h[g], _mm256_set1_epi16(16)), 5), _mm256_set1_epi16(128));
            _mm_storeu_si128((void *)(bytes + TRUECASE_GROUP * g), _mm_packus_epi16(
                _mm256_castsi256_si128(h[g]), _mm256_extracti128_si256(h[g], 1)));
        }
    }
    #define TRUECASE_SOME_GROUPS(WAY, N) \\
        for (; g + N <= n_groups; g += N) { \\
            const int at = TRUECASE_GROUP * g; \\
            __m256i sums[N][3]; \\
            TRUECASE_UNROLL \\
            for (k = 0; k < N; k++) { \\
                truecase_state_sums_##WAY(of_state + g + k, bias + 3 * (at + TRUECASE_GROUP * k), \\
                                          bytes + at + TRUECASE_GROUP * k, sums[k]); \\
            } \\
            truecase_move_groups(N, one + 3 * at, other + 3 * at, sums, state + at, bytes + at); \\
        }
    #define TRUECASE_NEXT_GROUPS(WAY) \\
        TRUECASE_FOR(WAY) static void truecase_next_groups_##WAY( \\
            const truecase_byte_matrix *of_state, const int32_t *bias, int n_groups, \\
            const int16_t *one, const int16_t *other, int16_t *state, uint8_t *bytes) { \\
            int g = 0, k; \\
            TRUECASE_SOME_GROUPS(WAY, 4) \\
            TRUECASE_SOME_GROUPS(WAY, 2) \\
            TRUECASE_SOME_GROUPS(WAY, 1) \\
        }
    TRUECASE_NEXT_GROUPS(avx2)
    TRUECASE_NEXT_GROUPS(vnni)
    #endif
    /* Moves the states of n groups of units, and `bytes`, the states in bytes, by two vectors of
       rounded sums and by the products of the states, to which `bias` is added. */
    static inline void truecase_next_groups_by(
        int way, const truecase_byte_matrix *of_state, const int32_t *bias, int n_groups,
        const int16_t *one, const int16_t *other, int16_t *state, uint8_t *bytes) {
        int g;
    #ifdef TRUECASE_BYTES_AVX2
        if (way >= 2) {
            (way == 3 ? truecase_next_groups_vnni : truecase_next_groups_avx2)(
                of_state, bias, n_groups, one, other, state, bytes);
            return;
        }
    #endif
        for (g = 0; g < n_groups; g++) {
            int32_t sums[3 * TRUECASE_GROUP], *into = sums;
            const uint8_t *before = bytes + g * TRUECASE_GROUP;
            memcpy(sums, bias + 3 * g * TRUECASE_GROUP, sizeof sums);
            truecase_add_bytes_by(way, of_state + g, &before, 1, &into);
            truecase_move_group(one + 3 * g * TRUECASE_GROUP, other + 3 * g * TRUECASE_GROUP, sums,
                                state + g * TRUECASE_GROUP);
        }
        truecase_state_bytes(state, n_groups * TRUECASE_GROUP, bytes);
    }
    static inline void truecase_next_groups(
        const truecase_byte_matrix *of_state, const int32_t *bias, int n_groups,
        const int16_t *one, const int16_t *other, int16_t *state, uint8_t *bytes) {
        truecase_next_groups_by(
            truecase_byte_way(), of_state, bias, n_groups, one, other, state, bytes);
    }
    """
    void add_outputs "truecase_add_outputs"(const int32_t* sums, const float* weights, int n,
                                            float* out) noexcept nogil
    void round_byte_products "truecase_round_bytes"(
        const ByteMatrix* matrix, const uint8_t** vectors, int n, const int32_t* bias, int third,
        int16_t** out) noexcept nogil
    void round_byte_products_by "truecase_round_bytes_by"(
        int way, const ByteMatrix* matrix, const uint8_t** vectors, int n, const int32_t* bias,
        int third, int16_t** out) noexcept nogil
    void next_groups "truecase_next_groups"(
        const ByteMatrix* of_state, const int32_t* bias, int n_groups, const int16_t* one,
        const int16_t* other, int16_t* state, uint8_t* bytes) noexcept nogil
    void next_groups_by "truecase_next_groups_by"(
        int way, const ByteMatrix* of_state, const int32_t* bias, int n_groups,
        const int16_t* one, const int16_t* other, int16_t* state, uint8_t* bytes) noexcept nogil


cdef struct GroupedUnits:        # one direction; rows for z, r and c of each group in turn
    int n_units                  # a multiple of GROUP, at most MAX_STATE
    ByteMatrix of_inputs         # of the first ones, whose sums are kept (`_kept_sums.pxd`)
    const int32_t* bias
    ByteMatrix of_rest           # of the other inputs
    const int32_t* rest_bias     # the effect of their zeros
    ByteMatrix of_state[MAX_GROUPS]
    const int32_t* state_bias    # the effect of the zeros of states


cdef inline void start_bytes(uint8_t* out, int n) noexcept nogil:
    """Fill a vector with zeros."""
    cdef int k
    for k in range(n):
        out[k] = BYTE_ZERO


cdef inline void sum_rest(const GroupedUnits* units, const uint8_t** rest, int n,
                          int16_t** out) noexcept nogil:
    """Compute the sums of n words' inputs that are not kept, rounded to 16 bits."""
    round_byte_products(&units.of_rest, rest, n, units.rest_bias, SUM_SHIFT - 2, out)


cdef inline void next_state(const GroupedUnits* units, const int16_t* of_inputs,
                            const int16_t* of_more, int16_t* state,
                            uint8_t* in_bytes) noexcept nogil:
    """Move the states by the sums of a word's inputs, and by further ones; both are rounded."""
    next_groups(units.of_state, units.state_bias, units.n_units // GROUP, of_inputs, of_more,
                state, in_bytes)


# Weights of training, as whole numbers and as bytes
cdef enum:
    MAX_WEIGHT = 8
    MAX_BIAS = 64


cdef inline double bounded(double weight) noexcept:
    """A weight within the range of models."""
    return min(max(weight, -<double>MAX_WEIGHT), <double>MAX_WEIGHT)


cdef inline void lay_sums(const float[::1] bias, int32_t* out) noexcept:
    cdef Py_ssize_t i
    cdef double value
    for i in range(bias.shape[0]):
        value = min(max(bias[i], -<double>MAX_BIAS), <double>MAX_BIAS)
        out[i] = <int32_t>lround(value * (1 << (WEIGHT_BITS + ONE_BITS)))


cdef inline int take_n_units(object section) except -1:
    """Read the number of units of a direction from the settings."""
    cdef int n = int(section.number("n_units", GROUP, MAX_STATE))
    if n % GROUP:
        # Imported here, as this file is included by modules with their own names.
        from truecase.errors import ModelError

        raise ModelError(f"the setting {section.name}.n_units is {n}: expected a multiple of "
                         f"{GROUP}")
    return n


cdef enum:
    STATE_BITS = 7               # bytes of a state count 1/128
    INPUT_BITS = 5               # bytes of inputs count 1/32
    SUM_BITS = ONE_BITS + WEIGHT_BITS


cdef inline void* take_zeros(list kept, size_t n) except NULL:
    """Memory of n bytes, all 0, from a cache line on, as vectors of weights want; `kept` gets its
    owner."""
    cdef bytearray owner = bytearray(n + CACHE_LINE)
    cdef char* memory = owner
    kept.append(owner)
    return memory + (CACHE_LINE - <size_t>memory % CACHE_LINE)


cdef inline bint fit_together(const ByteMatrix* matrix, int row) noexcept nogil:
    """Whether the products of two columns and of those four columns on fit in 16 bits together."""
    cdef const int8_t* one = matrix.weights + 4 * row
    cdef const int8_t* other
    cdef int _quad, k, above, below
    for _quad in range(0, matrix.n_quads - 1, 2):
        other = one + 4 * matrix.n_rows
        for k in range(0, 4, 2):
            above = max(one[k], 0) + max(one[k + 1], 0) + max(other[k], 0) + max(other[k + 1], 0)
            below = above - one[k] - one[k + 1] - other[k] - other[k + 1]
            if max(above, below) > MAX_FOUR_WEIGHTS:
                return False
        one = other + 4 * matrix.n_rows
    return True


cdef inline int lay_bytes(const float[::1] matrix, int first_row, int n_rows, int n_columns,
                          int first_column, int n_used, int value_bits, int32_t* bias,
                          list kept, ByteMatrix* out) except -1:
    """Lay out some rows and columns of a matrix as bytes; `n_used` is a multiple of 4.

    A row is as fine as its weights allow: they fit in bytes, and so do products in 16 bits.
    Subtracts the effect of a vector's zeros from `bias`, n_rows sums. `kept` gets the owners of the
    memory.
    """
    cdef int row, column, bits
    cdef double most, value
    cdef int32_t weight, total
    cdef int8_t* weights
    cdef int32_t* shifts
    out.n_quads = n_used // 4
    out.n_rows = (n_rows + 15) & ~15
    weights = <int8_t*>take_zeros(kept, <size_t>n_used * out.n_rows)
    shifts = <int32_t*>take_zeros(kept, out.n_rows * sizeof(int32_t))
    out.weights = weights
    out.shifts = shifts
    for row in range(n_rows):
        most = 0
        for column in range(n_used):
            value = bounded(matrix[(first_row + row) * n_columns + first_column + column])
            most = max(most, fabs(value))
        bits = SUM_BITS - value_bits
        while lround(most * (1 << bits)) > MAX_BYTE_WEIGHT:
            bits -= 1
        while True:
            total = 0
            for column in range(n_used):
                value = bounded(matrix[(first_row + row) * n_columns + first_column + column])
                weight = <int32_t>lround(value * (1 << bits))
                weights[byte_place(out.n_rows, row, column)] = <int8_t>weight
                total += weight
            if fit_together(out, row):
                break
            bits -= 1
        shifts[row] = SUM_BITS - value_bits - bits
        bias[row] = <int32_t>(<uint32_t>bias[row]
                              - (<uint32_t>(total * <int32_t>BYTE_ZERO) << shifts[row]))
    return 0


cdef inline int lay_units(object section, str name, int n_inputs, int n_kept, int n_rest,
                          list kept, GroupedUnits* units) except -1:
    """Read the arrays of a direction, whose number of units is set, and lay them out.

    The sums of the first `n_kept` inputs are kept, those of the last `n_rest` are not.
    """
    cdef int k, n_units = units.n_units, n_rows = 3 * n_units
    cdef const float[::1] values
    cdef int32_t* bias = <int32_t*>take_zeros(kept, 3 * n_rows * sizeof(int32_t))
    units.bias = bias
    units.rest_bias = bias + n_rows
    units.state_bias = bias + 2 * n_rows
    lay_sums(section.array(f"{name}.bias", "float32", n_rows), bias)
    values = section.array(f"{name}.inputs", "float32", n_rows * n_inputs)
    lay_bytes(values, 0, n_rows, n_inputs, 0, n_kept, INPUT_BITS, bias, kept, &units.of_inputs)
    lay_bytes(values, 0, n_rows, n_inputs, n_inputs - n_rest, n_rest, INPUT_BITS, bias + n_rows,
              kept, &units.of_rest)
    bias += 2 * n_rows
    values = section.array(f"{name}.state", "float32", n_rows * GROUP)
    for k in range(n_units // GROUP):
        lay_bytes(values, 3 * k * GROUP, 3 * GROUP, GROUP, 0, GROUP, STATE_BITS,
                  bias + 3 * k * GROUP, kept, &units.of_state[k])
    return 0
