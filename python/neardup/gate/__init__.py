"""The gate, which stops duplicates when a document is stored, with its document stores and their search."""

from neardup.public import names_of

__getattr__, __dir__, __all__ = names_of(__name__)
