"""Models that come with the package, each with its card."""
