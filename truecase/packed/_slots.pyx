"""Builds the packed tables that `_slots.pxd` reads."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

import numpy as np

from truecase.packed._slots cimport (
    MAX_SLOT_BITS,
    SLOT_PADDING,
    PackedSlots,
    find_narrow,
    find_slot,
    home_slot,
    point_at,
    prefetch_slot,
    read_slot,
)

from truecase.errors import TruecaseError


cdef enum:
    AHEAD = 16                    # entries whose slots are on their way


class TableError(TruecaseError):
    """The entries cannot be stored in a table of the asked shape."""


cdef inline void write_slot(uint8_t* data, uint64_t index, const PackedSlots* slots,
                            uint64_t value) noexcept nogil:
    cdef uint64_t bit = index * slots.slot_bits
    cdef uint64_t word
    memcpy(&word, data + (bit >> 3), 8)
    word = (word & ~(slots.slot_mask << (bit & 7))) | (value << (bit & 7))
    memcpy(data + (bit >> 3), &word, 8)


def pack(const uint64_t[::1] hashes, const uint64_t[::1] payloads, int fingerprint_bits,
         int payload_bits, unsigned int payload_mask, double load):
    """Put (hash, payload) pairs into a bit-packed open-addressing table.

    Parameters
    ----------
    hashes : const uint64[::1], shape (n,)
        Hashes of the entries. Equal entries of the same home slot and fingerprint are
        both stored; look-up finds the first.
    payloads : const uint64[::1], shape (n,)
        Values below ``2**payload_bits``, each with a bit of `payload_mask` set.
    fingerprint_bits, payload_bits : int
        Their sum is the width of a slot, at most 56.
    payload_mask : int
        The bits of the payload that are 0 only in an empty slot.
    load : float
        Share of the slots that are filled, 0 < load < 1.

    Returns
    -------
    data : ndarray of uint8
        The slots, padded so that a 64-bit read of the last one stays inside.
    n_slots : int
    max_probes : int
        Longest probe sequence of a stored entry.

    Raises
    ------
    TableError
        If the width, the load or a payload is out of range.
    """
    cdef Py_ssize_t n = hashes.shape[0]
    cdef int slot_bits = fingerprint_bits + payload_bits
    if payloads.shape[0] != n:
        raise TableError(f"{n} hashes but {payloads.shape[0]} payloads")
    if not (1 <= fingerprint_bits <= 32 and 1 <= payload_bits and slot_bits <= MAX_SLOT_BITS):
        raise TableError(
            f"slots of {fingerprint_bits} + {payload_bits} bits: "
            f"at most {MAX_SLOT_BITS} can be read"
        )
    if not 0.0 < load < 1.0:
        raise TableError(f"load {load}: expected a share between 0 and 1")
    cdef uint64_t n_slots = <uint64_t>(n / load) + 1 if n else 0
    if n_slots >= <uint64_t>0xffffffff:
        raise TableError(f"{n} entries are more than one table can hold")
    # NumPy asks for huge pages here, but not in `zeros`: without them, each slot that is read costs
    # a walk through page tables, too.
    out = np.empty((n_slots * slot_bits + 7) // 8 + SLOT_PADDING, dtype=np.uint8)
    out.fill(0)
    cdef uint8_t[::1] view = out
    cdef PackedSlots slots
    point_at(&slots, view, n_slots, fingerprint_bits, payload_bits, 0)
    cdef Py_ssize_t i, bad = -1
    cdef uint64_t index, payload, entry, slot
    cdef uint32_t probes, longest = 0
    with nogil:
        for i in range(n):
            if i + AHEAD < n:
                prefetch_slot(&slots, hashes[i + AHEAD])
            payload = payloads[i]
            if payload >> payload_bits or (payload & payload_mask) == 0:
                bad = i
                break
            index = home_slot(&slots, hashes[i])
            entry = (hashes[i] & slots.fingerprint_mask) | (payload << fingerprint_bits)
            while True:
                slot = read_slot(&slots, index)
                if (slot >> fingerprint_bits) & payload_mask == 0:
                    write_slot(&view[0], index, &slots, entry)
                    break
                if (slot & slots.fingerprint_mask) < (entry & slots.fingerprint_mask):
                    # The smaller fingerprint moves on, and may push others further.
                    write_slot(&view[0], index, &slots, entry)
                    entry = slot
                index += 1
                if index == n_slots:
                    index = 0
        if bad < 0:
            for i in range(n):
                if i + AHEAD < n:
                    prefetch_slot(&slots, hashes[i + AHEAD])
                index = home_slot(&slots, hashes[i])
                entry = (hashes[i] & slots.fingerprint_mask) | (payloads[i] << fingerprint_bits)
                probes = 1
                while read_slot(&slots, index) != entry:
                    probes += 1
                    index += 1
                    if index == n_slots:
                        index = 0
                if probes > longest:
                    longest = probes
    if bad >= 0:
        raise TableError(f"payload {payloads[bad]} of entry {bad} does not fit {payload_bits} bits")
    return out, int(n_slots), int(longest)


def find(const uint8_t[::1] data, uint64_t n_slots, int fingerprint_bits, int payload_bits,
         unsigned int payload_mask, unsigned int max_probes, const uint64_t[::1] hashes,
         bint narrow=False):
    """Payloads stored under `hashes`, 0 where there is none (for tests and tools).

    With `narrow`, only their bits of `payload_mask`, looked for as weights of features are.
    """
    cdef PackedSlots slots
    point_at(&slots, data, n_slots, fingerprint_bits, payload_bits, max_probes)
    out = np.zeros(hashes.shape[0], dtype=np.uint64)
    cdef uint64_t[::1] found = out
    cdef Py_ssize_t i
    with nogil:
        for i in range(hashes.shape[0]):
            if narrow:
                found[i] = find_narrow(&slots, hashes[i], payload_mask)
            else:
                found[i] = find_slot(&slots, hashes[i], payload_mask)
    return out
