"""The clusters of a survey."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, Literal, NamedTuple

from neardup._core import parse_time
from neardup.evaluation.listed_pair import ListedPair

Risk = Literal["weak", "wide", "giant"]
RISKS: tuple[Risk, ...] = ("weak", "wide", "giant")
GIANT = 100
"""Number of documents from which a cluster is a giant: often they share a frame, and not their content."""
_MARGIN = Fraction(1, 4)


def find_risks(size: int, kept: int, weakest: Fraction | None, threshold: Fraction | None) -> tuple[Risk, ...]:
    """Return the risks of a cluster.

    It is *weak* if its weakest link is in the lowest quarter between the threshold and 1, and the threshold is one of
    resemblance; *wide* if the leader rule would keep several of its documents, because not all are near to one; *giant*
    from 100 documents on.
    """
    is_weak = weakest is not None and threshold is not None and weakest < threshold + (1 - threshold) * _MARGIN
    holds = {"weak": is_weak, "wide": kept > 1, "giant": size >= GIANT}
    return tuple(risk for risk in RISKS if holds[risk])


Time = int | str | None


class Member(NamedTuple):
    """A document of a cluster, and the one that the leader rule keeps for it, or itself."""

    id: str
    leader: str
    time: Time


class FoundCluster(NamedTuple):
    """A cluster of two documents or more: named by the smallest id, which need not be that of the original.

    `members` are in the order of their times, those without one last. `links` are sorted from the weakest on; there are
    none if the scheme measures neither resemblance nor containment. `kept` is the number of leaders, `first` and `last`
    are the earliest and the latest time.
    """

    id: str
    members: list[Member]
    links: list[ListedPair]
    kept: int
    first: Time
    last: Time
    risks: tuple[Risk, ...]

    @property
    def size(self) -> int:
        """Number of its documents."""
        return len(self.members)

    @property
    def weakest(self) -> ListedPair | None:
        """The link of the lowest resemblance."""
        return self.links[0] if self.links else None


Order = Literal["size", "risk", "date"]
ORDERS: tuple[Order, ...] = ("size", "risk", "date")


def sort_clusters(clusters: Iterable[FoundCluster], order: Order) -> list[FoundCluster]:
    """Sort clusters: the largest, the riskiest or the newest first; equal ones by size, then by name.

    A cluster with more risks is riskier; with equal risks, the one with the weaker link.
    """
    return sorted(clusters, key=lambda one: (*_rank(one, order), -one.size, one.id.encode()))


def time_key(time: Time) -> tuple[bool, int, str]:
    """Return the sort key of a time: earlier ones first, unknown ones last."""
    if time is None:
        return True, 0, ""
    return False, time if isinstance(time, int) else parse_time(time), str(time)


def _rank(one: FoundCluster, order: Order) -> tuple[Any, ...]:
    if order == "size":
        return ()
    if order == "risk":
        return -len(one.risks), one.weakest.exact if one.weakest else Fraction(1)
    unknown, seconds, _ = time_key(one.last)
    return unknown, -seconds
