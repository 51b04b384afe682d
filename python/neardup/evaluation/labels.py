"""Labels: what people or publishers say of documents or pairs."""

from fractions import Fraction
from typing import Any, NamedTuple

from neardup.allowed import show
from neardup.errors import DataError, UsageError
from neardup.evaluation.clusters import ClusterLabels
from neardup.evaluation.pairs import PairLabels
from neardup.evaluation.rows import LabelRows, Row, read_rows
from neardup.schemes.number import Number, read_number

Labels = PairLabels | ClusterLabels

MARGIN = "0.05"
FIELDS = ("a", "b", "label", "jaccard", "id", "cluster")
KINDS = "a, b and label (0 or 1), or a, b and jaccard (from 0 to 1), or id and cluster"


class Line(NamedTuple):
    """The line between duplicates and others in labels that give a jaccard."""

    at: Fraction
    margin: Fraction

    def judge(self, jaccard: Fraction) -> bool | None:
        """Whether a pair is a duplicate: at or above the line; None when it is closer to it than the margin."""
        return None if abs(jaccard - self.at) < self.margin else jaccard >= self.at


def read_labels(truth: LabelRows, *, at: Number | None, margin: Number | None, complete: bool) -> Labels:
    """Read labels of pairs or of clusters; the fields of the first one say which.

    Pairs with a `label` are duplicates when it is 1. With `at` the field is `jaccard`, and a pair is a duplicate when
    its jaccard is `at` or more; pairs closer to `at` than `margin` (0.05) are left out. Raises `DataError` with the
    place of a label that cannot be used, `UsageError` for numbers that are out of range.
    """
    line = _draw_line(at, margin)
    pairs, clusters = PairLabels(complete=complete), ClusterLabels()
    kind: str | None = None
    for place, row in read_rows(truth, FIELDS):
        kind = kind or _tell_kind(place, row)
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


def _tell_kind(place: str, row: Row) -> str:
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
