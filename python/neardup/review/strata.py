"""Strata: ranges of the resemblance, from each of which pairs are drawn."""

from bisect import bisect_right
from fractions import Fraction
from math import ceil, lcm

from neardup.errors import UsageError
from neardup.schemes.number import Number, read_number


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


LEAST_WIDTH = Fraction(1, 100)


class Strata:
    """Half-open ranges of one width from the floor to below 1, also cut at the threshold, and one of exactly 1."""

    def __init__(self, floor: Fraction, width: Number, threshold: Fraction) -> None:
        """Compute the ranges. Raises `UsageError` for a width that is not from 0.01 to 1."""
        step = read_number(width, "width")
        if not LEAST_WIDTH <= step <= 1:
            raise UsageError(f"width is {width}; allowed are numbers from {write_decimal(LEAST_WIDTH)} to 1")
        steps = {floor + step * number for number in range(ceil((1 - floor) / step))}
        self.edges = sorted(steps | {threshold, Fraction(1)})
        """The least resemblance of each stratum, ascending; the last is 1."""
        self._scale = lcm(*(edge.denominator for edge in self.edges))
        self._scaled = [int(edge * self._scale) for edge in self.edges]

    def __len__(self) -> int:
        return len(self.edges)

    def place(self, shared: int, union: int) -> int:
        """Return the stratum, from 0, of the resemblance shared / union; -1 if it is below the floor."""
        # for whole numbers, edge <= shared / union is the same as edge * scale <= shared * scale // union
        return bisect_right(self._scaled, shared * self._scale // union) - 1

    def name(self, stratum: int) -> str:
        """Name a stratum by its bounds."""
        low = self.low(stratum)
        return f"{low} to below {self.high(stratum)}" if stratum + 1 < len(self) else f"exactly {low}"

    def low(self, stratum: int) -> str:
        """Write the least resemblance of a stratum."""
        return write_decimal(self.edges[stratum])

    def high(self, stratum: int) -> str:
        """Write the bound that the resemblances of a stratum are below; for the last one 1, its only resemblance."""
        return write_decimal(self.edges[min(stratum + 1, len(self) - 1)])
