"""Pages on which people look at the least certain words of a text, and what they hand back."""
