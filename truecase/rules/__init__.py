"""What the rules of a language say of a text's case, whatever a model has learned."""
