"""Weights of sparse features and the hidden layer, learned online."""
