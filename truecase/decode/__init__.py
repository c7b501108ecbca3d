"""Search for the best path through a lattice."""
