"""What style and language say, whatever the model has learned."""
