"""Exact decimals."""

from fractions import Fraction


def write_decimal(number: Fraction) -> str:
    """Write a number from 0 to 1 as an exact decimal or, if there is none, as a fraction: 0.8, 2/3."""
    places, power = 0, 1
    while power % number.denominator:
        # a place removes a factor 2 and a factor 5 of the denominator; no number of places removes any other factor
        places, power = places + 1, power * 10
        if places > number.denominator.bit_length():
            return str(number)
    if places == 0:
        return str(number.numerator)
    digits = f"{int(number * power):0{places + 1}}"
    return f"{digits[:-places]}.{digits[-places:]}"
