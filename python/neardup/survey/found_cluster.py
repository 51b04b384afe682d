"""Clusters that a survey found."""

from typing import NamedTuple

from neardup.evaluation.listed_pair import ListedPair
from neardup.survey.risk import Risk

Time = int | str | None


class Member(NamedTuple):
    """A document of a cluster, and the one that the leader rule keeps for it, or itself."""

    id: str
    leader: str
    time: Time


class FoundCluster(NamedTuple):
    """A cluster of two documents or more: named by the smallest id, which need not be that of the original.

    `members` stand in the order of their time, those without one last; `links` from the weakest on, and there are none
    when the scheme measures neither resemblance nor containment. `kept` counts the leaders, `first` and `last` are the
    earliest and the latest time.
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
        """How many documents it has."""
        return len(self.members)

    @property
    def weakest(self) -> ListedPair | None:
        """The link of the lowest resemblance."""
        return self.links[0] if self.links else None
