"""Titles of works to sentence case, names and acronyms kept."""
