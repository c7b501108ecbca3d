"""Weights of dense features, by L-BFGS over the lattices of a text."""
