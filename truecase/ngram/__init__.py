"""Counting, Kneser-Ney, ARPA files and the decoder's compact n-gram tables."""
