"""The conditional random field: its features, and how their weights are learned."""
