"""Counts of a text as files, which merge: words and their places, then n-grams."""
