"""Token accuracy, F1 and errors of cased text against a reference."""
