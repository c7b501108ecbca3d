"""Surface forms of lowercase words with their counts, and models of unknown words."""
