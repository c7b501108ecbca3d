"""Packed tables of a model file, checked before anything looks into them."""

from truecase.packed._slots cimport PackedSlots, point_at

from truecase.errors import ModelError

__all__ = []


cdef enum:
    # Tables filled to 95 % stay far below it; a file that asks for more would cost minutes a line.
    MAX_PROBES = 1 << 16


cdef int fill_slots(PackedSlots* slots, section, str name, int payload_bits) except -1:
    prefix = f"{name}." if name else ""
    try:
        point_at(slots, section.array(f"{prefix}slots", "uint8"),
                 int(section.number(f"{prefix}n_slots", 0, 2**32 - 1)),
                 int(section.number(f"{prefix}fingerprint_bits", 1, 32)), payload_bits,
                 int(section.number(f"{prefix}max_probes", 0, MAX_PROBES)))
    except ValueError as error:
        raise ModelError(f"{section.name}/{prefix}slots: {error}") from None
    return 0
