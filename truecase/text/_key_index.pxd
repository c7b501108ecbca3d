"""A growing map of 64-bit hashes to small numbers: open addressing, linear probing."""

from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport calloc, free

from truecase.runtime._status cimport STATUS_OK, STATUS_OUT_OF_MEMORY, STATUS_TOO_LONG


cdef enum:
    NOT_FOUND = 0xffffffff


cdef struct KeySlot:
    uint64_t key
    uint32_t value_plus_one      # 0: empty


cdef struct KeyIndex:            # zeroed is empty and usable; freed by its owner
    KeySlot* slots
    uint64_t capacity            # 0 or a power of two, at most 3/4 filled
    uint64_t n


cdef inline void free_index(KeyIndex* index) noexcept nogil:
    free(index.slots)
    index.slots = NULL
    index.capacity = 0
    index.n = 0


cdef inline uint64_t first_slot(uint64_t key, uint64_t capacity) noexcept nogil:
    return (key ^ (key >> 32)) & (capacity - 1)


cdef inline KeySlot* slot_of_key(const KeyIndex* index, uint64_t key) noexcept nogil:
    """Where a key stands until the next one is added, or NULL."""
    cdef uint64_t at
    if index.n == 0:
        return NULL
    at = first_slot(key, index.capacity)
    while index.slots[at].value_plus_one:
        if index.slots[at].key == key:
            return index.slots + at
        at = (at + 1) & (index.capacity - 1)
    return NULL


cdef inline uint32_t find_key(const KeyIndex* index, uint64_t key) noexcept nogil:
    """The number of a key, or NOT_FOUND."""
    cdef const KeySlot* slot = slot_of_key(index, key)
    return NOT_FOUND if slot == NULL else slot.value_plus_one - 1


cdef inline int resize_index(KeyIndex* index, uint64_t capacity) noexcept nogil:
    """Give it that many slots, a power of two and enough for its keys; a Status."""
    cdef KeySlot* slots = <KeySlot*>calloc(capacity, sizeof(KeySlot))
    cdef uint64_t i, at
    if slots == NULL:
        return STATUS_OUT_OF_MEMORY
    for i in range(index.capacity):
        if index.slots[i].value_plus_one:
            at = first_slot(index.slots[i].key, capacity)
            while slots[at].value_plus_one:
                at = (at + 1) & (capacity - 1)
            slots[at] = index.slots[i]
    free(index.slots)
    index.slots = slots
    index.capacity = capacity
    return STATUS_OK


cdef inline int add_key(KeyIndex* index, uint64_t key, uint32_t value) noexcept nogil:
    """Map a key that is not there yet; a Status."""
    cdef uint64_t at
    cdef int status
    if value >= NOT_FOUND - 1:
        return STATUS_TOO_LONG
    if 4 * (index.n + 1) > 3 * index.capacity:
        status = resize_index(index, 2 * index.capacity if index.capacity else 1024)
        if status != STATUS_OK:
            return status
    at = first_slot(key, index.capacity)
    while index.slots[at].value_plus_one:
        at = (at + 1) & (index.capacity - 1)
    index.slots[at].key = key
    index.slots[at].value_plus_one = value + 1
    index.n += 1
    return STATUS_OK


cdef inline int add_bits(KeyIndex* index, uint64_t key, uint32_t bits) noexcept nogil:
    """Set bits of a key's number, 0 of one that is not there yet; a Status."""
    cdef KeySlot* slot = slot_of_key(index, key)
    if slot == NULL:
        return add_key(index, key, bits)
    slot.value_plus_one = ((slot.value_plus_one - 1) | bits) + 1
    return STATUS_OK
