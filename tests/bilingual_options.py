"""Recipes of the small bilingual models."""

from recipes import recipe

DENSE = recipe("bilingual", segmentation="space")
SPARSE = recipe("bilingual-sparse", segmentation="space", folds=2, sparse_size=60_000, epochs=4)
NEURAL = recipe(
    "bilingual-neural", segmentation="space", folds=2, epochs=4, n_units=16, n_words=64, n_pairs=64,
    n_affixes=64, min_share=0.02,
)  # fmt: skip
