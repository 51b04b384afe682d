"""Sweeps: the pages of a collection on several dates, and how each page changed.

A store consists of a SQL database of sightings (which URL held which text on which date) and an index of the distinct
texts, whose ids are their digests. A sweep is written to the database in one transaction. Its texts enter the index at
once; the next writer removes the texts that no sweep refers to.

The change of a page is a pure function of two sweeps and evidence (`kinds`). A URL in both sweeps is one page. The
texts of URLs that vanished are paired one to one with those of URLs that appeared: equal texts first, then the nearest.
The evidence comes from batch runs over these pages alone, at high thresholds first.
"""

from neardup.public import names_of

__getattr__, __dir__, __all__ = names_of(__name__)
