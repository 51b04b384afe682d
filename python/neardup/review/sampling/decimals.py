"""Exact numbers, written for people and for the core."""

from fractions import Fraction


def write_decimal(number: Fraction) -> str:
    """Write a number from 0 to 1 as the decimal it is, or as a fraction where no decimal is exact: 0.8, 2/3."""
    places, power = 0, 1
    while power % number.denominator:
        # each factor 2 or 5 of the denominator takes a place; any other one is never taken out
        places, power = places + 1, power * 10
        if places > number.denominator.bit_length():
            return str(number)
    if places == 0:
        return str(number.numerator)
    digits = f"{int(number * power):0{places + 1}}"
    return f"{digits[:-places]}.{digits[-places:]}"
