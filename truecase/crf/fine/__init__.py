"""Fine-grained features: sparse indicators of a word's context, joined with its tag."""
