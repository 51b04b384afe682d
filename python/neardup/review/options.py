"""The options of a review: how its pairs are listed, and how its sample is drawn."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from neardup import _core
from neardup._core import Scheme
from neardup.errors import UsageError
from neardup.options.table import default_of
from neardup.review.sample import check_draw
from neardup.review.strata import Strata, write_decimal
from neardup.schemes.line import write_scheme
from neardup.schemes.number import Number, read_number
from neardup.schemes.plan import plan_scheme

MEASURE = "resemblance>="


class Comparison(NamedTuple):
    """The scheme that lists the pairs at or above the floor, and the threshold of the scheme under review."""

    scheme: str
    floor: Fraction
    threshold: Fraction


def choose_comparison(scheme: str | _core.Scheme | None, floor: Number) -> Comparison:
    """Combine tokens, features and threshold of a scheme with keys that find the pairs at or above the floor.

    Raises `UsageError` for a scheme whose measure is not the resemblance alone, and for a floor that is not allowed.
    """
    given = _core.Scheme(write_scheme(plan_scheme() if scheme is None else scheme))
    threshold = read_threshold(str(given))
    if threshold is None:
        raise UsageError(f"scheme is {given}; a review takes one pass whose measure is {MEASURE} and a number, alone")
    least = read_number(floor, "floor")
    if not 0 < least <= threshold or least == 1:
        below = "below 1" if threshold == 1 else f"at most {write_decimal(threshold)}, the threshold of the scheme"
        raise UsageError(f"floor is {floor}; allowed are numbers above 0, {below}")
    tokens, features, *_ = str(given).split(" | ")
    line = f"{tokens} | {features} | minhash:auto | bands:auto | {MEASURE}{write_decimal(least)}"
    try:
        return Comparison(str(_core.Scheme(line)), least, threshold)
    except UsageError as error:
        raise UsageError(f"scheme is {given}; its pairs would be listed by {line}: {error}") from None


def read_threshold(scheme: str) -> Fraction | None:
    """Return the threshold of a scheme of one pass whose measure is the resemblance alone; None for any other."""
    measure = scheme.rpartition(" | ")[2]
    is_alone = measure.startswith(MEASURE) and " & " not in measure and " ; " not in scheme
    return Fraction(measure.removeprefix(MEASURE)) if is_alone else None


OWN = ("scheme", "floor", "width", "each", "seed")
"""Options of a review that its run does not have."""
FLOOR, WIDTH, EACH, SEED = (default_of("review new", name) for name in ("floor", "width", "each", "seed"))
"""The defaults of these options."""


class Draw(NamedTuple):
    """How the pairs of a review are listed, and how its sample is drawn."""

    comparison: Comparison
    strata: Strata
    width: Fraction
    each: int
    seed: int


def plan_draw(scheme: str | Scheme | None, options: Mapping[str, Any]) -> Draw:
    """Plan the draw from the options in `OWN`. `scheme` is that of the inputs, used if the options name none.

    Raises `UsageError` for a value that is not allowed.
    """
    given: dict[str, Any] = {"each": EACH, "seed": SEED, "width": WIDTH, "floor": FLOOR}
    given |= {name: value for name, value in options.items() if value is not None}
    each, seed, width = given["each"], given["seed"], given["width"]
    check_draw(each, seed)
    comparison = choose_comparison(given.get("scheme") or scheme, given["floor"])
    strata = Strata(comparison.floor, width, comparison.threshold)
    return Draw(comparison, strata, read_number(width, "width"), each, seed)
