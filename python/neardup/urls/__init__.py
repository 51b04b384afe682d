"""URLs: the canonical form, groups of one page, hosts that mirror each other."""

from neardup.public import names_of

__getattr__, __dir__, __all__ = names_of(__name__)
