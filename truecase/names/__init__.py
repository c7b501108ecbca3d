"""Lists of names in their right case: reading them, and finding them in a line of text."""
