"""Learning of the marks that belong between words."""
