"""Candidates of each word (GEN) as nodes of a lattice, and their scores."""
