"""Tokens, tags and case mapping over UTF-8 bytes."""
