"""N-grams packed into integers, and their radix sort.

An n-gram of ids of `bits` bits each is packed with its first word in the highest bits, so that
numeric order is the lexicographic order of the ids, the prefix is a shift and the suffix a mask.
Keys of up to 64 bits are one `uint64_t`, longer ones a `Key128`; in NumPy arrays a `Key128` is two
consecutive uint64, high half first.
"""

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.string cimport memset


cdef enum SpecialId:              # of every vocabulary
    BOS = 1                       # <s>
    EOS = 2                       # </s>, which ends a line
    N_SPECIALS = 3                # with <unk>


cdef struct Key128:
    uint64_t hi
    uint64_t lo


ctypedef fused Key:
    uint64_t
    Key128


cdef inline int key_width(int order, int bits) except -1:
    """Check that a key can hold `order` words; return the uint64 per key."""
    if not (1 <= order <= 8 and 2 <= bits <= 32 and order * bits <= 128):
        raise ValueError(f"{order} words of {bits} bits do not fit in a key")
    return 1 if order * bits <= 64 else 2


cdef inline Key128 shift_right(Key128 key, int n_bits) noexcept nogil:
    # 0 <= n_bits < 128; a shift by 64 or more of a 64-bit number is undefined.
    cdef Key128 out
    if n_bits == 0:
        return key
    if n_bits >= 64:
        out.hi = 0
        out.lo = key.hi >> (n_bits - 64)
    else:
        out.hi = key.hi >> n_bits
        out.lo = (key.lo >> n_bits) | (key.hi << (64 - n_bits))
    return out


cdef inline uint64_t ones(int n_bits) noexcept nogil:
    """The lowest `n_bits` bits set, 0 <= n_bits <= 64."""
    return 0 if n_bits == 0 else <uint64_t>0xffffffffffffffff >> (64 - n_bits)


cdef inline Key128 mask128(int n_bits) noexcept nogil:
    cdef Key128 out
    out.hi = ones(n_bits - 64 if n_bits > 64 else 0)
    out.lo = ones(64 if n_bits > 64 else n_bits)
    return out


cdef inline Key128 push_word(Key128 key, uint32_t word_id, int bits, Key128 mask) noexcept nogil:
    """Append a word, dropping the first one; 1 <= bits <= 32."""
    key.hi = ((key.hi << bits) | (key.lo >> (64 - bits))) & mask.hi
    key.lo = ((key.lo << bits) | word_id) & mask.lo
    return key


cdef inline uint32_t word_of(Key key, int position_from_end, int bits) noexcept nogil:
    """The word id at a position counted from the last word."""
    cdef Key128 shifted
    if Key is uint64_t:
        return <uint32_t>((key >> (position_from_end * bits)) & ones(bits))
    else:
        shifted = shift_right(key, position_from_end * bits)
        return <uint32_t>(shifted.lo & ones(bits))


cdef inline bint same_key(Key128 a, Key128 b) noexcept nogil:
    return a.lo == b.lo and a.hi == b.hi


cdef inline bint less_key(Key128 a, Key128 b) noexcept nogil:
    return a.hi < b.hi or (a.hi == b.hi and a.lo < b.lo)


cdef inline bint same_prefix(Key128 a, Key128 b, int bits) noexcept nogil:
    """Whether all words but the last are equal."""
    return a.hi == b.hi and (a.lo ^ b.lo) >> bits == 0


cdef inline Key128 key_at(const uint64_t* keys, int64_t index, int width) noexcept nogil:
    cdef Key128 key
    if width == 1:
        key.hi = 0
        key.lo = keys[index]
    else:
        key.hi = keys[2 * index]
        key.lo = keys[2 * index + 1]
    return key


cdef inline void set_key(uint64_t* keys, int64_t index, int width, Key128 key) noexcept nogil:
    if width == 2:
        keys[2 * index] = key.hi
    keys[index * width + width - 1] = key.lo


cdef inline Key128 masked(Key128 key, Key128 mask) noexcept nogil:
    key.hi &= mask.hi
    key.lo &= mask.lo
    return key


# Radix sort, least significant digit first

cdef enum:
    RADIX = 256


cdef struct Counted64:            # an n-gram and its count
    uint64_t key
    uint64_t count


cdef struct Counted128:
    Key128 key
    uint64_t count


ctypedef fused Sortable:
    uint64_t
    Key128
    Counted64
    Counted128


cdef inline int digit(Sortable record, int at) noexcept nogil:
    """Byte `at` of the key, counted from the lowest."""
    cdef Key128 key
    if Sortable is uint64_t:
        return <int>((record >> (8 * at)) & 255)
    elif Sortable is Counted64:
        return <int>((record.key >> (8 * at)) & 255)
    else:
        if Sortable is Key128:
            key = record
        else:
            key = record.key
        return <int>(((key.lo >> (8 * at)) if at < 8 else (key.hi >> (8 * at - 64))) & 255)


cdef inline Sortable* radix_sort(Sortable* keys, Sortable* scratch, int64_t n,
                                 int n_bits) noexcept nogil:
    """Sort stably by the lowest `n_bits` bits; return `keys` or `scratch`, whichever is sorted."""
    cdef int64_t histogram[16][RADIX]
    cdef int64_t i, total, here
    cdef int at, value, n_digits = (n_bits + 7) // 8
    cdef Sortable* other
    cdef Sortable key
    memset(histogram, 0, sizeof(histogram))
    for i in range(n):
        key = keys[i]
        for at in range(n_digits):
            histogram[at][digit(key, at)] += 1
    for at in range(n_digits):
        if n == 0 or histogram[at][digit(keys[0], at)] == n:
            continue
        total = 0
        for value in range(RADIX):
            here = histogram[at][value]
            histogram[at][value] = total
            total += here
        for i in range(n):
            key = keys[i]
            value = digit(key, at)
            scratch[histogram[at][value]] = key
            histogram[at][value] += 1
        other = keys
        keys = scratch
        scratch = other
    return keys
