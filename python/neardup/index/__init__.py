"""The index: documents that are added and removed, each with its verdict."""

from neardup.public import names_of

__getattr__, __dir__, __all__ = names_of(__name__)
