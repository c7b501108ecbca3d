"""Case around a machine translation system: sentence case into it, the source's case back out."""
