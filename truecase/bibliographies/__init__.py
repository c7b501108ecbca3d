"""Titles in bibliographies: BibTeX and CSL-JSON."""
