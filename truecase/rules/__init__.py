"""Rules of style and language, which hold whatever the model has learned."""
