"""Labels of documents or pairs, by people or publishers."""

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from neardup.allowed import show
from neardup.errors import DataError, UsageError
from neardup.evaluation.counts import Components, Counts, count_pairs
from neardup.evaluation.rows import LabelRows, Row, read_rows
from neardup.schemes.number import Number, read_number


class ClusterLabels:
    """Labels that assign documents to clusters.

    Two labelled documents are duplicates if they are in the same cluster, and otherwise not, so every pair of labelled
    documents is decided. Pairs with a document that has no label are not counted.
    """

    kind = "clusters"
    complete = True
    knows_negatives = True
    left_out = 0

    def __init__(self) -> None:
        self.clusters: dict[str, str] = {}

    def add(self, place: str, document: str, cluster: str) -> None:
        """Add a label. Raises `DataError` if the document has a different one already."""
        before = self.clusters.setdefault(document, cluster)
        if before != cluster:
            raise DataError(f"{place}: the document {document!r} is in cluster {cluster!r} here, in {before!r} before")

    def names(self) -> Iterator[str]:
        """Return the documents that the labels name."""
        return iter(self.clusters)

    def judge(self, left: str, right: str) -> bool | None:
        """Return whether two documents are duplicates; None if that pair is not counted."""
        one, other = self.clusters.get(left), self.clusters.get(right)
        return None if one is None or other is None else one == other

    def links(self) -> Iterator[tuple[str, str]]:
        """Yield pairs of duplicates that connect all duplicates."""
        first: dict[str, str] = {}
        for document, cluster in self.clusters.items():
            yield first.setdefault(cluster, document), document

    def positives(self) -> Iterator[tuple[str, int]]:
        """Yield numbers of duplicate pairs, each with a document of the component that they are in."""
        first = {cluster: document for document, cluster in reversed(self.clusters.items())}
        for cluster, size in Counter(self.clusters.values()).items():
            yield first[cluster], count_pairs(size)

    def count_negatives(self, _documents: int) -> int:
        """Count the pairs that are known not to be duplicates."""
        return count_pairs(len(self.clusters)) - sum(pairs for _, pairs in self.positives())

    def count_documents(self, _documents: int) -> int:
        """Count the labelled documents."""
        return len(self.clusters)

    def count_implied(self, predicted: Mapping[str, str]) -> Iterator[tuple[str, Counts]]:
        """Count all pairs within predicted clusters, from the sizes of their intersections with true ones."""
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


class PairLabels:
    """Labels of pairs: duplicates, pairs that are not, and pairs too close to the line between both to be counted.

    A pair that is not listed is no duplicate if the labels are complete; otherwise it is not counted.
    """

    kind = "pairs"

    def __init__(self, *, complete: bool) -> None:
        self.complete = complete
        self.verdicts: dict[tuple[str, str], bool | None] = {}

    def add(self, place: str, left: str, right: str, verdict: bool | None) -> None:
        """Add a label.

        Raises `DataError` for a document with itself, and for a pair that has a different label already.
        """
        if left == right:
            raise DataError(f"{place}: a pair of {left!r} with itself")
        before = self.verdicts.setdefault(_key(left, right), verdict)
        if before != verdict:
            here, there = _describe_verdict(verdict), _describe_verdict(before)
            raise DataError(f"{place}: the pair {left!r}, {right!r} is {here} here, {there} before")

    def names(self) -> Iterator[str]:
        """Return the documents that the labels name."""
        return iter(dict.fromkeys(document for pair in self.verdicts for document in pair))

    @property
    def knows_negatives(self) -> bool:
        """Whether a found pair can be known to be wrong."""
        return self.complete or any(verdict is False for verdict in self.verdicts.values())

    @property
    def left_out(self) -> int:
        """Number of listed pairs that are not counted."""
        return sum(verdict is None for verdict in self.verdicts.values())

    def judge(self, left: str, right: str) -> bool | None:
        """Return whether two documents are duplicates; None if that pair is not counted."""
        return self.verdicts.get(_key(left, right), False if self.complete else None)

    def links(self) -> Iterator[tuple[str, str]]:
        """Return pairs of duplicates that connect all duplicates."""
        return (pair for pair, verdict in self.verdicts.items() if verdict)

    def positives(self) -> Iterator[tuple[str, int]]:
        """Yield numbers of duplicate pairs, each with a document of the component that they are in."""
        return ((left, 1) for left, _ in self.links())

    def count_negatives(self, documents: int) -> int:
        """Count the pairs that are known not to be duplicates."""
        if not self.complete:
            return sum(verdict is False for verdict in self.verdicts.values())
        return count_pairs(documents) - sum(verdict is not False for verdict in self.verdicts.values())

    def count_documents(self, documents: int) -> int:
        """Count the labelled documents."""
        return documents if self.complete else sum(1 for _ in self.names())

    def count_implied(self, predicted: Mapping[str, str]) -> Iterator[tuple[str, Counts]]:
        """Count all pairs within predicted clusters: listed pairs one by one, the others from the cluster sizes."""
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
        """Return the true cluster of every document, its component of duplicates; or the reason why there is none."""
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


def _describe_verdict(verdict: bool | None) -> str:
    return "left out" if verdict is None else f"labelled {int(verdict)}"


Labels = PairLabels | ClusterLabels
MARGIN = "0.05"
FIELDS = ("a", "b", "label", "jaccard", "id", "cluster")
KINDS = "a, b and label (0 or 1), or a, b and jaccard (from 0 to 1), or id and cluster"


class Line(NamedTuple):
    """The line between duplicates and other pairs, for labels with a jaccard."""

    at: Fraction
    margin: Fraction

    def judge(self, jaccard: Fraction) -> bool | None:
        """Return whether a pair is a duplicate, at or above the line; None if it is closer to it than the margin."""
        return None if abs(jaccard - self.at) < self.margin else jaccard >= self.at


def read_labels(truth: LabelRows, *, at: Number | None, margin: Number | None, complete: bool) -> Labels:
    """Read labels of pairs or of clusters; the fields of the first label decide which.

    Pairs with a `label` are duplicates if it is 1. With `at` the field is `jaccard`, and a pair is a duplicate if its
    jaccard is `at` or more; pairs closer to `at` than `margin` (0.05) are left out. Raises `DataError`, which names the
    place, for a label that cannot be used, `UsageError` for numbers that are out of range.
    """
    line = _draw_line(at, margin)
    pairs, clusters = PairLabels(complete=complete), ClusterLabels()
    kind: str | None = None
    for place, row in read_rows(truth, FIELDS):
        kind = kind or _detect_kind(place, row)
        if kind == "pairs":
            verdict = _judge(place, row, line)
            pairs.add(place, _name(place, row, "a"), _name(place, row, "b"), verdict)
        else:
            clusters.add(place, _name(place, row, "id"), _name(place, row, "cluster"))
    if kind is None:
        raise DataError(f"{truth}: there are no labels")
    if kind == "clusters" and line is not None:
        raise UsageError("at serves labels with a jaccard; these are clusters: leave it out")
    if kind == "clusters" and complete:
        raise UsageError("complete serves labels of pairs; these are clusters, which say all pairs: leave it out")
    return pairs if kind == "pairs" else clusters


def _draw_line(at: Number | None, margin: Number | None) -> Line | None:
    if at is None:
        if margin is not None:
            raise UsageError("margin serves labels with a jaccard: give at as well")
        return None
    line = Line(read_number(at, "at"), read_number(MARGIN if margin is None else margin, "margin"))
    if not 0 < line.at <= 1:
        raise UsageError(f"at is {at}; allowed are numbers above 0, at most 1")
    if not 0 <= line.margin < 1:
        raise UsageError(f"margin is {margin}; allowed are numbers from 0, below 1")
    return line


def _detect_kind(place: str, row: Row) -> str:
    if "a" in row and "b" in row:
        return "pairs"
    if "id" in row and "cluster" in row:
        return "clusters"
    raise DataError(f"{place}: the fields are {_listed(row)}; labels have {KINDS}")


def _judge(place: str, row: Row, line: Line | None) -> bool | None:
    if line is None:
        if "label" not in row and "jaccard" in row:
            raise UsageError(f"{place}: pairs with a jaccard need at (--at), from which they are duplicates")
        label = _value(place, row, "label")
        if show(label).strip("'\"") not in ("0", "1"):
            raise DataError(f"{place}: label is {show(label)}; allowed are 0 and 1")
        return str(label) == "1"
    jaccard = _value(place, row, "jaccard")
    try:
        share = Fraction(str(jaccard))
    except (ValueError, ZeroDivisionError):
        share = Fraction(-1)
    if not 0 <= share <= 1:
        raise DataError(f"{place}: jaccard is {jaccard!s}; allowed are numbers from 0 to 1")
    return line.judge(share)


def _name(place: str, row: Row, field: str) -> str:
    value = _value(place, row, field)
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise DataError(f"{place}: {field} is {value!s}; allowed are strings and integers")
    try:
        return str(value)
    except ValueError:
        raise DataError(f"{place}: {field} is {show(value)}; a text may be as long as it likes") from None


def _value(place: str, row: Row, field: str) -> Any:
    value = row.get(field)
    if value is None or value == "":
        raise DataError(f"{place}: there is no {field}; the fields are {_listed(row)}")
    return value


def _listed(row: Row) -> str:
    return ", ".join(str(field) for field in row) or "none"
