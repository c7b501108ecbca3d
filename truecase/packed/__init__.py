"""Packed tables: slots of fingerprints and values, and how they are checked at load."""
