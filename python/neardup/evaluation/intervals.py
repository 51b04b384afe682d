"""Ratios with intervals, which allow for the dependence of pairs in one component."""

from collections.abc import Callable, Mapping
from math import fsum, sqrt
from typing import NamedTuple, TypeVar

Unit = TypeVar("Unit", bound=tuple[float, ...])

Z = 1.959963984540054
"""The normal quantile of 0.975, for intervals of 95 %."""
DIGITS = 6


class Estimate(NamedTuple):
    """A ratio with its 95 % interval, rounded to six places for display.

    If it is not known, all are None, with the reason.
    """

    value: float | None
    low: float | None
    high: float | None
    reason: str | None


def estimate(
    units: Mapping[Unit, int],
    ratio: Callable[..., float],
    size: Callable[..., int],
    reason: str,
) -> Estimate:
    """Estimate a ratio of totals over components, with its interval.

    `units` maps the totals of a component to the number of components that have them. `ratio` computes the figure from
    totals, and `size` the number of pairs (or documents) that it is based on. Components of size 0 are left out; if
    there are no others, the figure is not known, for `reason`.

    The interval is Wilson's (1927) for the effective size n of `effective_size`: (p + z^2/2n -+ z sqrt(p (1 - p) / n +
    z^2/4n^2)) / (1 + z^2/n) with z = 1.96.
    """
    units = {unit: times for unit, times in units.items() if size(*unit) > 0}
    if not units:
        return Estimate(None, None, None, reason)
    value = ratio(*_sum(units))
    low, high = wilson(value, effective_size(units, ratio, size))
    return Estimate(round(value, DIGITS), round(low, DIGITS), round(high, DIGITS), None)


def effective_size(units: Mapping[Unit, int], ratio: Callable[..., float], size: Callable[..., int]) -> float:
    """Return the number of independent pairs whose ratio would vary as much as that of these.

    With m components, p the ratio of all and p_g the ratio without component g, the delete-one jackknife estimates the
    variance as v = (m - 1)/m sum_g (p_g - mean of all p_g)^2 (Efron and Stein 1981). That of n independent pairs would
    be p (1 - p) / n. The quotient of both is the design effect d (Kish 1965), taken as 1 if it is lower. The effective
    size is n / d, which is p (1 - p) / v, at most n. If p is 0 or 1, nothing varies, and the size is m; for one
    component it is 1.
    """
    components = sum(units.values())
    totals = _sum(units)
    value = ratio(*totals)
    if components == 1 or value in (0, 1):
        return components
    without = [
        (ratio(*(total - part for total, part in zip(totals, unit, strict=True))), times)
        for unit, times in units.items()
    ]
    mean = fsum(each * times for each, times in without) / components
    variance = (components - 1) / components * fsum(times * (each - mean) ** 2 for each, times in without)
    pairs = size(*totals)
    return pairs if pairs * variance <= value * (1 - value) else value * (1 - value) / variance


def wilson(value: float, size: float) -> tuple[float, float]:
    """Return the interval of a share `value` in `size` independent trials (Wilson 1927), within 0 and 1."""
    middle = value + Z * Z / (2 * size)
    spread = Z * sqrt(value * (1 - value) / size + Z * Z / (4 * size * size))
    scale = 1 + Z * Z / size
    low, high = (middle - spread) / scale, (middle + spread) / scale
    # for a share of 0 or 1 this bound is exact, whatever rounding does
    return (0.0 if value == 0 else max(low, 0.0)), (1.0 if value == 1 else min(high, 1.0))


def _sum(units: Mapping[Unit, int]) -> list[float]:
    columns = zip(*([part * times for part in unit] for unit, times in units.items()), strict=True)
    return [sum(column) if all(isinstance(part, int) for part in column) else fsum(column) for column in columns]
