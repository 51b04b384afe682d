"""Strata: stretches of the resemblance, from each of which pairs are drawn."""

from bisect import bisect_right
from fractions import Fraction
from math import ceil, lcm

from neardup.errors import UsageError
from neardup.review.sampling.decimals import write_decimal
from neardup.schemes.number import Number, read_number

LEAST_WIDTH = Fraction(1, 100)


class Strata:
    """Half-open stretches of one width from the floor to below 1, cut at the threshold, too, and one of exactly 1."""

    def __init__(self, floor: Fraction, width: Number, threshold: Fraction) -> None:
        """Cut the stretches; `UsageError` for a width that is not from 0.01 to 1."""
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
        """Return in which stratum, from 0, the resemblance shared / union is, which is not below the floor."""
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
        """Write what the resemblances of a stratum are below; of the last it is 1, which they are."""
        return write_decimal(self.edges[min(stratum + 1, len(self) - 1)])
