"""Marks between words: commas, full stops, question marks where text has none."""
