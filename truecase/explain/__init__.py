"""Why a text is cased as it is: candidates, features, posteriors and the best path."""
