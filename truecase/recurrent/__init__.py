"""Gated recurrent units over words, in whole numbers: for the context layer, and for marks."""
