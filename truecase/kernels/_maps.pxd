"""Hash maps: a growing index of keys, packed tables of a model file and their filters, rows."""

from libc.stdint cimport uint16_t, uint32_t, uint64_t, uint8_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from truecase.base._check cimport check, prefetch, prefetch_bytes
from truecase.base._memory cimport STATUS_OK, STATUS_OUT_OF_MEMORY, STATUS_TOO_LONG
from truecase.kernels._structs cimport KeyIndex, KeySlot, PackedSlots
from truecase.kernels._unicode cimport (
    HASH_LENGTH, HIGH_BITS, each_byte, load8, scramble, trailing_zeros
)


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


cdef inline uint64_t slot_after(const PackedSlots* slots, uint64_t index) noexcept nogil:
    return index + 1 if index + 1 < slots.n_slots else 0


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


cdef inline uint64_t find_from(const PackedSlots* slots, uint64_t index, uint64_t hash,
                               uint32_t payload_mask) noexcept nogil:
    """The payload (slot without its fingerprint) of `hash`, searched from a slot on, or 0.

    Slots from its home slot up to that one have greater fingerprints. A payload without a bit of
    `payload_mask` marks an empty slot, where the search ends.
    """
    cdef uint64_t fingerprint = hash & slots.fingerprint_mask
    cdef uint64_t slot, found, home = home_slot(slots, hash), _
    for _ in range(index - home if index >= home else index + slots.n_slots - home,
                   slots.max_probes):
        slot = read_bits(slots, index)
        found = slot & slots.fingerprint_mask
        # An empty slot is zero, and so is its fingerprint.
        if found <= fingerprint:
            slot = (slot & slots.slot_mask) >> slots.fingerprint_bits
            return slot if found == fingerprint and slot & payload_mask else 0
        index = slot_after(slots, index)
    return 0


cdef inline uint64_t find_slot(const PackedSlots* slots, uint64_t hash,
                               uint32_t payload_mask) noexcept nogil:
    """The payload of `hash`, or 0; see `find_from`."""
    return find_from(slots, home_slot(slots, hash), hash, payload_mask)


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
    # No search of an empty table reads a slot.
    slots.max_probes = <uint32_t>max_probes if n_slots else 0
    slots.heads = NULL
    return 0


# Heads, the highest bits of the slots' fingerprints, a byte each: eight are compared at a time, and
# most searches that find nothing end with them. What is found is what `find_slot` finds.

cdef enum:
    HEAD_BITS = 7
    HEADS_READ = 8                # at a time; so many slots are there twice, behind the last one


cdef inline uint64_t head_of(const PackedSlots* slots, uint64_t hash) noexcept nogil:
    return (hash & slots.fingerprint_mask) >> slots.head_shift


cdef inline void prefetch_heads(const PackedSlots* slots, uint64_t hash) noexcept nogil:
    prefetch(slots.heads + home_slot(slots, hash))


cdef inline bint find_head(const PackedSlots* slots, uint64_t hash, uint64_t* found) noexcept nogil:
    """Whether a table with heads may have `hash`: then `found` is where `find_from` begins."""
    cdef uint64_t head = head_of(slots, hash), index = home_slot(slots, hash), not_above
    cdef uint64_t highest = head * each_byte(1) | HIGH_BITS
    cdef uint64_t walked = 0
    # Invariant: index < n_slots; heads has n_slots + HEADS_READ bytes.
    while walked < slots.max_probes:
        check(index < slots.n_slots)
        # No byte borrows from the next one: heads have seven bits.
        not_above = highest - load8(slots.heads + index) & HIGH_BITS
        if not_above:
            index += <uint64_t>trailing_zeros(not_above) >> 3
            # Of a table with fewer slots than are read, the copies go on.
            found[0] = index if index < slots.n_slots else index % slots.n_slots
            return slots.heads[index] == head
        walked += <int>HEADS_READ
        index += <int>HEADS_READ
        if index >= slots.n_slots:
            index %= slots.n_slots
    return False


cdef inline int add_heads(PackedSlots* slots) noexcept nogil:
    """Make the heads of a table; `free_heads` frees them; a Status."""
    cdef uint64_t i
    slots.head_shift = max(<int>slots.fingerprint_bits - <int>HEAD_BITS, 0)
    slots.heads = <uint8_t*>malloc(slots.n_slots + <int>HEADS_READ)
    if slots.heads == NULL:
        return STATUS_OUT_OF_MEMORY
    for i in range(slots.n_slots):
        slots.heads[i] = <uint8_t>head_of(slots, read_bits(slots, i))
    for i in range(slots.n_slots, slots.n_slots + <int>HEADS_READ):
        slots.heads[i] = slots.heads[i - slots.n_slots] if slots.n_slots else 0
    return STATUS_OK


cdef inline void free_heads(PackedSlots* slots) noexcept nogil:
    free(slots.heads)
    slots.heads = NULL


# Point `slots` at the array ``slots`` of a `Section`, or ``NAME.slots``; ModelError if damaged. The
# caller frees the heads.
cdef int fill_slots(PackedSlots* slots, section, str name, int payload_bits,
                    bint with_heads) except -1


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
    """First row of a key's bucket; 0 without rows."""
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


cdef inline bint copy_row(const FrequentRows* table, uint64_t key, int n,
                          uint8_t* out) noexcept nogil:
    """Copy the first n numbers of a key, zeros if it has none; whether it has."""
    cdef const uint8_t* row = find_row(table, key)
    if row == NULL:
        memset(out, 128, <size_t>n)
    else:
        memcpy(out, row, <size_t>n)
    return row != NULL


# Point to the entries of an array of a component's section, which keeps its memory.
cdef const float* floats_of(section, str name, uint64_t n) except? NULL
cdef const uint8_t* bytes_of(section, str name, uint64_t n) except? NULL


# Points to the rows of frequent keys of a component's section: its setting n_NAME and its array
# NAME, with n_numbers per row.
cdef int fill_rows(FrequentRows* table, section, str name, int n_numbers) except -1
