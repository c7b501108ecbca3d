"""Everything that runs per word: compiled, and flat."""
