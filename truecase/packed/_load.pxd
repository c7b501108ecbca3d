"""Packed tables of a model file, checked before anything looks into them."""

from truecase.packed._slots cimport PackedSlots


# Points `slots` at the array ``slots`` of a `Section`, or ``NAME.slots``; ModelError if it is
# not whole.
cdef int fill_slots(PackedSlots* slots, section, str name, int payload_bits) except -1
