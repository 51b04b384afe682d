"""The measure under review: the number by which a scheme decides, as a score from 0 to 1."""

import re
from collections.abc import Iterator
from fractions import Fraction
from math import ceil
from typing import NamedTuple

from neardup import _core
from neardup.evaluation.listed_pair import COUNTS, ratio
from neardup.review.decimals import write_decimal
from neardup.table import Table

Score = tuple[int, int]
"""A score as a ratio of whole numbers, or as (1, 1)."""
_CONDITION = re.compile(r"(~?)(\w+)(:[\w,]+)?(>=|<=)([\d./]+)")
_BITS = re.compile(r"\b(?:simhash|projection|given):(\d+)")
_COUNTED = ("resemblance", "containment")
"""Measures of features, which are counted and not in the column `value`."""
_EXACT = 1_000_000
"""Largest denominator of a score that is read from a float: the ratio of two counts below it is exact."""
_MOST_BLOCKS = 31
"""Largest number of differing bits for which there are keys."""


class Condition(NamedTuple):
    """A condition of a scheme with a number: its text, the name of the measure, and the threshold."""

    text: str
    name: str
    threshold: Fraction
    is_distance: bool


class Measure(NamedTuple):
    """A measure: its name as in the scheme, and the value that is `limit` for a score of 0 (distances) or 1 (others).

    `unit` is the least step of its values, 0 if there is none.
    """

    name: str
    limit: Fraction
    unit: Fraction
    is_distance: bool

    @property
    def is_scaled(self) -> bool:
        """Whether the values are not shares from 0 to 1, so that strata and steps are parts of their range."""
        return self.is_distance or bool(self.unit)

    def score(self, value: Fraction) -> Fraction:
        """Return the score of a value or threshold of the measure."""
        return 1 - value / self.limit if self.is_distance else value / self.limit

    def write(self, score: Fraction) -> str:
        """Write a score as a threshold of the measure."""
        return write_decimal((1 - score if self.is_distance else score) * self.limit)

    def show(self, score: Fraction) -> str:
        """Write a score for people, as a value of the measure with at most three decimals."""
        if self.unit:
            return self.write(score)
        value = float((1 - score if self.is_distance else score) * self.limit)
        # a value that is not the last one is never shown as the last one
        return self.write(score) if score == 1 else f"{min(value, 0.999) if not self.is_distance else value:.3f}"

    def widen(self, width: Fraction) -> Fraction:
        """Return a width of scores that is a whole number of units."""
        step = self.unit / self.limit
        return step * ceil(width / step) if step else width

    def read_scores(self, table: "_core.Table | Table") -> Iterator[Score]:
        """Yield the score of every pair of a table. A pair without a value is a copy, and its score 1."""
        if self.name == "resemblance":
            yield from map(ratio, *(table.column(name) for name in COUNTS))
        elif self.name == "containment":
            for shared, left, right in zip(*(table.column(name) for name in COUNTS), strict=True):
                yield (shared, min(left, right)) if min(left, right) else (1, 1)
        else:
            for value in table.column("value"):
                score = 1 if value is None else self.score(Fraction(value).limit_denominator(_EXACT))
                yield max(Fraction(score), Fraction(0)).as_integer_ratio()


def find_condition(scheme: str) -> Condition | None:
    """Return the condition under review of a scheme of one pass; None for several passes, or without a number.

    It is the one of which the column `value` has the number, the first that is not of features, or else the first.
    """
    if " ; " in scheme:
        return None
    conditions = [
        Condition(text, match[1] + match[2] + (match[3] or ""), Fraction(match[5]), match[4] == "<=")
        for text in scheme.rpartition(" | ")[2].split(" & ")
        if (match := _CONDITION.fullmatch(text))
    ]
    return next((one for one in conditions if one.name not in _COUNTED), next(iter(conditions), None))


_DISTANCES = ("hamming", "sim", "euclidean", "levenshtein", "distinct")
_COUNTS = ("hamming", "agree", "levenshtein", "distinct")
"""Measures whose values are whole numbers."""


def restore_measure(name: str, limit: Fraction) -> Measure:
    """Return the measure of a name, whose score is 0 or 1 at `limit`."""
    first = name.partition(":")[0]
    return Measure(name, limit, Fraction(first in _COUNTS), first in _DISTANCES)


def choose_measure(scheme: str, condition: Condition, floor: Fraction) -> Measure:
    """Return the measure of a condition. A distance without an upper end has the score 0 at twice the floor."""
    limit = Fraction(1)
    if condition.name in ("hamming", "agree"):
        bits = _BITS.search(scheme)
        limit = Fraction(bits[1] if bits else 64)
    elif condition.is_distance and condition.name != "sim":
        limit = max(floor * 2, limit)
    return restore_measure(condition.name, limit)


def choose_floor(scheme: str, condition: Condition) -> Fraction:
    """Return a floor that leaves room for near-misses beside a threshold."""
    at = condition.threshold
    if condition.name in ("hamming", "agree"):
        bits = choose_measure(scheme, condition, at).limit
        differing = at if condition.name == "hamming" else bits - at
        # three halves of the bits that may differ, as far as there are keys for them
        most = max(differing, min(Fraction(ceil(differing * 3 / 2) or 1), Fraction(_MOST_BLOCKS)))
        return most if condition.name == "hamming" else bits - most
    if condition.is_distance:
        return min(at * 2, Fraction(1)) if condition.name == "sim" else at * 2 or Fraction(1)
    return min(Fraction(1, 2), max(at - Fraction(1, 10), at / 2))


def read_threshold(scheme: str) -> Fraction | None:
    """Return the threshold of a scheme of one pass whose measure is the resemblance alone; None for any other."""
    condition = find_condition(scheme)
    is_alone = condition is not None and scheme.rpartition(" | ")[2] == condition.text
    return condition.threshold if condition is not None and is_alone and condition.name == "resemblance" else None


def write_listing(scheme: str, condition: Condition, floor: Fraction) -> str:
    """Write the scheme that lists the pairs from the floor on, with keys for it where there are any."""
    tokens, features, signature, keys, measure = scheme.split(" | ")
    if read_threshold(scheme) is not None:
        return f"{tokens} | {features} | minhash:auto | bands:auto | resemblance>={write_decimal(floor)}"
    if condition.name in ("hamming", "agree"):
        bits = choose_measure(scheme, condition, floor).limit
        differing = floor if condition.name == "hamming" else bits - floor
        keys = re.sub(r"^blocks:\d+(,\w+)?", f"blocks:{write_decimal(differing)},auto", keys)
    keys = re.sub(r"^(prefix|lengths):[\d./]+", r"\1:auto", keys)
    sign = "<=" if condition.is_distance else ">="
    changed = f"{condition.name}{sign}{write_decimal(floor)}"
    conditions = " & ".join(changed if one == condition.text else one for one in measure.split(" & "))
    return " | ".join([tokens, features, signature, keys, conditions])
