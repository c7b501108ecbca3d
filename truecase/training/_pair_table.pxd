"""Interned surface forms, and counts of pairs of them, while a bitext is read."""

from libc.stdint cimport uint32_t, uint64_t, uint8_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from truecase.base._check cimport prefetch
from truecase.base._memory cimport STATUS_OK, STATUS_OUT_OF_MEMORY, STATUS_TOO_LONG, grow
from truecase.kernels._unicode cimport mix


cdef enum:
    FIRST_SLOTS = 1 << 12        # a power of two; tables double before they are 5/8 full
    MOST_FORMS = 1 << 30


cdef struct FormTable:           # all zeros at first
    uint32_t* slots              # 1 + id of the form that lies there; 0: empty
    uint64_t* form               # by id, in order of first sight
    uint64_t* key
    uint8_t* tag
    uint64_t n_slots
    uint32_t n
    uint32_t capacity


cdef struct PairSlot:
    uint64_t pair                # source id in the upper half, target id in the lower
    uint32_t count               # 0: the slot is empty


cdef struct PairTable:           # all zeros at first
    PairSlot* slots
    uint64_t n_slots
    uint64_t n


cdef inline void free_forms(FormTable* table) noexcept nogil:
    free(table.slots)
    free(table.form)
    free(table.key)
    free(table.tag)
    memset(table, 0, sizeof(FormTable))


cdef inline void free_pairs(PairTable* table) noexcept nogil:
    free(table.slots)
    memset(table, 0, sizeof(PairTable))


cdef inline int _grow_forms(FormTable* table) noexcept nogil:
    """Double the slots, and make ids for 5/8 of them; a Status."""
    cdef uint64_t n_slots = 2 * table.n_slots if table.n_slots else FIRST_SLOTS
    cdef uint64_t slot
    cdef size_t wanted = <size_t>(n_slots // 8 * 5)
    cdef uint32_t* slots
    cdef uint32_t i
    if wanted > MOST_FORMS:
        return STATUS_TOO_LONG
    if (grow(<void**>&table.form, wanted, sizeof(uint64_t)) != STATUS_OK
            or grow(<void**>&table.key, wanted, sizeof(uint64_t)) != STATUS_OK
            or grow(<void**>&table.tag, wanted, 1) != STATUS_OK):
        return STATUS_OUT_OF_MEMORY
    slots = <uint32_t*>calloc(n_slots, sizeof(uint32_t))
    if slots == NULL:
        return STATUS_OUT_OF_MEMORY
    for i in range(table.n):
        slot = mix(table.form[i]) & (n_slots - 1)
        while slots[slot]:
            slot = (slot + 1) & (n_slots - 1)
        slots[slot] = i + 1
    free(table.slots)
    table.slots = slots
    table.n_slots = n_slots
    table.capacity = <uint32_t>wanted
    return STATUS_OK


cdef inline int intern_form(FormTable* table, uint64_t form, uint64_t key, uint8_t tag,
                            uint32_t* id) noexcept nogil:
    """Find the id of a form, and add the form if it is new; a Status."""
    cdef uint64_t slot
    cdef int status
    if table.n == table.capacity:
        status = _grow_forms(table)
        if status != STATUS_OK:
            return status
    slot = mix(form) & (table.n_slots - 1)
    while table.slots[slot]:
        id[0] = table.slots[slot] - 1
        if table.form[id[0]] == form:
            return STATUS_OK
        slot = (slot + 1) & (table.n_slots - 1)
    id[0] = table.n
    table.form[table.n] = form
    table.key[table.n] = key
    table.tag[table.n] = tag
    table.n += 1
    table.slots[slot] = table.n
    return STATUS_OK


cdef inline int _grow_pairs(PairTable* table) noexcept nogil:
    cdef uint64_t n_slots = 2 * table.n_slots if table.n_slots else FIRST_SLOTS
    cdef uint64_t slot, i
    cdef PairSlot* slots = <PairSlot*>calloc(n_slots, sizeof(PairSlot))
    if slots == NULL:
        return STATUS_OUT_OF_MEMORY
    for i in range(table.n_slots):
        if table.slots[i].count:
            slot = mix(table.slots[i].pair) & (n_slots - 1)
            while slots[slot].count:
                slot = (slot + 1) & (n_slots - 1)
            slots[slot] = table.slots[i]
    free(table.slots)
    table.slots = slots
    table.n_slots = n_slots
    return STATUS_OK


cdef inline void prefetch_pair(const PairTable* table, uint64_t pair) noexcept nogil:
    prefetch(table.slots + (mix(pair) & (table.n_slots - 1)))


cdef inline int count_pair(PairTable* table, uint64_t pair) noexcept nogil:
    """Count a pair once more; a Status. Counts stop at 2**32 - 1."""
    cdef uint64_t slot
    cdef int status
    if table.n >= table.n_slots // 8 * 5:
        status = _grow_pairs(table)
        if status != STATUS_OK:
            return status
    slot = mix(pair) & (table.n_slots - 1)
    while table.slots[slot].count:
        if table.slots[slot].pair == pair:
            table.slots[slot].count += table.slots[slot].count != <uint32_t>0xffffffff
            return STATUS_OK
        slot = (slot + 1) & (table.n_slots - 1)
    table.slots[slot].pair = pair
    table.slots[slot].count = 1
    table.n += 1
    return STATUS_OK
