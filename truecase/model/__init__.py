"""A model: its components, and the struct through which kernels see them."""
