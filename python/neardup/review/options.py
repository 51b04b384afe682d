"""The options of a review: how its pairs are listed, and how its sample is drawn."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from neardup import _core
from neardup._core import Scheme
from neardup.errors import UsageError
from neardup.options.table import default_of
from neardup.review.measure import Measure, choose_floor, choose_measure, find_condition, write_listing
from neardup.review.sample import check_draw
from neardup.review.strata import Strata
from neardup.schemes.line import write_scheme
from neardup.schemes.number import Number, read_number
from neardup.schemes.plan import plan_scheme


class Comparison(NamedTuple):
    """The scheme that lists the pairs from the floor on, the measure, and the threshold of the scheme under review.

    Both numbers are scores.
    """

    scheme: str
    measure: Measure
    floor: Fraction
    threshold: Fraction


def choose_comparison(scheme: str | _core.Scheme | None, floor: Number | None) -> Comparison:
    """Combine a scheme with a floor instead of its threshold; without a floor, one is chosen.

    Of several passes, the last one is under review. Raises `UsageError` for a scheme without a number, and for a floor
    that is not allowed.
    """
    whole = str(_core.Scheme(write_scheme(plan_scheme() if scheme is None else scheme)))
    # the pairs of the passes before are copies, which the last one lists, too
    given = whole.rpartition(" ; ")[2]
    condition = find_condition(given)
    if condition is None:
        wanted = "a review takes one whose last pass has a number in its measure, as resemblance>=0.8"
        raise UsageError(f"scheme is {whole}; {wanted}")
    least = choose_floor(given, condition) if floor is None else read_number(floor, "floor")
    measure = choose_measure(given, condition, least)
    low, threshold = measure.score(least), measure.score(condition.threshold)
    if not 0 <= low <= threshold or low == 1 or (low == 0 and not measure.is_distance):
        at = measure.write(threshold)
        if measure.is_distance:
            allowed = f"numbers above 0, from {at}, the threshold of the scheme, to {measure.write(Fraction(0))}"
        else:
            limit = measure.write(Fraction(1))
            below = f"below {limit}" if threshold == 1 else f"at most {at}, the threshold of the scheme"
            allowed = f"numbers above 0, {below}"
        raise UsageError(f"floor is {floor}; allowed are {allowed}")
    line = write_listing(given, condition, least)
    try:
        return Comparison(str(_core.Scheme(line)), measure, low, threshold)
    except UsageError as error:
        raise UsageError(f"scheme is {given}; its pairs would be listed by {line}: {error}") from None


OWN = ("scheme", "floor", "width", "each", "seed")
"""Options of a review that its run does not have."""
WIDTH, EACH, SEED = (default_of("review new", name) for name in ("width", "each", "seed"))
"""The defaults of these options."""


def more_of(each: int) -> int:
    """Return how many pairs of a stratum are drawn next, after `each`."""
    return max(2 * each, int(EACH))


HALF = Fraction(1, 2)
"""The usual floor of a share. Distances are cut into as many strata as the shares from there on."""


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
    given: dict[str, Any] = {"each": EACH, "seed": SEED, "width": WIDTH, "floor": None}
    given |= {name: value for name, value in options.items() if value is not None}
    each, seed, width = given["each"], given["seed"], given["width"]
    check_draw(each, seed)
    comparison = choose_comparison(given.get("scheme") or scheme, given["floor"])
    measure = comparison.measure
    # refuses a wrong width
    Strata(min(comparison.floor, HALF), width, comparison.threshold)
    step = read_number(width, "width")
    if measure.is_scaled:
        step = measure.widen(min(step * (1 - comparison.floor) / HALF, Fraction(1)))
    return Draw(comparison, Strata(comparison.floor, step, comparison.threshold, measure.write), step, each, seed)
