"""A survey: all clusters of an index as of one moment."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from fractions import Fraction
from functools import cache

from neardup.errors import UsageError
from neardup.evaluation.listed_pair import ListedPair, read_rows
from neardup.index.index import Index
from neardup.jobs.cluster import cluster
from neardup.options.values import ProgressCallback
from neardup.results.outcomes import Clustering
from neardup.review.measure import read_threshold
from neardup.survey.found_cluster import FoundCluster, Member, Order, Time, find_risks, sort_clusters, time_key


def cut_cluster(cluster: FoundCluster, cut: Collection[tuple[str, str]]) -> list[list[Member]]:
    """Return the parts into which a cluster falls without some of its links: the largest first, then the earliest.

    Its links are a tree, so each cut link adds one part.
    """
    parts = {member.id: {member.id} for member in cluster.members}
    for link in cluster.links:
        if link.key in cut:
            continue
        large, small = sorted((parts[link.left], parts[link.right]), key=len, reverse=True)
        large |= small
        for name in small:
            parts[name] = large
    if not cluster.links:
        return [cluster.members]
    found: dict[int, list[Member]] = {}
    for member in cluster.members:
        found.setdefault(id(parts[member.id]), []).append(member)
    return sorted(found.values(), key=len, reverse=True)


class Survey:
    """The clusters of two documents or more that an index had at one step."""

    def __init__(self, position: int, documents: int, clusters: Iterable[FoundCluster]) -> None:
        """Store the clusters that were found after `position` steps of the index."""
        self.position = position
        """The step of the index after which it was made."""
        self.documents = documents
        """Number of documents of the index at that step."""
        self._clusters = {one.id: one for one in clusters}
        self._cluster_of = {member.id: one.id for one in self._clusters.values() for member in one.members}
        self._sorted = cache(lambda order: sort_clusters(self._clusters.values(), order))

    @classmethod
    def make(cls, index: Index, *, threads: int | None = None, progress: ProgressCallback | None = None) -> "Survey":
        """Cluster the documents of an index; the errors are those of `cluster`."""
        position = index.position
        found, links = _cluster(index, threads, progress)
        table = found.clusters
        names, clusters, leaders, sizes = (table.column(name) for name in ("id", "cluster", "leader", "size"))
        rows = [row for row in zip(names, clusters, leaders, sizes, strict=True) if row[3] > 1]
        times = _times(index, {row[0] for row in rows})
        members: defaultdict[str, list[Member]] = defaultdict(list)
        for name, of, leader, _ in rows:
            members[of].append(Member(name, leader, times.get(name)))
        threshold = read_threshold(index.scheme)
        return cls(
            position,
            len(names),
            (_found(of, some, links.get(of, []), threshold) for of, some in members.items()),
        )

    def __len__(self) -> int:
        return len(self._clusters)

    def clusters(self, order: Order = "size") -> list[FoundCluster]:
        """Return the clusters, sorted."""
        return self._sorted(order)

    def cluster_of(self, document: str) -> FoundCluster | None:
        """Return the cluster of a document; None if there is no other document in it, or it was not there."""
        return self._clusters.get(self._cluster_of.get(document, ""))


def _cluster(
    index: Index, threads: int | None, progress: ProgressCallback | None
) -> tuple[Clustering, dict[str, list[ListedPair]]]:
    """Cluster an index, with links if the scheme allows them."""
    try:
        found = cluster(index, forest=True, threads=threads, progress=progress)
    except UsageError:
        # a forest needs one pass, and a measure of resemblance or containment
        return cluster(index, threads=threads, progress=progress), {}
    table = found.clusters
    cluster_of = dict(zip(table.column("id"), table.column("cluster"), strict=True))
    links: defaultdict[str, list[ListedPair]] = defaultdict(list)
    for link in read_rows(found.forest):
        links[cluster_of[link.left]].append(link)
    return found, links


def _times(index: Index, names: set[str]) -> dict[str, Time]:
    return {str(one.id): one.time for one in index if one.id in names and one.time is not None}


def _found(name: str, members: list[Member], links: list[ListedPair], threshold: Fraction | None) -> FoundCluster:
    links.sort(key=lambda link: (link.exact, link.key))
    members.sort(key=lambda member: (time_key(member.time), member.id.encode()))
    kept = len({member.leader for member in members})
    known = [member.time for member in members if member.time is not None]
    first, last = (known[0], known[-1]) if known else (None, None)
    risks = find_risks(len(members), kept, links[0].exact if links else None, threshold)
    return FoundCluster(name, members, links, kept, first, last, risks)
