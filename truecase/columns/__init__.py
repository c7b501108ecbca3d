"""Columns of text as Arrow has them: cased from their own buffers into new ones."""
