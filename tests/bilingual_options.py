"""Recipes of the small bilingual models."""

from recipes import recipe

COARSE = recipe("bilingual", segmentation="space")
FINE = recipe("bilingual-sparse", segmentation="space", folds=2, sparse_size=60_000, epochs=4)
