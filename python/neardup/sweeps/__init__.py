"""Sweeps: the pages of a collection on several dates, and what became of each.

A store is a SQL database of sightings (which URL held which text on which date) beside an index of the different
texts, named by their digests. A sweep is written in one transaction. Texts enter the index at once; the next writer
removes those that no sweep names. What became of a page is a pure function of two sweeps and evidence (`kinds`): a URL
that stays is one page, and among those that vanished and appeared texts are paired one to one, equal texts first, then
the nearest. The evidence comes from batch runs over these pages alone, at high thresholds first.
"""

from neardup.public import names_of

__getattr__, __dir__, __all__ = names_of(__name__)
