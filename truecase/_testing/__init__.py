"""What only tests look at: the kernels' inner values as Python objects."""
