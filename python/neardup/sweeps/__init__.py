"""Sweeps: the pages of a collection on several dates, and what became of each."""

from neardup.public import names_of

__getattr__, __dir__, __all__ = names_of(__name__)
