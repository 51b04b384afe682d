"""Numbers of schemes and options, read and written exactly."""

from typing import TYPE_CHECKING, Union

from neardup.errors import UsageError

if TYPE_CHECKING:
    from decimal import Decimal
    from fractions import Fraction

Number = Union[str, int, float, "Decimal", "Fraction"]

LONGEST = 200
"""Maximum number of digits: the time to read a number is quadratic in them."""


def write_number(number: Number, name: str) -> str:
    """Write a number as the exact decimal or fraction the core reads."""
    # the two other types are recognised by name, without importing them
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
