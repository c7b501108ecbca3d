"""Texts as blocks of lines, word ids and vocabularies."""
