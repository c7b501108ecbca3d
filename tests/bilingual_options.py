"""Recipes of the small bilingual models."""

from recipes import SMALL_NETWORK, recipe

DENSE = recipe("bilingual", segmentation="space")
NEURAL = recipe("bilingual-neural", segmentation="space", epochs=4, min_share=0.02, **SMALL_NETWORK)
