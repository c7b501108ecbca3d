"""Portage's variants, tuned on development text."""
