"""Orders in which clusters are listed."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, Literal

from neardup._core import parse_time
from neardup.survey.found_cluster import FoundCluster, Time

Order = Literal["size", "risk", "date"]
ORDERS: tuple[Order, ...] = ("size", "risk", "date")


def sort_clusters(clusters: Iterable[FoundCluster], order: Order) -> list[FoundCluster]:
    """Sort clusters: the largest, the riskiest or the newest first; of equal ones the largest, then by their names.

    Riskier is what has more risks, and then the weaker link.
    """
    return sorted(clusters, key=lambda one: (*_rank(one, order), -one.size, one.id.encode()))


def time_key(time: Time) -> tuple[bool, int, str]:
    """Return what sorts times, earlier ones first and unknown ones last."""
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
