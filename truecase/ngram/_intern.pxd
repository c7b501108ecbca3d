"""A hash table from words to ids."""

from libc.stdint cimport int64_t, uint32_t, uint64_t, uint8_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy, memset

from truecase.base._check cimport check, prefetch
from truecase.base._memory cimport STATUS_OK, STATUS_OUT_OF_MEMORY, STATUS_TOO_LONG, grow
from truecase.kernels._unicode cimport load8


cdef enum:
    HEAD_BYTES = 24


cdef struct WordSlot:             # 32 bytes
    uint64_t head[3]
    uint32_t length
    uint32_t id_plus_1            # 0: the slot is empty


cdef struct WordKey:              # a word to look up or insert
    uint64_t head[3]
    uint64_t hash
    const uint8_t* start
    uint32_t length


cdef struct WordTable:
    WordSlot* slots
    uint64_t slot_mask            # number of slots, a power of two, less 1
    uint8_t* arena                # all forms, in order of their ids
    int64_t arena_capacity
    int64_t* offsets              # n_words + 1 entries; form i is arena[offsets[i]:offsets[i + 1]]
    int64_t offsets_capacity
    uint32_t n_words


cdef inline uint64_t mix_word(uint64_t hash, uint64_t bytes) noexcept nogil:
    hash = (hash ^ bytes) * <uint64_t>0x9fb21c651e98df25
    return hash ^ (hash >> 32)


cdef inline void make_key(const uint8_t* start, uint32_t length, bint readable_beyond,
                          WordKey* key) noexcept nogil:
    """Fill `key`; with `readable_beyond`, 24 bytes may be read from `start` whatever the length."""
    cdef uint32_t i
    cdef uint64_t hash, tail
    key.start = start
    key.length = length
    if length <= HEAD_BYTES:
        if readable_beyond:
            key.head[0] = load8(start)
            key.head[1] = load8(start + 8)
            key.head[2] = load8(start + 16)
            if length < 8:
                key.head[0] &= (<uint64_t>1 << (8 * length)) - 1
                key.head[1] = 0
                key.head[2] = 0
            elif length < 16:
                key.head[1] &= (<uint64_t>1 << (8 * (length - 8))) - 1
                key.head[2] = 0
            elif length < 24:
                key.head[2] &= (<uint64_t>1 << (8 * (length - 16))) - 1
        else:
            memset(key.head, 0, HEAD_BYTES)
            memcpy(key.head, start, length)
            for i in range(3):
                key.head[i] = load8(<const uint8_t*>&key.head[i])
        hash = mix_word(<uint64_t>length * <uint64_t>0x9e3779b97f4a7c15, key.head[0])
        if length > 8:
            hash = mix_word(hash, key.head[1])
            if length > 16:
                hash = mix_word(hash, key.head[2])
    else:
        hash = <uint64_t>length * <uint64_t>0x9e3779b97f4a7c15
        i = 0
        while i + 8 <= length:
            tail = load8(start + i)
            hash = mix_word(hash, tail)
            i += 8
        if i < length:
            tail = 0
            memcpy(&tail, start + i, length - i)
            hash = mix_word(hash, tail)
        memcpy(key.head, start, 16)
        key.head[2] = hash
    # The slot is taken from the low bits.
    hash *= <uint64_t>0xd6e8feb86659fd93
    key.hash = hash ^ (hash >> 32)


cdef inline WordSlot* find_word_slot(const WordTable* table, const WordKey* key) noexcept nogil:
    """The slot of a word, or the empty slot where it belongs."""
    # Invariant: at least one slot is empty (insert_word keeps half of them so).
    cdef uint64_t index = key.hash & table.slot_mask
    cdef WordSlot* slot
    check(table.n_words <= table.slot_mask)
    while True:
        slot = &table.slots[index]
        if slot.id_plus_1 == 0:
            return slot
        if (slot.length == key.length and slot.head[0] == key.head[0]
                and slot.head[1] == key.head[1] and slot.head[2] == key.head[2]):
            if key.length <= HEAD_BYTES or memcmp(
                    table.arena + table.offsets[slot.id_plus_1 - 1], key.start, key.length) == 0:
                return slot
        index = (index + 1) & table.slot_mask


cdef inline void prefetch_word(const WordTable* table, const WordKey* key) noexcept nogil:
    prefetch(&table.slots[key.hash & table.slot_mask])


cdef inline void free_word_table(WordTable* table) noexcept nogil:
    free(table.slots)
    free(table.arena)
    free(table.offsets)
    memset(table, 0, sizeof(WordTable))


cdef inline int create_word_table(WordTable* table) noexcept nogil:
    memset(table, 0, sizeof(WordTable))
    table.slot_mask = (1 << 12) - 1
    table.arena_capacity = 1 << 14
    table.offsets_capacity = 1 << 11
    table.slots = <WordSlot*>calloc(table.slot_mask + 1, sizeof(WordSlot))
    table.arena = <uint8_t*>malloc(table.arena_capacity)
    table.offsets = <int64_t*>malloc(table.offsets_capacity * sizeof(int64_t))
    if table.slots == NULL or table.arena == NULL or table.offsets == NULL:
        free_word_table(table)
        return STATUS_OUT_OF_MEMORY
    table.offsets[0] = 0
    return STATUS_OK


cdef inline int double_word_slots(WordTable* table) noexcept nogil:
    cdef uint64_t n_slots = 2 * (table.slot_mask + 1)
    cdef uint64_t mask = n_slots - 1
    cdef WordSlot* slots = <WordSlot*>calloc(n_slots, sizeof(WordSlot))
    cdef uint64_t index
    cdef uint32_t i
    cdef WordKey key
    if slots == NULL:
        return STATUS_OUT_OF_MEMORY
    for i in range(table.n_words):
        make_key(table.arena + table.offsets[i],
                 <uint32_t>(table.offsets[i + 1] - table.offsets[i]), False, &key)
        index = key.hash & mask
        while slots[index].id_plus_1:
            index = (index + 1) & mask
        memcpy(slots[index].head, key.head, HEAD_BYTES)
        slots[index].length = key.length
        slots[index].id_plus_1 = i + 1
    free(table.slots)
    table.slots = slots
    table.slot_mask = mask
    return STATUS_OK


cdef inline int insert_word(WordTable* table, const WordKey* key, WordSlot* slot) noexcept nogil:
    """Give a new word the next id; `slot` is what find_word_slot returned for it."""
    cdef int64_t used = table.offsets[table.n_words]
    cdef int64_t capacity
    if table.n_words >= <uint32_t>0xfffffff0:
        return STATUS_TOO_LONG
    if used + key.length > table.arena_capacity:
        capacity = 2 * table.arena_capacity + key.length
        if grow(<void**>&table.arena, capacity, 1) != STATUS_OK:
            return STATUS_OUT_OF_MEMORY
        table.arena_capacity = capacity
    if table.n_words + 2 > table.offsets_capacity:
        capacity = 2 * table.offsets_capacity
        if grow(<void**>&table.offsets, capacity, sizeof(int64_t)) != STATUS_OK:
            return STATUS_OUT_OF_MEMORY
        table.offsets_capacity = capacity
    memcpy(table.arena + used, key.start, key.length)
    table.n_words += 1
    table.offsets[table.n_words] = used + key.length
    memcpy(slot.head, key.head, HEAD_BYTES)
    slot.length = key.length
    slot.id_plus_1 = table.n_words
    if 2 * <uint64_t>table.n_words > table.slot_mask:
        return double_word_slots(table)
    return STATUS_OK


cdef class WordIds:
    cdef WordTable table
    cdef object one_thread
