"""When the documents of a cluster came, as a plot."""

from collections import Counter
from typing import NamedTuple

from neardup.survey.found_cluster import FoundCluster, Time
from neardup.survey.order import time_key

BINS = 120
"""Places on the axis."""


class Mark(NamedTuple):
    """Documents of about one time: the place from 0 to 1, how many, and how many as a share of the most."""

    place: float
    documents: int
    share: float


class Timeline(NamedTuple):
    """Marks from the first time to the last, and the documents that have none."""

    first: Time
    last: Time
    marks: list[Mark]
    undated: int

    @classmethod
    def of(cls, cluster: FoundCluster) -> "Timeline":
        """Place the documents of a cluster."""
        seconds = [time_key(one.time)[1] for one in cluster.members if one.time is not None]
        low, high = (min(seconds), max(seconds)) if seconds else (0, 0)
        bins = Counter((one - low) * (BINS - 1) // ((high - low) or 1) for one in seconds)
        most = max(bins.values(), default=1)
        marks = [Mark(place / (BINS - 1), count, count / most) for place, count in sorted(bins.items())]
        return cls(cluster.first, cluster.last, marks, len(cluster.members) - len(seconds))
