"""The size of sketches as a sorted list, from the number of values and the bytes of an entry.

The computation is that of Broder, Glassman, Manasse and Zweig 1997; the keys of a run are such a list, too.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Sketches:
    """The values of all documents; in a list, each value has the number of its document."""

    documents: float
    values: float
    """Number of values in all sketches."""
    value_bytes: int
    number_bytes: int

    @property
    def sketch_bytes(self) -> float:
        """Bytes of all sketches, one after another."""
        return self.values * self.value_bytes

    @property
    def list_bytes(self) -> float:
        """Bytes of the list of <value, document>."""
        return self.values * (self.value_bytes + self.number_bytes)


CRAWL_1997 = Sketches(documents=30_000_000, values=600_000_000, value_bytes=5, number_bytes=4)
"""The crawl of 1996: 30 million documents, 20 shingles kept of each, 5 bytes a shingle, 4 a document."""
PRINTED_1997 = {"sketches": 3.0, "list": 5.5, "peak": 10.0}
"""Gigabytes, as the paper prints them."""
