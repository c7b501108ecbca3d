"""The hash of keys and surface forms, and the ASCII work on eight bytes at a time.

The hash is part of the model file format. It reads eight bytes at a time, little-endian,
the last block being the 1 to 8 bytes that remain, padded with zeros.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t


cdef extern from *:
    """
    #include <stdint.h>
    #include <string.h>
    #if defined(_MSC_VER)
    #include <intrin.h>
    static inline int truecase_trailing_zeros(uint64_t x) {
        unsigned long place;
    #if defined(_WIN64)
        _BitScanForward64(&place, x);
        return (int)place;
    #else
        if (_BitScanForward(&place, (unsigned long)x)) return (int)place;
        _BitScanForward(&place, (unsigned long)(x >> 32));
        return (int)place + 32;
    #endif
    }
    #else
    #define truecase_trailing_zeros(x) __builtin_ctzll(x)
    #endif
    static inline uint64_t truecase_load8(const uint8_t *p) {
        uint64_t x;
        memcpy(&x, p, 8);
    #if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        x = __builtin_bswap64(x);
    #endif
        return x;
    }
    static inline void truecase_store8(uint8_t *p, uint64_t x) {
    #if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        x = __builtin_bswap64(x);
    #endif
        memcpy(p, &x, 8);
    }
    #if defined(__SSE2__) || defined(_M_X64)
    #include <emmintrin.h>
    #define TRUECASE_SSE2 1
    #endif
    #define TRUECASE_HIGH UINT64_C(0x8080808080808080)
    #define TRUECASE_MULTIPLIER UINT64_C(0xd6e8feb86659fd93)
    #define TRUECASE_SEED UINT64_C(0x8a5cd789635d2dff)
    #define TRUECASE_LENGTH UINT64_C(0x9e3779b97f4a7c15)
    #define TRUECASE_EACH(byte) (UINT64_C(0x0101010101010101) * (byte))
    #define TRUECASE_GATHER UINT64_C(0x0102040810204080)
    """
    int trailing_zeros "truecase_trailing_zeros"(uint64_t x) noexcept nogil   # x != 0
    uint64_t load8 "truecase_load8"(const uint8_t* p) noexcept nogil
    void store8 "truecase_store8"(uint8_t* p, uint64_t x) noexcept nogil
    const uint64_t HIGH_BITS "TRUECASE_HIGH"
    const uint64_t HASH_MULTIPLIER "TRUECASE_MULTIPLIER"
    const uint64_t HASH_SEED "TRUECASE_SEED"
    const uint64_t HASH_LENGTH "TRUECASE_LENGTH"
    const uint64_t GATHER_BITS "TRUECASE_GATHER"
    uint64_t each_byte "TRUECASE_EACH"(int byte) noexcept nogil


cdef inline uint64_t first_bytes(uint32_t n) noexcept nogil:
    """Mask of the first n bytes of a block, 1 <= n <= 8."""
    return ~<uint64_t>0 >> (64 - 8 * n)


cdef inline uint64_t ascii_letters(uint64_t block) noexcept nogil:
    """High bit of each byte that is an ASCII letter."""
    cdef uint64_t folded = (block | each_byte(0x20)) & ~HIGH_BITS
    return ((folded + each_byte(0x80 - 0x61)) & ~(folded + each_byte(0x80 - 0x7b))
            & ~block & HIGH_BITS)


cdef inline uint64_t upper_letters(uint64_t block, uint64_t letters) noexcept nogil:
    """High bit of each letter that is upper case."""
    return letters & ~(block << 2)


cdef inline uint64_t gather(uint64_t high_bits) noexcept nogil:
    """The high bits of eight bytes as the eight lowest bits of a word, first byte lowest."""
    return ((high_bits >> 7) * GATHER_BITS) >> 56


cdef inline uint64_t hash_block(uint64_t state, uint64_t block) noexcept nogil:
    state = (state ^ block) * HASH_MULTIPLIER
    return state ^ (state >> 32)


cdef inline uint64_t hash_end(uint64_t state, uint64_t last_block, uint64_t n) noexcept nogil:
    state ^= last_block ^ (n * HASH_LENGTH)
    state ^= state >> 32
    state *= HASH_MULTIPLIER
    state ^= state >> 32
    state *= HASH_MULTIPLIER
    return state ^ (state >> 32)


cdef inline uint64_t hash_bytes(const uint8_t* p, uint32_t n) noexcept nogil:
    """Hash of any bytes; reads only these."""
    cdef uint64_t state = HASH_SEED, last = 0
    cdef uint32_t left = n, i
    while left > 8:
        state = hash_block(state, load8(p))
        p += 8
        left -= 8
    for i in range(left):
        last |= <uint64_t>p[i] << (8 * i)
    return hash_end(state, last, n)


cdef struct Hasher:              # the same hash, fed a few bytes at a time
    uint64_t state
    uint64_t block
    uint32_t in_block
    uint32_t n


cdef inline void start_hash(Hasher* hasher) noexcept nogil:
    hasher.state = HASH_SEED
    hasher.block = 0
    hasher.in_block = 0
    hasher.n = 0


cdef inline void feed_hash(Hasher* hasher, uint64_t bytes, uint32_t n) noexcept nogil:
    """Hash n <= 4 bytes more, the first one lowest, zeros above the last."""
    if hasher.in_block == 8:
        hasher.state = hash_block(hasher.state, hasher.block)
        hasher.block = 0
        hasher.in_block = 0
    hasher.block |= bytes << (8 * hasher.in_block)
    hasher.in_block += n
    hasher.n += n
    if hasher.in_block > 8:
        hasher.state = hash_block(hasher.state, hasher.block)
        hasher.in_block -= 8
        hasher.block = bytes >> (8 * (n - hasher.in_block))


cdef inline uint64_t finish_hash(const Hasher* hasher) noexcept nogil:
    return hash_end(hasher.state, hasher.block, hasher.n)


cdef inline uint64_t scramble(uint64_t x) noexcept nogil:
    """Full avalanche of one word."""
    return hash_end(0, x, 0)


cdef inline uint64_t mix(uint64_t x) noexcept nogil:
    """Finaliser with full avalanche (the constants of MurmurHash3's 64-bit finaliser)."""
    x ^= x >> 33
    x *= <uint64_t>0xff51afd7ed558ccd
    x ^= x >> 33
    x *= <uint64_t>0xc4ceb9fe1a85ec53
    x ^= x >> 33
    return x
