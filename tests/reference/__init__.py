"""Plain Python twins of the compiled kernels."""
