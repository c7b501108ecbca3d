"""Hash maps: a growing index of keys, packed tables of a model file and their filters, rows."""

from libc.stdint cimport uint16_t, uint32_t, uint64_t, uint8_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from truecase.base._check cimport check, prefetch, prefetch_bytes
from truecase.base._memory cimport STATUS_OK, STATUS_OUT_OF_MEMORY, STATUS_TOO_LONG
from truecase.kernels._structs cimport KeyIndex, KeySlot, PackedSlots, SlotFilter
from truecase.kernels._unicode cimport HASH_LENGTH, load8, scramble


# A growing map of 64-bit hashes to small numbers: open addressing, linear probing.

cdef enum:
    NOT_FOUND = 0xffffffff


cdef inline void free_index(KeyIndex* index) noexcept nogil:
    free(index.slots)
    index.slots = NULL
    index.capacity = 0
    index.n = 0


cdef inline uint64_t first_slot(uint64_t key, uint64_t capacity) noexcept nogil:
    return (key ^ (key >> 32)) & (capacity - 1)


cdef inline KeySlot* slot_of_key(const KeyIndex* index, uint64_t key) noexcept nogil:
    """A key's slot, which is valid until the next key is added, or NULL."""
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
    """Set the number of slots, a power of two and enough for the keys; a Status."""
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


# Packed tables: open addressing, bit-packed slots of a fingerprint and a payload.
#
# A slot is ``fingerprint | payload`` (from the lowest bit up) in ``slot_bits`` bits, without
# padding between slots. It is empty if its payload has no bit of the table's mask. The upper half
# of an entry's hash gives its home slot, the lower half its fingerprint; a search probes linearly
# from the home slot. The table is ordered (Amble & Knuth 1974): between an entry's home slot and
# its own slot no fingerprint is smaller than its own, so that a search ends at the first smaller
# one. At a load of 0.8 a failed search reads 3 slots instead of 13, and finds another entry of the
# same fingerprint 4 times less often.

cdef enum:
    MAX_SLOT_BITS = 56           # a slot is read as one unaligned 64-bit word, shifted by 0-7 bits
    SLOT_PADDING = 8             # bytes after the last slot, so that this read stays inside
    SEARCH_BYTES = 11            # from the home slot on: most searches go no further


cdef inline uint64_t home_slot(const PackedSlots* slots, uint64_t hash) noexcept nogil:
    return ((hash >> 32) * slots.n_slots) >> 32


cdef inline uint64_t read_bits(const PackedSlots* slots, uint64_t index) noexcept nogil:
    """A slot; bits of the following slots are above it."""
    # Invariant: index < n_slots; the loader checked the length of data, padding included.
    cdef uint64_t bit = index * slots.slot_bits
    check(index < slots.n_slots)
    return load8(slots.data + (bit >> 3)) >> (bit & 7)


cdef inline uint64_t read_slot(const PackedSlots* slots, uint64_t index) noexcept nogil:
    return read_bits(slots, index) & slots.slot_mask


cdef inline void prefetch_slot(const PackedSlots* slots, uint64_t hash) noexcept nogil:
    """Prefetch what a search reads, which may be in two cache lines."""
    cdef const uint8_t* home = slots.data + ((home_slot(slots, hash) * slots.slot_bits) >> 3)
    prefetch(home)
    prefetch(home + SEARCH_BYTES)


cdef inline uint64_t find_slot(const PackedSlots* slots, uint64_t hash,
                               uint32_t payload_mask) noexcept nogil:
    """The payload (slot without its fingerprint) of `hash`, or 0.

    A payload without a bit of `payload_mask` marks an empty slot, where the search ends.
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


cdef inline int point_at(PackedSlots* slots, const uint8_t[::1] data, uint64_t n_slots,
                         int fingerprint_bits, int payload_bits, uint64_t max_probes) except -1:
    """Point `slots` at a packed table that the caller keeps; ValueError if it is too short."""
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


# Filters, which answer most searches of a packed table without a walk.
#
# At a load of 0.9 a search reads five slots, some read hundreds, and no processor predicts its end.
# A filter has for each slot
# - 24 bits, one for each part of the range of fingerprints: whether a search that begins there can
#   find a fingerprint of that part. They answer most searches that find nothing;
# - the distance to the next smaller fingerprint, where a search continues.
# A search through a filter finds what `find_slot` finds, false matches included.

cdef enum:
    N_PARTS = 24                 # of the range of fingerprints
    STEP_BITS = 8
    MAX_FALLING = 1024           # slots that a search may look at
    MAX_STEP = 255


cdef inline void free_filter(SlotFilter* filter) noexcept nogil:
    free(filter.slot)
    filter.slot = NULL


cdef inline int part_of(const PackedSlots* slots, uint64_t hash) noexcept nogil:
    return <int>((hash & slots.fingerprint_mask) * N_PARTS >> slots.fingerprint_bits)


cdef inline bint may_find(const SlotFilter* filter, const PackedSlots* slots,
                          uint64_t hash) noexcept nogil:
    """Whether a search for `hash` may find something. Invariant: there is a filter."""
    return (filter.slot[home_slot(slots, hash)] >> STEP_BITS >> part_of(slots, hash)) & 1


cdef inline uint64_t find_by_steps(const SlotFilter* filter, const PackedSlots* slots,
                                   uint64_t hash, uint32_t payload_mask) noexcept nogil:
    """What `find_slot` finds. Invariant: there is a filter."""
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
    """Make the filter of a table, unless memory is short or the table is small or full.

    A search passes fingerprints greater than its own, so it can find those that are smaller than
    all fingerprints before them, up to the first empty slot.
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
            # The fingerprints that a search through this slot can find, the nearest last.
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


# Point `slots` at the array ``slots`` of a `Section`, or ``NAME.slots``; ModelError if damaged.
cdef int fill_slots(PackedSlots* slots, section, str name, int payload_bits) except -1


# Rows of numbers for frequent words and pairs of words. A key has one of the four rows of its
# bucket, found by 16 bits of the key; one of some ten thousand keys without a row gets that of
# another.

cdef enum:
    CHECK_SIZE = 2               # bytes in front of a row's numbers, the lowest first
    ROWS_IN_BUCKET = 4


cdef struct FrequentRows:
    uint32_t n_rows              # a multiple of ROWS_IN_BUCKET; may be 0
    uint32_t n_bytes             # of a row, with its check
    # CHECK_SIZE bytes each, zeros for an empty row, and numbers, counted from 128.
    const uint8_t* rows


cdef inline uint64_t pair_key(uint64_t before, uint64_t key) noexcept nogil:
    """Key of a pair, from those of its words."""
    return scramble((before * HASH_LENGTH) ^ key)


cdef inline uint16_t row_check(uint64_t key) noexcept nogil:
    return <uint16_t>key if <uint16_t>key else 1


cdef inline uint32_t row_bucket(uint64_t key, uint32_t n_rows) noexcept nogil:
    """First row of a key's bucket; n_rows > 0."""
    return <uint32_t>(((key >> 32) * (n_rows // ROWS_IN_BUCKET)) >> 32) * ROWS_IN_BUCKET


cdef inline void prefetch_row(const FrequentRows* table, uint64_t key) noexcept nogil:
    if table.n_rows:
        prefetch_bytes(table.rows + <uint64_t>row_bucket(key, table.n_rows) * table.n_bytes,
                       ROWS_IN_BUCKET * table.n_bytes)


cdef inline const uint8_t* find_row(const FrequentRows* table, uint64_t key) noexcept nogil:
    """Numbers of a key; NULL if it has none."""
    cdef uint16_t wanted = row_check(key)
    cdef const uint8_t* row
    cdef int _k
    if table.n_rows == 0:
        return NULL
    row = table.rows + <uint64_t>row_bucket(key, table.n_rows) * table.n_bytes
    for _k in range(ROWS_IN_BUCKET):
        if (row[0] | <uint16_t>row[1] << 8) == wanted:
            return row + CHECK_SIZE
        row += table.n_bytes
    return NULL


cdef inline void copy_row(const FrequentRows* table, uint64_t key, int n,
                          uint8_t* out) noexcept nogil:
    """Copy the first n numbers of a key, zeros if it has none."""
    cdef const uint8_t* row = find_row(table, key)
    if row == NULL:
        memset(out, 128, <size_t>n)
    else:
        memcpy(out, row, <size_t>n)


# Point to the entries of an array of a component's section, which keeps its memory.
cdef const float* floats_of(section, str name, uint64_t n) except? NULL
cdef const uint8_t* bytes_of(section, str name, uint64_t n) except? NULL


# Points to the rows of frequent keys of a component's section: its setting n_NAME and its array
# NAME, with n_numbers per row.
cdef int fill_rows(FrequentRows* table, section, str name, int n_numbers) except -1
