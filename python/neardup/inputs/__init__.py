"""Inputs: documents, and whatever may be given for many of them."""
