"""Labels that put documents into clusters."""

from collections import Counter
from collections.abc import Iterator, Mapping

from neardup.errors import DataError
from neardup.evaluation.counts import Counts, count_pairs


class ClusterLabels:
    """Documents and the cluster each belongs to.

    Two labelled documents are duplicates when their clusters are the same, and none when they are not: among labelled
    documents every pair is decided. Pairs with a document that has no label are not counted.
    """

    kind = "clusters"
    complete = True
    knows_negatives = True
    left_out = 0

    def __init__(self) -> None:
        self.clusters: dict[str, str] = {}

    def add(self, place: str, document: str, cluster: str) -> None:
        """Add a label; `DataError` when the document has another one already."""
        before = self.clusters.setdefault(document, cluster)
        if before != cluster:
            raise DataError(f"{place}: the document {document!r} is in cluster {cluster!r} here, in {before!r} before")

    def names(self) -> Iterator[str]:
        """Return the documents that the labels name."""
        return iter(self.clusters)

    def judge(self, left: str, right: str) -> bool | None:
        """Say whether two documents are duplicates; None when that pair is not counted."""
        one, other = self.clusters.get(left), self.clusters.get(right)
        return None if one is None or other is None else one == other

    def links(self) -> Iterator[tuple[str, str]]:
        """Yield pairs of duplicates that connect all duplicates."""
        first: dict[str, str] = {}
        for document, cluster in self.clusters.items():
            yield first.setdefault(cluster, document), document

    def positives(self) -> Iterator[tuple[str, int]]:
        """Count the pairs of duplicates, each share of them with a document of its component."""
        first = {cluster: document for document, cluster in reversed(self.clusters.items())}
        for cluster, size in Counter(self.clusters.values()).items():
            yield first[cluster], count_pairs(size)

    def count_negatives(self, _documents: int) -> int:
        """Count the pairs that are known to be no duplicates."""
        return count_pairs(len(self.clusters)) - sum(pairs for _, pairs in self.positives())

    def count_documents(self, _documents: int) -> int:
        """Count the labelled documents."""
        return len(self.clusters)

    def count_implied(self, predicted: Mapping[str, str]) -> Iterator[tuple[str, Counts]]:
        """Count all pairs within predicted clusters, by the sizes of what they share with true ones."""
        shared: dict[str, Counter[str]] = {}
        first: dict[str, str] = {}
        for document, cluster in self.clusters.items():
            shared.setdefault(predicted[document], Counter())[cluster] += 1
            first.setdefault(predicted[document], document)
        for place, sizes in shared.items():
            right = sum(count_pairs(size) for size in sizes.values())
            yield first[place], Counts(right, count_pairs(sizes.total()) - right, 0)

    def partition(self, _predicted: Mapping[str, str]) -> Mapping[str, str]:
        """Return the true cluster of every labelled document."""
        return self.clusters
