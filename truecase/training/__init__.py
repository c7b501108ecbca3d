"""From a corpus to a model: the pipeline and its options."""
