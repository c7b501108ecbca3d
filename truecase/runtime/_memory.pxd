"""Memory of kernels."""

cdef enum:
    # readable bytes behind every text: what kernels may read after its last line, at most
    TEXT_PADDING = 16
