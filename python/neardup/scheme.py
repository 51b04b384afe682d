"""Schemes: one line that says how documents are compared."""

from typing import TYPE_CHECKING, Union

from neardup._core import Scheme, plan
from neardup.allowed import allow, check
from neardup.errors import UsageError

if TYPE_CHECKING:
    from decimal import Decimal
    from fractions import Fraction

Number = Union[str, int, float, "Decimal", "Fraction"]

DEFAULT_THRESHOLD = "0.8"
DEFAULT_RECALL = "0.99"


@allow
def plan_scheme(threshold: Number = DEFAULT_THRESHOLD, recall: Number = DEFAULT_RECALL) -> Scheme:
    """Choose the default scheme: word 5-shingles, MinHash, and the bands that keep the promised recall.

    `threshold` is a resemblance, 0 < t <= 1; `recall` the probability, below 1, that a pair exactly at the threshold is
    found, or "exact". A float means the decimal it prints as. Raises `UsageError` for numbers out of range.
    """
    return Scheme(plan(write_number(threshold, "threshold"), write_number(recall, "recall")))


def write_scheme(scheme: str | Scheme, threshold: Number | None = None, recall: Number | None = None) -> str:
    """Write a scheme as its line; `str` without a `|` names a profile or classic, `threshold` replaces that of a name.

    `UsageError` lists near names, and refuses a threshold or a recall that the scheme answers itself.
    """
    check("scheme", scheme, str | Scheme)
    line = str(scheme)
    bound = None if threshold is None else write_number(threshold, "threshold")
    if "|" not in line:
        from neardup.named import find_named

        named = str(find_named(line, bound))
        if recall is not None:
            raise UsageError(f"the scheme {line} states its own keys: leave out recall")
        return named
    if bound is not None:
        raise UsageError("a scheme line states its own threshold: write it there, and leave out threshold")
    if recall is not None and "auto" not in line:
        raise UsageError("a scheme line states its own keys: leave out recall, or write auto where it is to choose")
    return line


LONGEST = 200
"""Digits of a number, at most: what it takes to read one grows with their square."""


def write_number(number: Number, name: str) -> str:
    """Write a number as the exact decimal or fraction the core reads."""
    # the two other types need not be imported to be known
    known = isinstance(number, str | int | float) or type(number).__name__ in ("Decimal", "Fraction")
    if isinstance(number, bool) or not known:
        raise UsageError(f"{name} must be a number or its text, not {type(number).__name__}")
    try:
        text = str(number)
    except ValueError:
        # Python writes no integer of more than 4,300 digits
        text = "9" * (LONGEST + 1)
    exponent = text.lower().partition("e")[2].lstrip("+-0")
    if len(text) > LONGEST or (exponent.isdigit() and len(exponent) > 3):
        raise UsageError(f"{name} has too many digits: a number has at most {LONGEST}, and an exponent below 1000")
    return text


def read_number(number: Number, name: str) -> "Fraction":
    """Read a number exactly, a decimal or a fraction; a float means the decimal it prints as."""
    from fractions import Fraction

    try:
        return Fraction(write_number(number, name))
    except (ValueError, ZeroDivisionError):
        raise UsageError(f"{name} is {number!r}; it is written as a number, 0.8 or 4/5") from None
