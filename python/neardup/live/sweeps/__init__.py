"""Sweeps: the pages of a collection as they stood on several dates, and what became of each."""
