"""Passes: documents are signed, joined by their keys and compared."""
