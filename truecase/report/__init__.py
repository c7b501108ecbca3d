"""Self-contained HTML pages: judged models, learning curves, explained sentences."""
