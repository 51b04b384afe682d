"""Strata: ranges of the score, from each of which pairs are drawn."""

from bisect import bisect_right
from collections.abc import Callable
from fractions import Fraction
from math import ceil, lcm

from neardup.errors import UsageError
from neardup.review.decimals import write_decimal
from neardup.schemes.number import Number, read_number

MOST = 100
"""Largest number of strata of one width."""


class Strata:
    """Half-open ranges of one width from the floor to below 1, also cut at the threshold, and one of exactly 1."""

    def __init__(
        self,
        floor: Fraction,
        width: Number,
        threshold: Fraction,
        write: Callable[[Fraction], str] = write_decimal,
    ) -> None:
        """Compute the ranges; `write` writes a score. Raises `UsageError` for a width that is not allowed."""
        self._write = write
        step = read_number(width, "width")
        if not 0 < step <= 1 or 1 - floor > step * MOST:
            raise UsageError(f"width is {width}; allowed are numbers from {write_decimal(Fraction(1, MOST))} to 1")
        steps = {floor + step * number for number in range(ceil((1 - floor) / step))}
        self.edges = sorted(steps | {threshold, Fraction(1)})
        """The least score of each stratum, ascending; the last is 1."""
        self._scale = lcm(*(edge.denominator for edge in self.edges))
        self._scaled = [int(edge * self._scale) for edge in self.edges]

    def __len__(self) -> int:
        return len(self.edges)

    def place(self, shared: int, union: int) -> int:
        """Return the stratum, from 0, of the score shared / union; -1 if it is below the floor."""
        # for whole numbers, edge <= shared / union is the same as edge * scale <= shared * scale // union
        return bisect_right(self._scaled, shared * self._scale // union) - 1

    def name(self, stratum: int) -> str:
        """Name a stratum by its bounds."""
        low, high = self.low(stratum), self.high(stratum)
        if stratum + 1 == len(self):
            return f"exactly {low}"
        return f"{low} to {'below' if Fraction(low) < Fraction(high) else 'above'} {high}"

    def low(self, stratum: int) -> str:
        """Write the least score of a stratum."""
        return self._write(self.edges[stratum])

    def high(self, stratum: int) -> str:
        """Write the bound that the scores of a stratum are below; for the last one its only score."""
        return self._write(self.edges[min(stratum + 1, len(self) - 1)])
