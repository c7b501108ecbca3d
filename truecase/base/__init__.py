"""Threads, and bytes read and written safely: text files, compressed files, model files."""
