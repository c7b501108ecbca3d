"""The source sentence: alignments, phrases, and what words are translated to."""
