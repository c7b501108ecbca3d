"""Status codes of nogil kernels; `_core` and the Python sides turn them into exceptions."""

cdef enum Status:
    STATUS_OK = 0
    STATUS_OUT_OF_MEMORY = 1
    STATUS_TOO_LONG = 2          # a line or a table beyond the 32-bit limits of its kernel
    STATUS_INVALID = 3           # an argument or array that breaks a stated invariant
