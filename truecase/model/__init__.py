"""What a model is, its file, and models by name."""
