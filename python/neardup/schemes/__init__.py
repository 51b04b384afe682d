"""Schemes: the line of a scheme, its numbers, the classics and the profiles."""
