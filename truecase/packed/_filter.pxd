"""What is known beforehand of the searches of a packed table, so that they need not walk.

A search reads five slots of a table at a load of 0.9, some read hundreds, and where it ends cannot
be foreseen. A filter has of each slot

- a bit for each 24th part of the range of fingerprints: whether a search that begins there can
  find one of that part. Most searches that find nothing are answered by that;
- how far off the next smaller fingerprint is, which is where a search goes on.

Through a filter is found what `find_slot` finds, false matches of fingerprints included.
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport free, malloc

from truecase.packed._slots cimport PackedSlots, home_slot, read_bits, read_slot


cdef enum:
    N_PARTS = 24                 # of the range of fingerprints
    STEP_BITS = 8
    MAX_FALLING = 1024           # slots that a search may look at
    MAX_STEP = 255


cdef struct SlotFilter:
    # Per slot the parts, and in the lowest bits the step to the next smaller fingerprint, at most
    # MAX_STEP; NULL: there is no filter.
    uint32_t* slot


cdef inline void free_filter(SlotFilter* filter) noexcept nogil:
    free(filter.slot)
    filter.slot = NULL


cdef inline int part_of(const PackedSlots* slots, uint64_t hash) noexcept nogil:
    return <int>((hash & slots.fingerprint_mask) * N_PARTS >> slots.fingerprint_bits)


cdef inline bint may_find(const SlotFilter* filter, const PackedSlots* slots,
                          uint64_t hash) noexcept nogil:
    """Whether a search for `hash` may find something, by a filter that is there."""
    return (filter.slot[home_slot(slots, hash)] >> STEP_BITS >> part_of(slots, hash)) & 1


cdef inline uint64_t find_by_steps(const SlotFilter* filter, const PackedSlots* slots,
                                   uint64_t hash, uint32_t payload_mask) noexcept nogil:
    """What `find_slot` finds, by a filter that is there."""
    cdef uint64_t fingerprint = hash & slots.fingerprint_mask
    cdef uint64_t index = home_slot(slots, hash), slot, found, walked = 0, step
    while walked < slots.max_probes:
        slot = read_bits(slots, index)
        found = slot & slots.fingerprint_mask
        if found <= fingerprint:
            slot = (slot & slots.slot_mask) >> slots.fingerprint_bits
            return slot if found == fingerprint and slot & payload_mask else 0
        # Invariant: steps are at least 1, and lead to a slot of the table or around its end.
        step = filter.slot[index] & MAX_STEP
        walked += step
        index += step
        if index >= slots.n_slots:
            index -= slots.n_slots
    return 0


cdef inline void fill_filter(const PackedSlots* slots, SlotFilter* filter) noexcept nogil:
    """Make the filter of a table; none where memory is short or the table is of an odd shape.

    A search passes fingerprints greater than its own. So it can find those of its slots that are
    smaller than all before them, up to the first empty slot.
    """
    cdef uint64_t falling[MAX_FALLING]
    cdef uint64_t seen[MAX_FALLING]
    cdef uint32_t parts[MAX_FALLING]
    cdef uint64_t end = 0, n_seen, empty = 0, index, slot, fingerprint, distance
    cdef int n = 0
    filter.slot = NULL
    if slots.n_slots <= MAX_STEP:
        return
    while end < slots.n_slots and read_slot(slots, end) != 0:
        end += 1
    if end == slots.n_slots:
        return
    filter.slot = <uint32_t*>malloc(slots.n_slots * sizeof(uint32_t))
    if filter.slot == NULL:
        return
    index = end
    for n_seen in range(slots.n_slots):
        slot = read_slot(slots, index)
        if slot == 0:
            n = 0
            empty = n_seen
            filter.slot[index] = 1
        else:
            # What a search that passes this slot can find, the nearest last.
            fingerprint = slot & slots.fingerprint_mask
            while n > 0 and falling[n - 1] >= fingerprint:
                n -= 1
            if n == MAX_FALLING:
                free_filter(filter)
                return
            falling[n] = fingerprint
            seen[n] = n_seen
            parts[n] = (parts[n - 1] if n > 0 else 0) | (
                <uint32_t>1 << part_of(slots, fingerprint))
            distance = n_seen - (seen[n - 1] if n > 0 else empty)
            filter.slot[index] = parts[n] << STEP_BITS | <uint32_t>min(
                distance, <uint64_t>MAX_STEP)
            n += 1
        index = (index if index > 0 else slots.n_slots) - 1
