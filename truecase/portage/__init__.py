"""Portage's truecaser (Agbago, Kuhn & Foster 2005): its models, heuristics and casing styles."""
