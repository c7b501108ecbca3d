"""What training learns about the source sentence."""
