"""Restores the capitalisation of lowercased text."""
