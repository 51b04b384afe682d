"""What a review can be told when it is made, and how its sample is drawn by that."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Literal, NamedTuple

from neardup._core import Scheme
from neardup.options import ReadOptions
from neardup.scheme import Number, read_number
from neardup.study.review.comparison import Comparison, choose_comparison
from neardup.study.review.sample import check_draw
from neardup.study.review.strata import Strata

OWN = ("scheme", "floor", "width", "each", "seed")
"""Options that are not those of the run."""
FLOOR, WIDTH, EACH, SEED = "0.5", "0.1", 20, 0
"""What holds where the options say nothing else."""


class ReviewOptions(ReadOptions, total=False):
    """Options of `Review.create`; each has a default."""

    scheme: str | Scheme | None
    """Whose tokens and features are compared, and whose threshold is judged: a scheme, its line, or a name.

    Its measure is `resemblance>=` alone. Without one it is that of the index, or else the default scheme.
    """
    floor: Number
    """The resemblance from which pairs are listed (0.5), at most the threshold of the scheme."""
    width: Number
    """How wide a stratum is (0.1), from 0.01 to 1."""
    each: int
    """Pairs drawn of each stratum at most (20)."""
    seed: int
    """What the draw depends on beside the ids (0): a whole number below 2^64."""
    id_field: str | None
    """Field with the id; without one it is source and row."""
    url_field: str | None
    """Field with the URL."""
    time_field: str | None
    """Field with the time."""
    on_error: Literal["stop", "skip"]
    """Stop at the first record that cannot be used, or skip such records."""


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
