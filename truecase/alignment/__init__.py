"""Which words of two texts are translations of each other."""
