"""Packed tables, built and read from model files."""

from libc.stdint cimport int64_t

from truecase.kernels._unicode cimport store8

from truecase.base.threads import OneThread
from truecase.errors import ModelError, PackingError


# NumPy is imported by the functions that use it: a line is cased without it.


cdef enum:
    AHEAD = 16                    # entries whose slots are on their way


cdef inline void write_slot(uint8_t* data, uint64_t index, const PackedSlots* slots,
                            uint64_t value) noexcept nogil:
    cdef uint64_t bit = index * slots.slot_bits
    cdef uint64_t word = load8(data + (bit >> 3))
    word = (word & ~(slots.slot_mask << (bit & 7))) | (value << (bit & 7))
    store8(data + (bit >> 3), word)


cdef inline uint64_t slot_of(const PackedSlots* slots, uint64_t hash,
                             uint64_t payload) noexcept nogil:
    """What is in the slot of an entry."""
    return (hash & slots.fingerprint_mask) | (payload << slots.fingerprint_bits)


cdef class SlotPacker:
    """Puts (hash, payload) pairs into a packed table, some at a time.

    Parameters
    ----------
    n : int
        Entries in all.
    fingerprint_bits, payload_bits : int
        Their sum is the width of a slot, at most 56.
    payload_mask : int
        Bits of the payload that are all 0 only in an empty slot.
    load : float
        Share of the slots that are filled, 0 < load < 1.

    Attributes
    ----------
    data : ndarray of uint8
        The slots, padded for 64-bit reads.
    n_slots : int

    Raises
    ------
    PackingError
        The width or the load is out of range.
    """

    cdef PackedSlots slots
    cdef uint8_t[::1] view
    cdef int64_t n_left
    cdef int payload_bits
    cdef uint32_t payload_mask
    cdef readonly object data
    cdef object one_thread

    def __cinit__(self, Py_ssize_t n, int fingerprint_bits, int payload_bits,
                  unsigned int payload_mask, double load):
        cdef int slot_bits = fingerprint_bits + payload_bits
        self.one_thread = OneThread("SlotPacker")
        if not (1 <= fingerprint_bits <= 32 and 1 <= payload_bits and slot_bits <= MAX_SLOT_BITS):
            raise PackingError(
                f"slots of {fingerprint_bits} + {payload_bits} bits: "
                f"at most {MAX_SLOT_BITS} can be read"
            )
        if not 0.0 < load < 1.0:
            raise PackingError(f"load {load}: expected a share between 0 and 1")
        cdef uint64_t n_slots = <uint64_t>(n / load) + 1 if n else 0
        if n_slots >= <uint64_t>0xffffffff:
            raise PackingError(f"{n} entries are more than one table can hold")
        import numpy as np

        self.data = np.zeros((n_slots * slot_bits + 7) // 8 + SLOT_PADDING, dtype=np.uint8)
        self.view = self.data
        point_at(&self.slots, self.view, n_slots, fingerprint_bits, payload_bits, 0)
        self.n_left = n
        self.payload_bits = payload_bits
        self.payload_mask = payload_mask

    @property
    def n_slots(self):
        return int(self.slots.n_slots)

    def add(self, const uint64_t[::1] hashes not None, const uint64_t[::1] payloads not None):
        """Add entries.

        Parameters
        ----------
        hashes : const uint64[::1], shape (n,)
            Of entries with the same home slot and fingerprint, a search finds the first.
        payloads : const uint64[::1], shape (n,)
            Values below ``2**payload_bits``, each with a bit of the mask.

        Raises
        ------
        PackingError
            A payload is out of range, or there are more entries than the table was made for.
        """
        with self.one_thread:
            self._add(hashes, payloads)

    cdef int _add(self, const uint64_t[::1] hashes, const uint64_t[::1] payloads) except -1:
        cdef Py_ssize_t i, n = hashes.shape[0]
        cdef uint64_t index, payload, entry, slot
        cdef int fingerprint_bits = self.slots.fingerprint_bits
        if payloads.shape[0] != n:
            raise PackingError(f"{n} hashes but {payloads.shape[0]} payloads")
        if n > self.n_left:
            raise PackingError(f"{n - self.n_left} entries more than the table was made for")
        with nogil:
            for i in range(n):
                if i + AHEAD < n:
                    prefetch_slot(&self.slots, hashes[i + AHEAD])
                payload = payloads[i]
                if payload >> self.payload_bits or (payload & self.payload_mask) == 0:
                    with gil:
                        raise PackingError(f"payload {payload} of entry {i} does not fit "
                                           f"{self.payload_bits} bits")
                index = home_slot(&self.slots, hashes[i])
                entry = slot_of(&self.slots, hashes[i], payload)
                while True:
                    slot = read_slot(&self.slots, index)
                    if (slot >> fingerprint_bits) & self.payload_mask == 0:
                        write_slot(&self.view[0], index, &self.slots, entry)
                        break
                    if (slot & self.slots.fingerprint_mask) < (entry & self.slots.fingerprint_mask):
                        # The smaller fingerprint moves on, and may push others further.
                        write_slot(&self.view[0], index, &self.slots, entry)
                        entry = slot
                    index = slot_after(&self.slots, index)
        self.n_left -= n
        return 0

    def n_probes(self, const uint64_t[::1] hashes not None, const uint64_t[::1] payloads not None):
        """Longest probe sequence of some entries; PackingError if one is not in the table."""
        cdef Py_ssize_t i, n = hashes.shape[0]
        cdef uint64_t index, entry
        cdef uint32_t probes, longest = 0
        if payloads.shape[0] != n:
            raise PackingError(f"{n} hashes but {payloads.shape[0]} payloads")
        with nogil:
            for i in range(n):
                if i + AHEAD < n:
                    prefetch_slot(&self.slots, hashes[i + AHEAD])
                index = home_slot(&self.slots, hashes[i])
                entry = slot_of(&self.slots, hashes[i], payloads[i])
                probes = 1
                while read_slot(&self.slots, index) != entry:
                    probes += 1
                    index = slot_after(&self.slots, index)
                    if probes > self.slots.n_slots:
                        with gil:
                            raise PackingError(f"entry {i} is not in the table")
                if probes > longest:
                    longest = probes
        return int(longest)


def pack(const uint64_t[::1] hashes, const uint64_t[::1] payloads, int fingerprint_bits,
         int payload_bits, unsigned int payload_mask, double load):
    """Data, number of slots and longest probe sequence of a packed table; see `SlotPacker`."""
    packer = SlotPacker(hashes.shape[0], fingerprint_bits, payload_bits, payload_mask, load)
    packer.add(hashes, payloads)
    return packer.data, packer.n_slots, packer.n_probes(hashes, payloads)


#: Slots that a search reads at most. Tables filled to 95 % stay far below; a damaged file with more
#: would cost minutes a line.
MAX_PROBES = 1 << 16


cdef int fill_slots(PackedSlots* slots, section, str name, int payload_bits,
                    bint with_heads) except -1:
    prefix = f"{name}." if name else ""
    try:
        point_at(slots, section.array(f"{prefix}slots", "uint8"),
                 int(section.number(f"{prefix}n_slots", 0, 2**32 - 1)),
                 int(section.number(f"{prefix}fingerprint_bits", 1, 32)), payload_bits,
                 int(section.number(f"{prefix}max_probes", 0, MAX_PROBES)))
    except ValueError as error:
        raise ModelError(f"{section.name}/{prefix}slots: {error}") from None
    if with_heads and add_heads(slots) != STATUS_OK:
        raise MemoryError(f"no memory left for the slots of {section.name}")
    return 0


cdef const float* floats_of(section, str name, uint64_t n) except? NULL:
    cdef const float[::1] values = section.array(name, "float32", n)
    return &values[0]


cdef const uint8_t* bytes_of(section, str name, uint64_t n) except? NULL:
    cdef const uint8_t[::1] values = section.array(name, "uint8", n)
    return &values[0] if n else NULL


cdef int fill_rows(FrequentRows* table, section, str name, int n_numbers) except -1:
    cdef uint64_t n = int(section.number(f"n_{name}", 0, 2**32 - ROWS_IN_BUCKET))
    if n % ROWS_IN_BUCKET:
        raise ModelError(f"the setting {section.name}.n_{name} is {n}: expected a multiple of "
                         f"{ROWS_IN_BUCKET}")
    table.n_rows = <uint32_t>n
    table.n_bytes = CHECK_SIZE + n_numbers
    table.rows = bytes_of(section, name, n * table.n_bytes)
    return 0
