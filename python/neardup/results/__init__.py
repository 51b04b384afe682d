"""Results: the types that verbs return."""

from neardup.public import names_of

__getattr__, __dir__, __all__ = names_of(__name__)
