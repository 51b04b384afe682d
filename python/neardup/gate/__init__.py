"""The gate: duplicates stopped at the moment a document is stored, its stores and their search."""

from neardup.public import names_of

__getattr__, __dir__, __all__ = names_of(__name__)
