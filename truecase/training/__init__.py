"""Training: from a corpus to a model, and the recipes for it."""
