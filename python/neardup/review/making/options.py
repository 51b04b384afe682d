"""How the pairs of a review are listed and its sample is drawn, by the options of the review."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from neardup._core import Scheme
from neardup.options.table import default_of
from neardup.review.making.comparison import Comparison, choose_comparison
from neardup.review.sampling.sample import check_draw
from neardup.review.sampling.strata import Strata
from neardup.schemes.number import read_number

OWN = ("scheme", "floor", "width", "each", "seed")
"""Options that are not those of the run."""
FLOOR, WIDTH, EACH, SEED = (default_of("review", name) for name in ("floor", "width", "each", "seed"))
"""What holds where the options say nothing else."""


class Draw(NamedTuple):
    """How the pairs of a review are listed, and how its sample is drawn."""

    comparison: Comparison
    strata: Strata
    width: Fraction
    each: int
    seed: int


def plan_draw(scheme: str | Scheme | None, options: Mapping[str, Any]) -> Draw:
    """Take the options that are not those of the run; `scheme` is that of the inputs, where the options name none.

    Raises `UsageError` for what is not allowed.
    """
    given: dict[str, Any] = {"each": EACH, "seed": SEED, "width": WIDTH, "floor": FLOOR}
    given |= {name: value for name, value in options.items() if value is not None}
    each, seed, width = given["each"], given["seed"], given["width"]
    check_draw(each, seed)
    comparison = choose_comparison(given.get("scheme") or scheme, given["floor"])
    strata = Strata(comparison.floor, width, comparison.threshold)
    return Draw(comparison, strata, read_number(width, "width"), each, seed)
