"""Schemes by name and by number: the line of a scheme, the classics and the profiles."""
