"""The confidence region of shares, and the range of a ratio within it.

The region contains the shares p under which the labels are not too unlikely: the sum over all cells of n (q log(q / p)
+ (1 - q) log((1 - q) / (1 - p))) is at most log 40, for n decided pairs with the share q of duplicates. This is half of
the likelihood ratio statistic of Wilks (1938), whose limit for one look at one ratio would be 1.92. With log 40 the
bound of a share of which no decided pair differs is exact, (1 - p)^n = 0.025 (Clopper and Pearson 1934). It leaves room
for a look after every label, and reviews stop after such looks; the boundary of a repeated test is constant as that of
Pocock (1977). bench/reviewers.py measures how often the truth is in the region then.
"""

from collections.abc import Iterable, Sequence
from math import exp, inf, log, log1p, sqrt
from typing import NamedTuple

LIMIT = log(40)
"""Largest value of the statistic in the region."""


class Share(NamedTuple):
    """An unknown share: its weight, the decided pairs, those that are duplicates, and its range.

    `decided` and `duplicates` are scaled for a draw of n of N pairs without replacement, to log(1 - n / N) /
    log(1 - 1 / N) labels. Then the probability that none of d pairs that differ is decided is exact for d = 1, where it
    is 1 - n / N, and for n = 1; for others it is above the exact one, so that the range is not too narrow.
    """

    weight: float
    decided: float
    duplicates: float
    least: float
    most: float


def describe_share(weight: float, pairs: int, decided: int, duplicates: int) -> Share:
    """Return the share of duplicates among `pairs` pairs, of which `decided` were drawn and labelled."""
    least, most = duplicates / pairs, (pairs - decided + duplicates) / pairs
    scale = log1p(-decided / pairs) / log1p(-1 / pairs) / decided if 0 < decided < pairs else 0.0
    return Share(weight, decided * scale, duplicates * scale, least, most)


def find_least(shares: Iterable[Share], limit: float = LIMIT) -> list[float]:
    """Return the shares in the region for which the sum of weight p is least.

    By the method of Lagrange, each minimises s weight p + its part of the statistic, which is a root of a quadratic. As
    s grows, so does the statistic; bisection finds the s at which it is `limit`.
    """
    shares = list(shares)
    largest = max((abs(one.weight) for one in shares), default=0.0)
    if not largest:
        return [one.least for one in shares]
    low, high = _LOW, _HIGH
    if _statistic(shares, exp(high) / largest) > limit:
        for _ in range(_STEPS):
            middle = (low + high) / 2
            low, high = (low, middle) if _statistic(shares, exp(middle) / largest) > limit else (middle, high)
    else:
        low = high
    return [_tilt(one, exp(low) / largest) for one in shares]


_LOW, _HIGH, _STEPS = -14.0, 16.0, 30
"""Range of the logarithm of s, for a largest weight of 1, and the number of times that it is halved."""


def _statistic(shares: Iterable[Share], scale: float) -> float:
    total = 0.0
    for one in shares:
        if one.decided:
            share, right = _tilt(one, scale), one.duplicates
            wrong = one.decided - right
            if right > 0:
                total += right * log(right / (one.decided * share)) if share > 0 else inf
            if wrong > 0:
                total += wrong * log(wrong / (one.decided * (1 - share))) if share < 1 else inf
    return total


def _tilt(one: Share, scale: float) -> float:
    """Return the p from `least` to `most` that minimises scale weight p + the part of the statistic.

    With b = scale weight, p is the root of b p^2 - (b + n) p + x = 0 from 0 to 1; for b < 0 so is 1 - p, of the others.
    """
    slope, decided, right = one.weight * scale, one.decided, one.duplicates
    share = _root(slope, decided, right) if slope >= 0 else 1 - _root(-slope, decided, decided - right)
    return min(max(share, one.least), one.most)


def _root(slope: float, decided: float, right: float) -> float:
    total = slope + decided
    return 2 * right / (total + sqrt(max(total * total - 4 * slope * right, 0.0))) if right > 0 else 0.0


class Ratio(NamedTuple):
    """The ratio of (sum of over p) to (constant + sum of under p)."""

    over: Sequence[float]
    under: Sequence[float]
    constant: float

    def value(self, shares: Sequence[float]) -> float | None:
        """Return the ratio for these shares; None if it is 0 / 0."""
        divisor = self.constant + _product(self.under, shares)
        return _product(self.over, shares) / divisor if divisor > 0 else None


def find_range(ratio: Ratio, value: float, shares: Sequence[Share]) -> tuple[float, float]:
    """Return the least and the largest value of a ratio in the region, which has `value` in it.

    The `weight` of the shares is not used. By Dinkelbach (1967), there is a smaller ratio than r if and only if the sum
    of (over - r under) p - r constant has a minimum below 0, and the shares at this minimum have the next r.
    """
    return _descend(ratio, value, shares, 1), _descend(ratio, value, shares, -1)


def _descend(ratio: Ratio, value: float, shares: Sequence[Share], sign: int) -> float:
    for _ in range(_ROUNDS):
        weights = (sign * (over - value * under) for over, under in zip(ratio.over, ratio.under, strict=True))
        least = find_least(one._replace(weight=weight) for one, weight in zip(shares, weights, strict=True))
        found = ratio.value(least)
        if found is None or sign * (value - found) <= _SAME:
            return value
        value = found
    return value


_ROUNDS, _SAME = 30, 1e-9
"""Largest number of steps, which are a few, and the difference that ends them."""


def _product(weights: Sequence[float], shares: Sequence[float]) -> float:
    return sum(weight * share for weight, share in zip(weights, shares, strict=True))
