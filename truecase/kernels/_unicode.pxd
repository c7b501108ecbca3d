"""UTF-8, the case of code points, hashes of words, and work on eight bytes at a time.

``case_tables.py`` generates the tables of code points from ``unicode.txt`` at build time. Bytes
that are not UTF-8 are code points above U+10FFFF, one for each byte: letters without case.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t, uint8_t
from libc.string cimport memchr, memset

from truecase.base._check cimport check


# UTF-8. Any bytes can be decoded.

cdef enum:
    INVALID_BYTE = 0x80000000    # + the byte: the "code point" of a byte outside UTF-8


cdef inline bint ascii_space(uint8_t c) noexcept nogil:
    return c == 0x20 or (c >= 0x09 and c <= 0x0d)


# Letters and digits of ASCII.

cdef inline bint is_letter(uint8_t byte) noexcept nogil:
    return 0x61 <= byte | 0x20 <= 0x7a


cdef inline bint is_digit(uint8_t byte) noexcept nogil:
    return 0x30 <= byte <= 0x39


cdef inline uint32_t decode_long(const uint8_t* p, const uint8_t* end,
                                 uint32_t* length) noexcept nogil:
    """Code point of three or four bytes at `p`, or an invalid byte."""
    cdef uint32_t first = p[0], cp
    length[0] = 1
    if first < 0xe0 or first > 0xf4 or end - p < 3:
        return INVALID_BYTE + first
    if (p[1] & 0xc0) != 0x80 or (p[2] & 0xc0) != 0x80:
        return INVALID_BYTE + first
    if first < 0xf0:
        cp = ((first & 0x0f) << 12) | (<uint32_t>(p[1] & 0x3f) << 6) | (p[2] & 0x3f)
        if cp < 0x800 or (cp >= 0xd800 and cp < 0xe000):
            return INVALID_BYTE + first
        length[0] = 3
        return cp
    if end - p < 4 or (p[3] & 0xc0) != 0x80:
        return INVALID_BYTE + first
    cp = (((first & 0x07) << 18) | (<uint32_t>(p[1] & 0x3f) << 12)
          | (<uint32_t>(p[2] & 0x3f) << 6) | (p[3] & 0x3f))
    if cp < 0x10000 or cp > 0x10ffff:
        return INVALID_BYTE + first
    length[0] = 4
    return cp


cdef inline uint32_t decode(const uint8_t* p, const uint8_t* end, uint32_t* length) noexcept nogil:
    """Code point at `p` and its length in bytes. Invariant: p < end.

    Overlong forms, surrogates and values above U+10FFFF are invalid, byte by byte.
    """
    cdef uint32_t first = p[0]
    check(p < end)
    if first < 0x80:
        length[0] = 1
        return first
    if first >= 0xc2 and first < 0xe0 and end - p >= 2 and (p[1] & 0xc0) == 0x80:
        length[0] = 2
        return ((first & 0x1f) << 6) | (p[1] & 0x3f)
    return decode_long(p, end, length)


cdef inline uint32_t encode(uint32_t cp, uint8_t* out) noexcept nogil:
    """Write a code point, or an invalid byte as it was; the number of bytes written, 1 to 4."""
    if cp < 0x80:
        out[0] = <uint8_t>cp
        return 1
    if cp < 0x800:
        out[0] = <uint8_t>(0xc0 | (cp >> 6))
        out[1] = <uint8_t>(0x80 | (cp & 0x3f))
        return 2
    if cp < 0x10000:
        out[0] = <uint8_t>(0xe0 | (cp >> 12))
        out[1] = <uint8_t>(0x80 | ((cp >> 6) & 0x3f))
        out[2] = <uint8_t>(0x80 | (cp & 0x3f))
        return 3
    if cp <= 0x10ffff:
        out[0] = <uint8_t>(0xf0 | (cp >> 18))
        out[1] = <uint8_t>(0x80 | ((cp >> 12) & 0x3f))
        out[2] = <uint8_t>(0x80 | ((cp >> 6) & 0x3f))
        out[3] = <uint8_t>(0x80 | (cp & 0x3f))
        return 4
    out[0] = <uint8_t>(cp & 0xff)
    return 1


# Case and class of code points.

cdef extern from "_case_tables.h" nogil:
    ctypedef struct CaseRecord:
        int32_t lower            # differences to add to the code point
        int32_t upper
        int32_t title
        uint8_t bits             # CharacterClass
        uint8_t no_capital       # a letter whose lower case has no capital: ﬁ, µ, ẞ
    const CaseRecord* case_record
    const uint8_t* case_block
    const uint8_t* case_entry
    const uint8_t* ascii_bits
    const char* TRUECASE_UNICODE     # the version of Unicode of these tables


cdef extern from *:
    """
    static const CaseRecord truecase_broken = {0, 0, 0, 1, 0};   /* CHAR_LETTER */
    """
    const CaseRecord* broken_record "&truecase_broken"


cdef enum Tag:
    TAG_AL = 0                   # all lowercase
    TAG_IU = 1                   # first cased letter upper, the rest lower
    TAG_AU = 2                   # all cased letters upper, at least two of them
    TAG_MX = 3                   # any other mixture
    TAG_AN = 4                   # no cased letter


cdef enum CharacterClass:
    CHAR_LETTER = 1
    CHAR_MARK = 2                # combining mark, joiner or soft hyphen
    CHAR_DIGIT = 4
    CHAR_SPACE = 8
    CHAR_ENDS_SENTENCE = 32
    CHAR_CLOSES = 64
    CHAR_CASED = 128
    CHAR_WORD = 7                # letter, mark or digit


cdef enum:
    MAX_CODE_POINT = 0x10ffff


cdef inline const CaseRecord* case_of(uint32_t cp) noexcept nogil:
    if cp > MAX_CODE_POINT:
        return broken_record
    return &case_record[case_entry[(<uint32_t>case_block[cp >> 7] << 7) | (cp & 127)]]


cdef inline uint8_t class_of(uint32_t cp) noexcept nogil:
    return ascii_bits[cp] if cp < 128 else case_of(cp).bits


cdef inline uint32_t to_lower(uint32_t cp, bint turkic) noexcept nogil:
    """Simple lower case; Σ becomes σ, whatever follows."""
    if turkic:
        if cp == 0x49:
            return 0x131
        if cp == 0x130:
            return 0x69
    return cp + case_of(cp).lower


cdef inline uint32_t to_fold(uint32_t cp, bint turkic) noexcept nogil:
    """Lower case with ς as σ, as keys have it."""
    return 0x3c3 if cp == 0x3c2 else to_lower(cp, turkic)


cdef inline uint32_t to_upper(uint32_t cp, bint turkic) noexcept nogil:
    if turkic:
        if cp == 0x69:
            return 0x130
        if cp == 0x131:
            return 0x49
    return cp + case_of(cp).upper


cdef inline uint32_t to_title(uint32_t cp, bint turkic) noexcept nogil:
    if turkic and (cp == 0x69 or cp == 0x131):
        return to_upper(cp, True)
    return cp + case_of(cp).title


cdef inline bint has_case(uint32_t cp, bint turkic) noexcept nogil:
    """Whether some mapping changes the code point or another one into it."""
    if turkic and (cp == 0x130 or cp == 0x131):
        return True
    return (class_of(cp) & CHAR_CASED) != 0


cdef inline bint has_no_capital(uint32_t cp, bint turkic) noexcept nogil:
    """Whether it is a letter whose lower case has no capital; letters after it stay, too."""
    return cp >= 0x80 and case_of(cp).no_capital and not has_case(cp, turkic)


cdef struct CaseShape:           # the case of a word, built up code point by code point
    uint64_t upper_mask          # bit i < 63: code point i is upper or title; bit 63: a later one
    uint32_t n                   # code points so far
    uint32_t n_cased
    uint32_t n_raised            # in upper or title case
    uint32_t n_upper             # in upper case as `to_upper` makes it
    bint first_is_title          # the first cased one is raised, and as `to_title` makes it
    bint is_broken               # one was an invalid byte: no later one is the first letter


cdef inline void clear_shape(CaseShape* shape) noexcept nogil:
    memset(shape, 0, sizeof(CaseShape))


cdef inline void add_raised(CaseShape* shape, uint32_t cp, bint turkic) noexcept nogil:
    """Count a code point that differs from its lower case; n and n_cased are for the caller."""
    shape.n_raised += 1
    shape.n_upper += to_upper(cp, turkic) == cp
    if shape.n_cased == 0:
        shape.first_is_title = to_title(cp, turkic) == cp and not shape.is_broken
    shape.upper_mask |= <uint64_t>1 << (shape.n if shape.n < 63 else 63)


cdef inline void add_to_shape(CaseShape* shape, uint32_t cp, bint turkic) noexcept nogil:
    if has_case(cp, turkic):
        if to_lower(cp, turkic) != cp:
            add_raised(shape, cp, turkic)
        shape.n_cased += 1
    elif cp > MAX_CODE_POINT:
        shape.is_broken = True
    shape.n += 1


cdef inline uint8_t shape_tag(const CaseShape* shape) noexcept nogil:
    """The tag that renders the folded word as it was, or MX.

    A lone capital is IU, unless it is not a title-case letter (Georgian capitals, Ǆ) or an invalid
    byte comes before it.
    """
    if shape.n_cased == 0:
        return TAG_AN
    if shape.n_raised == 0:
        return TAG_AL
    if shape.n_raised == 1 and shape.first_is_title:
        return TAG_IU
    if shape.n_upper == shape.n_cased:
        return TAG_AU
    return TAG_MX


cdef inline bint ends_word_sigma(uint32_t before, uint32_t after) noexcept nogil:
    """Whether a sigma between these code points is ς; marks are skipped, 0 stands for none."""
    return ((class_of(before) & CHAR_LETTER) != 0
            and (class_of(after) & CHAR_LETTER) == 0)


# Hashes of keys and surface forms, which model files contain. The hash reads eight bytes at a time,
# little-endian; the last block has the 1 to 8 bytes that remain, padded with zeros.

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
    """Add n <= 4 bytes, the first one lowest, zeros above the last."""
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


cdef inline uint64_t draw(uint64_t* state) noexcept nogil:
    """The next random number by SplitMix64 (Steele, Lea & Flood 2014)."""
    cdef uint64_t x
    state[0] += <uint64_t>0x9e3779b97f4a7c15
    x = state[0]
    x = (x ^ (x >> 30)) * <uint64_t>0xbf58476d1ce4e5b9
    x = (x ^ (x >> 27)) * <uint64_t>0x94d049bb133111eb
    return x ^ (x >> 31)


cdef inline size_t find_byte(const uint8_t* text, size_t p, size_t end,
                             uint8_t byte) noexcept nogil:
    """The place of the first such byte from p on, or `end`."""
    cdef const void* found = memchr(text + p, byte, end - p)
    return end if found == NULL else <size_t>(<const uint8_t*>found - text)


cdef inline int64_t line_feeds(const uint8_t* text, size_t size) noexcept nogil:
    cdef const uint8_t* end = text + size
    cdef const uint8_t* at = text
    cdef int64_t n = 0
    while at < end:
        at = <const uint8_t*>memchr(at, 0x0a, end - at)
        if at == NULL:
            break
        n += 1
        at += 1
    return n


cdef inline const uint8_t* line_feed_behind(const uint8_t* at, const uint8_t* last,
                                            int64_t n_feeds) noexcept nogil:
    """The line feed behind so many others from `at` on, or NULL."""
    at = <const uint8_t*>memchr(at, 0x0a, last - at)
    while n_feeds and at != NULL:
        at = <const uint8_t*>memchr(at + 1, 0x0a, last - at - 1)
        n_feeds -= 1
    return at
