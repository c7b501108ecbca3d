"""Recipes of the small bilingual models."""

from recipes import recipe

DENSE = recipe("bilingual", segmentation="space")
SPARSE = recipe("bilingual-sparse", segmentation="space", folds=2, sparse_size=60_000, epochs=4)
