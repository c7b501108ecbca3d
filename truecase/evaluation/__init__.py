"""How good a model is, why a word came out as it did, and pages that show both."""
