"""Labels that say of pairs whether they are duplicates."""

from collections import Counter
from collections.abc import Iterator, Mapping

from neardup.errors import DataError
from neardup.evaluation.components import Components
from neardup.evaluation.counts import Counts, count_pairs


class PairLabels:
    """Pairs that are duplicates, pairs that are none, and pairs too close to the line between both to be counted.

    A pair that is not listed is no duplicate when the labels are complete, and else not counted.
    """

    kind = "pairs"

    def __init__(self, *, complete: bool) -> None:
        self.complete = complete
        self.verdicts: dict[tuple[str, str], bool | None] = {}

    def add(self, place: str, left: str, right: str, verdict: bool | None) -> None:
        """Add a label; `DataError` for a document with itself and for a pair that was labelled otherwise before."""
        if left == right:
            raise DataError(f"{place}: a pair of {left!r} with itself")
        before = self.verdicts.setdefault(_key(left, right), verdict)
        if before != verdict:
            raise DataError(f"{place}: the pair {left!r}, {right!r} is {_say(verdict)} here, {_say(before)} before")

    def names(self) -> Iterator[str]:
        """Return the documents that the labels name."""
        return iter(dict.fromkeys(document for pair in self.verdicts for document in pair))

    @property
    def knows_negatives(self) -> bool:
        """Whether a found pair can be known to be wrong."""
        return self.complete or any(verdict is False for verdict in self.verdicts.values())

    @property
    def left_out(self) -> int:
        """How many listed pairs are not counted."""
        return sum(verdict is None for verdict in self.verdicts.values())

    def judge(self, left: str, right: str) -> bool | None:
        """Say whether two documents are duplicates; None when that pair is not counted."""
        return self.verdicts.get(_key(left, right), False if self.complete else None)

    def links(self) -> Iterator[tuple[str, str]]:
        """Return pairs of duplicates that connect all duplicates."""
        return (pair for pair, verdict in self.verdicts.items() if verdict)

    def positives(self) -> Iterator[tuple[str, int]]:
        """Count the pairs of duplicates, each share of them with a document of its component."""
        return ((left, 1) for left, _ in self.links())

    def count_negatives(self, documents: int) -> int:
        """Count the pairs that are known to be no duplicates."""
        if not self.complete:
            return sum(verdict is False for verdict in self.verdicts.values())
        return count_pairs(documents) - sum(verdict is not False for verdict in self.verdicts.values())

    def count_documents(self, documents: int) -> int:
        """Count the labelled documents."""
        return documents if self.complete else sum(1 for _ in self.names())

    def count_implied(self, predicted: Mapping[str, str]) -> Iterator[tuple[str, Counts]]:
        """Count all pairs within predicted clusters: those listed one by one, the others by the clusters' sizes."""
        listed: Counter[str] = Counter()
        for (left, right), verdict in self.verdicts.items():
            if predicted[left] == predicted[right]:
                listed[predicted[left]] += 1
                if verdict is not None:
                    yield left, Counts(int(verdict), int(not verdict), 0)
        if self.complete:
            for cluster, size in Counter(predicted.values()).items():
                yield cluster, Counts(0, count_pairs(size) - listed[cluster], 0)

    def partition(self, predicted: Mapping[str, str]) -> Mapping[str, str] | str:
        """Return the true cluster of every document, a component of the duplicates; or why there is none."""
        if not self.complete:
            return "the labels are pairs and not said to be complete (--complete), so true clusters are not known"
        if self.left_out:
            return (
                f"{self.left_out:,} pairs are left out, and clusters cannot leave a pair out: "
                "a margin of 0 (--margin 0) decides them"
            )
        components = Components(self.links())
        return {document: components.of(document) for document in predicted}


def _key(left: str, right: str) -> tuple[str, str]:
    return (left, right) if left < right else (right, left)


def _say(verdict: bool | None) -> str:
    return "left out" if verdict is None else f"labelled {int(verdict)}"
