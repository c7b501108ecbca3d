"""Learning of the layer that decides words in doubt by their sentence."""
