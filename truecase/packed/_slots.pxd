"""Packed tables: open addressing, bit-packed slots of a fingerprint and a payload.

A slot holds ``fingerprint | payload`` (from the lowest bit up) in ``slot_bits`` bits with no
padding between slots. A payload without a bit of the table's mask marks an empty slot. The home
slot comes from the upper half of an entry's hash, the fingerprint from the lower half; look-up
probes linearly from the home slot. The table is an ordered one (Amble & Knuth 1974): from an
entry's home slot up to its own, no fingerprint is smaller than its own, so that a search ends
at the first smaller one. At a load of 0.8 a failed search reads 3 slots instead of 13, and is
wrong (finds a stranger with the same fingerprint) 4 times less often.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from truecase.runtime._check cimport check, prefetch
from truecase.text._hash cimport load8


cdef enum:
    MAX_SLOT_BITS = 56           # a slot is read as one unaligned 64-bit word, shifted by 0-7 bits
    SLOT_PADDING = 8             # bytes after the last slot, so that this read stays inside
    SEARCH_BYTES = 11            # from the home slot on: most searches go no further


cdef struct PackedSlots:
    const uint8_t* data          # (n_slots * slot_bits + 7) / 8 + SLOT_PADDING bytes
    uint64_t n_slots             # < 2**32; 0: the table is empty and never read
    uint64_t slot_mask           # slot_bits ones
    uint64_t fingerprint_mask    # fingerprint_bits ones
    uint32_t slot_bits
    uint32_t fingerprint_bits
    uint32_t max_probes          # no entry is farther from its home slot than max_probes - 1


cdef inline uint64_t home_slot(const PackedSlots* slots, uint64_t hash) noexcept nogil:
    return ((hash >> 32) * slots.n_slots) >> 32


cdef inline uint64_t read_bits(const PackedSlots* slots, uint64_t index) noexcept nogil:
    """A slot, and above it bits of those that follow."""
    # Invariant: index < n_slots; the loader checked the length of data, padding included.
    cdef uint64_t bit = index * slots.slot_bits
    check(index < slots.n_slots)
    return load8(slots.data + (bit >> 3)) >> (bit & 7)


cdef inline uint64_t read_slot(const PackedSlots* slots, uint64_t index) noexcept nogil:
    return read_bits(slots, index) & slots.slot_mask


cdef inline void prefetch_slot(const PackedSlots* slots, uint64_t hash) noexcept nogil:
    """Ask for what a search reads; it may be in two lines of the cache."""
    cdef const uint8_t* home = slots.data + ((home_slot(slots, hash) * slots.slot_bits) >> 3)
    prefetch(home)
    prefetch(home + SEARCH_BYTES)


cdef inline uint64_t find_slot(const PackedSlots* slots, uint64_t hash,
                               uint32_t payload_mask) noexcept nogil:
    """The payload (slot without its fingerprint) of `hash`, or 0.

    An empty slot, whose payload has no bit of `payload_mask` set, ends the search.
    """
    cdef uint64_t fingerprint = hash & slots.fingerprint_mask
    cdef uint64_t index, slot, found
    cdef uint32_t _
    if slots.n_slots == 0:
        return 0
    index = home_slot(slots, hash)
    for _ in range(slots.max_probes):
        slot = read_bits(slots, index)
        found = slot & slots.fingerprint_mask
        # An empty slot is zero, and so is its fingerprint.
        if found <= fingerprint:
            slot = (slot & slots.slot_mask) >> slots.fingerprint_bits
            return slot if found == fingerprint and slot & payload_mask else 0
        index += 1
        if index == slots.n_slots:
            index = 0
    return 0


cdef inline uint64_t find_narrow(const PackedSlots* slots, uint64_t hash,
                                 uint32_t payload_mask) noexcept nogil:
    """The bits of `payload_mask` of what `find_slot` finds, but nearly without branches.

    For tables of which it cannot be predicted whether they have an entry. Three slots at a time
    fit one read if they are narrow, and most searches need no more than two such reads.
    """
    cdef uint32_t shift = slots.slot_bits
    cdef uint64_t mask = slots.fingerprint_mask, second = mask << shift, third = second << shift
    cdef uint64_t fingerprint = hash & mask, index, stop, word, n_greater, goes_on
    if 3 * shift > MAX_SLOT_BITS + 1 or slots.n_slots == 0:
        return find_slot(slots, hash, payload_mask) & payload_mask
    index = home_slot(slots, hash)
    stop = min(index + slots.max_probes, slots.n_slots)
    while index + 2 < stop:
        word = read_bits(slots, index)
        # The search goes on at a greater fingerprint.
        goes_on = (word & mask) > fingerprint
        n_greater = goes_on
        goes_on &= (word & second) > fingerprint << shift
        n_greater += goes_on
        goes_on &= (word & third) > fingerprint << shift << shift
        if not goes_on:
            word >>= n_greater * shift
            return (word >> slots.fingerprint_bits) & payload_mask & (
                -<uint64_t>((word & mask) == fingerprint))
        index += 3
    # Around the end of the table, or as far as any search goes.
    return find_slot(slots, hash, payload_mask) & payload_mask


cdef inline int point_at(PackedSlots* slots, const uint8_t[::1] data, uint64_t n_slots,
                         int fingerprint_bits, int payload_bits, uint64_t max_probes) except -1:
    """Point `slots` at a packed table in memory of the caller; ValueError if it is too short."""
    cdef int slot_bits = fingerprint_bits + payload_bits
    if not (1 <= fingerprint_bits <= 32 and 1 <= payload_bits <= 32 and slot_bits <= MAX_SLOT_BITS):
        raise ValueError(f"slots of {fingerprint_bits} + {payload_bits} bits cannot be read")
    if n_slots > <uint64_t>0xffffffff or max_probes > <uint64_t>0xffffffff:
        raise ValueError(f"{n_slots} slots are more than a table can have")
    if <uint64_t>data.shape[0] < (n_slots * slot_bits + 7) // 8 + SLOT_PADDING:
        raise ValueError(f"the table is shorter than its {n_slots} slots")
    slots.data = &data[0]
    slots.n_slots = n_slots
    slots.slot_bits = slot_bits
    slots.slot_mask = (<uint64_t>1 << slot_bits) - 1
    slots.fingerprint_bits = fingerprint_bits
    slots.fingerprint_mask = (<uint64_t>1 << fingerprint_bits) - 1
    slots.max_probes = <uint32_t>max_probes
    return 0
