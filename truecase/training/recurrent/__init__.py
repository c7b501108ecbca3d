"""Recurrent units and their steps in training, for the context layer and for marks."""
