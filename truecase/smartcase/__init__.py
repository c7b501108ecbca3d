"""Case of first words: SmartCase, its inverse, and Moses' truecase models."""
