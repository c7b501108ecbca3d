"""Documents: sentences that run over line ends."""
