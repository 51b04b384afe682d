"""How far reviewers agree."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from neardup.evaluation.intervals import DIGITS


class Agreement(NamedTuple):
    """Two reviewers: the pairs of which both were sure, and on how many they agree.

    `share` is that of the latter, `kappa` what of it is beyond chance; None where it is not known.
    """

    first: str
    second: str
    pairs: int
    agreed: int
    share: float | None
    kappa: float | None


def compare_reviewers(labels: Iterable[Mapping[str, str]]) -> list[Agreement]:
    """Compare each two reviewers by what they say of pairs: of each pair, who says what."""
    sure = [{who: label for who, label in one.items() if label != "unsure"} for one in labels]
    reviewers = sorted({who for one in sure for who in one})
    return [
        _compare(first, second, [(one[first], one[second]) for one in sure if first in one and second in one])
        for first, second in combinations(reviewers, 2)
    ]


def _compare(first: str, second: str, said: list[tuple[str, str]]) -> Agreement:
    """Compare two reviewers: kappa = (o - c) / (1 - c), of the observed agreement and that of chance (Cohen 1960).

    Where both said one and the same of all pairs, chance alone would make them agree, and kappa is 0 / 0.
    """
    if not said:
        return Agreement(first, second, 0, 0, None, None)
    pairs, agreed = len(said), sum(one == other for one, other in said)
    by_first, by_second = (Fraction([row[side] for row in said].count("duplicate"), pairs) for side in (0, 1))
    chance = by_first * by_second + (1 - by_first) * (1 - by_second)
    observed = Fraction(agreed, pairs)
    kappa = None if chance == 1 else round(float((observed - chance) / (1 - chance)), DIGITS)
    return Agreement(first, second, pairs, agreed, round(float(observed), DIGITS), kappa)
