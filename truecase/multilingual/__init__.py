"""Text in several languages: which one a line or document is in, and its model."""
