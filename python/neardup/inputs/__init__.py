"""Inputs: documents, and the types that represent many of them."""
